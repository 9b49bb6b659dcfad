"""StepMachine: runs one program of modular products for one request at a time."""

from pymtl3 import Bits1, Bits3, Component, Wire, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.messages import value_message
from fl.steps import Program
from rtl.exponentiators.operand_check import OperandCheck
from rtl.exponentiators.sequencer import Sequencer
from rtl.stores.registers import RegisterStore

IDLE, START, CONSTANTS, RUN, DONE = range(5)


class StepMachine(Component):
    """A sequencer with a store: takes operands, gets constants, runs the steps, gives residues.

    Parameters
    ----------
    nbits : int
        Width of modulus, exponent and residues in bits.
    program : fl.steps.Program
        Steps, residues and messages.
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

        Value = mk_bits(nbits)
        nresidues = len(program.residues)
        s.state_reg = Wire(Bits3)
        s.modulus_reg = Wire(Value)
        s.status_reg = Wire(Bits3)
        s.status_in = Wire(Bits3)
        s.status = Wire(Bits3)

        s.sequencer = Sequencer(nbits, program)
        s.store = RegisterStore(nbits, program, multiplier)
        for lane in range(program.lanes):
            for port in ("offers", "chosen", "accepts", "answers", "answered"):
                getattr(s.sequencer, port)[lane].__ifloordiv__(getattr(s.store, port)[lane])
        s.store.modulus //= s.modulus_reg

        # The status is judged on the registers, in the cycle after the request.
        if rules:
            s.check = OperandCheck(rules)
            s.check.base //= s.store.residues[program.residues.index("b")]
            s.check.modulus //= s.modulus_reg
            s.check.wide //= s.status_reg[0]
            s.status //= s.check.status
            s.status_in[0:1] //= s.recv.msg.wide
            s.status_in[1:3] //= 0
        else:
            s.status //= s.status_reg
            s.status_in //= s.recv.msg.status

        s.constants_val = Wire(Bits1)
        if program.constants:
            s.constants_unit = constants.build("rtl", nbits)
            s.asked_reg = Wire(Bits1)
            s.constants_unit.recv.msg.m //= s.modulus_reg
            s.constants_unit.send.rdy //= 1
            s.constants_unit.send.val //= s.constants_val

            @update
            def comb_constants():
                s.constants_unit.recv.val @= (s.state_reg == CONSTANTS) & ~s.asked_reg

            @update_ff
            def seq_constants():
                if s.state_reg != CONSTANTS:
                    s.asked_reg <<= 0
                elif s.constants_unit.recv.rdy:
                    s.asked_reg <<= 1
        else:
            s.constants_val //= 0
        has_constants = int(bool(program.constants))

        # What a residue starts from, and what the constants unit supplies.
        s.first = [Wire(Value) for _ in range(nresidues)]
        s.constant = [Wire(Value) for _ in range(nresidues)]
        s.is_constant = [Wire(Bits1) for _ in range(nresidues)]
        for i, name in enumerate(program.residues):
            supplied = name in program.constants
            s.is_constant[i] //= int(supplied)
            if supplied:
                s.constant[i] //= getattr(s.constants_unit.send.msg, name)
            else:
                s.constant[i] //= 0
            if name in program.receives:
                s.first[i] //= getattr(s.recv.msg, name)
            else:
                s.first[i] //= int(name in program.ones)
        if "e" in program.receives:
            s.sequencer.exponent_in //= s.recv.msg.e
        else:
            s.sequencer.exponent_in //= 0

        s.accepts = Wire(Bits1)
        s.refused = Wire(Bits1)

        @update
        def comb_request():
            s.recv.rdy @= s.state_reg == IDLE
            s.accepts @= (s.state_reg == IDLE) & s.recv.val
            s.refused @= (s.state_reg == START) & (s.status != 0)

        @update
        def comb_sequencer():
            s.sequencer.load @= s.accepts
            s.sequencer.start @= s.constants_val
            if has_constants == 0:
                s.sequencer.start @= (s.state_reg == START) & ~s.refused

        @update
        def comb_store():
            for i in range(nresidues):
                s.store.load[i] @= s.accepts | s.refused | (s.constants_val & s.is_constant[i])
                s.store.values[i] @= s.first[i]
                if s.refused:
                    s.store.values[i] @= 0
                elif s.constants_val:
                    s.store.values[i] @= s.constant[i]

        @update_ff
        def seq_state():
            if s.reset:
                s.state_reg <<= IDLE
            elif s.accepts:
                s.state_reg <<= START
            elif s.refused | s.sequencer.finished:
                s.state_reg <<= DONE
            elif s.sequencer.start:
                s.state_reg <<= RUN
            elif s.state_reg == START:
                s.state_reg <<= CONSTANTS
            elif (s.state_reg == DONE) & s.send.rdy:
                s.state_reg <<= IDLE

        @update_ff
        def seq_request():
            if s.accepts:
                s.modulus_reg <<= s.recv.msg.m
                s.status_reg <<= s.status_in
            elif s.state_reg == START:
                s.status_reg <<= s.status

        @update
        def comb_response():
            s.send.val @= s.state_reg == DONE

        sources = {"m": s.modulus_reg, "e": s.sequencer.exponent, "status": s.status_reg}
        sources.update(zip(program.residues, s.store.residues, strict=True))
        for name in (*program.sends, "status"):
            getattr(s.send.msg, name).__ifloordiv__(sources[name])

    def line_trace(s):
        return f"{s.recv}({int(s.state_reg)}:{s.sequencer.line_trace()}){s.send}"
