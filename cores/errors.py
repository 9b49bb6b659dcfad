"""Errors of descriptions: one line with file, line, what is wrong and what is allowed."""

from __future__ import annotations

from rsaxcel.store.errors import UserError


class DescriptionError(UserError):
    """A mistake in a description or in the Verilog that it names."""
