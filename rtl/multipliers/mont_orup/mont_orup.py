"""MontOrup: a lane that keeps its last result as operand b of the next product.

The lane fetches operand a digit by digit.
"""

from collections.abc import Mapping
from typing import Any

from pymtl3 import (
    Bits1,
    Component,
    InPort,
    OutPort,
    Wire,
    concat,
    connect,
    mk_bits,
    update,
    update_ff,
    zext,
)

from rsaxcel.fl.multipliers import MontOrup as Golden
from rsaxcel.rtl.lib.adjust import connect_low, connect_named
from rsaxcel.rtl.lib.agreement import add_agreement
from rsaxcel.rtl.lib.lanes import COPIED_IN, COPIED_OUT, add_kept_lane_ports
from rsaxcel.rtl.multipliers.mont_orup.booth import MAGNITUDES, BoothDigits
from rsaxcel.rtl.multipliers.mont_orup.control import OUTPUTS, LaneControl
from rsaxcel.rtl.multipliers.mont_orup.quotient_digit import DivisionDigit, QuotientDigit
from rsaxcel.rtl.multipliers.mont_orup.rows import ProductRows
from rsaxcel.rtl.multipliers.mont_orup.running_sum import CarryResolve, RunningSum


class Triple(Component):
    """Forms ``3 x = x + 2 x``, a digit in each cycle, the lowest digit of x first.

    Parameters
    ----------
    nbits : int; width of x in bits
    digit_nbits : int; k: bits of a digit
    count : int; number of digits of ``3 x``, 2 or more

    Ports
    -----
    starts : in, 1 bit; the first digit comes in the next cycle
    takes : in, 1 bit; ``digit`` is the next digit of x
    digit : in, digit_nbits bits
    triple : out, nbits + 2 bits; ``3 x`` from the cycle after the last digit on

    Latency: ``count`` cycles.
    """

    def construct(s, nbits, digit_nbits, count):
        k, top = digit_nbits, digit_nbits * count
        Wide = mk_bits(k + 1)
        s.starts = InPort(1)
        s.takes = InPort(1)
        s.digit = InPort(k)
        s.triple = OutPort(nbits + 2)
        s.triple_reg = Wire(top)
        s.below_reg = Wire(Bits1)  #: highest bit of the last digit
        s.carry_reg = Wire(Bits1)
        s.sum = Wire(Wide)
        s.triple //= s.triple_reg[0 : nbits + 2]

        @update
        def comb_sum():
            s.sum @= (
                zext(s.digit, Wide)
                + zext(concat(s.digit[0 : k - 1], s.below_reg), Wide)
                + zext(s.carry_reg, Wide)
            )

        @update_ff
        def seq_triple():
            if s.starts:
                s.below_reg <<= 0
                s.carry_reg <<= 0
            elif s.takes:
                s.below_reg <<= s.digit[k - 1]
                s.carry_reg <<= s.sum[k]
                s.triple_reg <<= concat(s.sum[0:k], s.triple_reg[k:top])


class DigitSelect(Component):
    """The registers of ``OperandDigits`` that select a digit, alone also as their copy.

    Parameters
    ----------
    golden : fl.multipliers.MontOrup; golden model of the lane: widths, numbers of digits
        and of registers
    copied : bool; the registers are compared with a copy, or are the copy

    Ports
    -----
    begins, fetches, decodes, iterates : in, 1 bit each; see ``LaneControl``
    doubling : in, 1 bit; operand a has twice the digits of a residue
    follows : in, 1 bit; until the second digits begin: they are the upper digits of the same
        number; 0: they are a second number
    prepare : in, 1 bit; the product is aborted
    select : out, golden.digits bits; number (one-hot) of the digit that is fetched; 0: none
    shifts : out, 1 bit; in the next cycle, the digit after the one that is selected is selected, if
        there is one
    second : out, 1 bit; second digits are selected
    joining : out, 1 bit; only if ``copied``: the second digits begin, and belong to the same
        number
    """

    #: Inputs from ``LaneControl``.
    of_control: tuple[str, ...] = ("begins", "fetches", "decodes", "iterates", "doubling")

    def construct(s, golden: Golden, copied=True):
        top = golden.digits - 1
        for name in (*s.of_control, "follows", "prepare"):
            setattr(s, name, InPort(1))
        s.select = OutPort(golden.digits)
        s.shifts = OutPort(1)
        s.second = OutPort(1)
        s.select_reg = Wire(mk_bits(golden.digits))
        s.second_reg = Wire(Bits1)
        s.again = Wire(Bits1)  #: the second digits are selected from the next cycle on
        s.joins = Wire(Bits1)  #: first and second digits belong to the same number
        s.select //= s.select_reg
        s.second //= s.second_reg
        if copied:
            s.joining = OutPort(1)
            s.joining //= s.joins

        @update_ff
        def seq_select():
            if s.begins | s.again:
                s.select_reg <<= 1
            elif s.fetches | s.decodes | s.iterates:
                s.select_reg <<= s.select_reg << 1
            else:  # deselect: a selected digit of the message would be shifted out of its register
                s.select_reg <<= 0

        @update
        def comb_again():
            s.again @= s.doubling & s.select_reg[top] & ~s.second_reg
            s.joins @= s.again & s.follows
            s.shifts @= (s.fetches | s.decodes | s.iterates) & ~(s.begins | s.again)

        s.add_second()

    def add_second(s) -> None:
        @update_ff
        def seq_second():
            if s.begins | s.prepare:
                s.second_reg <<= 0
            elif s.again:
                s.second_reg <<= 1


