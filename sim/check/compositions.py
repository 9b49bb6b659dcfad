"""Widths and compositions in which a design is checked, in addition to those of the user."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rsaxcel.catalog import Configuration

NARROW = (8, 13)
"""Widths narrow enough to try every modulus; 13 is an odd width."""

OVERLAPS = (
    "; two products of a step share one lane here: overlaps in the multiplier's cycle model may be "
    "wrong"
)
"""Hint that follows a message about different cycles on one lane."""


def on_one_lane(design: Any, nbits: int, params: Mapping[str, Any]) -> Configuration | None:
    """Return the configuration of a design in which two products of a step share one lane.

    None if the design has no such composition, or if it forms its products on one lane already.
    """
    own = design.configure(nbits, **params)
    for choices in ({"schedule": "r2l", "lanes": 1}, {"lanes": 1}):
        try:
            found: Configuration = design.configure(nbits, **{**params, **choices})
        except ValueError:
            continue
        return None if found == own else found
    return None
