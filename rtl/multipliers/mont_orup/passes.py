"""PassControl: state machine of a pass (the iterations of a product, or of a reduction step)."""

from pymtl3 import Bits1, Bits3, Component, InPort, OutPort, Wire, update, update_ff

from rsaxcel.fl.multipliers.mont_orup import MontOrup

IDLE, LOAD, FETCH, DECODE, ITERATE = range(5)


class PassControl(Component):
    """State machine of a pass: n iterations add rows, then the carries of the sum are resolved.

    The rows are multiples of B and M2 (``ProductRows``). The carries are resolved in segments of
    bits (``CarryResolve``). The table shows a pass of n iterations,
    and a next pass that starts as early as it can::

        cycle        state    this pass                            the next pass
        -----------  -------  -----------------------------------  -----------------------------
        0            IDLE     ``start``
        1            FETCH    ``a_0`` (of operand a) is fetched
        2            DECODE   this digit is decoded
        3 ... n + 2  ITERATE  rows are added; ``ends`` in n + 2
        n + 3        IDLE     ``adds``: segments are added         ``start``
        n + 4        FETCH    ``finds_carries`` between segments   the first digit is fetched
        n + 5        DECODE   ``increments`` segments              this digit is decoded
        n + 6        ITERATE  ``resolved``: the result is there    rows are added

    After ``start`` with ``waits``, and after ``divides``, the state ``LOAD`` comes before
    ``FETCH``, for the number of cycles to which the counter of ``LaneControl`` is set.

    Parameters
    ----------
    golden : fl.multipliers.mont_orup.MontOrup; golden model of the lane: widths, numbers of digits
        and of registers

    Ports
    -----
    prepare : in, 1 bit; the pass is aborted
    start : in, 1 bit; a pass starts; only while ``idle``
    waits : in, 1 bit; with ``start``: operand B is loaded first
    divides : in, 1 bit; a pass of a reduction starts, and passes through the state ``LOAD``
    last : in, 1 bit; this cycle is the last one in ``LOAD`` or ``ITERATE`` (the counter of
        ``LaneControl`` is 1)
    next_last : in, 1 bit; the next cycle is the last one in ``LOAD`` or ``ITERATE``
    idle, loads : out, 1 bit each; state ``IDLE``; state ``LOAD``
    begins : out, 1 bit; ``FETCH`` follows
    fetches, decodes, iterates : out, 1 bit each; states ``FETCH``, ``DECODE`` and ``ITERATE``
    accumulates : out, 1 bit; the running sum takes the rows of an iteration
    ending : out, 1 bit; the next cycle is the last one of ``ITERATE``, unless a reset comes
    ends : out, 1 bit; last cycle of ``ITERATE``
    adds, finds_carries, increments : out, 1 bit each; the three cycles of resolving carries
    resolved : out, 1 bit; 1 for one cycle: the result is complete from this cycle on. Also 1 in the
        cycle after ``prepare``, so that the first digit of the reduction is formed
    """

    def construct(s, golden: MontOrup):
        late = int(golden.row_registers > 0)
        for name in ("prepare", "start", "waits", "divides", "last", "next_last"):
            setattr(s, name, InPort(1))
        for name in (
            "idle",
            "loads",
            "begins",
            "fetches",
            "decodes",
            "iterates",
            "accumulates",
            "ending",
            "ends",
            "adds",
            "finds_carries",
            "increments",
            "resolved",
        ):
            setattr(s, name, OutPort(1))

        s.state_reg = Wire(Bits3)
        s.fresh_reg = Wire(Bits1)  # first cycle of ITERATE
        s.ends_reg = Wire(Bits1)
        s.add_reg = Wire(Bits1)
        s.carries_reg = Wire(Bits1)
        s.increment_reg = Wire(Bits1)
        s.resolved_reg = Wire(Bits1)
        s.ends //= s.ends_reg
        s.finds_carries //= s.carries_reg
        s.resolved //= s.resolved_reg

        @update
        def comb_states():
            s.idle @= s.state_reg == IDLE
            s.loads @= s.state_reg == LOAD
            s.fetches @= s.state_reg == FETCH
            s.decodes @= s.state_reg == DECODE
            s.iterates @= s.state_reg == ITERATE

        @update
        def comb_begins():
            s.begins @= (s.start & ~s.waits) | (s.loads & s.last)

        @update
        def comb_iterations():
            s.accumulates @= s.iterates & ~(s.fresh_reg & late)
            s.ending @= s.iterates & s.next_last & ~s.reset & ~s.prepare

        @update
        def comb_resolve():
            s.adds @= s.add_reg & ~s.prepare
            s.increments @= s.increment_reg & ~s.prepare

        @update_ff
        def seq_state():
            if s.reset | s.prepare:
                s.state_reg <<= IDLE
            elif s.start:
                s.state_reg <<= FETCH
                if s.waits:
                    s.state_reg <<= LOAD
            elif s.begins:
                s.state_reg <<= FETCH
            elif s.fetches:
                s.state_reg <<= DECODE
            elif s.decodes:
                s.state_reg <<= ITERATE
            elif s.ends_reg:
                s.state_reg <<= IDLE
            elif s.divides:
                s.state_reg <<= LOAD

        @update_ff
        def seq_pass():
            s.fresh_reg <<= s.decodes
            s.ends_reg <<= s.ending
            s.add_reg <<= s.ends_reg & ~s.reset & ~s.prepare
            s.carries_reg <<= s.add_reg & ~s.reset & ~s.prepare
            s.increment_reg <<= s.carries_reg & ~s.reset & ~s.prepare
            s.resolved_reg <<= (s.increment_reg | s.prepare) & ~s.reset
