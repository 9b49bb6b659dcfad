"""Switching activity: toggles and probability of 1 per net, measured or assumed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, repr=False)
class Activity:
    """Activity of a netlist over a window of time.

    Counts from a zero-delay simulation have no glitches: energies from them are too low by theirs.

    Parameters
    ----------
    cycles
        Clock cycles in the window.
    toggles
        Edges of each net in the window, both directions counted.
    high
        Fraction of the window in which each net is 1.
    """

    cycles: float
    toggles: Mapping[int, float]
    high: Mapping[int, float]
