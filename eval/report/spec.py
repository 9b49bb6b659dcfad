"""What a document's study shows, as data: tables, plots and texts over facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from eval.facts.projection import Projection
from eval.facts.quantities import find_quantity
from eval.measure.job import Measurement

Where = Mapping[str, Any]
Mode = Literal["value", "ratio", "percent", "speedup", "less", "deviation", "over_printed", "rank"]
"""What a cell shows of the fact of its column: its value; that over the base column's, in percent
of it, the base's over it, that less the base's; how far it is from the printed one in percent, and
over it; its place among the columns from the smallest one."""

OPERATIONS = {"encrypt": "Encryption", "decrypt": "Decryption"}
"""Operations and their titles."""


@dataclass(frozen=True)
class Column:
    """What stands in a column, or what a series of a plot is about.

    Parameters
    ----------
    key : str
        Name in files.
    where : mapping
        Chooses facts, see ``Facts.find``.
    printed : mapping
        What is otherwise for the printed figures beside.
    label : str
        Name for people, where ``eval.report.names`` cannot tell it from the key.
    """

    key: str
    where: Where
    printed: Where = field(default_factory=dict)
    label: str = ""


@dataclass(frozen=True)
class Row:
    """A quantity over all columns.

    Parameters
    ----------
    quantity : str
        Quantity that is shown: says label, unit and digits.
    where, printed : mapping
        As a column's, and stronger; a function changes what the column says.
    section, label : str
        Heading over this and the rows behind it, and the label where it is not the quantity's.
    mode : Mode
        What of the fact is shown.
    of : str
        Quantity that ``mode`` works on, where it is not the one that is shown.
    base : str
        Key of the column that ``mode`` compares with.
    prints : bool
        Whether printed figures stand beside.
    key : str
        Name in files, where it is not that of the quantity with the mode; operation and width stand
        before it.
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


def rows(*quantities: str, **common: Any) -> list[Row]:
    """Make a row of each quantity, all with the same options."""
    return [Row(quantity, **common) for quantity in quantities]


def per(name: str, values: Iterable[Any], each: Sequence[Row], label: str = "{}") -> list[Row]:
    """Repeat rows for each value of a dimension, each under its own label as heading."""
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
    """Repeat rows for encryption and decryption, under these headings."""
    return [
        replace(row, where={**row.where, "operation": name}, section=title)
        for name, title in OPERATIONS.items()
        for row in each
    ]


def in_section(section: str, each: Sequence[Row], **common: Any) -> list[Row]:
    """Put rows under a heading, all with the same options."""
    return [replace(row, section=section, **common) for row in each]


@dataclass(frozen=True)
class Table:
    """Quantities over subjects.

    Parameters
    ----------
    key, title : str
        Name in files, and for people.
    columns, rows : sequences
        What stands where. Those without any figure are left out.
    where : mapping
        What all cells have in common.
    notes : tuple of str
        Keys of the study's notes, or of ``eval.report.notes``, that have to stand beside it.
    cards : bool
        Whether the page shows it at a glance instead of as a table.
    bases : sequence of Column
        Columns that rows compare with and that are not shown.
    folded : bool, optional
        Whether the page folds it; long tables are folded unless it is given.
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


@dataclass(frozen=True)
class Panel:
    """One pair of axes.

    Parameters
    ----------
    x, y : str
        Quantities; ``x`` can be a dimension that ``points`` go over, such as ``nbits``.
    series : sequence of Column
        What is drawn, a colour each; a series can have a ``y`` of its own in its ``where``.
    points : sequence of mapping
        Points of each series, joined by a line.
    where : mapping
        What all points have in common.
    title, x_label, y_label : str
        For people; the quantities' own if empty.
    log : str
        Which axes are logarithmic, ``"x"``, ``"xy"`` and so on; the others begin at zero.
    measured, printed : bool
        Whose figures are drawn: ours filled, the documents' hollow.
    names : bool
        Whether the series' names stand at their points; otherwise a legend has them.
    point_names : sequence of str
        Names of the points, told apart by markers, for a legend.
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
    """Panels in rows, and under their heading what they show in a sentence; notes as a table's."""

    key: str
    title: str
    alt: str
    panels: Sequence[Sequence[Panel]]
    height_in: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Parts:
    """Bars of the area of each part of each column's subject; the rest as a plot's."""

    key: str
    title: str
    alt: str
    columns: Sequence[Column]
    where: Where = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Text:
    """A paragraph under a heading: a template that asks for facts, see ``eval.report.words``.

    The page can fold it.
    """

    title: str
    text: str
    folded: bool = False


Block = Table | Plot | Parts | Text


@dataclass(frozen=True)
class Section:
    """Blocks under a heading, which the page can fold."""

    key: str
    title: str
    blocks: Sequence[Block]
    introduction: str = ""
    folded: bool = False


@dataclass(frozen=True)
class Study:
    """One document, or something of our own: what to measure, and what to show.

    Parameters
    ----------
    document : str
        Key of the document in ``eval/data/printed.json``; a name of its own where there is none.
    measurements : callable
        Takes the greatest width in bits and the library of cells; gives what has to be measured.
    sections : sequence of Section
        What is shown.
    notes : mapping of str to str
        Texts that stand beside tables and plots, by key; templates as ``Text.text``.
    where : mapping
        What the facts that texts ask for have in common.
    runs_on : mapping of str to str
        Hardware of the programs that are subjects, see ``Facts``.
    reasons : mapping of str to str
        Why our figures are more than a factor of two away from the printed ones, by table or figure
        of the document.
    projections : sequence of Projection
        What is said of widths that are not measured; in quantities of its own.
    topic : str
        What the document is about, as a heading; its author's name stands behind it.
    headline : str
        What was found, in a sentence for the summary; a template as ``Text.text``.
    extended : callable, optional
        Takes names of designs and parameters; gives the study with these designs in its tables.
    """

    document: str
    measurements: Callable[[int, str], Sequence[Measurement]]
    sections: Sequence[Section]
    notes: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    where: Where = field(default_factory=dict)
    runs_on: Mapping[str, str] = field(default_factory=dict)
    projections: Sequence[Projection] = ()
    topic: str = ""
    headline: str = ""
    extended: Callable[[Sequence[str], Mapping[str, str]], Study] | None = None
