"""MulRem: forms a full product, then its remainder by iterative division."""

from pymtl3 import Bits1, Component, Wire, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.contract import REGISTERED
from rsaxcel.fl.messages import product_request, product_response
from rsaxcel.rtl.lib.aligning_divider import AligningDivider
from rsaxcel.rtl.lib.divider import Divider
from rsaxcel.rtl.lib.multiplier import Multiplier


class MulRem(Component):
    """Computes ``a * b mod m`` by a combinational multiplier and a divider.

    Parameters
    ----------
    nbits : int; width of operands, modulus and result in bits
    bits_per_cycle : int; quotient bits per cycle; divides ``nbits``
    divider : str; ``"preloaded"``: the high half of a product of two values below m is below m, so
        it is preloaded and only the low half is divided. ``"restoring"``: the whole product is
        divided. ``"aligning"``: the whole product is divided by an ``AligningDivider``
    operands : str; ``"direct"``: the multiplier reads the request. ``"registered"``: the multiplier
        reads registers, which change only with the next product; ``m`` must be held until the
        response is taken

    Ports
    -----
    recv : {a, b, m}; a and b below m, m at least 2
    send : {r}

    Latency: as the divider; ``nbits / bits_per_cycle + 1`` cycles with ``"preloaded"``, and one
    more with registered operands. One product at a time.

    A multiplier that reads the request toggles with each change of the request's operands, even if
    no product is requested: in ``mulrem_r2l``, the multiplier of the lane that forms the result
    forms an unused product for each bit of the exponent that is 0. Registers cost area and a cycle,
    and shorten the path to the divider.

    Source: McNay, section 3.1, figure 5, where all 64 bits of the product are divided.
    """

    def construct(s, nbits, bits_per_cycle, divider, operands):
        s.recv = RecvIfcRTL(product_request(nbits))
        s.send = SendIfcRTL(product_response(nbits))
        s.multiplier = Multiplier(nbits)
        if operands == REGISTERED:
            add_operand_registers(s, nbits)
        else:
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
        if operands == REGISTERED:
            add_registered_handshake(s)
        else:
            s.divider.recv.val //= s.recv.val
            s.divider.recv.rdy //= s.recv.rdy
        s.divider.send.msg.remainder //= s.send.msg.r
        s.divider.send.val //= s.send.val
        s.divider.send.rdy //= s.send.rdy

    def line_trace(s):
        return f"{s.recv}(){s.send}"


def add_operand_registers(s: MulRem, nbits: int) -> None:
    """Add registers for the operands in front of the multiplier."""
    Value = mk_bits(nbits)
    s.a_reg = Wire(Value)
    s.b_reg = Wire(Value)
    s.multiplier.a //= s.a_reg
    s.multiplier.b //= s.b_reg

    @update_ff
    def seq_operands():
        if s.recv.val & s.recv.rdy:
            s.a_reg <<= s.recv.msg.a
            s.b_reg <<= s.recv.msg.b


def add_registered_handshake(s: MulRem) -> None:
    """Offer the product to the divider in the cycle after the operands are accepted.

    The divider accepts it at once: operands are accepted only while it is ready.
    """
    s.val_reg = Wire(Bits1)
    s.divider.recv.val //= s.val_reg

    @update
    def comb_ready():
        s.recv.rdy @= s.divider.recv.rdy & ~s.val_reg

    @update_ff
    def seq_val():
        s.val_reg <<= s.recv.val & s.recv.rdy & ~s.reset
