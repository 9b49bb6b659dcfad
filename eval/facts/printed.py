"""The documents' printed figures, as facts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from eval.facts.fact import PRINTED, Fact, choices_text


@dataclass(frozen=True)
class Place:
    """A table or figure of a document: where it stands, and what it shows.

    Parameters
    ----------
    figures, texts : int
        Numbers that it prints, and figures that are words, or integers longer than a machine's.
    drawn : bool
        Whether it only draws them.
    """

    place: str
    section: str
    about: str
    figures: int
    texts: int = 0
    drawn: bool = False


@dataclass(frozen=True)
class Printed:
    """What ``eval/data/printed.json`` holds: every printed figure, and what is said of them.

    A document has title, author, short name and technology, a scope says what a figure counts; all
    are found by their keys.
    """

    facts: tuple[Fact, ...]
    documents: Mapping[str, Mapping[str, str]]
    places: Mapping[str, tuple[Place, ...]]
    scopes: Mapping[str, str]

    def value(self, document: str, quantity: str, **where: Any) -> Any:
        """Value of the one figure that fits.

        Raises
        ------
        LookupError
            If none or several do.
        """
        asked = {"document": document, "quantity": quantity, **where}
        found = {
            fact.value
            for fact in self.facts
            if all(getattr(fact, name) == value for name, value in asked.items())
        }
        if len(found) != 1:
            raise LookupError(f"{len(found)} printed figures for {asked}")
        return found.pop()


@cache
def printed() -> Printed:
    """Read the data file."""
    data = json.loads(files("eval").joinpath("data", "printed.json").read_text(encoding="utf-8"))
    places = {name: tuple(Place(**x) for x in found) for name, found in data["places"].items()}
    facts = tuple(_fact(entry) for entry in data["figures"])
    return Printed(facts, data["documents"], places, data["scopes"])


def _fact(entry: Mapping[str, Any]) -> Fact:
    own = {"nbits": entry["nbits"] or 0, "choices": choices_text(entry["choices"])}
    if "as_printed" in entry:
        own["where"] = f"{entry['where']}: {entry['as_printed']}"
    # The unit is the quantity's.
    left_out = ("unit", "repeats", "as_printed")
    kept = {name: value for name, value in entry.items() if name not in left_out}
    return Fact(**kept | own, kind=PRINTED)
