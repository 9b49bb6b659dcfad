"""Places names at the points of a plot, so that they cover no marks, lines or other names.

The cost of a place counts what the name would cover there, and its distance. Names move in turns,
each to its cheapest place, until none moves. Without random numbers, equal figures give equal
plots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot, inf
from typing import Any, NamedTuple

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
_GAP = 2.0
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


class Box(NamedTuple):
    """Rectangle in pixels."""

    left: float
    bottom: float
    right: float
    top: float

    def wider(self, by: float) -> Box:
        return Box(self.left - by, self.bottom - by, self.right + by, self.top + by)

    def meets(self, other: Box) -> bool:
        apart = self.right < other.left or other.right < self.left
        return not (apart or self.top < other.bottom or other.top < self.bottom)

    def holds(self, other: Box) -> bool:
        across = self.left <= other.left and other.right <= self.right
        return across and self.bottom <= other.bottom and other.top <= self.top

    def crosses(self, line: Line) -> bool:
        low, high = 0.0, 1.0
        (x, y), (right, top) = line
        for start, length, least, most in (
            (x, right - x, self.left, self.right),
            (y, top - y, self.bottom, self.top),
        ):
            if length:
                ends = sorted(((least - start) / length, (most - start) / length))
                low, high = max(low, ends[0]), min(high, ends[1])
            elif not least <= start <= most:
                return False
        return low <= high

    def nearest(self, x: float, y: float) -> tuple[float, float]:
        return min(max(x, self.left), self.right), min(max(y, self.bottom), self.top)


Line = tuple[tuple[float, float], tuple[float, float]]


class _Place(NamedTuple):
    box: Box
    cost: float
    leader: Line | None


def name_points(figure: Figure, names: Mapping[Axes, Sequence[Name]]) -> None:
    """Lay out a figure, and write names beside points; later drawings do not move these names."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes, own in names.items():
        _name_points(axes, own)


def _name_points(axes: Axes, names: Sequence[Name]) -> None:
    marks, lines = list(_marks(axes)), list(_lines(axes))
    texts = [axes.text(*name.point, name.text, **name.look) for name in names]
    places = []
    for name, text in zip(names, texts, strict=True):
        x, y = axes.transData.transform(name.point)
        places.append(list(_places(axes, text, (x, y), marks, lines)))
    chosen = _choose(places)
    to_data = axes.transData.inverted()
    for text, place in zip(texts, chosen, strict=True):
        x, y = to_data.transform(place.box[:2])
        text.set(position=(x, y), ha="left", va="bottom")
        if place.leader:
            ends = zip(*to_data.transform(place.leader), strict=True)
            look: dict[str, Any] = {"color": text.get_color(), "gid": text.get_gid()}
            axes.plot(*ends, alpha=0.5, linewidth=0.7, **look)


def _choose(places: Sequence[Sequence[_Place]]) -> list[_Place]:
    """Choose a place for each name, with a low total cost.

    The search ends when no name covers anything; otherwise another name moves first, up to
    ``_STARTS`` times, and the best result is taken.
    """
    every = [_Places(x) for x in places]
    best: list[int] = []
    least = inf
    for first in range(min(len(places), _STARTS)):
        chosen: dict[int, int] = {}
        order = [*range(first, len(places)), *range(first)]
        for _ in range(_TURNS):
            before = dict(chosen)
            for index in order:
                chosen.pop(index, None)
                costs = every[index].costs([every[x].each[y] for x, y in chosen.items()])
                chosen[index] = int(costs.argmin())
            if chosen == before:
                break
        found = [chosen[index] for index in range(len(places))]
        cost = 0.0
        for index, place in enumerate(found):
            others = [every[x].each[y] for x, y in enumerate(found) if x != index]
            cost += every[index].costs(others)[place]
        if cost < least:
            best, least = found, cost
        if cost < _CLEAR:
            break
    return [of[place] for of, place in zip(places, best, strict=True)]


