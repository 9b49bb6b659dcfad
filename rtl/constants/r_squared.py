"""R**2 mod N from a remainder unit."""

from pymtl3 import Component
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.messages import value_message
from rtl.lib.divider import Divider


class RSquared(Component):
    """``2**(2*nbits) mod m``: the divider, fed with a one and 2*nbits zeros.

    Parameters
    ----------
    nbits : int
        Width of the modulus in bits; R = 2**nbits.
    r2_bits_per_cycle : int
        Quotient bits per cycle; divides ``2 * nbits``.

    Ports
    -----
    recv : {m}, at least 2 (the leading one is preloaded and must lie below m)
    send : {r2}

    Latency: ``2 * nbits / r2_bits_per_cycle + 1`` cycles; one modulus at a time.

    Source: McNay, figure 11.
    """

    def construct(s, nbits, r2_bits_per_cycle=2):
        s.recv = RecvIfcRTL(value_message("ConstantReq", ("m",), nbits))
        s.send = SendIfcRTL(value_message("ConstantResp", ("r2",), nbits))
        s.divider = Divider(2 * nbits, nbits, r2_bits_per_cycle)
        s.divider.recv.msg.high //= 1
        s.divider.recv.msg.low //= 0
        s.divider.recv.msg.divisor //= s.recv.msg.m
        s.divider.recv.val //= s.recv.val
        s.divider.recv.rdy //= s.recv.rdy
        s.divider.send.msg.remainder //= s.send.msg.r2
        s.divider.send.val //= s.send.val
        s.divider.send.rdy //= s.send.rdy

    def line_trace(s):
        return f"{s.recv}(){s.send}"
