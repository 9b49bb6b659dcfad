"""The carry-save sum of a lane, the low digits that it has dropped, and how its carries resolve.

The iterations of a product or of a reduction add to the sum. The low digits are those that the last
iterations dropped from the sum.
"""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, concat, mk_bits, update, update_ff, zext

from rsaxcel.fl.multipliers.mont_orup import MontOrup
from rsaxcel.rtl.lib.carry_save import CarrySaveTree
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

        s.carries_reg = Wire(Carries)  #: carry into each segment
        s.carries = Wire(Carries)
        s.full = Wire(Carries)  #: the sum of the segment is all ones: a carry passes through it
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


class RunningSum(Component):
    """Drops the low digit of the sum in each iteration, and adds the rows of the iteration.

    Two registers hold the sum S plus a constant offset in carry-save form; the offset keeps the
    value positive. A quotient digit is used d iterations after it is found (d is
    ``golden.quotient_delay``). So the low digits of the last d iterations belong to the result, and
    stay in a register of their own. With row registers, the rows of an iteration are reduced to a
    few rows one cycle before they are added to the sum.

    Parameters
    ----------
    golden : fl.multipliers.mont_orup.MontOrup; golden model of the lane: widths, numbers of digits
        and of registers

    Ports
    -----
    rows : in, sum_nbits bits each; rows of ``ProductRows``
    low : in, digit_nbits + 1 bits; sum of the low digits (``QuotientDigit``)
    decodes : in, 1 bit; a pass begins: the sum becomes 0, or b_first
    adds_b_first : in, 1 bit; with ``decodes``: the sum becomes b_first
    b_first : in, residue_nbits bits; number that is added to a product without a reduction
    injects : in, 1 bit; the sum becomes ``digit``
    digit : in, digit_nbits bits; digit of a reduction
    accumulates : in, 1 bit; the sum takes the rows
    keeps_low : in, 1 bit; the low digit belongs to the result, as it is; otherwise it is a signed
        digit of the quotient
    sum, carry : out, sum_nbits bits each; the two registers
    known : out, d * digit_nbits bits; the low digits that the last d iterations dropped
    """

    def construct(s, golden: MontOrup):
        k, d, residue_nbits = golden.digit_nbits, golden.quotient_delay, golden.residue_nbits
        width, row_registers = golden.sum_nbits, golden.row_registers
        known = d * k
        Sum, Known = mk_bits(width), mk_bits(known)
        offset = Sum(1 << residue_nbits + k)  # typed, because a bare literal has 32 bits in Verilog
        nrows = k + 1
        s.rows = [InPort(Sum) for _ in range(nrows)]
        s.low = InPort(k + 1)
        s.decodes = InPort(1)
        s.adds_b_first = InPort(1)
        s.b_first = InPort(residue_nbits)
        s.injects = InPort(1)
        s.digit = InPort(k)
        s.accumulates = InPort(1)
        s.keeps_low = InPort(1)
        s.sum = OutPort(Sum)
        s.carry = OutPort(Sum)
        s.known = OutPort(Known)

        s.sum_reg = Wire(Sum)
        s.carry_reg = Wire(Sum)
        s.known_reg = Wire(Known)
        s.sum //= s.sum_reg
        s.carry //= s.carry_reg
        s.known //= s.known_reg

        #: The sum without its low digit. The carry out of the low digit is added to the rest, and
        #: another 1 if the low digit is a signed digit and negative.
        s.shifted_sum = Wire(Sum)
        s.shifted_carry = Wire(Sum)
        s.shifted_sum[0 : width - k] //= s.sum_reg[k:width]
        s.shifted_sum[width - k : width] //= 0
        s.shifted_carry[0 : width - k] //= s.carry_reg[k:width]
        s.shifted_carry[width - k : width] //= 0
        s.low_is_negative = Wire(Bits1)
        late_rows = s.rows
        if row_registers:
            s.row_tree = CarrySaveTree(width, nrows, row_registers)
            for port, row in zip(s.row_tree.rows, s.rows, strict=True):
                port //= row
            for port in s.row_tree.carry_in:
                port //= 0
            s.row_reg = [Wire(Sum) for _ in range(row_registers)]

            @update_ff
            def seq_rows():
                for i in range(row_registers):
                    s.row_reg[i] <<= s.row_tree.sums[i]

            late_rows = s.row_reg
        added = (s.shifted_sum, s.shifted_carry, *late_rows)
        s.tree = CarrySaveTree(width, len(added), 2)
        for port, row in zip(s.tree.rows, added, strict=True):
            port //= row
        s.tree.carry_in[0] //= s.low_is_negative
        s.tree.carry_in[1] //= s.low[k]

        s.injected = Wire(Sum)
        s.injected[0:k] //= s.digit
        s.injected[k:width] //= 1 << residue_nbits
        s.first_sum = Wire(Sum)

        @update
        def comb_low_is_negative():
            s.low_is_negative @= s.low[k - 1] & ~s.keeps_low

        @update
        def comb_first_sum():
            s.first_sum @= offset
            if s.adds_b_first:
                s.first_sum @= offset | (zext(s.b_first, Sum) << k)

        @update_ff
        def seq_sum():
            if s.injects:
                s.sum_reg <<= s.injected
                s.carry_reg <<= 0
            elif s.accumulates:
                s.sum_reg <<= s.tree.sums[0]
                s.carry_reg <<= s.tree.sums[1]
            elif s.decodes:
                s.sum_reg <<= s.first_sum
                s.carry_reg <<= 0

        if d > 1:

            @update_ff
            def seq_known():
                if s.keeps_low:
                    s.known_reg <<= concat(s.low[0:k], s.known_reg[k:known])

        else:

            @update_ff
            def seq_known_digit():
                if s.keeps_low:
                    s.known_reg <<= s.low[0:k]
