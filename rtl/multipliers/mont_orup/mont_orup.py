"""MontOrup: a lane that keeps its last result as operand b of the next product.

The lane fetches operand a digit by digit.
"""

from collections.abc import Mapping
from typing import Any

from pymtl3 import Component, Wire, concat, connect, mk_bits, update, update_ff, zext

from rsaxcel.fl.multipliers import MontOrup as Golden
from rsaxcel.rtl.lib.adjust import connect_low, connect_named
from rsaxcel.rtl.lib.digit_lane import add_lane_ports
from rsaxcel.rtl.multipliers.mont_orup.booth import MAGNITUDES
from rsaxcel.rtl.multipliers.mont_orup.control import LaneControl
from rsaxcel.rtl.multipliers.mont_orup.operand_digits import DigitSelect, OperandDigits
from rsaxcel.rtl.multipliers.mont_orup.quotient_digit import DivisionDigit, QuotientDigit
from rsaxcel.rtl.multipliers.mont_orup.rows import ProductRows
from rsaxcel.rtl.multipliers.mont_orup.running_sum import CarryResolve, RunningSum
from rsaxcel.rtl.multipliers.mont_orup.triple import Triple

_SEGMENT_NBITS = 8  #: most bits of a segment in which carries are resolved


class MontOrup(Component):
    """Computes ``a * b / R`` modulo an odd m; operand b is the last result, or is loaded.

    B is the register of operand b. M2 is a number that is computed from m; the delay d of quotient
    digits is 1 or 2 iterations (``fl.multipliers.mont_orup`` defines both). An iteration drops the
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
    pipeline : str; registers within an iteration (``fl.multipliers.mont_orup``)
    quotient_radix : int; radix of the digits that select multiples of M2: 4 or 8
    doubles, whole_digits, order_digits : see ``rtl.lib.digit_lane``

    Ports
    -----
    The ports of ``rtl.lib.digit_lane``.

    Latency: ``answers`` comes n + 1 cycles after a product is accepted, where n = na + d + 1, and
    na is the number of digits of operand a. ``answers`` comes one cycle later with row registers,
    and ``plan.kept_results.LOAD_CYCLES`` later if B is loaded. The next product may be accepted one
    cycle after ``answers``.

    Source: ``fl.multipliers.mont_orup``.
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
        add_lane_ports(s, golden, doubles, whole_digits, order_digits, s.copied)
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
