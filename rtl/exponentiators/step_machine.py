"""StepMachine: runs one program of modular products for one request at a time."""

from pymtl3 import Bits1, Bits3, Component, Wire, connect, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.messages import exponent_width, value_message
from fl.steps import Program
from fl.units import Unit
from rtl.exponentiators.sequencer import Sequencer

IDLE, START, CONSTANTS, RUN, DONE = range(5)
REGISTERS = Unit("stores.registers:RegisterStore")


class StepMachine(Component):
    """A sequencer with a store: takes operands, gets constants, runs the steps, gives residues.

    Parameters
    ----------
    nbits : int
        Width of modulus, residues and, where the program does not say otherwise, exponent in bits.
    program : fl.steps.Program
        Steps, residues and messages.
    multiplier : fl.units.Unit
        Multiplier of every lane.
    constants : fl.units.Unit or None
        Unit that supplies ``program.constants`` from the modulus.
    rules : fl.status.InputRules or None
        Input rules to check here; None where the request carries a status already.
    store : fl.units.Unit
        Where residues live; it holds the multipliers.
    operand_widths : tuple of (str, int)
        Widths of operands in the request that are wider than the modulus.

    Ports
    -----
    recv : values named by ``program.receives``, and the flags ``wide`` and, where the host supplies
        constants, ``missing`` (both checked here) or ``status``
    send : values named by ``program.sends``, and ``status``

    Latency: 2 cycles (1 where the store has loaded the operands by the time it accepts them), those
    of the constants unit and one more, of each step the multiplier's latency and one more, and
    those in which the store settles the result. Operands against the input rules are answered after
    the first 2 (or 1), with zeros in place of residues. One request at a time.
    """

    def construct(
        s,
        nbits,
        program: Program,
        multiplier,
        constants=None,
        rules=None,
        store=REGISTERS,
        operand_widths=(),
    ):
        flags = ("wide", "missing") if rules and rules.host_constants else ("wide",)
        head = flags if rules else ("status",)
        widths = (*program.modulus_constants, *exponent_width(program.scanned_nbits))
        received = (*widths, *operand_widths)
        request_type = value_message("Step", (*program.receives, *head), nbits, received)
        s.recv = RecvIfcRTL(request_type)
        s.send = SendIfcRTL(value_message("Step", (*program.sends, "status"), nbits, widths))

        s.state_reg = Wire(Bits3)
        s.status_reg = Wire(Bits3)

        s.sequencer = Sequencer(nbits, program)
        s.store = store.resolve("rtl")(nbits, program, multiplier, rules, request_type)
        for lane in range(program.lanes):
            for port in ("offers", "chosen", "accepts", "answers", "answered"):
                connect(getattr(s.sequencer, port)[lane], getattr(s.store, port)[lane])
        s.store.request //= s.recv.msg
        s.store.offered //= s.recv.val
        s.store.takes //= s.recv.rdy
        s.store.finish //= s.sequencer.finished

        s.constants_val = Wire(Bits1)
        s.store.supply //= s.constants_val
        if program.constants:
            s.constants_unit = constants.build("rtl", nbits)
            s.asked_reg = Wire(Bits1)
            s.constants_unit.recv.msg.m //= s.store.modulus
            s.constants_unit.send.rdy //= 1
            s.constants_unit.send.val //= s.constants_val
            for name, port in zip(program.constants, s.store.constants, strict=True):
                connect(getattr(s.constants_unit.send.msg, name), port)

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

        if "e" in program.receives:
            s.sequencer.exponent_in //= s.recv.msg.e
        else:
            s.sequencer.exponent_in //= 0
        s.sequencer.load //= s.store.loaded

        s.refused = Wire(Bits1)
        s.store.refuse //= s.refused

        @update
        def comb_store():
            s.store.idle @= s.state_reg == IDLE
            s.refused @= (s.state_reg == START) & (s.store.status != 0)

        @update
        def comb_sequencer():
            s.sequencer.start @= s.constants_val
            if has_constants == 0:
                s.sequencer.start @= (s.state_reg == START) & ~s.refused

        @update_ff
        def seq_state():
            if s.reset:
                s.state_reg <<= IDLE
            elif s.store.loaded:
                s.state_reg <<= START
            elif s.refused | s.sequencer.finished:
                s.state_reg <<= DONE
            elif s.sequencer.start:
                s.state_reg <<= RUN
            elif s.state_reg == START:
                s.state_reg <<= CONSTANTS
            elif s.send.val & s.send.rdy:
                s.state_reg <<= IDLE

        @update_ff
        def seq_status():
            if s.state_reg == START:
                s.status_reg <<= s.store.status

        @update
        def comb_response():
            s.send.val @= (s.state_reg == DONE) & s.store.ready

        s.send.msg.status //= s.status_reg
        for name, port in zip(program.sends, s.store.results, strict=True):
            connect(s.sequencer.exponent if name == "e" else port, getattr(s.send.msg, name))

    def line_trace(s):
        return f"{s.recv}({int(s.state_reg)}:{s.sequencer.line_trace()}){s.send}"
