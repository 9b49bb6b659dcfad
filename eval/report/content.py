"""Everything that the report shows: studies with their facts filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.facts.printed import Printed
from eval.facts.table import Facts
from eval.measure.errors import Failure
from eval.report.fidelity import Fidelity, fidelity
from eval.report.notes import NOTES
from eval.report.plots import Drawing, colours, draw
from eval.report.spec import Column, Parts, Plot, Section, Study, Table, Text
from eval.report.tables import ShownTable, show_table
from eval.report.words import Words

Shown = ShownTable | Drawing | Text


@dataclass(frozen=True)
class ShownSection:
    """A section with its figures.

    Parameters
    ----------
    section : Section
        What it was made of.
    introduction : str
        Filled in.
    blocks : sequence
        Those that have anything to show.
    """

    section: Section
    introduction: str
    blocks: Sequence[Shown]

    @property
    def tables(self) -> list[ShownTable]:
        """Tables among the blocks."""
        return [x for x in self.blocks if isinstance(x, ShownTable)]


@dataclass(frozen=True)
class ShownStudy:
    """A study with its figures.

    Parameters
    ----------
    study : Study
        What it was made of.
    document : mapping
        Title, author, short name, technology.
    sections : sequence of ShownSection
        Those that have anything to show.
    notes : mapping of str to str
        Texts by key, filled in.
    colours : mapping of str to str
        Colour of each column.
    """

    study: Study
    document: Mapping[str, str]
    sections: Sequence[ShownSection]
    notes: Mapping[str, str]
    colours: Mapping[str, str]

    @property
    def tables(self) -> list[ShownTable]:
        """All tables."""
        return [table for section in self.sections for table in section.tables]


@dataclass(frozen=True)
class Content:
    """What page, terminal and files show.

    Parameters
    ----------
    facts : Facts
        All of them.
    studies : sequence of ShownStudy
        The documents.
    fidelity : sequence of Fidelity
        How near the printed figures ours come.
    failures : sequence of Failure
        What has no figures.
    printed : Printed
        The documents' figures.
    workload : mapping of str to str
        What was run, for people.
    unmeasured : sequence of str
        Designs of the registry that nobody asked for.
    """

    facts: Facts
    studies: Sequence[ShownStudy]
    fidelity: Sequence[Fidelity]
    failures: Sequence[Failure]
    printed: Printed
    workload: Mapping[str, str]
    unmeasured: Sequence[str]

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
) -> Content:
    """Fill in tables and texts, and draw; the plots' PNG files go to the folder."""
    shown = [_show(study, facts, printed, folder) for study in studies]
    tables = [table for study in shown for table in study.tables]
    return Content(
        facts, shown, fidelity(studies, printed, tables), failures, printed, workload, unmeasured
    )


def _show(study: Study, facts: Facts, printed: Printed, folder: Path) -> ShownStudy:
    words = Words(facts, study.where)
    colour_of = colours(column.key for section in study.sections for column in _columns(section))
    sections = []
    for section in study.sections:
        blocks = [x for x in _blocks(section, facts, colour_of, words, folder) if x]
        if any(not isinstance(x, Text) for x in blocks):
            introduction = words.fill(section.introduction)
            sections.append(ShownSection(section, introduction, blocks))
    notes = {key: words.fill(text) for key, text in {**NOTES, **study.notes}.items()}
    return ShownStudy(study, printed.documents[study.document], sections, notes, colour_of)


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
            yield Text(block.title, words.fill(block.text))
        else:
            yield draw(block, facts, colour_of, folder)
