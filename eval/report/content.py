"""Content of the report: studies with their facts filled in, and placed circuits side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from rsaxcel.eval.facts.areas import labels_of, role_of
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.points import BUILD, tabulate
from rsaxcel.eval.facts.printed import Printed
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.measure.errors import Failure
from rsaxcel.eval.pictures.drawings import cells_patch, draw_critical
from rsaxcel.eval.pictures.placed import Placed
from rsaxcel.eval.report.cards import (
    Anatomy,
    Card,
    Loader,
    Look,
    find_anatomy,
    make_cards,
    placed_anatomy,
    placed_circuits,
)
from rsaxcel.eval.report.choice import Choice, choices, draw_growth
from rsaxcel.eval.report.energy import EnergyGroup, energy_groups
from rsaxcel.eval.report.fidelity import Compared, Fidelity, by_place, compare
from rsaxcel.eval.report.names import colours_of, label_of, on_processor, shades
from rsaxcel.eval.report.plots import MARK, STYLE, WIDTH_IN, Drawing, draw, finish
from rsaxcel.eval.report.spec import NOTES, Column, Layouts, ReportTable, Section, Study, Text
from rsaxcel.eval.report.tables import ShownTable, merged, show_table
from rsaxcel.eval.report.words import MISSING, FigureWords
from rsaxcel.eval.studies.designs import DOCUMENT as DESIGNS
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.layout import PLACED, ROUTED
from rsaxcel.store.shown import choices_text

Shown = ShownTable | Drawing | Text


#: Data in place of those of a document, for a study without a document.
_OURS = {"title": "", "author": "", "short": "rsaxcel", "technology": ""}


@dataclass(frozen=True)
class ShownSection:
    """Section with its figures."""

    section: Section
    introduction: str  #: introduction with its figures filled in
    blocks: Sequence[Shown]  #: texts, and tables and plots that have figures
    columns: Sequence[str]  #: keys of columns that no earlier section has

    @property
    def tables(self) -> list[ShownTable]:
        return [x for x in self.blocks if isinstance(x, ShownTable)]

    @property
    def inside(self) -> str:
        """Titles of the blocks, in one line."""
        return "; ".join(getattr(block, "table", block).title for block in self.blocks)


@dataclass(frozen=True)
class ShownStudy:
    """Study with its figures."""

    study: Study
    document: Mapping[str, str]  #: title, author, short name, technology
    sections: Sequence[ShownSection]
    notes: Mapping[str, str]  #: notes by key, with their figures filled in
    colours: Mapping[str, str]  #: colours by key of the column; none for columns of figures
    labels: Mapping[str, str]  #: labels by key of the column
    systems: frozenset[str]  #: keys of columns about systems
    headline: str = ""  #: text for the summary; empty if a figure is missing

    @property
    def topic(self) -> str:
        """Topic of the study, or else the title of its document."""
        return self.study.topic or self.document["title"]

    @property
    def tables(self) -> list[ShownTable]:
        return [table for section in self.sections for table in section.tables]


@dataclass(frozen=True)
class Content:
    """Content of the report: its page, output on the terminal and files."""

    facts: Facts
    studies: Sequence[ShownStudy]
    fidelity: Sequence[Fidelity]  #: nearness for each table or figure of the documents
    compared: Sequence[Compared]  #: each printed figure with ours beside it
    failures: Sequence[Failure]
    printed: Printed
    workload: Mapping[str, str]  #: texts on the workload by heading
    waiting: str  #: text on measurements that are still running
    choices: Sequence[Choice]  #: all designs, for each width
    growth: Drawing | None  #: plot of figures over the width; None: there is one width
    points: pd.DataFrame  #: points, also of earlier sweeps and searches
    cards: Sequence[Card]  #: card of each subject of the points
    insides: Mapping[int, Mapping[str, Any]]  #: inner structure by row of points
    energies: Sequence[EnergyGroup]

    @property
    def tables(self) -> list[ShownTable]:
        return [table for study in self.studies for table in study.tables]


def assemble(
    studies: Sequence[Study],
    facts: Facts,
    failures: Sequence[Failure],
    printed: Printed,
    workload: Mapping[str, str],
    waiting: str,
    library: str,
    folder: Path,
    swept: Sequence[Fact] = (),
    look: Look | None = None,
) -> Content:
    """Fill in tables and texts, and draw plots.

    ``swept``: facts of earlier sweeps and searches, for the design points only. ``look`` finds the
    inner structure of a circuit, by default in the flow's folders.
    """
    load = placed_circuits(BUILD / "flow")
    shown = [_show(study, facts, printed, folder, load) for study in studies]
    # of two equal facts, the last one is shown: that of the report
    points = tabulate([*swept, *facts])
    colours = colours_of(points["subject"])
    cards, insides = make_cards(points, facts, colours, look or _look(folder, load))
    compared = compare(studies, printed, facts)
    places = by_place(studies, printed, compared)
    runs_on = {name: on for study in studies for name, on in study.runs_on.items()}
    energies = energy_groups(facts, _names(studies), runs_on, folder)
    counted = facts, shown, places, compared, failures, printed
    tables = (x for study in studies if study.document == DESIGNS for x in study.tables)
    widths = [x.where["nbits"] for x in tables]
    chosen = choices(points[points["nbits"].isin(widths)], colours, library, folder)
    growth = draw_growth(chosen, folder)
    return Content(*counted, workload, waiting, chosen, growth, points, cards, insides, energies)


def _look(folder: Path, load: Loader) -> Look:
    """Return a function that reads the inner structure of circuits, placed or not."""

    def look(*about: Any) -> Anatomy:
        placed = load(about[-1])
        return find_anatomy(folder, *about) if placed is None else placed_anatomy(folder, placed)

    return look


def _names(studies: Sequence[Study]) -> dict[tuple[str, str], str]:
    """Label by subject and text of choices, from the first column that shows them."""
    found: dict[tuple[str, str], str] = {}
    for column in (x for study in studies for x in study.columns):
        about = column.where.get("subject", column.key), column.where.get("choices") or {}
        found.setdefault((str(about[0]), choices_text(about[1])), label_of(column))
    return found


def _show(study: Study, every: Facts, printed: Printed, folder: Path, load: Loader) -> ShownStudy:
    facts = every.of_document(study.document)
    words = FigureWords(facts, study.where)
    columns = {x.key: x for x in study.columns}
    named = {key: x.where.get("subject", key) for key, x in columns.items() if not x.of_figures}
    colour_of = shades(named)
    sections = []
    seen: set[str] = set()
    for section in study.sections:
        blocks = [x for x in _blocks(section, facts, colour_of, words, folder, load) if x]
        if any(not isinstance(x, Text) for x in blocks):
            introduction = words.fill(section.introduction)
            keys = dict.fromkeys(y.key for y in section.columns if not y.of_figures)
            own = [x for x in keys if x not in seen]
            sections.append(ShownSection(section, introduction, blocks, own))
            seen.update(own)
    notes = {key: words.fill(text) for key, text in {**NOTES, **study.notes}.items()}
    headline = words.fill(study.headline)
    return ShownStudy(
        study,
        printed.documents.get(study.document, _OURS),
        sections,
        notes,
        colour_of,
        {key: label_of(x) for key, x in columns.items()},
        frozenset(key for key, x in columns.items() if on_processor(x, study.runs_on)),
        "" if MISSING in headline else headline,
    )


def _blocks(
    section: Section,
    facts: Facts,
    colour_of: Mapping[str, str],
    words: FigureWords,
    folder: Path,
    load: Loader,
) -> Iterator[Any]:
    for block in section.blocks:
        if isinstance(block, ReportTable):
            yield show_table(block, facts)
        elif isinstance(block, Text):
            yield Text(block.title, words.fill(block.text), block.folded)
        elif isinstance(block, Layouts):
            yield draw_layouts(block, facts, load, folder)
        else:
            yield draw(block, facts, colour_of, folder)


_ROLES = {
    "multiplier": ("multipliers", "#db2777"),
    "other multiplier": ("every second lane", "#f08bb8"),
    "constants": ("units for constants", "#e8710a"),
    "processor": ("processor", "#3b6fd4"),
    "rest": ("all else", "#9fb3a5"),
}
_GAP = 0.12  #: gap between circuits, over the width of the widest
_DPI = 170


def draw_layouts(
    block: Layouts, facts: Facts, load: Callable[[str], Placed | None], folder: Path
) -> Drawing | None:
    """Draw the placed circuits of a block, and write the PNG file; None if there are none.

    ``load`` reads a circuit by its record's hash (``eval.report.cards``).
    """
    found: list[tuple[Column, Placed]] = []
    for column in block.columns:
        fact = _placed_fact(block, column, facts)
        placed = load(fact.provenance) if fact else None
        if placed is not None:
            found.append((column, placed))
    if not found:
        return None
    with matplotlib.rc_context(STYLE):
        try:
            figure = _figure(found)
        except FlowError:  # the files are of an earlier version
            return None
        return finish(figure, block.key, block.title, block.alt, folder, block.notes)


def _placed_fact(block: Layouts, column: Column, facts: Facts) -> Fact | None:
    where = {"choices": {}, **merged(block.where, column.where), "quantity": "core_area_um2"}
    stages = (facts.find({**where, "stage": stage}, printed=False) for stage in (ROUTED, PLACED))
    return next((fact for fact in stages if fact is not None and fact.provenance), None)


def _figure(found: Sequence[tuple[Column, Placed]]) -> Figure:
    widths = [placed.width for _, placed in found]
    gap = _GAP * max(widths)
    whole = sum(widths) + gap * (len(found) - 1)
    tallest = max(placed.height for _, placed in found)
    height = min(WIDTH_IN * tallest / whole, WIDTH_IN) + 0.95
    figure = Figure(figsize=(WIDTH_IN, height), layout="compressed", dpi=_DPI)
    every: Any = figure.subplots(1, len(found), squeeze=False, width_ratios=widths)
    shown: dict[str, Any] = {}
    for axes, (column, placed) in zip(every.flat, found, strict=True):
        shown |= _draw(axes, column, placed, tallest)
    figure.legend(handles=list(shown.values()), loc="outside lower center", ncols=3)
    return figure


def _draw(axes: Axes, column: Column, placed: Placed, tallest: float) -> dict[str, Any]:
    """Draw a circuit at the foot of a field as high as the tallest one; return its legend."""
    record = placed.record
    labels = labels_of(record.design, record.nbits, record.params)
    role_by_path = {path: role_of(path, labels) for path in {*placed.modules}}
    roles = np.array([role_by_path[path] for path in placed.modules])
    areas = placed.sizes[:, 0] * placed.sizes[:, 1]
    handles: dict[str, Any] = {}
    said = []
    for role, (name, colour) in _ROLES.items():
        if (own := roles == role).any():
            axes.add_artist(cells_patch(placed, own, colour, f"role|{role}", most=0))
            handles[role] = Patch(color=colour, label=name)
            said.append(f"{name} {areas[own].sum():,.0f} µm²")
    # The cells are an image; this field has their tooltip.
    field: Any = {"facecolor": "#ffffff01", "linewidth": 0.7, "edgecolor": "#8a92a0"}
    field["gid"] = MARK.format(column.key, ", ".join(said))
    axes.add_patch(Rectangle((0, 0), placed.width, placed.height, **field))
    delay = f"critical path, {placed.critical.delay_ns:.2f} ns"
    handles["path"] = draw_critical(placed, axes, MARK.format(column.key, delay))
    handles["path"].set_label("critical path")
    axes.set_aspect("equal")
    axes.set_xlim(0, placed.width)
    axes.set_ylim(0, tallest)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.grid(visible=False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    broken = label_of(column).replace(" with ", "\nwith ")
    size = f"{placed.width:,.0f} x {placed.height:,.0f} µm"
    axes.set_xlabel(f"{broken}\n{size}\npath {placed.critical.delay_ns:.2f} ns", fontsize=8)
    return handles
