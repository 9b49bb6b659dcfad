"""Specifications of studies as data: tables, plots and texts over facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, Literal

from rsaxcel.eval.facts.projection import Projection
from rsaxcel.eval.facts.quantities import find_quantity
from rsaxcel.eval.measure.job import Measurement
from rsaxcel.eval.report.notes import NOTES
from rsaxcel.eval.report.reason import Reason

Where = Mapping[str, Any]
Mode = Literal[
    "value", "ratio", "percent", "speedup", "less", "saved", "deviation", "over_printed", "rank"
]
"""What a cell shows, for the value x of its column, the value b of the base column, and the printed
value p: ``value``: x; ``ratio``: x / b; ``percent``: 100 * x / b; ``speedup``: b / x; ``less``:
x - b; ``saved``: 100 * (1 - x), where x is a figure divided by that of ``Row.over``; ``deviation``:
100 * (x / p - 1); ``over_printed``: x / p; ``rank``: rank of x among all columns, 1 for the
smallest; as the mode of a column, among all rows."""

OPERATION_TITLES = {"encrypt": "Encryption", "decrypt": "Decryption"}
"""Titles of the operations."""


@dataclass(frozen=True)
class Column:
    """Column of a table, or series of a plot.

    Parameters
    ----------
    key : str
        Name in files.
    where : mapping
        Conditions that choose facts, see ``Facts.find``.
    printed : mapping
        Conditions that replace those in ``where`` for printed figures.
    label : str
        Label; empty: ``eval.report.names`` makes it from the key.
    quantity, mode : str, Mode or ""
        Quantity and mode of the cells of the column, in place of the rows' own. In a table whose
        rows are subjects and whose columns are figures, each column has a quantity.
    prints : bool
        Whether printed figures are shown beside the measured ones, where the row shows them.
    group : str
        Heading over this column and its neighbours of the same group on the page; empty: none.
    base : str
        Key of the column with which rows compare this one's cells, in place of ``Row.base``.
    as_printed : bool or tuple of str
        Whether the column's subject is built as the document describes it, not as it is best here;
        or the quantities in which it is.
    """

    key: str
    where: Where
    printed: Where = field(default_factory=dict)
    label: str = ""
    quantity: str = ""
    mode: Mode | Literal[""] = ""
    prints: bool = True
    group: str = ""
    base: str = ""
    as_printed: bool | tuple[str, ...] = False

    def is_as_printed(self, quantity: str) -> bool:
        """Whether the column's figure of a quantity is of what the document describes."""
        given = self.as_printed
        return given if isinstance(given, bool) else quantity in given

    @property
    def of_figures(self) -> bool:
        """Whether the column is about a figure of several subjects, not about a subject."""
        return bool(self.quantity or self.mode) or "subject" not in self.where


@dataclass(frozen=True)
class Row:
    """Row of a table: shows the values of one quantity, one value in each column.

    Parameters
    ----------
    quantity : str
        Quantity that gives label, unit and digits.
    where, printed : mapping
        Conditions as in ``Column``; they override the conditions of the column. The value of a
        condition can be a function, which turns the column's value into the row's value.
    section, label : str
        Heading above this row, which also covers the rows that follow it; label of the row, empty:
        the quantity's label.
    mode : Mode
        What a cell shows: the figure itself, or what is calculated from it, such as a ratio.
    of : str
        Quantity of the figures from which the cells are calculated; empty: ``quantity``.
    base : str
        Key of the column with which the cells are compared (for modes such as ``ratio``).
    prints : bool
        Whether printed figures are shown beside the measured ones.
    key : str
        Name in files; empty: made from quantity and mode. Width and operation precede it.
    over : mapping, optional
        Conditions of the figure by which each figure of the row is divided, measured and printed
        ones, before the mode applies; they override those of row and column. None: not divided.
    as_printed : bool, optional
        Whether the row's figures are those of what the document describes; None: as the column.
    mean : sequence of mapping
        Conditions of the figures whose mean a cell shows, after the mode is applied to each; they
        override ``where``, which remains for the printed figure. Empty: no mean.
    """

    quantity: str
    where: Where = field(default_factory=dict)
    printed: Where = field(default_factory=dict)
    section: str = ""
    label: str = ""
    mode: Mode = "value"
    of: str = ""
    base: str = ""
    prints: bool = True
    key: str = ""
    over: Where | None = None
    as_printed: bool | None = None
    mean: Sequence[Where] = ()


def rows(*quantities: str, **common: Any) -> list[Row]:
    """Make a row for each quantity, all with the same options."""
    return [Row(quantity, **common) for quantity in quantities]


def per(name: str, values: Iterable[Any], each: Sequence[Row], label: str = "{}") -> list[Row]:
    """Repeat rows for each value of the condition ``name``, with each row's label as heading.

    ``label`` is the pattern of the new labels, with ``{}`` in place of the value.
    """
    return [
        replace(
            row,
            where={**row.where, name: value},
            section=row.section or row.label or find_quantity(row.quantity).label,
            label=label.format(value),
        )
        for row in each
        for value in values
    ]


def per_operation(each: Sequence[Row]) -> list[Row]:
    """Repeat rows for encryption and decryption, each under the operation's title."""
    return [
        replace(row, where={**row.where, "operation": name}, section=title)
        for name, title in OPERATION_TITLES.items()
        for row in each
    ]


def in_section(section: str, each: Sequence[Row], **common: Any) -> list[Row]:
    """Put rows under a heading, all with the same options."""
    return [replace(row, section=section, **common) for row in each]


