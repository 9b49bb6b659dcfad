"""LookAheadSequencer: runs the steps of a program, and computes the next step during a step."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, concat, mk_bits, update, update_ff

from rsaxcel.plan.programs import Program
from rsaxcel.rtl.exponentiators.exponent_scan import ExponentScan
from rsaxcel.rtl.exponentiators.halves import OtherHalf, Turns
from rsaxcel.rtl.exponentiators.lane_slots import LaneEnd, LaneSlotsAhead, SingleLaneSlot
from rsaxcel.rtl.exponentiators.next_step import NextStep, StepSlots, StepTable, WantedSlots
from rsaxcel.rtl.exponentiators.sequencer import add_sequencer_ports, add_step_registers
from rsaxcel.rtl.lib.adjust import connect_named
from rsaxcel.rtl.parts import part_of

#: Cycles that the next step takes to compute. 1: the exponent is shifted. 2: the number of the
#: step, and all products whose conditions hold, are registered at the end. 3: the products of the
#: step are registered at the end.
_LOOK_AHEAD = 3


class LookAheadSequencer(Component):
    """Determines the next step while the current step still runs, and registers it.

    Runs the steps of ``Sequencer``. ``next_step`` finds the number of the next step, ``wanted`` all
    products of the program whose conditions hold for the digit; ``step_slots`` selects those of the
    next step, and each lane the product that it is offered first::

        cycle of a step  1         2              3                 4             5, and later
        ---------------  --------  -------------  ----------------  ------------  ------------------
        exponent         shifts    next digit
        next step                  ``next_step``  planned_step_reg  to_step_reg
        products                   ``wanted``     ``step_slots``    to_slots_reg
        first product                                                             first_upcoming_reg
        end of the step                                                           ``over``

    A step without products takes five cycles. No lane may answer in the first four cycles of a
    step, nor in consecutive cycles. Raises ``ValueError`` if the first step depends on the
    exponent.

    Parameters
    ----------
    program : plan.programs.Program
    given_nbits : int; see ``ExponentScan``

    Ports
    -----
    The ports of ``add_sequencer_ports``, and:

    vacant : in, 1 bit; no step runs, and ``load`` may be 1
    clears : in, 1 bit; no step runs, and the exponent is shifted out, one digit per cycle

    Only for a program with two halves, where ``exponent_in`` is the exponent of half 0:

    other_exponent : in, program.scan.exponent_nbits bits; exponent of half 1
    other_index : out, program.scan.index_nbits bits; with two lanes: table index for half 1
    half : out, 1 bit; with one lane: half to which the offered product belongs
    turn_ends : out, 1 bit; this is the last cycle before a later turn: the turn of half 0 on one
        lane, or a turn that checks the result
    """

    scan_type: type = ExponentScan

    half_types: tuple[type, ...] = ()  #: further types of ``OtherHalf`` (``part_of``)

    def construct(s, program: Program, given_nbits=0):
        if not program.enter:
            raise ValueError(f"program {program}: its first step depends on the exponent")
        table = StepTable(program)
        slots, end, loop_first = table.slots, table.end, table.loop_first
        passes_zeros = int(table.passes_zeros)
        nlanes = slots.lanes
        Mask = mk_bits(slots.count)
        add_sequencer_ports(s, program)
        s.vacant = InPort(1)
        s.clears = InPort(1)
        s.advance = Wire(Bits1)  #: the next step begins in the next cycle
        lane_type = part_of(program, SingleLaneSlot if slots.singly else LaneSlotsAhead)
        s.lanes = [lane_type(slots.per_lane) for _ in range(nlanes)]
        add_step_registers(s, table, s.lanes)

        #: A step ends when the next step is registered and no result is outstanding.
        s.began_reg = Wire(mk_bits(_LOOK_AHEAD))
        s.settled_reg = Wire(Bits1)
        s.over = Wire(Bits1)
        s.digit_advances = Wire(Bits1)
        s.finishes_reg = Wire(Bits1)
        s.lane_end = [LaneEnd(slots.per_lane, slots.singly) for _ in range(nlanes)]
        for number, lane_end in enumerate(s.lane_end):
            lane_end.awaited //= s.wait_reg[slots.of_lane(number)]
            lane_end.answers //= s.answers[number]

        @update
        def comb_over():
            s.over @= s.running_reg & s.settled_reg
            for lane in range(nlanes):
                if ~s.lane_end[lane].over:
                    s.over @= 0

        s.add_advance(program)

        @update
        def comb_finished():
            s.finished @= s.advance & s.finishes_reg

        @update_ff
        def seq_settled():
            s.began_reg <<= concat(s.began_reg[0 : _LOOK_AHEAD - 1], ~s.advance)
            s.settled_reg <<= s.began_reg[_LOOK_AHEAD - 1]
            if s.advance:
                s.began_reg <<= 0
                s.settled_reg <<= 0

        #: The next step, and the digit of the exponent for which it runs.
        s.scan = s.scan_type(program.scan, True, given_nbits=given_nbits)
        s.scan.advance //= s.digit_advances
        s.exponent //= s.scan.left
        s.next_step = part_of(program, NextStep)(program)
        s.next_step.done //= s.running_reg
        s.next_step.step //= s.step_reg
        s.next_step.index //= s.index_reg
        connect_named(s.next_step, s.scan, "passing", "ended")
        s.next_step.digit_index //= s.scan.index
        s.wanted = WantedSlots(program)
        s.add_set(program)
        connect_named(s.wanted, s.scan, "more", "later")

        s.shift = Wire(Bits1)
        s.enters = Wire(Bits1)
        connect_named(s.scan, s, "shift", "enters")

        @update
        def comb_shift():
            s.shift @= s.next_step.shift | s.clears

        @update
        def comb_enters():
            s.enters @= s.next_step.enters & ~s.clears

        #: Two halves run at the same time on two lanes, or one after the other on one lane (turns).
        s.turn_slots = Wire(Mask)  #: products of the half to which the next step belongs
        if program.split:
            s.other_exponent = InPort(program.scan.exponent_nbits)
            s.other_index = OutPort(s.index._dsl.Type)
            s.half = OutPort(1)
            s.turn_ends = OutPort(1)
        if len(program.turns) > 1:
            s.turns = part_of(program, Turns)(program)
            connect_named(s.turns, s, "load", "vacant", "clears")
            s.turns.exponents[0] //= s.exponent_in
            s.turns.exponents[1] //= s.other_exponent
            s.turns.running //= s.running_reg
            s.turns.step //= s.step_reg
            s.turns.over //= s.over
            s.turns.wraps //= s.next_step.wraps
            s.next_step.first_turn //= s.turns.first_turn
            s.scan.load //= s.turns.scan_load
            s.scan.vacant //= s.turns.scan_vacant
            s.scan.exponent //= s.turns.scan_exponent
            s.turn_slots //= s.turns.slots
            connect_named(s, s.turns, "half", "turn_ends")
            s.other_index //= 0
        else:
            s.next_step.first_turn //= 0
            connect_named(s.scan, s, "load", "vacant")
            s.scan.exponent //= s.exponent_in
            s.turn_slots //= (1 << slots.count) - 1
        if program.split and len(program.turns) == 1:
            s.other_half = part_of(program, OtherHalf, *s.half_types)(program, given_nbits)
            connect_named(s.other_half, s, "load", "vacant")
            s.other_half.exponent //= s.other_exponent
            s.other_half.advance //= s.digit_advances
            connect_named(s.other_half, s, "shift", "enters")
            connect_named(s.other_half, s.next_step, "next_step", "next_index")
            s.other_index //= s.other_half.index
            s.half //= 0
            s.add_turn_end()

        s.add_exponents(program.lanes, given_nbits)

        #: Cycle 2 of a step registers the number of the next step, and all products whose
        #: conditions hold. Cycle 3 registers which of these products the next step forms.
        s.wanted_reg = Wire(Mask)
        s.passes_reg = Wire(Bits1)
        s.planned_step_reg = Wire(s.step_reg._dsl.Type)
        s.planned_index_reg = Wire(s.index._dsl.Type)
        s.to_step_reg = Wire(s.step_reg._dsl.Type)
        s.to_index_reg = Wire(s.index._dsl.Type)
        s.to_slots_reg = Wire(Mask)
        s.step_slots = part_of(program, StepSlots)(program)
        s.step_slots.wanted //= s.wanted_reg
        s.step_slots.step //= s.planned_step_reg
        s.step_slots.passes //= s.passes_reg
        s.add_measures(program)
        for number, lane in enumerate(s.lanes):
            lane.upcoming //= s.to_slots_reg[slots.of_lane(number)]

        @update_ff
        def seq_plan():
            s.wanted_reg <<= s.wanted.wanted & s.turn_slots
            s.passes_reg <<= s.scan.passes & passes_zeros & (s.next_step.next_step == loop_first)
            s.planned_step_reg <<= s.next_step.next_step
            s.planned_index_reg <<= s.next_step.next_index
            s.finishes_reg <<= s.planned_step_reg == end
            s.to_step_reg <<= s.planned_step_reg
            s.to_index_reg <<= s.planned_index_reg
            s.to_slots_reg <<= s.step_slots.slots

        s.add_steps(table)

    def add_steps(s, table: StepTable) -> None:
        @update_ff
        def seq_steps():
            if s.reset | s.finished:
                s.running_reg <<= 0
                s.issue_reg <<= 0
                s.wait_reg <<= 0
            elif s.advance:
                s.running_reg <<= 1
                s.issue_reg <<= s.to_slots_reg
                s.wait_reg <<= s.to_slots_reg
            else:
                s.issue_reg <<= s.issue_reg & ~s.accepted_slots
                s.wait_reg <<= s.wait_reg & ~s.answered_slots
            if s.digit_advances:
                s.step_reg <<= s.to_step_reg
                s.index_reg <<= s.to_index_reg

    def add_advance(s, program: Program) -> None:
        @update
        def comb_advance():
            s.advance @= s.start | s.over
            s.digit_advances @= s.start | s.over | s.clears

    def add_exponents(s, lanes: int, given_nbits: int) -> None:
        """Connect the exponents that come in a way other than with ``load``."""

    def add_measures(s, program: Program) -> None:
        """Add the circuits of measures outside the parts."""

    def add_set(s, program: Program) -> None:
        s.wanted.set //= s.scan.set

    def add_turn_end(s) -> None:
        s.turn_ends //= 0

    def line_trace(s):
        return f"{int(s.step_reg)}:{s.issue_reg}/{s.wait_reg}"
