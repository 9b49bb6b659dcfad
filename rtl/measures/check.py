"""Check of the result by the public exponent (``plan.measures.by_public_exponent``)."""

from collections.abc import Sequence
from typing import Any

from pymtl3 import (
    Bits1,
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    connect,
    mk_bits,
    update,
    update_ff,
)

from rsaxcel.fl.status import Status
from rsaxcel.plan.programs import Program
from rsaxcel.rtl.exponentiators.exponent_scan import ExponentScan
from rsaxcel.rtl.exponentiators.halves import OtherHalf, Turns
from rsaxcel.rtl.exponentiators.lane_slots import SingleLaneSlot, SingleLaneSlotAhead
from rsaxcel.rtl.exponentiators.look_ahead import LookAheadSequencer
from rsaxcel.rtl.exponentiators.next_step import NextStep, StepSlots, StepTable
from rsaxcel.rtl.exponentiators.program_executor import ProgramExecutor
from rsaxcel.rtl.lib.adjust import connect_named
from rsaxcel.rtl.measures.dummies import DummyStepSlots
from rsaxcel.rtl.parts import CircuitMeasure
from rsaxcel.rtl.stores.digit_bank import DigitBank, LaneResidues
from rsaxcel.rtl.stores.digit_choice import DigitChoice, DigitChoiceAhead
from rsaxcel.rtl.stores.digit_reader import AT_ONCE, DigitReader
from rsaxcel.rtl.stores.digits import DigitStore
from rsaxcel.rtl.stores.lane_sources import LaneSources
from rsaxcel.rtl.stores.product_in_flight import ProductInFlight

FAULT_DETECTED = int(Status.FAULT_DETECTED)  # update blocks accept no members of an enumeration
_WORD_NBITS = 32


class PublicScan(Component):
    """Scans the bits of a public exponent once in each turn of a check.

    The register rotates, so that it has the exponent again when a turn ends.

    Parameters
    ----------
    nbits : int; number of bits that are scanned: those above the lowest bit of the exponent

    Ports
    -----
    load : in, 1 bit; the exponent is registered at the end of this cycle
    clears : in, 1 bit; the registers become 0
    exponent : in, nbits bits
    shift : in, 1 bit; the current bit ends
    advance : in, 1 bit; the effect of ``shift`` is registered at the end of this cycle
    ended : out, 1 bit; no bit is left; depends combinationally on ``shift``
    set : out, 1 bit; the bit that begins or goes on is 1; depends combinationally on ``shift``
    """

    def construct(s, nbits: int):
        Exponent, Count = mk_bits(nbits), mk_bits(clog2(nbits + 1))
        s.load = InPort(1)
        s.clears = InPort(1)
        s.exponent = InPort(Exponent)
        s.shift = InPort(1)
        s.advance = InPort(1)
        s.ended = OutPort(1)
        s.set = OutPort(1)
        s.exponent_reg = Wire(Exponent)
        s.rotated = Wire(Exponent)
        s.count_reg = Wire(Count)  #: bits left, the current one included
        s.rotated[0] //= s.exponent_reg[nbits - 1]
        if nbits > 1:
            s.rotated[1:nbits] //= s.exponent_reg[0 : nbits - 1]

        @update
        def comb_scan():
            s.ended @= s.shift & (s.count_reg == 1)
            s.set @= s.exponent_reg[nbits - 1]
            if s.shift:
                s.set @= s.rotated[nbits - 1]

        @update_ff
        def seq_scan():
            if s.clears:
                s.exponent_reg <<= 0
                s.count_reg <<= 0
            elif s.load:
                s.exponent_reg <<= s.exponent
                s.count_reg <<= nbits
            elif s.advance & s.shift:
                s.exponent_reg <<= s.rotated
                s.count_reg <<= s.count_reg - 1
                if s.ended:
                    s.count_reg <<= nbits


class CheckedScan(ExponentScan):
    """``ExponentScan`` whose output ``ended`` does not wait for the number of digits left."""

    def add_next_count(s) -> None:
        @update
        def comb_count_and_end():
            s.next_count @= s.count_reg
            s.ended @= s.count_reg == 0
            if s.shift:
                s.next_count @= s.count_reg - 1
                s.ended @= s.count_reg == 1


