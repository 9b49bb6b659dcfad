"""Places names at the points of a plot, so that they cover no marks, lines or other names.

The cost of a place counts what the name would cover there, and its distance. Names move in turns,
each to its cheapest place, until none moves. Without random numbers, equal figures give equal
plots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import hypot, inf
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter, Locator, LogLocator, MaxNLocator, NullLocator

from rsaxcel.eval.facts.quantities import QUANTITIES
from rsaxcel.eval.report.spec import Panel

#: Distances from a point to the nearest edge of its name, in pixels of the figure.
_DISTANCES = (8, 14, 22, 34, 50, 72)

#: For a name above or below its point: shares of the name's width that are left of the point.
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)

#: heights above its point at which a name may stand beside it; a unit is 1.2 heights of the text
_LEVELS = tuple(x / 2 for x in range(-11, 12))

_TURNS = 12
_STARTS = 8
_WIDER = np.array((-2.0, -2.0, 2.0, 2.0))  #: added to a box, gives it a margin of 2 pixels
_LEADER_FROM = 12  #: least distance in pixels at which a thin line leads from the name to its point

#: Parts of the cost of a name's place: a cost if the place is outside the axes; a cost for each
#: other name, mark, line and leader (line from a name to its point) that the name would cover; and
#: a cost for each pixel of distance from the point.
_OUTSIDE, _NAME, _MARK, _LINE, _LEADER, _PIXEL = 1000.0, 400.0, 200.0, 100.0, 60.0, 0.2
_CLEAR = _LEADER  #: total cost below which no name covers anything


@dataclass(frozen=True)
class Name:
    """Name to write at a point."""

    text: str
    point: tuple[float, float]  #: in coordinates of the axes
    look: dict[str, Any]  #: properties of the text for Matplotlib


def name_points(figure: Figure, names: Mapping[Axes, Sequence[Name]]) -> None:
    """Lay out a figure, and write names beside points; later drawings do not move these names."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes, own in names.items():
        _name_points(axes, own)


def _name_points(axes: Axes, names: Sequence[Name]) -> None:
    marks, lines = _marks(axes), _lines(axes)
    texts = [axes.text(*name.point, name.text, **name.look) for name in names]
    points = [axes.transData.transform(name.point) for name in names]
    places = [_places(axes, *x, marks, lines) for x in zip(texts, points, strict=True)]
    to_data = axes.transData.inverted()
    for text, place in zip(texts, _choose(places), strict=True):
        x, y = to_data.transform(place[:2])
        text.set(position=(x, y), ha="left", va="bottom")
        if not np.isnan(place[4]):
            ends = zip(*to_data.transform(place[4:8].reshape(2, 2)), strict=True)
            look: dict[str, Any] = {"color": text.get_color(), "gid": text.get_gid()}
            axes.plot(*ends, alpha=0.5, linewidth=0.7, **look)


