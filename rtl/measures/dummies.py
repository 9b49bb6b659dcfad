"""Dummies: products without a use, at random places in the loop (``plan.measures.Dummies``)."""

from pymtl3 import (
    Bits1,
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    concat,
    mk_bits,
    update,
    update_ff,
)

from rsaxcel.plan.measures import DRAW_NBITS, SEED, SEED_NBITS, TAPS
from rsaxcel.plan.programs import Program
from rsaxcel.rtl.exponentiators.look_ahead import LookAheadSequencer
from rsaxcel.rtl.exponentiators.next_step import StepSlots, StepTable
from rsaxcel.rtl.exponentiators.program_executor import ProgramExecutor
from rsaxcel.rtl.lib.adjust import connect_named
from rsaxcel.rtl.parts import CircuitMeasure


class DummyPlaces(Component):
    """Shift register of random bits, and counter of the dummies that are left in a turn.

    The random number of the request is the first state of a linear feedback shift register, which
    is shifted by DRAW_NBITS bits in each step of the loop, dummies included. If as many bits at its
    low end are below a limit, or if the loop ends, a dummy follows, as long as one is left.
    (``plan.measures.Places`` is the same in Python.)

    ::

        cycle of a step  1                2              3                 4
        ---------------  ---------------  -------------  ----------------  ----------
        random bits      shift            decide
        dummies left     counted down     decide
        next step                         ``next_step``  ``planned``       ``follows``

    Ports
    -----
    load : in, 1 bit; the random number is registered at the end of this cycle
    seed : in, SEED_NBITS bits; the random number
    clears : in, 1 bit; no step runs; the register becomes 0
    running, step : in; whether there is a current step, and its number; a dummy has the number of
        the step before it
    begins : in, 1 bit; if there is a current step: this is its first cycle
    advance : in, 1 bit; the next step begins in the next cycle
    next_step : in; number of the step that follows if no dummy does; valid from the second cycle of
        a step on
    later : in, 1 bit; if no dummy follows, the next step does not belong to the first digit; valid
        as ``next_step``
    planned : out, 1 bit; the next step is a dummy; valid from the third cycle of a step on
    follows : out, 1 bit; as ``planned``, one cycle later
    """

    def construct(s, program: Program):
        assert program.split is not None
        table = StepTable(program)
        first, last, leave_first = table.loop_first, table.loop_last, table.leave_first
        count, by = program.dummies.count, DRAW_NBITS
        first_limit, later_limit = program.dummy_limits
        a, b, c, d = TAPS
        State, Step = mk_bits(SEED_NBITS), mk_bits(clog2(table.end + 1))
        s.load = InPort(1)
        s.seed = InPort(State)
        s.clears = InPort(1)
        s.running = InPort(1)
        s.step = InPort(Step)
        s.begins = InPort(1)
        s.advance = InPort(1)
        s.next_step = InPort(Step)
        s.later = InPort(1)
        s.planned = OutPort(1)
        s.follows = OutPort(1)

        s.state_reg = Wire(State)
        s.left_reg = Wire(mk_bits(clog2(count + 1)))  #: dummies that are left in the turn
        s.dummy_reg = Wire(Bits1)  #: the current step is a dummy
        s.planned_reg = Wire(Bits1)
        s.follows_reg = Wire(Bits1)
        s.planned //= s.planned_reg
        s.follows //= s.follows_reg

        s.entering = Wire(mk_bits(by))
        s.in_loop = Wire(Bits1)
        s.drawn = Wire(Bits1)

        @update
        def comb_entering():
            s.entering @= (s.state_reg[a : a + by] ^ s.state_reg[b : b + by]) ^ (
                s.state_reg[c : c + by] ^ s.state_reg[d : d + by]
            )

        @update
        def comb_drawn():
            s.drawn @= s.state_reg[0:by] < first_limit
            if s.later:
                s.drawn @= s.state_reg[0:by] < later_limit

        @update
        def comb_in_loop():
            s.in_loop @= s.running & (s.step >= first) & (s.step <= last)

        @update_ff
        def seq_state():
            if s.clears:
                s.state_reg <<= 0
            elif s.load:
                s.state_reg <<= s.seed
            elif s.begins & s.in_loop:
                s.state_reg <<= concat(s.entering, s.state_reg[by:SEED_NBITS])

        @update_ff
        def seq_left():
            if ~s.in_loop:
                s.left_reg <<= count
            elif s.begins & s.dummy_reg:
                s.left_reg <<= s.left_reg - 1

        @update_ff
        def seq_follows():
            s.planned_reg <<= (
                s.in_loop & (s.left_reg != 0) & (s.drawn | (s.next_step == leave_first))
            )
            s.follows_reg <<= s.planned_reg
            if s.advance | s.clears:
                s.dummy_reg <<= s.follows_reg


class DummySequencer(LookAheadSequencer):
    """``LookAheadSequencer`` that inserts dummies after steps of the loop.

    Neither the step nor the digit advances before a dummy.

    More ports
    ----------
    seed : in, SEED_NBITS bits; random number that decides on the places of the dummies
    """

    def add_advance(s, program: Program) -> None:
        s.seed = InPort(SEED_NBITS)
        s.dummies = DummyPlaces(program)
        connect_named(s.dummies, s, "load", "seed", "clears")
        s.dummies.running //= s.running_reg
        s.dummies.step //= s.step_reg
        s.dummies.advance //= s.advance

        @update
        def comb_begins():
            s.dummies.begins @= ~s.began_reg[0]

        @update
        def comb_advance_or_dummy():
            s.advance @= s.start | s.over
            s.digit_advances @= s.start | (s.over & ~s.dummies.follows) | s.clears

    def add_measures(s, program: Program) -> None:
        super().add_measures(program)
        s.dummies.next_step //= s.next_step.next_step
        s.dummies.later //= s.scan.later
        s.step_slots.dummy //= s.dummies.planned


class DummyStepSlots(StepSlots):
    """``StepSlots`` that selects the products of a dummy, if one runs.

    More ports
    ----------
    dummy : in, 1 bit; a dummy runs instead of the step
    """

    def add_slots(s, table: StepTable) -> None:
        end = table.end
        s.add_dummy(table)

        @update
        def comb_slots_or_dummy():
            s.slots @= s.wanted
            for t in range(end):
                if s.step == t:
                    s.slots @= s.wanted & s.of_step[t]
            if s.passes:
                s.slots @= 0
            if s.dummy:
                s.slots @= s.of_dummy

    def add_dummy(s, table: StepTable) -> None:
        s.dummy = InPort(1)
        s.of_dummy = Wire(s.slots._dsl.Type)
        s.of_dummy //= table.slots.step_mask(table.end)


class DummyExecutor(ProgramExecutor):
    """``ProgramExecutor`` that takes the dummies' seed from the top of a request's exponent."""

    def connect_exponents(s, sequencer: DummySequencer, program: Program) -> None:
        super().connect_exponents(sequencer, program)
        assert program.split is not None
        low = program.split.low_of(SEED)
        sequencer.seed //= s.recv.msg.e[low : low + SEED_NBITS]


DUMMIES = CircuitMeasure(
    "dummies",
    lambda program: bool(program.dummies),
    {ProgramExecutor: DummyExecutor, LookAheadSequencer: DummySequencer, StepSlots: DummyStepSlots},
)
