"""Parameters of circuits and programs: their names, default values and allowed values."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

_MOST_LISTED = 1000


@dataclass(frozen=True)
class Parameter:
    """A parameter of a circuit or program.

    ``default`` and ``allowed`` depend on the operands' width.
    """

    name: str  #: name for users, and keyword in constructors
    default: Callable[[int], Any]
    allowed: Callable[[int], Collection[Any]]
    meaning: str  #: meaning in one line, with the unit of measurement
    symbol: str = ""  #: letter in the source document, which users may write

    def describe_allowed(self, nbits: int) -> str:
        allowed = self.allowed(nbits)
        if isinstance(allowed, range):
            ends = f"{allowed[0]} to {allowed[-1]}"
            kind = "odd" if allowed[0] % 2 else "even"
            return ends if allowed.step == 1 else f"{kind} numbers from {ends}"
        return ", ".join(map(str, allowed))

    def listed(self, nbits: int) -> list[Any]:
        """List the allowed values; of a range of more than 1000, only the first and the last."""
        allowed = self.allowed(nbits)
        if isinstance(allowed, range) and allowed[-1] - allowed[0] > _MOST_LISTED:
            return [self.parse(end, nbits) for end in (allowed[0], allowed[-1])]
        return list(allowed)

    def parse(self, value: Any, nbits: int) -> Any:
        """Convert ``value``, or its text, to an allowed value.

        ``ValueError`` names the allowed ones.
        """
        allowed = self.allowed(nbits)
        kind = type(next(iter(allowed), None))
        if isinstance(value, str) and kind is not str:
            try:
                value = int(value, 0)
            except ValueError:
                pass
        if type(value) is not kind or value not in allowed:
            raise ValueError(
                f"{self.name}={value}: {self.describe_allowed(nbits)} allowed at {nbits} bits"
            )
        return value


def parse_parameters(
    parameters: Iterable[Parameter], left: dict[str, Any], nbits: int
) -> tuple[tuple[str, Any], ...]:
    """Remove the values of ``parameters`` from ``left``, and return them with their names.

    Keys are names or symbols; missing parameters get defaults, other keys stay.
    """
    values = []
    for p in parameters:
        if p.symbol and p.symbol in left:
            if p.name in left:
                raise ValueError(f"{p.symbol}={left[p.symbol]}: {p.name} is given, too")
            left[p.name] = left.pop(p.symbol)
        values.append((p.name, p.parse(left.pop(p.name, p.default(nbits)), nbits)))
    return tuple(values)


def divisors(n: int) -> tuple[int, ...]:
    return tuple([d for d in range(1, n + 1) if n % d == 0])
