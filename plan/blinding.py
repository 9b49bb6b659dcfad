"""Blinding: random numbers of a request that hide its message and its exponents.

It has no circuit of its own: products of the lane form all of it (``plan.domains._enter_crt``). A
blinded exponent is a product without reduction, ``whole`` in ``rtl.multipliers.mont_orup.control``,
whose factor ``ORDER`` is the input ``less`` there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from random import Random
from typing import NamedTuple

# Residues of a half that come with the exponent of a request.
BLIND, UNBLIND, MULTIPLE, PRIVATE = (
    "blind",  # factor that blinds the message
    "unblind",  # factor that takes its effect from the result
    "multiple",  # times that the prime minus 1 (``ORDER``) is added to the exponent
    "private",  # the exponent itself
)

_LEAST = 3  # least modulus of a half


class Blind(NamedTuple):
    """A random number of a request."""

    name: str  # of the residue, such as BLIND
    half: int | None  # that uses the number; None: both
    nbits: int

    @property
    def key(self) -> str:
        """Name with the prime of the half, such as ``blind_p``."""
        return self.name if self.half is None else f"{self.name}_{'pq'[self.half]}"

    def __str__(self) -> str:
        """Give the name as users read it, such as ``blind of p``."""
        return self.name if self.half is None else f"{self.name} of {'pq'[self.half]}"


@dataclass(frozen=True)
class Blinding:
    """What a design by two primes blinds.

    Modulo a prime m: ``(message * blind)**(private + multiple * (m - 1)) * unblind``. By Fermat's
    theorem, that is ``message**private`` if ``unblind`` is ``blind**-private``. With ``multiple``,
    there is one exception: if ``private`` is 0 and m divides the message, the result is 0, not 1.
    """

    message: bool = False  # is blinded
    exponent_nbits: int = 0  # of `multiple`, by which exponents are blinded; 0: they are not

    def __bool__(self) -> bool:
        return self.message or self.exponent_nbits > 0

    @property
    def residues(self) -> tuple[str, ...]:
        """Residues of a half that come with the exponent of a request."""
        of_exponents = (MULTIPLE, PRIVATE) if self.exponent_nbits else ()
        return (*((BLIND, UNBLIND) if self.message else ()), *of_exponents)

    def blinds(self, half_nbits: int) -> tuple[Blind, ...]:
        """Give the random numbers of a request, in order, for halves of ``half_nbits`` bits."""
        widths = {BLIND: half_nbits, UNBLIND: half_nbits, MULTIPLE: self.exponent_nbits}
        names = [name for name in self.residues if name != PRIVATE]
        return tuple(Blind(name, half, widths[name]) for name in names for half in (0, 1))

    def draw(self, moduli: Sequence[int], private: Sequence[int], draw: Random) -> tuple[int, ...]:
        """Draw the random numbers of a request (``blinds``), which leave the result as it is.

        That holds if both moduli are prime, or only the message is blinded. With a modulus below 3,
        which a design refuses, its two factors are 1.
        """
        found: list[int] = []
        if self.message:
            factors = [_coprime(m, draw) for m in moduli]
            together = zip(factors, private, moduli, strict=True)
            found += [*factors, *(pow(x, -e, m) if m >= _LEAST else 1 for x, e, m in together)]
        if self.exponent_nbits:
            found += [draw.randrange(1, 1 << self.exponent_nbits) for _ in moduli]
        return tuple(found)


UNBLINDED = Blinding()


def _coprime(modulus: int, draw: Random) -> int:
    """Draw a number below a modulus that has no factor in common with it; 1 below ``_LEAST``."""
    while modulus >= _LEAST:
        found = draw.randrange(1, modulus)
        if gcd(found, modulus) == 1:
            return found
    return 1
