"""First part of the page: a plot of all designs, the best by each figure, a row per design."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor, log10
from pathlib import Path
from typing import Any

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rsaxcel import catalog
from rsaxcel.eval.facts.points import on_front
from rsaxcel.eval.facts.quantities import QUANTITIES, on_paper, times
from rsaxcel.eval.report.cards import conditions
from rsaxcel.eval.report.labels import Name, name_points, set_logarithmic, ticks_at
from rsaxcel.eval.report.plots import HOLLOW, INK, MARK, STYLE, Drawing, finish, to_svg
from rsaxcel.eval.studies.designs import FIGURES, NBITS, WHERE
from rsaxcel.lab.findings import by_kind, findings

#: Titles of the best designs, by the quantity that is least.
BEST = {
    "area_um2": "Least area",
    "time_us": "Least time",
    "energy_nj": "Least energy",
    "area_time_um2_ms": "Least area x time",
}

_PRICE = {"area_um2": "area", "time_us": "time", "energy_nj": "energy"}
_GROWING = "area_um2", "time_us", "area_time_um2_ms"
_SIZE_IN, _NARROW_IN = (7.6, 5.0), (4.2, 3.5)
_GROWTH_IN, _NARROW_GROWTH_IN = (9.6, 3.9), (4.2, 9.6)
_NARROW = "plot narrow"  #: classes of a drawing for a narrow screen


@dataclass(frozen=True)
class Candidate:
    """A design at one width."""

    name: str
    summary: str  #: summary in a few words
    colour: str
    dependent: str  #: operands on which the time depends: exponent, base or both
    laboratory: str
    values: Mapping[str, float]  #: figures by quantity
    one_modulus: bool  #: the circuit is for one modulus only
    on_front: bool  #: no other design has less area and less time; never for one modulus
    variants: Mapping[str, str]  #: figures of other points, such as placed ones, by conditions


@dataclass(frozen=True)
class Best:
    """The best design by one figure."""

    title: str  #: title of the figure that is least
    text: str  #: figure with the unit
    design: Candidate
    price: str  #: the design's other figures, each beside the least one
    narrower: Best | None = None  #: a better design for one modulus


@dataclass(frozen=True)
class Choice:
    """All designs at one width."""

    nbits: int
    library: str
    candidates: Sequence[Candidate]  #: designs for any modulus first, then by area by time
    bests: Sequence[Best]  #: best design by each of the figures BEST that all designs have
    plot: Drawing  #: area and time of all designs, and their front


def figure_text(quantity: str, value: float | None) -> str:
    """Text of a figure without its unit, with three digits or more; empty if there is none."""
    if value is None:
        return ""
    found = QUANTITIES[quantity]
    digits = max(found.digits, 2 - floor(log10(value))) if found.unit and value else found.digits
    return found.text(value, digits)


def choices(
    points: pd.DataFrame, colours: Mapping[str, str], library: str, folder: Path
) -> list[Choice]:
    """Make a choice of each width at which designs were outlined, the usual width first."""
    own = points[(points["form"] == "design") & (points["library"] == library)]
    usual = (own["stage"] == WHERE["stage"]) & (own["clock_ns"] == WHERE["clock_ns"])
    # Of rows that differ in activity, the row with an energy comes first.
    first = own[usual & (own["choices"] == "")].sort_values("energy_nj", na_position="last")
    first = first.drop_duplicates(["subject", "nbits"]).dropna(subset=["area_um2", "time_us"])
    found = []
    for nbits, rows in first.groupby("nbits"):
        front = on_front(rows[rows["modulus"] != "one"], ["time_us", "area_um2"])
        rows = rows.assign(front=front.reindex(rows.index, fill_value=False))
        candidates = [
            _candidate(row, colours, own.drop(index=index))
            for index, row in zip(rows.index, rows.to_dict("records"), strict=True)
        ]
        candidates.sort(key=lambda x: (x.one_modulus, x.values["area_time_um2_ms"]))
        bests = list(_bests(candidates))
        drawing = _plot(candidates, bests, f"choice_{nbits}", folder)
        found.append(Choice(int(nbits), library, candidates, bests, drawing))
    return sorted(found, key=lambda x: (x.nbits != NBITS, x.nbits))


def draw_growth(found: Sequence[Choice], folder: Path) -> Drawing | None:
    """Draw the figures of each design over its width; None if there is one width."""
    if len(found) < 2:
        return None
    alt = "Area, time and area by time of each design over its width in bits"
    key, title = "growth", "How cost grows with the width"
    with matplotlib.rc_context(STYLE):
        drawing = finish(_growth(found, _GROWTH_IN, 1), key, title, alt, folder)
        narrow = _growth(found, _NARROW_GROWTH_IN, len(_GROWING))
        return replace(drawing, narrow=to_svg(narrow, f"{key}_narrow", alt, _NARROW))


def _growth(found: Sequence[Choice], size_in: tuple[float, float], rows: int) -> Figure:
    widths: dict[str, dict[int, Candidate]] = {}
    for choice in sorted(found, key=lambda x: x.nbits):
        for x in choice.candidates:
            widths.setdefault(x.name, {})[choice.nbits] = x
    named = {x.name for choice in found for x in choice.candidates if x.on_front}
    figure = Figure(figsize=size_in, layout="constrained")
    panels = figure.subplots(rows, len(_GROWING) // rows)
    names: dict[Axes, list[Name]] = {}
    for axes, quantity in zip(panels, _GROWING, strict=True):
        names[axes] = []
        for name, at in widths.items():
            points = {n: x.values[quantity] for n, x in at.items() if quantity in x.values}
            colour = next(iter(at.values())).colour
            look: Any = {"color": colour, "linewidth": 1.8 if name in named else 0.8}
            said = "; ".join(f"{n} bits: {figure_text(quantity, y)}" for n, y in points.items())
            axes.plot(
                *zip(*points.items(), strict=True),
                "-",
                marker=".",
                **look,
                gid=MARK.format(name, said),
            )
            if name in named:
                last = max(points)
                text: Any = {"fontsize": 7.5, "color": INK, "gid": MARK.format(name, "")}
                names[axes].append(Name(name, (last, points[last]), text))
        set_logarithmic(axes, "x", min(x.nbits for x in found), max(x.nbits for x in found))
        every = [y for line in axes.lines for y in line.get_ydata()]
        set_logarithmic(axes, "y", min(every), max(every))
        ticks_at(axes.xaxis, sorted(x.nbits for x in found))
        axes.set(xlabel="width in bits", title=QUANTITIES[quantity].heading)
    name_points(figure, names)
    return figure


def _candidate(row: dict[Any, Any], colours: Mapping[str, str], others: pd.DataFrame) -> Candidate:
    name = row["subject"]
    entry = catalog.find_design(name)
    configuration = entry.configure(row["nbits"])
    depends = {"exponent": configuration.exponent_dependent, "base": configuration.base_dependent}
    kept = by_kind([x for x in findings(name) if (x.nbits, x.choices) == (row["nbits"], "")])
    same = (others["subject"] == name) & (others["nbits"] == row["nbits"])
    variants = {conditions(x): _told(x) for x in others[same].to_dict("records")}
    return Candidate(
        name,
        entry.summary,
        colours[name],
        " and ".join(x for x, does in depends.items() if does),
        "; ".join(kept.values()),
        _known(row),
        row["modulus"] == "one",
        bool(row["front"]),
        variants,
    )


def _told(row: Mapping[Any, Any]) -> str:
    texts = {x: figure_text(x, value) for x, value in _known(row).items() if x in _PRICE}
    return ", ".join(f"{text} {on_paper(QUANTITIES[x].unit)}" for x, text in texts.items())


def _known(row: Mapping[Any, Any]) -> dict[str, float]:
    return {x: float(row[x]) for x in FIGURES if x in row and pd.notna(row[x])}


def _bests(candidates: Sequence[Candidate]) -> Iterator[Best]:
    for quantity, title in BEST.items():
        if all(quantity in x.values for x in candidates):
            general = [x for x in candidates if not x.one_modulus] or candidates
            best = _best(quantity, title, general, candidates)
            narrower = _best(quantity, title, candidates, candidates)
            better = narrower.design.values[quantity] < best.design.values[quantity]
            yield replace(best, narrower=narrower if better else None)


def _best(
    quantity: str, title: str, among: Sequence[Candidate], candidates: Sequence[Candidate]
) -> Best:
    best = min(among, key=lambda x: x.values[quantity])
    unit = on_paper(QUANTITIES[quantity].unit)
    price = []
    for other, name in _PRICE.items():
        if all(other in x.values for x in candidates):
            least = min(x.values[other] for x in among)
            if best.values[other] > least:
                price.append(f"{times(best.values[other] / least)} the least {name}")
    return Best(
        title, f"{figure_text(quantity, best.values[quantity])} {unit}", best, ", ".join(price)
    )


def _plot(
    candidates: Sequence[Candidate], bests: Sequence[Best], key: str, folder: Path
) -> Drawing:
    """Draw area and time of all designs; a narrow screen has names of the front and the best."""
    alt = "Area over the time of a decryption, a mark for each design, and the front"
    best = [each.design.name for x in bests for each in (x, x.narrower) if each]
    few = [x for x in candidates if x.on_front or x.name in best]
    with matplotlib.rc_context(STYLE):
        wide = _figure(candidates, candidates, _SIZE_IN)
        drawing = finish(wide, key, "Area and time of a decryption", alt, folder)
        narrow = _figure(candidates, few, _NARROW_IN)
        return replace(drawing, narrow=to_svg(narrow, f"{key}_narrow", alt, _NARROW))


def _figure(
    candidates: Sequence[Candidate], named: Sequence[Candidate], size_in: tuple[float, float]
) -> Figure:
    """Draw area and time; the front goes from each of its designs to the next larger time."""
    points = {x.name: (x.values["time_us"], x.values["area_um2"]) for x in candidates}
    front = sorted(points[x.name] for x in candidates if x.on_front)
    figure = Figure(figsize=size_in, layout="constrained")
    axes = figure.add_subplot()
    line: Any = {"color": INK, "alpha": 0.45, "linewidth": 1.3, "gid": MARK.format("front", "")}
    legend = []
    if front:  # there is no front if only circuits for one modulus could be measured
        legend += axes.plot(*zip(*front, strict=True), "-", label="best, any modulus", **line)
    for x in candidates:
        said = f"{x.summary}; {points[x.name][0]:,.4g} µs, {points[x.name][1]:,.0f} µm²"
        look: Any = {"color": x.colour, "markersize": 7 if x.on_front else 5.5}
        look |= HOLLOW if x.one_modulus else {}
        form = "s" if x.one_modulus else "o"
        axes.plot(*points[x.name], form, gid=MARK.format(x.name, said), **look)
    if any(x.one_modulus for x in candidates):
        mark: Any = {"color": INK, "markersize": 5.5, **HOLLOW}
        legend.append(Line2D([], [], marker="s", linestyle="", label="for one modulus", **mark))
    _axes(axes, points.values())
    if legend:  # the corner of the best designs is empty
        axes.legend(handles=legend, loc="lower left", fontsize=8, frameon=False)
    names = []
    for x in named:
        weight = "bold" if x.on_front else "normal"
        look = {"fontsize": 8, "color": INK, "weight": weight}
        names.append(Name(x.name, points[x.name], look | {"gid": MARK.format(x.name, "")}))
    name_points(figure, {axes: names})
    return figure


def _axes(axes: Axes, points: Iterable[tuple[float, float]]) -> None:
    for axis, label, values in zip(
        ("x", "y"),
        ("time of a decryption in µs", "area of the cells in µm²"),
        zip(*points, strict=True),
        strict=True,
    ):
        set_logarithmic(axes, axis, min(values), max(values))
        axes.set(**{f"{axis}label": label})
