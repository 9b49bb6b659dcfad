"""The kinds of pictures of a circuit, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import matplotlib as mpl
from matplotlib.figure import Figure

from rsaxcel.eval.pictures.drawings import (
    draw_areas,
    draw_capacity,
    draw_clock,
    draw_modules,
    draw_power,
)
from rsaxcel.eval.pictures.placed import DrawnCore, Placed
from rsaxcel.eval.pictures.style import STYLE
from rsaxcel.flow.record import Record


@dataclass(frozen=True)
class Picture:
    about: str
    places: bool = True  #: the picture needs the places of the cells
    operation: bool = False  #: the picture is of a type of operation
    timed: bool = False  #: the picture needs glitches: gates with delays


PICTURES: Mapping[str, Picture] = {
    "modules": Picture("cells coloured by module, with the critical path"),
    "capacity": Picture("use of the routing tracks, with overflow marked"),
    "clock": Picture("clock tree with its levels, and latencies of the flip-flops"),
    "energy": Picture("power by place", operation=True),
    "glitches": Picture("power of glitches by place", operation=True, timed=True),
    "areas": Picture("treemap of the area by module", places=False),
}
"""Kinds of pictures by name."""


def draw(kind: str, record: Record, load: Callable[[], Placed], operation: str = "") -> Figure:
    """Draw a picture, a key of ``PICTURES``; ``load`` is called only if it needs places."""
    operation = operation or record.operation
    with mpl.rc_context(STYLE):
        if kind == "areas":
            return draw_areas(record)
        placed = load()
        if PICTURES[kind].operation:
            return draw_power(placed, operation, glitches=kind == "glitches")
        drawing = {"modules": draw_modules, "capacity": draw_capacity, "clock": draw_clock}
        return drawing[kind](placed)


def draw_lack(core: DrawnCore) -> Figure:
    """Draw the routing capacity of a core in which the wires do not fit."""
    with mpl.rc_context(STYLE):
        return draw_capacity(core)