class CheckSteps(StepTable):
    """``StepTable`` with the steps of the check, which follow ``join`` and have as many turns."""

    def __init__(self, program: Program):
        super().__init__(program)
        assert program.check is not None
        self.check_first = self.join_last + 1
        #: first step of a bit of the public exponent
        self.bit_first = self.check_first + len(program.check.enter)
        self.bit_last = self.bit_first + len(program.check.loop) - 1


class CheckedNextStep(NextStep):
    """``NextStep`` with the steps of the check, which repeat for each bit of the public exponent.

    More ports
    ----------
    bits_ended : in, 1 bit; no bit of the public exponent is left; depends combinationally on
        ``bit_shift``
    bit_shift : out, 1 bit; the current bit of the public exponent ends
    fills : out, 1 bit; the step that follows fills the table
    """

    Table = CheckSteps

    def add_following(s, table: Any) -> None:
        fill, loop_first = table.fill, table.loop_first
        bit_first, bit_last = table.bit_first, table.bit_last
        s.bits_ended = InPort(1)
        s.bit_shift = OutPort(1)

        @update
        def comb_following_or_bit():
            s.following @= 0
            if s.done:
                s.following @= s.step + 1
            if s.repeats:
                s.following @= fill
            if s.shift:
                s.following @= loop_first
            if s.bit_shift:
                s.following @= bit_first

        @update
        def comb_bit_shift():
            s.bit_shift @= s.done & (s.step == bit_last)

    # ``following`` would make a long path to a condition: it selects among many steps.

    def add_enters(s, table: Any) -> None:
        before = table.loop_first - 1

        @update
        def comb_enters_early():
            s.enters @= s.shift | (s.done & (s.step == before) & ~s.repeats)

    def add_next_step(s, table: Any) -> None:
        leave_first, turn_last, check_first = table.leave_first, table.turn_last, table.check_first
        bit_end = table.bit_last + 1

        @update
        def comb_next_step_or_bit():
            s.next_step @= s.following
            if s.enters & s.ended:
                s.next_step @= leave_first
            if s.bits_ended:  # only with ``bit_shift``
                s.next_step @= bit_end
            if s.wraps:
                s.next_step @= 0
                if s.step > turn_last:
                    s.next_step @= check_first

    def add_wraps(s, table: Any) -> None:
        turn_last, join_last, check_last = table.turn_last, table.join_last, table.end - 1

        @update
        def comb_wraps_to_check():
            s.wraps @= s.done & (s.step == join_last)
            if s.first_turn & ((s.step == turn_last) | (s.step == check_last)):
                s.wraps @= s.done

    def add_next_index(s, table: Any) -> None:
        s.fills = OutPort(1)
        if not table.fills:
            s.fills //= 0
            super().add_next_index(table)
            return
        fill, first = table.fill, table.fills[0]
        s.begins_fill = Wire(Bits1)

        @update
        def comb_fills():
            s.begins_fill @= s.done & (s.step == fill - 1)
            s.fills @= s.repeats | s.begins_fill

        @update
        def comb_next_index_or_bit():
            s.next_index @= s.digit_index
            if s.repeats:
                s.next_index @= s.index + 1
            elif s.begins_fill:
                s.next_index @= first


class CheckedStepSlots(StepSlots):
    """``StepSlots`` that forms no product if the program has ended."""

    def add_slots(s, table: StepTable) -> None:
        add_of_any_step(s, table.end)

        @update
        def comb_slots_of_any_step():
            s.slots @= s.of_any_step & s.wanted


class CheckedDummyStepSlots(DummyStepSlots):
    """``CheckedStepSlots`` with dummies."""

    def add_slots(s, table: StepTable) -> None:
        s.add_dummy(table)
        add_of_any_step(s, table.end)

        @update
        def comb_slots_of_any_step_or_dummy():
            s.slots @= s.of_any_step & s.wanted
            if s.dummy:
                s.slots @= s.of_dummy


def add_of_any_step(s: StepSlots, end: int) -> None:
    # With the steps of the check, a chain of choices would be too long a path; an OR is short.
    s.of_any_step = Wire(s.slots._dsl.Type)

    @update
    def comb_of_any_step():
        s.of_any_step @= 0
        for t in range(end):
            if (s.step == t) & ~s.passes:
                s.of_any_step @= s.of_any_step | s.of_step[t]


