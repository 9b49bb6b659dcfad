"""Footnotes of the page: each note is shown once, and marked wherever it applies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from rsaxcel.eval.report.content import ShownStudy
from rsaxcel.eval.report.notes import NOTES
from rsaxcel.eval.report.plots import Drawing
from rsaxcel.eval.report.tables import ShownTable


@dataclass(frozen=True)
class Footnote:
    """A footnote."""

    mark: str  # letter: for all documents; number: for one
    anchor: str  # id on the page
    text: str


class Footnotes:
    """Footnotes of all studies that a shown table or plot refers to."""

    def __init__(self, studies: Sequence[ShownStudy]) -> None:
        self._common: dict[str, Footnote] = {}
        self._own: dict[str, dict[str, Footnote]] = {}
        for study in studies:
            own = self._own.setdefault(study.study.document, {})
            for key in dict.fromkeys(_asked(study)):
                text = study.notes[key]
                if key in NOTES and key not in study.study.notes:
                    mark = ascii_lowercase[len(self._common)]
                    self._common.setdefault(key, Footnote(mark, f"note-{key}", text))
                else:
                    mark = str(len(own) + 1)
                    own[key] = Footnote(mark, f"note-{study.study.document}-{mark}", text)

    @property
    def common(self) -> list[Footnote]:
        """Footnotes that apply to all documents."""
        return list(self._common.values())

    def of(self, study: ShownStudy) -> list[Footnote]:
        """Footnotes that apply to this study only."""
        return list(self._own[study.study.document].values())

    def marks(self, study: ShownStudy, keys: Sequence[str]) -> list[Footnote]:
        """Footnotes of the notes with these keys, in the order of their marks: numbers first."""
        own = self._own[study.study.document]
        found = [own.get(key) or self._common[key] for key in keys]
        return sorted(found, key=lambda x: (x.mark.isalpha(), len(x.mark), x.mark))


def _asked(study: ShownStudy) -> Iterator[str]:
    for section in study.sections:
        for block in section.blocks:
            if isinstance(block, ShownTable | Drawing):
                yield from block.notes