class OperandDigits(DigitSelect):
    """Selects the digits of operand a, the lowest one first, and recodes each to radix-4 digits.

    A digit passes through three stages, and each cycle selects the next one::

        cycle  0                        1                   2
        -----  -----------------------  ------------------  ----------------------------
        digit  ``select``, ``a_digit``  is recoded, signed  ``one``, ``two``, ``negative``

    All digits but the highest one are signed: a digit of k bits is worth 2**k less if its highest
    bit is 1, and the digit above it is worth 1 more. If operand ``a`` has twice the digits of a
    residue, ``select`` goes through all digits twice. The second digits are either the upper digits
    of the same number, or a second number. A pass of a reduction reads no operand a: its digits are
    1, 0, 0, ..., so that the sum takes B (the register of operand b) once.

    Parameters
    ----------
    golden, copied : see ``DigitSelect``

    Ports
    -----
    Those of ``DigitSelect``, and:

    reducing : in, 1 bit; see ``LaneControl``
    a_digit : in, digit_nbits bits; the digit that is selected, in the same cycle
    one, two, negative : out, golden.digit_copies * digit_nbits / 2 bits each; radix-4 digits in
        use, then a copy of them, from registers of their own
    """

    def construct(s, golden: Golden, copied=False):
        k, top = golden.digit_nbits, golden.digits - 1
        copies, count = golden.digit_copies, k // 2
        Digit, Radix4 = mk_bits(k), mk_bits(count)
        super().construct(golden, copied)
        s.reducing = InPort(1)
        s.a_digit = InPort(Digit)
        s.one = OutPort(copies * count)
        s.two = OutPort(copies * count)
        s.negative = OutPort(copies * count)

        s.digit_reg = Wire(Digit)
        s.last_reg = Wire(Bits1)  #: the digit in digit_reg is the highest one of a number
        s.below_reg = Wire(Bits1)  #: sign of the digit below
        s.one_reg = Wire(Radix4)
        s.two_reg = Wire(Radix4)
        s.negative_reg = Wire(Radix4)
        s.recoded = BoothDigits(k)
        s.recoded.digit //= s.digit_reg
        s.recoded.below //= s.below_reg
        s.fetched = Wire(Digit)

        @update
        def comb_fetched():
            s.fetched @= s.a_digit
            if s.reducing:
                s.fetched @= zext(s.select_reg[0], Digit)

        @update_ff
        def seq_digit():
            s.digit_reg <<= s.fetched
            s.last_reg <<= s.select_reg[top] & ~s.joins
            s.below_reg <<= s.digit_reg[k - 1] & ~s.last_reg & ~s.fetches

        @update_ff
        def seq_recoded():
            s.one_reg <<= s.recoded.one
            s.two_reg <<= s.recoded.two
            s.negative_reg <<= s.recoded.negative

        if copies == 1:
            s.one //= s.one_reg
            s.two //= s.two_reg
            s.negative //= s.negative_reg
            return
        # Inverted: equal registers would be merged.
        s.unone_reg = Wire(Radix4)
        s.untwo_reg = Wire(Radix4)
        s.unnegative_reg = Wire(Radix4)

        @update
        def comb_copies():
            s.one @= concat(~s.unone_reg, s.one_reg)
            s.two @= concat(~s.untwo_reg, s.two_reg)
            s.negative @= concat(~s.unnegative_reg, s.negative_reg)

        @update_ff
        def seq_copies():
            s.unone_reg <<= ~s.recoded.one
            s.untwo_reg <<= ~s.recoded.two
            s.unnegative_reg <<= ~s.recoded.negative


