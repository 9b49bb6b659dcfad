"""A quantity: names, digits, unit and formula of a kind of figure."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10
from typing import Literal

Better = Literal["less", "more", ""]

#: Unit by the end of a quantity's key. If several ends match, the longest one applies.
_UNITS = {x: x for x in ("ns", "us", "ms", "cycles", "um2", "mm")}
_UNITS |= {"mhz": "MHz", "percent": "%", "mw": "mW", "nj": "nJ", "uj": "uJ", "kum2": "1000 um2"}
_UNITS |= {"um2_ms": "um2 ms", "mm2_ms": "mm2 ms", "slices_ms": "slices ms", "alms_ms": "ALMs ms"}
_UNITS |= {"um2_ns": "um2 ns", "alms_s": "ALMs s", "seconds": "s"}
_ON_PAPER = {"um2": "µm²", "mm2": "mm²", "us": "µs", "uJ": "µJ"}


def on_paper(unit: str) -> str:
    """Write a unit for print, such as ``µm²``; factors of a product are separated by spaces."""
    return " ".join(_ON_PAPER.get(factor, factor) for factor in unit.split())


def enough_digits(value: float, digits: int) -> int:
    """Return the number of decimals: ``digits``, or two significant ones if the figure is small.

    With ``digits=3``, 0.0024 is ``0.0024``, not ``0.002``. ``digits`` below 2 is returned as it is.
    """
    if digits < 2 or not value or abs(value) >= 10.0 ** (1 - digits):
        return digits
    return 1 - floor(log10(abs(value)))


@dataclass(frozen=True)
class Quantity:
    """A quantity that figures can have, such as cell area: its names, digits and formula."""

    key: str  #: key in facts and files, unit included
    label: str
    digits: int = 0
    #: formula for DataFrame.eval over quantities of the same subject and operation
    formula: str = ""
    printed: str = ""  #: formula over printed figures, if it differs from `formula`
    better: Better = ""  #: better direction; empty: neither
    note: str = ""  #: key of a note (eval.report.spec) for tables with a measured figure

    @property
    def unit(self) -> str:
        """Unit in ASCII letters, such as ``um2 ms``; empty for counts, ratios and texts."""
        words = self.key.split("_")
        ends = ("_".join(words[i:]) for i in range(len(words)))
        return next((_UNITS[end] for end in ends if end in _UNITS), "")

    def rule(self, printed: bool) -> str:
        """Return the formula to use for printed figures (``printed``), or for measured figures."""
        return (self.printed if printed else "") or self.formula

    def text(self, value: float | str | None, digits: int | None = None) -> str:
        if value is None:
            return "-"
        if isinstance(value, str):
            return value
        return f"{value:,.{self.digits if digits is None else digits}f}"

    @property
    def heading(self) -> str:
        """Label with unit, for the axes of plots; without unit if the label has it already."""
        if not self.unit or self.unit in self.label.lower().split():
            return self.label
        return f"{self.label} ({on_paper(self.unit)})"
