"""Axis of the memory: whether numbers in words have a memory each, or share one with two ports."""

from collections.abc import Sequence
from typing import Any

from rsaxcel.catalog.axis import Axis, Fitting
from rsaxcel.catalog.choices import BANKS, DIGIT, DUAL_PORT, MEMORIES
from rsaxcel.catalog.draft import Draft
from rsaxcel.plan.dual_port import dual_port


class MemoryAxis(Axis):
    """Axis of the memory: one for each number, or one with two ports for all but the constant."""

    name = "memory"

    def known(self) -> Sequence[str]:
        return MEMORIES

    def needless(self, draft: Draft) -> str:
        """Return why there is no choice of a memory; empty with a bus of one digit."""
        if draft.tokens.get("bus") == DIGIT:
            return ""
        return "numbers share a memory only with bus=digit, a choice of digit_serial_r2l"

    def usual(self, draft: Draft) -> str:
        return BANKS

    def fits(self, draft: Draft) -> Fitting:
        """Return both tokens if the accesses of all products fit two ports."""
        name = draft.classes.name
        if not draft.classes.fl.runs_on_ports:
            return Fitting((BANKS,), f"{name} has no circuit for a memory with two ports")
        (program,) = draft.choices(draft.tokens["lanes"]).programs
        try:
            dual_port(program)
        except ValueError as error:
            return Fitting((BANKS,), str(error))
        return Fitting((BANKS, DUAL_PORT))

    def take(self, draft: Draft, token: Any) -> None:
        """Store the token, unless each number has a memory of its own."""
        if token != BANKS:
            super().take(draft, token)
