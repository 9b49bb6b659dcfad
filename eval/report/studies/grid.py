"""Rows of tables: of a quantity over all columns, and of a quantity at each width."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from eval.report.comparison import Cell, Row, Value
from eval.report.published import PrintedFigure

Lookup = Callable[[str, int], Value]
Printed = Callable[[str, int], PrintedFigure | None]


def no_figure(*_at: object) -> None:
    """Stand in where a document prints, or we measure, nothing."""


def figure_rows(
    key: str,
    section: str,
    label: str,
    unit: str,
    decimals: int,
    columns: Iterable[str],
    measured: Callable[[str], Value],
    printed: Callable[[str], PrintedFigure | None],
    printed_decimals: int | None = None,
) -> list[Row]:
    """Make the row of a quantity; none if there is no figure of it.

    Parameters
    ----------
    key : str
        Name in the files, unit included.
    section, label, unit : str
        As ``Row`` has them.
    decimals : int
        Digits after the point, of printed figures too unless ``printed_decimals`` is given.
    columns : iterable of str
        Names of the columns.
    measured, printed : callable
        Take a column.
    printed_decimals : int, optional
        Digits after the point of printed figures.
    """
    cells = {name: Cell(measured(name), printed(name)) for name in columns}
    if not any(cell.measured is not None or cell.printed for cell in cells.values()):
        return []
    if printed_decimals is None:
        printed_decimals = decimals
    return [Row(key, section, label, unit, decimals, printed_decimals, cells)]


def width_rows(
    key: str,
    section: str,
    unit: str,
    decimals: int,
    columns: Sequence[str],
    widths: Iterable[int],
    measured: Lookup,
    printed: Printed = no_figure,
) -> list[Row]:
    """Make the rows of a quantity, at each width at which there is any figure of it.

    Parameters
    ----------
    key : str
        Name in the files, less the unit; the width stands before it.
    section, unit : str
        Title of the quantity, and its unit.
    decimals : int
        Digits after the point, of measured and printed figures alike.
    columns : sequence of str
        Names of the columns.
    widths : iterable of int
        Widths in bits.
    measured, printed : callable
        Take a column and a width.
    """
    rows = []
    for nbits in widths:
        rows += figure_rows(
            f"{nbits}_bits_{key}",
            section,
            f"{nbits} bits",
            unit,
            decimals,
            columns,
            at(measured, nbits),
            at(printed, nbits),
        )
    return rows


def at(of: Callable[[str, Any], Any], place: Any) -> Callable[[str], Any]:
    """Leave the column alone to choose: ``of(column, place)``."""
    return lambda column: of(column, place)


def product(*factors: float | None) -> float | None:
    """Product of figures, if all are there."""
    result = 1.0
    for factor in factors:
        if factor is None:
            return None
        result *= factor
    return result