_SEGMENT_NBITS = 8  #: most bits of a segment in which carries are resolved


class MontOrup(Component):
    """Computes ``a * b / R`` modulo an odd m; operand b is the last result, or is loaded.

    B is the register of operand b. M2 is a number that is computed from m; the delay d of quotient
    digits is 1 or 2 iterations (``fl.multipliers.MontOrup`` defines both). An iteration drops the
    low digit of the running sum, adds B times a digit of operand a, and adds M2 times the quotient
    digit that was found d iterations earlier. A product with n iterations takes the following
    cycles. In the last ones, ``CarryResolve`` resolves the carries of the sum, in segments of bits.
    With row registers, everything after the rows comes one cycle later::

        cycle   operand digits   rows            running sum       B
        ------  ---------------  --------------  ----------------  -----------------------------
        0       (accepted)                                         of the last product
        1       a_0 is fetched
        2       a_0 is recoded                   becomes 0         is loaded, if it has to be
        3       a_1 is recoded   a_0 * B         takes the rows
        4       a_2 is recoded   a_1 * B + q*M2  takes the rows
        ...     ...              ...             ...
        n + 2   none is left     q * M2          takes the rows    takes the low digits
        n + 3                                    is complete       takes the sums of segments
        n + 4                                                      takes the carries
        n + 5                                                      is the product

    The next product may be accepted in cycle n + 2. A reduction (``ReductionControl``) consists of
    d + 2 similar series of iterations (passes), and of a last pass that adds m or nothing. The
    digit of a pass is not read from operand a, but formed from B. For a new modulus, d + 1 passes
    and the last pass turn B = 1 into M2. If radix-8 digits select the multiples of M2, ``Triple``
    holds 3 M2, or 3 m during a reduction.

    Parameters
    ----------
    nbits : int; width of m in bits
    digit_nbits : int; k, bits of a digit
    pipeline : str; registers within an iteration (``fl.multipliers.MontOrup``)
    quotient_radix : int; radix of the digits that select multiples of M2: 4 or 8
    doubles, whole_digits, order_digits : see ``rtl.lib.lanes``

    Ports
    -----
    The ports of ``rtl.lib.lanes``.

    Latency: ``answers`` comes n + 1 cycles after a product is accepted, where n = na + d + 1, and
    na is the number of digits of operand a. ``answers`` comes one cycle later with row registers,
    and ``plan.kept_results.LOAD_CYCLES`` later if B is loaded. The next product may be accepted one
    cycle after ``answers``.

    Source: ``fl.multipliers.MontOrup``.
    """

    copied = False  #: whether the control is compared with a copy

    measured: Mapping[str, type] = {}  #: lanes with a measure, by the measure's name (`rtl.parts`)

    digits_type, select_type = OperandDigits, DigitSelect

    def construct(
        s,
        nbits,
        digit_nbits,
        pipeline,
        quotient_radix,
        doubles=False,
        whole_digits=0,
        order_digits=0,
    ):
        golden = Golden(nbits, digit_nbits, pipeline, quotient_radix)
        k, d, residue_nbits = digit_nbits, golden.quotient_delay, golden.residue_nbits
        known = d * k
        Residue = mk_bits(residue_nbits)
        add_kept_lane_ports(s, golden, doubles, whole_digits, order_digits, s.copied)
        s.b_reg = Wire(Residue)
        s.m2_reg = Wire(golden.triple_digits * k or nbits)
        s.b //= s.b_reg

        of_control = golden, doubles, whole_digits, order_digits
        s.control = LaneControl(*of_control)
        connect_named(
            s, s.control, "prepare", "offered", "loads", "reduce", "accepts", "answers", "kept"
        )
        s.reduced //= s.control.reduced
        s.control.doubles //= s.doubles if doubles else 0
        s.control.whole //= s.whole if whole_digits or order_digits else 0
        s.control.less //= s.less if order_digits else 0

        s.operand_digits = s.digits_type(golden, s.copied)
        connect_named(s.operand_digits, s.control, *s.operand_digits.of_control, "reducing")
        s.operand_digits.prepare //= s.prepare
        s.operand_digits.follows //= s.follows if doubles else 0
        connect_named(s.operand_digits, s, "select", "shifts", "a_digit")

        s.quotient_digit = QuotientDigit(golden)
        s.quotient_digit.uses //= s.control.quotient
        s.rows = ProductRows(nbits, residue_nbits, k, quotient_radix, golden.digit_copies)
        s.rows.b //= s.b_reg
        s.rows.m2 //= s.m2_reg[0:nbits]
        for prefix, radix, digits in (
            ("a", 4, s.operand_digits),
            ("q", quotient_radix, s.quotient_digit),
        ):
            for name in (*MAGNITUDES[radix], "negative"):
                connect(getattr(s.rows, f"{prefix}_{name}"), getattr(digits, name))

        s.division_digit = DivisionDigit(k)
        s.division_digit.loads //= s.control.loads_digit
        s.division_digit.forms //= s.control.forms_digit
        s.division_digit.takes_sign //= s.control.takes_sign
        s.division_digit.b_low //= s.b_reg[0:k]
        s.division_digit.b_sign //= s.b_reg[residue_nbits - 1]
        connect_low(s.division_digit.m_low, s.m)

        s.running_sum = RunningSum(golden)
        connect_named(s.running_sum, s.control, "decodes", "injects", "accumulates", "keeps_low")
        s.running_sum.adds_b_first //= s.control.takes_m_as_b
        s.running_sum.b_first //= s.b_first
        s.running_sum.digit //= s.division_digit.digit
        s.running_sum.low //= s.quotient_digit.low
        s.quotient_digit.sum //= s.running_sum.sum[0:k]
        s.quotient_digit.carry //= s.running_sum.carry[0:k]
        for port, row in zip(s.running_sum.rows, s.rows.rows, strict=True):
            port //= row

        # The low digits of a product need no carries: B takes them from the last d iterations.
        s.low_digits = Wire(known)
        s.low_digits[known - k : known] //= s.quotient_digit.low[0:k]
        if d > 1:
            s.low_digits[0 : known - k] //= s.b_reg[k:known]
        s.resolve = CarryResolve(residue_nbits - known, min(k, _SEGMENT_NBITS))
        s.resolve.sum //= s.running_sum.sum[0 : residue_nbits - known]
        s.resolve.carry //= s.running_sum.carry[0 : residue_nbits - known]
        s.resolve.first //= s.control.adds
        s.resolve.sums //= s.b_reg[known:residue_nbits]

        s.m_as_b = Wire(nbits)  #: modulus as operand b: m or, because m is odd, m - 1
        s.m_as_b[1:nbits] //= s.m[1:nbits]

        @update
        def comb_m_as_b():
            s.m_as_b[0] @= s.m[0] & ~s.control.takes_less

        @update_ff
        def seq_b():
            if s.prepare:
                s.b_reg <<= 1
            elif s.control.increments:
                s.b_reg <<= concat(s.resolve.resolved, s.b_reg[0:known])
            elif s.control.adds:
                s.b_reg <<= concat(s.resolve.added, s.b_reg[0:known])
            elif s.control.takes_low:
                s.b_reg <<= concat(s.b_reg[known:residue_nbits], s.low_digits)
            elif s.control.takes_b:
                s.b_reg <<= s.b_first
            elif s.control.takes_m_as_b:
                s.b_reg <<= zext(s.m_as_b, Residue)

        if golden.triple_digits:
            s.triple = Triple(nbits, k, golden.triple_digits)
            s.triple.starts //= s.control.triples
            s.triple.takes //= s.control.tripling
            s.triple.digit //= s.m2_reg[0:k]
            s.rows.triple //= s.triple.triple
            s.add_m2_rotated(nbits, k)
        else:

            @update_ff
            def seq_m2():
                if s.control.takes_m:
                    s.m2_reg <<= s.m
                elif s.control.takes_m2:
                    s.m2_reg <<= s.b_reg[0:nbits]

        if doubles:
            s.second //= s.operand_digits.second
        if order_digits:
            s.gives_order //= s.control.gives_order
        if whole_digits or order_digits:
            s.gives //= s.control.gives
            s.digit //= s.quotient_digit.low[0:k]
        s.add_measures(*of_control)

    def add_m2_rotated(s, nbits: int, digit_nbits: int) -> None:
        """Add the register of M2, whose digits come round while the triple is formed."""
        k, top = digit_nbits, s.m2_reg._dsl.Type.nbits
        M2 = mk_bits(top)

        @update_ff
        def seq_m2_rotated():
            if s.control.tripling:
                s.m2_reg <<= concat(s.m2_reg[0:k], s.m2_reg[k:top])
            elif s.control.takes_m:
                s.m2_reg <<= zext(s.m, M2)
            elif s.control.takes_m2:
                s.m2_reg <<= zext(s.b_reg[0:nbits], M2)

    def add_measures(s, *of_control: Any) -> None:
        """Add the circuits of measures; ``of_control`` constructs ``control``."""

    def line_trace(s):
        return f"{s.control.line_trace()} {s.b_reg}"


