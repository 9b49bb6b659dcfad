"""Reference number theory with which tests compare results; it checks every input rule.

Numbers are unsigned Python integers. A Montgomery residue of ``x`` is ``x * R mod N`` with
``R = 2**nbits``; residues lie in ``0 .. N - 1``.
"""

from dataclasses import dataclass

from rsaxcel.fl.status import check_below, check_fits, check_odd


def modular_product(a: int, b: int, modulus: int) -> int:
    """Product of two values below the modulus, reduced modulo it.

    Raises
    ------
    ValueError
        If the modulus is below 2 or an operand is not below it.
    """
    if modulus < 2:
        raise ValueError(f"modulus_too_small: modulus {modulus} is below 2")
    check_below("a", a, modulus)
    check_below("b", b, modulus)
    return a * b % modulus


@dataclass(frozen=True)
class Montgomery:
    """Montgomery arithmetic modulo an odd N with R = 2**nbits.

    Source: P. L. Montgomery as cited by McNay, algorithms 2 and 4, equations 4 to 9, and by Li and
    Chu, algorithm 0 (``redc``).

    Parameters
    ----------
    modulus : int
        N, odd, at least 3, below R.
    nbits : int
        log2 of R.

    Raises
    ------
    InputRuleError
        If the modulus is even, too small or does not fit ``nbits``.
    """

    modulus: int
    nbits: int

    def __post_init__(self) -> None:
        """Check the modulus."""
        check_fits("modulus", self.modulus, self.nbits)
        check_odd(self.modulus)

    @property
    def r(self) -> int:
        """R = 2**nbits."""
        return 1 << self.nbits

    @property
    def n_prime(self) -> int:
        """N' = -N**-1 mod R, so that R * R**-1 - N * N' = 1."""
        return -pow(self.modulus, -1, self.r) % self.r

    @property
    def r_squared(self) -> int:
        """R**2 mod N: the factor that brings a value into residue form."""
        return self.r * self.r % self.modulus

    def redc(self, t: int) -> int:
        """T / R mod N for ``0 <= T < R * N`` (REDC)."""
        if not 0 <= t < self.r * self.modulus:
            raise ValueError(f"redc operand {t} is not in 0 .. R * N - 1")
        m = (t % self.r) * self.n_prime % self.r
        quotient = (t + m * self.modulus) >> self.nbits
        return quotient - self.modulus if quotient >= self.modulus else quotient

    def product(self, a: int, b: int) -> int:
        """Montgomery product a * b / R mod N of two values below N."""
        check_below("a", a, self.modulus)
        check_below("b", b, self.modulus)
        return self.redc(a * b)

    def residue(self, x: int) -> int:
        """Residue x * R mod N of a value below N."""
        return self.product(x, self.r_squared)

    def value(self, residue: int) -> int:
        """Value x of the residue x * R mod N; the inverse of ``residue``."""
        check_below("residue", residue, self.modulus)
        return self.redc(residue)


def power_of_x(exponent: int, polynomial: int) -> int:
    """Power of x modulo a polynomial over the numbers modulo 2.

    Bit i of a number is the coefficient of x^i; the degree of ``polynomial`` is at least 2.
    """
    degree = polynomial.bit_length() - 1

    def times(a: int, b: int) -> int:
        product = 0
        while b:
            product ^= a if b & 1 else 0
            a, b = a << 1, b >> 1
            a ^= polynomial if a >> degree else 0
        return product

    result, square = 1, 2
    while exponent:
        result = times(result, square) if exponent & 1 else result
        square, exponent = times(square, square), exponent >> 1
    return result
