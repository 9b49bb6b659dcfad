"""Draws time and area of public cores and of ours, for the page on public cores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rsaxcel.eval.facts.points import on_front
from rsaxcel.eval.report.labels import Name, name_points, set_logarithmic
from rsaxcel.eval.report.plots import HOLLOW, INK, STYLE

_OURS, _OTHERS, _SIZE_IN = "#2a6fbb", "#c4622d", (5.6, 4.2)
#: Styles of the fronts of ours, by what the host gives; each front may need what those before need.
_FRONTS = {
    "ours, nothing from the host": "-",
    "ours, constants of the modulus": "--",
    "ours, constants and primes": ":",
}


def points_of(rows: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """Return a point for each exponentiator with a flow's figures, by width."""
    points = [
        {
            "name": row["name"] + ("*" if "choices" in row else ""),
            "nbits": row["nbits"],
            "time_us": row["flow"]["cycles"] * row["flow"]["min_period_ns"] / 1000,
            "area_um2": row["flow"]["area_um2"],
            "is_ours": row["source"] == "this project",
            "needs": 2 if row["primes"] else 1 if row["constants"] else 0,
            "is_right": not row["check"].get("wrong"),
        }
        for row in rows
        if "area_um2" in row["flow"] and row["operation"] == "mod_exp"
    ]
    return pd.DataFrame(points)


def fronts(points: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the fronts of ours at one width, each from the least time on."""
    ours = points[points["is_ours"]]
    among = {label: ours[ours["needs"] <= most] for most, label in enumerate(_FRONTS)}
    return {
        label: x[on_front(x, ["time_us", "area_um2"])].sort_values("time_us")
        for label, x in among.items()
    }


def draw(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Draw a panel for each width at which there are ours and others; of ours, only the fronts."""
    points = points_of(rows)
    widths = [n for n, x in points.groupby("nbits") if 0 < x["is_ours"].sum() < len(x)]
    width_in, height_in = _SIZE_IN
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(width_in, height_in * len(widths)), layout="constrained")
        panels = figure.subplots(len(widths), squeeze=False)[:, 0]
        names = {
            axes: _panel(axes, points[points["nbits"] == nbits], f"{nbits} bits")
            for axes, nbits in zip(panels, widths, strict=True)
        }
        # Beside the panels, where no name of a point can cross it.
        lines, labels = panels[0].get_legend_handles_labels()
        figure.legend(lines, labels, loc="outside upper left", fontsize=8, frameon=False)
        name_points(figure, names)
        figure.savefig(path, dpi=130, metadata={"Software": None})


def _panel(axes: Axes, points: pd.DataFrame, title: str) -> list[Name]:
    found = fronts(points)
    for label, front in found.items():
        style: Any = {"color": _OURS, "alpha": 0.6, "linewidth": 1.3}
        axes.plot(front["time_us"], front["area_um2"], _FRONTS[label], label=label, **style)
    best = pd.concat(found.values()).index
    shown = points[~points["is_ours"] | points.index.isin(best)]
    names = []
    for point in shown.to_dict("records"):
        at = point["time_us"], point["area_um2"]
        look: dict[str, Any] = {"color": _OURS if point["is_ours"] else _OTHERS, "markersize": 6}
        axes.plot(*at, "o", **look | ({} if point["is_right"] else HOLLOW))
        names.append(Name(point["name"], at, {"fontsize": 8, "color": INK}))
    for axis, column in (("x", "time_us"), ("y", "area_um2")):
        set_logarithmic(axes, axis, shown[column].min(), shown[column].max())
    axes.set(title=title, xlabel="time of a decryption in µs", ylabel="area of the cells in µm²")
    return names
