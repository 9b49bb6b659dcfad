"""Delays, slews, checks and limits of a library's cells, as arrays for the embedded timer.

Times are in ns, capacitances in fF.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rsaxcel.flow.kit import Kit
from rsaxcel.flow.library import kept_model
from rsaxcel.flow.power.liberty_reader import LibertyTables
from rsaxcel.flow.power.liberty_syntax import LibertyGroup, liberty_file

SIZE = 7  # largest number of points of a table's axis

AXES = slice(0, 2 + 2 * SIZE)  # axes of a packed table

_NS, _FF = 1e9, 1e15
_SENSES = {"positive_unate": 1, "negative_unate": 2}
_BOTH = 3  # the output follows the input, or inverts it
_LAUNCH = ("rising_edge",)
_COMBINATIONAL = ("combinational", "combinational_rise", "combinational_fall")
_CHECKS = {"setup_rising": 0, "hold_rising": 1}
# Thresholds: the percentages where a library has none.
_LEVELS = {"output": 50.0, "slew_lower": 20.0, "slew_upper": 80.0}
_UNLIMITED = 1e9
_LOAD = "total_output_net_capacitance"
_COLUMNS = (_LOAD, "related_pin_transition")


@dataclass(frozen=True)
class Arc:
    """Delay from an input to an output of a cell, in a state of its other inputs."""

    source: str
    target: str
    sense: int  # bit 0: output follows; bit 1: output inverts
    launch: bool  # from a clock, whose rising edge causes both edges
    # Delay of rise and of fall, then their slews; None where the edge does not occur.
    tables: tuple[np.ndarray | None, ...]


@dataclass(frozen=True)
class Check:
    """Setup (``kind`` 0) or hold (1) of a data pin at a clock's rising edge, by rise and fall.

    The tables are over the slew of the data and the slew of the clock.
    """

    data: str
    clock: str
    kind: int
    tables: tuple[np.ndarray | None, ...]


@dataclass(frozen=True)
class CellTiming:
    """Timing of a cell: capacitance and largest load of each pin in fF, arcs and checks."""

    capacitance_ff: Mapping[str, tuple[float, float]]
    limit_ff: Mapping[str, float]
    arcs: tuple[Arc, ...]
    checks: tuple[Check, ...]


@dataclass(frozen=True)
class TimingLibrary:
    """Timing of all cells by name, largest slew in ns, and how edges are measured."""

    cells: Mapping[str, CellTiming]
    max_slew_ns: float
    # Levels by edge, as fractions: of delays, and of a slew's begin and end.
    levels: tuple[tuple[float, float, float], ...]
    slew_derate: float  # time between the two levels over a table's slew


def timing_library(kit: Kit) -> TimingLibrary:
    return kept_model(kit.liberty, TimingLibrary, read_timing)


def read_timing(liberty: Path) -> TimingLibrary:
    with liberty_file(liberty) as top:
        tables = LibertyTables(top)
        slew = top.number("default_max_transition", _UNLIMITED) * tables.time_s * _NS
        cells = {g.names()[0]: _cell(g, tables) for g in top.groups("cell")}
        levels = tuple(_levels(top, edge) for edge in ("rise", "fall"))
        derate = top.number("slew_derate_from_library", 1.0)
        if not derate > 0:
            raise top.fault("slew_derate_from_library must be above 0")
        return TimingLibrary(cells, slew, levels, derate)


def _levels(top: LibertyGroup, edge: str) -> tuple[float, float, float]:
    middle, low, high = (
        top.number(f"{name}_threshold_pct_{edge}", usual) / 100 for name, usual in _LEVELS.items()
    )
    if not (0 < low < high < 1 and 0 < middle < 1):
        raise top.fault(
            f"thresholds of {edge}: expected 0 < slew_lower < slew_upper < 100, and output between "
            "0 and 100"
        )
    return middle, low, high


def _cell(group: LibertyGroup, tables: LibertyTables) -> CellTiming:
    capacitance, limits = {}, {}
    arcs, checks = [], []
    unit = tables.load_f * _FF
    for pin in group.groups("pin"):
        for name in pin.names():
            plain = pin.number("capacitance", 0.0)
            rise, fall = (pin.number(f"{edge}_capacitance", plain) for edge in ("rise", "fall"))
            capacitance[name] = rise * unit, fall * unit
            limits[name] = pin.number("max_capacitance", _UNLIMITED) * unit
            for timing in pin.groups("timing"):
                kind = timing.get("timing_type") or "combinational"
                for related in (timing.get("related_pin") or "").split():
                    if kind in _CHECKS:
                        found = _pair(timing, tables, "rise_constraint", "fall_constraint")
                        checks.append(Check(name, related, _CHECKS[kind], found))
                    elif kind in _LAUNCH or kind in _COMBINATIONAL:
                        sense = _SENSES.get(timing.get("timing_sense") or "", _BOTH)
                        both = _pair(timing, tables, "cell_rise", "cell_fall")
                        both += _pair(timing, tables, "rise_transition", "fall_transition")
                        arcs.append(Arc(related, name, sense, kind in _LAUNCH, both))
    return CellTiming(capacitance, limits, tuple(arcs), tuple(checks))


def _pair(
    timing: LibertyGroup, tables: LibertyTables, *names: str
) -> tuple[np.ndarray | None, ...]:
    return tuple(_table(next(timing.groups(name), None), tables) for name in names)


def _table(group: LibertyGroup | None, tables: LibertyTables) -> np.ndarray | None:
    """Return numbers of rows and columns, axes, and values by rows.

    Rows are over the slew of the data or input, columns over the load or the clock's slew;
    libraries have either first.
    """
    if group is None:
        return None
    axes, values = tables.axes_and_values(group)
    if len(axes) == 2 and axes[0][0] in _COLUMNS:
        axes, values = axes[::-1], values.T
    first = _points([x for x in axes if x[0] not in _COLUMNS], tables)
    second = _points([x for x in axes if x[0] in _COLUMNS], tables)
    packed = np.zeros(2 + 2 * SIZE + SIZE * SIZE)
    rows, columns = len(first), len(second)
    if max(rows, columns) > SIZE or values.size != rows * columns:
        raise group.fault(f"a table must have at most {SIZE} slews by {SIZE} slews or loads")
    packed[:2] = rows, columns
    packed[2 : 2 + rows] = first
    packed[2 + SIZE : 2 + SIZE + columns] = second
    grid = np.zeros((SIZE, SIZE))
    grid[:rows, :columns] = values.reshape(rows, columns) * tables.time_s * _NS
    packed[2 + 2 * SIZE :] = grid.ravel()
    return packed


def _points(axes: Sequence[tuple[str, np.ndarray]], tables: LibertyTables) -> np.ndarray:
    """Points of an axis: slews in ns, loads in fF; a single point if there is no such axis."""
    if not axes:
        return np.zeros(1)
    variable, points = axes[0]
    if variable == _LOAD:
        return points * tables.load_f * _FF
    return points * tables.time_s * _NS
