"""Fills tables with facts, measured figures beside printed ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import groupby
from math import inf
from operator import attrgetter
from statistics import fmean
from typing import Any

from rsaxcel.eval.facts.fact import DERIVED, PRINTED, Fact
from rsaxcel.eval.facts.quantities import Quantity, enough_digits, find_quantity, is_projected
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.report.names import caption
from rsaxcel.eval.report.spec import Column, ReportTable, Row, Where

_DERIVED_DIGITS = 2
_LONG = 12  #: largest number of rows with which the page does not fold a table
_NAMED = 3
#: The summary of a table lists labels of rows, or headings if there are more headings than labels.
_ABOUT = attrgetter("label"), attrgetter("section")


@dataclass(frozen=True)
class _Mode:
    """Calculation and text of the cells of a row with a mode (``eval.report.spec.Mode``)."""

    key: str  #: formats of the name in files and of the keys of quantity and base column
    unit: str | None  #: unit; None, or with Row.of: the quantity's, with its digits
    digits: int  #: number of decimals
    #: function of the column's value and of the value to compare with
    value: Callable[[Any, Any], Any]


_MODES = {
    "percent": _Mode("{}_over_{}_percent", "%", 1, lambda x, base: 100 * x / base),
    "ratio": _Mode("{}_over_{}_ratio", "", 3, lambda x, base: x / base),
    "speedup": _Mode("{}", "", 2, lambda x, base: base / x),
    "less": _Mode("{}_less_{}", None, 0, lambda x, base: x - base),
    "saved": _Mode("{}_saved_percent", "%", 1, lambda x, whole: 100 * (whole - x)),
    "deviation": _Mode("{}_deviation_percent", "%", 2, lambda x, printed: 100 * (x / printed - 1)),
    "over_printed": _Mode("{}_over_printed_ratio", "", 2, lambda x, printed: x / printed),
    "rank": _Mode("{}_rank", "", 0, lambda x, others: 1 + sum(other < x for other in others)),
}


@dataclass(frozen=True)
class TableCell:
    measured: Any  #: figure, or the mode's result for it
    printed: Fact | None = None  #: printed fact, or one derived from printed figures
    #: fact from which `measured` follows; a projected one if the divisor is projected
    ours: Fact | None = None
    quantity: Quantity | None = None  #: quantity of `measured`, if not the row's
    digits: int | None = None  #: digits of `measured`, if not the row's


@dataclass(frozen=True)
class ShownRow:
    """Row with its cells; ``key`` is the name in files."""

    key: str
    row: Row
    quantity: Quantity
    label: str
    unit: str
    digits: int
    cells: dict[str, TableCell]

    @property
    def section(self) -> str:
        return self.row.section

    def text(self, cell: TableCell) -> str:
        """Text of the measured figure of a cell without its unit."""
        value, quantity = cell.measured, cell.quantity or self.quantity
        digits = self.digits if cell.digits is None else cell.digits
        number = isinstance(value, int | float)
        return quantity.text(value, enough_digits(value, digits) if number else 0)

    def printed_text(self, fact: Fact) -> str:
        """Text of a figure without its unit: as printed, or at most two decimals if derived."""
        if fact.kind == PRINTED and not isinstance(fact.value, str):
            return f"{fact.value:,}"
        return self.quantity.text(fact.value, min(self.digits, _DERIVED_DIGITS))


@dataclass(frozen=True)
class ShownTable:
    """Table with its figures; columns and rows without figures are left out."""

    table: ReportTable
    columns: tuple[str, ...]
    rows: tuple[ShownRow, ...]

    @property
    def key(self) -> str:
        return self.table.key

    @property
    def title(self) -> str:
        """Title, with the cell libraries of the measured figures."""
        cells = (cell for row in self.rows for cell in row.cells.values())
        return caption(self.table.title, (x.ours for x in cells if x.ours))

    @property
    def notes(self) -> tuple[str, ...]:
        """Keys of the table's notes, then of the notes of its measured quantities."""
        ours = (row for row in self.rows if any(x.measured is not None for x in row.cells.values()))
        own = (row.quantity.note for row in ours if row.quantity.note)
        return tuple(dict.fromkeys((*self.table.notes, *own)))

    @property
    def folded(self) -> bool:
        """Whether the page folds the table."""
        return len(self.rows) > _LONG if self.table.folded is None else self.table.folded

    @property
    def inside(self) -> str:
        """Line of text with the number of rows, and the first labels or headings."""
        labels, sections = ({getter(row): None for row in self.rows} for getter in _ABOUT)
        names = list(labels if len(labels) >= len(sections) else sections)
        more = ", ..." if len(names) > _NAMED else ""
        return f"{len(self.rows)} rows: {', '.join(names[:_NAMED])}{more}"

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Headings above columns, each with its number of columns; empty if no column has one."""
        group_of = {x.key: x.group for x in self.table.columns}
        found = []
        for group, names in groupby(self.columns, group_of.__getitem__):
            own = list(names)
            count = sum((x in self.measured_columns) + (x in self.printed_columns) for x in own)
            found.append((group, count))
        return found if any(group for group, _ in found) else []

    @property
    def printed_columns(self) -> set[str]:
        return {name for row in self.rows for name in self.columns if row.cells[name].printed}

    @property
    def measured_columns(self) -> set[str]:
        known = ((x, row.cells[x].measured) for row in self.rows for x in self.columns)
        return {name for name, measured in known if measured is not None}


def show_table(table: ReportTable, facts: Facts) -> ShownTable | None:
    """Fill a table; None if it has no measured figure, or none in the column that it needs."""
    shown = fill_table(table, facts)
    known = shown.measured_columns
    return shown if known and (not table.needs or table.needs in known) else None


def fill_table(table: ReportTable, facts: Facts) -> ShownTable:
    """Fill a table with measured and printed figures; there may be none."""
    filled = [row for row in (_row(table, row, facts) for row in table.rows) if row]
    columns = tuple(
        column.key
        for column in table.columns
        if any(_is_there(row.cells[column.key]) for row in filled)
    )
    rows = [replace(row, cells={name: row.cells[name] for name in columns}) for row in filled]
    if table.sorted_by in columns:
        values = (row.cells[table.sorted_by].measured for row in rows)
        order = sorted(
            (inf if value is None else value, number) for number, value in enumerate(values)
        )
        rows = [rows[number] for _, number in order]
    return ShownTable(table, columns, tuple(rows))


def _is_there(cell: TableCell) -> bool:
    return cell.measured is not None or cell.printed is not None


def _row(table: ReportTable, row: Row, facts: Facts) -> ShownRow | None:
    quantity = find_quantity(row.quantity)
    filled = _Cells(table, row, facts)
    cells = {column.key: filled.cell(column) for column in table.columns}
    if not any(_is_there(cell) for cell in cells.values()):
        return None
    mode = _MODES.get("ratio" if row.over is not None and row.mode == "value" else row.mode)
    if mode and mode.unit is not None and _of_itself(row):
        unit, digits = mode.unit, mode.digits
    else:
        unit, digits = quantity.unit, quantity.digits
    label = row.label or quantity.label
    if unit in label.lower().split() or all(x.quantity or x.mode for x in table.columns):
        unit = ""
    return ShownRow(_key(row), row, quantity, label, unit, digits, cells)


def _of_itself(row: Row) -> bool:
    """Whether a row's cells are calculated from the row's own quantity, not from another one."""
    return row.of in ("", row.quantity)


def _key(row: Row) -> str:
    """Name of a row in files: width, operation, quantity with mode, part and choices."""
    pattern = _MODES[row.mode].key if row.mode in _MODES and _of_itself(row) else "{}"
    name = row.key or pattern.format(row.quantity, row.base)
    nbits, operation = row.where.get("nbits"), row.where.get("operation")
    choices = (f"{k}_{v}" for k, v in row.where.get("choices", {}).items())
    parts = (f"{nbits}_bits" if nbits else "", operation or "", name, row.where.get("part", ""))
    return "_".join(x for x in (*parts, *choices) if x)


class _Cells:
    """Makes the cells of one row."""

    def __init__(self, table: ReportTable, row: Row, facts: Facts) -> None:
        self._table, self._row, self._facts = table, row, facts
        self._columns = {x.key: x for x in (*table.bases, *table.columns)}

    def cell(self, column: Column) -> TableCell:
        row, theirs = self._row, None
        mode, of = column.mode or row.mode, self._of(column)
        figure = self._figure(column, printed=False)
        measured = figure.value if isinstance(figure, Fact) else figure
        if row.mean:
            measured = self._mean(column)
        ours = None
        if measured is not None:
            ours = self._fact(column, of, printed=False)
            if ours and is_projected((row.over or {}).get("quantity", "")):
                ours = replace(ours, kind="projected")
        style: Any = {}
        if column.quantity or column.mode:
            own = find_quantity(column.quantity or row.quantity)
            computed = _MODES.get(mode)
            style = {"quantity": own, "digits": computed.digits if computed else own.digits}
            if row.over is not None and mode == "value":
                style["digits"] = _MODES["ratio"].digits
        if not (row.prints and column.prints):
            return TableCell(measured, None, ours, **style)
        if (mode == "value" and row.over is None) or row.of:
            theirs = self._fact(column, row.quantity, printed=True)
        if theirs is None and (mode != "value" or row.over is not None):
            value = self._figure(column, printed=True)
            theirs = value if isinstance(value, Fact) else self._derived(column, value)
        return TableCell(measured, theirs, ours, **style)

    def _mean(self, column: Column) -> float | None:
        """Mean of the row's measured cells under each of ``Row.mean``; None if one is missing."""
        row = self._row
        each = (replace(row, where={**row.where, **x}, mean=(), prints=False) for x in row.mean)
        values = [_Cells(self._table, x, self._facts).cell(column).measured for x in each]
        return None if None in values else fmean(values)

    def _of(self, column: Column) -> str:
        """Quantity of the figures that the cell of a column is calculated from."""
        return column.quantity or self._row.of or self._row.quantity

    def _figure(self, column: Column, *, printed: bool) -> Any:
        """Fact of a column, or the mode's result for it; None if there is no fact."""
        row, of, mode = self._row, self._of(column), column.mode or self._row.mode
        if mode == "value" and row.over is None:
            return self._fact(column, of, printed=printed)
        value = self._value(column, of, printed)
        if mode == "value" or value is None:
            return value
        if column.mode == "rank":
            rows = (_Cells(self._table, x, self._facts) for x in self._table.rows)
            values = (x._value(column, of, printed) for x in rows)
            other: Any = [x for x in values if x is not None]
        elif mode == "rank":
            values = (self._value(x, of, printed) for x in self._table.columns)
            other = [x for x in values if x is not None]
        elif mode == "saved":
            other = 1.0
        elif mode in ("deviation", "over_printed"):
            other = None if printed else self._value(column, of, True)
        else:
            base = self._columns.get(self._base(column))
            other = self._value(base, of, printed) if base and base.key != column.key else None
        if other is None or (other == 0 and mode != "less"):
            return None
        return _MODES[mode].value(value, other)

    def _base(self, column: Column) -> str:
        """Key of the column to compare with in a column's cell; empty: nothing is compared."""
        return self._row.base and (column.base or self._row.base)

    def _value(self, column: Column, quantity: str, printed: bool) -> Any:
        """Value of a figure, divided by the one that ``Row.over`` names; None if one is missing."""
        fact = self._fact(column, quantity, printed=printed)
        if fact is None or self._row.over is None or isinstance(fact.value, str):
            return fact and fact.value
        where = {**self._where(column, quantity, printed), **self._row.over}
        if printed:
            where |= {**column.printed, **self._row.printed}
        divisor = self._facts.find(where, printed=printed)
        return fact.value / float(divisor.value) if divisor and divisor.value else None

    def _fact(self, column: Column, quantity: str, *, printed: bool) -> Fact | None:
        return self._facts.find(self._where(column, quantity, printed), printed=printed)

    def _where(self, column: Column, quantity: str, printed: bool) -> dict[str, Any]:
        where = merged(self._table.where, column.where)
        where = merged(where, applied(self._row.where, where), {"quantity": quantity})
        if printed:
            where |= column.printed
            where |= applied(self._row.printed, where)
        return where

    def _derived(self, column: Column, value: float | None) -> Fact | None:
        """Make a fact of a value that is derived from printed figures."""
        if value is None:
            return None
        row, of = self._row, self._of(column)
        source = self._fact(column, of, printed=True)
        assert source is not None  # a derived value has a source
        by = self._base(column)
        if row.over is not None:
            by = row.over.get("subject", "another figure")
        mode = "ratio" if row.over is not None else row.mode
        how = f"{mode} of {of}" + (f" and that of {by}" if by else "")
        return replace(
            source, quantity=row.quantity, value=value, kind=DERIVED, scope=DERIVED, where=how
        )


def applied(where: Where, to: Where) -> dict[str, Any]:
    """Evaluate a row's conditions; one that is a function gets the same condition in ``to``."""
    return {name: x(to[name]) if callable(x) else x for name, x in where.items()}


def merged(*wheres: Any) -> dict[str, Any]:
    """Join conditions; later ones override earlier ones. ``choices`` are joined in the same way."""
    found: dict[str, Any] = {}
    for where in wheres:
        choices = {**found.get("choices", {}), **where.get("choices", {})}
        found |= where
        if choices or "choices" in found:
            found["choices"] = choices
    return found
