"""A standard-cell library as dataclasses in SI units: functions, power, timing and limits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property

import numpy as np

from rsaxcel.flow.power.boolean import BooleanFunction

Edge = str
RISE: Edge = "rise"
FALL: Edge = "fall"
OPPOSITE: Mapping[Edge, Edge] = {RISE: FALL, FALL: RISE}

BUFFER, INVERTER = [False, True], [True, False]  #: values of a gate of one input


def fits(name: str, patterns: Iterable[str]) -> bool:
    """Whether a cell's name is among patterns such as ``TBUF_*``."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


@dataclass(frozen=True, eq=False)
class LookUpTable:
    """A quantity by input slew and output load, interpolated and extrapolated linearly."""

    slews_s: np.ndarray  #: axes ascend; the quantity does not depend on an axis with a single point
    columns: np.ndarray  #: loads in farads; of a check, slews of the clock in seconds
    values: np.ndarray  #: quantity by slew and column: joules or seconds
    over_load: bool = True  #: columns are loads; False: a check's slews of the clock

    def lookup(self, slew_s: np.ndarray, load_f: np.ndarray) -> np.ndarray:
        """Return the quantity at the given slews and loads (arrays of one shape)."""
        row, along_slew = _segment(self.slews_s, slew_s)
        column, along_load = _segment(self.columns, load_f)
        next_row = np.minimum(row + 1, len(self.slews_s) - 1)
        next_column = np.minimum(column + 1, len(self.columns) - 1)
        table = self.values
        low = (1 - along_load) * table[row, column] + along_load * table[row, next_column]
        high = (1 - along_load) * table[next_row, column] + along_load * table[
            next_row, next_column
        ]
        return (1 - along_slew) * low + along_slew * high


