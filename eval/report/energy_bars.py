"""Draws bars of the energy of an operation by its parts; the parts of glitches are hatched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from rsaxcel.eval.facts.quantities import ENERGY_PARTS
from rsaxcel.eval.report.plots import INK, MARK, STYLE, WIDTH_IN, Drawing, finish

_GLITCHES = "_glitches"
# Readable on white and on near-black; glitches have the colour of the part that toggles.
_COLOURS = {
    "clock": "#7c6ae0",
    "registers": "#0891b2",
    "combinational": "#dd6b10",
    "wires": "#3f9142",
    "leakage": "#868e9c",
}
_LIGHT = 0.28
_UJ_FROM_NJ = 1e4


@dataclass(frozen=True)
class Bar:
    """Bar of one subject."""

    series: str  # name of the subject in the page's SVG
    label: str  # label for people
    parts: Mapping[str, float]  # energy in nJ by keys of ENERGY_PARTS
    total_nj: float
    factor: float | None  # glitch factor


def draw_energies(key: str, title: str, bars: Sequence[Bar], folder: Path) -> Drawing:
    """Draw a bar for each subject, with parts in the order of ``ENERGY_PARTS``, glitches last."""
    unit, scale = ("µJ", 1e-3) if max(x.total_nj for x in bars) >= _UJ_FROM_NJ else ("nJ", 1.0)
    shown = [x for x in ENERGY_PARTS if any(bar.parts.get(x, 0.0) > 0 for bar in bars)]
    with matplotlib.rc_context({**STYLE, "hatch.linewidth": 1.1}):
        figure = Figure(figsize=(WIDTH_IN, 1.5 + 0.42 * len(bars)), layout="constrained")
        axes = figure.add_subplot()
        for place, bar in enumerate(bars):
            style: Any = {"textcoords": "offset points", "va": "bottom", "weight": "bold"}
            axes.annotate(bar.label, (0, place - 0.2), (1, 1.5), fontsize=8.5, **style)
            end = 0.0
            for part in shown:
                value = max(bar.parts.get(part, 0.0), 0.0) * scale
                if value:
                    said = f"{ENERGY_PARTS[part]}: {value:,.4g} {unit}"
                    said += f", {100 * value / scale / bar.total_nj:.0f} % of all"
                    for style in _styles(part):
                        axes.barh(place, value, 0.4, left=end, **style)[0].set_gid(
                            MARK.format(bar.series, said)
                        )
                end += value
            factor = f", factor {bar.factor:.2f}" if bar.factor else ""
            text = f"{bar.total_nj * scale:,.3g} {unit}{factor}"
            beside: Any = {"textcoords": "offset points", "va": "center", "fontsize": 8.5}
            axes.annotate(text, (end, place), (4, 0), **beside)
        axes.set_xlim(0, 1.3 * max(x.total_nj for x in bars) * scale)
        axes.set_ylim(len(bars) - 0.6, -0.75)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(f"energy of an operation in {unit}; factor: over that without glitches")
        handles: Any = [tuple(Patch(**style) for style in _styles(part)) for part in shown]
        names = [ENERGY_PARTS[part] for part in shown]
        figure.legend(handles, names, loc="outside upper center", ncols=3, labelcolor=INK)
        alt = f"{title}: energy of an operation by what takes it; what glitches take is hatched."
        return finish(figure, f"energy_{key}", title, alt, folder)


def _styles(part: str) -> list[dict[str, Any]]:
    """Styles to draw over each other: a colour, or for glitches a light colour and a hatch."""
    colour = _COLOURS[part.removesuffix(_GLITCHES)]
    if not part.endswith(_GLITCHES):
        return [{"facecolor": colour, "linewidth": 0}]
    lines: Any = {"facecolor": "none", "edgecolor": colour, "linewidth": 0, "hatch": "//////"}
    return [{"facecolor": colour, "alpha": _LIGHT, "linewidth": 0}, lines]
