"""Blinding: random numbers of a request that hide its message and its exponents.

Blinding has no circuit of its own: products of the lane form all blinded numbers
(``Blinding.enter``). A blinded exponent is a product without reduction, ``whole`` in
``rtl.multipliers.mont_orup.control``, whose factor ``ORDER`` is the input ``less`` there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import gcd
from random import Random
from typing import Any

from rsaxcel.plan.measures.measure import Added, Measure, Number
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.steps import EXPONENT, MESSAGE, ONE, ORDER, Kind, Product, Step

#: Residues of a half that come with the exponent of a request.
BLIND, UNBLIND, MULTIPLE, PRIVATE = (
    "blind",  #: factor that blinds the message
    "unblind",  #: factor that removes the effect of `blind` from the result
    "multiple",  #: factor by which the prime minus 1 (``ORDER``) is added to the exponent
    "private",  #: the exponent itself
)

OF_NOTHING, OF_MESSAGE, OF_EXPONENTS, OF_BOTH = "none", "message", "exponents", "both"

#: Blinded operands, by token. The random numbers come with the request.
BLINDINGS: Mapping[str, str] = {
    OF_NOTHING: "nothing is blinded",
    OF_MESSAGE: "a random factor multiplies the message; another one undoes that in the result",
    OF_EXPONENTS: "a random multiple of p - 1, and of q - 1, is added to the exponents",
    OF_BOTH: "message and exponents",
}

#: Width of the random numbers that blind the exponents.
BLIND_NBITS = Parameter(
    "blind_nbits",
    lambda nbits: min(32, nbits // 2),
    lambda nbits: range(2, min(64, nbits // 2) + 1),
    "width of the random numbers by which p - 1 and q - 1 are multiplied to blind the exponents",
)

_LEAST = 3  #: least modulus of a half


@dataclass(frozen=True)
class Blinding(Added):
    """Blinding of a design by two primes.

    Modulo a prime m: ``(message * blind)**(private + multiple * (m - 1)) * unblind``. By Fermat's
    theorem, that is ``message**private`` if ``unblind`` is ``blind**-private``. With ``multiple``,
    there is one exception: if ``private`` is 0 and m divides the message, the result is 0, not 1.
    """

    blinds_message: bool
    multiple_nbits: int = 0  #: width of `multiple`, which blinds exponents; 0: they are not blinded

    @property
    def primes_only(self) -> str:
        # P = p * r: P - 1 is no multiple of lambda(P), which is lcm(p - 1, r - 1).
        return (
            "blinding=exponents and both add multiples of p - 1, which is wrong with multiples "
            "of p; blinding=message fits, and the random primes change the exponents, too"
            if self.multiple_nbits
            else ""
        )

    @property
    def residues(self) -> tuple[str, ...]:
        """Residues of a half that come with the exponent of a request."""
        of_exponents = (MULTIPLE, PRIVATE) if self.multiple_nbits else ()
        return (*((BLIND, UNBLIND) if self.blinds_message else ()), *of_exponents)

    def numbers(self, half_nbits: int) -> tuple[Number, ...]:
        widths = {BLIND: half_nbits, UNBLIND: half_nbits, MULTIPLE: self.multiple_nbits}
        names = [name for name in self.residues if name != PRIVATE]
        return tuple(Number(name, half, widths[name]) for name in names for half in (0, 1))

    def changed(self, domain: Any) -> Any:
        unblind = ((Product("r", UNBLIND, "r"),),) if self.blinds_message else ()
        return replace(
            domain,
            enter=self.enter(domain),
            leave=(*unblind, *domain.leave),
            given=(*domain.given, *self.residues),
        )

    def enter(self, domain: Any) -> tuple[Step, ...]:
        """Return the steps that form exponents, blinding factors, and the residue of the message.

        With k = R**3 modulo the prime: ``unblind * R**2``, ``unblind * R``; then ``blind * R**2``,
        ``blind * R**4``, ``message * blind * R**2``, and the residue ``message * blind * R``, so
        that no value depends on the message alone.
        """
        steps: list[Step] = []
        if self.multiple_nbits:
            steps.append((Product(EXPONENT, MULTIPLE, ORDER, kind=Kind.WHOLE, tail=PRIVATE),))
        if not self.blinds_message:
            return (*steps, *domain.enter)
        return (
            *steps,
            (Product(UNBLIND, UNBLIND, "k"),),
            (Product(UNBLIND, ONE, UNBLIND),),
            (Product(BLIND, BLIND, "k"),),
            (Product(BLIND, BLIND, "k"),),
            (Product("b", MESSAGE, BLIND, kind=Kind.DOUBLE),),
            (Product("b", ONE, "b"),),
        )

    def draw(self, moduli: Sequence[int], private: Sequence[int], draw: Random) -> tuple[int, ...]:
        """Draw the random numbers of a request, which leave the result unchanged.

        The result is unchanged if both moduli are prime, or only the message is blinded. With a
        modulus below 3, which a design refuses, both blinding factors are 1.
        """
        found: list[int] = []
        if self.blinds_message:
            factors = [_coprime(m, draw) for m in moduli]
            together = zip(factors, private, moduli, strict=True)
            found += [*factors, *(pow(x, -e, m) if m >= _LEAST else 1 for x, e, m in together)]
        if self.multiple_nbits:
            found += [draw.randrange(1, 1 << self.multiple_nbits) for _ in moduli]
        return tuple(found)

    def hidden(
        self, base: int, exponent: int, modulus: int, numbers: Mapping[str, int]
    ) -> tuple[int, int, int]:
        exponent += numbers.get(MULTIPLE, 0) * (modulus - 1)
        return base * numbers.get(BLIND, 1), exponent, numbers.get(UNBLIND, 1)


BLINDING = Measure(
    "blinding",
    BLINDINGS,
    "only designs by two primes are blinded",
    {OF_EXPONENTS: [BLIND_NBITS], OF_BOTH: [BLIND_NBITS]},
    {
        OF_MESSAGE: partial(Blinding, True),
        OF_EXPONENTS: partial(Blinding, False),
        OF_BOTH: partial(Blinding, True),
    },
)


def _coprime(modulus: int, draw: Random) -> int:
    """Draw a number below a modulus that has no factor in common with it; 1 below ``_LEAST``."""
    while modulus >= _LEAST:
        found = draw.randrange(1, modulus)
        if gcd(found, modulus) == 1:
            return found
    return 1
