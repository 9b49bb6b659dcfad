"""Draws |t| over the cycles, with the steps of the schedule below it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from rsaxcel.eval.pictures.style import COLOURS, FAINT, GREY, INK, STYLE, save
from rsaxcel.lab.leakage.measure import TestResult
from rsaxcel.lab.leakage.operands import NONE

_WIDTH_IN = 7.6
_HEIGHT_IN = 2.3  #: height of the drawing of a test
_STEPS = {
    "square": COLOURS[0],
    "product": COLOURS[1],
    "square and product": COLOURS[3],
    "no product": GREY,
}
_OF_STEPS = "below each curve: steps of one operation of the class with the fixed operand"
_OF_ANY = "below the curve: steps of one operation"
#: most points of a curve; of more cycles, the largest |t| of each group is drawn
_MOST_POINTS = 4000


def draw(results: Sequence[TestResult], path: Path, title: str) -> None:
    """Draw the results of the tests, one below the other, and write the picture."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(_WIDTH_IN, 0.6 + _HEIGHT_IN * len(results)), layout="constrained")
        rows = figure.subplots(
            2 * len(results), 1, squeeze=False, height_ratios=[6, 1] * len(results)
        )[:, 0]
        names: dict[str, str] = {}
        for number, result in enumerate(results):
            above, below = rows[2 * number : 2 * number + 2]
            below.sharex(above)
            _draw_t(above, result)
            names |= _draw_steps(below, result)
        rows[-1].set_xlabel("cycle, from the offer of the request")
        patches = [Patch(facecolor=colour, label=name) for name, colour in names.items()]
        figure.legend(
            handles=patches,
            loc="outside lower center",
            ncols=len(patches),
            frameon=False,
            title=_OF_STEPS if any(x.test != NONE for x in results) else _OF_ANY,
            title_fontsize=8.5,
        )
        figure.suptitle(title, fontsize=9.5, color=INK)
        save(figure, path)


def _draw_t(axes: Axes, result: TestResult) -> None:
    size = -(-len(result.t) // _MOST_POINTS)
    t = np.abs(result.t)
    groups = np.pad(t, (0, -len(t) % size)).reshape(-1, size).max(axis=1)
    axes.plot(np.arange(len(groups)) * size, groups, color=COLOURS[0], linewidth=0.8)
    limit: Any = {"color": COLOURS[8], "linewidth": 0.9, "linestyle": "--"}
    axes.axhline(result.threshold, **limit)
    axes.set_ylim(0, 1.12 * max(float(t.max(initial=0)), result.threshold))
    axes.set_xlim(0, len(t))
    axes.set_ylabel("|t|")
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelbottom=False)
    first = f"above it from {result.detected:,} traces" if result.detected else "never above it"
    told = f"{result.label}: {result.traces:,} traces, noise {result.noise:g}; "
    told += f"threshold {result.threshold:.2f} (dashed), {first}"
    axes.set_title(told, loc="left", fontsize=8.5)


def _draw_steps(axes: Axes, result: TestResult) -> dict[str, str]:
    """Draw the steps as bars, and return the colour of each kind of step."""
    load, response = result.bounds
    found: dict[str, str] = {}
    axes.broken_barh([(0, load), (response, len(result.t) - response)], (0, 1), color=FAINT)
    for name in dict.fromkeys(step.name for step in result.steps):
        spans = [(x.begin, x.end - x.begin) for x in result.steps if x.name == name]
        edge: Any = {"edgecolor": "white", "linewidth": 0.4 if len(result.steps) < 200 else 0.0}
        axes.broken_barh(spans, (0.15, 0.7), facecolor=_STEPS[name], **edge)
        found[name] = _STEPS[name]
    axes.set_ylim(0, 1)
    axes.set_yticks([])
    axes.spines[["top", "right", "left"]].set_visible(False)
    return found | {"load, and from the first response on": FAINT}
