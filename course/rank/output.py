"""Output of a ranking: as text, as rows for JSON, and to a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rsaxcel.course.rank.assess import MARKS, MOST, marks
from rsaxcel.course.rank.objectives import RankedFigure
from rsaxcel.course.rank.ranking import Ranked, RankingConditions
from rsaxcel.course.rank.sandbox import description
from rsaxcel.eval.facts.quantity import enough_digits
from rsaxcel.flow.layout import OUT_OF_REACH, TIMED, ZERO, constraint_of
from rsaxcel.sim.check.refused import KINDS
from rsaxcel.store.shown import cell, shown_lines

_COLUMNS = {
    "area_um2": ("area um2", 0),
    "core_area_um2": ("core um2", 0),
    "period_ns": ("period ns", 3),
    "cycles": ("cycles", 1),
    "time_us": ("time us", 3),
    "area_time_um2_ms": ("um2 ms", 2),
    "core_area_time_um2_ms": ("core um2 ms", 2),
    "energy_nj": ("energy nJ", 3),
}
_ENERGIES = {
    TIMED: "energy counts glitches",
    ZERO: "gates have no delays, so that energy is a lower bound",
}
_UNSEEN = "a fault that no vector shows is not found"


def rows(
    places: Sequence[Ranked], objective: RankedFigure, baseline: str, conditions: RankingConditions
) -> list[dict[str, Any]]:
    """Return a row for each design: a dict with its figures, its verdict and data of its checks."""
    about = {
        "stage": conditions.layout.stage,
        "operation": conditions.operation,
        "activity": conditions.activity,
    }
    base = next((p.figures for p in places if p.verdict.label == baseline), {})
    found = []
    for place in places:
        verdict = place.verdict
        ratio, reach = None, {}
        if place.figures and base:
            ratio = place.figures[objective.key] / base[objective.key]
        if place.figures and conditions.layout.placed:
            own = place.figures
            asked = conditions.layout.stage, own["clock_ns"], own["period_ns"]
            reach = {"out_of_reach": constraint_of(*asked) == OUT_OF_REACH}
        found.append(
            {
                "rank": place.rank,
                "folder": verdict.label,
                "design": verdict.name,
                "baseline": verdict.label == baseline,
                "verdict": verdict.kind or "right",
                **place.figures,
                **(about if place.figures else {}),
                **reach,
                "objective": objective.key,
                "over_baseline": ratio,
                "marks": sum(marks(verdict).values()),
                "marks_for": marks(verdict),
                "reason": verdict.reason,
                "lacks": list(verdict.lacks),
                "replay": verdict.replay,
                "seed": verdict.seed,
                "core_alone": "core" in (verdict.circuit or {}),
                "confined": conditions.limits.confinement,
                "vectors": sum(verdict.vectors.values()),
                "netlist_vectors": verdict.netlist.get("operations", 0),
                "netlist_seed": verdict.netlist.get("seed"),
                "skipped": dict(verdict.skipped),
            }
        )
    return found


def table(found: Sequence[dict[str, Any]], objective: RankedFigure) -> Iterator[str]:
    """Yield lines of text: the ranking, the refused designs with reasons, and notes."""
    width = max(len("folder"), *(len(x["folder"]) for x in found))
    shown = [key for key in _COLUMNS if any(key in x for x in found)]
    heads = [f"{_COLUMNS[key][0]:>{_wide(key)}}" for key in shown]
    by = f"{'by ' + objective.label:>14}"
    yield " ".join([f"{'rank':>8}  {'folder':<{width}}", "marks", *heads, by])
    for row in found:
        if row["verdict"] == "right":
            figures = [f"{_text(row[key], _COLUMNS[key][1]):>{_wide(key)}}" for key in shown]
            rank = "baseline" if row["baseline"] else str(row["rank"])
            ratio = "" if row["over_baseline"] is None else f"{row['over_baseline']:.3f} of base"
            head = f"{rank:>8}  {row['folder']:<{width}} {_marks(row)}"
            yield " ".join([head, *figures, f"{ratio:>14}"])
    for row in found:
        if row["verdict"] != "right":
            told = f"{KINDS[row['verdict']]}: {row['reason']}"
            yield f"{'-':>8}  {row['folder']:<{width}} {_marks(row)} {told}"
            if row["replay"]:
                yield f"{'':>10}{'':<{width}}       {row['replay']}"
    yield ""
    for row in found:
        missed = [
            f"{name} {given} of {MARKS[name][0]}"
            for name, given in row["marks_for"].items()
            if given < MARKS[name][0]
        ]
        if missed and not row["baseline"]:
            yield f"{row['folder']}: marks: {', '.join(missed)}"
        for lack in row["lacks"]:
            yield f"{row['folder']}: note: {lack}"
    for row in found:
        for width, reason in row["skipped"].items():
            yield f"{row['folder']}: not checked at {width} bits: {reason}"
    for row in found:
        if row["vectors"]:
            yield f"{row['folder']}: {row['vectors']:,} vectors, seed {row['seed']}"
    for row in found:
        if count := row["netlist_vectors"]:
            yield f"{row['folder']}: {count:,} vectors of the netlist, seed {row['netlist_seed']}"
    if measured := [row for row in found if "activity" in row]:
        operation, activity = (measured[0][key] for key in ("operation", "activity"))
        yield f"note: cycles, time and energy are those of {operation}; {_ENERGIES[activity]}"
        yield f"note: all designs are {measured[0]['stage']}"
        if len({row["clock_ns"] for row in measured}) > 1:
            yield "note: each design has a clock constraint of its own, close to its period"
    if alone := [row["folder"] for row in found if row["core_alone"]]:
        yield f"note: area and energy of {', '.join(alone)} are those of the core alone"
    if out := [row["folder"] for row in found if row.get("out_of_reach")]:
        told = "the clock constraint is out of reach, and repairs cost area and energy in vain"
        yield f"note: {', '.join(out)}: {told}; choose --clock-ns so that all designs come close"
    yield f"note: marks are out of {MOST}; {_UNSEEN}"
    yield f"note: {description(found[0]['confined'])}"


def _marks(row: dict[str, Any]) -> str:
    """Text of the column of marks; empty for the baseline."""
    return f"{'' if row['baseline'] else row['marks']:>5}"


def _wide(key: str) -> int:
    return max(10, len(_COLUMNS[key][0]))


def _text(figure: float, digits: int) -> str:
    return f"{figure:,.{enough_digits(figure, digits)}f}"


def write(found: Sequence[dict[str, Any]], file: Path) -> None:
    """Write the ranking to a file: CSV if its name ends in .csv, else HTML."""
    import pandas as pd

    frame = pd.DataFrame(
        {
            **row,
            "marks_for": _joined(row["marks_for"]),
            "lacks": "; ".join(row["lacks"]),
            "skipped": "; ".join(f"{nbits} bits: {why}" for nbits, why in row["skipped"].items()),
        }
        for row in found
    )
    if file.suffix == ".csv":
        frame.map(cell).to_csv(file, index=False)
    else:
        frame.map(lambda x: shown_lines(x) if isinstance(x, str) else x).to_html(
            file, index=False, na_rep="-", border=0
        )


def _joined(marks_for: dict[str, int]) -> str:
    return ", ".join(f"{name} {given}" for name, given in marks_for.items())