@dataclass(frozen=True)
class Table:
    """Table of quantities (rows) and subjects (columns).

    Parameters
    ----------
    key, title : str
        Name in files, and title.
    columns, rows : sequences
        Columns and rows; those without any figure are left out.
    where : mapping
        Conditions common to all cells.
    notes : tuple of str
        Keys of notes to show with the table, of the study or of ``eval.report.notes``.
    cards : bool
        Whether the page shows the figures as tiles instead of a table.
    bases : sequence of Column
        Columns that are not shown, but with which rows compare their cells (``Row.base``).
    folded : bool, optional
        Whether the page folds the table; None: if it is long.
    sorted_by : str
        Key of the column whose measured figures order the rows, the least first; rows without one
        come last. Empty: the order of ``rows``.
    needs : str
        Key of a column; the table is left out if this column has no measured figure. Empty: any.
    """

    key: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    where: Where = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    cards: bool = False
    bases: Sequence[Column] = ()
    folded: bool | None = None
    sorted_by: str = ""
    needs: str = ""


@dataclass(frozen=True)
class Panel:
    """Panel of a plot: one pair of axes.

    Parameters
    ----------
    x, y : str
        Quantities of the axes; ``x`` can be a condition that ``points`` vary, such as ``nbits``.
    series : sequence of Column
        Series, one colour each; a series can replace ``y`` in its ``where``.
    points : sequence of mapping
        Conditions of the points of each series; a line joins the points. A condition can be a
        function, as in ``Row.where``, which turns the series' value into the point's value.
    where : mapping
        Conditions common to all points.
    title, x_label, y_label : str
        Title and labels; empty labels: those of the quantities.
    log : str
        Names of the logarithmic axes, such as ``"xy"``; other axes are linear and begin at zero.
    measured, printed : bool
        Whether measured figures (filled) and printed figures (hollow) are drawn.
    names : bool
        Whether names of series are written at their points; otherwise a legend shows them.
    point_names : sequence of str
        Names of the points for a legend; each name has a marker.
    products : bool
        Whether lines of equal products of x and y are drawn, a decade apart.
    """

    x: str
    y: str
    series: Sequence[Column]
    points: Sequence[Where] = ({},)
    where: Where = field(default_factory=dict)
    title: str = ""
    x_label: str = ""
    y_label: str = ""
    log: str = ""
    measured: bool = True
    printed: bool = False
    names: bool = False
    point_names: Sequence[str] = ()
    products: bool = False


@dataclass(frozen=True)
class Plot:
    """Plot of panels in rows.

    Parameters
    ----------
    key, title, alt : str
        Name in files, title, and a sentence on the content.
    panels : sequence of sequence of Panel
        Panels, row by row.
    height_in : float
        Height in inches.
    notes : tuple of str
        See ``Table``.
    """

    key: str
    title: str
    alt: str
    panels: Sequence[Sequence[Panel]]
    height_in: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Parts:
    """Bar chart of the areas of the parts of each column's subject; other fields as ``Plot``."""

    key: str
    title: str
    alt: str
    columns: Sequence[Column]
    where: Where = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Layouts:
    """Pictures of the columns' subjects, placed, side by side; other fields as ``Plot``.

    Subjects without a placed record are left out.
    """

    key: str
    title: str
    alt: str
    columns: Sequence[Column]
    where: Where = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Text:
    """Paragraph with a title; ``text`` is a template, see ``eval.report.words``.

    ``folded`` tells whether the page folds it.
    """

    title: str
    text: str
    folded: bool = False


Block = Table | Plot | Parts | Layouts | Text


@dataclass(frozen=True)
class Section:
    """Section of a study: blocks under a title; ``folded`` tells whether the page folds it."""

    key: str
    title: str
    blocks: Sequence[Block]
    introduction: str = ""
    folded: bool = False


@dataclass(frozen=True)
class Study:
    """What the report measures and shows of a document, or of a topic without a document.

    Parameters
    ----------
    document : str
        Key of the document in ``eval/data/printed.json``; for a study without a document, a name.
    measurements : callable
        Function that takes the greatest width in bits and the cell library, and returns the
        measurements.
    sections : sequence of Section
        Sections in the report.
    notes : mapping of str to str
        Notes on tables and plots by key; templates as ``Text.text``.
    reasons : sequence of Reason
        Reasons for differences by more than 25 %, and for printed figures without one of ours; of
        several that hold for a figure, the first is taken.
    where : mapping
        Conditions common to all facts in texts.
    runs_on : mapping of str to str
        Name of the system on which a program runs, by the program's name as the subject of facts.
    projections : sequence of Projection
        Projections to other widths; their facts have quantities such as ``projected_area_um2``.
    topic : str
        Heading of the study, followed by the document's author.
    headline : str
        Sentence on the result for the summary; a template as ``Text.text``.
    without_document : bool
        Whether the study compares with no document.
    drafts : callable
        Function as ``measurements``, of quick measurements whose figures come first, and which
        those of ``measurements`` replace.
    """

    document: str
    measurements: Callable[[int, str], Sequence[Measurement]]
    sections: Sequence[Section]
    notes: Mapping[str, str] = field(default_factory=dict)
    reasons: Sequence[Reason] = ()
    where: Where = field(default_factory=dict)
    runs_on: Mapping[str, str] = field(default_factory=dict)
    projections: Sequence[Projection] = ()
    topic: str = ""
    headline: str = ""
    without_document: bool = False
    drafts: Callable[[int, str], Sequence[Measurement]] = lambda *_: ()

    def __post_init__(self) -> None:
        """Raise ``ValueError`` if a block has the key of a note that does not exist."""
        for block in (block for section in self.sections for block in section.blocks):
            if isinstance(block, Text):
                continue
            for key in block.notes:
                if key not in self.notes and key not in NOTES:
                    known = ", ".join(get_close_matches(key, [*self.notes, *NOTES]) or self.notes)
                    raise ValueError(f"{self.document}: no note {key!r} for {block.key}: {known}")
