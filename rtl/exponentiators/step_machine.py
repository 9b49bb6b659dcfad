"""StepMachine: runs one program of modular products over its multipliers."""

from pymtl3 import Bits1, Bits3, Component, Wire, clog2, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.messages import value_message
from fl.status import InputRules, Status
from fl.steps import ONE, Program, When

IDLE, START, CONSTANTS, RUN, DONE = range(5)


class StepMachine(Component):
    """Residue registers, multipliers side by side, and the sequence of a program's steps.

    The products of a step start as soon as their lanes accept them and the next step starts in the
    cycle after the last result; a step without products takes one cycle. Product k of a step runs
    on lane k modulo ``lanes``; products on one lane follow each other through its pipeline.

    Parameters
    ----------
    nbits : int
        Width of modulus, exponent and residues in bits.
    program : fl.steps.Program
        Steps, registers and messages.
    multiplier : fl.units.Unit
        Multiplier of every lane.
    constants : fl.units.Unit or None
        Unit that supplies ``program.constants`` from the modulus.
    rules : fl.status.InputRules or None
        Input rules to check here; None where the request carries a status already.

    Ports
    -----
    recv : values named by ``program.receives``, and ``wide`` (checked here) or ``status``
    send : values named by ``program.sends``, and ``status``

    Latency: 2 cycles, those of the constants unit and one more, and of each step the multiplier's
    latency and one more. Operands against the input rules are answered after 2 cycles, with zeros
    in place of residues. One request at a time.
    """

    def construct(s, nbits, program: Program, multiplier, constants=None, rules=None):
        head = ("wide",) if rules else ("status",)
        s.recv = RecvIfcRTL(value_message("Step", (*program.receives, *head), nbits))
        s.send = SendIfcRTL(value_message("Step", (*program.sends, "status"), nbits))

        # A slot per product: those of one lane side by side, in the order in which they run.
        lanes = program.lanes
        rounds = max(-(-len(step) // lanes) for step in program.steps)
        per_lane = rounds * len(program.steps)
        nslots = lanes * per_lane
        slot_of = {
            (t, k): k % lanes * per_lane + t * rounds + k // lanes
            for t, step in enumerate(program.steps)
            for k in range(len(step))
        }
        products = {slot: program.steps[t][k] for (t, k), slot in slot_of.items()}
        nresidues = len(program.residues)
        loop_first = len(program.enter)
        loop_last = loop_first + len(program.loop) - 1
        leave_first = loop_last + 1
        end = len(program.steps)

        Value = mk_bits(nbits)
        Slots = mk_bits(nslots)
        StepIndex = mk_bits(clog2(end + 1))

        s.state_reg = Wire(Bits3)
        s.step_reg = Wire(StepIndex)
        s.status_reg = Wire(Bits3)
        s.modulus_reg = Wire(Value)
        s.exponent_reg = Wire(Value)
        s.residue_reg = [Wire(Value) for _ in range(nresidues)]
        s.issue_reg = Wire(Slots)  # products of the step that no lane has accepted
        s.wait_reg = Wire(Slots)  # products of the step whose result is outstanding

        # -- the request, and what each residue starts from

        received = [name for name in program.residues if name in program.receives]
        s.first = [Wire(Value) for _ in range(nresidues)]
        for i, name in enumerate(program.residues):
            if name in received:
                s.first[i] //= getattr(s.recv.msg, name)
            else:
                s.first[i] //= int(name in program.ones)
        s.exponent_in = Wire(Value)
        if "e" in program.receives:
            s.exponent_in //= s.recv.msg.e
        else:
            s.exponent_in //= 0

        # -- input rules, judged on the registers in the cycle after the request

        s.status = Wire(Bits3)
        if rules:
            _add_rules(s, rules, program)
        else:
            s.status_in = Wire(Bits3)
            s.status_in //= s.recv.msg.status
            s.status //= s.status_reg

        # -- constants

        s.constants_val = Wire(Bits1)
        s.constants_rdy = Wire(Bits1)
        s.asked_reg = Wire(Bits1)
        s.constant = [Wire(Value) for _ in range(nresidues)]
        s.is_constant = [Wire(Bits1) for _ in range(nresidues)]
        for i, name in enumerate(program.residues):
            s.is_constant[i] //= int(name in program.constants)
            if name not in program.constants:
                s.constant[i] //= 0
        if program.constants:
            s.constants_unit = constants.build("rtl", nbits)
            s.constants_unit.recv.msg.m //= s.modulus_reg
            s.constants_unit.send.rdy //= s.constants_rdy
            s.constants_val //= s.constants_unit.send.val
            for name in program.constants:
                i = program.residues.index(name)
                s.constant[i] //= getattr(s.constants_unit.send.msg, name)

            @update
            def comb_constants():
                s.constants_unit.recv.val @= (s.state_reg == CONSTANTS) & ~s.asked_reg
                s.constants_rdy @= s.state_reg == CONSTANTS

            @update_ff
            def seq_constants():
                if s.state_reg != CONSTANTS:
                    s.asked_reg <<= 0
                elif s.constants_unit.recv.rdy:
                    s.asked_reg <<= 1
        else:
            s.constants_val //= 0
            s.constants_rdy //= 0
            s.asked_reg //= 0
        has_constants = int(bool(program.constants))

        # -- lanes

        s.lanes = [multiplier.build("rtl", nbits) for _ in range(lanes)]
        s.lane_a = [Wire(Value) for _ in range(lanes)]
        s.lane_b = [Wire(Value) for _ in range(lanes)]
        s.lane_offers = [Wire(Bits1) for _ in range(lanes)]
        s.lane_accepts = [Wire(Bits1) for _ in range(lanes)]
        s.lane_answers = [Wire(Bits1) for _ in range(lanes)]
        s.lane_result = [Wire(Value) for _ in range(lanes)]
        for lane, unit in enumerate(s.lanes):
            unit.recv.msg.a //= s.lane_a[lane]
            unit.recv.msg.b //= s.lane_b[lane]
            unit.recv.msg.m //= s.modulus_reg
            unit.recv.val //= s.lane_offers[lane]
            unit.recv.rdy //= s.lane_accepts[lane]
            unit.send.msg.r //= s.lane_result[lane]
            unit.send.val //= s.lane_answers[lane]
            unit.send.rdy //= 1  # a result outstanding always has its register free

        s.slot_a = [[Wire(Value) for _ in range(per_lane)] for _ in range(lanes)]
        s.slot_b = [[Wire(Value) for _ in range(per_lane)] for _ in range(lanes)]
        for k in range(nslots):
            product = products.get(k)
            for wires, name in (
                (s.slot_a, product.a if product else ONE),
                (s.slot_b, product.b if product else ONE),
            ):
                wire = wires[k // per_lane][k % per_lane]
                if name == ONE:
                    wire //= 1
                else:
                    wire //= s.residue_reg[program.residues.index(name)]

        LaneSlots = mk_bits(per_lane)
        s.accepted = Wire(Slots)
        s.answered = Wire(Slots)
        s.pending = [Wire(LaneSlots) for _ in range(lanes)]
        s.awaited = [Wire(LaneSlots) for _ in range(lanes)]
        s.chosen = [Wire(LaneSlots) for _ in range(lanes)]
        s.lane_accepted = [Wire(LaneSlots) for _ in range(lanes)]
        s.lane_answered = [Wire(LaneSlots) for _ in range(lanes)]
        for lane in range(lanes):
            low, high = lane * per_lane, (lane + 1) * per_lane
            s.pending[lane] //= s.issue_reg[low:high]
            s.awaited[lane] //= s.wait_reg[low:high]
            s.accepted[low:high] //= s.lane_accepted[lane]
            s.answered[low:high] //= s.lane_answered[lane]
        # While a lane has nothing to issue its operands rest, so that they do not toggle.
        rest = max(k % per_lane for k in products)

        @update
        def comb_lanes():
            for lane in range(lanes):
                s.chosen[lane] @= s.pending[lane] & (~s.pending[lane] + 1)
                s.lane_offers[lane] @= s.pending[lane] != 0
                s.lane_accepted[lane] @= 0
                if s.lane_accepts[lane]:
                    s.lane_accepted[lane] @= s.chosen[lane]
                s.lane_answered[lane] @= 0
                if s.lane_answers[lane]:
                    s.lane_answered[lane] @= s.awaited[lane] & (~s.awaited[lane] + 1)

        @update
        def comb_operands():
            for lane in range(lanes):
                s.lane_a[lane] @= s.slot_a[lane][rest]
                s.lane_b[lane] @= s.slot_b[lane][rest]
                for j in range(per_lane):
                    if s.chosen[lane][j]:
                        s.lane_a[lane] @= s.slot_a[lane][j]
                        s.lane_b[lane] @= s.slot_b[lane][j]

        # -- sequence

        s.step_done = Wire(Bits1)
        s.advance = Wire(Bits1)
        s.shift = Wire(Bits1)
        s.next_step = Wire(StepIndex)
        s.next_exponent = Wire(Value)
        s.next_more = Wire(Bits1)
        s.next_slots = Wire(Slots)

        @update
        def comb_advance():
            s.step_done @= (s.state_reg == RUN) & ((s.wait_reg & ~s.answered) == 0)
            s.advance @= s.step_done | (s.state_reg == START) | s.constants_val

        if program.loop:

            @update
            def comb_next_loop():
                s.shift @= s.step_done & (s.step_reg == loop_last)
                s.next_exponent @= s.exponent_reg
                if s.shift:
                    s.next_exponent @= s.exponent_reg >> 1
                s.next_more @= (s.next_exponent >> 1) != 0
                s.next_step @= 0
                if s.step_done:
                    s.next_step @= s.step_reg + 1
                if s.shift | (s.next_step == loop_first):
                    s.next_step @= loop_first
                    if s.next_exponent == 0:
                        s.next_step @= leave_first

        else:
            s.shift //= 0
            s.next_exponent //= s.exponent_reg
            s.next_more //= 0

            @update
            def comb_next_step():
                s.next_step @= 0
                if s.step_done:
                    s.next_step @= s.step_reg + 1

        # Which condition each slot needs, as masks, and which slots belong to a step.
        s.when = [Wire(Slots) for _ in range(3)]
        for i, when in enumerate((When.ALWAYS, When.BIT, When.MORE)):
            s.when[i] //= sum(1 << k for k, p in products.items() if p.when is when)
        s.step_slots = [Wire(Slots) for _ in range(end)]
        for t in range(end):
            s.step_slots[t] //= sum(1 << k for (step, _), k in slot_of.items() if step == t)

        @update
        def comb_next_slots():
            s.next_slots @= s.when[0]
            if s.next_exponent[0]:
                s.next_slots @= s.next_slots | s.when[1]
            if s.next_more:
                s.next_slots @= s.next_slots | s.when[2]
            for t in range(end):
                if s.next_step == t:
                    s.next_slots @= s.next_slots & s.step_slots[t]

        @update_ff
        def seq_state():
            if s.reset:
                s.state_reg <<= IDLE
                s.issue_reg <<= 0
                s.wait_reg <<= 0
            elif s.state_reg == IDLE:
                if s.recv.val:
                    s.state_reg <<= START
            elif s.state_reg == DONE:
                if s.send.rdy:
                    s.state_reg <<= IDLE
            elif (s.state_reg == START) & (s.status != 0):
                s.state_reg <<= DONE
            elif (s.state_reg == START) & has_constants:
                s.state_reg <<= CONSTANTS
            elif s.advance:
                if s.next_step == end:
                    s.state_reg <<= DONE
                else:
                    s.state_reg <<= RUN
                    s.issue_reg <<= s.next_slots
                    s.wait_reg <<= s.next_slots
            elif s.state_reg == RUN:
                s.issue_reg <<= s.issue_reg & ~s.accepted
                s.wait_reg <<= s.wait_reg & ~s.answered

        @update_ff
        def seq_operands():
            if s.state_reg == IDLE:
                if s.recv.val:
                    s.modulus_reg <<= s.recv.msg.m
                    s.exponent_reg <<= s.exponent_in
                    s.status_reg <<= s.status_in
            else:
                if s.state_reg == START:
                    s.status_reg <<= s.status
                if s.advance:
                    s.exponent_reg <<= s.next_exponent
                    s.step_reg <<= s.next_step

        # -- residues

        s.writes = [[Wire(LaneSlots) for _ in range(lanes)] for _ in range(nresidues)]
        for i, name in enumerate(program.residues):
            for lane in range(lanes):
                s.writes[i][lane] //= sum(
                    1 << k % per_lane
                    for k, product in products.items()
                    if k // per_lane == lane and product.dst == name
                )
        s.load = [Wire(Bits1) for _ in range(nresidues)]
        s.loaded = [Wire(Value) for _ in range(nresidues)]

        @update
        def comb_residues():
            for i in range(nresidues):
                s.load[i] @= 0
                s.loaded[i] @= s.first[i]
                if s.state_reg == IDLE:
                    s.load[i] @= s.recv.val
                elif (s.state_reg == START) & (s.status != 0):
                    s.load[i] @= 1
                    s.loaded[i] @= 0
                elif s.constants_val & s.is_constant[i]:
                    s.load[i] @= 1
                    s.loaded[i] @= s.constant[i]
                else:
                    for lane in range(lanes):
                        if (s.lane_answered[lane] & s.writes[i][lane]) != 0:
                            s.load[i] @= 1
                            s.loaded[i] @= s.lane_result[lane]

        @update_ff
        def seq_residues():
            for i in range(nresidues):
                if s.load[i]:
                    s.residue_reg[i] <<= s.loaded[i]

        # -- ports

        @update
        def comb_ports():
            s.recv.rdy @= s.state_reg == IDLE
            s.send.val @= s.state_reg == DONE

        sources = {"m": s.modulus_reg, "e": s.exponent_reg, "status": s.status_reg}
        sources.update(zip(program.residues, s.residue_reg, strict=True))
        for name in (*program.sends, "status"):
            getattr(s.send.msg, name).__ifloordiv__(sources[name])

    def line_trace(s):
        return f"{s.recv}({int(s.state_reg)}:{int(s.step_reg)}){s.send}"


def _add_rules(s: StepMachine, rules: InputRules, program: Program) -> None:
    """Drive ``status`` from the operand registers, in the order that ``InputRules`` states."""
    Value = mk_bits(rules.nbits)
    min_modulus = rules.min_modulus
    odd = int(rules.odd_modulus)
    too_small, even = int(Status.MODULUS_TOO_SMALL), int(Status.MODULUS_EVEN)
    too_large, too_wide = int(Status.BASE_TOO_LARGE), int(Status.OPERAND_TOO_WIDE)
    s.base = Wire(Value)
    s.base //= s.residue_reg[program.residues.index("b")]
    s.status_in = Wire(Bits3)

    @update
    def comb_status_in():
        s.status_in @= 0
        if s.recv.msg.wide:
            s.status_in @= too_wide

    @update
    def comb_rules():
        s.status @= 0
        if s.status_reg != 0:
            s.status @= s.status_reg
        elif s.modulus_reg < min_modulus:
            s.status @= too_small
        elif ~s.modulus_reg[0] & odd:
            s.status @= even
        elif s.base >= s.modulus_reg:
            s.status @= too_large
