"""Keys whose moduli vary: primes in a drawn order, and multiplied by small random primes.

A design by two primes gives the same result whichever prime comes first, if the exponents change
places, too: the order of the primes, and with it the constants of the moduli, may be drawn.

With primes p and q, and random primes r_p and r_q of k bits, a design by two primes computes with P
= p r_p and Q = q r_q, each with k bits more, and gives x, the number below P Q that is c**dP modulo
P and c**dQ modulo Q. (P, Q, e) is an ordinary key of four primes:

- dP = 1/e modulo lambda(P), with lambda(P) = lcm(p - 1, r_p - 1). So x**e is c modulo P and modulo
  Q, and a design that checks its result by e accepts x.
- lambda(P) is a multiple of p - 1, so that x = c**d modulo p, and likewise q: the result of the key
  is x mod n.
- dP is dp plus a multiple of p - 1 that depends on r_p: the exponents vary, too.

For dP to exist, e must have no factor in common with r_p - 1. P and Q must have no common factor,
and a prime that divides P twice would make x wrong for its multiples: p, q, r_p, r_q all differ.
"""

from dataclasses import dataclass
from math import gcd, lcm
from random import Random

from rsaxcel.fl.keys import draw_prime
from rsaxcel.plan.halves import Halves

LEAST_NBITS, MOST_NBITS = 4, 64  #: limits of the random primes' width, in bits

#: draws of primes at most; more than half of all primes suit a usual public exponent
_MOST_DRAWS = 1000


@dataclass(frozen=True)
class Variation:
    """Variation of the moduli of a key between operations; false if the moduli stay."""

    factor_nbits: int = 0  #: width of the random primes by which the primes are multiplied, in bits
    swaps: bool = False  #: the order of the primes is drawn

    def __bool__(self) -> bool:
        return self.factor_nbits > 0 or self.swaps

    def __str__(self) -> str:
        factors = [f"random primes of {self.factor_nbits} bits"] if self.factor_nbits else []
        return " and ".join(factors + ["random order of the primes"] * self.swaps)

    def widened(self, nbits: int) -> int:
        """Width of the product of the two moduli, given the width of the key's modulus."""
        return nbits + 2 * self.factor_nbits

    def draw_swap(self, draw: Random) -> bool:
        """Draw whether the primes change places; without ``swaps``, nothing is drawn."""
        return self.swaps and draw.getrandbits(1) == 1

    def refusal(self, halves: Halves | None) -> str:
        """Say why a design's moduli (``halves``; None: one modulus) cannot vary so.

        The text is empty if they can.
        """
        if not self:
            return ""
        if halves is None:
            return "only designs by two primes (crt) take it"
        return halves.primes_only if self.factor_nbits else ""


UNVARIED = Variation()  #: no variation: the primes of the key, in their order


@dataclass(frozen=True)
class BlindedKey:
    """RSA key whose moduli are its primes or multiples of its primes, in either order."""

    n: int  #: modulus of the key itself
    e: int
    moduli: tuple[int, int]  #: modulus of half 0, then of half 1
    #: For each modulus, the least number whose multiples can be added to exponents (Carmichael
    #: function).
    orders: tuple[int, int]

    @property
    def private(self) -> tuple[int, int]:
        first, second = (pow(self.e, -1, order) for order in self.orders)
        return first, second

    @property
    def public(self) -> tuple[int, int]:
        """Public exponent, reduced for each modulus."""
        first, second = (self.e % order for order in self.orders)
        return first, second

    def reduced(self, result: int) -> int:
        return result % self.n


def blinded_key(p: int, q: int, e: int, variation: Variation, draw: Random) -> BlindedKey:
    """Draw the order of a key's primes, and random primes, uniformly from all that suit the key.

    The leading bit of a random prime is 1. ``ValueError`` if no two primes suit, or none were
    found.
    """
    nbits = variation.factor_nbits
    if variation.draw_swap(draw):
        p, q = q, p
    factors: list[int] = []
    for _ in range(_MOST_DRAWS if nbits else 0):
        if len(factors) == 2:
            break
        factor = draw_prime(draw, nbits)
        if gcd(e, factor - 1) == 1 and factor not in (p, q, *factors):
            factors.append(factor)
    if nbits and len(factors) < 2:
        raise ValueError(f"no two primes of {nbits} bits suit the public exponent {e}")
    first, second = factors or (1, 1)
    moduli = p * first, q * second
    orders = lcm(p - 1, max(1, first - 1)), lcm(q - 1, max(1, second - 1))
    return BlindedKey(p * q, e, moduli, orders)
