"""Blocks of ``MontOrup``: recoded digits, the multiples that they select, and the quotient."""

from __future__ import annotations

from rsaxcel.fl.multipliers.mont_orup import MontOrup
from rsaxcel.lab.proofs.blocks.block import Block, BlockPort, Specification, congruent, total
from rsaxcel.rtl.multipliers.mont_orup.booth import BoothDigits, BoothRow
from rsaxcel.rtl.multipliers.mont_orup.quotient_digit import QuotientDigit
from rsaxcel.rtl.multipliers.mont_orup.rows import ProductRows


def _check_digit(nbits: int) -> None:
    if nbits < 4 or nbits % 2:
        raise ValueError(f"digit of {nbits} bits: an even number, 4 or more, is allowed")


def _radix_4(count: int, prefix: str = "") -> str:
    """Return the formula of the value of radix-4 digits, from -2 to 2."""

    def bit(part: str, j: int) -> str:
        return f"(({prefix}{part} >> {j}) & 1)"

    digits = (
        f"{4**j} * (1 - 2*{bit('NEGATIVE', j)}) * ({bit('ONE', j)} + 2*{bit('TWO', j)})"
        for j in range(count)
    )
    return total(list(digits))


def _multiple(count: int, prefix: str, number: str) -> str:
    """Return the formula of a number times the value of radix-4 digits, by sums."""

    def term(j: int) -> str:
        one, two, negative = (f"{prefix}{x}[{j}]" for x in ("ONE", "TWO", "NEGATIVE"))
        magnitude = f"({one} ? {number} : {two} ? 2*{number} : 0)"
        return f"{4**j} * ({negative} ? -{magnitude} : {magnitude})"

    return total([term(j) for j in range(count)])


def _booth_digits(n: int) -> Specification:
    _check_digit(n)
    count = n // 2
    return Specification(
        lambda: BoothDigits(n),
        (BlockPort("digit", n, True), BlockPort("below", 1)),
        (BlockPort("one", count), BlockPort("two", count), BlockPort("negative", count)),
        f"(ONE & TWO) == 0 && (ONE | TWO | NEGATIVE) == (ONE | TWO) && "
        f"{_radix_4(count)} == DIGIT + BELOW",
    )


def _booth_row(n: int, signed: int) -> Specification:
    if signed not in (0, 1):
        raise ValueError(f"signed={signed}: 0 and 1 are allowed")
    width = n if signed else n + 1
    return Specification(
        lambda: BoothRow(n, bool(signed)),
        (
            BlockPort("number", n, bool(signed)),
            BlockPort("one", 1),
            BlockPort("two", 1),
            BlockPort("negative", 1),
        ),
        (BlockPort("multiple", width), BlockPort("sign", 1), BlockPort("positive", 1)),
        f"MULTIPLE - {1 << width} * SIGN + NEGATIVE == {_radix_4(1)} * NUMBER && "
        "SIGN + POSITIVE == 1",
        "ONE + TWO < 2",
    )


def _product_rows(n: int, digit_nbits: int) -> Specification:
    _check_digit(digit_nbits)
    k, count, residue_nbits = digit_nbits, digit_nbits // 2, n + digit_nbits + 4
    parts = ("one", "two", "negative")
    half, constant = 1 << k - 1, ((1 << k) - 1) << residue_nbits
    a, q = (_radix_4(count, prefix) for prefix in ("A_", "Q_"))
    return Specification(
        lambda: ProductRows(n, residue_nbits, k),
        (
            BlockPort("b", residue_nbits, True),
            BlockPort("m2", n),
            *(BlockPort(f"{name}_{part}", count) for name in "aq" for part in parts),
        ),
        (BlockPort("rows", residue_nbits + k + 1, count=2 * count + 1),),
        f"{total([f'ROWS_{i}' for i in range(2 * count + 1)])} == "
        f"{_multiple(count, 'A_', 'B')} + {_multiple(count, 'Q_', 'M2')} + {constant}",
        f"(A_ONE & A_TWO) == 0 && (Q_ONE & Q_TWO) == 0 && -{half} <= {a} && {a} <= {half} && "
        f"-{half} <= {q} && {q} < {half}",
    )


def _quotient_digit(n: int, registers: int) -> Specification:
    _check_digit(n)
    if registers not in (1, 2):
        raise ValueError(f"registers={registers}: 1 and 2 are allowed")
    golden = MontOrup(max(n, 4), n, "quotient" if registers == 2 else "none")
    half, value = 1 << n - 1, _radix_4(n // 2)
    used = f"({congruent(value, 'LOW', n)} && -{half} <= {value} && {value} < {half})"
    return Specification(
        lambda: QuotientDigit(golden),
        (BlockPort("sum", n), BlockPort("carry", n), BlockPort("uses", 1)),
        (BlockPort("low", n + 1), *(BlockPort(x, n // 2) for x in ("one", "two", "negative"))),
        f"LOW == SUM + CARRY && (ONE & TWO) == 0 && (USES == 1 ? {used} : {value} == 0)",
        cycles=registers,
    )


DIGITS = (
    Block(
        "booth_digits",
        "the radix-4 digits, from -2 to 2, are worth digit + below",
        _booth_digits,
        most_nbits=16,
        least_nbits=4,
    ),
    Block(
        "booth_row",
        "multiple and sign are the radix-4 digit times the number, less 1 if negative",
        _booth_row,
        most_nbits=20,
        params={"signed": 1},
        variants=({}, {"signed": 0}),
    ),
    Block(
        "product_rows",
        "the rows add up to a * b + q * m2 and a constant, for signed digits a and q",
        _product_rows,
        nbits=7,  # each bit of the operands doubles the time: a minute at 8 bits
        most_nbits=8,
        least_nbits=3,
        params={"digit_nbits": 4},
    ),
    Block(
        "quotient_digit",
        "low = sum + carry, and the radix-4 digits are its signed low digit",
        _quotient_digit,
        most_nbits=12,
        least_nbits=4,
        params={"registers": 1},
        variants=({}, {"registers": 2}),
    ),
)
