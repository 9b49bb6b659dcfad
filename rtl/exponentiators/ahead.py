"""What is next, found while a step runs: parts of a sequencer."""

from typing import Any

from pymtl3 import Bits1, Wire, concat, mk_bits, update, update_ff

from plan.programs import Program
from rtl.lib.slots import Slots

_PLANNING = 3  # cycles before the last one: the exponent shows its digit, what is next is found


def add_early_end(s: Any, slots: Slots) -> None:
    """Find the end of a step from registers that tell how many results each lane still owes.

    What is next is what follows the step, while it runs.
    """
    lanes = slots.lanes
    # The step began so many cycles before this one, so that they tell, and what is next is there.
    s.began_reg = Wire(mk_bits(_PLANNING))
    s.settled_reg = Wire(Bits1)
    s.none_reg = [Wire(Bits1) for _ in range(lanes)]
    s.one = [Wire(Bits1) for _ in range(lanes)]
    s.over = Wire(Bits1)
    s.digit_advances = Wire(Bits1)  # or the exponent is cleared
    s.step_done //= s.running_reg

    @update
    def comb_over():
        s.over @= s.running_reg & s.settled_reg
        for lane in range(lanes):
            if ~s.none_reg[lane] & ~(s.one[lane] & s.answers[lane]):
                s.over @= 0

    @update
    def comb_advance_early():
        s.advance @= s.start | s.over
        s.digit_advances @= s.start | s.over | s.clears

    @update_ff
    def seq_early():
        s.began_reg <<= concat(s.began_reg[0 : _PLANNING - 1], ~s.advance)
        s.settled_reg <<= s.began_reg[_PLANNING - 1]
        if s.advance:
            s.began_reg <<= 0
            s.settled_reg <<= 0
        for lane in range(lanes):
            s.none_reg[lane] <<= s.awaited[lane] == 0

    if slots.singly:
        for lane in range(lanes):
            s.one[lane] //= 1
    else:
        s.one_reg = [Wire(Bits1) for _ in range(lanes)]
        for lane in range(lanes):
            s.one[lane] //= s.one_reg[lane]

        @update_ff
        def seq_one():
            for lane in range(lanes):
                s.one_reg[lane] <<= (s.awaited[lane] & (s.awaited[lane] - 1)) == 0


def add_steps_ahead(s: Any, program: Program, slots: Slots) -> None:
    """Register what is next in two cycles, and begin it when the step is over."""
    end, loop_first = len(program.steps), len(program.enter + program.fill + program.begin)
    Mask, Step, Index = (x._dsl.Type for x in (s.next_slots, s.next_step, s.next_index))
    passes_over = int(bool(program.loop) and program.scan.from_top and not program.scan.fixed)
    s.turn_slots = Wire(Mask)  # those of the half whose turn is next
    if len(program.turns) > 1:
        s.first_turn_slots = Wire(Mask)
        s.second_turn_slots = Wire(Mask)
        s.first_turn_slots //= slots.turn_mask(1)
        s.second_turn_slots //= slots.turn_mask(0)

        @update
        def comb_turn_slots():
            s.turn_slots @= s.second_turn_slots
            if s.turn_reg & ~s.wraps:
                s.turn_slots @= s.first_turn_slots

    else:
        s.turn_slots //= (1 << slots.count) - 1

    # The step and the products whose conditions hold, then those of the step.
    s.held_slots = Wire(Mask)
    s.held_slots_reg = Wire(Mask)
    s.passes_reg = Wire(Bits1)
    s.next_step_reg = Wire(Step)
    s.next_index_reg = Wire(Index)
    s.finishes_reg = Wire(Bits1)
    s.to_step_reg = Wire(Step)
    s.to_index_reg = Wire(Index)
    s.to_slots_reg = Wire(Mask)
    add_choice(s, slots)

    @update
    def comb_held_slots():
        s.held_slots @= s.if_any
        if s.scan.set:
            s.held_slots @= s.held_slots | s.if_set
        else:
            s.held_slots @= s.held_slots | s.if_clear
        if s.scan.more:
            s.held_slots @= s.held_slots | s.if_more
        if s.scan.later:
            s.held_slots @= s.held_slots | s.if_later
        s.held_slots @= s.held_slots & s.turn_slots

    @update
    def comb_slots_ahead():
        s.next_slots @= s.held_slots_reg
        for t in range(end):
            if s.next_step_reg == t:
                s.next_slots @= s.held_slots_reg & s.step_slots[t]
        if s.passes_reg:
            s.next_slots @= 0

    @update
    def comb_finished_early():
        s.finished @= s.advance & s.finishes_reg

    @update_ff
    def seq_next():
        s.held_slots_reg <<= s.held_slots
        s.passes_reg <<= s.scan.passes & passes_over & (s.next_step == loop_first)
        s.next_step_reg <<= s.next_step
        s.next_index_reg <<= s.next_index
        s.finishes_reg <<= s.next_step_reg == end
        s.to_step_reg <<= s.next_step_reg
        s.to_index_reg <<= s.next_index_reg
        s.to_slots_reg <<= s.next_slots

    @update_ff
    def seq_steps_ahead():
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


def add_choice(s: Any, slots: Slots) -> None:
    """Offer each lane the first product of the step that it has not accepted; match its answers."""
    lanes = slots.lanes
    if slots.singly:
        for lane in range(lanes):
            s.chosen[lane] //= s.pending[lane]

        @update
        def comb_only():
            for lane in range(lanes):
                s.offers[lane] @= s.pending[lane] != 0
                s.accepted[lane] @= 0
                if s.accepts[lane]:
                    s.accepted[lane] @= s.pending[lane]
                s.answered[lane] @= 0
                if s.answers[lane]:
                    s.answered[lane] @= s.awaited[lane]

        return
    LaneMask = mk_bits(slots.per_lane)
    s.of_next = [Wire(LaneMask) for _ in range(lanes)]
    s.to_chosen_reg = [Wire(LaneMask) for _ in range(lanes)]
    s.chosen_reg = [Wire(LaneMask) for _ in range(lanes)]
    for lane in range(lanes):
        s.of_next[lane] //= s.to_slots_reg[slots.of_lane(lane)]

    @update
    def comb_choice_ahead():
        for lane in range(lanes):
            s.chosen[lane] @= s.chosen_reg[lane]
            # not what has just been accepted
            s.offers[lane] @= (s.chosen_reg[lane] & s.pending[lane]) != 0
            s.accepted[lane] @= 0
            if s.accepts[lane]:
                s.accepted[lane] @= s.chosen_reg[lane] & s.pending[lane]
            s.answered[lane] @= 0
            if s.answers[lane]:
                s.answered[lane] @= s.awaited[lane] & (~s.awaited[lane] + 1)

    @update_ff
    def seq_chosen():
        for lane in range(lanes):
            # the lowest slot that is set
            s.to_chosen_reg[lane] <<= s.of_next[lane] & (~s.of_next[lane] + 1)
            s.chosen_reg[lane] <<= s.pending[lane] & (~s.pending[lane] + 1)
            if s.advance:
                s.chosen_reg[lane] <<= s.to_chosen_reg[lane]
