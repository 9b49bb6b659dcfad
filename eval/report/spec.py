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

#: Notes by key; templates, see ``eval.report.words``.
NOTES: dict[str, str] = {
    "glitches": """
        {% if 'timed' in activities() %}Energies and powers have glitches in them: gates have
        delays. Wires have delays, and clocks have trees, in placed circuits only; crosstalk is
        missing.
        {% endif %}
        {% if 'zero' in activities() %}{{ "Those at zero delay" if 'timed' in activities() else
        "Energies and powers" }} are lower bounds: a netlist without delays has no glitches. Real
        gates toggle more often and take more energy.{% endif %}""",
    "clock": """Clock: its nets, the gates that stop it where registers hold their values, and what
        its pins cost inside of the flip-flops; in placed circuits also the buffers of its tree.""",
    "period": """Operations run at the clock constraint where the circuit meets it, otherwise at its
        smallest period; one after the other, without overlap.""",
    "simulated": """Where the simulation of an operation on the netlist would take long, the leading
        bits of its exponent are simulated, and their power is taken for the whole: see the share of
        the cycles.""",
    "slices": """Slices of ours are a lower bound: as many as LUTs or flip-flops fill if each slice
        is full.""",
    "fpga": """FPGA figures of ours are estimates: mapped by Yosys, not packed, placed or routed, so
        that there is no frequency.""",
}


@dataclass(frozen=True)
class Reason:
    """Reason why measured figures are missing, or differ from print by more than 25 %."""

    text: str
    place: str = ""  #: table or figure of the document; empty: any
    #: fields of the printed facts; a tuple lists alternatives
    where: Mapping[str, Any] = field(default_factory=dict)

    def holds_for(self, fact: Fact) -> bool:
        return self.place in ("", fact.place) and all(
            getattr(fact, name) in (x if isinstance(x, tuple) else (x,))
            for name, x in self.where.items()
        )


Where = Mapping[str, Any]
#: Value of a cell, from the column's x, the base column's b and the printed p: "ratio": x / b;
#: "percent": 100 x / b; "speedup": b / x; "less": x - b; "saved": 100 (1 - x), with x divided by
#: the figure of Row.over; "deviation": 100 (x / p - 1); "over_printed": x / p; "rank": among all
#: columns (as a column's mode: among all rows), 1 for the smallest
Mode = Literal[
    "value", "ratio", "percent", "speedup", "less", "saved", "deviation", "over_printed", "rank"
]

OPERATION_TITLES = {"encrypt": "Encryption", "decrypt": "Decryption"}


@dataclass(frozen=True)
class Column:
    """Column of a table, or series of a plot."""

    key: str  #: name in files
    where: Where  #: conditions that choose facts, see Facts.find
    #: conditions that replace those of `where` for printed figures
    printed: Where = field(default_factory=dict)
    label: str = ""  #: label; empty: by eval.report.names
    quantity: str = ""  #: quantity in place of the rows' one
    mode: Mode | Literal[""] = ""  #: mode in place of the rows' one
    prints: bool = True  #: shows printed figures beside measured ones, where the row does
    group: str = ""  #: heading over the column and its neighbours of the same group
    base: str = ""  #: key of a column to compare with, in place of Row.base
    #: whether the figures are of a system built as the document describes it, not as best here; or
    #: quantities for which they are
    as_printed: bool | tuple[str, ...] = False

    def is_as_printed(self, quantity: str) -> bool:
        """Whether the column's figure of a quantity is of a system as the document describes it."""
        given = self.as_printed
        return given if isinstance(given, bool) else quantity in given

    @property
    def of_figures(self) -> bool:
        """Whether the column is about a figure of several subjects, not about a subject."""
        return bool(self.quantity or self.mode) or "subject" not in self.where


@dataclass(frozen=True)
class Row:
    """Row of a table: shows the values of one quantity, one value in each column."""

    quantity: str  #: quantity, which gives label, unit and digits
    #: conditions that override the column's; a function turns the column's value into the row's
    where: Where = field(default_factory=dict)
    printed: Where = field(default_factory=dict)
    section: str = ""  #: heading above this row and the following ones
    label: str = ""  #: label; empty: the quantity's
    mode: Mode = "value"
    of: str = ""  #: quantity of the figures from which cells are calculated; empty: `quantity`
    base: str = ""  #: key of the column with which cells are compared
    prints: bool = True  #: shows printed figures beside measured ones
    key: str = ""  #: name in files, after width and operation; empty: quantity and mode
    over: Where | None = None  #: conditions of a divisor, applied before the mode; None: no divisor
    as_printed: bool | None = None  #: as Column.as_printed; None: the column decides
    #: Each of these conditions has a figure; the cell shows the mean of the figures, after the
    #: mode. `where` is for the printed figure.
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
class ReportTable:
    """Table of quantities (rows) and subjects (columns)."""

    key: str  #: name in files
    title: str
    columns: Sequence[Column]  #: columns; those without any figure are left out
    rows: Sequence[Row]  #: rows; those without any figure are left out
    where: Where = field(default_factory=dict)  #: conditions common to all cells
    notes: tuple[str, ...] = ()  #: keys of notes, of the study or of eval.report.spec
    cards: bool = False  #: the page shows tiles instead of a table
    bases: Sequence[Column] = ()  #: columns that are not shown, but compared with (Row.base)
    folded: bool | None = None  #: whether the page folds the table; None: if it is long
    #: key of a column: rows are ordered by its measured figures, the least first
    sorted_by: str = ""
    needs: str = ""  #: key of a column: the table is left out if the column has no measured figures


