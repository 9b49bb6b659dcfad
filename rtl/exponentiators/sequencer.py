"""Sequencer: which products of a program run when."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff

from fl.steps import Program, When
from rtl.lib.slots import Slots


class Sequencer(Component):
    """Steps through a program and offers the products of each step to the lanes.

    All products of a step are offered at once, those of one lane one after the other. The next step
    begins in the cycle after the last result of a step; a step none of whose conditions holds takes
    one cycle. It knows no values: a store of any kind reads operands and keeps results by slot.

    Parameters
    ----------
    nbits : int
        Width of the exponent in bits, where the program does not say otherwise.
    program : fl.steps.Program
        Steps and lanes.

    Ports
    -----
    load, exponent_in : the exponent is registered
    start : the first step begins in the next cycle
    offers, chosen : per lane, a product is offered, and its slot (one-hot)
    accepts : per lane, the store takes the product offered
    answers, answered : per lane, a result is there, and the slot (one-hot) of its product
    finished : the program ends with this cycle
    exponent : what is left of the exponent
    """

    def construct(s, nbits, program: Program):
        slots = Slots(program)
        lanes, per_lane = slots.lanes, slots.per_lane
        loop_first = len(program.enter)
        loop_last = loop_first + len(program.loop) - 1
        leave_first = loop_last + 1
        end = len(program.steps)

        scanned_nbits = program.scanned_nbits
        Exponent = mk_bits(scanned_nbits or nbits)
        Mask = mk_bits(slots.count)
        LaneMask = mk_bits(per_lane)
        StepIndex = mk_bits(clog2(end + 1))
        Count = mk_bits(clog2(scanned_nbits + 2))

        s.load = InPort(1)
        s.exponent_in = InPort(Exponent)
        s.start = InPort(1)
        s.offers = [OutPort(1) for _ in range(lanes)]
        s.chosen = [OutPort(LaneMask) for _ in range(lanes)]
        s.accepts = [InPort(1) for _ in range(lanes)]
        s.answers = [InPort(1) for _ in range(lanes)]
        s.answered = [OutPort(LaneMask) for _ in range(lanes)]
        s.finished = OutPort(1)
        s.exponent = OutPort(Exponent)

        s.running_reg = Wire(Bits1)
        s.step_reg = Wire(StepIndex)
        s.exponent_reg = Wire(Exponent)
        s.count_reg = Wire(Count)  # bits to scan, where their number is fixed
        s.issue_reg = Wire(Mask)  # products of the step that no lane has accepted
        s.wait_reg = Wire(Mask)  # products of the step whose result is outstanding
        s.exponent //= s.exponent_reg

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
        s.next_exponent = Wire(Exponent)
        s.next_count = Wire(Count)
        s.next_bit = Wire(Bits1)
        s.next_more = Wire(Bits1)

        @update
        def comb_advance():
            s.step_done @= s.running_reg & ((s.wait_reg & ~s.answered_slots) == 0)
            s.advance @= s.start | s.step_done
            s.finished @= s.advance & (s.next_step == end)

        if program.loop and scanned_nbits:
            top = scanned_nbits - 1
            s.next_bit //= s.next_exponent[top]
            s.next_more //= 0

            @update
            def comb_next_from_top():
                s.next_step @= 0
                s.next_exponent @= s.exponent_reg
                s.next_count @= s.count_reg
                if s.step_done:
                    s.next_step @= s.step_reg + 1
                    if s.step_reg == loop_last:
                        s.next_exponent @= s.exponent_reg << 1
                        s.next_count @= s.count_reg - 1
                        s.next_step @= loop_first
                if (s.next_step == loop_first) & (s.next_count == 0):
                    s.next_step @= leave_first

        elif program.loop:
            s.next_bit //= s.next_exponent[0]
            s.next_count //= 0

            @update
            def comb_next_in_loop():
                s.next_step @= 0
                if s.step_done:
                    s.next_step @= s.step_reg + 1
                s.next_exponent @= s.exponent_reg
                if s.step_done & (s.step_reg == loop_last):
                    s.next_exponent @= s.exponent_reg >> 1
                    s.next_step @= loop_first
                s.next_more @= (s.next_exponent >> 1) != 0
                if (s.next_step == loop_first) & (s.next_exponent == 0):
                    s.next_step @= leave_first

        else:
            s.next_exponent //= s.exponent_reg
            s.next_count //= 0
            s.next_bit //= 0
            s.next_more //= 0

            @update
            def comb_next():
                s.next_step @= 0
                if s.step_done:
                    s.next_step @= s.step_reg + 1

        s.next_slots = Wire(Mask)
        s.if_any = Wire(Mask)
        s.if_bit = Wire(Mask)
        s.if_clear = Wire(Mask)
        s.if_more = Wire(Mask)
        s.if_any //= slots.when_mask(When.ALWAYS)
        s.if_bit //= slots.when_mask(When.BIT)
        s.if_clear //= slots.when_mask(When.CLEAR)
        s.if_more //= slots.when_mask(When.MORE)
        s.step_slots = [Wire(Mask) for _ in range(end)]
        for t in range(end):
            s.step_slots[t] //= slots.step_mask(t)

        @update
        def comb_next_slots():
            s.next_slots @= s.if_any
            if s.next_bit:
                s.next_slots @= s.next_slots | s.if_bit
            else:
                s.next_slots @= s.next_slots | s.if_clear
            if s.next_more:
                s.next_slots @= s.next_slots | s.if_more
            for t in range(end):
                if s.next_step == t:
                    s.next_slots @= s.next_slots & s.step_slots[t]

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
                s.exponent_reg <<= s.next_exponent
                s.count_reg <<= s.next_count
            elif s.load:
                s.exponent_reg <<= s.exponent_in
                s.count_reg <<= scanned_nbits

    def line_trace(s):
        return f"{int(s.step_reg)}:{s.issue_reg}/{s.wait_reg}"
