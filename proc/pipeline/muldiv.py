"""Multiplication and division for the processor."""

from pymtl3 import Bits1, Bits32, Component, OutPort, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import message
from rsaxcel.rtl.lib.aligning_divider import AligningDivider
from rsaxcel.rtl.lib.divider import Divider
from rsaxcel.rtl.lib.multiplier import Multiplier

MulDivReq = message("MulDivReq", (("funct3", 3), ("a", 32), ("b", 32)))
MulDivResp = message("MulDivResp", (("result", 32),))
_SKIP_NBITS = 8


class MulDiv(Component):
    """Executes the instructions of RISC-V's M extension: all eight, or some with the divisions.

    Parameters
    ----------
    divider : str; ``"restoring"`` or ``"skipping"``: a ``Divider``, which with ``"skipping"`` skips
        leading zero bytes of the quotient; ``"aligning"``: an ``AligningDivider``
    bits_per_cycle : int; quotient bits per cycle: 1, 2, 4 or 8
    early_product : bool; the port ``product`` exists
    is_signed : bool; operands can be signed; otherwise, only ``mul``, ``mulhu``, ``divu`` and
        ``remu`` may be requested
    is_high : bool; the high half of a product may be requested

    Ports
    -----
    recv : {funct3, a, b}; field ``funct3`` of the instruction, and operands; the multiplier does
        not toggle while a and b stay the same
    send : {result}
    product : out, 32 bits; result of the requested multiplication, in the cycle of the request

    Latency: 1 cycle for a product, one product per cycle while responses are taken; for a quotient
    or remainder, the latency of the divider.
    """

    def construct(s, divider, bits_per_cycle, early_product=False, is_signed=True, is_high=True):
        s.recv = RecvIfcRTL(MulDivReq)
        s.send = SendIfcRTL(MulDivResp)
        s.multiplier = Multiplier(32)
        if divider == "aligning":
            s.divider = AligningDivider(32, 32, bits_per_cycle)
        else:
            skip_nbits = _SKIP_NBITS if divider == "skipping" else 0
            s.divider = Divider(32, 32, bits_per_cycle, skip_nbits)

        s.pending_reg = Wire(Bits1)  #: a request waits for its response
        s.divides_reg = Wire(Bits1)
        s.remainder_reg = Wire(Bits1)  #: the result is the remainder, not the quotient
        s.negate_reg = Wire(Bits1)
        s.product_reg = Wire(Bits32)
        s.correction_reg = Wire(Bits32)

        s.divides = Wire(Bits1)
        s.accepts = Wire(Bits1)
        s.a_negative = Wire(Bits1)
        s.b_negative = Wire(Bits1)

        if is_signed:

            @update
            def comb_signs():
                s.divides @= s.recv.msg.funct3[2]
                # Operands that are signed: both of mulh, div and rem, and the first operand of
                # mulhsu.
                s.a_negative @= 0
                s.b_negative @= 0
                if s.divides:
                    s.a_negative @= ~s.recv.msg.funct3[0] & s.recv.msg.a[31]
                    s.b_negative @= ~s.recv.msg.funct3[0] & s.recv.msg.b[31]
                else:
                    s.a_negative @= (s.recv.msg.funct3[0] ^ s.recv.msg.funct3[1]) & s.recv.msg.a[31]
                    s.b_negative @= s.recv.msg.funct3[0] & ~s.recv.msg.funct3[1] & s.recv.msg.b[31]

        else:
            # Synthesis removes the negations and corrections that these constants make needless.
            s.divides //= s.recv.msg.funct3[2]
            s.a_negative //= 0
            s.b_negative //= 0

        s.multiplier.a //= s.recv.msg.a
        s.multiplier.b //= s.recv.msg.b
        s.a_term = Wire(Bits32)
        s.b_term = Wire(Bits32)
        s.half = Wire(Bits32)
        s.correction = Wire(Bits32)
        s.quotient_or_remainder = Wire(Bits32)

        @update
        def comb_divider():
            s.divider.recv.msg.high @= 0
            s.divider.recv.msg.low @= s.recv.msg.a
            s.divider.recv.msg.divisor @= s.recv.msg.b
            if s.a_negative:
                s.divider.recv.msg.low @= ~s.recv.msg.a + 1
            if s.b_negative:
                s.divider.recv.msg.divisor @= ~s.recv.msg.b + 1

        # The multiplier is unsigned: it reads a negative factor as the factor plus 2**32. The high
        # half of the product is then too large by the other factor, which is subtracted from it.
        @update
        def comb_terms():
            s.a_term @= 0
            s.b_term @= 0
            if s.a_negative:
                s.a_term @= s.recv.msg.b
            if s.b_negative:
                s.b_term @= s.recv.msg.a

        if is_high:

            @update
            def comb_product():
                s.half @= s.multiplier.product[0:32]
                s.correction @= 0
                if s.recv.msg.funct3 != 0:
                    s.half @= s.multiplier.product[32:64]
                    s.correction @= s.a_term + s.b_term

        else:
            s.half //= s.multiplier.product[0:32]
            s.correction //= 0

        if early_product:
            s.product = OutPort(32)

            @update
            def comb_early():
                s.product @= s.half - s.correction

        @update
        def comb_send():
            s.send.val @= s.pending_reg & (~s.divides_reg | s.divider.send.val)
            s.divider.send.rdy @= s.pending_reg & s.divides_reg & s.send.rdy

        @update
        def comb_recv():
            s.recv.rdy @= (~s.pending_reg | (s.send.val & s.send.rdy)) & (
                ~s.divides | s.divider.recv.rdy
            )
            s.accepts @= s.recv.val & s.recv.rdy
            s.divider.recv.val @= s.accepts & s.divides

        @update
        def comb_result():
            s.quotient_or_remainder @= s.divider.send.msg.quotient
            if s.remainder_reg:
                s.quotient_or_remainder @= s.divider.send.msg.remainder
            if ~s.divides_reg:
                s.send.msg.result @= s.product_reg - s.correction_reg
            elif s.negate_reg:
                s.send.msg.result @= ~s.quotient_or_remainder + 1
            else:
                s.send.msg.result @= s.quotient_or_remainder

        @update_ff
        def seq_pending():
            if s.reset:
                s.pending_reg <<= 0
            elif s.accepts:
                s.pending_reg <<= 1
            elif s.send.rdy & s.send.val:
                s.pending_reg <<= 0

        @update_ff
        def seq_request():
            if s.accepts:
                s.divides_reg <<= s.divides
                s.remainder_reg <<= s.recv.msg.funct3[1]
                if s.recv.msg.funct3[1]:
                    s.negate_reg <<= s.a_negative
                else:
                    # The divider gives -1, all ones, as the quotient by zero: this quotient is not
                    # negated.
                    s.negate_reg <<= (s.a_negative ^ s.b_negative) & (s.recv.msg.b != 0)
            if s.accepts & ~s.divides:
                s.correction_reg <<= s.correction
                s.product_reg <<= s.half

    def line_trace(s):
        return f"{s.recv}(){s.send}"
