"""Captions that name the standard cells that figures come from."""

from __future__ import annotations

from collections.abc import Iterable

from eval.facts.fact import Fact
from eval.facts.quantities import QUANTITIES
from flow.kit import LIBRARIES


def caption(title: str, ours: Iterable[Fact]) -> str:
    """Put the cell libraries of the facts of ours behind a title; cycles depend on none."""
    found = {fact.library for fact in ours if QUANTITIES[fact.quantity].unit != "cycles"}
    return ", ".join((title, *(name for name in LIBRARIES if name in found)))