class SureDigitSelect(DigitSelect):
    """``DigitSelect`` that tells whether a fault has changed when second digits are selected.

    More ports
    ----------
    answers : in, 1 bit; all digits have been selected
    broken : out, 1 bit; the register of ``second`` and its inverted copy are not opposite, or there
        are second digits that were not selected: a fault. (Without second digits, the comparison of
        a checked result would always be good.)
    """

    of_control = (*DigitSelect.of_control, "answers")

    def add_second(s) -> None:
        s.broken = OutPort(1)
        s.unsecond_reg = Wire(Bits1)

        @update
        def comb_broken():
            s.broken @= (
                (s.second_reg == s.unsecond_reg) | (s.answers & s.doubling & s.unsecond_reg)
            ) & ~s.prepare

        @update_ff
        def seq_sure_second():
            if s.begins | s.prepare:
                s.second_reg <<= 0
                s.unsecond_reg <<= 1
            elif s.again:
                s.second_reg <<= 1
                s.unsecond_reg <<= 0


class SureOperandDigits(OperandDigits):
    """``OperandDigits`` with the registers of ``SureDigitSelect``."""

    # No second base class: PyMTL3 would look for the update blocks in one, then in the other.
    of_control, add_second = SureDigitSelect.of_control, SureDigitSelect.add_second


