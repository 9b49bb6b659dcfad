"""The steps of a program: their numbers, the step that follows, and the products of a step."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, clog2, mk_bits, update

from rsaxcel.plan.programs import Program
from rsaxcel.plan.steps import When
from rsaxcel.rtl.lib.slots import Slots


class StepTable:
    """Numbers the steps of a program in the order of ``Program.steps``, and the products of steps.

    It holds numbers at elaboration, and no powers of the base: those are ``plan.steps.Table``.

    A program: the steps ``enter``, a step that fills a table of powers, the steps ``begin``, a loop
    over the digits of the exponent, the steps ``leave``. Two halves (CRT) are combined by the steps
    ``join``; one lane executes the steps before ``join`` in two *turns*. Steps of
    a check come last. A dummy has no number: while it runs, the step before it is the current one.

    ====================  ==========================================================
    number                step
    ====================  ==========================================================
    0                     first step of the program
    ``fill``              the step that fills the table; it repeats for each entry
    ``loop_first``        first step of a digit; also the step of a leading zero that
                          is passed over, which forms no products
    ``loop_last``         last step of a digit
    ``leave_first``       first step after the last digit
    ``turn_last``         last step of a turn, before the steps of ``join``
    ``join_last``         last step of ``join``
    ``end``               one more than the last step: the program has ended
    ====================  ==========================================================

    ``fills``: table indices for which ``fill`` runs. ``turns``: number of turns before ``join``.
    ``passes_zeros``: a leading zero of the exponent is passed over in a step without products.
    """

    def __init__(self, program: Program):
        self.slots = Slots(program)
        self.fill = len(program.enter)
        self.loop_first = self.fill + len(program.fill) + len(program.begin)
        self.loop_last = self.loop_first + len(program.loop) - 1
        self.leave_first = self.loop_last + 1
        self.end = len(program.ordered)
        self.turn_last = program.join_range.start - 1
        self.join_last = program.join_range.stop - 1
        self.turns = len(program.turns)
        self.fills = program.table.filled if program.table else range(0)
        scan = program.scan
        self.passes_zeros = bool(program.loop) and scan.from_top and not scan.fixed


class NextStep(Component):
    """Finds the step that follows the current one, and what the scan of the exponent has to do.

    The step that computes a table entry repeats for each entry. The steps of the loop repeat for
    each digit. One lane executes two halves in two *turns*: the steps of half 1, then again from
    step 0 for half 0.

    Ports
    -----
    done : in, 1 bit; there is a current step, which ends; 0: step 0 follows
    step : in, clog2(steps + 1) bits; number of the current step (``StepTable``)
    index : in, program.scan.index_nbits bits; table index of the current step
    passing : in, 1 bit; the current digit is a leading zero that is passed over
    ended : in, 1 bit; no digit is left; depends combinationally on ``shift``
    digit_index : in, program.scan.index_nbits bits; table index of the digit that begins or goes on
    first_turn : in, 1 bit; the current turn is the first of two; 0 if there is one turn only
    shift : out, 1 bit; the current digit ends
    enters : out, 1 bit; a digit begins
    next_step, next_index : out; number and table index of the step that follows
    wraps : out, 1 bit; the step that follows is the first one of a later turn

    Combinational.
    """

    Table = StepTable

    def construct(s, program: Program):
        table = s.Table(program)
        fill, loop_first, loop_last = table.fill, table.loop_first, table.loop_last
        StepIndex = mk_bits(clog2(table.end + 1))
        Index = mk_bits(program.scan.index_nbits)
        s.done = InPort(1)
        s.step = InPort(StepIndex)
        s.index = InPort(Index)
        s.passing = InPort(1)
        s.ended = InPort(1)
        s.digit_index = InPort(Index)
        s.first_turn = InPort(1)
        s.shift = OutPort(1)
        s.enters = OutPort(1)
        s.next_step = OutPort(StepIndex)
        s.next_index = OutPort(Index)
        s.wraps = OutPort(1)

        s.repeats = Wire(Bits1)  #: the step that fills the table has entries left
        s.following = Wire(StepIndex)  #: the next step, unless the digits or the first turn end

        s.add_following(table)

        if program.loop:

            @update
            def comb_shift():
                s.shift @= s.done & ((s.step == loop_last) | ((s.step == loop_first) & s.passing))

            s.add_enters(table)
            s.add_next_step(table)
        else:
            s.shift //= 0
            s.enters //= 0
            s.next_step //= s.following
        s.add_wraps(table)

        if table.fills:
            last = table.fills[-1]

            @update
            def comb_repeats():
                s.repeats @= s.done & (s.step == fill) & (s.index != last)

        else:
            s.repeats //= 0
        s.add_next_index(table)

    def add_following(s, table: StepTable) -> None:
        fill, loop_first = table.fill, table.loop_first

        @update
        def comb_following():
            s.following @= 0
            if s.done:
                s.following @= s.step + 1
            if s.repeats:
                s.following @= fill
            if s.shift:
                s.following @= loop_first

    def add_enters(s, table: StepTable) -> None:
        loop_first = table.loop_first

        @update
        def comb_enters():
            s.enters @= s.following == loop_first

    def add_next_step(s, table: StepTable) -> None:
        leave_first = table.leave_first

        @update
        def comb_next_step():
            s.next_step @= s.following
            if s.enters & s.ended:
                s.next_step @= leave_first
            if s.wraps:
                s.next_step @= 0

    def add_wraps(s, table: StepTable) -> None:
        turn_last = table.turn_last
        if table.turns > 1:

            @update
            def comb_wraps():
                s.wraps @= s.done & s.first_turn & (s.step == turn_last)

        else:
            s.wraps //= 0

    def add_next_index(s, table: StepTable) -> None:
        if table.fills:
            fill, first = table.fill, table.fills[0]

            @update
            def comb_next_index():
                s.next_index @= s.digit_index
                if s.repeats:
                    s.next_index @= s.index + 1
                elif s.following == fill:
                    s.next_index @= first

        else:
            s.next_index //= s.digit_index


class WantedSlots(Component):
    """Finds the products whose conditions hold for a digit, among the products of all steps.

    Ports
    -----
    set, more, later : in, 1 bit each; conditions of the digit (``ExponentScan``)
    wanted : out, a bit per product (``rtl.lib.slots``); 1: the condition of the product holds

    Combinational.
    """

    def construct(s, program: Program):
        slots = StepTable(program).slots
        Mask = mk_bits(slots.count)
        for name in ("set", "more", "later"):
            setattr(s, name, InPort(1))
        s.wanted = OutPort(Mask)
        for when in When:
            setattr(s, f"if_{when.value}", Wire(Mask))
            mask = getattr(s, f"if_{when.value}")
            mask //= slots.when_mask(when)

        @update
        def comb_wanted():
            s.wanted @= s.if_always
            if s.set:
                s.wanted @= s.wanted | s.if_set
            else:
                s.wanted @= s.wanted | s.if_clear
            if s.more:
                s.wanted @= s.wanted | s.if_more
            if s.later:
                s.wanted @= s.wanted | s.if_later
            else:
                s.wanted @= s.wanted | s.if_first


class StepSlots(Component):
    """Selects the products that a step forms: its products whose conditions hold for the digit.

    Ports
    -----
    wanted : in, a bit per product (``rtl.lib.slots``); products whose conditions hold
    step : in, clog2(steps + 1) bits; number of the step
    passes : in, 1 bit; the step passes over a leading zero of the exponent, and has no products
    slots : out, a bit per product; products that the step forms; undefined if the program has ended

    Combinational.
    """

    def construct(s, program: Program):
        table = StepTable(program)
        end = table.end
        Mask = mk_bits(table.slots.count)
        s.wanted = InPort(Mask)
        s.step = InPort(clog2(end + 1))
        s.passes = InPort(1)
        s.slots = OutPort(Mask)
        s.of_step = [Wire(Mask) for _ in range(end)]
        for t in range(end):
            s.of_step[t] //= table.slots.step_mask(t)

        s.add_slots(table)

    def add_slots(s, table: StepTable) -> None:
        end = table.end

        @update
        def comb_slots():
            s.slots @= s.wanted
            for t in range(end):
                if s.step == t:
                    s.slots @= s.wanted & s.of_step[t]
            if s.passes:
                s.slots @= 0
