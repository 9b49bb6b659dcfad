"""Locations in elaborated Verilog."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Place = Callable[[Any], str]
"""Gives a location as FILE:LINE."""


def spot_of(location: Any) -> tuple[Any, int]:
    return location.buffer.id, location.offset
