"""Declaration of a measure for all levels: axis, parameters, additions to a request."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from rsaxcel.plan.parameters import Parameter


@dataclass(frozen=True)
class Measure:
    """A measure against faults or observers: an axis of designs by two primes."""

    name: str
    #: tokens with descriptions; the first token is that of a design without the measure
    tokens: Mapping[str, str]
    lacking: str  #: reason why a design by one modulus has no choice
    parameters: Mapping[str, Sequence[Parameter]] = field(default_factory=dict)
    #: by token: function that makes the additions to the halves, from the values of the parameters
    adds: Mapping[str, Callable[..., Added]] = field(default_factory=dict)
    revising: Sequence[str] = ()  #: tokens of circuits that may take back a response

    @property
    def all_parameters(self) -> list[Parameter]:
        return [*{p.name: p for own in self.parameters.values() for p in own}.values()]

    def having(self, parameter: Parameter) -> list[str]:
        """Return the tokens with a parameter."""
        return [token for token, own in self.parameters.items() if parameter in own]


class Number(NamedTuple):
    """A number of a request, which stands above the exponents."""

    name: str  #: name of the residue that takes the number, such as BLIND
    half: int | None  #: half that uses the number; None: both
    nbits: int
    #: the number has to be odd, to check the result; other numbers are random, not 0
    odd: bool = False
    title: str = ""  #: name as users read it; empty: `name`
    width: str = ""  #: name of the parameter by which users choose `nbits`

    @property
    def key(self) -> str:
        """Name with the prime of the half, such as ``blind_p``."""
        return self.name if self.half is None else f"{self.name}_{'pq'[self.half]}"

    def __str__(self) -> str:
        """Return the name as users read it, such as ``blind of p``."""
        title = self.title or self.name
        return title if self.half is None else f"{title} of {'pq'[self.half]}"

    def fault(self, value: int) -> str:
        """Say why a request with this value is refused; empty if the value is allowed."""
        if self.odd:
            needed = "an odd one is needed to check the result"
            return "" if value % 2 else f"{self} {value}: {needed}"
        return "" if value else "random numbers of the request are missing"


class Added:
    """Additions of a chosen measure to both halves of a request; here, none."""

    blinds_message = False  #: a random factor hides the message
    #: Width of the random multiple of p - 1, or q - 1, that products add to an exponent; 0: none.
    multiple_nbits = 0

    @property
    def primes_only(self) -> str:
        """Say why no modulus may be a multiple of its prime; empty if it may."""
        return ""

    def numbers(self, half_nbits: int) -> tuple[Number, ...]:
        """Return the numbers above the exponents of a request, for halves of a width in bits."""
        return ()

    def draw(self, moduli: Sequence[int], private: Sequence[int], draw: Random) -> tuple[int, ...]:
        """Draw those of the ``numbers`` that are random, so that the result stays as it is."""
        return ()

    def changed(self, domain: Any) -> Any:
        """Return the domain of two halves (``plan.domains.crt``) with further steps."""
        return domain

    def hidden(
        self, base: int, exponent: int, modulus: int, numbers: Mapping[str, int]
    ) -> tuple[int, int, int]:
        """Return base and exponent of a half as the loop has them, and a factor of its result."""
        return base, exponent, 1

    def confirms(self, result: int, base: int, modulus: int, numbers: Mapping[str, int]) -> bool:
        """Whether a half accepts the joined result."""
        return True
