"""Declaration of a measure for all levels: axis, parameters, additions to a request."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rsaxcel.plan.parameters import Parameter


@dataclass(frozen=True)
class Measure:
    """A measure against faults or observers: an axis of designs by two primes."""

    name: str
    # tokens with descriptions; the first token is that of a design without the measure
    tokens: Mapping[str, str]
    lacking: str  # reason why a design by one modulus has no choice
    parameters: Mapping[str, Sequence[Parameter]] = field(default_factory=dict)
    # Additions of a token with the values of its parameters, by field of ``plan.halves.Halves``.
    adds: Callable[..., Mapping[str, Any]] = lambda token, *values: {}
    revising: Sequence[str] = ()  # tokens of circuits that may take back a response

    @property
    def all_parameters(self) -> list[Parameter]:
        return [*{p.name: p for own in self.parameters.values() for p in own}.values()]

    def having(self, parameter: Parameter) -> list[str]:
        """Return the tokens with a parameter."""
        return [token for token, own in self.parameters.items() if parameter in own]


class Number(NamedTuple):
    """A number of a request, which stands above the exponents."""

    name: str  # name of the residue that takes the number, such as BLIND
    half: int | None  # half that uses the number; None: both
    nbits: int
    # the number has to be odd, to check the result; other numbers are random, not 0
    odd: bool = False
    title: str = ""  # name as users read it; empty: `name`

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
