"""Blocks of ``MontOrup``: recoded digits, the multiples that they select, and the quotient."""

from __future__ import annotations

from functools import partial
from itertools import combinations

from rsaxcel.fl.multipliers import MontOrup
from rsaxcel.lab.proofs.blocks.block import Block, BlockPort, Specification, congruent, total
from rsaxcel.rtl.multipliers.mont_orup.booth import (
    MAGNITUDES,
    BoothDigits,
    BoothDigits8,
    BoothRow,
    BoothRow8,
)
from rsaxcel.rtl.multipliers.mont_orup.quotient_digit import QuotientDigit
from rsaxcel.rtl.multipliers.mont_orup.rows import ProductRows


def _check_digit(nbits: int) -> None:
    if nbits < 4 or nbits % 2:
        raise ValueError(f"digit of {nbits} bits: an even number, 4 or more, is allowed")


def _check_radix(radix: int) -> None:
    if radix not in MAGNITUDES:
        raise ValueError(f"radix={radix}: 4 and 8 are allowed")


def _value(radix: int, count: int, prefix: str = "") -> str:
    """Return the formula of the value of Booth digits."""

    def bit(part: str, j: int) -> str:
        return f"(({prefix}{part.upper()} >> {j}) & 1)"

    digits = (
        f"{radix**j} * (1 - 2*{bit('negative', j)}) * "
        f"({' + '.join(f'{i}*{bit(x, j)}' for i, x in enumerate(MAGNITUDES[radix], 1))})"
        for j in range(count)
    )
    return total(list(digits))


def _multiple(radix: int, count: int, prefix: str, number: str) -> str:
    """Return the formula of a number times the value of Booth digits, by sums."""

    def term(j: int) -> str:
        choice = "0"
        for i, part in enumerate(MAGNITUDES[radix], 1):
            choice = f"{prefix}{part.upper()}[{j}] ? {i}*{number} : {choice}"
        return f"{radix**j} * ({prefix}NEGATIVE[{j}] ? -({choice}) : ({choice}))"

    return total([term(j) for j in range(count)])


def _one_hot(radix: int, prefix: str = "") -> str:
    """Return the formula that at most one magnitude of each Booth digit is set."""
    parts = [prefix + part.upper() for part in MAGNITUDES[radix]]
    return " && ".join(f"({x} & {y}) == 0" for x, y in combinations(parts, 2))


