"""Axis of the blinding: whether a design hides its message and its exponents by random numbers."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from catalog.axis import BY_PRIMES, Axis, Fitting
from catalog.draft import Draft
from plan.blinding import Blinding
from plan.domains import BLIND_NBITS, BLINDINGS, OF_EXPONENTS, OF_MESSAGE, OF_NOTHING
from plan.parameters import parse_parameters


class BlindingAxis(Axis):
    """Axis of the blinding: none, of the message, of the exponents, or of both."""

    name = "blinding"

    def known(self) -> Sequence[str]:
        """Return every token of the axis."""
        return tuple(BLINDINGS)

    def needless(self, draft: Draft) -> str:
        """Return why there is no choice; empty if the design computes by two primes."""
        return "" if draft.halves else f"only designs by two primes are blinded; {BY_PRIMES}"

    def usual(self, draft: Draft) -> str:
        """Return ``none``, which every registered design has."""
        return OF_NOTHING

    def fits(self, draft: Draft) -> Fitting:
        """Return all tokens."""
        return Fitting(self.known())

    def take(self, draft: Draft, token: Any) -> None:
        """Store what is blinded, and the width of the multiples that blind exponents.

        A design without blinding has no token.

        Raises
        ------
        ValueError
            If the width is not allowed.
        """
        if token == OF_NOTHING:
            return
        super().take(draft, token)
        assert draft.halves is not None
        exponent_nbits = 0
        if token != OF_MESSAGE:
            values = parse_parameters((BLIND_NBITS,), draft.asked, draft.nbits)
            draft.values = (*draft.values, *values)
            exponent_nbits = values[0][1]
        blinding = Blinding(token != OF_EXPONENTS, exponent_nbits)
        draft.halves = replace(draft.halves, blinding=blinding)
