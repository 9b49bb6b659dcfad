"""MulRem: a full product, then its iterative remainder."""

from pymtl3 import Component
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.messages import product_request, product_response
from rtl.lib.aligning_divider import AligningDivider
from rtl.lib.divider import Divider
from rtl.lib.multiplier import Multiplier


class MulRem(Component):
    """``a * b mod m`` by a combinational multiplier in front of a divider.

    Parameters
    ----------
    nbits : int
        Width of operands, modulus and result in bits.
    bits_per_cycle : int
        Quotient bits per cycle; divides ``nbits``.
    divider : str
        ``"preloaded"``: the high half of the product of two values below m is itself below m, so
        it is preloaded and only the low half is divided. ``"restoring"``: the whole product is.
        ``"aligning"``: it is by an ``AligningDivider``.

    Ports
    -----
    recv : {a, b, m}; a and b below m, m at least 2
    send : {r}

    Latency: that of the divider; ``nbits / bits_per_cycle + 1`` cycles with the high half
    preloaded. One product at a time.

    Source: McNay, section 3.1, figure 5, where all 64 bits of the product are divided.
    """

    def construct(s, nbits, bits_per_cycle, divider):
        s.recv = RecvIfcRTL(product_request(nbits))
        s.send = SendIfcRTL(product_response(nbits))
        s.multiplier = Multiplier(nbits)
        s.multiplier.a //= s.recv.msg.a
        s.multiplier.b //= s.recv.msg.b

        if divider == "preloaded":
            s.divider = Divider(nbits, nbits, bits_per_cycle)
            s.divider.recv.msg.high //= s.multiplier.product[nbits : 2 * nbits]
            s.divider.recv.msg.low //= s.multiplier.product[0:nbits]
        else:
            kind = AligningDivider if divider == "aligning" else Divider
            s.divider = kind(2 * nbits, nbits, bits_per_cycle)
            s.divider.recv.msg.high //= 0
            s.divider.recv.msg.low //= s.multiplier.product
        s.divider.recv.msg.divisor //= s.recv.msg.m
        s.divider.recv.val //= s.recv.val
        s.divider.recv.rdy //= s.recv.rdy
        s.divider.send.msg.remainder //= s.send.msg.r
        s.divider.send.val //= s.send.val
        s.divider.send.rdy //= s.send.rdy

    def line_trace(s):
        return f"{s.recv}(){s.send}"
