"""The table of facts: given facts, and facts derived from them by the formulas of quantities."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from rsaxcel.eval.facts.fact import CELLS, DERIVED, Fact
from rsaxcel.eval.facts.quantities import QUANTITIES, is_projected
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.layout import STAGES, constraint_of, stage_of
from rsaxcel.store.shown import cell, choices_text, shown_lines

#: Columns of the table: fields of a fact, the quantity's unit, and the value if it is a text.
COLUMNS = (*(field.name for field in fields(Fact)), "unit", "text")

_IDENTITY = ("subject", "nbits", "choices", "part", "operation", "quantity")
_OF_ONE = {"nbits": 0, "choices": "", "part": "", "operation": ""}


class Facts:
    """Collection of given and derived facts, found by subject, quantity and conditions.

    ``runs_on``: the system of a program; facts about its hardware also hold for the program.
    ``contradictions``: a line for each pair of measured facts that must be equal; the first is
    kept.
    """

    def __init__(
        self,
        given: Iterable[Fact],
        runs_on: Mapping[str, str] | None = None,
        cells: str = DEFAULT_LIBRARY,
    ) -> None:
        self.contradictions: list[str] = []
        self._cells = cells
        self._document: str | None = None
        self._runs_on = runs_on or {}
        self._facts: dict[tuple, list[Fact]] = defaultdict(list)
        for fact in given:
            self._add(fact)
        self._documents: dict[str, set[str]] = defaultdict(set)
        for printed in (False, True):
            known = [fact for fact in self if fact.printed == printed]
            for fact in _derive(known, printed, self._runs_on):
                self._facts[fact.key].append(fact)
        for fact in self:
            if fact.printed and fact.subject:
                self._documents[fact.subject].add(fact.document)

    def __iter__(self) -> Iterator[Fact]:
        return (fact for facts in self._facts.values() for fact in facts)

    def of_document(self, document: str) -> Facts:
        """Return the same facts, but printed figures are found only if the document prints them."""
        found = copy(self)
        found._document = document
        return found

    def find(self, where: Mapping[str, Any], *, printed: bool) -> Fact | None:
        """Find the fact with the requested identity and conditions; None if there is none.

        Facts about hardware hold for its operations and programs, printed ones without a subject
        for all of the document. Without ``stage``, the earliest counts. ``constraint`` chooses
        placed circuits by their distance from the period, of these the one with the shortest clock.
        """
        asked: dict[str, Any] = _OF_ONE | dict(where)
        if asked.get("library") == CELLS:
            asked["library"] = self._cells
        if printed and self._document is not None:
            asked.setdefault("document", self._document)
        if not isinstance(asked["choices"], str):
            asked["choices"] = choices_text(asked["choices"])
        general = {"subject": "", "choices": ""}
        fallbacks: list[dict[str, str]] = [{}, {"operation": ""}]
        if hardware := self._runs_on.get(asked["subject"]):
            fallbacks.append({"operation": "", "subject": hardware})
        if printed:
            fallbacks += [general, {"operation": "", **general}]
        for fallback in fallbacks:
            for fact in self._matching(asked | fallback, printed):
                if fact.subject or fact.document in self._documents[asked["subject"]]:
                    return fact
        return None

    def value(self, where: Mapping[str, Any], *, printed: bool) -> Any:
        fact = self.find(where, printed=printed)
        return fact and fact.value

    def _matching(self, asked: Mapping[str, Any], printed: bool) -> list[Fact]:
        key = tuple(asked[name] for name in _IDENTITY)
        found = [
            fact
            for fact in self._facts.get(key, ())
            if fact.printed == printed
            and all(
                getattr(fact, name) in ("", None, asked[name])
                for name in ("library", "clock_ns", "stage", "activity", "document", "place")
                if name in asked
            )
            and asked.get("constraint") in (None, self._constraint(fact))
        ]
        if "constraint" in asked:
            found.sort(key=lambda fact: fact.clock_ns or 0.0)
        return sorted(found, key=_stage)

    def _constraint(self, fact: Fact) -> str | None:
        """Judgement of ``flow.layout`` on a fact's circuit; None if it has no constraint."""
        if not fact.stage:
            return None
        subject = self._runs_on.get(fact.subject, fact.subject)
        key = (subject, fact.nbits, fact.choices, "", "", "min_period_ns")
        for period in self._facts.get(key, ()):
            if period.flow[:-1] == fact.flow[:-1] and not period.printed:
                return constraint_of(fact.stage, float(fact.clock_ns or 0), float(period.value))
        return None

    def _add(self, fact: Fact) -> None:
        """Add a fact, unless one with the same identity and conditions is already there.

        A contradiction is noted if the values of the two differ. A fact without a library holds for
        every library, so it is also compared with the facts that have a library.
        """
        for other in self._facts[fact.key]:
            if fact.printed or other.printed:
                continue
            alike = _conditions(other) == _conditions(fact)
            if (alike or not (fact.library and other.library)) and other.value != fact.value:
                what = " ".join(str(x) for x in fact.key[:-1] if x)
                self.contradictions.append(
                    f"{fact.quantity} of {what}: {other.value} and {fact.value}"
                )
            if alike:
                return
        self._facts[fact.key].append(fact)

    @cached_property
    def frame(self) -> pd.DataFrame:
        return to_frame(self)

    def write(self, folder: Path) -> None:
        self.frame.to_parquet(folder / "facts.parquet", index=False)
        write_csv(self.frame, folder / "facts.csv")