class _Places:
    """Candidate places of a name as arrays: a row is left, bottom, right, top; leader; own cost."""

    def __init__(self, places: Sequence[_Place]) -> None:
        nowhere = ((np.nan, np.nan), (np.nan, np.nan))
        leaders = [np.ravel(x.leader or nowhere) for x in places]
        self.each = np.column_stack(([x.box for x in places], leaders, [x.cost for x in places]))

    def costs(self, others: Sequence[np.ndarray]) -> np.ndarray:
        """Cost of each place beside the places of other names."""
        costs: np.ndarray = self.each[:, 8].copy()
        if not others:
            return costs
        boxes, leaders = self.each[:, None, :4], self.each[:, None, 4:8]
        beside = np.array(others)[None]
        wide = boxes + _GAP * np.array([-1, -1, 1, 1])
        apart = (wide[..., :2] > beside[..., 2:4]) | (beside[..., :2] > wide[..., 2:])
        costs += _NAME * (~apart.any(axis=2)).sum(axis=1)
        costs += _LEADER * _cross(beside[..., :4], leaders).sum(axis=1)
        costs += _LEADER * _cross(boxes, beside[..., 4:8]).sum(axis=1)
        return costs


def _cross(boxes: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """Whether lines cross boxes, as ``Box.crosses``; a line of NaN crosses none."""
    start, length = lines[..., :2], lines[..., 2:] - lines[..., :2]
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = (boxes[..., :2] - start) / length, (boxes[..., 2:] - start) / length
    low, high = np.minimum(one, other), np.maximum(one, other)
    level = length == 0  # if the line is level, it must lie between the box's edges
    between = (boxes[..., :2] <= start) & (start <= boxes[..., 2:])
    low = np.where(level, np.where(between, -np.inf, np.inf), low)
    high = np.where(level, np.inf, high)
    return np.maximum(low.max(axis=-1), 0) <= np.minimum(high.min(axis=-1), 1)


def _marks(axes: Axes) -> Iterator[Box]:
    """Yield squares around all marks of points."""
    for line in axes.get_lines():
        if line.get_marker() not in ("", "None", None):
            half = line.get_markersize() * axes.figure.dpi / 72 / 2
            for x, y in axes.transData.transform(line.get_xydata()):
                yield Box(x - half, y - half, x + half, y + half)


def _lines(axes: Axes) -> Iterator[Line]:
    """Yield all drawn straight lines."""
    for line in axes.get_lines():
        if line.get_linestyle() not in ("", "None", None):
            ends = axes.transData.transform(line.get_xydata())
            yield from (((x, y), (z, w)) for (x, y), (z, w) in pairwise(ends))


def _places(
    axes: Axes, text: Text, point: tuple[float, float], marks: list[Box], lines: list[Line]
) -> Iterator[_Place]:
    """Yield the candidate places of a name, each with its cost if there were no other names."""
    extent = text.get_window_extent()
    width, height = extent.width, extent.height
    inside = Box(*axes.bbox.extents)
    own = Box(*point, *point)
    for left, bottom in _corners(point, width, height):
        box = Box(left, bottom, left + width, bottom + height)
        wide = box.wider(_GAP)
        cost = 0.0 if inside.holds(box) else _OUTSIDE
        cost += _MARK * sum(wide.meets(mark) for mark in marks)
        cost += _LINE * sum(wide.crosses(line) for line in lines)
        end = box.nearest(*point)
        far = hypot(end[0] - point[0], end[1] - point[1])
        leader = (end, point) if far >= _LEADER_FROM else None
        if leader:
            cost += _LEADER * sum(x.crosses(leader) for x in marks if not x.meets(own))
        yield _Place(box, cost + _PIXEL * far, leader)


def _corners(
    point: tuple[float, float], width: float, height: float
) -> Iterator[tuple[float, float]]:
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
