"""CarryResolve: converts a number from carry-save form to binary, in three cycles."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update, update_ff, zext

from rsaxcel.rtl.lib.prefix_carries import PrefixCarries


class CarryResolve(Component):
    """Adds ``sum + carry`` in segments as wide as a digit, above low digits that are known.

    The lane keeps the sums of the segments, and then the result, in one register::

        cycle  port or register  computed in this cycle
        -----  ----------------  ------------------------------------------------------
        1      ``added``         each segment is added alone; its carry is registered
        2      carries_reg       carries pass through segments that are all ones
        3      ``resolved``      each segment takes the carry from below

    Parameters
    ----------
    nbits : int; width of the result in bits
    digit_nbits : int; bits of a digit, and of a segment
    known : int; number of low digits that are known; they need no addition

    Ports
    -----
    sum, carry : in, nbits - known * digit_nbits bits each
    digits : in, known * digit_nbits bits; the digits that are known
    added : out, nbits bits; in the first cycle: sums of the segments, without their carries
    first, second : in, 1 bit each; it is the first cycle; the second cycle
    sums : in, nbits bits; in the second and the third cycle: ``added`` from the register
    resolved : out, nbits bits; in the third cycle: the result
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
        s.sums = InPort(nbits)
        s.resolved = OutPort(nbits)

        s.carries_reg = Wire(Carries)  # into each segment
        s.carries = Wire(Carries)
        s.full = Wire(Carries)  # the segment propagates a carry
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
            segment.partial[0:width] //= s.sums[low:high]
            if width < digit_nbits:
                for port in (segment.x, segment.y, segment.partial):
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
    """Adds a segment alone, and later the carry from below.

    Parameters
    ----------
    nbits : int; bits of the segment

    Ports
    -----
    x, y : in, nbits bits each
    sum, carry : out, nbits and 1 bits; ``x + y``
    partial : in, nbits bits; ``sum`` from the register
    full : out, 1 bit; ``partial`` is all ones, so that a carry from below passes through
    carry_in : in, 1 bit
    incremented : out, nbits bits; ``partial + carry_in`` modulo ``2**nbits``

    Combinational.
    """

    def construct(s, nbits):
        Number = mk_bits(nbits)
        Wide = mk_bits(nbits + 1)
        s.x = InPort(Number)
        s.y = InPort(Number)
        s.sum = OutPort(Number)
        s.carry = OutPort(1)
        s.partial = InPort(Number)
        s.full = OutPort(1)
        s.carry_in = InPort(1)
        s.incremented = OutPort(Number)
        s.total = Wire(Wide)
        s.sum //= s.total[0:nbits]
        s.carry //= s.total[nbits]

        @update
        def comb_segment():
            s.total @= zext(s.x, Wide) + zext(s.y, Wide)
            s.full @= ~s.partial == 0
            s.incremented @= s.partial + zext(s.carry_in, Number)
