"""Makes titles of tables and plots that end with the cell libraries of the measured values."""

from __future__ import annotations

from collections.abc import Iterable

from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.quantities import QUANTITIES
from rsaxcel.flow.kit import LIBRARIES


def caption(title: str, ours: Iterable[Fact]) -> str:
    """Title, and the cell libraries of the measured facts; cycles depend on none."""
    found = {fact.library for fact in ours if QUANTITIES[fact.quantity].unit != "cycles"}
    return ", ".join((title, *(name for name in LIBRARIES if name in found)))