@dataclass(frozen=True)
class Panel:
    """Panel of a plot: one pair of axes."""

    x: str  #: quantity, or a condition that `points` vary, such as nbits
    y: str  #: quantity, which a series' `where` can replace
    series: Sequence[Column]  #: series, each with its colour
    #: conditions of a series' points, joined by a line; functions as in Row.where
    points: Sequence[Where] = ({},)
    where: Where = field(default_factory=dict)  #: conditions common to all points
    title: str = ""
    x_label: str = ""  #: label; empty: the quantity's
    y_label: str = ""  #: label; empty: the quantity's
    log: str = ""  #: logarithmic axes, such as "xy"; others are linear from zero
    measured: bool = True  #: shows measured figures, as filled markers
    printed: bool = False  #: shows printed figures, as hollow markers
    names: bool = False  #: names of series stand at their points, not in a legend
    point_names: Sequence[str] = ()  #: names of the points for a legend; each has a marker
    products: bool = False  #: draws lines of equal x times y, a decade apart


@dataclass(frozen=True)
class Plot:
    """Plot of panels in rows."""

    key: str  #: name in files
    title: str
    alt: str  #: sentence on the content
    panels: Sequence[Sequence[Panel]]  #: panels, row by row
    height_in: float
    notes: tuple[str, ...] = ()  #: keys of notes, see Table

    @property
    def columns(self) -> list[Column]:
        return [x for row in self.panels for panel in row for x in panel.series]


@dataclass(frozen=True)
class _OfColumns:
    """Picture of the columns' subjects; fields as in ``Plot``."""

    key: str
    title: str
    alt: str
    columns: Sequence[Column]
    where: Where = field(default_factory=dict)
    notes: tuple[str, ...] = ()


class Parts(_OfColumns):
    """Bar chart of the areas of the parts of each column's subject."""


class Layouts(_OfColumns):
    """Pictures of the columns' placed subjects, side by side."""


@dataclass(frozen=True)
class Text:
    """Paragraph with a title; ``text`` is a template, see ``eval.report.words``."""

    title: str
    text: str
    folded: bool = False  #: whether the page folds the text


Block = ReportTable | Plot | Parts | Layouts | Text


@dataclass(frozen=True)
class Section:
    """Section of a study: blocks under a title; ``folded`` tells whether the page folds it."""

    key: str
    title: str
    blocks: Sequence[Block]
    introduction: str = ""
    folded: bool = False

    @property
    def columns(self) -> list[Column]:
        return [x for block in self.blocks if not isinstance(block, Text) for x in block.columns]


@dataclass(frozen=True)
class Study:
    """Measurements, tables and texts on a document, or on a topic without a document."""

    document: str  #: key in eval/data/printed.json; without a document, a name
    #: measurements for the greatest width in bits and a cell library
    measurements: Callable[[int, str], Sequence[Measurement]]
    sections: Sequence[Section]
    #: notes on tables and plots by key; templates as Text.text
    notes: Mapping[str, str] = field(default_factory=dict)
    #: reasons for differences by more than 25 %, and for missing figures; the first that holds
    #: counts
    reasons: Sequence[Reason] = ()
    where: Where = field(default_factory=dict)  #: conditions common to all facts in texts
    runs_on: Mapping[str, str] = field(default_factory=dict)  #: system by program
    #: projections to other widths: quantities such as projected_area_um2
    projections: Sequence[Projection] = ()
    topic: str = ""  #: heading, shown before the document's author
    headline: str = ""  #: result for the summary; a template as Text.text
    without_document: bool = False
    #: quick measurements, until those of `measurements` replace their results
    drafts: Callable[[int, str], Sequence[Measurement]] = lambda *_: ()

    def __post_init__(self) -> None:
        """Raise ``ValueError`` if a block has the key of a note that does not exist."""
        for block in self.blocks:
            if isinstance(block, Text):
                continue
            for key in block.notes:
                if key not in self.notes and key not in NOTES:
                    known = ", ".join(get_close_matches(key, [*self.notes, *NOTES]) or self.notes)
                    raise ValueError(f"{self.document}: no note {key!r} for {block.key}: {known}")

    @property
    def blocks(self) -> list[Block]:
        return [block for section in self.sections for block in section.blocks]

    @property
    def tables(self) -> list[ReportTable]:
        return [x for x in self.blocks if isinstance(x, ReportTable)]

    @property
    def columns(self) -> list[Column]:
        return [column for section in self.sections for column in section.columns]
