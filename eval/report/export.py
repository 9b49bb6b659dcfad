"""The report's figures as JSON and CSV, with units in the names and with provenance."""

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from eval.report.area_ratio import AreaRatio
from eval.report.comparison import Table
from eval.report.published import Figure
from eval.report.results import Failure, Result
from eval.report.workload import Workload

CSV_COLUMNS = (
    "design",
    "quantity",
    "measured",
    "printed",
    "printed_scope",
    "printed_where",
)


def figures(
    results: Mapping[str, Result],
    failures: Sequence[Failure],
    tables: Sequence[Table],
    ratio: AreaRatio | None,
    workload: Workload,
) -> dict[str, Any]:
    """Everything that the report shows, for programs."""
    return {
        "workload": workload.as_json(),
        "designs": {
            name: {
                "figures": {
                    row.key: {
                        "measured": row.cells[name].measured,
                        "printed": _printed(row.cells[name].printed),
                        "printed_normalized": _printed(row.cells[name].normalized),
                    }
                    for table in tables
                    for row in table.rows
                },
                "record": dict(result.record),
            }
            for name, result in results.items()
        },
        "area_ratio": asdict(ratio) if ratio else None,
        "failures": [asdict(failure) for failure in failures],
    }


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write ``figures``."""
    path.write_text(json.dumps(content, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def write_csv(path: Path, tables: Sequence[Table]) -> None:
    """Write one line per design and quantity; a normalized printed figure has its own line."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(CSV_COLUMNS)
        for table in tables:
            for row in table.rows:
                for design, cell in row.cells.items():
                    measured = "" if cell.measured is None else cell.measured
                    writer.writerow([design, row.key, measured, *_columns(cell.printed)])
                    if cell.normalized:
                        quantity = f"{row.key}_normalized"
                        writer.writerow([design, quantity, "", *_columns(cell.normalized)])


def _printed(figure: Figure | None) -> dict[str, Any] | None:
    return asdict(figure) if figure else None


def _columns(figure: Figure | None) -> tuple[Any, ...]:
    if figure is None:
        return "", "", ""
    where = f"{figure.document}, section {figure.section}, {figure.where}"
    return figure.value, figure.scope, where
