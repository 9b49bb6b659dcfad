"""Parameters of circuits and programs: their names, default values and allowed values."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

_MOST_LISTED = 1000


@dataclass(frozen=True)
class Parameter:
    """A parameter of a circuit or program, such as the bits that a multiplier takes in a cycle.

    Default and allowed values depend on the width of the operands.

    Parameters
    ----------
    name : str
        Name for users. For a parameter of a circuit, it is also the keyword in the constructors of
        the circuit and of its models.
    default : callable
        Gives the default value for a width in bits.
    allowed : callable
        Gives the allowed values for a width in bits.
    meaning : str
        Description in one line, with the unit of measurement.
    symbol : str
        Letter of the parameter in the source document; users may write it in place of the name.
    """

    name: str
    default: Callable[[int], Any]
    allowed: Callable[[int], Collection[Any]]
    meaning: str
    symbol: str = ""

    def describe_allowed(self, nbits: int) -> str:
        """Put the allowed values in words, for messages."""
        allowed = self.allowed(nbits)
        if isinstance(allowed, range):
            ends = f"{allowed[0]} to {allowed[-1]}"
            kind = "odd" if allowed[0] % 2 else "even"
            return ends if allowed.step == 1 else f"{kind} numbers from {ends}"
        return ", ".join(map(str, allowed))

    def listed(self, nbits: int) -> list[Any]:
        """List the allowed values; for a range of more than 1000, only the first and the last."""
        allowed = self.allowed(nbits)
        if isinstance(allowed, range) and allowed[-1] - allowed[0] > _MOST_LISTED:
            return [self.parse(end, nbits) for end in (allowed[0], allowed[-1])]
        return list(allowed)

    def parse(self, value: Any, nbits: int) -> Any:
        """Convert ``value``, or its text, to an allowed value.

        Raises
        ------
        ValueError
            If the value is not allowed; the message names the parameter and the allowed values.
        """
        if isinstance(value, str) and not isinstance(self.default(nbits), str):
            try:
                value = int(value, 0)
            except ValueError:
                pass
        allowed = self.allowed(nbits)
        if type(value) is not type(self.default(nbits)) or value not in allowed:
            raise ValueError(
                f"{self.name}={value}: {self.describe_allowed(nbits)} allowed at {nbits} bits"
            )
        return value


def parse_parameters(
    parameters: Iterable[Parameter], left: dict[str, Any], nbits: int
) -> tuple[tuple[str, Any], ...]:
    """Remove the values of ``parameters`` from ``left``, and return them with their names.

    The keys of ``left`` are names or symbols of parameters. A parameter that is missing there gets
    its default value. Keys that belong to none of the parameters stay in ``left``.

    Raises
    ------
    ValueError
        If a value is not allowed; the message names the parameter and the allowed values.
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
    """Divisors of n, ascending."""
    return tuple(d for d in range(1, n + 1) if n % d == 0)
