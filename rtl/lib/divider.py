"""Iterative restoring divider."""

from pymtl3 import (
    Bits1,
    Bits2,
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    concat,
    mk_bits,
    update,
    update_ff,
    zext,
)
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import message


class SkipZeros(Component):
    """Computes the state from which a restoring division starts, to skip groups of leading zeros.

    A quotient has at most k bits if the dividend without its lowest k bits is below the divisor.
    The division then iterates over these k bits only.

    Parameters
    ----------
    dividend_nbits : int; width of dividend and quotient in bits
    divisor_nbits : int; width of divisor and remainder in bits
    group_nbits : int; quotient bits per group; divides ``dividend_nbits``

    Ports
    -----
    dividend : in, dividend_nbits bits
    divisor : in, divisor_nbits bits
    remainder : out, divisor_nbits bits; partial remainder at the start
    low : out, dividend_nbits bits; the bits of the dividend that are not in ``remainder`` yet, at
        the top; zeros below
    skips : out, 1 bit per group of the quotient, from the top; 1 if this group and all groups above
        it are zero

    Combinational.
    """

    def construct(s, dividend_nbits, divisor_nbits, group_nbits):
        groups = dividend_nbits // group_nbits
        Low = mk_bits(dividend_nbits)
        Compared = mk_bits(max(dividend_nbits, divisor_nbits))
        s.dividend = InPort(dividend_nbits)
        s.divisor = InPort(divisor_nbits)
        s.remainder = OutPort(divisor_nbits)
        s.low = OutPort(dividend_nbits)
        s.skips = [OutPort(1) for _ in range(groups)]

        #: upper[i]: the dividend without its lowest (groups - 1 - i) groups; lower[i]: these
        #: groups, shifted to the top.
        s.upper = [Wire(Compared) for _ in range(groups)]
        s.lower = [Wire(Low) for _ in range(groups)]
        for i in range(groups):
            cut = (groups - 1 - i) * group_nbits
            s.upper[i][0 : dividend_nbits - cut] //= s.dividend[cut:dividend_nbits]
            if Compared.nbits > dividend_nbits - cut:
                s.upper[i][dividend_nbits - cut : Compared.nbits] //= 0
            if cut:
                s.lower[i][dividend_nbits - cut : dividend_nbits] //= s.dividend[0:cut]
            s.lower[i][0 : dividend_nbits - cut] //= 0

        @update
        def comb_skips():
            for i in range(groups):
                s.skips[i] @= s.upper[i] < zext(s.divisor, Compared)

        @update
        def comb_start():
            s.remainder @= 0
            s.low @= s.dividend
            for i in range(groups):
                if s.skips[i]:
                    s.remainder @= s.upper[i][0:divisor_nbits]
                    s.low @= s.lower[i]


IDLE, CALC, DONE = 0, 1, 2


def divider_request(dividend_nbits: int, divisor_nbits: int) -> type:
    """Type of a divider's request: dividend (high * 2**dividend_nbits + low) and divisor."""
    return message(
        f"DivideReq{dividend_nbits}By{divisor_nbits}",
        (("high", divisor_nbits), ("low", dividend_nbits), ("divisor", divisor_nbits)),
    )


def divider_response(dividend_nbits: int, divisor_nbits: int) -> type:
    """Type of a divider's response: quotient (dividend_nbits wide) and remainder."""
    return message(
        f"DivideResp{dividend_nbits}By{divisor_nbits}",
        (("quotient", dividend_nbits), ("remainder", divisor_nbits)),
    )


