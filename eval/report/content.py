"""Content of the report: studies with their facts filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.points import BUILD, tabulate
from rsaxcel.eval.facts.printed import Printed
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.measure.errors import Failure
from rsaxcel.eval.report.anatomy import (
    Anatomy,
    Loader,
    find_anatomy,
    placed_anatomy,
    placed_circuits,
)
from rsaxcel.eval.report.cards import Card, Look, make_cards
from rsaxcel.eval.report.choice import Choice, choices, draw_growth
from rsaxcel.eval.report.colours import colours_of, shades
from rsaxcel.eval.report.energy import EnergyGroup, draw_energies, energy_groups
from rsaxcel.eval.report.fidelity import Compared, Fidelity, by_place, compare
from rsaxcel.eval.report.layouts import draw_layouts
from rsaxcel.eval.report.names import label_of, on_processor
from rsaxcel.eval.report.plots import Drawing, draw
from rsaxcel.eval.report.spec import (
    NOTES,
    Column,
    Layouts,
    Parts,
    Plot,
    ReportTable,
    Section,
    Study,
    Text,
)
from rsaxcel.eval.report.tables import ShownTable, show_table
from rsaxcel.eval.report.words import MISSING, FigureWords
from rsaxcel.eval.studies.designs import DOCUMENT as DESIGNS
from rsaxcel.store.shown import choices_text

Shown = ShownTable | Drawing | Text


_OURS = {"title": "", "author": "", "short": "rsaxcel", "technology": ""}
"""Data in place of those of a document, for a study without a document."""


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
    energies = energy_groups(facts, _names(studies), runs_on, folder, draw_energies)
    counted = facts, shown, places, compared, failures, printed
    tables = [x for study in studies if study.document == DESIGNS for x in _tables(study)]
    widths = [x.where["nbits"] for x in tables]
    chosen = choices(points[points["nbits"].isin(widths)], colours, library, folder)
    growth = draw_growth(chosen, folder)
    return Content(*counted, workload, waiting, chosen, growth, points, cards, insides, energies)


def _tables(study: Study) -> list[ReportTable]:
    return [x for section in study.sections for x in section.blocks if isinstance(x, ReportTable)]


def _look(folder: Path, load: Loader) -> Look:
    """Return a function that reads the inner structure of circuits, placed or not."""

    def look(*about: Any) -> Anatomy:
        placed = load(about[-1])
        return find_anatomy(folder, *about) if placed is None else placed_anatomy(folder, placed)

    return look


def _names(studies: Sequence[Study]) -> dict[tuple[str, str], str]:
    """Label by subject and text of choices, from the first column that shows them."""
    found: dict[tuple[str, str], str] = {}
    for column in (x for study in studies for section in study.sections for x in _columns(section)):
        about = column.where.get("subject", column.key), column.where.get("choices") or {}
        found.setdefault((str(about[0]), choices_text(about[1])), label_of(column))
    return found


def _show(study: Study, every: Facts, printed: Printed, folder: Path, load: Loader) -> ShownStudy:
    facts = every.of_document(study.document)
    words = FigureWords(facts, study.where)
    columns = {x.key: x for section in study.sections for x in _columns(section)}
    named = {key: x.where.get("subject", key) for key, x in columns.items() if not x.of_figures}
    colour_of = shades(named)
    sections = []
    seen: set[str] = set()
    for section in study.sections:
        blocks = [x for x in _blocks(section, facts, colour_of, words, folder, load) if x]
        if any(not isinstance(x, Text) for x in blocks):
            introduction = words.fill(section.introduction)
            keys = dict.fromkeys(y.key for y in _columns(section) if not y.of_figures)
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


def _columns(section: Section) -> Iterator[Column]:
    for block in section.blocks:
        if isinstance(block, ReportTable | Parts | Layouts):
            yield from block.columns
        elif isinstance(block, Plot):
            for row in block.panels:
                for panel in row:
                    yield from panel.series


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
