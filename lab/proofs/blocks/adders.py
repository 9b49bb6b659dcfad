"""Blocks of bit-serial multipliers and of dividers: iterations, sums with a correction."""

from __future__ import annotations

from rsaxcel.lab.proofs.blocks.block import Block, BlockPort, Specification, congruent, total
from rsaxcel.rtl.lib.add_red import ADD_REDS, AddRedRows, QuotientBits
from rsaxcel.rtl.lib.aligning_divider import AligningDivider
from rsaxcel.rtl.lib.bit_serial import (
    AddCorrect,
    AddHalve,
    AddHalveUnsigned,
    ShiftSub,
    ShiftSubUnsigned,
    SubtractOnce,
)
from rsaxcel.rtl.lib.divider import Divider, check_divider


def _add_red(form: str) -> Block:
    def at(n: int) -> Specification:
        return Specification(
            lambda: ADD_REDS[form](n),
            (BlockPort("s_in", n + 1), BlockPort("x", 1), BlockPort("y", n), BlockPort("n", n)),
            (BlockPort("s_out", n + 1),),
            "S_OUT < 2*N && (2*S_OUT == S_IN + X*Y || 2*S_OUT == S_IN + X*Y + N)",
            "(N & 1) == 1 && Y < N && S_IN < 2*N",
        )

    text = "s_out = (s_in + x * y + q * n) / 2 with q in {0, 1}, and s_out < 2n"
    return Block(f"add_red_{form}", text, at)


def _add_red_rows(n: int, rows: int) -> Specification:
    """Specification of AddRedRows; inputs ``q`` make the sum divisible by 2^rows."""
    added = total([f"{1 << i} * (((X >> {i}) & 1)*Y + ((Q >> {i}) & 1)*N)" for i in range(rows)])
    of_inputs = f"SUM + CARRY + TAIL + {added}"
    return Specification(
        lambda: AddRedRows(n, rows, False),
        (
            BlockPort("sum", n + 1),
            BlockPort("carry", n + 1),
            BlockPort("tail", 1),
            BlockPort("x", rows),
            BlockPort("q", rows),
            BlockPort("y", n),
            BlockPort("n", n),
            BlockPort("y_plus_n", n + 1, formula="Y + N"),
        ),
        (BlockPort("sum_out", n + 1), BlockPort("carry_out", n + 1), BlockPort("tail_out", 1)),
        f"{1 << rows} * (SUM_OUT + CARRY_OUT + TAIL_OUT) == {of_inputs}",
        f"(N & 1) == 1 && Y < N && SUM + CARRY + TAIL < 2*N && {congruent(of_inputs, '0', rows)}",
    )


def _quotient_bits(rows: int) -> Specification:
    added = total([f"{1 << i} * (((X >> {i}) & 1)*Y + ((Q >> {i}) & 1)*N)" for i in range(rows)])
    ports = ("sum", "carry", "x", "y", "n")
    return Specification(
        lambda: QuotientBits(rows),
        (
            *(BlockPort(name, rows) for name in ports),
            BlockPort("tail", 1),
            BlockPort("y_plus_n", rows, formula="Y + N"),
        ),
        (BlockPort("q", rows),),
        congruent(f"SUM + CARRY + TAIL + {added}", "0", rows),
        "(N & 1) == 1",
    )


def _add_halve(n: int) -> Specification:
    half = "T_IN + 2*SCANNED*X"
    return Specification(
        lambda: AddHalve(n),
        (
            BlockPort("t_in", n + 2, True),
            BlockPort("x", n + 2, True),
            BlockPort("scanned", 1),
            BlockPort("correct", 1),
            BlockPort("m", n),
        ),
        (BlockPort("t_out", n + 2, True),),
        # Only a corrected sum is the result; other sums are halved in the next iteration.
        f"(CORRECT == 1) ? (0 <= T_OUT && T_OUT < M && (2*T_OUT == {half} || "
        f"2*T_OUT == {half} + 2*M)) : (-2*M <= T_OUT && T_OUT < 2*M && (T_OUT & 1) == 0 && "
        f"(2*T_OUT == {half} || 2*T_OUT == {half} - 2*M))",
        "(M & 1) == 1 && (T_IN & 1) == 0 && -2*M <= T_IN && T_IN < 2*M && 0 <= X && X < M && "
        "SCANNED + CORRECT < 2",
    )


def _add_halve_unsigned(n: int) -> Specification:
    return Specification(
        lambda: AddHalveUnsigned(n),
        (BlockPort("t_in", n + 1), BlockPort("x", n), BlockPort("scanned", 1), BlockPort("m", n)),
        (BlockPort("t_out", n + 1),),
        "T_OUT < 2*M && (2*T_OUT == T_IN + SCANNED*X || 2*T_OUT == T_IN + SCANNED*X + M)",
        "(M & 1) == 1 && T_IN < 2*M && X < M",
    )


def _shift_sub(n: int) -> Specification:
    product = "P_IN + SCANNED*C_IN"
    return Specification(
        lambda: ShiftSub(n),
        (
            BlockPort("p_in", n + 1, True),
            BlockPort("c_in", n + 1, True),
            BlockPort("scanned", 1),
            BlockPort("correct", 1),
            BlockPort("m", n),
        ),
        (BlockPort("p_out", n + 1, True), BlockPort("c_out", n + 1, True)),
        f"(P_OUT == {product} || P_OUT == {product} + M || P_OUT == {product} - M) && "
        "(CORRECT == 1 ? 0 <= P_OUT : -M <= P_OUT) && P_OUT < M && "
        "(C_OUT == 2*C_IN - M || C_OUT == 2*C_IN + M) && -M <= C_OUT && C_OUT < M",
        "M > 1 && -M <= P_IN && P_IN < M && -M <= C_IN && C_IN < M && SCANNED + CORRECT < 2",
    )


