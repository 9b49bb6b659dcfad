"""Reads the printed figures of the documents as facts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any

from rsaxcel.eval.facts.fact import PRINTED, Fact
from rsaxcel.eval.facts.quantities import find_quantity
from rsaxcel.store.shown import choices_text

_FILE = files("rsaxcel.eval").joinpath("data", "printed.json")


@dataclass(frozen=True)
class PrintedTable:
    """A table or drawing of a document, from which printed values were copied."""

    place: str  #: name of the table or drawing
    section: str
    about: str  #: content of the table or drawing
    figures: int  #: number of values
    texts: int = 0  #: number of texts, and of integers of more than 64 bits
    drawn: bool = False  #: the document only plots the values


@dataclass(frozen=True)
class Printed:
    """Content of ``eval/data/printed.json``: all printed figures and their sources."""

    facts: tuple[Fact, ...]
    documents: Mapping[str, Mapping[str, str]]  #: title, author, short name and technology by key
    places: Mapping[str, tuple[PrintedTable, ...]]  #: tables and drawings by document
    scopes: Mapping[str, str]  #: meaning of a figure by the scope of its fact
    #: what is wrong in a document, and what holds instead, by document
    errata: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)

    def value(self, document: str, quantity: str, **where: Any) -> Any:
        """Return the value of the printed figure with some fields, such as ``nbits=32``."""
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
    """Read ``eval/data/printed.json``; the result is cached."""
    return read(json.loads(_FILE.read_text(encoding="utf-8")))


def read(data: Mapping[str, Any]) -> Printed:
    """Turn the content of ``eval/data/printed.json`` into facts; raises as ``printed``."""
    for entry in data["figures"]:
        _check(entry, data)
    places = {
        name: tuple(PrintedTable(**x) for x in found) for name, found in data["places"].items()
    }
    facts = tuple(_fact(entry) for entry in data["figures"])
    return Printed(facts, data["documents"], places, data["scopes"], data["errata"])


def _check(entry: Mapping[str, Any], data: Mapping[str, Any]) -> None:
    document, subject = entry["document"], entry["subject"]
    about = f"printed.json: {subject}, {entry['place']}, {entry['quantity']}"
    try:
        find_quantity(entry["quantity"])
    except ValueError as error:
        raise ValueError(f"{about}: {error}") from error
    places = [x["place"] for x in data["places"].get(document, ())]
    for name, value, known in (
        ("document", document, data["documents"]),
        (f"place of {document}", entry["place"], places),
        (f"subject of {document}", subject or None, data["subjects"].get(document, ())),
        ("scope", entry["scope"], data["scopes"]),
    ):
        if value is not None and value not in known:
            near = ", ".join(get_close_matches(value, known) or known) or "none"
            raise ValueError(f"{about}: {name} {value!r} is not declared; allowed: {near}")


def _fact(entry: Mapping[str, Any]) -> Fact:
    own = {"nbits": entry["nbits"] or 0, "choices": choices_text(entry["choices"])}
    if "as_printed" in entry:
        own["where"] = f"{entry['where']}: {entry['as_printed']}"
    # Keys of the entry that a fact lacks; the unit, for example, follows from the quantity.
    left_out = ("unit", "repeats", "as_printed")
    kept = {name: value for name, value in entry.items() if name not in left_out}
    return Fact(**kept | own, kind=PRINTED)
