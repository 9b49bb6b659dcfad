"""Widths and compositions in which a design is checked, in addition to those of the user."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rsaxcel.catalog import Configuration

NARROW = (8, 13)  #: narrow enough to try every modulus; 13 is an odd width

#: Hint in a message about different cycles on one lane.
OVERLAPS = (
    "; two products of a step share one lane here: overlaps in the multiplier's cycle model may be "
    "wrong"
)


def on_one_lane(design: Any, nbits: int, params: Mapping[str, Any]) -> Configuration | None:
    """Configure a design whose products of a step share one lane.

    None if there is no further such configuration.
    """
    own = design.configure(nbits, **params)
    for choices in ({"schedule": "r2l", "lanes": 1}, {"lanes": 1}):
        try:
            found: Configuration = design.configure(nbits, **{**params, **choices})
        except ValueError:
            continue
        return None if found == own else found
    return None
