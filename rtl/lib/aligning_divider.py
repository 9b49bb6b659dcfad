"""Restoring divider that first aligns the divisor with the dividend."""

from pymtl3 import Bits1, Bits2, Component, Wire, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.rtl.lib.divider import check_divider, divider_request, divider_response

IDLE, ALIGN, CALC, DONE = 0, 1, 2, 3


class AligningDivider(Component):
    """Shifts the divisor up to the dividend, then down again, with a trial subtraction per bit.

    Both shifts are as long as the quotient without its leading zeros. So a short quotient takes few
    cycles. The messages, and the result for a divisor of 0, are those of
    ``rtl.lib.divider.Divider``.

    Parameters
    ----------
    dividend_nbits : int; width of the dividend and of the quotient, 1 or more bits
    divisor_nbits : int; width of divisor and remainder, 1 or more bits
    bits_per_cycle : int; bits per cycle by which the divisor is shifted, which are also the
        quotient bits per cycle; divides ``dividend_nbits``

    Ports
    -----
    recv : {high, low, divisor}; ``high`` is 0
    send : {quotient, remainder}

    Latency: ``2 * ceil(q / bits_per_cycle) + 2`` cycles from request to response, where q is the
    number of bits of the quotient, and 1 if the quotient is 0; one request at a time, the next is
    accepted in the cycle after the response is taken.

    Source: McNay, section 2.3 and figure 2, and his published circuit, which also ends as soon as
    nothing is left of the dividend.

    Raises ``ValueError`` if a width is below 1, or ``bits_per_cycle`` does not divide
    ``dividend_nbits``.
    """

    def construct(s, dividend_nbits, divisor_nbits, bits_per_cycle=1):
        check_divider(dividend_nbits, divisor_nbits, bits_per_cycle)
        s.recv = RecvIfcRTL(divider_request(dividend_nbits, divisor_nbits))
        s.send = SendIfcRTL(divider_response(dividend_nbits, divisor_nbits))

        # The divisor is shifted up until it is greater than the dividend, but not by more bits than
        # the dividend has.
        shifted_nbits = max(divisor_nbits, dividend_nbits) + bits_per_cycle
        Shifted = mk_bits(shifted_nbits)
        Dividend = mk_bits(dividend_nbits)
        Weight = mk_bits(dividend_nbits + 1)

        s.state_reg = Wire(Bits2)
        s.rest_reg = Wire(Dividend)
        s.shifted_reg = Wire(Shifted)
        s.weight_reg = Wire(Weight)  #: weight of the quotient bit at this place of the divisor
        s.quotient_reg = Wire(Dividend)

        s.rest = [Wire(Dividend) for _ in range(bits_per_cycle)]
        s.rest_out = [Wire(Dividend) for _ in range(bits_per_cycle)]
        s.quotient = [Wire(Dividend) for _ in range(bits_per_cycle)]
        s.quotient_out = [Wire(Dividend) for _ in range(bits_per_cycle)]
        s.shifted = [Wire(Shifted) for _ in range(bits_per_cycle)]
        s.weight = [Wire(Weight) for _ in range(bits_per_cycle)]
        s.rest[0] //= s.rest_reg
        s.quotient[0] //= s.quotient_reg
        for i in range(1, bits_per_cycle):
            s.rest[i] //= s.rest_out[i - 1]
            s.quotient[i] //= s.quotient_out[i - 1]
        for i in range(bits_per_cycle):
            for source, sink, nbits in (
                (s.shifted_reg, s.shifted[i], shifted_nbits),
                (s.weight_reg, s.weight[i], dividend_nbits + 1),
            ):
                left = nbits - i - 1
                sink[0:left] //= source[i + 1 : nbits]
                sink[left:nbits] //= 0

        @update
        def comb_divide():
            for i in range(bits_per_cycle):
                s.rest_out[i] @= s.rest[i]
                s.quotient_out[i] @= s.quotient[i]
                if zext(s.rest[i], Shifted) >= s.shifted[i]:
                    s.rest_out[i] @= s.rest[i] - s.shifted[i][0:dividend_nbits]
                    s.quotient_out[i] @= s.quotient[i] | s.weight[i][0:dividend_nbits]

        s.below = Wire(Bits1)  #: the dividend is below the divisor, and so the remainder
        s.aligned = Wire(Bits1)
        end = bits_per_cycle - 1
        top = dividend_nbits

        @update
        def comb_aligned():
            s.below @= zext(s.recv.msg.low, Shifted) < zext(s.recv.msg.divisor, Shifted)
            s.aligned @= (s.shifted_reg > zext(s.rest_reg, Shifted)) | s.weight_reg[top]

        @update_ff
        def seq_state():
            if s.reset:
                s.state_reg <<= IDLE
            elif s.state_reg == IDLE:
                if s.recv.val:
                    s.state_reg <<= ALIGN
                    if s.below:
                        s.state_reg <<= DONE
            elif s.state_reg == ALIGN:
                if s.aligned:
                    s.state_reg <<= CALC
            elif s.state_reg == CALC:
                if s.weight[end][0]:
                    s.state_reg <<= DONE
            elif s.send.rdy:
                s.state_reg <<= IDLE

        @update_ff
        def seq_rest():
            if (s.state_reg == IDLE) & s.recv.val:
                s.rest_reg <<= s.recv.msg.low
                s.shifted_reg <<= zext(s.recv.msg.divisor, Shifted)
                s.weight_reg <<= 1
                s.quotient_reg <<= 0
            elif (s.state_reg == ALIGN) & ~s.aligned:
                s.shifted_reg <<= s.shifted_reg << bits_per_cycle
                s.weight_reg <<= s.weight_reg << bits_per_cycle
            elif s.state_reg == CALC:
                s.rest_reg <<= s.rest_out[end]
                s.shifted_reg <<= s.shifted[end]
                s.weight_reg <<= s.weight[end]
                s.quotient_reg <<= s.quotient_out[end]

        @update
        def comb_ports():
            s.recv.rdy @= s.state_reg == IDLE
            s.send.val @= s.state_reg == DONE

        s.remainder = Wire(mk_bits(divisor_nbits))
        s.send.msg.quotient //= s.quotient_reg
        s.send.msg.remainder //= s.remainder
        width = min(dividend_nbits, divisor_nbits)
        s.remainder[0:width] //= s.rest_reg[0:width]
        if width < divisor_nbits:
            s.remainder[width:divisor_nbits] //= 0

    def line_trace(s):
        return f"{s.recv}(){s.send}"
