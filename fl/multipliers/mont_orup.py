"""MontOrup: Montgomery products of a high radix whose quotient digits are known ahead (Orup)."""

from functools import lru_cache
from math import isqrt

from fl.multipliers.contract import DigitMultiplier
from plan.modulus_constants import negated_inverse
from plan.parameters import Parameter

_ROWS = {f"rows{count}": count for count in range(3, 9)}

PIPELINES = ("none", "quotient", *_ROWS)
"""What can be registered within an iteration."""

_SCALE = 1 << 12  # the bound of residues is a multiple of 1 / _SCALE


class MontOrup(DigitMultiplier):
    """``a * b / R`` modulo an odd m, on signed operands and results.

    The products run modulo ``M = t * m`` with ``t = -m**-1 mod 2**(k * (d + 1))``, so that
    ``M + 1 = M2 * 2**(k * (d + 1))``. Of

    ``S = (S - q_i) / 2**k + q_(i - d) * M2 + a_i * B``, ``q_i = S mods 2**k``,

    where mods gives the residue of least magnitude, the quotient digit is there without a product,
    and d iterations are there to use it. A product is na + d + 1 iterations, the digits of a in the
    first na; R = 2**(k * na) is at least 4 * 2**(nbits + k * (d + 1)), and with it above 4 M.

    Operands and results are signed, of a magnitude below ``bound(m)``, ``beta * M``:

    - The sum ends as ``(a * B + Q * M) / R`` with Q of na digits from -2**(k-1) to 2**(k-1) - 1,
      so that ``|Q| <= q * R`` with ``q = 2**(k-1) / (2**k - 1)``. With R above 4 M, beta has to
      satisfy ``beta**2 / 4 + q <= beta``; the least one is ``2 - 2 * sqrt(1 - q)``, whatever d is:
      0.634 for k = 4, 0.597 for 6, 0.589 for 8, 0.586 from 16 on. A residue has the bits of M, and
      a sign.
    - Digits of a are those of two's complement, each with the sign of the one below added: at most
      2**(k-1) in magnitude, as the quotient's are. So ``|S'| <= (|S| + 2**k - 1) / 2**k +
      2**(k-1) * (|B| + M2)``, and S stays below the A that this gives for itself (``sum_bound``):
      less than ``1.08 * 2**(k-1)`` times the largest B that there is room for.
    - A product by 1, or by a number of nbits bits of one below m, is below ``M / 16 + q * M``, and
      one by ``final_factor`` below ``(beta / 2**k + q) * M``: all of them are residues, too.

    The result of the last product gets below m by d + 2 digits that make it divisible
    (``x = (x + q * m) / 2**k``): the magnitude shrinks to that of ``x / 2**(k * (d + 2))``, below
    ``m / 2**k``, and ``q * m``, which is between -m and m; m is added where it is negative.

    Parameters
    ----------
    nbits : int
        Width of the modulus in bits.
    digit_nbits : int
        k: bits of a digit, even.
    pipeline : str
        What is registered between the running sum and the next one but its low digit: ``"none"``,
        ``"quotient"``, or up to three to eight rows to which the multiples of B and M2 are added
        up, ``"rows3"`` to ``"rows8"``. d is 1 for nothing, 2 otherwise.

    Source: H. Orup, "Simplifying quotient determination in high-radix modular multiplication",
    1995; signed digits and residues are ours.
    """

    source = "Orup 1995, with signed digits and residues"
    widths = range(4, 4097)
    parameters = (
        Parameter(
            "digit_nbits",
            lambda nbits: 16 if nbits >= 64 else 8 if nbits >= 16 else 4,
            lambda nbits: range(4, min(32, nbits + 1) + 1, 2),
            "bits of a digit",
            symbol="k",
        ),
        Parameter(
            "pipeline",
            lambda nbits: "rows6" if nbits >= 64 else "rows4",
            lambda nbits: PIPELINES,
            "what is registered between the running sum and the sum after it: nothing (d = 1), the "
            "quotient's digit (d = 2), or at most so many rows of multiples (d = 2)",
        ),
    )

    def __init__(self, nbits: int, digit_nbits: int, pipeline: str):
        super().__init__(nbits)
        self._digit_nbits = digit_nbits
        self.quotient_delay = 1 if pipeline == "none" else 2
        self.row_registers = min(_ROWS.get(pipeline, 0), digit_nbits)

    def __repr__(self) -> str:
        """Name it by what it is: circuits that are given one are named after it in Verilog."""
        parts = self.nbits, self._digit_nbits, self.quotient_delay, self.row_registers
        return f"{type(self).__name__}{parts}"

    @property
    def digit_nbits(self) -> int:
        """Bits of a digit, k."""
        return self._digit_nbits

    @property
    def spare_nbits(self) -> int:
        """K * (d + 1): bits of t."""
        return self.digit_nbits * (self.quotient_delay + 1)

    @property
    def residue_nbits(self) -> int:
        """Bits of a residue, its sign included."""
        return self.nbits + self.spare_nbits + 1

    @property
    def digits(self) -> int:
        """Digits of an operand, na."""
        return -(-(self.nbits + self.spare_nbits + 2) // self.digit_nbits)

    @property
    def iterations(self) -> int:
        """Iterations of a product."""
        return self.digits + self.quotient_delay + 1

    @property
    def final_digits(self) -> int:
        """Digits that the final reduction removes."""
        return self.quotient_delay + 2

    @property
    def r(self) -> int:
        """R = 2**(k * na)."""
        return 1 << self.digit_nbits * self.digits

    def multiple(self, modulus: int) -> int:
        """M: the multiple of m that is -1 modulo 2**(k * (d + 1))."""
        return negated_inverse(modulus, 1 << self.spare_nbits) * modulus

    def addend(self, modulus: int) -> int:
        """M2 = (M + 1) / 2**(k * (d + 1)), below m for all m but 1."""
        return self.multiple(modulus) + 1 >> self.spare_nbits

    def bound(self, modulus: int) -> int:
        """Magnitude that residues stay below, ``beta * M``.

        A product is at most ``(beta**2 * M / R + q) * M``, where the quotient digits are at most q
        of their weights, ``2**(k - 1) / (2**k - 1)``; beta is the least that this does not exceed.
        """
        return _beta(self.digit_nbits) * self.multiple(modulus) // _SCALE + 1

    @property
    def sum_nbits(self) -> int:
        """Bits of the running sum where it is kept.

        They hold ``S + 2**(sum_nbits - 1)``, which is no less than 0, as two numbers that add up to
        it without a carry out of them. That needs S to be less than the offset, and the offset
        what stands for the signs of the multiples of B, a third of ``2**(residue_nbits + k)``.
        """
        return self.residue_nbits + self.digit_nbits + 1

    def sum_bound(self, b: int, addend: int) -> int:
        """Magnitude that the running sum stays below with so large a B, and an M2."""
        radix = 1 << self.digit_nbits
        return ((abs(b) + addend) * radix // 2 + 1) * radix // (radix - 1) + 1

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        """Give the product, signed.

        Of two numbers below m, and of one within the bound by 1 or ``final_factor``, it is within
        the bound, too.

        Raises
        ------
        ArithmeticError
            If a has more digits than there are, b does not fit, or the product is not within the
            bound.
        """
        return self._product(a, b, modulus, self.digits)

    def double_product(self, a: int, b: int, modulus: int) -> int:
        """Give ``a * b / R**2`` modulo m, signed, of an a of twice the digits.

        It is within the bound where b is below m.
        """
        return self._product(a, b, modulus, 2 * self.digits)

    def whole_product(self, a: int, modulus: int, tail: int) -> int:
        """Give ``a * m + tail``, of an a and a tail that have been reduced."""
        for name, value, limit in (("a", a, 1 << self.nbits), ("tail", tail, modulus)):
            if value < 0:
                raise ArithmeticError(f"MontOrup: {name} {value:#x} of a whole product is negative")
            self._check_bound(name, value, limit)
        return a * modulus + tail

    def _product(self, a: int, b: int, modulus: int, digits: int) -> int:
        """Give the product of so many digits of a, divided by their weight."""
        multiple, weight = self.multiple(modulus), 1 << self.digit_nbits * digits
        self._check_bound("a", a, weight >> 1)
        self._check_bound("b", b, 1 << self.residue_nbits - 1)
        # All quotient digits, as the one number below the weight that makes the sum divisible. The
        # largest number whose digits are all signed is that of digits 2**(k - 1) - 1.
        most = ((1 << self.digit_nbits - 1) - 1) * (weight - 1) // ((1 << self.digit_nbits) - 1)
        quotient = a * b * negated_inverse(multiple, weight) % weight
        if quotient > most:
            quotient -= weight
        result = (a * b + quotient * multiple) // weight
        self._check_bound("product", result, self.bound(modulus))
        return result

    def final_reduction(self, result: int, modulus: int) -> int:
        """Divide by ``final_factor`` modulo m, into 0 .. m - 1, as the circuit does."""
        half, radix = 1 << self.digit_nbits - 1, 1 << self.digit_nbits
        inverse = negated_inverse(modulus, radix)
        for _ in range(self.final_digits):
            digit = (result * inverse + half) % radix - half
            result = result + digit * modulus >> self.digit_nbits
        if result < 0:
            result += modulus
        if not 0 <= result < modulus:
            raise ArithmeticError(f"the final reduction leaves {result:#x} of {modulus:#x}")
        return result

    def _check_bound(self, name: str, value: int, limit: int) -> None:
        if abs(value) >= limit:
            raise ArithmeticError(f"MontOrup: {name} {value:#x} is not within {limit:#x}")


class MontOrupByDigits(MontOrup):
    """The same products by the recurrence, as the circuit forms them.

    Digits and running sums are checked, in each iteration, against the bounds that the circuit's
    registers rely on. That takes ten times as long: it is for tests.
    """

    def whole_product(self, a: int, modulus: int, tail: int) -> int:
        """Give ``a * m + tail``, digit by digit."""
        k, count = self.digit_nbits, -(-2 * self.nbits // self.digit_nbits)
        total, result = tail << k, 0
        for i in range(count + 1):
            if i:
                result |= total % (1 << k) << k * (i - 1)
            total = (total >> k) + self._digit(a, i, self.digits) * modulus
            self._check_sum(total, modulus, 0)
        self._check_equal(super().whole_product(a, modulus, tail), result)
        return result

    def _product(self, a: int, b: int, modulus: int, digits: int) -> int:
        k, delay = self.digit_nbits, self.quotient_delay
        half, addend = 1 << k - 1, self.addend(modulus)
        quotients: list[int] = []
        total = low = 0
        for i in range(digits + delay + 1):
            if i <= digits:
                quotients.append((total + half) % (2 * half) - half)
                total -= quotients[-1]
            else:  # a digit of the result
                low |= total % (2 * half) << k * (i - digits - 1)
            total = (total >> k) + self._digit(a, i, digits) * b
            if i >= delay:
                total += quotients[i - delay] * addend
            self._check_sum(total, b, addend)
        result = (total << k * delay) + low
        self._check_equal(super()._product(a, b, modulus, digits), result)
        return result

    def _digit(self, a: int, index: int, digits: int) -> int:
        """Give a digit of two's complement, with the sign of the one below; 0 behind the last."""
        k, radix = self.digit_nbits, 1 << self.digit_nbits
        if index >= digits:
            return 0
        digit = (a >> k * index) % radix
        below = a >> k * index - 1 & 1 if index else 0
        return digit - radix * (digit >> k - 1) + below

    def _check_sum(self, total: int, b: int, addend: int) -> None:
        self._check_bound("running sum", total, self.sum_bound(b, addend))
        self._check_bound("running sum", total, 1 << self.sum_nbits - 1)

    def _check_equal(self, expected: int, found: int) -> None:
        if expected != found:
            raise ArithmeticError(f"MontOrup: the digits give {found:#x}, not {expected:#x}")


@lru_cache
def _beta(digit_nbits: int) -> int:
    """Least multiple of 1 / _SCALE with beta**2 / 4 + q <= beta, q = 2**(k - 1) / (2**k - 1)."""
    # beta = 2 - 2 * sqrt(1 - q), and 1 - q = (2**(k - 1) - 1) / (2**k - 1)
    root = isqrt(4 * _SCALE**2 * ((1 << digit_nbits - 1) - 1) // ((1 << digit_nbits) - 1))
    return 2 * _SCALE - root
