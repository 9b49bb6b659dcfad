"""RunningSum: the carry-save sum of a lane, and the low digits that it has dropped.

The iterations of a product or of a reduction add to the sum. The low digits are those that the last
iterations dropped from the sum.
"""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, concat, mk_bits, update, update_ff, zext

from rsaxcel.fl.multipliers.mont_orup import MontOrup
from rsaxcel.rtl.lib.carry_save_tree import CarrySaveTree


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

        # The sum without its low digit. The carry out of the low digit is added to the rest, and
        # another 1 if the low digit is a signed digit and negative.
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
