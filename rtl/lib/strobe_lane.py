"""StrobeLane: a bit-serial multiplier with strobes for start and end instead of handshakes."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, update, update_ff

from rsaxcel.plan.recurrence import RECURRENCE, finish_cycles


class StrobeLane(Component):
    """Forms one product at a time: a pulse starts it, and another pulse tells its end.

    Parameters
    ----------
    nbits : int; width of operands, modulus and result in bits
    multiplier : catalog.units.Unit; a bit-serial multiplier with the parameter ``recurrence``

    Ports
    -----
    strobe : in, 1 bit; the operands are valid in this cycle; must be 0 while ``busy``
    x, y, m : in, nbits bits each; operands below m, and m, which is held until ``ready``
    busy : out, 1 bit; from the cycle after the strobe to the cycle before ``ready``
    ready : out, 1 bit; 1 for one cycle, in which ``p`` is the product
    p : out, nbits bits

    Latency from ``strobe`` to ``ready``: the iterations of the multiplier and two cycles, the first
    of which detects the end (and corrects the sign of a signed product).

    Source: Li and Chu, module ``modu_mult_128``; the modulus is not registered a second time.
    """

    def construct(s, nbits, multiplier):
        s.strobe = InPort(1)
        s.x = InPort(nbits)
        s.y = InPort(nbits)
        s.m = InPort(nbits)
        s.busy = OutPort(1)
        s.ready = OutPort(1)
        s.p = OutPort(nbits)

        s.unit = multiplier.build("rtl", nbits)
        s.unit.recv.val //= s.strobe
        s.unit.recv.msg.a //= s.x
        s.unit.recv.msg.b //= s.y
        s.unit.recv.msg.m //= s.m
        s.unit.send.rdy //= s.ready
        s.p //= s.unit.send.msg.r

        @update
        def comb_busy():
            s.busy @= ~s.unit.recv.rdy

        if finish_cycles(dict(multiplier.params)[RECURRENCE.name]):
            s.ready //= s.unit.send.val
        else:
            s.ended_reg = Wire(Bits1)
            s.ready //= s.ended_reg

            @update_ff
            def seq_ended():
                s.ended_reg <<= s.unit.send.val & ~s.ended_reg & ~s.reset

    def line_trace(s):
        return f"{s.strobe}{s.busy}{s.ready}"
