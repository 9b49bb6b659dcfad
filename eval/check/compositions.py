"""Widths and compositions in which a design is checked, besides the one that is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catalog import Configuration, Design
from catalog.design import MultiplierEntry

NARROW = (8, 13)
"""Narrow enough for every modulus to be met, the second one odd."""

OVERLAPS = (
    "; one lane forms two products of a step here: see overlaps of the multiplier's cycle model"
)
"""What is said of cycles that differ on one lane."""


def widths_of(entry: Design | MultiplierEntry, nbits: int) -> list[int]:
    """Widths to check: the one that is asked for, and narrow ones that there are."""
    return sorted({nbits, *(x for x in NARROW if x in entry.widths)})


def on_one_lane(design: Any, nbits: int, params: Mapping[str, Any]) -> Configuration | None:
    """Compose a design so that two products of a step wait for one lane.

    Returns None where the design has no such composition, or is one itself.
    """
    own = design.configure(nbits, **params)
    for choices in ({"schedule": "r2l", "lanes": 1}, {"lanes": 1}):
        try:
            found: Configuration = design.configure(nbits, **{**params, **choices})
        except ValueError:
            continue
        return None if found == own else found
    return None
