"""Types of options that are numbers."""

from math import isfinite
from typing import Any

import click


class FiniteNumber(click.types.FloatParamType):
    """Type of an option: a finite number.

    click's own types take ``nan`` and ``inf``, too, and ``nan`` passes every check of a range.
    """

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        """Convert a text to a finite number."""
        number = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value!r} is not a valid {self.name}.", param, ctx)
        return number


class FiniteRange(click.FloatRange):
    """Type of an option: a finite number in a range."""

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        """Convert a text to a number in the range."""
        return super().convert(FINITE.convert(value, param, ctx), param, ctx)


FINITE = FiniteNumber()
"""Type of a number whose range is checked elsewhere."""


class Widths(click.ParamType):
    """Type of an option that can be repeated: widths in bits, with commas between them."""

    name = "widths"

    def __init__(self, least: int, most: int) -> None:
        self.least, self.most = least, most

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, ...]:
        """Convert a text to widths."""
        texts = [x.strip() for x in value.split(",")]
        widths = tuple(int(x) for x in texts if x.isdecimal() and len(x) < 8)
        if len(widths) < len(texts) or not all(self.least <= x <= self.most for x in widths):
            allowed = f"widths from {self.least} to {self.most} with commas are allowed"
            self.fail(f"{value!r}: {allowed}")
        return widths

    @staticmethod
    def together(_context: Any, _param: Any, given: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
        """Return, as its callback, all widths of the repeated option in ascending order."""
        return tuple(sorted({width for widths in given for width in widths}))


CLOCK = FiniteRange(0.01, 1000)
"""Type of a clock period in nanoseconds."""