class CheckedOtherHalf(OtherHalf):
    """``OtherHalf`` that also outputs the table index for the next step.

    More ports
    ----------
    fills : in, 1 bit; the step that follows fills the table
    to_index : out, program.scan.index_nbits bits; table index of half 1 for the next step, steady
        from the cycle before it on
    """

    def add_index(s, table: StepTable) -> None:
        s.fills = InPort(1)
        s.to_index = OutPort(s.index._dsl.Type)
        s.to_index //= s.to_index_reg

        @update_ff
        def seq_index_or_fill():
            s.planned_index_reg <<= s.scan.index
            if s.fills:
                s.planned_index_reg <<= s.next_index
            s.to_index_reg <<= s.planned_index_reg
            if s.advance:
                s.index_reg <<= s.to_index_reg


class CheckedTurns(Turns):
    """``Turns`` with two further turns, in the same order, for the steps of the check.

    More ports
    ----------
    to_step : in; number of the next step, if this is the last cycle of a step
    to_half : out, 1 bit; ``half`` for the next step
    """

    def add_turns(s, table: StepTable) -> None:
        join_first, njoin = table.turn_last + 1, len(s.join_half)
        s.to_step = InPort(clog2(table.end + 1))
        s.to_half = OutPort(1)

        @update
        def comb_to_half():
            s.to_half @= s.first_turn_reg ^ s.to_wraps_reg
            for i in range(njoin):
                if s.to_step == join_first + i:
                    s.to_half @= s.join_half[i]

        @update_ff
        def seq_four_turns():
            s.planned_wraps_reg <<= s.wraps
            s.to_wraps_reg <<= s.planned_wraps_reg
            s.reload_reg <<= s.turn_ends & s.first_turn_reg & ~s.reset
            if s.clears:
                s.waiting_reg <<= 0
            elif s.load:
                s.waiting_reg <<= s.exponents[0]
                s.first_turn_reg <<= 1
            elif s.turn_ends:
                s.first_turn_reg <<= ~s.first_turn_reg


class TurnEnd(Component):
    """Tells when a turn ends, in a circuit whose two lanes execute and check one half each.

    Ports
    -----
    over : in, 1 bit; this is the last cycle of the current step
    wraps : in, 1 bit; the step that follows is the first one of a later turn (``NextStep``)
    turn_ends : out, 1 bit; this is the last cycle before a later turn
    """

    def construct(s):
        s.over = InPort(1)
        s.wraps = InPort(1)
        s.turn_ends = OutPort(1)
        s.planned_wraps_reg = Wire(Bits1)
        s.to_wraps_reg = Wire(Bits1)

        @update
        def comb_turn_ends():
            s.turn_ends @= s.over & s.to_wraps_reg

        @update_ff
        def seq_wraps():
            s.planned_wraps_reg <<= s.wraps
            s.to_wraps_reg <<= s.planned_wraps_reg


