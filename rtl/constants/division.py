"""Division: computes a power of two modulo m, or a reciprocal, by a divider."""

from pymtl3 import Component, Wire, mk_bits
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.constants import ALIGNING
from rsaxcel.fl.messages import constant_request, constant_response
from rsaxcel.plan.modulus_constants import ModulusConstant, PowerOfTwo, Reciprocal
from rsaxcel.rtl.lib.aligning_divider import AligningDivider
from rsaxcel.rtl.lib.divider import Divider


class Division(Component):
    """Computes ``2**k mod m`` or ``floor(2**k / m)`` by a division of ``2**k`` by m.

    The remainder register of a restoring divider starts with the 1 of ``2**k``; then k zeros are
    shifted in. An aligning divider divides a number of k + 1 bits.

    Parameters
    ----------
    nbits : int; width of the modulus in bits
    constant : plan.modulus_constants.ModulusConstant; the power or the reciprocal
    bits_per_cycle : int; quotient bits per cycle; divides k
    divider : str; ``"restoring"``: a ``Divider``; ``"aligning"``: an ``AligningDivider``

    Ports
    -----
    recv : {m}; at least 2, because the remainder starts with 1 and must be below m
    send : {value}; constant.nbits bits

    Latency: ``k / bits_per_cycle + 1`` cycles, or that of the aligning divider; one modulus at a
    time.

    Source: McNay, figure 11; his published circuit aligns.
    """

    def construct(s, nbits, constant: ModulusConstant, bits_per_cycle, divider):
        s.recv = RecvIfcRTL(constant_request(nbits))
        s.send = SendIfcRTL(constant_response(constant))
        assert isinstance(constant.formula, PowerOfTwo | Reciprocal)
        exponent = constant.formula.exponent
        if divider == ALIGNING:
            # The k + 1 bits of the dividend, rounded up to whole steps.
            dividend_nbits = exponent + bits_per_cycle
            s.divider = AligningDivider(dividend_nbits, nbits, bits_per_cycle)
            s.divider.recv.msg.high //= 0
            s.divider.recv.msg.low //= mk_bits(dividend_nbits)(1 << exponent)
        else:
            dividend_nbits = exponent
            s.divider = Divider(dividend_nbits, nbits, bits_per_cycle)
            s.divider.recv.msg.high //= 1
            s.divider.recv.msg.low //= 0
        s.divider.recv.msg.divisor //= s.recv.msg.m
        s.divider.recv.val //= s.recv.val
        s.divider.recv.rdy //= s.recv.rdy
        s.divider.send.val //= s.send.val
        s.divider.send.rdy //= s.send.rdy

        is_quotient = isinstance(constant.formula, Reciprocal)
        given = dividend_nbits if is_quotient else nbits
        result = s.divider.send.msg.quotient if is_quotient else s.divider.send.msg.remainder
        width = min(constant.nbits, given)
        s.value = Wire(mk_bits(constant.nbits))
        s.value[0:width] //= result[0:width]
        if width < constant.nbits:
            s.value[width : constant.nbits] //= 0
        s.send.msg.value //= s.value

    def line_trace(s):
        return f"{s.recv}(){s.send}"
