"""The carry-save sum of a lane, to which iterations add, and how its carries are resolved."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, mk_bits, update, update_ff, zext

from rsaxcel.fl.multipliers import MontOrup
from rsaxcel.rtl.lib.carry_save import CarrySaveTree
from rsaxcel.rtl.lib.prefix_carries import PrefixCarries, PrefixLevel


class CarryResolve(Component):
    """Adds ``sum + carry`` in segments.

    The lane keeps the sums of the segments, and then the result, in one register::

        cycle  port          computed in this cycle
        -----  ------------  ---------------------------------------------------------------
        1      ``added``     each segment is added alone; it makes a carry, or passes one if its
                             sum is all ones; the same for groups of segments
        2      ``resolved``  each segment takes the carry from all segments below

    Two registers keep the carries that the groups make and pass.

    Parameters
    ----------
    nbits : int; width of the result in bits
    segment_nbits : int; bits of a segment

    Ports
    -----
    sum, carry : in, nbits bits each
    added : out, nbits bits; in the first cycle: sums of the segments, without their carries
    first : in, 1 bit; it is the first cycle
    sums : in, nbits bits; in the second cycle: ``added`` from the register
    resolved : out, nbits bits; in the second cycle: the result
    """

    def construct(s, nbits, segment_nbits):
        segments = -(-nbits // segment_nbits)
        Carries = mk_bits(segments)
        s.sum = InPort(nbits)
        s.carry = InPort(nbits)
        s.added = OutPort(nbits)
        s.first = InPort(1)
        s.sums = InPort(nbits)
        s.resolved = OutPort(nbits)

        s.carries = Wire(Carries)  #: carry into each segment, from the one below
        s.full = Wire(Carries)  #: the segment below is all ones
        s.carries[0] //= 0
        s.full[0] //= 0
        s.carries_reg = Wire(Carries)  #: as `carries`, from the group of segments below
        s.full_reg = Wire(Carries)
        distances = [1 << i for i in range((segments - 1).bit_length())]
        s.levels = [PrefixLevel(segments, distance) for distance in distances]
        s.grouped_carries = Wire(Carries)
        s.grouped_full = Wire(Carries)
        made, passed = s.carries, s.full
        for i, level in enumerate(s.levels):
            if i == len(distances) // 2:
                s.grouped_carries //= made
                s.grouped_full //= passed
                made, passed = s.carries_reg, s.full_reg
            level.makes //= made
            level.passes //= passed
            made, passed = level.made_above, level.passes_above
        s.segment = [SegmentAdder(segment_nbits) for _ in range(segments)]
        for i, segment in enumerate(s.segment):
            low = i * segment_nbits
            high = min(low + segment_nbits, nbits)
            width = high - low
            segment.x[0:width] //= s.sum[low:high]
            segment.y[0:width] //= s.carry[low:high]
            s.added[low:high] //= segment.sum[0:width]
            segment.partial[0:width] //= s.sums[low:high]
            if width < segment_nbits:
                for port in (segment.x, segment.y, segment.partial):
                    port[width:segment_nbits] //= 0
            segment.carry_in //= made[i]
            s.resolved[low:high] //= segment.incremented[0:width]
            if i + 1 < segments:
                s.carries[i + 1] //= segment.carry
                s.full[i + 1] //= segment.full

        @update_ff
        def seq_carries():
            if s.first:
                s.carries_reg <<= s.grouped_carries
                s.full_reg <<= s.grouped_full


class SegmentAdder(Component):
    """Adds a segment alone, and later the carry from below.

    Parameters
    ----------
    nbits : int; bits of the segment

    Ports
    -----
    x, y : in, nbits bits each
    sum, carry : out, nbits and 1 bits; ``x + y``
    full : out, 1 bit; ``sum`` is all ones, so that a carry from below passes through
    partial : in, nbits bits; ``sum`` from the register
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
        s.full = OutPort(1)
        s.partial = InPort(Number)
        s.carry_in = InPort(1)
        s.incremented = OutPort(Number)
        s.total = Wire(Wide)
        s.sum //= s.total[0:nbits]
        s.carry //= s.total[nbits]
        s.flips = Wire(Number)
        s.ones = PrefixCarries(nbits)  # whether all bits below a bit are ones
        s.ones.makes //= 1
        s.ones.passes[0] //= 0
        s.ones.passes[1:nbits] //= s.partial[0 : nbits - 1]

        @update
        def comb_segment():
            s.total @= zext(s.x, Wide) + zext(s.y, Wide)
            # x + y is all ones only without any carry; the sum itself comes later.
            s.full @= ~(s.x ^ s.y) == 0

        @update
        def comb_incremented():
            # A choice between `partial` and its increment would become the enable of its register,
            # and the carries would come too late for a clock gate.
            s.flips @= 0
            if s.carry_in:
                s.flips @= s.ones.carries
            s.incremented @= s.partial ^ s.flips


class RunningSum(Component):
    """Drops the low digit of the sum in each iteration, and adds the rows of the iteration.

    Two registers hold the sum S plus a constant offset in carry-save form; the offset keeps the
    value positive. A quotient digit is used d iterations after it is found (d is
    ``golden.quotient_delay``). So the low digits of the last d iterations belong to the result.
    With row registers, the rows of an iteration are reduced to a few rows one cycle before they are
    added to the sum.

    Parameters
    ----------
    golden : fl.multipliers.MontOrup; golden model of the lane: widths, numbers of digits
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
    """

    def construct(s, golden: MontOrup):
        k, residue_nbits = golden.digit_nbits, golden.residue_nbits
        width, row_registers = golden.sum_nbits, golden.row_registers
        Sum = mk_bits(width)
        offset = Sum(1 << residue_nbits + k)  # typed, because a bare literal has 32 bits in Verilog
        s.rows = [InPort(Sum) for _ in range(golden.rows)]
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

        s.sum_reg = Wire(Sum)
        s.carry_reg = Wire(Sum)
        s.sum //= s.sum_reg
        s.carry //= s.carry_reg

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
            s.row_tree = CarrySaveTree(width, golden.rows, row_registers)
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
