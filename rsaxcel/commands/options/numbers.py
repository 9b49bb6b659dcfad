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


class Number(click.FloatRange):
    """Type of an option: a finite number in a range."""

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        """Convert a text to a number in the range."""
        return super().convert(FINITE.convert(value, param, ctx), param, ctx)


FINITE = FiniteNumber()
"""Type of a number whose range is checked elsewhere."""

CLOCK = Number(0.01, 1000)
"""Type of a clock period in nanoseconds."""
