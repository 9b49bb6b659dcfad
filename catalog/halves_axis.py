"""Base class of the axes that only designs by two primes have: protections of their results."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rsaxcel.catalog.axis import BY_PRIMES, Axis, Fitting
from rsaxcel.catalog.draft import Draft
from rsaxcel.plan.parameters import Parameter, parse_parameters


class HalvesAxis(Axis):
    """An axis of the designs by two primes. Its first token means none, and is stored nowhere."""

    tokens: Mapping[str, str]  # description by token
    told: str  # why a design without two primes has no choice

    def known(self) -> Sequence[str]:
        return tuple(self.tokens)

    def needless(self, draft: Draft) -> str:
        """Return why there is no choice; empty if the design computes by two primes."""
        return "" if draft.halves else f"{self.told}; {BY_PRIMES}"

    def usual(self, draft: Draft) -> str:
        """Return the first token, which every registered design has."""
        return self.known()[0]

    def fits(self, draft: Draft) -> Fitting:
        return Fitting(self.known())

    def take(self, draft: Draft, token: Any) -> None:
        """Store a choice, and what it changes in the layout of the halves."""
        if token != self.usual(draft):
            super().take(draft, token)
            assert draft.halves is not None
            draft.halves = replace(draft.halves, **self.changes(draft, token))

    @abstractmethod
    def changes(self, draft: Draft, token: str) -> Mapping[str, Any]:
        """Return fields of ``plan.halves.Halves`` with the values that follow from a choice."""


def take_parameter(draft: Draft, parameter: Parameter) -> Any:
    """Add a parameter with the user's value, or its default, to the draft; return the value."""
    values = parse_parameters((parameter,), draft.asked, draft.nbits)
    draft.values = (*draft.values, *values)
    return values[0][1]
