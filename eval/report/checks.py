"""Checks studies before anything is measured: document, quantities, and templates of texts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from jinja2 import TemplateError

from rsaxcel import catalog
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.printed import Printed
from rsaxcel.eval.facts.quantities import find_quantity
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.report.notes import NOTES
from rsaxcel.eval.report.spec import Column, Layouts, Panel, Parts, Plot, Study, Table, Text, Where
from rsaxcel.eval.report.words import Subject, Words
from rsaxcel.proc.kinds import ATTACHED
from rsaxcel.proc.systems import NULL_SYSTEM
from rsaxcel.store.errors import UserError
from rsaxcel.store.shown import one_line


def check_studies(studies: Sequence[Study], figures: Printed) -> None:
    """Check documents, quantities and texts of studies; ``UserError`` names what is unknown."""
    subjects = {x.subject for x in figures.facts if x.subject}
    for study in studies:
        subjects |= {str(x.where["subject"]) for x in _columns(study) if "subject" in x.where}
        subjects |= study.runs_on.keys()
    for study in studies:
        if study.document not in figures.documents and not study.without_document:
            known = ", ".join(figures.documents)
            raise UserError(
                f"document {study.document!r} of a study is not in printed.json: {known} are "
                "known; a study without a document has without_document=True"
            )
        for title, text in _texts(study):
            _check_text(f"{study.document}, {title}", text, _Checking(study.where, subjects))
        for block in (block for section in study.sections for block in section.blocks):
            try:
                _check_block(block)
            except ValueError as error:
                raise UserError(f"{study.document}, {_name(block)}: {error}") from error


class _Checking(Words):
    """Fills templates without facts, and refuses subjects that nothing knows."""

    def __init__(self, where: Where, subjects: Collection[str]) -> None:
        super().__init__(Facts([]), where)
        self._subjects = subjects

    def _fact(
        self, subject: Subject, quantity: str, *wheres: Where, printed: Where | None = None
    ) -> Fact | None:
        if isinstance(subject, str) and not (subject in self._subjects or _is_ours(subject)):
            known = sorted({*self._subjects, *catalog.circuits()})
            near = ", ".join(get_close_matches(subject, known) or known)
            raise ValueError(f"subject {subject!r} is unknown; allowed: {near}")
        return super()._fact(subject, quantity, *wheres, printed=printed)


def _is_ours(subject: str) -> bool:
    """Whether a subject is a design or multiplier of the registry, or a system."""
    prefix = next((x for x in ATTACHED if subject.startswith(x)), "")
    known = subject == NULL_SYSTEM or catalog.is_multiplier(subject)
    return known or subject.removeprefix(prefix) in catalog.designs()


def _check_text(about: str, text: str, words: Words) -> None:
    try:
        words.check(text)
        words.fill(text)
    except (ValueError, TypeError, TemplateError) as error:
        raise UserError(f"{about}: {one_line(error)}") from error


def _texts(study: Study) -> Iterator[tuple[str, str]]:
    """Yield the templates of a study, each with what it is."""
    yield "headline", study.headline
    for key, text in {**NOTES, **study.notes}.items():
        yield f"note {key}", text
    for section in study.sections:
        yield f"introduction of {section.title}", section.introduction
        for block in section.blocks:
            if isinstance(block, Text):
                yield _name(block), block.text


def _name(block: Any) -> str:
    return f"text {block.title}" if isinstance(block, Text) else str(block.key)


def _columns(study: Study) -> Iterator[Column]:
    for block in (block for section in study.sections for block in section.blocks):
        if isinstance(block, Table | Parts | Layouts):
            yield from block.columns
        elif isinstance(block, Plot):
            yield from (x for row in block.panels for panel in row for x in panel.series)


def _check_block(block: Any) -> None:
    if isinstance(block, Table):
        for row in block.rows:
            find_quantity(row.quantity)
            find_quantity(row.of or row.quantity)
    elif isinstance(block, Plot):
        for panel in (panel for row in block.panels for panel in row):
            _check_panel(panel)


def _check_panel(panel: Panel) -> None:
    """Refuse axes that are neither a quantity nor a condition of the points."""
    varied: set[str] = set()
    for where in (panel.where, *(x.where for x in panel.series), *panel.points):
        choices = where.get("choices", {})
        varied |= {*where, *(() if callable(choices) else choices)}
    for name in (panel.x, panel.y, *(x.where["y"] for x in panel.series if "y" in x.where)):
        if name not in varied:
            try:
                find_quantity(name)
            except ValueError as error:
                raise ValueError(
                    f"axis {name}: no point has this condition, and {error}"
                ) from error
