"""Everything that the report shows: studies with their facts filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from eval.facts.fact import Fact, choices_text
from eval.facts.points import tabulate
from eval.facts.printed import Printed
from eval.facts.table import Facts
from eval.measure.errors import Failure
from eval.report.anatomy import find_anatomy
from eval.report.cards import Card, Look, make_cards
from eval.report.colours import colours_of, shades
from eval.report.energy import EnergyGroup, energy_groups
from eval.report.energy_bars import draw_energies
from eval.report.fidelity import Fidelity, fidelity
from eval.report.names import label_of, on_processor
from eval.report.notes import NOTES
from eval.report.plots import Drawing, draw
from eval.report.spec import Column, Parts, Plot, Section, Study, Table, Text
from eval.report.tables import ShownTable, show_table
from eval.report.words import MISSING, Words

Shown = ShownTable | Drawing | Text


_OURS = {"title": "", "author": "", "short": "rsaxcel", "technology": ""}
"""What is said of a study without a document."""


@dataclass(frozen=True)
class ShownSection:
    """A section with its figures: its introduction filled in, blocks that have any to show.

    Its columns are those that no section before has, by their keys.
    """

    section: Section
    introduction: str
    blocks: Sequence[Shown]
    columns: Sequence[str]

    @property
    def tables(self) -> list[ShownTable]:
        """Tables among the blocks."""
        return [x for x in self.blocks if isinstance(x, ShownTable)]

    @property
    def inside(self) -> str:
        """Titles of its blocks."""
        return "; ".join(getattr(block, "table", block).title for block in self.blocks)


@dataclass(frozen=True)
class ShownStudy:
    """A study with its figures.

    Its document says title, author, short name and technology; notes are filled in, by key; each
    column has a colour, a name for people and is about a system or not, by its key; the headline is
    empty where a figure that it asks for is not there.
    """

    study: Study
    document: Mapping[str, str]
    sections: Sequence[ShownSection]
    notes: Mapping[str, str]
    colours: Mapping[str, str]
    labels: Mapping[str, str]
    systems: frozenset[str]
    headline: str = ""

    @property
    def topic(self) -> str:
        """What the document is about; its title where the study says nothing."""
        return self.study.topic or self.document["title"]

    @property
    def tables(self) -> list[ShownTable]:
        """All tables."""
        return [table for section in self.sections for table in section.tables]


@dataclass(frozen=True)
class Content:
    """What page, terminal and files show: all facts, the studies, how near ours come to print.

    All that was measured is a row of the points, those of earlier sweeps too; each design has a
    card, and what is inside of it is found by its row. Energies are those of the studies' subjects.
    The workload says what was run, for people; failures have no figures, and nobody asked for those
    of unmeasured designs of the registry.
    """

    facts: Facts
    studies: Sequence[ShownStudy]
    fidelity: Sequence[Fidelity]
    failures: Sequence[Failure]
    printed: Printed
    workload: Mapping[str, str]
    unmeasured: Sequence[str]
    points: pd.DataFrame
    cards: Sequence[Card]
    insides: Mapping[int, Mapping[str, Any]]
    energies: Sequence[EnergyGroup]

    @property
    def tables(self) -> list[ShownTable]:
        """Tables of all documents."""
        return [table for study in self.studies for table in study.tables]


def assemble(
    studies: Sequence[Study],
    facts: Facts,
    failures: Sequence[Failure],
    printed: Printed,
    workload: Mapping[str, str],
    unmeasured: Sequence[str],
    folder: Path,
    swept: Sequence[Fact] = (),
    look: Look | None = None,
) -> Content:
    """Fill in tables and texts, and draw; the plots' PNG files go to the folder.

    What was ``swept`` is shown beside; ``look`` finds what is inside of a circuit, in the flow's
    folders unless it is given.
    """
    shown = [_show(study, facts, printed, folder) for study in studies]
    tables = [table for study in shown for table in study.tables]
    points = tabulate([*facts, *swept])
    colours = colours_of(points["subject"])
    cards, insides = make_cards(points, facts, colours, look or partial(find_anatomy, folder))
    nearest = fidelity(studies, printed, tables)
    runs_on = {name: on for study in studies for name, on in study.runs_on.items()}
    energies = energy_groups(facts, _names(studies), runs_on, folder, draw_energies)
    figures = facts, shown, nearest, failures, printed, workload, unmeasured, points, cards, insides
    return Content(*figures, energies)


def _names(studies: Sequence[Study]) -> dict[tuple[str, str], str]:
    """Names for people that the columns of studies have, the first one of each subject."""
    found: dict[tuple[str, str], str] = {}
    for column in (x for study in studies for section in study.sections for x in _columns(section)):
        about = column.where.get("subject", column.key), column.where.get("choices") or {}
        found.setdefault((str(about[0]), choices_text(about[1])), label_of(column))
    return found


def _show(study: Study, facts: Facts, printed: Printed, folder: Path) -> ShownStudy:
    words = Words(facts, study.where)
    columns = {x.key: x for section in study.sections for x in _columns(section)}
    colour_of = shades({key: x.where.get("subject", key) for key, x in columns.items()})
    sections = []
    seen: set[str] = set()
    for section in study.sections:
        blocks = [x for x in _blocks(section, facts, colour_of, words, folder) if x]
        if any(not isinstance(x, Text) for x in blocks):
            introduction = words.fill(section.introduction)
            own = [x for x in dict.fromkeys(y.key for y in _columns(section)) if x not in seen]
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
        if isinstance(block, Table | Parts):
            yield from block.columns
        elif isinstance(block, Plot):
            for row in block.panels:
                for panel in row:
                    yield from panel.series


def _blocks(
    section: Section, facts: Facts, colour_of: Mapping[str, str], words: Words, folder: Path
) -> Iterator[Any]:
    for block in section.blocks:
        if isinstance(block, Table):
            yield show_table(block, facts)
        elif isinstance(block, Text):
            yield Text(block.title, words.fill(block.text), block.folded)
        else:
            yield draw(block, facts, colour_of, folder)
