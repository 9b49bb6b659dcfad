"""Clearing of an executor between two requests, so that nothing of the first one remains."""

from typing import Any

from pymtl3 import Bits1, Wire, clog2, mk_bits, update, update_ff

from rsaxcel.rtl.exponentiators.states import BLANK, CHECK, CLEAR, DONE, IDLE, RUN, START


def add_clearing(s: Any, cycles: int) -> None:
    """Clear an executor after each response and each reset, before it accepts another request.

    Only for a store with ``is_cleared`` (``rtl.stores.digits``); operands in an adapter are cleared
    by software (``STATE`` in ``fl.xcel``).

    In ``BLANK``, a modulus of zeros is loaded. In ``CLEAR``, the lanes prepare for it (``prepare``
    in ``rtl.lib.digit_lane``): their results, zeros, go to all registers that take results, and
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
