"""Golden models of the modular multipliers."""

from functools import cached_property, lru_cache
from math import isqrt

from rsaxcel.fl.contract import (
    MODULUS,
    REGISTERED,
    ConstantMultiplier,
    DigitMultiplier,
    MontgomeryMultiplier,
    Multiplier,
    UnreducedMultiplier,
    WordMultiplier,
)
from rsaxcel.plan.compressors import MAX_BITS, TREES, product_bits, tree_columns
from rsaxcel.plan.modulus_constants import ModulusConstant, NegatedInverse, negated_inverse
from rsaxcel.plan.parameters import Parameter, divisors
from rsaxcel.plan.recurrence import RECURRENCE, SIGNED


class MulRem(Multiplier):
    """``a * b mod m`` for any modulus from 2 upwards."""

    odd_modulus = False
    r = 1
    label = "product, then remainder"
    source = "McNay 2023, section 3.1"
    parameters = (
        Parameter("bits_per_cycle", lambda nbits: 1, divisors, "quotient bits per cycle"),
        Parameter(
            "divider",
            lambda nbits: "preloaded",
            lambda nbits: ("preloaded", "restoring", "aligning"),
            "divider of the product: the high half of the product is preloaded (preloaded), the "
            "whole product is divided (restoring), or the modulus is shifted up first (aligning)",
        ),
        Parameter(
            "operands",
            lambda nbits: "direct",
            lambda nbits: ("direct", REGISTERED),
            "operands come from the store (direct), or from registers in the multiplier, which "
            "take one cycle more and keep their values while it is idle (registered)",
        ),
    )

    def __init__(self, nbits: int, **params: object):
        super().__init__(nbits, **params)
        self.constant_time = params.get("divider") != "aligning"
        self.holds_modulus = params.get("operands") != REGISTERED

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        return a * b % modulus


#: A stage adds all rows in a carry-save sum, which is not in the document.
CARRY_SAVE = "carry_save"
PIPELINED = "pipelined"  #: value of the parameter `operands`: registers in every stage


