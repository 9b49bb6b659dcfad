"""Output of a ranking: as text, as rows for JSON, to a file, and for Gradescope."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rsaxcel.course.rank.cores import HandedCore
from rsaxcel.course.rank.handed import HandIn
from rsaxcel.course.rank.objectives import RankedFigure
from rsaxcel.course.rank.points import LATE, REASONS, Earned, earned, total
from rsaxcel.course.rank.ranking import Ranked, RankingConditions
from rsaxcel.course.rank.rubric import CRITERIA_ALONE, Rubric
from rsaxcel.course.rank.sandbox import description
from rsaxcel.eval.facts.quantities import enough_digits
from rsaxcel.flow.layout import OUT_OF_REACH, TIMED, ZERO, constraint_of
from rsaxcel.store.shown import cell, shown

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
    places: Sequence[Ranked],
    objective: RankedFigure,
    baseline: str,
    conditions: RankingConditions,
    rubric: Rubric = CRITERIA_ALONE,
    hand_ins: Mapping[str, HandIn] = MappingProxyType({}),
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
        hand_in = hand_ins.get(verdict.label)
        at = hand_in.at if hand_in else None
        points = earned(verdict, place.figures, rubric, at)
        marks, most = total(points)
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
                "marks": marks,
                "most": most,
                "marks_for": {x.name: x.points for x in points},
                "criteria": [asdict(x) for x in points],
                "handed_in": str(at or ""),
                "other_hand_ins": hand_in.others if hand_in else 0,
                "days_late": rubric.days_late(at),
                "program_cycles": dict(verdict.program_cycles),
                "reason": verdict.reason,
                "lacks": list(verdict.lacks),
                "replay": verdict.replay,
                "seed": verdict.seed,
                "core_alone": _is_core_alone(verdict.circuit or {}),
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
    keys = [key for key in _COLUMNS if any(key in x for x in found)]
    heads = [f"{_COLUMNS[key][0]:>{_wide(key)}}" for key in keys]
    by = f"{'by ' + objective.label:>14}"
    yield " ".join([f"{'rank':>8}  {'folder':<{width}}", "marks", *heads, by])
    for row in found:
        if row["verdict"] == "right":
            figures = [f"{_text(row[key], _COLUMNS[key][1]):>{_wide(key)}}" for key in keys]
            rank = "baseline" if row["baseline"] else str(row["rank"] or "-")
            ratio = "" if row["over_baseline"] is None else f"{row['over_baseline']:.3f} of base"
            head = f"{rank:>8}  {row['folder']:<{width}} {_marks(row)}"
            yield " ".join([head, *figures, f"{ratio:>14}"])
    for row in found:
        if row["verdict"] != "right":
            told = f"{REASONS[row['verdict']]}: {row['reason']}"
            yield f"{'-':>8}  {row['folder']:<{width}} {_marks(row)} {told}"
            if row["replay"]:
                yield f"{'':>10}{'':<{width}}       {row['replay']}"
    yield ""
    for row in found:
        missed = [
            f"{x['name']} {x['points']:g} of {x['most']:g}"
            for x in row["criteria"]
            if x["points"] < x["most"]
        ]
        if missed and not row["baseline"]:
            yield f"{row['folder']}: marks: {', '.join(missed)}"
        for told in _handing(row):
            yield f"{row['folder']}: {told}"
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
    most = sorted({row["most"] for row in found if not row["baseline"]})
    yield f"note: marks are out of {' or '.join(f'{x:g}' for x in most)}; {_UNSEEN}"
    yield f"note: {description(found[0]['confined'])}"


def _marks(row: dict[str, Any]) -> str:
    """Text of the column of marks; empty for the baseline."""
    return f"{'' if row['baseline'] else format(row['marks'], 'g'):>5}"


def _handing(row: dict[str, Any]) -> Iterator[str]:
    """Yield what is to be said of the time of a hand-in, and of others of the same student."""
    if others := row["other_hand_ins"]:
        yield f"the hand-in of {row['handed_in']} counts, {others} more do not"
    for late in (x for x in row["criteria"] if x["name"] == LATE):
        yield f"handed in late, {late['reason']}; {late['points']:g} points"


def _is_core_alone(circuit: Mapping[str, Any]) -> bool:
    return "core" in circuit and not HandedCore.from_json(circuit).is_product


def _wide(key: str) -> int:
    return max(10, len(_COLUMNS[key][0]))


def _text(figure: float, digits: int) -> str:
    return f"{figure:,.{enough_digits(figure, digits)}f}"


def write(found: Sequence[dict[str, Any]], file: Path, objective: RankedFigure, title: str) -> None:
    """Write the ranking to a file: CSV if its name ends in .csv, else a page for printing."""
    if file.suffix == ".csv":
        import pandas as pd

        frame = pd.DataFrame(map(_flat, found))
        frame.map(cell).to_csv(file, index=False)
    else:
        file.write_text(_page(found, objective, title), encoding="utf-8")


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    points = {f"marks {x['name']}": x["points"] for x in row["criteria"]}
    told = [f"{x['name']}: {x['reason']}" for x in row["criteria"] if x["reason"]]
    kept = {k: x for k, x in row.items() if k not in ("criteria", "marks_for")}
    cycles = "; ".join(f"{name} {x}" for name, x in row["program_cycles"].items())
    skipped = "; ".join(f"{nbits} bits: {why}" for nbits, why in row["skipped"].items())
    texts = {"lacks": "; ".join(row["lacks"]), "skipped": skipped, "program_cycles": cycles}
    return {**kept, **texts, "marks_missed": "; ".join(told), **points}


def _page(found: Sequence[dict[str, Any]], objective: RankedFigure, title: str) -> str:
    from jinja2 import Environment

    keys = [key for key in _COLUMNS if any(key in x for x in found)]
    notes = [x.removeprefix("note: ") for x in table(found, objective) if x.startswith("note: ")]
    values = {
        "title": title or "Ranking",
        "notes": notes,
        "heads": [*(_COLUMNS[key][0] for key in keys), f"by {objective.label}"],
        "names": [*{x["name"]: f"{x['most']:g}" for y in found for x in y["criteria"]}.items()],
        "found": [_shown_row(row, keys) for row in found],
    }
    template = files("rsaxcel.course.rank").joinpath("class.html.j2").read_text("utf-8")
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(template).render(values)


def _shown_row(row: dict[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    figures = [_text(row[key], _COLUMNS[key][1]) if key in row else "" for key in keys]
    ratio = "" if row["over_baseline"] is None else f"{row['over_baseline']:.3f} of base"
    right = row["verdict"] == "right"
    criteria = {
        x["name"]: {"text": f"{x['points']:g}", "reason": shown(x["reason"])}
        for x in row["criteria"]
    }
    told = [f"{x['name']}: {x['title']}: {x['reason']}" for x in row["criteria"] if x["reason"]]
    replay = [row["replay"]] if row["replay"] else []
    return {
        "place": "baseline" if row["baseline"] else row["rank"] or "-",
        "folder": shown(row["folder"]),
        "points": "" if row["baseline"] else f"{row['marks']:g} of {row['most']:g}",
        "figures": [*figures, ratio],
        "told": "right" if right else REASONS[row["verdict"]],
        "criteria": {} if row["baseline"] else criteria,
        "reasons": [] if row["baseline"] else [*map(shown, (*_handing(row), *told, *replay))],
    }


_SHOWN = ("area_um2", "min_period_ns", "cycles", "time_us", "energy_nj")


def results(
    points: Sequence[Earned],
    figures: Mapping[str, float],
    hand_in: HandIn,
    objective: str,
    seconds: float,
) -> dict[str, Any]:
    """Return the results of a hand-in, with a test for each criterion, case and limit.

    A student sees all of it: of a hidden case, it has the number of rows alone.
    """
    score, most = total(points)
    told = [f"{hand_in.student}: {score:g} of {most:g} points."]
    told += [f"{x}: {figures[x]:,.4g}" for x in _SHOWN if x in figures]
    return {
        "score": score,
        "execution_time": round(seconds),
        "output": "\n".join(told),
        "output_format": "text",
        "test_output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            {
                "name": f"{x.name}: {x.title}",
                "score": x.points,
                "max_score": x.most,
                "status": "passed" if x.is_full else "failed",
                "output": x.reason,
                "visibility": "visible",
            }
            for x in points
        ],
        "leaderboard": [
            {"name": x, "value": round(figures[x], 4), "order": "asc"}
            for x in dict.fromkeys((objective, *_SHOWN))
            if x in figures
        ],
    }