class CheckedSequencer(LookAheadSequencer):
    """``LookAheadSequencer`` with the steps of the check; ``chosen`` is for the next step.

    There is no ``first_upcoming_reg``: in the last cycle of a step, the store decodes the product
    of the next step.

    More ports
    ----------
    advances, to_index, to_other_index, to_half : out; the next step begins in the next cycle;
        ``index``, ``other_index`` and ``half`` for it
    public_exponent : in, program.check.scan.exponent_nbits bits; without its lowest bit
    """

    scan_type = CheckedScan

    def add_set(s, program: Program) -> None:
        """Scan the public exponent in the steps of the check; the bits select products there."""
        assert program.check is not None
        assert StepTable(program).slots.singly  # the store decodes at most one product in advance
        check_first = CheckSteps(program).check_first
        nbits = program.check.scan.exponent_nbits
        s.public_exponent = InPort(nbits)
        s.public_scan = PublicScan(nbits)
        connect_named(s.public_scan, s, "load", "clears")
        s.public_scan.exponent //= s.public_exponent
        s.public_scan.shift //= s.next_step.bit_shift
        s.public_scan.advance //= s.advance
        s.next_step.bits_ended //= s.public_scan.ended

        @update
        def comb_set():
            s.wanted.set @= s.scan.set
            if s.step_reg >= check_first:
                s.wanted.set @= s.public_scan.set

    def add_steps(s, table: StepTable) -> None:
        # With the steps of the check, a register for each product would be large. A lane awaits one
        # product at most: the lowest slot of the lane stands for any product.
        nlanes, per_lane = table.slots.lanes, table.slots.per_lane
        s.waits_reg = [Wire(Bits1) for _ in range(nlanes)]
        s.issue_reg //= 0
        for lane in range(nlanes):
            low = lane * per_lane
            s.wait_reg[low] //= s.waits_reg[lane]
            s.wait_reg[low + 1 : low + per_lane] //= 0

        @update_ff
        def seq_steps_singly():
            for lane in range(nlanes):
                s.waits_reg[lane] <<= s.waits_reg[lane] & ~s.answers[lane]
            if s.reset | s.finished:
                s.running_reg <<= 0
                for lane in range(nlanes):
                    s.waits_reg[lane] <<= 0
            elif s.advance:
                s.running_reg <<= 1
                for lane in range(nlanes):
                    s.waits_reg[lane] <<= s.lanes[lane].upcomes
            if s.digit_advances:
                s.step_reg <<= s.to_step_reg
                s.index_reg <<= s.to_index_reg

    def add_turn_end(s) -> None:
        s.other_half.fills //= s.next_step.fills
        s.turn_end = TurnEnd()
        s.turn_end.over //= s.over
        s.turn_end.wraps //= s.next_step.wraps
        s.turn_ends //= s.turn_end.turn_ends

    def construct(s, program: Program, given_nbits=0):
        super().construct(program, given_nbits)
        s.advances = OutPort(1)
        s.to_index = OutPort(s.index._dsl.Type)
        s.to_other_index = OutPort(s.index._dsl.Type)
        s.to_half = OutPort(1)
        s.advances //= s.advance
        s.to_index //= s.to_index_reg
        if len(program.turns) > 1:
            s.turns.to_step //= s.to_step_reg
            s.to_half //= s.turns.to_half
            s.to_other_index //= 0
        else:
            s.to_half //= 0
            s.to_other_index //= s.other_half.to_index


class CheckedExecutor(ProgramExecutor):
    """``ProgramExecutor`` that answers ``fault_detected`` unless the check confirms the result."""

    def connect_exponents(s, sequencer: CheckedSequencer, program: Program) -> None:
        super().connect_exponents(sequencer, program)
        assert program.split is not None
        assert program.check is not None
        first, nbits = program.split.low_of(program.check.number), program.check.scan.exponent_nbits
        sequencer.public_exponent //= s.recv.msg.e[first + 1 : first + 1 + nbits]

    def add_status(s) -> None:
        @update
        def comb_checked_status():
            s.send.msg.status @= s.status_reg
            if (s.status_reg == 0) & ~s.store.confirmed:
                s.send.msg.status @= FAULT_DETECTED


class OneCheck(Component):
    """Compares a number with 1, word by word in one cycle, and all words in the next one.

    Parameters
    ----------
    nbits : int; width of the number in bits

    Ports
    -----
    load : in, 1 bit; a request is loaded: nothing remains of an earlier number
    compares : in, 1 bit; ``value`` has to be compared in this cycle
    value : in, nbits bits
    judges : out, 1 bit; one cycle after ``compares``: ``is_one`` is valid
    is_one : out, 1 bit
    """

    def construct(s, nbits: int):
        bounds = [*range(0, nbits, _WORD_NBITS), nbits]
        nwords = len(bounds) - 1
        s.load = InPort(1)
        s.compares = InPort(1)
        s.value = InPort(nbits)
        s.judges = OutPort(1)
        s.is_one = OutPort(1)
        #: the number with its lowest bit inverted: all zeros if the number is 1
        s.inverted = Wire(nbits)
        s.words = [Wire(mk_bits(_WORD_NBITS)) for _ in range(nwords)]
        for i, word in enumerate(s.words):
            width = bounds[i + 1] - bounds[i]
            word[0:width] //= s.inverted[bounds[i] : bounds[i + 1]]
            if width < _WORD_NBITS:
                word[width:_WORD_NBITS] //= 0
        s.any = Wire(mk_bits(nwords))
        #: a bit per word of ``inverted``: 1 if a bit of the word is 1
        s.any_reg = Wire(mk_bits(nwords))
        s.judges_reg = Wire(Bits1)
        s.judges //= s.judges_reg

        @update
        def comb_inverted():
            s.inverted @= s.value ^ 1

        @update
        def comb_one():
            for i in range(nwords):
                s.any[i] @= s.words[i] != 0
            s.is_one @= s.any_reg == 0

        @update_ff
        def seq_any():
            s.judges_reg <<= s.compares & ~s.reset
            if s.load:
                s.any_reg <<= 0
            elif s.compares:
                s.any_reg <<= s.any


