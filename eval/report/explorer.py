"""Makes the data of the page's plot with filters, and of the table below it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from rsaxcel.eval.facts.described import AXES
from rsaxcel.eval.facts.fact import OPERATIONS
from rsaxcel.eval.facts.quantities import QUANTITIES
from rsaxcel.eval.facts.quantity import on_paper
from rsaxcel.eval.report.names import choice_words
from rsaxcel.eval.report.spec import OPERATION_TITLES

FIGURES = (
    "area_um2",
    "min_period_ns",
    "cycles",
    "time_us",
    "energy_nj",
    "power_mw",
    "area_time_um2_ms",
    "cell_count",
    "flip_flops",
    "alms",
    "luts",
    "core_area_um2",
    "core_area_time_um2_ms",
)
"""Quantities for the axes of the plot and the columns of the table."""

FILTERS = {
    "nbits": "Width in bits",
    "library": "Library",
    "stage": "Stage",
    "multiplier": "Multiplier",
    "schedule": "Schedule",
    "form": "What it is",
}
"""Headings of the filters by column."""

_ABOUT = ("point", "subject", "choices", "clock_ns", "kind", *FILTERS)
_MORE = tuple(name for name in AXES if name not in FILTERS)
_DIGITS = 5


def explorer(frame: pd.DataFrame, colours: Mapping[str, str]) -> dict[str, Any]:
    """Make the data of plot and table for the page's script."""
    figures = []
    for quantity in FIGURES:
        # A figure of the hardware has one column, as it is the same for all operations.
        of_operations = [f"{name}_{quantity}" for name in OPERATIONS]
        figures += of_operations if of_operations[0] in frame else [quantity]
    columns = {name: [_plain(x) for x in frame[name]] for name in (*_ABOUT, *_MORE, *figures)}
    return {
        "columns": columns,
        "colours": {name: colours[name] for name in dict.fromkeys(frame["subject"])},
        "filters": FILTERS,
        "operations": {name: OPERATION_TITLES[name].lower() for name in OPERATIONS},
        "quantities": {name: describe(name) for name in FIGURES},
        "words": choice_words(),
    }


def describe(name: str) -> dict[str, Any]:
    """Label, unit and digits of a quantity, and whether ``less`` or ``more`` of it is better."""
    found = QUANTITIES[name]
    label = found.label[:1].upper() + found.label[1:]
    return {
        "label": label,
        "unit": on_paper(found.unit),
        "digits": found.digits,
        "better": found.better,
    }


def _plain(value: Any) -> Any:
    """Value for JSON: unknown values are None, numbers have five significant digits."""
    if isinstance(value, str):
        return value or None
    if pd.isna(value):
        return None
    number = float(value)
    short = float(f"{number:.{_DIGITS}g}")
    return int(short) if short.is_integer() else short
