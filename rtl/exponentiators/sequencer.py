"""Sequencer: runs the steps of a program, and decides on the next step when a step ends."""

from typing import Any

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff

from rsaxcel.plan.programs import Program
from rsaxcel.rtl.exponentiators.exponent_scan import ExponentScan, WordScan, is_word_by_word
from rsaxcel.rtl.exponentiators.lane_slots import LaneSlots
from rsaxcel.rtl.exponentiators.next_step import NextStep, StepSlots, StepTable, WantedSlots
from rsaxcel.rtl.lib.adjust import connect_named
from rsaxcel.rtl.lib.slots import Slots


def add_sequencer_ports(s: Any, program: Program, exponent_nbits: int = 0) -> None:
    """Declare the ports that ``Sequencer`` and ``LookAheadSequencer`` have.

    Ports
    -----
    load : in, 1 bit; the exponent is registered at the end of this cycle
    exponent_in : in; the exponent
    start : in, 1 bit; the first step begins in the next cycle
    offers : out, 1 bit each; per lane: a product is offered
    chosen : out, Slots.per_lane bits each; per lane: slot (one-hot) of the product that is offered,
        or of that of the next step (``SingleLaneSlotAhead``); a slot is the number of a product
        (``rtl.lib.slots``)
    accepts : in, 1 bit each; per lane: the store takes the product that is offered
    answers : in, 1 bit each; per lane: a result is there
    answered : out, Slots.per_lane bits each; per lane: slot (one-hot) of the result's product
    index : out, program.scan.index_nbits bits; table entry that the products of the current step
        read; the step that fills the table writes the entry with the next index
    finished : out, 1 bit; this is the last cycle of the program
    exponent : out, program.scan.exponent_nbits bits; the bits of the exponent that have not been
        scanned
    """
    slots = Slots(program)
    LaneMask = mk_bits(slots.per_lane)
    s.load = InPort(1)
    s.exponent_in = InPort(exponent_nbits or program.scan.exponent_nbits)
    s.start = InPort(1)
    s.offers = [OutPort(1) for _ in range(slots.lanes)]
    s.chosen = [OutPort(LaneMask) for _ in range(slots.lanes)]
    s.accepts = [InPort(1) for _ in range(slots.lanes)]
    s.answers = [InPort(1) for _ in range(slots.lanes)]
    s.answered = [OutPort(LaneMask) for _ in range(slots.lanes)]
    s.index = OutPort(program.scan.index_nbits)
    s.finished = OutPort(1)
    s.exponent = OutPort(program.scan.exponent_nbits)


def add_step_registers(s: Any, table: StepTable, lanes: list[Component]) -> None:
    """Declare the registers of the current step, and connect a component for each lane to them."""
    slots = table.slots
    Mask = mk_bits(slots.count)
    s.running_reg = Wire(Bits1)
    s.step_reg = Wire(clog2(table.end + 1))
    s.index_reg = Wire(s.index._dsl.Type)
    s.issue_reg = Wire(Mask)  #: products of the step that no lane has accepted
    s.wait_reg = Wire(Mask)  #: products of the step whose result is outstanding
    s.accepted_slots = Wire(Mask)
    s.answered_slots = Wire(Mask)
    s.index //= s.index_reg
    for number, lane in enumerate(lanes):
        own = slots.of_lane(number)
        lane.pending //= s.issue_reg[own]
        lane.awaited //= s.wait_reg[own]
        lane.advance //= s.advance
        lane.accepts //= s.accepts[number]
        lane.answers //= s.answers[number]
        lane.offers //= s.offers[number]
        lane.chosen //= s.chosen[number]
        lane.accepted //= s.accepted_slots[own]
        lane.answered //= s.answered_slots[own]
        lane.answered //= s.answered[number]


