"""Prints design points as tables that never cut a number, as JSON lines, or as CSV."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import floor, log10
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table
from rich.text import Text

from rsaxcel.eval.facts.quantities import QUANTITIES, Quantity
from rsaxcel.eval.report.views import print_pieces, view, wide_console
from rsaxcel.flow.layout import PLACED_STAGES
from rsaxcel.store.shown import cell, shorten

if TYPE_CHECKING:
    import pandas as pd

POINT = "point"
_CLOCK = "clock_ns"
MARK = "kind"
#: Columns that a table has by default after the point's name, if they have values.
USUAL = (
    "library",
    "clock_ns",
    "area_um2",
    "core_area_um2",
    "min_period_ns",
    "constraint",
    "cycles",
    "time_us",
    "energy_nj",
    "activity",
    "area_time_um2_ms",
    "core_area_time_um2_ms",
    "alms",
    "luts",
    "projected_factor",
    MARK,
)

#: Columns with conditions; a table shows those in which its points differ.
CONDITIONS = ("library", "clock_ns", "stage", "activity", "operation")

_NAME_WIDTH = 60
_SIGNIFICANT = 3  #: digits that every figure shows at least
_STYLES = {"projected": "italic cyan", "estimated": "dim"}


def quantity_of(column: str) -> Quantity | None:
    """Return the quantity of a column such as ``decrypt_energy_nj``; None without figures."""
    return QUANTITIES.get(column) or QUANTITIES.get(column.partition("_")[2])


def cell_text(column: str, value: Any) -> str:
    """Text of a cell: a figure with its digits, a shortened text, or a dash for no value."""
    if value is None or value != value or str(value) == "<NA>":
        return "-"
    if isinstance(value, str):
        return shorten(value, _NAME_WIDTH)
    quantity, number = quantity_of(column), float(value)
    if quantity is None:
        return f"{number:.0f}"
    if number.is_integer() and not quantity.digits:
        return quantity.text(number)
    if column == _CLOCK:  # the clock is a condition: two clocks that differ must not look alike
        return quantity.text(number, max(quantity.digits, len(f"{number:g}".partition(".")[2])))
    return quantity.text(number, max(quantity.digits, _SIGNIFICANT - 1 - _magnitude(number)))


def _magnitude(number: float) -> int:
    """Power of ten of a number's first digit."""
    return floor(log10(abs(number))) if number else 0


def show_table(
    points: pd.DataFrame, columns: Sequence[str], title: str = "", first: str = POINT
) -> None:
    """Print a row for each point, in as many pieces as fit; all begin with ``first``."""
    print_pieces(wide_console(), columns, lambda piece: _table(points, [first, *piece], title))


def shown_columns(points: pd.DataFrame) -> list[str]:
    """Return the default columns (``USUAL``) in which at least one point has a value."""
    return [name for name in USUAL if not points[name].replace("", None).isna().all()]


def with_conditions(columns: Sequence[str], points: pd.DataFrame) -> list[str]:
    """Return ``columns`` after the columns of conditions in which the points differ.

    A condition is, for example, the library or the clock period of a measurement. The stage is also
    shown if all points are placed.
    """
    hidden = [name for name in CONDITIONS if name not in columns]
    shown = {name for name in hidden if points[name].replace("", None).nunique() > 1}
    if points.stage.isin(PLACED_STAGES).any():
        shown.add("stage")
    return [*(name for name in hidden if name in shown), *columns]


def show_json(points: pd.DataFrame, columns: Sequence[str]) -> None:
    """Print a JSON object per line, with all digits; an unknown value is null."""
    for row in points[list(columns)].to_dict("records"):
        click.echo(json.dumps(as_json(row)))


def as_json(row: dict[Any, Any]) -> dict[str, Any]:
    """Return a row with None in place of unknown values, for JSON."""
    known = {key: None if value != value else value for key, value in row.items()}
    return {key: None if str(x) == "<NA>" else x for key, x in known.items()}


def show_csv(points: pd.DataFrame, columns: Sequence[str]) -> None:
    """Print points as comma-separated values, with all digits."""
    click.echo(
        points.map(cell).to_csv(columns=list(columns), index=False, lineterminator="\n"), nl=False
    )


def _table(points: pd.DataFrame, columns: Sequence[str], title: str) -> Table:
    table = view(title)
    table.add_column(columns[0], no_wrap=True)
    for column in columns[1:]:
        number = quantity_of(column) or points[column].dtype.kind in "fiu"
        table.add_column(column, justify="right" if number else "left", no_wrap=True)
    for row in points.to_dict("records"):
        cells = (cell_text(column, row[column]) for column in columns)
        table.add_row(*map(Text, cells), style=_STYLES.get(row[MARK], ""))
    return table
