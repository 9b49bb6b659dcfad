"""Figures printed in the source documents, each with the place where it stands."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class PrintedFigure:
    """A printed figure.

    Parameters
    ----------
    id : str
        Name, such as ``mont_r2l.encrypt.cycles``.
    value : float or str
        As printed; a text says it in our words.
    unit : str
        Unit of ``value``.
    document, section, where : str
        Document's key, section number, and table with row and column.
    scope : str
        What the figure counts: a key of ``Published.scopes``.
    """

    id: str
    value: Any
    unit: str
    document: str
    section: str
    where: str
    scope: str


class Published:
    """The project's data file of printed figures.

    Parameters
    ----------
    data : dict
        Parsed file, see ``eval/data/published.json``. Its ``designs`` are what the documents study,
        and variants of ours that are measured beside them.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self.documents: dict[str, dict[str, str]] = data["documents"]
        self.designs: dict[str, dict[str, str]] = data["designs"]
        self.scopes: dict[str, str] = data["scopes"]
        self.figures = {entry["id"]: PrintedFigure(**entry) for entry in data["figures"]}

    @property
    def standard(self) -> list[str]:
        """What the document studies whose operations everything runs, and our variants of it."""
        document = self.figures["e"].document
        return [name for name, about in self.designs.items() if about["document"] == document]

    def get(self, *names: str) -> PrintedFigure | None:
        """Figure by the parts of its name; None where the document prints none."""
        return self.figures.get(".".join(names))

    def value(self, *names: str) -> Any:
        """Value by the parts of the figure's name; None where the document prints none."""
        figure = self.get(*names)
        return figure.value if figure else None


@cache
def published() -> Published:
    """Read the data file."""
    text = files("eval").joinpath("data", "published.json").read_text(encoding="utf-8")
    return Published(json.loads(text))