def _choose(places: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Choose a place for each name, with a low total cost.

    The search ends when no name covers anything; otherwise another name moves first, up to
    ``_STARTS`` times, and the best result is taken.
    """
    if not places:
        return []
    everywhere, ends = np.concatenate(places), np.cumsum([len(x) for x in places])[:-1]

    @cache
    def covered(index: int, place: int) -> list[np.ndarray]:
        return np.split(_covered(everywhere, places[index][place]), ends)

    def costs(index: int, others: Mapping[int, int]) -> np.ndarray:
        """Cost of each place of a name beside the chosen places of other names."""
        found: np.ndarray = places[index][:, 8].copy()
        for other in others.items():
            found += covered(*other)[index]
        return found

    best: dict[int, int] = {}
    least = inf
    for first in range(min(len(places), _STARTS)):
        chosen: dict[int, int] = {}
        order = [*range(first, len(places)), *range(first)]
        for _ in range(_TURNS):
            before = dict(chosen)
            for index in order:
                chosen.pop(index, None)
                chosen[index] = int(costs(index, chosen).argmin())
            if chosen == before:
                break
        cost = 0.0
        for index, place in sorted(chosen.items()):
            cost += costs(index, {x: y for x, y in chosen.items() if x != index})[place]
        if cost < least:
            best, least = chosen, cost
        if cost < _CLEAR:
            break
    return [of[best[index]] for index, of in enumerate(places)]


def _covered(places: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Cost of what each place (see ``_places``) and the place of another name cover."""
    boxes, leaders = places[:, :4], places[:, 4:8]
    costs: np.ndarray = _NAME * _meet(boxes + _WIDER, other[None])
    costs += _LEADER * _cross(other[None], leaders)
    costs += _LEADER * _cross(boxes, other[None, 4:8])
    return costs


def _meet(boxes: np.ndarray, others: np.ndarray) -> np.ndarray:
    apart = (boxes[..., :2] > others[..., 2:4]) | (others[..., :2] > boxes[..., 2:4])
    return ~(apart[..., 0] | apart[..., 1])


def _cross(boxes: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """Whether lines cross boxes; a line of NaN crosses none."""
    start, length = lines[..., :2], lines[..., 2:] - lines[..., :2]
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = (boxes[..., :2] - start) / length, (boxes[..., 2:4] - start) / length
    low, high = np.minimum(one, other), np.maximum(one, other)
    level = length == 0  # if the line is level, it must lie between the box's edges
    between = (boxes[..., :2] <= start) & (start <= boxes[..., 2:4])
    low = np.where(level, np.where(between, -np.inf, np.inf), low)
    high = np.where(level, np.inf, high)
    return np.maximum(low.max(axis=-1), 0) <= np.minimum(high.min(axis=-1), 1)


def _marks(axes: Axes) -> np.ndarray:
    """Squares around all marks of points: left, bottom, right, top in each row."""
    found = [np.empty((0, 4))]
    for line in axes.get_lines():
        if line.get_marker() not in ("", "None", None):
            half = line.get_markersize() * axes.figure.dpi / 72 / 2
            points = axes.transData.transform(line.get_xydata())
            found.append(np.column_stack((points - half, points + half)))
    return np.concatenate(found)


def _lines(axes: Axes) -> np.ndarray:
    """All drawn straight lines: both ends in each row."""
    found = [np.empty((0, 4))]
    for line in axes.get_lines():
        if line.get_linestyle() not in ("", "None", None):
            ends = axes.transData.transform(line.get_xydata())
            found.append(np.column_stack((ends[:-1], ends[1:])))
    return np.concatenate(found)


def _places(
    axes: Axes, text: Text, point: np.ndarray, marks: np.ndarray, lines: np.ndarray
) -> np.ndarray:
    """Candidate places of a name, a row for each.

    Columns: left, bottom, right, top; x and y of both ends of the leader, NaN without one; the
    cost without other names.
    """
    extent = text.get_window_extent()
    size = np.array((extent.width, extent.height))
    corners = np.array(list(_corners(point, *size)))
    boxes = np.column_stack((corners, corners + size))
    wide, around = (boxes + _WIDER)[:, None], axes.bbox.extents
    outside = (boxes[:, :2] < around[:2]) | (around[2:] < boxes[:, 2:])
    costs = np.where(outside.any(axis=1), _OUTSIDE, 0.0)
    costs += _MARK * _meet(wide, marks).sum(axis=1) + _LINE * _cross(wide, lines).sum(axis=1)
    ends = np.minimum(np.maximum(point, boxes[:, :2]), boxes[:, 2:])
    far = np.array([hypot(*x) for x in ends - point])
    leaders = np.column_stack((ends, np.broadcast_to(point, ends.shape)))
    leaders[far < _LEADER_FROM] = np.nan
    others = marks[~_meet(marks, np.tile(point, 2))]
    costs += _LEADER * _cross(others, leaders[:, None]).sum(axis=1)
    return np.column_stack((boxes, leaders, costs + _PIXEL * far))


def _corners(point: np.ndarray, width: float, height: float) -> Iterator[tuple[float, float]]:
    """Yield the lower left corners of a name's candidate places, the nearest ones first."""
    x, y = point
    for distance in _DISTANCES:
        for share in _SHARES:
            yield x - share * width, y + distance
            yield x - share * width, y - distance - height
        for level in _LEVELS:
            yield x + distance, y + (level * 1.2 - 0.5) * height
            yield x - distance - width, y + (level * 1.2 - 0.5) * height


Point = tuple[float, float]

#: Writes a number in full, such as 50,000 or 0.00002, and not as a power of ten.
IN_FULL = FuncFormatter(lambda value, _: f"{value:,.10f}".rstrip("0").rstrip("."))


def scale(axes: Axes, panel: Panel, points: Sequence[Point]) -> None:
    """Set the axes' scales, ticks and limits, with room for labels."""
    both = (axes.xaxis, axes.yaxis)
    for name, axis, values in zip("xy", both, zip(*points, strict=True), strict=True):
        dimension = name == "x" and panel.x not in QUANTITIES
        if name in panel.log:
            set_logarithmic(axes, name, min(values), max(values), 1.3 if dimension else 1.8)
        else:
            axes.set(**{f"{name}lim": (0, 1.18 * max(*values, 1e-12))})
            axis.set_major_formatter(IN_FULL)
        if dimension:
            ticks_at(axis, sorted(set(values)))


def set_logarithmic(axes: Axes, name: str, least: float, most: float, room: float = 1.8) -> None:
    """Make the axis ``x`` or ``y`` logarithmic, with ticks, and a factor of room at both ends."""
    axes.set(**{f"{name}scale": "log"})
    axes.set(**{f"{name}lim": (least / room, most * room)})
    axis = axes.xaxis if name == "x" else axes.yaxis
    axis.set_major_locator(locator(*axis.get_view_interval()))
    axis.set_major_formatter(IN_FULL)
    axis.set_minor_locator(NullLocator())


def draw_equal_products(axes: Axes, colour: str) -> None:
    """Draw lines of constant x * y, with a factor of 10 between neighbouring lines."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    product = left * bottom
    while product < right * top:
        ends = [left, right], [product / left, product / right]
        axes.plot(*ends, linestyle=(0, (1, 3)), color=colour, alpha=0.5, linewidth=0.8)
        product *= 10
    axes.set(xlim=(left, right), ylim=(bottom, top))


def locator(low: float, high: float) -> Locator:
    """Ticks on a logarithmic axis, at least two: at 1, 2, 5, or at 1 for three decades or more."""
    for steps in ((1, 2, 5) if high / low < 1e3 else (1,), range(1, 10)):
        found = LogLocator(subs=steps)
        if sum(low <= x <= high for x in found.tick_values(low, high)) > 1:
            return found
    return MaxNLocator(4)


def ticks_at(axis: Axis, values: Sequence[float]) -> None:
    """Set ticks at these values only; of values that nearly coincide, only the last has a tick."""
    kept = [x for x, y in zip(values, [*values[1:], None], strict=True) if not y or y > 1.02 * x]
    axis.set_ticks(kept, [f"{value:g}" for value in kept])
    axis.set_minor_locator(NullLocator())
