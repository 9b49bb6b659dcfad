"""ProgramExecutor: runs one program of modular products for a request, and is cleared."""

from dataclasses import replace
from typing import Any

from pymtl3 import Bits1, Bits3, Component, Wire, clog2, connect, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import value_message
from rsaxcel.fl.status import STATUS_NBITS
from rsaxcel.plan.modulus_constants import widths_of
from rsaxcel.plan.programs import Program
from rsaxcel.rtl.exponentiators.look_ahead import LookAheadSequencer
from rsaxcel.rtl.exponentiators.sequencer import Sequencer
from rsaxcel.rtl.lib.adjust import connect_low, connect_named
from rsaxcel.rtl.parts import part_of

#: States of a ``ProgramExecutor`` and of a ``DigitBusExponentiator``; ``add_clearing`` has their
#: order. In ``CONSTANTS``, between ``START`` and ``RUN``, units compute constants of the modulus.
#: In ``CHECK``, before ``START``, the last words of operands are compared
#: (``rtl.exponentiators.digit_bus``), or the status goes to a register.
IDLE, START, CONSTANTS, RUN, DONE, BLANK, CLEAR, CHECK = range(8)


def add_clearing(s: Any, cycles: int) -> None:
    """Clear an executor after each response and each reset, before it accepts another request.

    Only for a store with ``is_cleared`` (``rtl.stores.digits``); operands in an adapter are cleared
    by software (``STATE`` in ``fl.xcel``).

    In ``BLANK``, a modulus of zeros is loaded. In ``CLEAR``, the lanes prepare for it (``prepare``
    in ``rtl.lib.lanes``): their results, zeros, go to all registers that take results, and
    shift registers shift out their contents. So only few registers need gates that load zeros::

        state    next state    when
        -------  ------------  ---------------------------------------------------------
        BLANK    CLEAR         always
        CLEAR    IDLE          the lanes have prepared, and all shifts are done
        IDLE     CHECK         the store has loaded a request
        CHECK    START         always; the store registers the request's status
        START    RUN or DONE   the request is executed, or refused
        RUN      DONE          the program has ended
        DONE     BLANK         the response is taken

    The first product waits until the lanes have prepared for the modulus. So ``CHECK`` delays
    refusals only. The executor has no units for constants. ``cycles`` shifts empty all shift
    registers (``plan.kept_results.shift_cycles``).
    """
    s.count_reg = Wire(mk_bits(clog2(cycles + 1)))  #: cycles of shifting that remain
    s.cleared = Wire(Bits1)

    # Each of these states has a flip-flop of its own instead of a decoder of ``state_reg``, because
    # the signals drive all bits of the operands' registers.
    s.idle_reg = Wire(Bits1)
    s.blank_reg = Wire(Bits1)
    s.unblank_reg = Wire(Bits1)  #: for the sequencer; inverted: equal registers would be merged
    s.clear_reg = Wire(Bits1)
    s.shifts_reg = Wire(Bits1)  #: cycles of shifting remain
    s.store.idle //= s.idle_reg
    s.store.blank //= s.blank_reg
    s.store.clears //= s.clear_reg
    s.vacant = Wire(Bits1)
    s.sequencer.vacant //= s.vacant
    s.sequencer.clears //= s.shifts_reg

    @update
    def comb_clearing():
        s.refused @= (s.state_reg == START) & (s.store.status != 0)
        s.sequencer.load @= s.store.loaded | ~s.unblank_reg
        s.vacant @= s.idle_reg | ~s.unblank_reg
        s.cleared @= s.clear_reg & ~s.shifts_reg & s.store.cleared

    @update_ff
    def seq_clearing():
        s.idle_reg <<= (s.cleared | (s.idle_reg & ~s.recv.val)) & ~s.reset
        s.blank_reg <<= s.reset | (s.send.val & s.send.rdy)
        s.unblank_reg <<= ~(s.reset | (s.send.val & s.send.rdy))
        s.shifts_reg <<= (s.blank_reg | (s.shifts_reg & (s.count_reg != 1))) & ~s.reset
        s.clear_reg <<= (s.blank_reg | (s.clear_reg & ~s.cleared)) & ~s.reset
        if s.blank_reg:
            s.count_reg <<= cycles
        elif s.shifts_reg:
            s.count_reg <<= s.count_reg - 1

    @update_ff
    def seq_state_clearing():
        if s.reset:
            s.state_reg <<= BLANK
        elif s.store.loaded:
            s.state_reg <<= CHECK
        elif s.state_reg == CHECK:
            s.state_reg <<= START
        elif s.refused | s.sequencer.finished:
            s.state_reg <<= DONE
        elif s.sequencer.start:
            s.state_reg <<= RUN
        elif s.send.val & s.send.rdy:
            s.state_reg <<= BLANK
        elif s.blank_reg:
            s.state_reg <<= CLEAR
        elif s.cleared:
            s.state_reg <<= IDLE

    @update_ff
    def seq_status_clearing():
        if s.blank_reg:
            s.status_reg <<= 0
        elif s.state_reg == START:
            s.status_reg <<= s.store.status


