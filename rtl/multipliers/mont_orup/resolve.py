"""CarryResolve: a number in carry-save form as one, in three cycles."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update, update_ff, zext

from rtl.lib.prefix_carries import PrefixCarries


class CarryResolve(Component):
    """``sum + carry`` above digits that are known, in segments of a digit.

    In the first cycle the segments are added up one by one, in the second one the carries between
    them are found, in the third one they are added. What the first and the third one give is
    registered outside, where the second and the third one look at it.

    Parameters
    ----------
    nbits : int
        Width of the result in bits.
    digit_nbits : int
        Bits of a digit, and of a segment.
    known : int
        Digits at the bottom that are known; they are right from the first cycle on.

    Ports
    -----
    sum, carry : in, nbits - known * digit_nbits bits each
    digits : in, known * digit_nbits bits; the digits that are known
    added : out, nbits bits; the segments added up one by one
    first, second : in, 1 bit each; these cycles
    held : in, nbits bits; what was added up, in the second and the third cycle
    resolved : out, nbits bits; the result, in the third cycle
    """

    def construct(s, nbits, digit_nbits, known):
        bottom = known * digit_nbits
        segments = -(-nbits // digit_nbits)
        Carries = mk_bits(segments)
        s.sum = InPort(nbits - bottom)
        s.carry = InPort(nbits - bottom)
        s.digits = InPort(bottom)
        s.added = OutPort(nbits)
        s.first = InPort(1)
        s.second = InPort(1)
        s.held = InPort(nbits)
        s.resolved = OutPort(nbits)

        s.carries_reg = Wire(Carries)  # into each segment
        s.carries = Wire(Carries)
        s.full = Wire(Carries)  # the segment hands a carry on
        s.added[0:bottom] //= s.digits
        s.segment = [SegmentAdder(digit_nbits) for _ in range(segments)]
        for i, segment in enumerate(s.segment):
            low = i * digit_nbits
            high = min(low + digit_nbits, nbits)
            width = high - low
            if i >= known:
                segment.x[0:width] //= s.sum[low - bottom : high - bottom]
                segment.y[0:width] //= s.carry[low - bottom : high - bottom]
                s.added[low:high] //= segment.sum[0:width]
            else:
                segment.x[0:width] //= 0
                segment.y[0:width] //= 0
            segment.held[0:width] //= s.held[low:high]
            if width < digit_nbits:
                for port in (segment.x, segment.y, segment.held):
                    port[width:digit_nbits] //= 0
            segment.carry_in //= s.carries_reg[i]
            s.resolved[low:high] //= segment.incremented[0:width]
            s.full[i] //= segment.full
            if i + 1 < segments:
                s.carries[i + 1] //= segment.carry
        s.carries[0] //= 0

        s.prefix = PrefixCarries(segments)
        s.prefix.makes //= s.carries_reg
        s.prefix.passes[0] //= 0
        s.prefix.passes[1:segments] //= s.full[0 : segments - 1]

        @update_ff
        def seq_carries():
            if s.first:
                s.carries_reg <<= s.carries
            elif s.second:
                s.carries_reg <<= s.prefix.carries


class SegmentAdder(Component):
    """A segment's own addition, and the carry that reaches it later.

    Parameters
    ----------
    nbits : int
        Bits of the segment.

    Ports
    -----
    x, y : in, nbits bits each
    sum : out, nbits bits; ``x + y`` without its carry
    carry : out, 1 bit
    held : in, nbits bits; the sum that is held
    full : out, 1 bit; it is all ones
    carry_in : in, 1 bit
    incremented : out, nbits bits; ``held + carry_in``, where no carry leaves it or nobody cares

    Combinational.
    """

    def construct(s, nbits):
        Number = mk_bits(nbits)
        Wide = mk_bits(nbits + 1)
        s.x = InPort(Number)
        s.y = InPort(Number)
        s.sum = OutPort(Number)
        s.carry = OutPort(1)
        s.held = InPort(Number)
        s.full = OutPort(1)
        s.carry_in = InPort(1)
        s.incremented = OutPort(Number)
        s.total = Wire(Wide)
        s.sum //= s.total[0:nbits]
        s.carry //= s.total[nbits]

        @update
        def comb_segment():
            s.total @= zext(s.x, Wide) + zext(s.y, Wide)
            s.full @= ~s.held == 0
            s.incremented @= s.held + zext(s.carry_in, Number)
