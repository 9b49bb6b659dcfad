"""Drawings of placed circuits in the report, side by side, at the same scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from rsaxcel.eval.facts.areas import labels_of, role_of
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.pictures.drawings import cells_patch, draw_critical
from rsaxcel.eval.pictures.placed import Placed
from rsaxcel.eval.report.names import label_of
from rsaxcel.eval.report.plots import MARK, STYLE, WIDTH_IN, Drawing, finish
from rsaxcel.eval.report.spec import Column, Layouts
from rsaxcel.eval.report.tables import merged
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.layout import PLACED, ROUTED

_ROLES = {
    "multiplier": ("multipliers", "#db2777"),
    "other multiplier": ("every second lane", "#f08bb8"),
    "constants": ("units for constants", "#e8710a"),
    "processor": ("processor", "#3b6fd4"),
    "rest": ("all else", "#9fb3a5"),
}
_GAP = 0.12  #: gap between circuits, over the width of the widest
_DPI = 170


def draw_layouts(
    block: Layouts, facts: Facts, load: Callable[[str], Placed | None], folder: Path
) -> Drawing | None:
    """Draw the placed circuits of a block, and write the PNG file; None if there are none.

    ``load`` reads a circuit by its record's hash (``eval.report.cards``).
    """
    found: list[tuple[Column, Placed]] = []
    for column in block.columns:
        fact = _placed_fact(block, column, facts)
        placed = load(fact.provenance) if fact else None
        if placed is not None:
            found.append((column, placed))
    if not found:
        return None
    with matplotlib.rc_context(STYLE):
        try:
            figure = _figure(found)
        except FlowError:  # the files are of an earlier version
            return None
        return finish(figure, block.key, block.title, block.alt, folder, block.notes)


def _placed_fact(block: Layouts, column: Column, facts: Facts) -> Fact | None:
    where = {"choices": {}, **merged(block.where, column.where), "quantity": "core_area_um2"}
    stages = (facts.find({**where, "stage": stage}, printed=False) for stage in (ROUTED, PLACED))
    return next((fact for fact in stages if fact is not None and fact.provenance), None)


def _figure(found: Sequence[tuple[Column, Placed]]) -> Figure:
    widths = [placed.width for _, placed in found]
    gap = _GAP * max(widths)
    whole = sum(widths) + gap * (len(found) - 1)
    tallest = max(placed.height for _, placed in found)
    height = min(WIDTH_IN * tallest / whole, WIDTH_IN) + 0.95
    figure = Figure(figsize=(WIDTH_IN, height), layout="compressed", dpi=_DPI)
    every: Any = figure.subplots(1, len(found), squeeze=False, width_ratios=widths)
    shown: dict[str, Any] = {}
    for axes, (column, placed) in zip(every.flat, found, strict=True):
        shown |= _draw(axes, column, placed, tallest)
    figure.legend(handles=list(shown.values()), loc="outside lower center", ncols=3)
    return figure


def _draw(axes: Axes, column: Column, placed: Placed, tallest: float) -> dict[str, Any]:
    """Draw a circuit at the foot of a field as high as the tallest one; return its legend."""
    record = placed.record
    labels = labels_of(record.design, record.nbits, record.params)
    role_by_path = {path: role_of(path, labels) for path in {*placed.modules}}
    roles = np.array([role_by_path[path] for path in placed.modules])
    areas = placed.sizes[:, 0] * placed.sizes[:, 1]
    handles: dict[str, Any] = {}
    said = []
    for role, (name, colour) in _ROLES.items():
        if (own := roles == role).any():
            axes.add_artist(cells_patch(placed, own, colour, f"role|{role}", most=0))
            handles[role] = Patch(color=colour, label=name)
            said.append(f"{name} {areas[own].sum():,.0f} µm²")
    # The cells are an image; this field has their tooltip.
    field: Any = {"facecolor": "#ffffff01", "linewidth": 0.7, "edgecolor": "#8a92a0"}
    field["gid"] = MARK.format(column.key, ", ".join(said))
    axes.add_patch(Rectangle((0, 0), placed.width, placed.height, **field))
    delay = f"critical path, {placed.critical.delay_ns:.2f} ns"
    handles["path"] = draw_critical(placed, axes, MARK.format(column.key, delay))
    handles["path"].set_label("critical path")
    axes.set_aspect("equal")
    axes.set_xlim(0, placed.width)
    axes.set_ylim(0, tallest)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.grid(visible=False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    broken = label_of(column).replace(" with ", "\nwith ")
    size = f"{placed.width:,.0f} x {placed.height:,.0f} µm"
    axes.set_xlabel(f"{broken}\n{size}\npath {placed.critical.delay_ns:.2f} ns", fontsize=8)
    return handles
