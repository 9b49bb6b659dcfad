"""Widths and compositions in which a design is checked, besides the one that is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catalog import Configuration

NARROW = (8, 13)
"""Narrow enough for every modulus to be met, the second one odd."""

OVERLAPS = (
    "; two products of a step share one lane here: overlaps in the multiplier's cycle model may be "
    "wrong"
)
"""What is said of cycles that differ on one lane."""


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
