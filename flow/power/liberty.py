"""A standard-cell library as dataclasses in SI units.

`flow.power.liberty_reader` reads it from a Liberty file. It has only data for power analysis and
gate-level simulation; setup and hold checks are left to the timing tool.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rsaxcel.flow.power.boolean import BooleanFunction

Edge = str
RISE: Edge = "rise"
FALL: Edge = "fall"


@dataclass(frozen=True, eq=False)
class Table:
    """A quantity by input slew and output load, interpolated and extrapolated linearly.

    Parameters
    ----------
    slews_s, loads_f
        Axes in seconds and farads, ascending; the quantity does not depend on an axis that has a
        single point.
    values
        Shape ``(len(slews_s), len(loads_f))``: energies in joules, delays in seconds.
    """

    slews_s: np.ndarray
    loads_f: np.ndarray
    values: np.ndarray

    def lookup(self, slew_s: np.ndarray, load_f: np.ndarray) -> np.ndarray:
        """Return the quantity at the given slews and loads (arrays of one shape)."""
        row, along_slew = _segment(self.slews_s, slew_s)
        column, along_load = _segment(self.loads_f, load_f)
        next_row = np.minimum(row + 1, len(self.slews_s) - 1)
        next_column = np.minimum(column + 1, len(self.loads_f) - 1)
        table = self.values
        low = (1 - along_load) * table[row, column] + along_load * table[row, next_column]
        high = (1 - along_load) * table[next_row, column] + along_load * table[
            next_row, next_column
        ]
        return (1 - along_slew) * low + along_slew * high


def _segment(axis: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the index of the segment of `axis` for `at`, and the position along the segment.

    The position is 0 at the start and 1 at the end of the segment. It is below 0 or above 1 if `at`
    is outside the axis.
    """
    at = np.asarray(at, dtype=float)
    if len(axis) == 1:
        return np.zeros(at.shape, dtype=int), np.zeros(at.shape)
    index = np.clip(np.searchsorted(axis, at, side="right") - 1, 0, len(axis) - 2)
    return index, (at - axis[index]) / (axis[index + 1] - axis[index])


@dataclass(frozen=True)
class InternalPower:
    """One `internal_power` group of a pin.

    Parameters
    ----------
    related_pin
        Input that causes the edge of an output; None for the edges of an input pin itself.
    when
        Condition on the other pins under which the group applies; None: always.
    tables
        Energy per edge of the pin (`RISE`, `FALL`); an edge without a table has no energy.
    """

    related_pin: str | None
    when: BooleanFunction | None
    tables: Mapping[Edge, Table]

    def energy_j(self, edge: Edge, slew_s: np.ndarray, load_f: np.ndarray) -> np.ndarray:
        """Return the energy in joules of one edge of the pin."""
        table = self.tables.get(edge)
        return table.lookup(slew_s, load_f) if table else np.zeros(np.shape(slew_s))


@dataclass(frozen=True)
class DelayArc:
    """One `timing` group with the delay of an output, not a check such as setup or hold.

    Parameters
    ----------
    related_pin
        Input whose edge causes the edge of the output.
    when
        Condition on the other pins under which the group applies; None: always.
    tables
        Delay in seconds per edge of the output (`RISE`, `FALL`), by input slew and output load.
    """

    related_pin: str
    when: BooleanFunction | None
    tables: Mapping[Edge, Table]


@dataclass(frozen=True)
class Pin:
    """A signal pin; capacitances are in farads, `clock` is true for a clock pin of the library.

    `max_capacitance_f` is the largest load that an output may have; infinite without a limit.
    """

    name: str
    direction: str
    rise_capacitance_f: float = 0.0
    fall_capacitance_f: float = 0.0
    max_capacitance_f: float = math.inf
    clock: bool = False
    function: BooleanFunction | None = None
    internal_powers: tuple[InternalPower, ...] = ()
    delay_arcs: tuple[DelayArc, ...] = ()

    @property
    def is_input(self) -> bool:
        """Whether the pin is an input: it loads its net and cannot drive it."""
        return self.direction == "input"

    @property
    def is_output(self) -> bool:
        """Whether the pin can drive its net."""
        return self.direction in ("output", "inout")