def _shift_sub_unsigned(n: int) -> Specification:
    product = "P_IN + SCANNED*C_IN"
    return Specification(
        lambda: ShiftSubUnsigned(n),
        (BlockPort("p_in", n), BlockPort("c_in", n), BlockPort("scanned", 1), BlockPort("m", n)),
        (BlockPort("p_out", n), BlockPort("c_out", n)),
        f"(P_OUT == {product} || P_OUT == {product} - M) && P_OUT < M && "
        "(C_OUT == 2*C_IN || C_OUT == 2*C_IN - M) && C_OUT < M",
        "M > 1 && P_IN < M && C_IN < M",
    )


def _subtract_once(n: int) -> Specification:
    return Specification(
        lambda: SubtractOnce(n),
        (BlockPort("x", n + 1), BlockPort("m", n)),
        (BlockPort("r", n),),
        "R < M && (R == X || R == X - M)",
        "X < 2*M",
    )


def _add_correct(n: int) -> Specification:
    return Specification(
        lambda: AddCorrect(n, n + 2),
        (
            BlockPort("acc", n + 2, True),
            BlockPort("x", n + 2, True),
            BlockPort("take", 1),
            BlockPort("m", n),
            BlockPort("add", 1),
            BlockPort("subtract", 1),
        ),
        (BlockPort("total", n + 2, True),),
        congruent("TOTAL", "ACC + TAKE*X + ADD*M - SUBTRACT*M", n + 2),
        "ADD + SUBTRACT < 2",
    )


ADDERS = (
    _add_red("serial"),
    _add_red("select"),
    _add_red("own_sum"),
    Block(
        "add_red_rows",
        "2^rows * (sum_out + carry_out + tail_out) = the sum of all rows, if 2^rows divides it",
        _add_red_rows,
        params={"rows": 2},
    ),
    Block(
        "quotient_bits",
        "with the quotient bits, the sum of all rows can be divided by 2^nbits",
        _quotient_bits,
        nbits=6,
        most_nbits=6,
    ),
    Block(
        "add_halve",
        "t_out = t_in / 2 + scanned * x - q * m, even, q in {0, 1}; "
        "corrected: t_in / 2 + q * m, in 0 .. m - 1",
        _add_halve,
    ),
    Block(
        "add_halve_unsigned",
        "t_out = (t_in + scanned * x + q * m) / 2 with q in {0, 1}, and t_out < 2m",
        _add_halve_unsigned,
    ),
    Block(
        "shift_sub",
        "p_out = p_in + scanned * c_in and c_out = 2 * c_in modulo m, both in -m .. m - 1",
        _shift_sub,
    ),
    Block(
        "shift_sub_unsigned",
        "p_out = p_in + scanned * c_in and c_out = 2 * c_in modulo m, both below m",
        _shift_sub_unsigned,
    ),
    Block("subtract_once", "r = x mod m for x < 2m", _subtract_once, most_nbits=14),
    Block(
        "add_correct",
        "total = acc + take * x + add * m - subtract * m, modulo 2^(nbits + 2)",
        _add_correct,
    ),
)


def _ports(n: int) -> tuple[tuple[BlockPort, ...], tuple[BlockPort, ...]]:
    inputs = (BlockPort("high", n), BlockPort("low", n), BlockPort("divisor", n))
    return inputs, (BlockPort("quotient", n), BlockPort("remainder", n))


_RIGHT = (
    "DIVISOR == 0 ? (QUOTIENT == {ones} && REMAINDER == LOW) : "
    "(QUOTIENT*DIVISOR + REMAINDER == HIGH*{weight} + LOW && REMAINDER < DIVISOR)"
)


def _divider(n: int, bits_per_cycle: int, skip_nbits: int) -> Specification:
    check_divider(n, n, bits_per_cycle, skip_nbits)
    return Specification(
        lambda: Divider(n, n, bits_per_cycle, skip_nbits),
        *_ports(n),
        _RIGHT.format(ones=(1 << n) - 1, weight=1 << n),
        "HIGH < DIVISOR || (HIGH == 0 && DIVISOR == 0)",
        cycles=n // bits_per_cycle + 1,
        stream=True,
        fixed=not skip_nbits,
    )


def _aligning_divider(n: int, bits_per_cycle: int) -> Specification:
    check_divider(n, n, bits_per_cycle)
    return Specification(
        lambda: AligningDivider(n, n, bits_per_cycle),
        *_ports(n),
        _RIGHT.format(ones=(1 << n) - 1, weight=1 << n),
        "HIGH == 0",
        cycles=2 * (n // bits_per_cycle) + 2,
        stream=True,
        fixed=False,
    )


_MEANING = (
    "quotient * divisor + remainder = dividend and remainder < divisor; by 0, as in RISC-V: a "
    "quotient of ones, and the dividend as remainder"
)

DIVIDERS = (
    Block(
        "divider",
        _MEANING,
        _divider,
        params={"bits_per_cycle": 1, "skip_nbits": 0},
        variants=({}, {"bits_per_cycle": 4}, {"skip_nbits": 2}),
    ),
    Block(
        "aligning_divider",
        _MEANING,
        _aligning_divider,
        params={"bits_per_cycle": 1},
        variants=({}, {"bits_per_cycle": 2}),
    ),
)