class Sequencer(Component):
    """Steps through a program and offers the products of each step to the lanes.

    All lanes are offered their products of a step at once; a lane is offered its products one after
    the other. A sequencer handles no operands or results: it gives the store the slot of a product
    (its number, ``rtl.lib.slots``), and the store reads the operands and keeps the result. The
    step that computes a table entry is repeated for each entry, the steps of the loop for each
    digit. A leading zero that is passed over is a step without products.

    The next step is determined in the cycle in which the last result of the current step comes, and
    begins in the cycle after it. A step without products takes one cycle::

        cycle          0            1 ... n                     n + 1
        ------------   ----------   -------------------------   ------
        ``start``      1
        current step                0                           1
        results                     the last one in cycle n
        next step      0            1, determined in cycle n

    Ports
    -----
    The ports of ``add_sequencer_ports``. With ``word_nbits``, ``exponent_in`` is a word, and there
    are ``fill`` and ``fill_index`` of the scan; ``load`` follows the last word.
    """

    def construct(s, program: Program, word_nbits=0):
        table = StepTable(program)
        end, loop_first = table.end, table.loop_first
        passes_zeros = int(table.passes_zeros)
        add_sequencer_ports(s, program, word_nbits)
        s.advance = Wire(Bits1)  #: the next step begins in the next cycle
        s.step_done = Wire(Bits1)
        s.lanes = [LaneSlots(table.slots.per_lane) for _ in range(table.slots.lanes)]
        add_step_registers(s, table, s.lanes)

        if not word_nbits:
            s.scan = ExponentScan(program.scan)
        else:
            kind = WordScan if is_word_by_word(program.scan) else ExponentScan
            s.scan = kind(program.scan, word_nbits=word_nbits)
            s.fill = InPort(1)
            s.fill_index = InPort(s.scan.fill_index._dsl.Type)
            connect_named(s.scan, s, "fill", "fill_index")
        s.scan.load //= s.load
        s.scan.exponent //= s.exponent_in
        s.scan.advance //= s.advance
        s.exponent //= s.scan.left

        s.next_step = NextStep(program)
        s.next_step.done //= s.step_done
        s.next_step.step //= s.step_reg
        s.next_step.index //= s.index_reg
        connect_named(s.next_step, s.scan, "passing", "ended")
        s.next_step.digit_index //= s.scan.index
        s.next_step.first_turn //= 0
        connect_named(s.next_step, s.scan, "shift", "enters")

        s.wanted = WantedSlots(program)
        connect_named(s.wanted, s.scan, "set", "more", "later")
        s.step_slots = StepSlots(program)
        s.step_slots.wanted //= s.wanted.wanted
        s.step_slots.step //= s.next_step.next_step
        for lane in s.lanes:
            lane.upcoming //= 0

        @update
        def comb_advance():
            s.step_done @= s.running_reg & ((s.wait_reg & ~s.answered_slots) == 0)
            s.advance @= s.start | s.step_done

        @update
        def comb_passes():
            s.step_slots.passes @= (
                s.scan.passes & passes_zeros & (s.next_step.next_step == loop_first)
            )

        @update
        def comb_finished():
            s.finished @= s.advance & (s.next_step.next_step == end)

        @update_ff
        def seq_steps():
            if s.reset:
                s.running_reg <<= 0
                s.issue_reg <<= 0
                s.wait_reg <<= 0
            elif s.finished:
                s.running_reg <<= 0
                s.issue_reg <<= 0
                s.wait_reg <<= 0
            elif s.advance:
                s.running_reg <<= 1
                s.issue_reg <<= s.step_slots.slots
                s.wait_reg <<= s.step_slots.slots
            else:
                s.issue_reg <<= s.issue_reg & ~s.accepted_slots
                s.wait_reg <<= s.wait_reg & ~s.answered_slots
            if s.advance:
                s.step_reg <<= s.next_step.next_step
                s.index_reg <<= s.next_step.next_index

    def line_trace(s):
        return f"{int(s.step_reg)}:{s.issue_reg}/{s.wait_reg}"
