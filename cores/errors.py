"""Errors of descriptions (file, line, what is wrong, what is allowed) and locations in Verilog."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rsaxcel.store.errors import UserError


class DescriptionError(UserError):
    """A mistake in a description or in the Verilog that it names."""


Place = Callable[[Any], str]
"""Gives a location as FILE:LINE."""


def spot_of(location: Any) -> tuple[Any, int]:
    return location.buffer.id, location.offset
