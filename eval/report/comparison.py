"""Measured figures beside printed ones: the rows that terminal, page and files all show."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eval.report.published import PrintedFigure, Published
from eval.report.results import OPERATION_TITLES, OperationFigures, Result

# The documents print powers and energies with two digits after the point.
_PRINTED_DECIMALS = 2

GROUP_TITLES = {"systems": "Systems", "designs": "Accelerators"}
"""What the columns of a table are, in the standard part; elsewhere its group is a document."""

Value = Any
"""A number or a text; None where there is none."""
Printed = Callable[[str], PrintedFigure | None]


@dataclass(frozen=True)
class Cell:
    """One column's entry in a row.

    Parameters
    ----------
    measured : float, str or None
        Our figure; None where there is none.
    printed : Figure or None
        The document's.
    """

    measured: Value
    printed: PrintedFigure | None = None


@dataclass(frozen=True)
class Row:
    """A quantity of all columns.

    Parameters
    ----------
    key : str
        Name in the files, unit included.
    section, label, unit : str
        For people; rows of one section follow each other under its title, if it has any.
    decimals, printed_decimals : int
        Digits after the point of measured and of printed figures.
    cells : dict of str to Cell
        By column.
    """

    key: str
    section: str
    label: str
    unit: str
    decimals: int
    printed_decimals: int
    cells: dict[str, Cell]

    def text(self, value: Value) -> str:
        """Show a measured value without its unit."""
        if value is None:
            return "-"
        return value if isinstance(value, str) else f"{value:,.{self.decimals}f}"

    def printed_text(self, figure: PrintedFigure) -> str:
        """Show a printed value without its unit."""
        if isinstance(figure.value, str):
            return figure.value
        return f"{figure.value:,.{self.printed_decimals}f}"


@dataclass(frozen=True)
class Table:
    """Rows that share columns and notes.

    Parameters
    ----------
    key, title : str
        Name in the files and for people.
    group : str
        Key in ``GROUP_TITLES``, or of a document.
    rows : list of Row
        Quantities.
    notes : tuple of str
        Keys of the notes that have to stand beside these figures, see ``eval.report.notes``.
    """

    key: str
    title: str
    group: str
    rows: list[Row]
    notes: tuple[str, ...]

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self.rows[0].cells) if self.rows else []

    def row(self, key: str) -> Row:
        """Row by its key."""
        return next(row for row in self.rows if row.key == key)

    @property
    def printed_columns(self) -> set[str]:
        """Columns for which a document prints anything."""
        return {name for row in self.rows for name, cell in row.cells.items() if cell.printed}

    @property
    def measured_columns(self) -> set[str]:
        """Columns with figures of ours, and those with none at all."""
        measured = {
            name
            for row in self.rows
            for name, cell in row.cells.items()
            if cell.measured is not None
        }
        return measured | set(self.columns) - self.printed_columns


class Columns:
    """Makes rows over results.

    Parameters
    ----------
    results : mapping of str to Result
        By column.
    published : Published
        Printed figures, whose names begin with the column's.
    """

    def __init__(self, results: Mapping[str, Result], published: Published) -> None:
        self._results = results
        self._published = published

    def row(
        self,
        key: str,
        label: str,
        unit: str,
        decimals: int,
        measured: Callable[[Result], Value],
        printed: str | Printed = "",
        *,
        section: str = "",
    ) -> Row:
        """Make a row; ``printed`` is the rest of the figure's name, or finds it by the column."""

        def figure(name: str) -> PrintedFigure | None:
            if callable(printed):
                return printed(name)
            return self._published.get(name, printed) if printed else None

        cells = {n: Cell(measured(r), figure(n)) for n, r in self._results.items()}
        return Row(key, section, label, unit, decimals, min(decimals, _PRINTED_DECIMALS), cells)

    def per_operation(
        self,
        name: str,
        key: str,
        label: str,
        unit: str,
        decimals: int,
        measured: Callable[[OperationFigures], Value],
        printed: str | Printed = "",
    ) -> Row:
        """Make a row of one operation, whose title the label's braces take, else the section."""
        title = OPERATION_TITLES[name]
        return self.row(
            f"{name}_{key}",
            label.format(title),
            unit,
            decimals,
            lambda result: measured(result.operations[name]),
            printed if callable(printed) or not printed else f"{name}.{printed}",
            section="" if "{}" in label else title,
        )


def ranking(values: Mapping[str, float | None]) -> Sequence[str]:
    """Names from the least value to the greatest, without those that have none."""
    known = {name: value for name, value in values.items() if value is not None}
    return sorted(known, key=known.__getitem__)
