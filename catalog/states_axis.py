"""Axis of the states: whether a design has a copy of each state machine, to detect faults."""

from collections.abc import Sequence
from typing import Any

from catalog.axis import BY_PRIMES, Axis, Fitting
from catalog.draft import Draft
from plan.programs import SINGLE, STATES


class StatesAxis(Axis):
    """Axis of the states: one machine each, or two that are compared in every cycle."""

    name = "states"

    def known(self) -> Sequence[str]:
        """Return every token of the axis: ``single`` and ``doubled``."""
        return tuple(STATES)

    def needless(self, draft: Draft) -> str:
        """Return why there is no choice; empty if the design computes by two primes."""
        return (
            "" if draft.halves else f"only designs by two primes have doubled states; {BY_PRIMES}"
        )

    def usual(self, draft: Draft) -> str:
        """Return ``single``, which every registered design has."""
        return SINGLE

    def fits(self, draft: Draft) -> Fitting:
        """Return both tokens."""
        return Fitting(self.known())

    def take(self, draft: Draft, token: Any) -> None:
        """Store the token; a design without copies has none."""
        if token != SINGLE:
            super().take(draft, token)