class Divider(Component):
    """Forms quotient and remainder, ``bits_per_cycle`` quotient bits per cycle.

    The dividend's part ``high`` must be below the divisor and is preloaded as partial remainder;
    the division iterates over the bits of the low part. If the divisor is 0, the quotient is all
    ones and the remainder is the low part (for equal widths and ``high`` = 0), as RISC-V defines
    it.

    Parameters
    ----------
    dividend_nbits : int; width of the dividend's low part and of the quotient, 1 or more bits
    divisor_nbits : int; width of divisor, preloaded high part and remainder, 1 or more bits
    bits_per_cycle : int; quotient bits per cycle; divides ``dividend_nbits``
    skip_nbits : int; width of the groups in which leading zeros of the quotient are skipped; a
        multiple of ``bits_per_cycle`` that divides ``dividend_nbits``. 0: no zeros are skipped, and
        the latency does not depend on the operands

    Ports
    -----
    recv : {high, low, divisor}; ``high`` below the divisor
    send : {quotient, remainder}

    Latency: ``dividend_nbits / bits_per_cycle + 1`` cycles from request to response; one request at
    a time, the next is accepted in the cycle after the response is taken. With ``skip_nbits`` and
    ``high`` = 0, it is ``q / bits_per_cycle + 1``, where q is the number of bits of the quotient,
    rounded up to a multiple of ``skip_nbits``.

    Raises ``ValueError`` if a width is below 1, or ``bits_per_cycle`` or ``skip_nbits`` is not as
    required above.
    """

    def construct(s, dividend_nbits, divisor_nbits, bits_per_cycle=1, skip_nbits=0):
        check_divider(dividend_nbits, divisor_nbits, bits_per_cycle, skip_nbits)
        s.recv = RecvIfcRTL(divider_request(dividend_nbits, divisor_nbits))
        s.send = SendIfcRTL(divider_response(dividend_nbits, divisor_nbits))

        steps = dividend_nbits // bits_per_cycle
        Divisor = mk_bits(divisor_nbits)
        Low = mk_bits(dividend_nbits)
        Partial = mk_bits(divisor_nbits + 1)
        Count = mk_bits(clog2(steps + 1))
        last = Count(steps - 1)

        s.state_reg = Wire(Bits2)
        s.count_reg = Wire(Count)
        s.divisor_reg = Wire(Divisor)
        s.remainder_reg = Wire(Divisor)
        s.low_reg = Wire(Low)  #: dividend bits leave at the top, quotient bits enter at the bottom

        s.remainder = [Wire(Divisor) for _ in range(bits_per_cycle)]
        s.remainder_out = [Wire(Divisor) for _ in range(bits_per_cycle)]
        s.low = [Wire(Low) for _ in range(bits_per_cycle)]
        s.low_out = [Wire(Low) for _ in range(bits_per_cycle)]
        s.partial = [Wire(Partial) for _ in range(bits_per_cycle)]
        s.difference = [Wire(Partial) for _ in range(bits_per_cycle)]
        s.fits = [Wire(Bits1) for _ in range(bits_per_cycle)]
        s.remainder[0] //= s.remainder_reg
        s.low[0] //= s.low_reg
        for i in range(1, bits_per_cycle):
            s.remainder[i] //= s.remainder_out[i - 1]
            s.low[i] //= s.low_out[i - 1]

        s.first_count = Wire(Count)
        s.first_remainder = Wire(Divisor)
        s.first_low = Wire(Low)
        if skip_nbits:
            groups = dividend_nbits // skip_nbits
            s.zeros = SkipZeros(dividend_nbits, divisor_nbits, skip_nbits)
            s.zeros.dividend //= s.recv.msg.low
            s.zeros.divisor //= s.recv.msg.divisor
            s.steps = [Wire(Count) for _ in range(groups)]
            for i in range(groups):
                s.steps[i] //= Count((i + 1) * skip_nbits // bits_per_cycle)

            @update
            def comb_skip():
                s.first_count @= 0
                s.first_remainder @= s.recv.msg.high
                s.first_low @= s.recv.msg.low
                if s.recv.msg.high == 0:
                    s.first_remainder @= s.zeros.remainder
                    s.first_low @= s.zeros.low
                    for i in range(groups):
                        if s.zeros.skips[i]:
                            s.first_count @= s.steps[i]

        else:
            s.first_count //= 0
            s.first_remainder //= s.recv.msg.high
            s.first_low //= s.recv.msg.low

        end = bits_per_cycle - 1
        top = dividend_nbits - 1

        @update
        def comb_divide():
            for i in range(bits_per_cycle):
                s.partial[i] @= concat(s.remainder[i], s.low[i][top])
                s.difference[i] @= s.partial[i] - zext(s.divisor_reg, Partial)
                s.fits[i] @= s.partial[i] >= zext(s.divisor_reg, Partial)
                if s.fits[i]:
                    s.remainder_out[i] @= s.difference[i][0:divisor_nbits]
                else:
                    s.remainder_out[i] @= s.partial[i][0:divisor_nbits]
                s.low_out[i] @= (s.low[i] << 1) | zext(s.fits[i], Low)

        @update_ff
        def seq_state():
            if s.reset:
                s.state_reg <<= IDLE
            elif s.state_reg == IDLE:
                if s.recv.val:
                    s.state_reg <<= CALC
                    if s.first_count == steps:
                        s.state_reg <<= DONE
                    s.count_reg <<= s.first_count
                    s.divisor_reg <<= s.recv.msg.divisor
                    s.remainder_reg <<= s.first_remainder
                    s.low_reg <<= s.first_low
            elif s.state_reg == CALC:
                s.remainder_reg <<= s.remainder_out[end]
                s.low_reg <<= s.low_out[end]
                s.count_reg <<= s.count_reg + 1
                if s.count_reg == last:
                    s.state_reg <<= DONE
            elif s.send.rdy:
                s.state_reg <<= IDLE

        @update
        def comb_ports():
            s.recv.rdy @= s.state_reg == IDLE
            s.send.val @= s.state_reg == DONE

        s.send.msg.quotient //= s.low_reg
        s.send.msg.remainder //= s.remainder_reg

    def line_trace(s):
        return f"{s.recv}(){s.send}"


def check_divider(
    dividend_nbits: int, divisor_nbits: int, bits_per_cycle: int, skip_nbits: int = 0
) -> None:
    """Raise ``ValueError`` for parameters that no divider can have."""
    if dividend_nbits < 1 or divisor_nbits < 1:
        raise ValueError(f"divider widths {dividend_nbits}/{divisor_nbits}: must be 1 bit or more")
    if bits_per_cycle < 1 or dividend_nbits % bits_per_cycle:
        raise ValueError(
            f"bits_per_cycle {bits_per_cycle} must divide the dividend's {dividend_nbits} bits"
        )
    if skip_nbits < 0 or (
        skip_nbits and (skip_nbits % bits_per_cycle or dividend_nbits % skip_nbits)
    ):
        raise ValueError(
            f"skip_nbits {skip_nbits} must be a multiple of bits_per_cycle {bits_per_cycle} and "
            f"divide the dividend's {dividend_nbits} bits"
        )
