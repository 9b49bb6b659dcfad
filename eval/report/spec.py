"""Specifications of studies as data: tables, plots and texts over facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, Literal

from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.projection import Projection
from rsaxcel.eval.facts.quantities import find_quantity
from rsaxcel.eval.measure.job import Measurement
from rsaxcel.eval.report.notes import NOTES


@dataclass(frozen=True)
class Reason:
    """Why printed figures differ from ours by more than 25 %, or have none of ours beside them."""

    text: str
    place: str = ""  # table or figure of the document; empty: any
    # fields of printed facts; a tuple lists alternatives
    where: Mapping[str, Any] = field(default_factory=dict)

    def holds_for(self, fact: Fact) -> bool:
        return self.place in ("", fact.place) and all(
            getattr(fact, name) in (x if isinstance(x, tuple) else (x,))
            for name, x in self.where.items()
        )


Where = Mapping[str, Any]
# of the column's x, base column's b and printed p: "ratio": x / b; "percent": 100 x / b; "speedup":
# b / x; "less": x - b; "saved": 100 (1 - x), where x is over that of Row.over; "deviation": 100 (x
# / p - 1); "over_printed": x / p; "rank": among all columns (as a column's mode: rows), 1 for the
# smallest
Mode = Literal[
    "value", "ratio", "percent", "speedup", "less", "saved", "deviation", "over_printed", "rank"
]

OPERATION_TITLES = {"encrypt": "Encryption", "decrypt": "Decryption"}  # titles of the operations


@dataclass(frozen=True)
class Column:
    """Column of a table, or series of a plot."""

    key: str  # name in files
    where: Where  # conditions that choose facts, see Facts.find
    printed: Where = field(default_factory=dict)  # replaces conditions for printed figures
    label: str = ""  # empty: by eval.report.names
    quantity: str = ""  # in place of the rows'
    mode: Mode | Literal[""] = ""  # in place of the rows'
    prints: bool = True  # printed figures beside measured ones, where the row shows them
    group: str = ""  # heading over it and its neighbours of the group
    base: str = ""  # key of a column, in place of Row.base
    # built as the document describes it, not as it is best here; or quantities
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
    """Row of a table: shows the values of one quantity, one value in each column."""

    quantity: str  # gives label, unit and digits
    # overrides the column's; a function turns the column's value into the row's
    where: Where = field(default_factory=dict)
    printed: Where = field(default_factory=dict)
    section: str = ""  # heading above this row and those that follow
    label: str = ""  # empty: the quantity's
    mode: Mode = "value"
    of: str = ""  # figures from which cells are calculated; empty: `quantity`
    base: str = ""  # key of the column with which cells are compared
    prints: bool = True  # printed figures beside measured ones
    key: str = ""  # name in files, after width and operation; empty: quantity and mode
    over: Where | None = None  # conditions of a divisor, applied before the mode; None: none
    as_printed: bool | None = None  # None: as the column
    # conditions of figures whose mean, after the mode, is shown; `where`: printed one
    mean: Sequence[Where] = ()


def rows(*quantities: str, **common: Any) -> list[Row]:
    return [Row(quantity, **common) for quantity in quantities]


def per(name: str, values: Iterable[Any], each: Sequence[Row], label: str = "{}") -> list[Row]:
    """Repeat rows for each value of the condition ``name``; labels fill the ``{}`` of ``label``."""
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
    return [replace(row, section=section, **common) for row in each]


@dataclass(frozen=True)
class Table:
    """Table of quantities (rows) and subjects (columns)."""

    key: str  # name in files
    title: str
    columns: Sequence[Column]  # those without any figure are left out
    rows: Sequence[Row]  # those without any figure are left out
    where: Where = field(default_factory=dict)  # common to all cells
    notes: tuple[str, ...] = ()  # keys, of the study or of eval.report.notes
    cards: bool = False  # tiles on the page, instead of a table
    bases: Sequence[Column] = ()  # not shown, but compared with (Row.base)
    folded: bool | None = None  # on the page; None: if it is long
    sorted_by: str = ""  # key of a column whose measured figures order the rows, the least first
    needs: str = ""  # key of a column without whose measured figures the table is left out


@dataclass(frozen=True)
class Panel:
    """Panel of a plot: one pair of axes."""

    x: str  # quantity, or a condition that `points` vary, such as nbits
    y: str  # quantity, which a series' `where` can replace
    series: Sequence[Column]  # one colour each
    # conditions of a series' points, joined by a line; functions as in Row.where
    points: Sequence[Where] = ({},)
    where: Where = field(default_factory=dict)  # common to all points
    title: str = ""
    x_label: str = ""  # empty: the quantity's
    y_label: str = ""  # empty: the quantity's
    log: str = ""  # axes, such as "xy"; others are linear from zero
    measured: bool = True  # filled
    printed: bool = False  # hollow
    names: bool = False  # series' names at their points, not in a legend
    point_names: Sequence[str] = ()  # for a legend; each has a marker
    products: bool = False  # lines of equal x times y, a decade apart


@dataclass(frozen=True)
class Plot:
    """Plot of panels in rows."""

    key: str  # name in files
    title: str
    alt: str  # sentence on the content
    panels: Sequence[Sequence[Panel]]  # row by row
    height_in: float
    notes: tuple[str, ...] = ()  # see Table


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
    """Pictures of the columns' placed subjects, side by side; other fields as ``Plot``."""

    key: str
    title: str
    alt: str
    columns: Sequence[Column]
    where: Where = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Text:
    """Paragraph with a title; ``text`` is a template, see ``eval.report.words``."""

    title: str
    text: str
    folded: bool = False  # on the page


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
    """What the report measures and shows of a document, or of a topic without a document."""

    document: str  # key in eval/data/printed.json; without a document, a name
    # of the greatest width in bits and the cell library
    measurements: Callable[[int, str], Sequence[Measurement]]
    sections: Sequence[Section]
    # on tables and plots; templates as Text.text
    notes: Mapping[str, str] = field(default_factory=dict)
    # for differences by more than 25 %, and figures without ours; the first that holds
    reasons: Sequence[Reason] = ()
    where: Where = field(default_factory=dict)  # common to all facts in texts
    runs_on: Mapping[str, str] = field(default_factory=dict)  # system by program
    projections: Sequence[Projection] = ()  # to other widths: quantities such as projected_area_um2
    topic: str = ""  # heading, before the document's author
    headline: str = ""  # result for the summary; a template as Text.text
    without_document: bool = False
    # quick measurements, which those of `measurements` replace
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
