"""Axis of the dummies: whether a design forms products without a use, at random places."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from catalog.axis import BY_PRIMES, Axis, Fitting
from catalog.draft import Draft
from plan.dummies import DUMMIES, DUMMY_COUNT, WITHOUT, Dummies
from plan.parameters import parse_parameters


class DummiesAxis(Axis):
    """Axis of the dummies: none, or squares between the products of the exponent."""

    name = "dummies"

    def known(self) -> Sequence[str]:
        """Return every token of the axis."""
        return tuple(DUMMIES)

    def needless(self, draft: Draft) -> str:
        """Return why there is no choice; empty if the design computes by two primes."""
        return "" if draft.halves else f"only designs by two primes have dummies; {BY_PRIMES}"

    def usual(self, draft: Draft) -> str:
        """Return ``none``, which every registered design has."""
        return WITHOUT

    def fits(self, draft: Draft) -> Fitting:
        """Return all tokens."""
        return Fitting(self.known())

    def take(self, draft: Draft, token: Any) -> None:
        """Store that there are dummies, and how many; a design without them has no token.

        Raises
        ------
        ValueError
            If the number is not allowed.
        """
        if token == WITHOUT:
            return
        super().take(draft, token)
        assert draft.halves is not None
        values = parse_parameters((DUMMY_COUNT,), draft.asked, draft.nbits)
        draft.values = (*draft.values, *values)
        draft.halves = replace(draft.halves, dummies=Dummies(values[0][1]))