def to_frame(facts: Iterable[Fact]) -> pd.DataFrame:
    """Make a data frame of facts; ``value`` has numbers, ``text`` has values that are texts."""
    rows = []
    for fact in facts:
        row: dict[str, Any] = dict(vars(fact))
        row["unit"] = QUANTITIES[fact.quantity].unit
        row["text"] = fact.value if isinstance(fact.value, str) else ""
        row["value"] = None if isinstance(fact.value, str) else float(fact.value)
        rows.append(row)
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    return frame.astype({"value": float, "clock_ns": float, "nbits": int})


def write_csv(frame: pd.DataFrame, path: Path) -> None:
    """Write a table of facts as a CSV file that ``read_facts`` can read."""
    frame.map(cell).to_csv(path, index=False, lineterminator="\n")


def read_facts(path: Path) -> list[Fact]:
    """Read all facts of a Parquet or CSV file, including derived ones."""
    if path.suffix == ".parquet":
        frame = pd.read_parquet(path)
    else:
        types = dict.fromkeys(COLUMNS, str) | {"value": float, "clock_ns": float, "nbits": int}
        # Read only empty cells as missing values, not texts such as "NA".
        blank = {"value": [""], "clock_ns": [""]}
        frame = pd.read_csv(path, dtype=types, keep_default_na=False, na_values=blank)
    if list(frame.columns) != list(COLUMNS):
        raise ValueError(f"its columns are not a fact's: {', '.join(COLUMNS)}")
    facts = []
    for found in frame.to_dict("records"):
        row: dict[str, Any] = {
            str(key): shown_lines(x) if isinstance(x, str) else x for key, x in found.items()
        }
        text = row.pop("text")
        del row["unit"]
        row["clock_ns"] = None if pd.isna(row["clock_ns"]) else row["clock_ns"]
        row["value"] = text if pd.isna(row["value"]) else row["value"]
        row["stage"] = stage_of(row["stage"])
        facts.append(Fact(**row))
    return facts


Flow = tuple[str, float | None, str, str]  #: values of a fact's ``_FLOW``
_FLOW = ("library", "clock_ns", "stage", "activity")
NO_FLOW: Flow = ("", None, "", "")


def _stage(fact: Fact) -> int:
    """Order of a fact by its stage, the earliest first; facts without one are the last."""
    return STAGES.index(fact.stage) if fact.stage in STAGES else len(STAGES)


def _conditions(fact: Fact) -> tuple:
    return *fact.flow, fact.document, fact.place


def _derive(facts: list[Fact], printed: bool, runs_on: Mapping[str, str]) -> Iterator[Fact]:
    """Yield facts that formulas derive; kind ``derived``, or ``projected`` if any figure is."""
    rows = list(_rows(facts, runs_on))
    wide = pd.DataFrame([values for _, values in rows])
    for quantity in QUANTITIES.values():
        formula = quantity.rule(printed)
        if not formula or not len(wide):
            continue
        try:
            found = wide.eval(formula, engine="python")
        except pd.errors.UndefinedVariableError:
            continue
        wide[quantity.key] = (
            wide[quantity.key].fillna(found) if quantity.key in wide else found.astype(float)
        )
    known: dict[tuple, Any] = {}
    for (base, given), values in zip(rows, wide.to_dict("records"), strict=True):
        for name, value in values.items():
            if pd.isna(value) or name in given:
                continue
            # A value that was already yielded without an operation (for the hardware) or without an
            # activity (for every activity) is skipped: its fact also applies to this operation and
            # activity.
            said = (
                (base.subject, base.nbits, base.choices, operation, *_conditions(x), name)
                for operation in ("", base.operation)
                for x in (replace(base, activity=""), base)
            )
            places = list(dict.fromkeys(said))
            if any(known.get(place) == value for place in places[:-1]):
                continue
            known[places[-1]] = value
            how = QUANTITIES[name].rule(printed)
            kind = "projected" if is_projected(str(name)) else DERIVED
            yield replace(base, quantity=str(name), value=float(value), where=how, kind=kind)


def _rows(facts: list[Fact], runs_on: Mapping[str, str]) -> Iterator[tuple[Fact, dict[str, float]]]:
    """Yield the known values of each combination of subject, conditions and operation.

    The operation "" (the hardware) comes first. Facts without conditions hold under all conditions,
    those about the hardware for its operations and programs, printed ones without a subject for all
    of the document. The fact of a row has no value.
    """
    groups: dict[tuple, list[Fact]] = defaultdict(list)
    general: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        if isinstance(fact.value, str) or fact.part:
            continue
        if fact.subject:
            groups[fact.subject, fact.nbits, fact.choices, fact.document].append(fact)
        else:
            general[fact.document].append(fact)
    for (subject, nbits, choices, document), own in list(groups.items()):
        hardware = groups.get((runs_on.get(subject, ""), nbits, choices, document), [])
        own = [*general[document], *(x for x in hardware if not x.operation), *own]
        flows = [x.flow for x in own if x.library] or [NO_FLOW]
        every = dict.fromkeys(flow for x in flows for flow in ((*x[:-1], ""), x))
        for flow in sorted(every, key=lambda x: x[-1]):
            # facts under these conditions, for every activity, and under any conditions
            here = [x for x in own if x.flow in (flow, (*flow[:-1], ""), NO_FLOW)]
            hardware = [x for x in here if not x.operation]
            for operation in dict.fromkeys(["", *(x.operation for x in here)]):
                of_it = (x for x in here if x.operation == operation)
                values = {x.quantity: float(x.value) for x in (*hardware, *of_it)}
                if flow[1] is not None and not document:
                    values["clock_ns"] = flow[1]  # the clock need not stand among the facts
                about: Any = dict(zip(_FLOW, flow, strict=True))
                about |= {"document": document, "scope": DERIVED if document else ""}
                yield Fact(subject, "", 0, DERIVED, nbits, choices, "", operation, **about), values