def _segment(axis: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the segment of an axis for values, and their place in it: 0 begin, 1 end.

    Places below 0 and above 1 extrapolate.
    """
    at = np.asarray(at, dtype=float)
    if len(axis) == 1:
        return np.zeros(at.shape, dtype=int), np.zeros(at.shape)
    index = np.clip(np.searchsorted(axis, at, side="right") - 1, 0, len(axis) - 2)
    return index, (at - axis[index]) / (axis[index + 1] - axis[index])


@dataclass(frozen=True)
class InternalPower:
    """One `internal_power` group of a pin."""

    related_pin: str | None  #: input that causes an output's edge; None: an input's edges
    when: BooleanFunction | None  #: condition on the other pins; None: always
    tables: Mapping[Edge, LookUpTable]  #: an edge without a table has no energy

    def energy_j(self, edge: Edge, slew_s: np.ndarray, load_f: np.ndarray) -> np.ndarray:
        table = self.tables.get(edge)
        return table.lookup(slew_s, load_f) if table else np.zeros(np.shape(slew_s))


@dataclass(frozen=True)
class DelayArc:
    """One `timing` group with the delay of an output, not a check such as setup or hold."""

    related_pin: str  #: input that causes the edge
    when: BooleanFunction | None  #: condition on the other pins; None: always
    tables: Mapping[Edge, LookUpTable]  #: seconds by edge of the output
    #: slews of the output in seconds, by its edge
    slews: Mapping[Edge, LookUpTable] = field(default_factory=dict)
    timing_type: str = "combinational"
    sense: int = 3  #: bit 0: the output follows the input; bit 1: it inverts it


@dataclass(frozen=True)
class TimingCheck:
    """One `timing` group with a setup or hold time of a data pin at a clock's rising edge."""

    related_pin: str  #: the clock pin
    is_hold: bool
    tables: Mapping[Edge, LookUpTable]  #: seconds by edge of the data


@dataclass(frozen=True)
class Pin:
    """A signal pin."""

    name: str
    direction: str
    rise_capacitance_f: float = 0.0
    fall_capacitance_f: float = 0.0
    #: Least and largest capacitance by edge, for early and late edges; empty: no ranges are given.
    ranges_f: tuple[tuple[float, float], ...] = ()
    max_capacitance_f: float = math.inf  #: largest load of an output
    max_fanout: float = 0.0  #: most pins that an output may drive; 0: not stated
    clock: bool = False  #: the library declares a clock pin
    function: BooleanFunction | None = None
    internal_powers: tuple[InternalPower, ...] = ()
    delay_arcs: tuple[DelayArc, ...] = ()
    checks: tuple[TimingCheck, ...] = ()

    @property
    def is_input(self) -> bool:
        return self.direction == "input"

    @property
    def is_output(self) -> bool:
        return self.direction in ("output", "inout")


NEXT = "next state"
"""Variable for the state that a flip-flop would take without clear and preset; no pin's name."""


@dataclass(frozen=True)
class Sequential:
    """A cell's `ff` or `latch` group, or a clock gate; functions are of the cell's pins."""

    #: "ff", "latch" or "gate": a latch that is open while the clock is low, and passes the clock
    #: while it holds 1.
    kind: str
    state: str  #: name of the state variable in the outputs' functions
    complement: str  #: name of the state's complement
    next_state: BooleanFunction  #: Liberty's next_state or data_in; a clock gate's enable
    #: Rising for a flip-flop, 1 while a latch is open: Liberty's clocked_on or enable.
    clock: BooleanFunction
    clear: BooleanFunction | None = None  #: asynchronous clear
    preset: BooleanFunction | None = None  #: asynchronous preset

    @cached_property
    def forced(self) -> BooleanFunction | None:
        """State after ``NEXT`` with clear and preset; None if the cell has neither."""
        if self.clear is None and self.preset is None:
            return None
        following = BooleanFunction.variable(NEXT)
        if self.preset is not None:
            following = following | self.preset
        return following if self.clear is None else following & ~self.clear


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
    #: By what the file says, the cell is not for synthesis to choose: a latch, scan cell, tri-state
    #: or clock gate, or one that is not to be used.
    left_alone: bool = False

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

    def _is_gate(self, values: list[bool]) -> bool:
        """Whether the cell is a gate of one input and one output with these values."""
        if self.sequential is not None or not len(self.inputs) == len(self.outputs) == 1:
            return False
        function = self.outputs[0].function
        return function is not None and function.values == values

    @property
    def is_buffer(self) -> bool:
        return self._is_gate(BUFFER)

    @property
    def is_inverter(self) -> bool:
        return self._is_gate(INVERTER)

    @property
    def is_flip_flop(self) -> bool:
        """Whether the cell is a flip-flop that the flow can map registers to."""
        state = self.sequential
        return (
            state is not None
            and state.kind == "ff"
            and (state.forced is None or bool(self.forcing_pins))
            and state.clock.values == BUFFER
            and state.next_state.values == BUFFER
            and any(
                x.function is not None
                and x.function.pins == (state.state,)
                and x.function.values == BUFFER
                for x in self.outputs
            )
        )

    def of_state(self, function: BooleanFunction) -> BooleanFunction:
        """Return a function of the cell with its state in place of the state's complement."""
        if self.sequential is None:
            return function
        state = BooleanFunction.variable(self.sequential.state)
        return function.substitute(self.sequential.complement, ~state)

    @property
    def forcing_pins(self) -> dict[str, bool]:
        """Pins of an asynchronous clear or preset, and the value at which each has no effect.

        Empty if a function of several pins forces the state.
        """
        state = self.sequential
        functions = [x for x in (state.clear, state.preset) if x is not None] if state else []
        if any(len(x.pins) != 1 for x in functions):
            return {}
        return {x.pins[0]: not x.table[1] for x in functions}


@dataclass(frozen=True)
class WireLoad:
    """A wire-load model: capacitance by fan-out, used without a layout."""

    name: str
    capacitance_f: float  #: capacitance per unit of length
    resistance_ohm: float  #: resistance per unit of length
    slope: float  #: additional length per load beyond the last point
    points: tuple[tuple[float, float], ...]  #: fan-out and length, ascending

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
        return self.capacitance_f * self.length(fanout)


@dataclass(frozen=True, repr=False)
class Library:
    """A library: cells by name, and properties that all cells share."""

    name: str
    nominal_v: float
    corner: str  #: operating conditions, such as `typical, 1.10 V, 25 C`
    cells: Mapping[str, LibraryCell]
    max_slew_s: float
    #: By edge (rise, fall), as fractions of the supply voltage: the level at which delays are
    #: measured, and the lower and upper level between which slews are.
    levels: tuple[tuple[float, float, float], ...]
    slew_derate: float  #: time between the two levels, divided by a slew in the tables
    wire_load: WireLoad | None = None

    def unusable(self, patterns: Sequence[str]) -> tuple[str, ...]:
        """Patterns of cells that a kit excludes, and names of other cells that are left alone.

        Buffers that only delay are among these: mapping would take them for strong ones.
        """
        kept = {name: cell for name, cell in self.cells.items() if not fits(name, patterns)}
        left = [name for name, cell in kept.items() if cell.left_alone]
        buffers = [cell for name, cell in kept.items() if name not in left and cell.is_buffer]
        delays = (x.name for x in buffers if any(is_delay(x, other) for other in buffers))
        return (*patterns, *left, *delays)

    def usable(self, patterns: Sequence[str]) -> list[LibraryCell]:
        """Cells that ``unusable`` leaves."""
        out = self.unusable(patterns)
        return [cell for name, cell in self.cells.items() if not fits(name, out)]


_DELAYS = 1.25  #: least delay of a buffer over that of one that is no larger, if it only delays
_SHARE = 1 / 8  #: load at which delays are compared, of the largest load of the weaker buffer


def is_delay(cell: LibraryCell, other: LibraryCell) -> bool:
    """Whether another buffer is no larger, drives as much, and is much faster."""
    (own,), (better,) = cell.outputs, other.outputs
    load_f = _SHARE * min(own.max_capacitance_f, better.max_capacitance_f)
    return (
        math.isfinite(load_f)
        and other.area_um2 <= cell.area_um2
        and better.max_capacitance_f >= own.max_capacitance_f
        and _slowest_s(own, load_f) > _DELAYS * _slowest_s(better, load_f)
    )


def _slowest_s(pin: Pin, load_f: float) -> float:
    """Delay of the slower edge of an output, at the tables' least slew."""
    tables = [table for arc in pin.delay_arcs for table in arc.tables.values()]
    at = (float(x.lookup(x.slews_s[:1], np.array([load_f]))[0]) for x in tables)
    return max(at, default=math.inf)
