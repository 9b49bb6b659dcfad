"""Caveats: each once on the page, and a mark wherever it has to be thought of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from eval.report.content import ShownStudy
from eval.report.notes import NOTES
from eval.report.plots import Drawing
from eval.report.tables import ShownTable


@dataclass(frozen=True)
class Footnote:
    """A caveat.

    Parameters
    ----------
    mark : str
        A letter for what holds in all documents, a number in the document.
    anchor : str
        Its id on the page.
    text : str
        What has to be said.
    """

    mark: str
    anchor: str
    text: str


class Footnotes:
    """Caveats of all documents, as far as something that is shown asks for them.

    Parameters
    ----------
    studies : sequence of ShownStudy
        What is shown.
    """

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
        """Those that hold in all documents."""
        return list(self._common.values())

    def of(self, study: ShownStudy) -> list[Footnote]:
        """Those of a document alone."""
        return list(self._own[study.study.document].values())

    def marks(self, study: ShownStudy, keys: Sequence[str]) -> list[Footnote]:
        """Those that some keys name, in the order of their marks."""
        own = self._own[study.study.document]
        found = [own.get(key) or self._common[key] for key in keys]
        return sorted(found, key=lambda x: (x.mark.isalpha(), len(x.mark), x.mark))


def _asked(study: ShownStudy) -> Iterator[str]:
    for section in study.sections:
        for block in section.blocks:
            if isinstance(block, ShownTable | Drawing):
                yield from block.notes