class Confirmation(Component):
    """Compares a reduced number of each half with 1; a result is confirmed if both are 1.

    Each half has two flip-flops, for yes and for no, which must differ. So a flip of one flip-flop
    cannot confirm a result::

        yes  no  meaning
        ---  --  ---------------------------------------------------
        0    1   not compared since the request was loaded, or not 1
        1    0   compared, and 1
        0    0   a fault: not confirmed
        1    1   a fault: not confirmed

    Parameters
    ----------
    nbits : int; width of the numbers in bits
    lanes : int; number of lanes: 1, or 2 with half 0 on lane 0 and half 1 on lane 1

    Ports
    -----
    load : in, 1 bit; a request is loaded: nothing is confirmed
    compares : in, 1 bit each, per lane; ``value`` has to be compared in this cycle
    value : in, nbits bits each, per lane
    broken : in, 1 bit each, per lane; a register is at fault: nothing is confirmed until the next
        request
    half : in, 1 bit; with one lane: half to which ``value`` belongs
    busy : out, 1 bit; a comparison is not complete
    confirmed : out, 1 bit; the numbers of both halves were 1

    Latency: ``confirmed`` is valid two cycles after ``compares``.
    """

    def construct(s, nbits: int, lanes: int):
        single = int(lanes == 1)
        s.load = InPort(1)
        s.compares = [InPort(1) for _ in range(lanes)]
        s.value = [InPort(nbits) for _ in range(lanes)]
        s.broken = [InPort(1) for _ in range(lanes)]
        s.half = InPort(1)
        s.busy = OutPort(1)
        s.confirmed = OutPort(1)
        s.ones = [OneCheck(nbits) for _ in range(lanes)]
        for lane in range(lanes):
            s.ones[lane].load //= s.load
            s.ones[lane].compares //= s.compares[lane]
            s.ones[lane].value //= s.value[lane]
        s.half_reg = Wire(Bits1)
        s.broken_reg = Wire(Bits1)
        s.yes_reg = [Wire(Bits1) for _ in range(2)]
        s.no_reg = [Wire(Bits1) for _ in range(2)]
        s.judges = [Wire(Bits1) for _ in range(2)]
        s.is_one = [Wire(Bits1) for _ in range(2)]
        for half in range(2):
            s.is_one[half] //= s.ones[min(half, lanes - 1)].is_one

        if single:

            @update
            def comb_judged_half():
                s.judges[0] @= s.ones[0].judges & ~s.half_reg
                s.judges[1] @= s.ones[0].judges & s.half_reg
                s.busy @= s.ones[0].judges

        else:

            @update
            def comb_judged_halves():
                s.judges[0] @= s.ones[0].judges
                s.judges[1] @= s.ones[1].judges
                s.busy @= s.ones[0].judges | s.ones[1].judges

        @update
        def comb_confirmed():
            s.confirmed @= (s.yes_reg[0] & s.yes_reg[1]) & ~(
                s.no_reg[0] | s.no_reg[1] | s.broken_reg
            )

        @update_ff
        def seq_confirmed():
            s.half_reg <<= s.half
            for lane in range(lanes):
                if s.broken[lane]:
                    s.broken_reg <<= 1
            if s.load | s.reset:
                s.broken_reg <<= 0
            for i in range(2):
                if s.load | s.reset:
                    s.yes_reg[i] <<= 0
                    s.no_reg[i] <<= 1
                elif s.judges[i]:
                    s.yes_reg[i] <<= s.is_one[i]
                    s.no_reg[i] <<= ~s.is_one[i]


