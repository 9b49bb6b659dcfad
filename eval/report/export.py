"""Writes the report's figures for programs: tables as JSON and CSV, and all facts."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.quantities import QUANTITIES
from rsaxcel.eval.report.content import Content
from rsaxcel.store.shown import cell as csv_cell

_PRINTED_COLUMNS = ("printed", "printed_scope", "printed_where")
CSV_COLUMNS = ("group", "table", "name", "quantity", "measured", *_PRINTED_COLUMNS)


def write(folder: Path, content: Content) -> None:
    """Write ``figures.json``, ``figures.csv``, ``facts.parquet`` and ``facts.csv``."""
    text = json.dumps(figures(content), indent=2, sort_keys=True)
    (folder / "figures.json").write_text(text + "\n", encoding="utf-8")
    with (folder / "figures.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(CSV_COLUMNS)
        for group, table, name, key, cell in _cells(content):
            measured = "" if cell.measured is None else cell.measured
            row = group, table, name, key, measured, *_columns(cell.printed)
            writer.writerow(map(csv_cell, row))
    content.facts.write(folder)


def lines(content: Content) -> Iterator[str]:
    """Yield every fact, then every failure, as lines of JSON."""
    for fact in content.facts:
        yield json.dumps(asdict(fact) | {"unit": QUANTITIES[fact.quantity].unit})
    for failure in content.failures:
        yield json.dumps({"failed": failure.name, "message": failure.message})


def figures(content: Content) -> dict[str, Any]:
    """Collect all figures in the report's tables, as values that can be written as JSON."""
    groups: dict[str, dict[str, dict[str, Any]]] = {}
    for group, _, name, key, cell in _cells(content):
        entry = {"measured": cell.measured, "printed": _printed(cell.printed)}
        groups.setdefault(group, {}).setdefault(name, {})[key] = entry
    return {
        "workload": dict(content.workload),
        **groups,
        "fidelity": [asdict(row) for row in content.fidelity],
        "failures": [asdict(failure) for failure in content.failures],
    }


def _cells(content: Content) -> Any:
    for study in content.studies:
        for section in study.sections:
            for table in section.tables:
                for row in table.rows:
                    for name, cell in row.cells.items():
                        yield section.section.key, table.key, name, row.key, cell


def _printed(fact: Fact | None) -> dict[str, Any] | None:
    if fact is None:
        return None
    kept = ("value", "document", "section", "place", "where", "scope", "erratum")
    return {name: getattr(fact, name) for name in kept}


def _columns(fact: Fact | None) -> tuple[Any, ...]:
    if fact is None:
        return "", "", ""
    where = f"{fact.document}, section {fact.section}, {fact.place}, {fact.where}"
    return fact.value, fact.scope, where