@dataclass(frozen=True)
class Sequential:
    """A cell's `ff` or `latch` group, or a clock gate.

    Next state, clock, clear and preset are Boolean functions of the cell's pins.

    Parameters
    ----------
    kind
        ``"ff"``, ``"latch"`` or ``"gate"``. A clock gate has a latch that is open while the clock
        is low, and passes the clock on while the latch holds 1; `next_state` is its enable.
    state, complement
        Names of the state variable and of its complement in the outputs' functions.
    next_state, clock
        Data and clock. A flip-flop takes the data when the clock rises, a latch is open while the
        clock is 1 (in Liberty, `next_state` and `clocked_on`, or `data_in` and `enable`).
    clear, preset
        Conditions for an asynchronous clear and preset; None if the cell has none.
    """

    kind: str
    state: str
    complement: str
    next_state: BooleanFunction
    clock: BooleanFunction
    clear: BooleanFunction | None = None
    preset: BooleanFunction | None = None


@dataclass(frozen=True)
class Leakage:
    """Leakage power in watts while `when` holds."""

    when: BooleanFunction
    power_w: float


@dataclass(frozen=True)
class LibraryCell:
    """A standard cell; area in square micrometres, as in the library, and leakage in watts."""

    name: str
    area_um2: float
    leakage_w: float
    leakages: tuple[Leakage, ...] = ()
    pins: Mapping[str, Pin] = field(default_factory=dict)
    sequential: Sequential | None = None

    @cached_property
    def inputs(self) -> tuple[Pin, ...]:
        """Pins that load a net."""
        return tuple(p for p in self.pins.values() if p.is_input)

    @property
    def clock_gate(self) -> Sequential | None:
        """The sequential function if the cell is a clock gate, else None."""
        return self.sequential if self.sequential and self.sequential.kind == "gate" else None

    @cached_property
    def outputs(self) -> tuple[Pin, ...]:
        """Pins that drive a net."""
        return tuple(p for p in self.pins.values() if p.is_output)


@dataclass(frozen=True)
class WireLoad:
    """A wire-load model: capacitance by fan-out, used without a layout.

    Parameters
    ----------
    capacitance_f, resistance_ohm
        Farads and ohms per unit of length.
    slope
        Additional length per load beyond the last point.
    points
        Pairs of fan-out and length, ascending.
    """

    name: str
    capacitance_f: float
    resistance_ohm: float
    slope: float
    points: tuple[tuple[float, float], ...]

    def length(self, fanout: int) -> float:
        """Return the length of the wire of a net with `fanout` loads, in units of the library."""
        if fanout <= 0:
            return 0.0
        counts, lengths = zip(*self.points, strict=True)
        length = float(np.interp(fanout, counts, lengths))
        if fanout > counts[-1]:
            length += (fanout - counts[-1]) * self.slope
        return length

    def wire_f(self, fanout: int) -> float:
        """Return the capacitance in farads of the wire of a net with `fanout` loads."""
        return self.capacitance_f * self.length(fanout)


@dataclass(frozen=True, repr=False)
class Library:
    """A library: cells by name, and what holds for all of them.

    Parameters
    ----------
    nominal_v
        Nominal voltage.
    time_unit_s, load_unit_f
        The file's units of time, in seconds, and of capacitance, in farads.
    corner
        Operating conditions, such as ``typical, 1.10 V, 25 C``; empty if the file has none.
    wire_load
        The default wire-load model; None without one.
    """

    name: str
    nominal_v: float
    time_unit_s: float
    load_unit_f: float
    corner: str
    cells: Mapping[str, LibraryCell]
    wire_load: WireLoad | None = None
