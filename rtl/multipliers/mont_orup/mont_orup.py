"""MontOrup: a lane that keeps its last result, and fetches the other operand digit by digit."""

from pymtl3 import (
    Bits1,
    Component,
    Wire,
    concat,
    connect,
    mk_bits,
    update,
    update_ff,
    zext,
)

from fl.multipliers.mont_orup import MontOrup as Golden
from rtl.lib.adjust import connect_low
from rtl.lib.carry_save_tree import CarrySaveTree
from rtl.lib.digit_lane import add_lane_ports
from rtl.lib.prefix_carries import PrefixCarries
from rtl.multipliers.mont_orup.booth import BoothDigits
from rtl.multipliers.mont_orup.control import LaneControl
from rtl.multipliers.mont_orup.resolve import CarryResolve
from rtl.multipliers.mont_orup.rows import ProductRows


class MontOrup(Component):
    """``a * b / R`` modulo an odd m; b is the last result, or is loaded.

    The running sum S is kept as two numbers that add up to S and an offset. An iteration adds a
    multiple of B by a digit of a, a multiple of M2 by the quotient's digit of d iterations before,
    and what is left of the sum after its low digit. The low digits of the last d iterations stay
    in the result; three cycles turn the rest into one number.

    M2 is formed here, from 1, by d + 1 digits that make divisible by 2**k; d + 2 of them and an
    addition of m bring a product into 0 .. m - 1. Such a digit is found bit by bit.

    Parameters
    ----------
    nbits : int
        Width of m in bits.
    digit_nbits : int
        k, bits of a digit.
    pipeline : str
        What is registered within an iteration (``fl.multipliers.mont_orup``).
    doubles, whole_digits
        See ``rtl.lib.digit_lane``.

    Ports
    -----
    Those of ``rtl.lib.digit_lane``.

    Latency: from accepting a product to ``answers`` na + d + 4 cycles (na digits), one more with
    row registers, and one more where B is loaded; the next one is accepted in the cycle after.

    Source: ``fl.multipliers.mont_orup``.
    """

    def construct(s, nbits, digit_nbits, pipeline, doubles=False, whole_digits=0):
        golden = Golden(nbits, digit_nbits, pipeline)
        k, d, residue_nbits = digit_nbits, golden.quotient_delay, golden.residue_nbits
        row_registers = golden.row_registers
        width = golden.sum_nbits
        known = d * k
        Value = mk_bits(nbits)
        Residue = mk_bits(residue_nbits)
        Sum = mk_bits(width)
        offset = Sum(1 << residue_nbits + k)  # a number of its own has 32 bits in Verilog
        Digit = mk_bits(k)
        Wide = mk_bits(k + 1)
        Select = mk_bits(golden.digits)
        Radix4 = mk_bits(k // 2)
        add_lane_ports(s, golden, doubles, whole_digits)

        s.control = LaneControl(golden, doubles, whole_digits)
        for name in ("prepare", "offered", "loads", "reduce", "accepts", "answers", "kept"):
            connect(getattr(s, name), getattr(s.control, name))
        s.reduced //= s.control.reduced
        s.control.doubles //= s.doubles if doubles else 0
        s.control.whole //= s.whole if whole_digits else 0
        if whole_digits:
            s.gives //= s.control.gives

        # The rows' operands.
        s.b_reg = Wire(Residue)
        s.b //= s.b_reg
        s.m2_reg = Wire(Value)
        s.sum_reg = Wire(Sum)
        s.carry_reg = Wire(Sum)
        s.known_reg = Wire(mk_bits(known))
        s.resolve = CarryResolve(residue_nbits, k, d)
        s.resolve.sum //= s.sum_reg[0 : residue_nbits - known]
        s.resolve.carry //= s.carry_reg[0 : residue_nbits - known]
        s.resolve.digits //= s.known_reg
        s.resolve.first //= s.control.adds
        s.resolve.second //= s.control.finds_carries
        s.resolve.held //= s.b_reg

        if whole_digits:

            @update_ff
            def seq_b_or_m():
                if s.control.increments:
                    s.b_reg <<= s.resolve.resolved
                elif s.control.adds:
                    s.b_reg <<= s.resolve.added
                elif s.control.takes_b:
                    s.b_reg <<= s.b_first
                elif s.control.takes_m_as_b:
                    s.b_reg <<= zext(s.m, Residue)
                elif s.prepare:
                    s.b_reg <<= 1

        else:

            @update_ff
            def seq_b():
                if s.control.increments:
                    s.b_reg <<= s.resolve.resolved
                elif s.control.adds:
                    s.b_reg <<= s.resolve.added
                elif s.control.takes_b:
                    s.b_reg <<= s.b_first
                elif s.prepare:
                    s.b_reg <<= 1

        @update_ff
        def seq_m2():
            if s.control.takes_m:
                s.m2_reg <<= s.m
            elif s.control.takes_m2:
                s.m2_reg <<= s.b_reg[0:nbits]

        # Digits of a: fetched in one cycle, decoded in the next, in use in the one after it.
        s.select_reg = Wire(Select)
        s.select //= s.select_reg
        s.digit_reg = Wire(Digit)
        s.last_reg = Wire(Bits1)  # it is the last one
        s.below_reg = Wire(Bits1)  # sign of the digit before
        s.fetched = Wire(Digit)
        s.a_digits = BoothDigits(k)
        s.a_digits.digit //= s.digit_reg
        s.a_digits.below //= s.below_reg
        top = golden.digits - 1
        s.again = Wire(Bits1)  # the digits begin anew, with the second ones
        s.joins = Wire(Bits1)  # they belong to the same number

        @update
        def comb_fetched():
            s.fetched @= s.a_digit
            if s.control.reducing:  # a pass of a reduction takes B once
                s.fetched @= zext(s.select_reg[0], Digit)

        @update_ff
        def seq_fetch():
            if s.control.begins | s.again:
                s.select_reg <<= 1
            elif s.control.fetches | s.control.decodes | s.control.iterates:
                s.select_reg <<= s.select_reg << 1
            else:  # what is selected is taken, if it is the message's
                s.select_reg <<= 0
            s.digit_reg <<= s.fetched
            s.last_reg <<= s.select_reg[top] & ~s.joins
            s.below_reg <<= s.digit_reg[k - 1] & ~s.last_reg & ~s.control.fetches

        if doubles:
            s.second_reg = Wire(Bits1)
            s.follows_reg = Wire(Bits1)
            s.second //= s.second_reg

            @update
            def comb_again():
                s.again @= s.control.doubling & s.select_reg[top] & ~s.second_reg
                s.joins @= s.again & s.follows_reg

            @update_ff
            def seq_second():
                if s.control.begins:
                    s.second_reg <<= 0
                elif s.again:
                    s.second_reg <<= 1
                if s.prepare:
                    s.follows_reg <<= 0
                elif s.offered & s.accepts:
                    s.follows_reg <<= s.follows

        else:
            s.again //= 0
            s.joins //= 0

        # The quotient's digit: the low digit of the running sum.
        s.low_half = Wire(Digit)
        s.low_carry = Wire(Digit)
        s.low = Wire(Wide)
        s.low_adder = PrefixCarries(k)
        s.low_adder.makes //= s.low_carry
        s.low_adder.passes //= s.low_half
        s.quotient = Wire(Digit)
        s.q_digits = BoothDigits(k)
        s.q_digits.below //= 0

        @update
        def comb_low():
            s.low_half @= s.sum_reg[0:k] ^ s.carry_reg[0:k]
            s.low_carry @= s.sum_reg[0:k] & s.carry_reg[0:k]

        @update
        def comb_low_sum():
            s.low @= (zext(s.low_adder.carries, Wide) << 1) ^ zext(s.low_half, Wide)

        if d > 1 and not row_registers:
            s.quotient_reg = Wire(Digit)
            s.q_digits.digit //= s.quotient_reg
            s.uses = Wire(Bits1)
            s.uses_reg = Wire(Bits1)
            s.uses //= s.uses_reg

            @update_ff
            def seq_quotient():
                s.quotient_reg <<= s.low[0:k]
                s.uses_reg <<= s.control.quotient

        else:
            s.q_digits.digit //= s.low[0:k]
            s.uses = Wire(Bits1)
            s.uses //= s.control.quotient

        s.rows = ProductRows(nbits, residue_nbits, k)
        s.rows.b //= s.b_reg
        s.rows.m2 //= s.m2_reg
        for name in ("a_one", "a_two", "a_negative", "q_one", "q_two", "q_negative"):
            register = Wire(Radix4)
            setattr(s, f"{name}_reg", register)
            port = getattr(s.rows, name)
            port //= register

        @update_ff
        def seq_digits():
            s.a_one_reg <<= s.a_digits.one
            s.a_two_reg <<= s.a_digits.two
            s.a_negative_reg <<= s.a_digits.negative
            s.q_one_reg <<= 0
            s.q_two_reg <<= 0
            s.q_negative_reg <<= 0
            if s.uses:
                s.q_one_reg <<= s.q_digits.one
                s.q_two_reg <<= s.q_digits.two
                s.q_negative_reg <<= s.q_digits.negative

        # The running sum without its low digit, and the rows.
        s.shifted_sum = Wire(Sum)
        s.shifted_carry = Wire(Sum)
        s.shifted_sum[0 : width - k] //= s.sum_reg[k:width]
        s.shifted_sum[width - k : width] //= 0
        s.shifted_carry[0 : width - k] //= s.carry_reg[k:width]
        s.shifted_carry[width - k : width] //= 0
        nrows = k + 1
        late_rows = s.rows.rows
        if row_registers:
            s.row_tree = CarrySaveTree(width, nrows, row_registers)
            for port, row in zip(s.row_tree.rows, s.rows.rows, strict=True):
                port //= row
            for port in s.row_tree.carry_in:
                port //= 0
            s.row_reg = [Wire(Sum) for _ in range(row_registers)]

            @update_ff
            def seq_rows():
                for i in range(row_registers):
                    s.row_reg[i] <<= s.row_tree.sums[i]

            late_rows, nrows = s.row_reg, row_registers
        s.tree = CarrySaveTree(width, nrows + 2, 2)
        added = (s.shifted_sum, s.shifted_carry, *late_rows)
        for port, row in zip(s.tree.rows, added, strict=True):
            port //= row
        s.signed_low = Wire(Bits1)
        s.tree.carry_in[0] //= s.signed_low
        s.tree.carry_in[1] //= s.low[k]

        # A digit that makes B divisible, bit by bit.
        s.rest_reg = Wire(Digit)
        s.given_reg = Wire(Digit)
        s.rest_sum = Wire(Wide)
        s.low_m = Wire(Digit)
        connect_low(s.low_m, s.m)

        @update
        def comb_rest():
            s.rest_sum @= zext(s.rest_reg, Wide)
            if s.rest_reg[0]:
                s.rest_sum @= zext(s.rest_reg, Wide) + zext(s.low_m, Wide)

        @update_ff
        def seq_given():
            if s.control.loads_digit:
                s.rest_reg <<= s.b_reg[0:k]
            elif s.control.forms_digit:
                s.rest_reg <<= s.rest_sum[1 : k + 1]
                s.given_reg <<= concat(s.rest_reg[0], s.given_reg[1:k])
            elif s.control.takes_sign:
                s.given_reg <<= zext(s.b_reg[residue_nbits - 1], Digit)

        s.injected = Wire(Sum)
        s.injected[0:k] //= s.given_reg
        s.injected[k:width] //= 1 << residue_nbits

        @update
        def comb_signed_low():
            s.signed_low @= s.low[k - 1] & ~s.control.keeps_low

        s.first_sum = Wire(Sum)
        if whole_digits:
            s.digit //= s.low[0:k]

            @update
            def comb_first_sum():
                s.first_sum @= offset
                if s.control.takes_m_as_b:
                    s.first_sum @= offset | (zext(s.b_first, Sum) << k)

        else:
            s.first_sum //= offset

        @update_ff
        def seq_sum():
            if s.control.injects:
                s.sum_reg <<= s.injected
                s.carry_reg <<= 0
            elif s.control.accumulates:
                s.sum_reg <<= s.tree.sums[0]
                s.carry_reg <<= s.tree.sums[1]
            elif s.control.decodes:
                s.sum_reg <<= s.first_sum
                s.carry_reg <<= 0

        if d > 1:

            @update_ff
            def seq_known():
                if s.control.keeps_low:
                    s.known_reg <<= concat(s.low[0:k], s.known_reg[k:known])

        else:

            @update_ff
            def seq_known_digit():
                if s.control.keeps_low:
                    s.known_reg <<= s.low[0:k]

    def line_trace(s):
        return f"{s.control.line_trace()} {s.b_reg}"
