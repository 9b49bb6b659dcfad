"""Axis of the check: whether a design checks its result before the result leaves."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from catalog.axis import BY_PRIMES, Axis, Fitting
from catalog.draft import Draft
from plan.domains import CHECKS, PUBLIC_NBITS, UNCHECKED
from plan.parameters import parse_parameters


class CheckAxis(Axis):
    """Axis of the check: none, or by the public exponent."""

    name = "check"

    def known(self) -> Sequence[str]:
        """Return every token of the axis: ``none`` and ``public_exponent``."""
        return tuple(CHECKS)

    def needless(self, draft: Draft) -> str:
        """Return why there is no choice; empty if the result comes from two halves."""
        if draft.halves:
            return ""
        return f"only a result that two halves are joined to is checked; {BY_PRIMES}"

    def usual(self, draft: Draft) -> str:
        """Return ``none``, which every registered design has."""
        return UNCHECKED

    def fits(self, draft: Draft) -> Fitting:
        """Return both tokens."""
        return Fitting(self.known())

    def take(self, draft: Draft, token: Any) -> None:
        """Store a check, and the width of its exponent; a design without a check has no token.

        Raises
        ------
        ValueError
            If the width of the public exponent is not allowed.
        """
        if token == UNCHECKED:
            return
        super().take(draft, token)
        assert draft.halves is not None
        values = parse_parameters((PUBLIC_NBITS,), draft.asked, draft.nbits)
        draft.values = (*draft.values, *values)
        draft.halves = replace(draft.halves, public_nbits=values[0][1])
