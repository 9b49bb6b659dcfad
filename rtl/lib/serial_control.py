"""SerialControl: control of a unit that iterates over one operation and then finishes it."""

from pymtl3 import Bits1, Bits2, Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff

IDLE, STEP, FINISH, DONE = range(4)


class SerialControl(Component):
    """Accepts an operation, iterates, finishes, and offers the result, without idle cycles.

    Parameters
    ----------
    iterations : int; iterations of each operation; 0: their number depends on the operands, and the
        unit tells by the ports ``none`` and ``last`` when they end
    finish_cycles : int; cycles between the last iteration and the result, such as a final
        correction

    Ports
    -----
    recv_val, send_rdy : in, 1 bit each; the unit's handshakes
    recv_rdy, send_val : out, 1 bit each; the unit's handshakes
    load : out, 1 bit; the operands are registered at the end of this cycle
    none : in, 1 bit; the offered operands need no iteration (only without ``iterations``)
    last : in, 1 bit; this iteration is the last one (only without ``iterations``)
    step, finish : out, 1 bit each; this cycle is an iteration; this cycle is one of
        ``finish_cycles``
    index : out, clog2(max(iterations, finish_cycles, 2)) bits; number of the iteration (only with
        ``iterations``), or of the cycle in which ``finish`` is 1

    Latency of the unit: iterations + ``finish_cycles`` + 1 cycles; one operation at a time, the
    next is accepted in the cycle in which the result is taken.
    """

    def construct(s, iterations=0, finish_cycles=1):
        Index = mk_bits(clog2(max(iterations, finish_cycles, 2)))
        s.recv_val = InPort(1)
        s.recv_rdy = OutPort(1)
        s.send_val = OutPort(1)
        s.send_rdy = InPort(1)
        for name in ("load", "step", "finish"):
            setattr(s, name, OutPort(1))
        s.index = OutPort(Index)

        s.state_reg = Wire(Bits2)
        s.index_reg = Wire(Index)
        s.skips = Wire(Bits1)
        s.ends = Wire(Bits1)
        s.index //= s.index_reg
        if iterations:
            last_index = iterations - 1
            s.skips //= 0

            @update
            def comb_count():
                s.ends @= s.index_reg == last_index

        else:
            s.none = InPort(1)
            s.last = InPort(1)
            s.skips //= s.none
            s.ends //= s.last
        last_finish = max(finish_cycles - 1, 0)
        counts = int(iterations > 0)
        behind = FINISH if finish_cycles else DONE

        @update
        def comb_handshake():
            s.recv_rdy @= (s.state_reg == IDLE) | ((s.state_reg == DONE) & s.send_rdy)
            s.send_val @= s.state_reg == DONE

        @update
        def comb_phase():
            s.load @= s.recv_val & s.recv_rdy
            s.step @= s.state_reg == STEP
            s.finish @= s.state_reg == FINISH

        @update_ff
        def seq_state():
            if s.reset:
                s.state_reg <<= IDLE
            elif s.load:
                s.state_reg <<= STEP
                if s.skips:
                    s.state_reg <<= behind
                s.index_reg <<= 0
            elif s.step & s.ends:
                s.state_reg <<= behind
                s.index_reg <<= 0
            elif s.finish & (s.index_reg == last_finish):
                s.state_reg <<= DONE
            elif s.send_val & s.send_rdy:
                s.state_reg <<= IDLE
            elif s.finish | (s.step & counts):
                s.index_reg <<= s.index_reg + 1