class CheckedProductInFlight(ProductInFlight):
    """``ProductInFlight`` with a comparison, and with the sources that the check reads.

    More ports
    ----------
    next_compared : in, 1 bit; the offered product's result is compared with 1
    next_unwritten : in, a bit per register; ``next_written``, inverted
    compares : out, 1 bit; the reduced result has to be compared in this cycle
    broken : out, 1 bit; a register of a destination and its inverted copy, which nothing else
        reads, are not opposite: a fault
    """

    inputs = (*ProductInFlight.inputs, "compared", "unwritten")
    outputs = (*ProductInFlight.outputs, "compares")

    def add_measures(s, sources: LaneSources) -> None:
        count = sources.registers
        Registers = mk_bits(count)
        all_registers = (1 << count) - 1
        s.next_compared = InPort(1)
        s.next_unwritten = InPort(Registers)
        s.compares = OutPort(1)
        s.compared_reg = Wire(Bits1)

        @update
        def comb_compares():
            s.compares @= s.reduced & s.reduced_reg & s.compared_reg

        # A destination that is wrong in the exponentiation and in the check alike could pass the
        # check.
        s.broken = OutPort(1)
        s.unwritten_reg = Wire(Registers)
        s.unresult_reg = Wire(Registers)

        @update
        def comb_broken():
            s.broken @= (s.write_reg != ~s.unwritten_reg) | (s.result_reg != ~s.unresult_reg)
            if s.clears:  # after a reset, the register's contents are arbitrary
                s.broken @= 0

        @update_ff
        def seq_compared():
            if s.begins:
                s.compared_reg <<= s.next_compared
                s.unwritten_reg <<= s.next_unwritten
            if s.answers:
                s.unresult_reg <<= s.unwritten_reg
            if s.clears:
                s.compared_reg <<= 0
                s.unwritten_reg <<= all_registers
                s.unresult_reg <<= all_registers


#: Digits for which a register names the source.
_DIGITS_OF_A_SOURCE = 6


class CheckedDigitReader(DigitReader):
    """``DigitReader`` in which groups of digits have registers of the source.

    Products of the check read more sources, so that a register of the source would have too much to
    drive: groups of the digits that are selected ahead have registers of their own, loaded when
    digit 1 is selected. The clearing after a reset selects it, too: a source that is an entry of
    the table names a digit of the exponent, and no group keeps it.
    """

    def add_selection(s) -> None:
        nwide, k = len(s.values), s.digit._dsl.Type.nbits
        Residue = s.operand._dsl.Type
        groups = range(AT_ONCE, len(s.digits), _DIGITS_OF_A_SOURCE)
        ngroups = len(groups)
        if not groups:
            super().add_selection()
            return
        s.renews = Wire(Bits1)
        s.group_reads_reg = [[Wire(Bits1) for _ in s.values] for _ in groups]
        s.reads = [Wire(Residue) for _ in s.values]
        s.bits_at_once = Wire(Residue)
        s.group_bits = [Wire(Residue) for _ in groups]
        every = (1 << Residue.nbits) - 1
        s.bits_at_once //= every & (1 << k * AT_ONCE) - 1
        s.renews //= s.select[AT_ONCE - 2]
        for i, low in enumerate(groups):
            s.group_bits[i] //= every & ((1 << k * _DIGITS_OF_A_SOURCE) - 1) << k * low

        @update_ff
        def seq_group_reads():
            if s.renews:
                for i in range(ngroups):
                    for j in range(nwide):
                        s.group_reads_reg[i][j] <<= s.is_read[j]

        @update
        def comb_operand():
            s.operand @= 0
            for j in range(nwide):
                s.reads[j] @= 0
                if s.is_read[j]:
                    s.reads[j] @= s.bits_at_once
                for i in range(ngroups):
                    if s.group_reads_reg[i][j]:
                        s.reads[j] @= s.reads[j] | s.group_bits[i]
                s.operand @= s.operand | (s.values[j] & s.reads[j])


class CheckedResidues(LaneResidues):
    """``LaneResidues`` that load only the bits of a value that the request has.

    Before a request, a register that takes results is 0, so that the bits above the value need no
    gates that load zeros.
    """

    def connect_first(s, i: int, port: Any, nbits: int, is_written: bool) -> None:
        if not is_written:
            super().connect_first(i, port, nbits, is_written)
            return
        top = s.result._dsl.Type.nbits
        connect(s.first[i][0:nbits], port[0:nbits])
        connect(s.first[i][nbits:top], s.residue_reg[i][nbits:top])