class ProgramExecutor(Component):
    """A sequencer with a store: takes operands, gets constants, runs the steps, sends residues.

    Parameters
    ----------
    nbits : int; width of modulus and residues in bits
    program : plan.programs.Program; steps, residues and messages
    store : type; store of the residues (``rtl.stores``), which contains the multipliers
    units : tuple of catalog.units.Unit; units that compute ``program.computed_constants`` from the
        modulus, in the same order
    rules : fl.status.InputRules or None; input rules that the store checks; None: the request
        carries a status
    operand_widths : tuple of (str, int); widths of operands in the request that are wider than the
        modulus

    Ports
    -----
    recv : with ``rules`` {values named by ``program.receives``, wide, missing}, without ``rules``
        {values named by ``program.receives``, status}. An exponent has program.exponent_nbits bits.
        The request is refused if the flag ``wide`` (an operand is too wide) or ``missing`` (a
        constant is missing) is set; ``missing`` is there only if the host sends constants
    send : {values named by ``program.sends``, status}

    Latency: the sum of

    - 2 cycles for the request, or 1 if the store loads operands before it accepts the request;
      one more if it is refused, and the store ``is_cleared``
    - with units for constants: the latency of the slowest unit, plus 1
    - for each step: the latency of the multiplier, plus 1
    - the cycles of the store's final subtraction

    A request against the input rules is answered after the cycles for the request, with zeros in
    place of residues. One request at a time.

    If the store is cleared (``add_clearing``), the next request is accepted only some cycles after
    a response is taken or after a reset: about the number of the exponent's digits, or the cycles
    in which the lanes prepare for a new modulus, whichever is more.
    """

    def construct(
        s, nbits, program: Program, multiplier, store, units=(), rules=None, operand_widths=()
    ):
        flags = ("wide", "missing") if rules and rules.host_constants else ("wide",)
        head = flags if rules else ("status",)
        widths = (*widths_of(program.multiplier_constants), ("e", program.exponent_nbits))
        if program.split:
            operand_widths = (*operand_widths, ("m", program.split.joined_nbits))
        received = (*widths, *operand_widths)
        request_type = value_message("Step", (*program.receives, *head), nbits, received)
        s.recv = RecvIfcRTL(request_type)
        s.send = SendIfcRTL(value_message("Step", (*program.sends, "status"), nbits, widths))

        s.state_reg = Wire(Bits3)
        s.status_reg = Wire(mk_bits(STATUS_NBITS))

        sequencer = LookAheadSequencer if store.looks_ahead else Sequencer
        digit_nbits = store.digit_nbits(nbits, program, multiplier) if store.is_cleared else 0
        s.sequencer = s.make_sequencer(program, sequencer, digit_nbits)
        s.store = part_of(program, store)(nbits, program, multiplier, rules, request_type)
        for lane in range(program.lanes):
            for port in ("offers", "chosen", "accepts", "answers", "answered"):
                connect(getattr(s.sequencer, port)[lane], getattr(s.store, port)[lane])
        s.store.index //= s.sequencer.index
        s.store.request //= s.recv.msg
        s.store.offered //= s.recv.val
        s.store.takes //= s.recv.rdy
        s.store.finish //= s.sequencer.finished

        s.constants_val = Wire(Bits1)
        s.store.supply //= s.constants_val
        nunits = len(program.computed_constants)
        if nunits:
            # Parts and ports in a list are of one type: all units send numbers of the same width.
            widest = max(constant.nbits for constant in program.computed_constants)
            s.constant_units = [
                unit.build("rtl", nbits, replace(constant, nbits=widest))
                for unit, constant in zip(units, program.computed_constants, strict=True)
            ]
            s.asked_reg = [Wire(Bits1) for _ in range(nunits)]
            s.computed = [Wire(Bits1) for _ in range(nunits)]
            for i, unit in enumerate(s.constant_units):
                unit.recv.msg.m //= s.store.modulus
                unit.send.rdy //= s.constants_val
                unit.send.val //= s.computed[i]
                connect(unit.send.msg.value, s.store.constants[i])

            @update
            def comb_constants():
                s.constants_val @= 1
                for i in range(nunits):
                    s.constant_units[i].recv.val @= (s.state_reg == CONSTANTS) & ~s.asked_reg[i]
                    if ~s.computed[i]:
                        s.constants_val @= 0

            @update_ff
            def seq_constants():
                for i in range(nunits):
                    if s.state_reg != CONSTANTS:
                        s.asked_reg[i] <<= 0
                    elif s.constant_units[i].recv.rdy:
                        s.asked_reg[i] <<= 1
        else:
            s.constants_val //= 0
        has_constants = int(nunits > 0)

        if program.split:
            s.connect_exponents(s.sequencer, program)
            connect_named(
                s.sequencer, s.store, "other_index", "half", "turn_ends", *s.store.ports_ahead
            )
        elif "e" in program.receives:
            s.sequencer.exponent_in //= s.recv.msg.e
        else:
            s.sequencer.exponent_in //= 0
        if not store.is_cleared:
            s.sequencer.load //= s.store.loaded

        s.refused = Wire(Bits1)
        s.store.refuse //= s.refused

        if not store.is_cleared:

            @update
            def comb_store():
                s.store.idle @= s.state_reg == IDLE
                s.refused @= (s.state_reg == START) & (s.store.status != 0)

        @update
        def comb_sequencer():
            s.sequencer.start @= s.constants_val
            if has_constants == 0:
                s.sequencer.start @= (s.state_reg == START) & ~s.refused

        if store.is_cleared:
            cycles = store.shift_cycles(nbits, program, multiplier)
            add_clearing(s, cycles)
            s.add_measures(program, cycles, digit_nbits)
        else:

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

        s.add_status()
        for name, port in zip(program.sends, s.store.results, strict=True):
            connect_low(getattr(s.send.msg, name), s.sequencer.exponent if name == "e" else port)

    def connect_exponents(s, sequencer: Any, program: Program) -> None:
        """Connect the exponents of two halves to a sequencer or its copy."""
        assert program.split is not None
        padded, nbits = program.split.padded_nbits, program.scan.exponent_nbits
        sequencer.exponent_in //= s.recv.msg.e[0:nbits]
        sequencer.other_exponent //= s.recv.msg.e[padded : padded + nbits]

    def make_sequencer(s, program: Program, kind: type, digit_nbits: int, *more: type) -> Any:
        return part_of(program, kind, *more)(program)

    def add_measures(s, program: Program, cycles: int, digit_nbits: int) -> None:
        """Add the circuits of measures outside the machine, to a cleared executor."""

    def add_status(s) -> None:
        s.send.msg.status //= s.status_reg

    def line_trace(s):
        return f"{s.recv}({int(s.state_reg)}:{s.sequencer.line_trace()}){s.send}"
