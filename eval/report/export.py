"""The report's figures as JSON and CSV, with units in the names and with provenance."""

import csv
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from eval.report.comparison import Table
from eval.report.content import Content
from eval.report.published import PrintedFigure
from eval.report.results import by_hardware

CSV_COLUMNS = (
    "group",
    "name",
    "quantity",
    "measured",
    "printed",
    "printed_scope",
    "printed_where",
)


def figures(content: Content) -> dict[str, Any]:
    """Everything that the report shows, for programs."""
    groups: dict[str, dict[str, dict[str, Any]]] = {"systems": {}, "designs": {}}
    for table in content.all_tables:
        for row in table.rows:
            for name, cell in row.cells.items():
                entry = {"measured": cell.measured, "printed": _printed(cell.printed)}
                groups.setdefault(table.group, {}).setdefault(name, {})[row.key] = entry
    return {
        "workload": content.workload.as_json(),
        **groups,
        "records": {
            **{name: dict(r.record) for name, r in by_hardware(content.results).items()},
            **{name: dict(r) for x in content.sections for name, r in x.records.items()},
        },
        "energy_orders": [asdict(order) for order in content.orders],
        "area_ratio": asdict(content.ratio) if content.ratio else None,
        "failures": [asdict(failure) for failure in content.failures],
    }


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write ``figures``."""
    path.write_text(json.dumps(content, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def write_csv(path: Path, tables: Sequence[Table]) -> None:
    """Write one line per column of a table and quantity."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(CSV_COLUMNS)
        for table in tables:
            for row in table.rows:
                for name, cell in row.cells.items():
                    measured = "" if cell.measured is None else cell.measured
                    line = [table.group, name, row.key, measured, *_columns(cell.printed)]
                    writer.writerow(line)


def _printed(figure: PrintedFigure | None) -> dict[str, Any] | None:
    return asdict(figure) if figure else None


def _columns(figure: PrintedFigure | None) -> tuple[Any, ...]:
    if figure is None:
        return "", "", ""
    where = f"{figure.document}, section {figure.section}, {figure.where}"
    return figure.value, figure.scope, where
