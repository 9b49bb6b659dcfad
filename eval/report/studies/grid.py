"""Tables whose rows are widths: a section per quantity, a column per design."""

from collections.abc import Callable, Iterable, Sequence

from eval.report.comparison import Cell, Row, Value
from eval.report.published import Figure

Measured = Callable[[str, int], Value]
Printed = Callable[[str, int], Figure | None]


def no_figure(_name: str, _at: object) -> None:
    """Stand in where a document prints, or we measure, nothing."""


def width_rows(
    key: str,
    section: str,
    unit: str,
    decimals: int,
    columns: Sequence[str],
    widths: Iterable[int],
    measured: Measured,
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
        cells = {name: Cell(measured(name, nbits), printed(name, nbits)) for name in columns}
        if any(cell.measured is not None or cell.printed for cell in cells.values()):
            name = f"{nbits}_bits_{key}"
            rows.append(Row(name, section, f"{nbits} bits", unit, decimals, decimals, cells))
    return rows


def product(*factors: float | None) -> float | None:
    """Product of figures, if all are there."""
    result = 1.0
    for factor in factors:
        if factor is None:
            return None
        result *= factor
    return result
