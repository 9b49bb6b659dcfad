"""Sequencer: which products of a program run when."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff

from plan.programs import Program
from plan.steps import When
from rtl.exponentiators.ahead import add_early_end, add_steps_ahead
from rtl.exponentiators.exponent_scan import ExponentScan
from rtl.lib.slots import Slots


class Sequencer(Component):
    """Steps through a program and offers the products of each step to the lanes.

    All products of a step are offered at once, those of one lane one after the other. The next step
    begins in the cycle after the last result of a step; a step none of whose conditions holds takes
    one cycle. It knows no values: a store of any kind reads operands and keeps results by slot.

    The steps of a table are repeated for each entry, those of the loop for each digit. A leading
    zero that is passed over is a step without products.

    Parameters
    ----------
    program : plan.programs.Program
        Steps, lanes and scan.
    ahead : bool
        Whether the next step is found while the current one runs, and registered, so that the end
        of a step decides nothing but when it is. A step without products then takes five cycles,
        and no lane may answer in the first four cycles of a step, nor twice in a row. The first
        step must not depend on the exponent.

    Ports
    -----
    load : in, 1 bit; the exponent is registered
    exponent_in : in, program.scan.exponent_nbits bits
    other_exponent : in, as wide; that of half 1, where there are two
    start : in, 1 bit; the first step begins in the next cycle
    offers : out, 1 bit each; per lane, a product is offered
    chosen : out, Slots.per_lane bits each; per lane, its slot (one-hot)
    accepts : in, 1 bit each; per lane, the store takes the product offered
    answers : in, 1 bit each; per lane, a result is there
    answered : out, Slots.per_lane bits each; per lane, the slot (one-hot) of its product
    index : out, program.scan.index_nbits bits; entry of the table that the current step's products
        read; they write the next one
    other_index, half, turns : out; as ``rtl.stores.ports`` has them
    finished : out, 1 bit; the program ends with this cycle
    vacant, clears : in, 1 bit each; with ``ahead``: nothing runs, and ``load`` may come; nothing
        runs, and what is known of the exponent goes, a digit with each cycle
    exponent : out, program.scan.exponent_nbits bits; what is left of the exponent
    """

    def construct(s, program: Program, ahead=False):
        slots = Slots(program)
        lanes, per_lane = slots.lanes, slots.per_lane
        fill = len(program.enter)
        loop_first = fill + len(program.fill) + len(program.begin)
        loop_last = loop_first + len(program.loop) - 1
        leave_first = loop_last + 1
        end = len(program.steps)

        Mask = mk_bits(slots.count)
        LaneMask = mk_bits(per_lane)
        StepIndex = mk_bits(clog2(end + 1))
        Index = mk_bits(program.scan.index_nbits)

        s.load = InPort(1)
        s.exponent_in = InPort(program.scan.exponent_nbits)
        s.start = InPort(1)
        s.offers = [OutPort(1) for _ in range(lanes)]
        s.chosen = [OutPort(LaneMask) for _ in range(lanes)]
        s.accepts = [InPort(1) for _ in range(lanes)]
        s.answers = [InPort(1) for _ in range(lanes)]
        s.answered = [OutPort(LaneMask) for _ in range(lanes)]
        s.index = OutPort(Index)
        if ahead:
            s.vacant = InPort(1)
            s.clears = InPort(1)
        if program.split:
            s.other_exponent = InPort(program.scan.exponent_nbits)
            s.other_index = OutPort(Index)
            s.half = OutPort(1)
            s.turns = OutPort(1)
        s.finished = OutPort(1)
        s.exponent = OutPort(program.scan.exponent_nbits)

        s.running_reg = Wire(Bits1)
        s.step_reg = Wire(StepIndex)
        s.issue_reg = Wire(Mask)  # products of the step that no lane has accepted
        s.wait_reg = Wire(Mask)  # products of the step whose result is outstanding

        s.accepted_slots = Wire(Mask)
        s.answered_slots = Wire(Mask)
        s.accepted = [Wire(LaneMask) for _ in range(lanes)]
        s.pending = [Wire(LaneMask) for _ in range(lanes)]
        s.awaited = [Wire(LaneMask) for _ in range(lanes)]
        for lane in range(lanes):
            s.pending[lane] //= s.issue_reg[slots.of_lane(lane)]
            s.awaited[lane] //= s.wait_reg[slots.of_lane(lane)]
            s.accepted_slots[slots.of_lane(lane)] //= s.accepted[lane]
            s.answered_slots[slots.of_lane(lane)] //= s.answered[lane]

        if not ahead:

            @update
            def comb_lanes():
                for lane in range(lanes):
                    s.offers[lane] @= s.pending[lane] != 0
                    # the lowest slot that is set
                    s.chosen[lane] @= s.pending[lane] & (~s.pending[lane] + 1)
                    s.accepted[lane] @= 0
                    if s.accepts[lane]:
                        s.accepted[lane] @= s.chosen[lane]
                    s.answered[lane] @= 0
                    if s.answers[lane]:
                        s.answered[lane] @= s.awaited[lane] & (~s.awaited[lane] + 1)

        s.step_done = Wire(Bits1)
        s.advance = Wire(Bits1)
        s.next_step = Wire(StepIndex)
        s.following = Wire(StepIndex)  # before it is known whether the digits have ended

        if ahead:
            if not program.enter:
                raise ValueError(f"program {program}: its first step depends on the exponent")
            add_early_end(s, slots)
        else:

            @update
            def comb_advance():
                s.step_done @= s.running_reg & ((s.wait_reg & ~s.answered_slots) == 0)
                s.advance @= s.start | s.step_done

        s.scan = ExponentScan(program.scan, True) if ahead else ExponentScan(program.scan)
        if program.split:
            add_halves(s, program)
        else:
            s.scan.load //= s.load
            s.scan.exponent //= s.exponent_in
            if ahead:
                s.scan.vacant //= s.vacant
        s.scan.advance //= s.digit_advances if ahead else s.advance
        s.exponent //= s.scan.left
        s.index_reg = Wire(Index)
        s.index //= s.index_reg
        s.repeats = Wire(Bits1)  # the step that fills the table has entries left

        @update
        def comb_following():
            s.following @= 0
            if s.step_done:
                s.following @= s.step_reg + 1
            if s.repeats:
                s.following @= fill
            if s.scan.shift:
                s.following @= loop_first

        if program.loop:
            if ahead:

                @update
                def comb_shift_ahead():
                    s.scan.shift @= s.step_done & (
                        (s.step_reg == loop_last) | ((s.step_reg == loop_first) & s.scan.passing)
                    )
                    if s.clears:
                        s.scan.shift @= 1

                @update
                def comb_enters_ahead():
                    s.scan.enters @= (s.following == loop_first) & ~s.clears

            else:

                @update
                def comb_shift():
                    s.scan.shift @= s.step_done & (
                        (s.step_reg == loop_last) | ((s.step_reg == loop_first) & s.scan.passing)
                    )

                @update
                def comb_enters():
                    s.scan.enters @= s.following == loop_first

            if len(program.turns) > 1:
                s.wraps = Wire(Bits1)  # what is next is the first step, for the other half

                @update
                def comb_next_step_of_turns():
                    s.next_step @= s.following
                    if s.scan.enters & s.scan.ended:
                        s.next_step @= leave_first
                    if s.wraps:
                        s.next_step @= 0

            else:

                @update
                def comb_next_step():
                    s.next_step @= s.following
                    if s.scan.enters & s.scan.ended:
                        s.next_step @= leave_first

        else:
            s.scan.shift //= 0
            s.scan.enters //= 0
            s.next_step //= s.following

        s.next_index = Wire(Index)
        if program.fill and program.table:
            first, last = program.table.filled[0], program.table.filled[-1]

            @update
            def comb_repeats():
                s.repeats @= s.step_done & (s.step_reg == fill) & (s.index_reg != last)

            @update
            def comb_next_index():
                s.next_index @= s.scan.index
                if s.repeats:
                    s.next_index @= s.index_reg + 1
                elif s.following == fill:
                    s.next_index @= first

        else:
            s.repeats //= 0
            s.next_index //= s.scan.index

        if not ahead:

            @update
            def comb_finished():
                s.finished @= s.advance & (s.next_step == end)

        s.next_slots = Wire(Mask)
        s.if_any = Wire(Mask)
        s.if_set = Wire(Mask)
        s.if_clear = Wire(Mask)
        s.if_more = Wire(Mask)
        s.if_later = Wire(Mask)
        if slots.when_mask(When.FIRST):
            add_first(s, slots)
        else:
            s.if_any //= slots.when_mask(When.ALWAYS)
        s.if_set //= slots.when_mask(When.SET)
        s.if_clear //= slots.when_mask(When.CLEAR)
        s.if_more //= slots.when_mask(When.MORE)
        s.if_later //= slots.when_mask(When.LATER)
        s.step_slots = [Wire(Mask) for _ in range(end)]
        for t in range(end):
            s.step_slots[t] //= slots.step_mask(t)
        passes_over = int(bool(program.loop) and program.scan.from_top and not program.scan.fixed)

        if ahead:
            add_steps_ahead(s, program, slots)
        else:

            @update
            def comb_next_slots():
                s.next_slots @= s.if_any
                if s.scan.set:
                    s.next_slots @= s.next_slots | s.if_set
                else:
                    s.next_slots @= s.next_slots | s.if_clear
                if s.scan.more:
                    s.next_slots @= s.next_slots | s.if_more
                if s.scan.later:
                    s.next_slots @= s.next_slots | s.if_later
                for t in range(end):
                    if s.next_step == t:
                        s.next_slots @= s.next_slots & s.step_slots[t]
                if s.scan.passes & passes_over & (s.next_step == loop_first):
                    s.next_slots @= 0

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
                    s.issue_reg <<= s.next_slots
                    s.wait_reg <<= s.next_slots
                else:
                    s.issue_reg <<= s.issue_reg & ~s.accepted_slots
                    s.wait_reg <<= s.wait_reg & ~s.answered_slots
                if s.advance:
                    s.step_reg <<= s.next_step
                    s.index_reg <<= s.next_index

    def line_trace(s):
        return f"{int(s.step_reg)}:{s.issue_reg}/{s.wait_reg}"


def add_first(s: Sequencer, slots: Slots) -> None:
    """Let some products be formed with the first digit alone."""
    s.unconditional = Wire(s.if_any._dsl.Type)
    s.if_first = Wire(s.if_any._dsl.Type)
    s.unconditional //= slots.when_mask(When.ALWAYS)
    s.if_first //= slots.when_mask(When.FIRST)

    @update
    def comb_first():
        s.if_any @= s.unconditional
        if ~s.scan.later:
            s.if_any @= s.unconditional | s.if_first


def add_halves(s: Sequencer, program: Program) -> None:
    """Scan both exponents: side by side, or that of half 1 first.

    Conditions of steps are those of half 0; they are the same for both.
    """
    Index = mk_bits(program.scan.index_nbits)
    Exponent = mk_bits(program.scan.exponent_nbits)
    if program.lanes > 1:
        s.scan.load //= s.load
        s.scan.vacant //= s.vacant
        s.scan.exponent //= s.exponent_in
        s.other_scan = ExponentScan(program.scan, True)
        s.other_scan.load //= s.load
        s.other_scan.vacant //= s.vacant
        s.other_scan.exponent //= s.other_exponent
        s.other_scan.advance //= s.digit_advances
        s.to_other_index_reg = Wire(Index)
        s.next_other_index_reg = Wire(Index)
        s.other_index_reg = Wire(Index)
        s.other_index //= s.other_index_reg
        s.half //= 0
        s.turns //= 0
        loop_first = len(program.enter + program.fill + program.begin)

        @update
        def comb_other_scan():
            s.other_scan.shift @= s.scan.shift
            s.other_scan.enters @= s.scan.enters

        @update_ff
        def seq_other_index():
            s.next_other_index_reg <<= s.next_index
            if s.next_step >= loop_first:
                s.next_other_index_reg <<= s.other_scan.index
            s.to_other_index_reg <<= s.next_other_index_reg
            if s.digit_advances:
                s.other_index_reg <<= s.to_other_index_reg

        return
    last = len(program.steps) - len(program.join) - 1
    join = last + 1
    s.turn_reg = Wire(Bits1)  # it is half 1's
    s.next_wraps_reg = Wire(Bits1)
    s.wraps_reg = Wire(Bits1)
    s.reload_reg = Wire(Bits1)
    s.waiting_reg = Wire(Exponent)  # exponent of half 0
    s.other_index //= 0
    joined = [step[0].half for step in program.join]
    s.joined = [Wire(Bits1) for _ in joined]
    for i, half in enumerate(joined):
        s.joined[i] //= half
    njoined = len(joined)

    @update
    def comb_turns():
        s.wraps @= s.step_done & s.turn_reg & (s.step_reg == last)
        s.turns @= s.over & s.wraps_reg
        s.scan.load @= s.load | s.reload_reg
        s.scan.vacant @= s.vacant | s.reload_reg
        s.scan.exponent @= s.other_exponent
        if s.reload_reg:
            s.scan.exponent @= s.waiting_reg

    @update
    def comb_half():
        s.half @= s.turn_reg
        for i in range(njoined):
            if s.running_reg & (s.step_reg == join + i):
                s.half @= s.joined[i]

    @update_ff
    def seq_turns():
        s.next_wraps_reg <<= s.wraps
        s.wraps_reg <<= s.next_wraps_reg
        s.reload_reg <<= s.turns & ~s.reset
        if s.clears:
            s.waiting_reg <<= 0
        elif s.load:
            s.waiting_reg <<= s.exponent_in
            s.turn_reg <<= 1
        elif s.turns:
            s.turn_reg <<= 0