class SureMontOrup(MontOrup):
    """``MontOrup`` for a store that checks the result.

    More ports: ``broken`` (out, 1 bit); see ``SureDigitSelect``.
    """

    digits_type, select_type = SureOperandDigits, SureDigitSelect

    def add_measures(s, *of_control: Any) -> None:
        super().add_measures(*of_control)
        s.broken = OutPort(1)
        s.broken //= s.operand_digits.broken


class DoubledMontOrup(MontOrup):
    """``MontOrup`` with a copy of its control, and of the registers that select digits.

    Its ports include the ``copied`` ones of ``rtl.lib.lanes``.
    """

    copied = True

    def add_measures(s, *of_control: Any) -> None:
        super().add_measures(*of_control)
        s.control_copy = LaneControl(*of_control)
        s.control_copy.prepare //= s.prepare
        for name in COPIED_IN:
            connect(getattr(s.control_copy, name), getattr(s, f"copy_{name}"))
        s.select_copy = s.select_type(of_control[0])
        connect_named(s.select_copy, s.control_copy, *s.select_copy.of_control)
        s.select_copy.prepare //= s.prepare
        s.select_copy.follows //= s.copy_follows
        for name in COPIED_OUT:
            connect(getattr(s, f"copy_{name}"), getattr(s.control_copy, name))
        s.copy_select //= s.select_copy.select
        s.copy_second //= s.select_copy.second

        selected = "select", "second", "joining"
        machine = [getattr(s.control, x) for x in OUTPUTS]
        copy = [getattr(s.control_copy, x) for x in OUTPUTS]
        machine += [getattr(s.operand_digits, x) for x in selected]
        copy += [getattr(s.select_copy, x) for x in selected]
        add_agreement(s, "agreement", machine, copy)
        s.differed //= s.agreement.differed


MontOrup.measured = {"check": SureMontOrup, "states": DoubledMontOrup}
