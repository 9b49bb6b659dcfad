"""Keys whose primes are multiplied by small random primes, so that the moduli of a design vary.

With primes p and q, and random primes r_p and r_q of k bits, a design by two primes computes with
the moduli P = p r_p and Q = q r_q, each with k bits more, and gives x, the number below P Q that is
c**dP modulo P and c**dQ modulo Q. (P, Q, e) is an ordinary key of four primes:

- dP = 1/e modulo lambda(P), with lambda(P) = lcm(p - 1, r_p - 1). So x**e is c modulo P and modulo
  Q, and a design that checks its result by e accepts x.
- lambda(P) is a multiple of p - 1, so that x = c**d modulo p, and the same holds modulo q: the
  result of the key is x mod n.
- dP is dp plus a multiple of p - 1 that depends on r_p: the exponents vary, too.

For dP to exist, e must have no factor in common with r_p - 1. P and Q must have no common factor,
and a prime that divides P twice would make x wrong for its multiples: p, q, r_p, r_q all differ.
"""

from dataclasses import dataclass
from math import gcd, lcm
from random import Random

from fl.keys import draw_prime
from plan.halves import Halves

LEAST_NBITS, MOST_NBITS = 4, 64
"""Least and greatest width in bits of the random primes."""

_MOST_DRAWS = 1000  # of primes; more than half of them suit a usual public exponent


@dataclass(frozen=True)
class BlindedKey:
    """RSA key with moduli that are multiples of its primes.

    Parameters
    ----------
    n, e : int
        Modulus and public exponent of the key.
    moduli : tuple of int
        Multiples of its two primes.
    orders : tuple of int
        For each modulus, the least number of which a multiple can be added to exponents (Carmichael
        function).
    """

    n: int
    e: int
    moduli: tuple[int, int]
    orders: tuple[int, int]

    @property
    def private(self) -> tuple[int, int]:
        """Private exponent of each modulus."""
        first, second = (pow(self.e, -1, order) for order in self.orders)
        return first, second

    @property
    def public(self) -> tuple[int, int]:
        """Public exponent, reduced for each modulus."""
        first, second = (self.e % order for order in self.orders)
        return first, second

    def reduced(self, result: int) -> int:
        """Give the result of the key from the result of an operation with the moduli."""
        return result % self.n


def blinded_key(p: int, q: int, e: int, nbits: int, draw: Random) -> BlindedKey:
    """Multiply the primes of a key by random primes of ``nbits`` bits.

    Parameters
    ----------
    p, q, e : int
        Primes and public exponent of the key.
    nbits : int
        Width of the random primes, whose leading bit is 1; 0: the moduli are the primes.
    draw : Random
        Source of the random primes. They are drawn uniformly from all that suit the key.

    Raises
    ------
    ValueError
        If no two primes of this width suit the key, or none were found.
    """
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


def unblindable(halves: Halves | None) -> str:
    """Say why the moduli of a design cannot be multiplied by random primes; empty if they can.

    ``halves`` is the layout of its two moduli; None: it has one modulus.
    """
    if halves is None:
        return "only designs by two primes (crt) take it"
    if halves.blinding.exponent_nbits:
        # P - 1 is no multiple of lambda(P), which is lcm(p - 1, r - 1).
        return (
            "blinding=exponents and both add multiples of p - 1, which is wrong with multiples of "
            "p; blinding=message fits, and the random primes change the exponents, too"
        )
    return ""