def _booth_digits(n: int, radix: int) -> Specification:
    _check_digit(n)
    _check_radix(radix)
    count = -(-n // (radix.bit_length() - 1))
    below = (BlockPort("below", 1),) if radix == 4 else ()
    any_magnitude = " | ".join(part.upper() for part in MAGNITUDES[radix])
    return Specification(
        lambda: (BoothDigits if radix == 4 else BoothDigits8)(n),
        (BlockPort("digit", n, True), *below),
        tuple(BlockPort(part, count) for part in (*MAGNITUDES[radix], "negative")),
        f"{_one_hot(radix)} && ({any_magnitude} | NEGATIVE) == ({any_magnitude}) && "
        f"{_value(radix, count)} == DIGIT{' + BELOW' if below else ''}",
    )


def _booth_row(n: int, signed: int) -> Specification:
    if signed not in (0, 1):
        raise ValueError(f"signed={signed}: 0 and 1 are allowed")
    width = n if signed else n + 1
    return Specification(
        lambda: BoothRow(n, bool(signed)),
        (
            BlockPort("number", n, bool(signed)),
            *(BlockPort(part, 1) for part in (*MAGNITUDES[4], "negative")),
        ),
        (BlockPort("multiple", width), BlockPort("sign", 1), BlockPort("positive", 1)),
        f"MULTIPLE - {1 << width} * SIGN + NEGATIVE == {_value(4, 1)} * NUMBER && "
        "SIGN + POSITIVE == 1",
        _one_hot(4),
    )


def _booth_row_8(n: int) -> Specification:
    return Specification(
        lambda: BoothRow8(n),
        (
            BlockPort("number", n),
            BlockPort("triple", n + 2, formula="3 * NUMBER"),
            *(BlockPort(part, 1) for part in (*MAGNITUDES[8], "negative")),
        ),
        (BlockPort("multiple", n + 2), BlockPort("sign", 1), BlockPort("positive", 1)),
        f"MULTIPLE - {1 << n + 2} * SIGN + NEGATIVE == {_value(8, 1)} * NUMBER && "
        "SIGN + POSITIVE == 1",
        _one_hot(8),
    )


def _product_rows(n: int, digit_nbits: int, quotient_radix: int) -> Specification:
    _check_digit(digit_nbits)
    k, residue_nbits, eight = digit_nbits, n + digit_nbits + 4, quotient_radix == 8
    counts = {"a": k // 2, "q": -(-k // (quotient_radix.bit_length() - 1))}
    radices = {"a": 4, "q": quotient_radix}
    half, constant = 1 << k - 1, ((1 << k) - 1) << residue_nbits
    a, q = (_value(radices[x], counts[x], f"{x.upper()}_") for x in "aq")
    nrows = sum(counts.values()) + 1
    return Specification(
        lambda: ProductRows(n, residue_nbits, k, quotient_radix),
        (
            BlockPort("b", residue_nbits, True),
            BlockPort("m2", n),
            *((BlockPort("triple", n + 2, formula="3 * M2"),) if eight else ()),
            *(
                BlockPort(f"{name}_{part}", counts[name])
                for name in "aq"
                for part in (*MAGNITUDES[radices[name]], "negative")
            ),
        ),
        (BlockPort("rows", residue_nbits + k + 1, count=nrows),),
        f"{total([f'ROWS_{i}' for i in range(nrows)])} == "
        f"{_multiple(4, counts['a'], 'A_', 'B')} + "
        f"{_multiple(quotient_radix, counts['q'], 'Q_', 'M2')} + {constant}",
        f"{_one_hot(4, 'A_')} && {_one_hot(quotient_radix, 'Q_')} && -{half} <= {a} && "
        f"{a} <= {half} && -{half} <= {q} && {q} < {half}",
    )


def _quotient_digit(n: int, registers: int, radix: int) -> Specification:
    _check_digit(n)
    _check_radix(radix)
    if registers not in (1, 2):
        raise ValueError(f"registers={registers}: 1 and 2 are allowed")
    golden = MontOrup(max(n, 4), n, "quotient" if registers == 2 else "none", radix)
    count = golden.quotient_digits
    half, value = 1 << n - 1, _value(radix, count)
    used = f"({congruent(value, 'LOW', n)} && -{half} <= {value} && {value} < {half})"
    return Specification(
        lambda: QuotientDigit(golden),
        (BlockPort("sum", n), BlockPort("carry", n), BlockPort("uses", 1)),
        (
            BlockPort("low", n + 1),
            *(BlockPort(part, count) for part in (*MAGNITUDES[radix], "negative")),
        ),
        f"LOW == SUM + CARRY && {_one_hot(radix)} && (USES == 1 ? {used} : {value} == 0)",
        cycles=registers,
    )


DIGITS = (
    Block(
        "booth_digits",
        "the digits of the radix, 4 or 8, are worth digit, or digit + below",
        _booth_digits,
        most_nbits=16,
        least_nbits=4,
        params={"radix": 4},
        variants=({}, {"radix": 8}),
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
        "booth_row_8",
        "multiple and sign are the radix-8 digit times the number, less 1 if negative",
        _booth_row_8,
        most_nbits=20,
    ),
    Block(
        "product_rows",
        "the rows add up to a * b + q * m2 and a constant, for signed digits a and q",
        partial(_product_rows, quotient_radix=4),
        nbits=7,  # each bit of the operands doubles the time: a minute at 8 bits
        most_nbits=8,
        least_nbits=3,
        params={"digit_nbits": 4},
    ),
    Block(
        "product_rows_8",
        "product_rows, with radix-8 digits q",
        partial(_product_rows, quotient_radix=8),
        nbits=5,  # there are more digits to try than with radix 4
        most_nbits=6,
        least_nbits=3,
        params={"digit_nbits": 4},
    ),
    Block(
        "quotient_digit",
        "low = sum + carry, and the digits of the radix are its signed low digit",
        _quotient_digit,
        most_nbits=12,
        least_nbits=4,
        params={"registers": 1, "radix": 4},
        variants=({}, {"registers": 2}, {"radix": 8}),
    ),
)