class CheckedBank(DigitBank):
    """``DigitBank`` that decodes products a step ahead, and compares results of the check with 1.

    More ports
    ----------
    advances : in, 1 bit; ``chosen`` (see ``rtl.stores.ports``), ``half`` and ``index`` are of the
        next step, which begins in the next cycle
    compares : out, 1 bit; ``result`` has to be compared with 1 in this cycle
    broken : out, 1 bit; a register is at fault (``ProductInFlight``, lane)
    """

    def add_choice(s, sources: LaneSources, name: str, copy: str = "") -> None:
        setattr(s, f"{copy}advances", InPort(1))
        super().add_choice(sources, name, copy)
        connect(getattr(s, name).advances, getattr(s, f"{copy}advances"))
        connect(getattr(s, name).clears, s.clears)

    def add_measures(s, sources: LaneSources) -> None:
        s.compares = OutPort(1)
        s.broken = OutPort(1)
        s.compares //= s.in_flight.compares

        @update
        def comb_broken():
            s.broken @= s.in_flight.broken | s.lane.broken

        super().add_measures(sources)


class CheckedStore(DigitStore):
    """``DigitStore`` that judges the check.

    Message and result are read twice: digits that are read are shifted in again at the high end.

    More ports
    ----------
    advances : in, 1 bit; the next step begins in the next cycle. ``chosen`` names the products of
        the next step; ``to_index``, ``to_other_index``, ``to_half`` (in) are ``index``,
        ``other_index`` and ``half`` for it
    confirmed : out, 1 bit; the result passed the check; otherwise the results are zeros; valid with
        ``ready``
    """

    ports_ahead = ("advances", "to_index", "to_other_index", "to_half")

    def construct(s, nbits, program: Program, multiplier, rules, request_type):
        s.confirmed = OutPort(1)
        s.advances = InPort(1)
        s.to_index = InPort(program.scan.index_nbits)
        s.to_other_index = InPort(program.scan.index_nbits)
        s.to_half = InPort(1)
        super().construct(nbits, program, multiplier, rules, request_type)

    def connect_step(s, bank: DigitBank, lane: int, copy: str = "") -> None:
        index = "to_other_index" if lane else "to_index"
        for port, name in (("advances", "advances"), ("half", "to_half"), ("index", index)):
            connect(getattr(bank, f"{copy}{port}"), getattr(s, f"{copy}{name}"))

    def add_reading(s, banks: Sequence[DigitBank]) -> None:
        lanes, half_nbits = len(banks), banks[0].result._dsl.Type.nbits
        k = s.given._dsl.Type.nbits
        for bank in banks:
            bank.message //= s.message_reg[0:k]

        @update
        def comb_entering_again():
            s.moves @= s.gives | s.bank0.takes | s.clears
            s.entering @= s.message_reg[0:k]
            if s.gives:
                s.entering @= s.given
            elif s.clears:
                s.entering @= 0

        s.lane_takes = [Wire(Bits1) for _ in banks]
        s.at_fault = [Wire(Bits1) for _ in banks]
        s.confirmation = Confirmation(half_nbits, lanes)
        s.confirmation.load //= s.loads
        s.confirmation.half //= s.half
        for lane, bank in enumerate(banks):
            s.confirmation.compares[lane] //= bank.compares
            s.confirmation.value[lane] //= bank.result
            s.lane_takes[lane] //= bank.takes
            s.at_fault[lane] //= bank.broken

        @update
        def comb_broken():
            for lane in range(lanes):
                # Lane 0 moves the message: a lane that is early or late reads wrong digits, the
                # same ones each time.
                s.confirmation.broken[lane] @= s.at_fault[lane] | (
                    s.lane_takes[lane] ^ s.lane_takes[0]
                )

        @update
        def comb_confirmed():
            s.confirmed @= s.confirmation.confirmed & ~s.refused_reg
            s.ready @= ~s.confirmation.busy

    def add_result(s) -> None:
        @update
        def comb_confirmed_result():
            s.results[0] @= 0
            if s.confirmed:
                s.results[0] @= s.result


CHECK = CircuitMeasure(
    "check",
    lambda program: program.check is not None,
    {
        ProgramExecutor: CheckedExecutor,
        LookAheadSequencer: CheckedSequencer,
        NextStep: CheckedNextStep,
        StepSlots: CheckedStepSlots,
        DummyStepSlots: CheckedDummyStepSlots,
        OtherHalf: CheckedOtherHalf,
        Turns: CheckedTurns,
        SingleLaneSlot: SingleLaneSlotAhead,
        DigitStore: CheckedStore,
        DigitBank: CheckedBank,
        LaneResidues: CheckedResidues,
        DigitChoice: DigitChoiceAhead,
        ProductInFlight: CheckedProductInFlight,
        DigitReader: CheckedDigitReader,
    },
)
