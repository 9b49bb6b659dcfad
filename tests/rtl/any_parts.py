"""Parts of a MontOrup lane with checks of their sums, for proofs: ``wrong`` must stay 0."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, sext, update, zext

from rsaxcel.rtl.lib.carry_save import CarrySaveTree
from rsaxcel.rtl.multipliers.mont_orup.booth import BoothDigits
from rsaxcel.rtl.multipliers.mont_orup.rows import ProductRows


class AnyTree(Component):
    """A carry-save tree; ``wrong``: sums of inputs and outputs differ modulo ``2**nbits``."""

    def construct(s, nbits, rows, left):
        Row = mk_bits(nbits)
        s.rows = [InPort(Row) for _ in range(rows)]
        carries = min(rows - left, 2)
        s.carry_in = [InPort(1) for _ in range(carries)]
        s.wrong = OutPort(1)
        s.tree = CarrySaveTree(nbits, rows, left)
        for i in range(rows):
            s.tree.rows[i] //= s.rows[i]
        for i in range(carries):
            s.tree.carry_in[i] //= s.carry_in[i]
        s.sum_in = Wire(Row)
        s.sum_out = Wire(Row)

        @update
        def comb_sum_in():
            s.sum_in @= 0
            for i in range(rows):
                s.sum_in @= s.sum_in + s.rows[i]
            for i in range(carries):
                s.sum_in @= s.sum_in + zext(s.carry_in[i], Row)

        @update
        def comb_sum_out():
            s.sum_out @= 0
            for i in range(left):
                s.sum_out @= s.sum_out + s.tree.sums[i]

        @update
        def comb_wrong():
            s.wrong @= s.sum_in != s.sum_out


class AnyRows(Component):
    """Rows for any digits, B and M2; ``wrong``: their sum is not a * B + q * M2 + constant."""

    def construct(s, nbits, residue_nbits, digit_nbits):
        Digit, Sum = mk_bits(digit_nbits), mk_bits(residue_nbits + digit_nbits + 2)
        count, constant = digit_nbits + 1, (1 << digit_nbits) - 1 << residue_nbits
        s.b = InPort(residue_nbits)
        s.m2 = InPort(nbits)
        s.a_digit = InPort(Digit)
        s.below = InPort(1)
        s.q_digit = InPort(Digit)
        s.wrong = OutPort(1)
        s.a = BoothDigits(digit_nbits)
        s.q = BoothDigits(digit_nbits)
        s.a.digit //= s.a_digit
        s.a.below //= s.below
        s.q.digit //= s.q_digit
        s.q.below //= 0
        s.rows = ProductRows(nbits, residue_nbits, digit_nbits)
        s.rows.b //= s.b
        s.rows.m2 //= s.m2
        for part in ("one", "two", "negative"):
            for name, digits in (("a", s.a), ("q", s.q)):
                port = getattr(s.rows, f"{name}_{part}")
                port //= getattr(digits, part)
        s.total = Wire(Sum)
        s.expected = Wire(Sum)

        @update
        def comb_total():
            s.total @= 0
            for i in range(count):
                s.total @= s.total + zext(s.rows.rows[i], Sum)

        @update
        def comb_expected():
            s.expected @= (
                (sext(s.a_digit, Sum) + zext(s.below, Sum)) * sext(s.b, Sum)
                + sext(s.q_digit, Sum) * zext(s.m2, Sum)
                + constant
            )

        @update
        def comb_wrong():
            s.wrong @= s.total != s.expected
