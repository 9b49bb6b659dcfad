"""Axis of the bus: how wide the ports of an exponentiator are (``catalog.axis``)."""

from collections.abc import Sequence
from typing import Any

from rsaxcel.catalog.axis import Axis, Fitting
from rsaxcel.catalog.choices import BUSES, WIDE
from rsaxcel.catalog.draft import Draft
from rsaxcel.catalog.stores import STORES


class BusAxis(Axis):
    """Axis of the bus: operands in one message, or digit by digit on a bus of one word."""

    name = "bus"

    def known(self) -> Sequence[str]:
        return BUSES

    def needless(self, draft: Draft) -> str:
        """Return why there is no choice of a bus; empty if residues are in words of a memory."""
        if draft.store is not STORES["words"]:
            return "only operands in words of a memory come digit by digit, as in digit_serial_r2l"
        return ""

    def usual(self, draft: Draft) -> str:
        return WIDE

    def fits(self, draft: Draft) -> Fitting:
        """Return the buses that fit: all that is sent digit by digit goes to the memory."""
        name = draft.classes.name
        if draft.contract.constants:
            return Fitting((WIDE,), f"{name} reads constants of the modulus that are in no memory")
        if draft.cofactor > 1:
            return Fitting((WIDE,), "with a pseudo-modulus, there are two programs in a row")
        return Fitting(self.known())

    def take(self, draft: Draft, token: Any) -> None:
        """Store the bus, unless it is the wide one, which every design has."""
        if token != WIDE:
            super().take(draft, token)
