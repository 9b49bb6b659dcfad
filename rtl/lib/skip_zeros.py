"""SkipZeros: finds where a division can start, so that leading zeros of a quotient are skipped."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update, zext


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

        # upper[i]: the dividend without its lowest (groups - 1 - i) groups; lower[i]: these groups,
        # shifted to the top.
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
