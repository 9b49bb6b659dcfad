"""Blocks: components of ``rtl`` with a specification by hand, as Verilog formulas on integers.

The claims of the class ``function`` are about them. In a formula, ``S_OUT`` is the value of the
port ``s_out``, and ``ROWS_0``, ... are those of a list; they have ``VALUE_NBITS`` bits, which is
enough for the sums and products of the formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import Any

from rsaxcel.fl.multipliers import MontOrup
from rsaxcel.lab.proofs.claim import check_parameters, check_width
from rsaxcel.plan.compressors import plan_product, plan_residue, plan_square
from rsaxcel.plan.compressors.netlist import COMPRESSOR_5_3
from rsaxcel.proc.isa import XLEN
from rsaxcel.proc.pipeline.muldiv import MulDiv
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
from rsaxcel.rtl.lib.carry_save import CarrySave, CarrySaveTree
from rsaxcel.rtl.lib.compressors import (
    BANKS,
    BrentKungAdder,
    ModularProduct,
    ModularResidue,
    ModularSquare,
)
from rsaxcel.rtl.lib.divider import Divider, check_divider
from rsaxcel.rtl.lib.multiplier import Multiplier
from rsaxcel.rtl.lib.prefix_carries import PrefixCarries
from rsaxcel.rtl.multipliers.mont_orup.booth import (
    MAGNITUDES,
    BoothDigits,
    BoothDigits8,
    BoothRow,
    BoothRow8,
)
from rsaxcel.rtl.multipliers.mont_orup.quotient_digit import QuotientDigit
from rsaxcel.rtl.multipliers.mont_orup.rows import ProductRows

VALUE_NBITS = 32  #: width of the integers in formulas, which are signed


@dataclass(frozen=True)
class BlockPort:
    """A port of a block, or a list of ports."""

    name: str  #: name of the port in the component; of a stream: name of the field
    nbits: int
    signed: bool = False
    count: int = 0  #: number of ports in the list; 0: one port
    formula: str = ""  #: value of an input that follows from other inputs

    def names(self) -> list[str]:
        """Name of each port in the list."""
        return [f"{self.name}_{i}" for i in range(self.count)] if self.count else [self.name]


@dataclass(frozen=True)
class Specification:
    """Ports of a block at a width, and what it computes."""

    component: Callable[[], Any]
    inputs: tuple[BlockPort, ...]  #: the first ones change fastest in an enumeration
    outputs: tuple[BlockPort, ...]
    right: str  #: formula that is true if the outputs are right
    legal: str = "1"  #: formula that is true if the outputs have to be right
    cycles: int = 0  #: clock cycles until outputs are right; of a stream, until the latest response
    stream: bool = False  #: ports are the fields of recv and send
    fixed: bool = True  #: each response of a stream comes after exactly `cycles` cycles


@dataclass(frozen=True)
class Block:
    """A component that can be specified at any width."""

    name: str  #: name as users type it
    statement: str  #: result of the component, in one line
    at: Callable[..., Specification]  #: function of a width in bits and parameters
    nbits: int = 8  #: width of the standard claim
    most_nbits: int = 10  #: greatest width for which a proof is tried
    least_nbits: int = 2  #: least width for which a proof is tried
    params: Mapping[str, int] = field(default_factory=dict)  #: parameters with their defaults
    variants: tuple[Mapping[str, int], ...] = ({},)  #: parameters of the standard claims

    def specified(self, nbits: int, params: Mapping[str, int]) -> Specification:
        """Specification at a width; ``ValueError`` if the width or a parameter is not allowed."""
        check_width(self.name, nbits, self.least_nbits, self.most_nbits)
        check_parameters(self.name, params, self.params)
        return self.at(nbits, **{**self.params, **params})


def _total(terms: Iterator[str] | list[str]) -> str:
    """Return the formula of a sum."""
    return f"({' + '.join(terms)})"


def _congruent(x: str, y: str, nbits: int) -> str:
    """Return the formula that two integers are equal modulo a power of two."""
    return f"((({x}) - ({y})) & {(1 << nbits) - 1}) == 0"


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
    added = _total([f"{1 << i} * (((X >> {i}) & 1)*Y + ((Q >> {i}) & 1)*N)" for i in range(rows)])
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
        f"(N & 1) == 1 && Y < N && SUM + CARRY + TAIL < 2*N && {_congruent(of_inputs, '0', rows)}",
    )


def _quotient_bits(rows: int) -> Specification:
    added = _total([f"{1 << i} * (((X >> {i}) & 1)*Y + ((Q >> {i}) & 1)*N)" for i in range(rows)])
    ports = ("sum", "carry", "x", "y", "n")
    return Specification(
        lambda: QuotientBits(rows),
        (
            *(BlockPort(name, rows) for name in ports),
            BlockPort("tail", 1),
            BlockPort("y_plus_n", rows, formula="Y + N"),
        ),
        (BlockPort("q", rows),),
        _congruent(f"SUM + CARRY + TAIL + {added}", "0", rows),
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
        _congruent("TOTAL", "ACC + TAKE*X + ADD*M - SUBTRACT*M", n + 2),
        "ADD + SUBTRACT < 2",
    )


_ADDERS = (
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


#: Default modulus of the circuits for one modulus: of 8 bits, not near a power of two.
_MODULUS = 239


def _carry_save(n: int) -> Specification:
    return Specification(
        lambda: CarrySave(n),
        (BlockPort("x", n), BlockPort("y", n), BlockPort("z", n), BlockPort("carry_in", 1)),
        (BlockPort("sum", n), BlockPort("carry", n)),
        _congruent("SUM + CARRY", "X + Y + Z + CARRY_IN", n),
    )


def _carry_save_tree(n: int, rows: int, left: int) -> Specification:
    if not 2 <= left < rows:
        raise ValueError(f"left={left}: 2 to {rows - 1} are allowed")
    inputs = BlockPort("rows", n, count=rows), BlockPort("carry_in", 1, count=min(rows - left, 2))
    outputs = (BlockPort("sums", n, count=left),)
    added, sums = (
        _total([name.upper() for port in ports for name in port.names()])
        for ports in (inputs, outputs)
    )
    return Specification(
        lambda: CarrySaveTree(n, rows, left), inputs, outputs, _congruent(added, sums, n)
    )


def _compressors_5_3(n: int) -> Specification:
    names = ("x", "y", "z", "v", "w")
    bits = (
        "({} == {})".format(
            _total([f"(({name.upper()} >> {i}) & 1)" for name in names]),
            _total(
                [
                    f"{weight} * (({name} >> {i}) & 1)"
                    for name, weight in (("SUM", 1), ("CARRY", 2), ("CARRY_4", 4))
                ]
            ),
        )
        for i in range(n)
    )
    return Specification(
        lambda: BANKS[COMPRESSOR_5_3](n),
        tuple(BlockPort(name, n) for name in names),
        (BlockPort("sum", n), BlockPort("carry", n), BlockPort("carry_4", n)),
        " && ".join(bits),
    )


def _prefix_carries(n: int) -> Specification:
    return Specification(
        lambda: PrefixCarries(n),
        (BlockPort("makes", n), BlockPort("passes", n)),
        (BlockPort("carries", n),),
        "CARRIES == (MAKES | (PASSES & (2*CARRIES)))",
    )


def _brent_kung_adder(n: int) -> Specification:
    return Specification(
        lambda: BrentKungAdder(n),
        (BlockPort("a", n), BlockPort("b", n), BlockPort("carry_in", 1)),
        (BlockPort("sum", n), BlockPort("carry", 1)),
        f"{1 << n} * CARRY + SUM == A + B + CARRY_IN",
    )


def _modular(component: Callable[..., Any], plan: Callable[..., Any], value: str) -> Callable:
    names = [name for name in ("a", "b", "x") if name.upper() in value]

    def at(n: int, modulus: int) -> Specification:
        if modulus.bit_length() > n or modulus < 2:
            raise ValueError(f"modulus={modulus}: 2 to {(1 << n) - 1} are allowed")
        made = plan(modulus, n) if names == ["x"] else plan(modulus)
        largest = (modulus - 1) ** 2 if names != ["x"] else (1 << n) - 1
        multiples = (f"{value} == R + {k * modulus}" for k in range(largest // modulus + 1))
        legal = [f"{name.upper()} < {modulus}" for name in names if name != "x"]
        return Specification(
            lambda: component(made),
            tuple(BlockPort(name, made.nbits) for name in names),
            (BlockPort("r", made.result_nbits),),
            f"R < {modulus} && ({' || '.join(multiples)})",
            " && ".join(legal) or "1",
        )

    return at


_TREES = (
    Block("carry_save", "sum + carry = x + y + z + carry_in, modulo 2^nbits", _carry_save),
    Block(
        "carry_save_tree",
        "the rows at the output add up to the rows and carries at the input, modulo 2^nbits",
        _carry_save_tree,
        params={"rows": 4, "left": 2},
        variants=({}, {"rows": 5}),
    ),
    Block(
        "compressors_5_3",
        "in each position, x + y + z + v + w = sum + 2 * carry + 4 * carry_4",
        _compressors_5_3,
        most_nbits=16,
    ),
    Block(
        "prefix_carries",
        "each carry is made in its position, or passed on from the one below",
        _prefix_carries,
        most_nbits=16,
    ),
    Block(
        "brent_kung_adder",
        "2^nbits * carry + sum = a + b + carry_in",
        _brent_kung_adder,
        most_nbits=16,
    ),
    Block(
        "modular_product",
        "r = a * b mod the constant modulus",
        _modular(ModularProduct, plan_product, "A*B"),
        params={"modulus": _MODULUS},
        variants=tuple({"modulus": m} for m in (_MODULUS, 129, 170, 255)),
    ),
    Block(
        "modular_square",
        "r = a * a mod the constant modulus",
        _modular(ModularSquare, plan_square, "A*A"),
        params={"modulus": _MODULUS},
    ),
    Block(
        "modular_residue",
        "r = x mod the constant modulus",
        _modular(ModularResidue, plan_residue, "X"),
        nbits=16,
        most_nbits=16,
        params={"modulus": _MODULUS},
    ),
)


def _check_digit(nbits: int) -> None:
    if nbits < 4 or nbits % 2:
        raise ValueError(f"digit of {nbits} bits: an even number, 4 or more, is allowed")


def _check_radix(radix: int) -> None:
    if radix not in MAGNITUDES:
        raise ValueError(f"radix={radix}: 4 and 8 are allowed")


def _booth_value(radix: int, count: int, prefix: str = "") -> str:
    """Return the formula of the value of Booth digits."""

    def bit(part: str, j: int) -> str:
        return f"(({prefix}{part.upper()} >> {j}) & 1)"

    digits = (
        f"{radix**j} * (1 - 2*{bit('negative', j)}) * "
        f"({' + '.join(f'{i}*{bit(x, j)}' for i, x in enumerate(MAGNITUDES[radix], 1))})"
        for j in range(count)
    )
    return _total(list(digits))


def _booth_multiple(radix: int, count: int, prefix: str, number: str) -> str:
    """Return the formula of a number times the value of Booth digits, by sums."""

    def term(j: int) -> str:
        choice = "0"
        for i, part in enumerate(MAGNITUDES[radix], 1):
            choice = f"{prefix}{part.upper()}[{j}] ? {i}*{number} : {choice}"
        return f"{radix**j} * ({prefix}NEGATIVE[{j}] ? -({choice}) : ({choice}))"

    return _total([term(j) for j in range(count)])


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
        f"{_booth_value(radix, count)} == DIGIT{' + BELOW' if below else ''}",
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
        f"MULTIPLE - {1 << width} * SIGN + NEGATIVE == {_booth_value(4, 1)} * NUMBER && "
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
        f"MULTIPLE - {1 << n + 2} * SIGN + NEGATIVE == {_booth_value(8, 1)} * NUMBER && "
        "SIGN + POSITIVE == 1",
        _one_hot(8),
    )


def _product_rows(n: int, digit_nbits: int, quotient_radix: int) -> Specification:
    _check_digit(digit_nbits)
    k, residue_nbits, eight = digit_nbits, n + digit_nbits + 4, quotient_radix == 8
    counts = {"a": k // 2, "q": -(-k // (quotient_radix.bit_length() - 1))}
    radices = {"a": 4, "q": quotient_radix}
    half, constant = 1 << k - 1, ((1 << k) - 1) << residue_nbits
    a, q = (_booth_value(radices[x], counts[x], f"{x.upper()}_") for x in "aq")
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
        f"{_total([f'ROWS_{i}' for i in range(nrows)])} == "
        f"{_booth_multiple(4, counts['a'], 'A_', 'B')} + "
        f"{_booth_multiple(quotient_radix, counts['q'], 'Q_', 'M2')} + {constant}",
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
    half, value = 1 << n - 1, _booth_value(radix, count)
    used = f"({_congruent(value, 'LOW', n)} && -{half} <= {value} && {value} < {half})"
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


_DIGITS = (
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


def _divider_ports(n: int) -> tuple[tuple[BlockPort, ...], tuple[BlockPort, ...]]:
    inputs = (BlockPort("high", n), BlockPort("low", n), BlockPort("divisor", n))
    return inputs, (BlockPort("quotient", n), BlockPort("remainder", n))


_DIVIDES = (
    "DIVISOR == 0 ? (QUOTIENT == {ones} && REMAINDER == LOW) : "
    "(QUOTIENT*DIVISOR + REMAINDER == HIGH*{weight} + LOW && REMAINDER < DIVISOR)"
)


def _divider(n: int, bits_per_cycle: int, skip_nbits: int) -> Specification:
    check_divider(n, n, bits_per_cycle, skip_nbits)
    return Specification(
        lambda: Divider(n, n, bits_per_cycle, skip_nbits),
        *_divider_ports(n),
        _DIVIDES.format(ones=(1 << n) - 1, weight=1 << n),
        "HIGH < DIVISOR || (HIGH == 0 && DIVISOR == 0)",
        cycles=n // bits_per_cycle + 1,
        stream=True,
        fixed=not skip_nbits,
    )


def _aligning_divider(n: int, bits_per_cycle: int) -> Specification:
    check_divider(n, n, bits_per_cycle)
    return Specification(
        lambda: AligningDivider(n, n, bits_per_cycle),
        *_divider_ports(n),
        _DIVIDES.format(ones=(1 << n) - 1, weight=1 << n),
        "HIGH == 0",
        cycles=2 * (n // bits_per_cycle) + 2,
        stream=True,
        fixed=False,
    )


_DIVISION = (
    "quotient * divisor + remainder = dividend and remainder < divisor; by 0, as in RISC-V: a "
    "quotient of ones, and the dividend as remainder"
)

_DIVIDERS = (
    Block(
        "divider",
        _DIVISION,
        _divider,
        params={"bits_per_cycle": 1, "skip_nbits": 0},
        variants=({}, {"bits_per_cycle": 4}, {"skip_nbits": 2}),
    ),
    Block(
        "aligning_divider",
        _DIVISION,
        _aligning_divider,
        params={"bits_per_cycle": 1},
        variants=({}, {"bits_per_cycle": 2}),
    ),
)


def _multiplier(n: int) -> Specification:
    inputs = (BlockPort("a", n), BlockPort("b", n))
    return Specification(
        lambda: Multiplier(n), inputs, (BlockPort("product", 2 * n),), "PRODUCT == A*B"
    )


_SIGNED_DIVISION = "(funct3 == 4 || funct3 == 6)"
#: Parts from which the results are made: the product of the operands as signed or unsigned numbers,
#: and quotient and remainder of their magnitudes.
_MULDIV_PARTS = (
    BlockPort(
        "p",
        2 * XLEN,
        formula="64'($signed({(funct3 == 1 || funct3 == 2) && a[31], a})) * "
        "64'($signed({funct3 == 1 && b[31], b}))",
    ),
    BlockPort("u", XLEN, formula=f"{_SIGNED_DIVISION} && a[31] ? -a : a"),
    BlockPort("v", XLEN, formula=f"{_SIGNED_DIVISION} && b[31] ? -b : b"),
    BlockPort("q", XLEN, formula="u / v"),
    BlockPort("r", XLEN, formula="u % v"),
)
#: Result of each value of funct3, as the RISC-V manual defines it. The quotient is rounded towards
#: zero; the remainder has the sign of the dividend.
_MULDIV_RESULTS = (
    "p[31:0]",
    *3 * ("p[63:32]",),
    "(b == 0 ? 32'hffffffff : a[31] != b[31] ? -q : q)",
    "(b == 0 ? 32'hffffffff : q)",
    "(b == 0 ? a : a[31] ? -r : r)",
    "(b == 0 ? a : r)",
)


def _muldiv_operand(name: str, n: int) -> str:
    """Return the formula of a signed operand: the lowest n bits, or the highest (``_TOP``)."""
    return f"({name}_TOP != 0 ? ({name} << {XLEN - n}) : {name})"


def _muldiv(n: int, bits_per_cycle: int, aligning: int) -> Specification:
    kind = "aligning" if aligning else "skipping"
    chosen = "".join(f"funct3 == {k} ? {x} : " for k, x in enumerate(_MULDIV_RESULTS)) + "32'd0"
    return Specification(
        lambda: MulDiv(kind, bits_per_cycle),
        (
            BlockPort("x", n, signed=True),
            BlockPort("y", n, signed=True),
            BlockPort("x_top", 1),
            BlockPort("y_top", 1),
            BlockPort("funct3", 3),
            BlockPort("a", XLEN, formula=_muldiv_operand("X", n)),
            BlockPort("b", XLEN, formula=_muldiv_operand("Y", n)),
            *_MULDIV_PARTS,
        ),
        (BlockPort("result", XLEN),),
        f"result == ({chosen})",
        cycles=2 * (XLEN // bits_per_cycle) + 3 if aligning else XLEN // bits_per_cycle + 2,
        stream=True,
        fixed=False,
    )


_PROCESSOR = (
    Block("multiplier", "the product is a * b, unsigned", _multiplier),
    Block(
        "muldiv",
        "products, quotients and remainders of RISC-V's M extension, of 32-bit operands that are a "
        "number with a sign in this many bits, or that number in the highest bits",
        _muldiv,
        nbits=4,
        most_nbits=9,
        params={"bits_per_cycle": 2, "aligning": 0},
        variants=({}, {"aligning": 1}),
    ),
)


#: Blocks by name.
BLOCKS: dict[str, Block] = {
    x.name: x for x in (*_ADDERS, *_TREES, *_DIGITS, *_DIVIDERS, *_PROCESSOR)
}