class MontMulRem(MontgomeryMultiplier):
    """``a * b / R mod m``, unrolled over all bits of ``a`` and pipelined."""

    # The width is limited, because the unrolled circuit grows with the square of the width.
    widths = range(2, 257)
    label = "Montgomery, unrolled"
    source = "McNay 2023, algorithm 4 and figures 8, 9"
    parameters = (
        Parameter(
            "stages",
            lambda nbits: max(1, nbits // 8),
            lambda nbits: range(1, nbits + 1),
            "pipeline stages, which is the latency in cycles",
        ),
        Parameter(
            "add_red",
            lambda nbits: "select",
            lambda nbits: ("select", "serial", "own_sum", CARRY_SAVE),
            "AddReds of a stage in series, as in figure 8a (serial) or 8b, with one sum of operand "
            "and modulus for all (select) or for each (own_sum), or in parallel as rows of one "
            "carry-save sum, with fewer glitches (carry_save)",
        ),
        Parameter(
            "operands",
            lambda nbits: PIPELINED,
            lambda nbits: (PIPELINED, REGISTERED),
            "each stage has registers for its operands, and a product begins in every cycle "
            "(pipelined), or one product at a time has one set of registers (registered)",
        ),
    )


class MontMul(MontgomeryMultiplier):
    """``a * b / R mod m``, adding and halving bit by bit."""

    holds_modulus = False
    label = "Montgomery, bit by bit"
    source = "Li and Chu, algorithm 3"
    parameters = (
        Parameter("bits_per_cycle", lambda nbits: 1, divisors, "bits of the multiplier per cycle"),
        RECURRENCE,
    )


class MontRed(MontgomeryMultiplier):
    """``a * b / R mod m``: a full product, then its reduction bit by bit.

    Vassoler's algorithm 1 has the same result, but forms the quotient at once, by m'
    (``fl.contract.reduce``).
    """

    holds_modulus = False
    label = "product, then Montgomery reduction"
    source = "Li and Chu, algorithm 1 on the product, as in algorithm 2"
    parameters = (RECURRENCE,)


class MontMulCsa(MontgomeryMultiplier):
    """``a * b / R mod m``, bit by bit in carry-save form; carries are propagated at the end."""

    holds_modulus = False
    label = "Montgomery, carry-save"
    source = "Li and Chu, algorithm 3 with section II.B"
    parameters = (
        Parameter(
            "resolve_cycles",
            lambda nbits: -(-nbits // 64),
            lambda nbits: range(1, nbits + 1),
            "cycles of each of the two carry propagations",
        ),
    )


class MontMulUnreduced(UnreducedMultiplier):
    """``a * b / R mod m`` on operands and results below 2m, bit by bit."""

    holds_modulus = False
    label = "Montgomery, no final subtraction"
    source = "Vassoler 2023, section 2.2.3, algorithm 2, figure 7"

    @property
    def r(self) -> int:
        return 1 << self.nbits + 2


class Ssmm(Multiplier):
    """``a * b mod m``, doubling a and adding it for each 1 of b until no 1 of b is left."""

    odd_modulus = False
    r = 1
    constant_time = False
    timed_by = ("b",)
    holds_modulus = False
    strobes = True
    label = "shift and subtract"
    source = "Li and Chu, algorithm 5, ended as in module modu_mult_128"
    parameters = (
        Parameter("bits_per_cycle", lambda nbits: 1, divisors, "bits of the multiplier per cycle"),
        RECURRENCE,
    )

    def __init__(self, nbits: int, recurrence: str, **params: object):
        super().__init__(nbits, **params)
        self.merges = recurrence == SIGNED

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        return a * b % modulus


class Interleaved(Multiplier):
    """``a * b mod m``, doubling the product and adding b for each bit of a, the highest first."""

    odd_modulus = False
    r = 1
    constant_time = False
    timed_by = ("a",)
    holds_modulus = False
    merges = True
    label = "interleaved, one adder"
    source = "Blakley 1983, with signed running values"

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        return a * b % modulus


class MontMac(UnreducedMultiplier):
    """``a * b / R mod m`` on operands and results below 2m, with all quotient bits at once."""

    # The width is limited, because the circuit's multiplier grows with the square of the width.
    widths = range(2, 257)
    holds_modulus = False
    label = "Montgomery, one full multiplier"
    source = "Montgomery 1985, REDC, with R above 4m"

    @property
    def r(self) -> int:
        return 1 << self.nbits + 2

    @property
    def constants(self) -> tuple[ModulusConstant, ...]:
        nbits = self.nbits + 2
        formula = NegatedInverse(nbits)
        return (ModulusConstant("m_prime", nbits, formula, f"m' = -m^-1 mod 2^{nbits}"),)

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        """Return the product as the circuit forms it, with the request's m', even a wrong one."""
        whole = a * b
        return whole + whole * constants["m_prime"] % self.r * modulus >> self.nbits + 2


class Systolic(WordMultiplier):
    """``a * b / R mod m``, one word of a per step, in a row of processing elements.

    Parameters
    ----------
    nbits : int
        Width of the modulus in bits.
    radix_nbits : int
        k: bits of a word; R = 2**(k * words).
    final_subtraction : str
        ``"on"``: products are brought below m (algorithm 1). ``"off"``: they stay below 2m
        (algorithm 2), for which R has to exceed 4m; the document's 2m is not enough
        (docs/records/errata.md).
    """

    label = "Montgomery, systolic row"
    fetches_ahead = True
    source = "Morales-Romero et al., algorithms 1 to 4, figures 1 to 5"
    parameters = (
        Parameter(
            "radix_nbits",
            lambda nbits: 16,
            lambda nbits: range(4, 33),
            "bits of a word and of the multipliers in an element",
            symbol="k",
        ),
        Parameter(
            "final_subtraction",
            lambda nbits: "off",
            lambda nbits: ("off", "on"),
            "whether every product is brought below m (algorithm 1) or not (algorithm 2)",
        ),
    )

    def __init__(self, nbits: int, radix_nbits: int, final_subtraction: str):
        super().__init__(nbits)
        self.radix_nbits = radix_nbits
        self.subtracts = final_subtraction == "on"

    @property
    def word_nbits(self) -> int:
        return self.radix_nbits

    @property
    def words(self) -> int:
        """Words of an operand, at least 2: a row has a first and a last element."""
        spare = 0 if self.subtracts else 2
        return max(2, -(-(self.nbits + spare) // self.radix_nbits))

    @property
    def r(self) -> int:
        return 1 << self.radix_nbits * self.words

    @property
    def constants(self) -> tuple[ModulusConstant, ...]:
        formula = NegatedInverse(self.radix_nbits)
        return (ModulusConstant("m_prime", self.radix_nbits, formula, "m' = -m^-1 mod 2^k"),)

    def operand_limit(self, modulus: int) -> int:
        """Return m with the final subtraction; otherwise 2m."""
        return modulus if self.subtracts else super().operand_limit(modulus)

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        """Return the product as the circuit forms it, with the request's m', even a wrong one.

        With the final subtraction, by algorithm 1 of ``source``, else by algorithm 2.
        """
        m_prime = constants["m_prime"]
        mask = (1 << self.radix_nbits) - 1
        if modulus * m_prime + 1 & mask == 0:
            result = super().product(a, b, modulus)
        else:
            # m' is wrong for this modulus: the low words that are shifted out are not zeros
            result = 0
            for i in range(self.words):
                result += (a >> i * self.radix_nbits & mask) * b
                digit = (result & mask) * m_prime & mask
                result = result + digit * modulus >> self.radix_nbits
        return self.final_reduction(result, modulus) if self.subtracts else result


#: DigitSerial: cycles from reading a digit of the running sum until the digit's new value can be
#: read.
MIN_SLOTS = 3

_MIN_DIGIT_NBITS, _MAX_DIGIT_NBITS = 8, 256


def digit_serial_words(nbits: int, digit_nbits: int) -> int:
    """Return the number of words of an operand (below twice the modulus) or of the running sum."""
    return -(-(nbits + 2) // digit_nbits)


def _default_digit_nbits(nbits: int) -> int:
    """Largest digit width, a power of two, with which the pipeline runs without waiting.

    More than 64 bits only if an operand has at least 17 digits (at 1024 bits, 17 of 64 bits).
    """
    for digit_nbits in (256, 128, 64, 32, 16):
        least = MIN_SLOTS if digit_nbits <= 64 else 17
        if digit_serial_words(nbits, digit_nbits) >= least:
            return digit_nbits
    return _MIN_DIGIT_NBITS


class DigitSerial(WordMultiplier):
    """``a * b / R mod m`` with R = 2**(nbits + 2), by nbits + 3 halvings.

    An iteration is ``U = (U + A_i * 2B + U_0 * N) / 2``, from U = 0: A_i is bit i of ``a``, B is
    ``b``, N is m, U_0 the lowest bit of U, known before the addition, because 2B is even. All
    iterations add to ``a * b`` the multiple of m that makes the sum divisible by R, and divide the
    sum. ``digit_nbits`` is S, the width of a word and of the adder.
    """

    shares_b = True
    one_index = True
    runs_on_ports = True
    label = "Montgomery, digit by digit"
    source = "Cilardo et al., algorithm 17.1.1 as built in section 17.2"
    parameters = (
        Parameter(
            "digit_nbits",
            _default_digit_nbits,
            lambda nbits: range(_MIN_DIGIT_NBITS, _MAX_DIGIT_NBITS + 1),
            "bits of a word and of the adders",
            symbol="S",
        ),
    )

    def __init__(self, nbits: int, digit_nbits: int):
        super().__init__(nbits)
        self.digit_nbits = digit_nbits

    @property
    def word_nbits(self) -> int:
        return self.digit_nbits

    @property
    def words(self) -> int:
        return digit_serial_words(self.nbits, self.digit_nbits)

    @property
    def r(self) -> int:
        return 1 << self.nbits + 2


class Direct(ConstantMultiplier):
    """``a * b mod m`` for one modulus, by the operators ``*`` and ``%``."""

    parameters = (MODULUS,)
    label = "operators, one modulus"
    source = "Vassoler 2023, section 4.2.1, equations 24 to 26"


class CompressorTree(ConstantMultiplier):
    """``a * b mod m`` for one modulus, by re-weighted partial products."""

    label = "compressor tree, one modulus"
    source = "Vassoler 2023, section 2.2.1, figures 2 to 6"
    parameters = (
        MODULUS,
        Parameter(
            "tree",
            lambda nbits: "best",
            lambda nbits: ("best", *TREES),
            "compressors of the tree; best: the choice with the least delay times area",
        ),
        Parameter(
            "reweighted",
            lambda nbits: "products",
            lambda nbits: ("products", "rows"),
            "when bits above the modulus are re-weighted: before compression (products), or when "
            "this does not make the matrix higher (rows)",
        ),
        Parameter(
            "columns",
            lambda nbits: "own",
            lambda nbits: ("own", "best"),
            "columns of the tree: the bits of a residue, and n modulo 2^n + 1, as in the document "
            "(own), or the number with the least delay times area, such as t of a pseudo-modulus "
            "(best)",
        ),
        Parameter(
            "squares",
            lambda nbits: "product",
            lambda nbits: ("product", "squarer"),
            "circuit of a lane that only forms squares: as other lanes (product, as in the "
            "document), or a tree with about half as many bits (squarer); it changes no lane that "
            "forms other products, too",
        ),
    )

    def __init__(
        self,
        nbits: int,
        modulus: str,
        reweighted: str,
        columns: str,
        squares: str,
        **params: object,
    ) -> None:
        super().__init__(nbits, modulus, reweighted=reweighted, columns=columns, **params)
        self._reweighted, self._columns = reweighted, columns
        self._squarer = squares == "squarer"

    def check_circuit(self) -> None:
        """Raise ``ValueError`` if the tree has more bits than are planned for a circuit."""
        columns = tree_columns(self.constant_modulus, self._columns)
        bits = product_bits(self.constant_modulus, self._reweighted, columns)
        if bits > MAX_BITS:
            raise ValueError(
                f"modulus of {self.operand_nbits} bits: its compressor tree has {bits:,} bits, at "
                f"most {MAX_BITS:,} allowed for a circuit"
            )

    def lane_params(self, only_squares: bool) -> dict[str, bool]:
        """Make the circuit of a lane for squares a squarer, if the parameter ``squares`` asks."""
        return {"only_squares": True} if self._squarer and only_squares else {}


_ROW_PIPELINES = {f"rows{count}": count for count in range(3, 9)}

ORUP_PIPELINES = ("none", "quotient", *_ROW_PIPELINES)  #: places of registers within an iteration

#: Width of a modulus in bits from which 3 M2, and copies of a digit, are worth their registers.
_WIDE_NBITS = 512

_SCALE = 1 << 12  #: beta is a multiple of 1 / _SCALE


class MontOrup(DigitMultiplier):
    """``a * b / R`` modulo an odd m, on signed operands and results.

    Products are formed modulo ``M = t * m`` with ``t = -m**-1 mod 2**(k * (d + 1))``, so that
    ``M + 1 = M2 * 2**(k * (d + 1))``. Iteration i computes the running sum S from 0 on:

    ``S = (S - q_i) / 2**k + q_(i - d) * M2 + a_i * B``, ``q_i = S mods 2**k``.

    a_i is digit i of ``a``, B is ``b``; mods gives the residue of least magnitude. The quotient
    digit q_i is the low digit of S, found without a product, and used d iterations later. With na
    digits of ``a``, a product takes na + d + 1 iterations, the first na of which read digits. R =
    2**(k * na) is at least 4 * 2**(nbits + k * (d + 1)), and hence above 4 M.

    Operands and results are signed. Their magnitude is below ``bound(m)``, which is ``beta * M``:

    - The last sum is ``(a * B + Q * M) / R``, where Q has na digits from -2**(k-1) to 2**(k-1) - 1,
      so that ``|Q| <= q * R`` with ``q = 2**(k-1) / (2**k - 1)``. With R above 4 M, beta has to
      satisfy ``beta**2 / 4 + q <= beta``; the least beta is ``2 - 2 * sqrt(1 - q)`` for every d:
      0.634 for k = 4, 0.597 for 6, 0.589 for 8, 0.586 from 16 on. A residue has the width of M and
      a sign bit.
    - A digit of ``a`` is its k bits in two's complement plus the top bit of the digit below: at
      most 2**(k-1) in magnitude, like a quotient digit. So ``|S'| <= (|S| + 2**k - 1) / 2**k +
      2**(k-1) * (|B| + M2)``, whose fixed point bounds S (``sum_bound``): less than ``1.08 *
      2**(k-1)`` times the largest B that ``residue_nbits`` bits hold.
    - A product by 1, and a product of a number of nbits bits and a number below m, is below
      ``M / 16 + q * M``. A product by ``final_factor`` is below ``(beta / 2**k + q) * M``. Both
      are below ``beta * M``: these products are residues.

    The final reduction takes d + 2 steps ``x = (x + x_0 * m) / 2**k``, with the signed digit x_0
    that makes the sum divisible. Then ``|x| < m / 2**k + q * m``, below m. If x is negative, m is
    added.

    Parameters
    ----------
    nbits : int
        Width of the modulus in bits.
    digit_nbits : int
        k: bits of a digit, even.
    pipeline : str
        Registers within an iteration besides running sum and recoded digits. ``"none"``;
        ``"quotient"``: the quotient digit; ``"rowsN"``, N from 3 to 8: the multiples of B and M2,
        added up to at most N rows. d is 1 for ``"none"``, else 2.
    quotient_radix : int
        Radix of the digits that select multiples of M2, 4 or 8. For 8, a lane also holds 3 M2, and
        3 m during a reduction.

    Source: H. Orup, "Simplifying quotient determination in high-radix modular multiplication",
    1995; signed digits and residues are additions of this project.
    """

    label = "Montgomery, high radix"
    source = "Orup 1995, with signed digits and residues"
    widths = range(4, 4097)
    parameters = (
        Parameter(
            "digit_nbits",
            lambda nbits: (
                18 if nbits >= _WIDE_NBITS else 16 if nbits >= 64 else 8 if nbits >= 16 else 4
            ),
            lambda nbits: range(4, min(32, nbits + 1) + 1, 2),
            "bits of a digit",
            symbol="k",
        ),
        Parameter(
            "pipeline",
            lambda nbits: "rows6" if nbits >= 64 else "rows4",
            lambda nbits: ORUP_PIPELINES,
            "registers of an iteration besides the running sum: none (d = 1), the quotient digit "
            "(quotient, d = 2), or at most 3 to 8 rows of multiples (rows3 to rows8, d = 2)",
        ),
        Parameter(
            "quotient_radix",
            lambda nbits: 8 if nbits >= _WIDE_NBITS else 4,
            lambda nbits: (4, 8),
            "radix of the digits that select multiples for the modulus (M2); 8 needs fewer rows, "
            "and a register for three times M2",
        ),
    )

    def __init__(self, nbits: int, digit_nbits: int, pipeline: str, quotient_radix: int):
        super().__init__(nbits)
        self.digit_nbits = digit_nbits
        self.quotient_radix = quotient_radix
        self.quotient_delay = 1 if pipeline == "none" else 2
        self._most_row_registers = _ROW_PIPELINES.get(pipeline, 0)

    def __repr__(self) -> str:
        """Return the numbers that define the multiplier, for the names of its Verilog modules."""
        parts = [self.nbits, self.digit_nbits, self.quotient_delay, self.row_registers]
        if self.triple_digits:
            parts.append(self.quotient_radix)
        return f"{type(self).__name__}{tuple(parts)}"

    @property
    def quotient_digits(self) -> int:
        """Digits of radix ``quotient_radix`` in a digit of the quotient, for as many multiples."""
        return -(-self.digit_nbits // (self.quotient_radix.bit_length() - 1))

    @property
    def rows(self) -> int:
        """Number of rows that an iteration adds (``rtl.multipliers.mont_orup.rows``)."""
        return self.digit_nbits // 2 + self.quotient_digits + 1

    @property
    def row_registers(self) -> int:
        """Number of rows that are left before the registers of ``pipeline``; 0: there are none."""
        return min(self._most_row_registers, self.rows - 1)

    @property
    def triple_digits(self) -> int:
        """Digits of k bits in which 3 M2 is formed; 0 if it is not needed."""
        return -(-(self.nbits + 2) // self.digit_nbits) if self.quotient_radix == 8 else 0

    @property
    def digit_copies(self) -> int:
        """Registers of a digit of operand a, each of which drives a part of the multiples of B."""
        return 2 if self.nbits >= _WIDE_NBITS else 1

    @property
    def spare_nbits(self) -> int:
        """Bits by which M (see ``multiple``) can be longer than the modulus m."""
        return self.digit_nbits * (self.quotient_delay + 1)

    @cached_property
    def residue_nbits(self) -> int:
        """Width of a residue in bits, its sign included."""
        return self.nbits + self.spare_nbits + 1

    @property
    def digits(self) -> int:
        """Number of digits of an operand (na in the formulas of the class)."""
        return -(-(self.nbits + self.spare_nbits + 2) // self.digit_nbits)

    @property
    def iterations(self) -> int:
        """Number of iterations of a product."""
        return self.digits + self.quotient_delay + 1

    @property
    def final_digits(self) -> int:
        """Number of digits that the final reduction removes."""
        return self.quotient_delay + 2

    @property
    def r(self) -> int:
        return 1 << self.digit_nbits * self.digits

    def multiple(self, modulus: int) -> int:
        """M, the multiple of m modulo which products are formed; M is -1 modulo 2**spare_nbits."""
        return negated_inverse(modulus, 1 << self.spare_nbits) * modulus

    def addend(self, modulus: int) -> int:
        """M2 = (M + 1) / 2**spare_nbits, at most the modulus minus 1 for every modulus above 1."""
        return self.multiple(modulus) + 1 >> self.spare_nbits

    def bound(self, modulus: int) -> int:
        """Exclusive upper bound of the magnitude of residues, ``beta * M``.

        beta is derived in the class's docstring.
        """
        return _beta(self.digit_nbits) * self.multiple(modulus) // _SCALE + 1

    @property
    def sum_nbits(self) -> int:
        """Width of the running sum's two registers, which add up to ``S + 2**(sum_nbits - 1)``.

        There is no carry out: below the offset are `|S|` and the constant that replaces the signs
        of the multiples of b, a third of `2**(residue_nbits + digit_nbits)`.
        """
        return self.residue_nbits + self.digit_nbits + 1

    def sum_bound(self, b: int, addend: int) -> int:
        """Exclusive upper bound of the running sum's magnitude, for b and M2 (``addend``)."""
        radix = 1 << self.digit_nbits
        return ((abs(b) + addend) * radix // 2 + 1) * radix // (radix - 1) + 1

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        """Return ``a * b / R`` modulo m, signed.

        `ArithmeticError` if a, b or the product does not fit. The product is within `bound` if both
        operands are, if both are below m, or if one is within `bound` and the other is 1 or
        `final_factor`.
        """
        return self._product(a, b, modulus, self.digits)

    def double_product(self, a: int, b: int, modulus: int) -> int:
        """Return ``a * b / R**2`` modulo m, where a has up to ``2 * digits`` digits.

        The result is in `bound` for b below m.
        """
        return self._product(a, b, modulus, 2 * self.digits)

    def whole_product(self, a: int, modulus: int, tail: int) -> int:
        """Return ``a * m + tail``, for a and tail below ``2**nbits``."""
        limit = 1 << self.nbits
        for name, value in (("a", a), ("tail", tail)):
            if value < 0:
                raise ArithmeticError(f"MontOrup: {name} {value:#x} of a whole product is negative")
            self._check_bound(name, value, limit)
        return a * modulus + tail

    def _product(self, a: int, b: int, modulus: int, digits: int) -> int:
        """Return ``a * b / 2**(digit_nbits * digits)`` modulo m, where a has ``digits`` digits."""
        multiple, weight, most, inverse, bound = _terms(self, modulus, digits)
        self._check_bound("a", a, weight >> 1)
        self._check_bound("b", b, 1 << self.residue_nbits - 1)
        # The quotient is the only number modulo ``weight`` that makes the sum divisible.
        whole = a * b
        quotient = whole * inverse % weight
        if quotient > most:
            quotient -= weight
        result = (whole + quotient * multiple) // weight
        self._check_bound("product", result, bound)
        return result

    def final_reduction(self, result: int, modulus: int) -> int:
        """Return ``result / final_factor mod m``, 0 .. m - 1, as the circuit forms it."""
        half, radix = 1 << self.digit_nbits - 1, 1 << self.digit_nbits
        inverse = negated_inverse(modulus, radix)
        for _ in range(self.final_digits):
            digit = (result * inverse + half) % radix - half
            result = result + digit * modulus >> self.digit_nbits
        if result < 0:
            result += modulus
        if not 0 <= result < modulus:
            raise ArithmeticError(f"the final reduction gives {result:#x}, not below {modulus:#x}")
        return result

    def _check_bound(self, name: str, value: int, limit: int) -> None:
        if abs(value) >= limit:
            raise ArithmeticError(f"MontOrup: {name} {value:#x} is not within {limit:#x}")


@lru_cache(maxsize=64)
def _terms(multiplier: MontOrup, modulus: int, digits: int) -> tuple[int, ...]:
    """Return M, the weight of all digits, the largest quotient, -1/M and the bound of residues."""
    nbits, multiple = multiplier.digit_nbits, multiplier.multiple(modulus)
    weight = 1 << nbits * digits
    # A quotient has signed digits: in the largest, each is 2**(digit_nbits - 1) - 1.
    most = ((1 << nbits - 1) - 1) * (weight - 1) // ((1 << nbits) - 1)
    return multiple, weight, most, negated_inverse(multiple, weight), multiplier.bound(modulus)


@lru_cache
def _beta(digit_nbits: int) -> int:
    """Return beta of ``MontOrup.bound``, rounded up, in units of 1 / _SCALE."""
    # beta = 2 - 2 * sqrt(1 - q), and 1 - q = (2**(k - 1) - 1) / (2**k - 1)
    root = isqrt(4 * _SCALE**2 * ((1 << digit_nbits - 1) - 1) // ((1 << digit_nbits) - 1))
    return 2 * _SCALE - root
