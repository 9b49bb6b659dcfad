"""Prints an area-delay-energy curve as a table, or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from rsaxcel.cli.options.common import design_text
from rsaxcel.cli.output.points import as_json, show_table
from rsaxcel.eval.curve import CURVE_COLUMNS, KNEE, Curve, told, verdict_of
from rsaxcel.flow.layout import OUT_OF_REACH, PUBLISHED_WITHIN
from rsaxcel.flow.record import Record

if TYPE_CHECKING:
    import pandas as pd

_FIRST = "clock_ns"
_SHOWN = (
    "min_period_ns",
    "constraint",
    "area_um2",
    "core_area_um2",
    "energy_nj",
    "area_time_um2_ms",
    "core_area_time_um2_ms",
    "marks",
)


def show_json(curve: Curve, points: pd.DataFrame) -> None:
    """Print an object for each point, and one with the verdict."""
    for row in points[list(CURVE_COLUMNS)].to_dict("records"):
        row["marks"] = row["marks"].split(", ") if row["marks"] else []
        click.echo(json.dumps(as_json(row)))
    click.echo(json.dumps({"verdict": verdict_of(curve, points)}))


def show(curve: Curve, points: pd.DataFrame) -> None:
    """Print a table of the points, and lines that explain it."""
    columns = [name for name in _SHOWN if not points[name].isna().all()]
    record = curve.records[curve.smallest]
    show_table(points, columns, title_of(record, points.operation[0]), _FIRST)
    click.echo()
    click.echo("\n".join(_remarks(curve, points, record)))


def title_of(record: Record, operation: str) -> str:
    """Text on the circuit, the stage and the operation of a curve."""
    return "; ".join(
        (
            design_text(record.design, record.nbits, record.params),
            f"{record.library}, {record.stage}",
            f"time and energy of {operation}, {record.activity}",
        )
    )


def _remarks(curve: Curve, points: pd.DataFrame, record: Record) -> Iterator[str]:
    yield told(curve.found)
    yield from (f"failed at {clock_ns:g} ns: {why}" for clock_ns, why in curve.failed.items())
    if not points.marks.str.contains(KNEE).any():
        yield "no knee: a longer period saves area in proportion, or not at all"
    if (points.constraint == OUT_OF_REACH).any():
        within = f"{PUBLISHED_WITHIN:.0%}"
        yield f"out of reach: the period is more than {within} longer; no figure of use"
    yield from (f"note: {note}" for note in (record.glitches, *record.notes))
