"""Gate-level simulation with delays: toggles of nets in a cycle, with glitches and times.

A *cycle with delays* is one in which gates have delays; not all cycles need them. A gate's delay
depends on the input, the output's edge and the values of the other inputs.
"""

from __future__ import annotations

import ctypes
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any, Protocol

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.gates.circuit import HOLD, Driver, GateCircuit, NetlistArrays, expression
from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.power.liberty import (
    FALL,
    OPPOSITE,
    RISE,
    DelayArc,
    Edge,
    Library,
    LibraryCell,
    Pin,
)
from rsaxcel.flow.power.netlist import Instance, Netlist
from rsaxcel.flow.power.slews import Slews
from rsaxcel.sim.native.records import ForeignRecord

_PS = 1e12
_EDGES = (RISE, FALL)


@dataclass(frozen=True)
class Case:
    """Delays from an input to an output, for some values of the other inputs."""

    position: int  #: position of the input among the function's inputs
    #: condition on the other inputs; None: values that no other case covers
    when: BooleanFunction | None
    arcs: tuple[DelayArc, ...]  #: timing groups, of which the longest delay applies


def cases_of(cell: LibraryCell, pin: Pin, function: BooleanFunction) -> tuple[Case, ...]:
    """Return the delay cases of an output, input by input; a flip-flop's state counts as an input.

    The last case of each input covers all other values. ``FlowError`` if the library has no delay.
    """
    found = []
    for position, name in enumerate(function.pins):
        is_state = cell.sequential is not None and name == cell.sequential.state
        causes = cell.sequential.clock.pins if is_state and cell.sequential else (name,)
        arcs = [arc for arc in pin.delay_arcs if arc.related_pin in causes]
        if not arcs:
            raise FlowError(f"{cell.name}: no delay from {name} to {pin.name} in the library")
        known = set(function.pins)
        stated = [x for x in arcs if x.when is not None and set(x.when.pins) <= known]
        # The values of the other inputs matter only if the library has more than one timing group
        # for this input.
        if len(arcs) > 1:
            found += [Case(position, arc.when, (arc,)) for arc in stated]
        always = tuple(arc for arc in arcs if arc.when is None)
        found.append(Case(position, None, always or tuple(arcs)))
    return tuple(found)


def gate_delays(
    netlist: Netlist, slews: Slews, gates: Sequence[tuple[Instance, Pin, BooleanFunction]]
) -> list[np.ndarray]:
    """Return the delays of each gate in ps: rise and fall for each of its cases (see ``cases_of``).

    A delay is looked up by the load and by the slew of the causing input edge, the larger one if
    both edges can cause it. In a layout it includes the wire to the input and, at a flip-flop, the
    difference of its clock's latency from the mean (``Netlist.arrivals_s``).
    """
    alike: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for index, (instance, pin, _) in enumerate(gates):
        alike[instance.cell.name, pin.name].append(index)
    result = [np.empty(0, np.int32)] * len(gates)
    for members in alike.values():
        instance, pin, function = gates[members[0]]
        own = [gates[index][0] for index in members]
        found = _delays_of(netlist, slews, own, instance.cell, pin, function)
        for index, row in zip(members, found, strict=True):
            result[index] = row
    return result


def _delays_of(
    netlist: Netlist,
    slews: Slews,
    instances: list[Instance],
    cell: LibraryCell,
    pin: Pin,
    function: BooleanFunction,
) -> np.ndarray:
    """Return the delays of instances of one cell, one row per instance."""
    bits = [x.nets[pin.name] for x in instances]
    load_f = np.array([netlist.load_f.get(b, 0.0) if isinstance(b, int) else 0.0 for b in bits])
    cases = cases_of(cell, pin, function)
    slew_s: Mapping[tuple[str, Edge], np.ndarray] = {
        (name, edge): np.array([slews.slew_s(x.name, name, edge) for x in instances])
        for name in {arc.related_pin for case in cases for arc in case.arcs}
        for edge in _EDGES
    }
    none = 0.0, 0.0
    arrival_s = {
        (name, edge): np.array([netlist.arrivals_s.get((x.name, name), none)[i] for x in instances])
        for name in {name for name, _ in slew_s}
        for i, edge in enumerate(_EDGES)
    }
    columns = []
    for case in cases:
        for edge in _EDGES:
            longest = np.zeros(len(instances))
            for arc in case.arcs:
                table = arc.tables.get(edge)
                if table is None:
                    continue
                causes = _causes(cell, function, case, arc, edge)
                slew = np.max([slew_s[arc.related_pin, cause] for cause in causes], axis=0)
                arrival = np.max([arrival_s[arc.related_pin, cause] for cause in causes], axis=0)
                longest = np.maximum(longest, arrival + table.lookup(slew, load_f))
            columns.append(np.maximum(1, np.rint(longest * _PS)))
    return np.array(columns, np.int32).reshape(len(columns), len(instances)).T.copy()


def _causes(
    cell: LibraryCell, function: BooleanFunction, case: Case, arc: DelayArc, edge: Edge
) -> list[Edge]:
    """Edges of the timing group's input pin that can cause the given edge of the output."""
    name = function.pins[case.position]
    if cell.sequential is not None and name == cell.sequential.state:
        clock = cell.sequential.clock
        return [RISE if bool(clock.table[1]) else FALL]
    when = arc.when or BooleanFunction.constant(True)
    follows, opposes = function.sensitised(name)
    causes = [edge] if (follows & when).table.any() else []
    causes += [OPPOSITE[edge]] if (opposes & when).table.any() else []
    return causes or [edge]


#: Inputs and truth table of the function; then for each delay case the index of its input and the
#: truth table of its condition, empty for all other states.
_Key = tuple[int, bytes, tuple[tuple[int, bytes], ...]]


@dataclass(frozen=True)
class TimedKernels:
    """The distinct logic functions of cells' outputs in a library, each with its ``Case`` delays.

    A flip-flop's next state is simulated as a gate without delay: it is no pin.
    """

    keys: tuple[_Key, ...]

    @classmethod
    def of(cls, library: Library) -> TimedKernels:
        """Collect the functions of all cells of a library."""
        keys = {_key(HOLD, ())}
        for cell in library.cells.values():
            if cell.sequential is not None:
                keys.add(_key(cell.sequential.next_state, ()))
                if cell.sequential.forced is not None:
                    keys.add(_key(cell.sequential.forced, ()))
            for pin, function in _outputs(cell):
                keys.add(_key(function, cases_of(cell, pin, function)))
        return cls(tuple(sorted(keys)))

    def number(self, function: BooleanFunction, driver: Driver | None) -> int:
        if driver is None:
            return self._numbers[_key(function, ())]
        instance, pin, _ = driver
        output = instance.cell.name, pin.name
        if output not in self._outputs:
            cases = cases_of(instance.cell, pin, function)
            self._outputs[output] = self._numbers[_key(function, cases)]
        return self._outputs[output]

    @cached_property
    def _outputs(self) -> dict[tuple[str, str], int]:
        """Number of the kernel, by names of cell and output; filled by ``number``."""
        return {}

    @cached_property
    def _numbers(self) -> dict[_Key, int]:
        return {key: number for number, key in enumerate(self.keys)}

    @property
    def sources(self) -> dict[str, str]:
        """Files that ``timed.h`` includes, by name: structures of the kernels, ``switch`` cases."""
        return {
            "timed_kernels.inc": "".join(map(_structure, count(), self.keys)),
            "timed_cases.inc": "".join(f"KERNEL({number})\n" for number in range(len(self.keys))),
        }


def _outputs(cell: LibraryCell) -> Iterator[tuple[Pin, BooleanFunction]]:
    """Yield the outputs that drive a net, with the functions that ``build_circuit`` uses."""
    sequential = cell.sequential
    if sequential is not None and sequential.kind != "ff":
        return  # clock gates are not simulated, latches are refused
    for pin in cell.outputs:
        if pin.function is None:
            continue
        function = cell.of_state(pin.function)
        known = {arc.related_pin for arc in pin.delay_arcs}
        known |= {sequential.state} if sequential is not None else set()
        if known.issuperset(function.pins):  # otherwise, a netlist with this cell is refused
            yield pin, function


def _key(function: BooleanFunction, cases: Sequence[Case]) -> _Key:
    conditions = []
    for case in cases:
        when = b""
        if case.when is not None:
            never = BooleanFunction(function.pins, np.zeros_like(function.table))
            when = np.ascontiguousarray((case.when | never).table).tobytes()
        conditions.append((case.position, when))
    table = np.ascontiguousarray(function.table, bool).tobytes()
    return len(function.pins), table, tuple(conditions)


def _structure(number: int, key: _Key) -> str:
    inputs, table, cases = key
    names = [f"in[{i}]" for i in range(inputs)]

    def text(content: bytes) -> str:
        return expression(np.frombuffer(content, bool).reshape((2,) * inputs), names)

    body = []
    for position in dict.fromkeys(position for position, _ in cases):
        body.append(f"if (Word left = moved[{position}]) {{")
        rest = np.ones(2**inputs, bool)
        for index, (at, when) in enumerate(cases):
            if at != position or not rest.any():
                continue
            holds = np.frombuffer(when, bool) if when else rest
            if (holds | ~rest).all():
                body.append(f"    function({index}, left);")
            else:
                body.append(f"    const Word own{index} = left & {text(when)};")
                body.append(f"    left ^= own{index};")
                body.append(f"    function({index}, own{index});")
            rest = rest & ~holds
        body.append("}")
    lines = "\n".join(f"        {line}" for line in body)
    return f"""template <> struct Kernel<{number}> {{
    static constexpr int INPUTS = {inputs}, CASES = {len(cases)};
    static INLINED Word value([[maybe_unused]] const Word* in) {{ return {text(table)}; }}
    template <class Function>
    static INLINED void each_case([[maybe_unused]] const Word* in,
        [[maybe_unused]] const Word* moved, [[maybe_unused]] Function function) {{
{lines}
    }}
}};
"""


ALWAYS = 2**64 - 1  #: Larger than any number of cycles; as a mask, it selects all 64 lanes

LogFull = ctypes.CFUNCTYPE(None, ctypes.c_uint64)  #: The argument is the log's number of rows

_ROWS = 1 << 18


class Watcher(Protocol):
    """Receives the toggles of one lane in a window of cycles, cycle by cycle."""

    def begin(self, nets: Mapping[int, int], values: np.ndarray) -> None:
        """First call: receive the values of nets before the window's first edge.

        ``nets`` has the index in ``values`` by the number of a net.
        """

    def add(self, rows: np.ndarray) -> None:
        """Receive toggles of complete cycles.

        A row has the cycle in the window, the position, and ps after the edge.
        """

    def end(self, cycles: int, lane_cycles: int, swallowed: np.ndarray) -> None:
        """Last call: receive cycles of window and lane, and swallowed pulses by position."""


@dataclass(frozen=True, eq=False)
class Window:
    """A window of cycles of one lane; only in it, gates have delays and toggles count."""

    watcher: Watcher
    lane: int = 0
    first: int = 0  #: 0: the first cycle that counts, after a reset
    end: int = ALWAYS  #: first cycle after the window


class Log:
    """Buffer for the toggles of a window; the watcher gets them whenever it is full."""

    def __init__(self, window: Window, nets: Mapping[int, int], net_count: int) -> None:
        self.rows = np.zeros(4 * _ROWS, np.int64)
        self.begun = np.zeros(net_count, np.uint64)
        self.full = LogFull(self._take)
        self._window, self._nets = window, nets
        self._left = np.zeros((0, 3), np.int64)
        self._has_begun = False
        self._error: BaseException | None = None

    def close(self, rows: int, cycles: int, lane_cycles: int, swallowed: np.ndarray) -> None:
        """Pass the last rows to the watcher, or raise the exception that it raised earlier."""
        self._take(rows)
        if self._error is not None:
            raise self._error
        if len(self._left):
            self._window.watcher.add(self._left)
        self._window.watcher.end(cycles, lane_cycles, swallowed)

    def _take(self, count: int) -> None:
        """Pass the complete cycles in the full buffer to the watcher; C++ calls this.

        An exception must not reach C++: it is stored, and ``close`` raises it.
        """
        if self._error is not None:
            return
        try:
            watcher = self._window.watcher
            if not self._has_begun:
                self._has_begun = True
                values = self.begun >> np.uint64(self._window.lane) & np.uint64(1)
                watcher.begin(self._nets, values.astype(np.uint8))
            rows = np.concatenate([self._left, self.rows.reshape(-1, 4)[:count, :3]])
            last = int(np.searchsorted(rows[:, 0], rows[-1, 0])) if len(rows) else 0
            self._left = rows[last:]
            if last:
                watcher.add(rows[:last])
        except BaseException as error:
            self._error = error


GROUPS = 8  #: Groups of sampled cycles, a power of two; their spread gives the sample's error


class TimedArrays(ForeignRecord):
    """A netlist with delays for ``timed.h``."""

    #: Delays: `kernels` and `first_delay` by run of `netlist`; `delays` has rise and fall in ps for
    #: each case of each gate, `longest` their maximum.
    #: Cycles: `period`, `part` and `by_activity` as in :class:`Sample`. Selected cycles are in
    #: `group_count` random groups, those certain to be selected in one more, the last. `chosen`
    #: counts them by group, `timed_cycles` once for each lane.
    #: Toggles: `netlist.toggles` has useful toggles of all cycles. `glitches` (other toggles, by
    #: group and net) and `swallowed` (pulses shorter than the delay) are scaled up to all cycles.
    #: Log: rows of cycle, net, ps and lanes; when full, `log_full` is called and the log begins
    #: anew.
    #: Window: only `lanes` from cycle `first` up to `end` count; `begun` gets the nets' values
    #: before it, `lane_cycles` counts the lanes' cycles inside and outside.
    _fields_ = (
        ("netlist", ctypes.POINTER(NetlistArrays)),
        ("kernels", ctypes.POINTER(ctypes.c_int32)),
        ("first_delay", ctypes.POINTER(ctypes.c_int64)),
        ("delays", ctypes.POINTER(ctypes.c_int32)),
        ("glitches", ctypes.POINTER(ctypes.c_double)),
        ("swallowed", ctypes.POINTER(ctypes.c_double)),
        ("timed_cycles", ctypes.POINTER(ctypes.c_uint64)),
        ("chosen", ctypes.POINTER(ctypes.c_uint64)),
        ("log", ctypes.POINTER(ctypes.c_int64)),
        ("log_full", LogFull),
        ("begun", ctypes.POINTER(ctypes.c_uint64)),
        *((n, ctypes.c_uint64) for n in ("lanes", "first", "end", "lane_cycles")),
        *((n, ctypes.c_uint64) for n in ("cycle", "period", "part", "by_activity", "group_count")),
        *((n, ctypes.c_int64) for n in ("net_count", "log_size", "log_count", "longest")),
    )


@dataclass(frozen=True)
class Sample:
    """Selects the cycles in which gates have delays, from those whose toggles are counted."""

    period: int = 1  #: on average, one of so many cycles has delays
    #: 0 to `period - 1`: one pseudo-random cycle of every `period`; all parts together have all
    #: cycles. None: drawn at random, more likely with more useful toggles, so that rare busy cycles
    #: are not missed.
    part: int | None = None
    window: Window | None = None  #: cycles outside do not count at all


@dataclass(frozen=True, eq=False)
class TimedRun:
    """Results of a simulation with delays; positions are those of ``Circuit``."""

    #: Toggles that are not useful, by group and position; an estimate for all cycles if only a
    #: sample has delays.
    glitches: np.ndarray
    swallowed: np.ndarray  #: Pulses shorter than the delay, by position; an estimate, too
    #: Cycles with delays, by group: GROUPS random ones, then the cycles certain to be sampled,
    #: which stand for no others.
    chosen: np.ndarray
    timed_cycles: float  #: number of cycles with delays, added up over all lanes
    log: np.ndarray  #: rows of cycle, position, time in ps and lanes

    def error(self, weights: np.ndarray) -> float:
        """Relative standard error of the weighted sum of glitches, from the groups' means.

        It is infinite with cycles in fewer than two groups, or without glitches.
        """
        sums, drawn = self.glitches @ weights, self.chosen[:GROUPS]
        there = drawn > 0
        if there.sum() < 2 or not sums.any():
            return math.inf
        means = sums[:GROUPS][there] / drawn[there]
        return float(drawn.sum() * means.std(ddof=1) / math.sqrt(len(means)) / sums.sum())


class TimedNetlist:
    """Delays of a netlist as arrays, for :class:`~flow.gates.engine.GateEngine`."""

    def __init__(self, netlist: Netlist, slews: Slews) -> None:
        self.kernels = TimedKernels.of(netlist.library)
        self._netlist, self._slews = netlist, slews

    def bind(self, circuit: GateCircuit) -> None:
        """Compute the delays of the netlist's gates, in the order of the runs of ``circuit``."""
        gates = [driver for driver in circuit.drivers if driver is not None]
        found = iter(self._delays_of(gates))
        none = np.empty(0, np.int32)
        delays = [none if driver is None else next(found) for driver in circuit.drivers]
        ends = np.cumsum([0, *map(len, delays)])
        firsts = np.cumsum([0, *circuit.runs[:, 1]])[:-1]
        self._circuit = circuit
        self._first_delay = ends[firsts].astype(np.int64)
        self._delays = np.concatenate([none, *delays])

    def _delays_of(self, gates: Sequence[Driver]) -> list[np.ndarray]:
        """Return the delays of gates; of those around a netlist, the least that there is."""
        if self._netlist.surrounded is None:
            return gate_delays(self._netlist, self._slews, gates)
        own = {x.name: x for x in self._netlist.instances}
        inside = [(own[x.name], pin, f) for x, pin, f in gates if x.name in own]
        found = iter(gate_delays(self._netlist, self._slews, inside))
        return [
            next(found) if x.name in own else np.ones(2 * len(cases_of(x.cell, pin, f)), np.int32)
            for x, pin, f in gates
        ]

    def arrays(self, prepared: NetlistArrays, sample: Sample, log_size: int) -> TimedArrays:
        """Make the arrays with which a simulation with delays starts."""
        circuit = self._circuit
        log: dict[str, Any] = {
            "log": np.zeros(4 * max(1, log_size), np.int64),
            "begun": np.zeros(circuit.net_count, np.uint64),
            **{"log_size": log_size, "lanes": ALWAYS, "end": ALWAYS},
        }
        window, watched = sample.window, None
        if window is not None:
            watched = Log(window, circuit.nets, circuit.net_count)
            log |= {"log": watched.rows, "log_full": watched.full, "begun": watched.begun}
            log |= {"log_size": len(watched.rows) // 4, "lanes": 1 << window.lane}
            log |= {"first": window.first, "end": window.end}
        arrays = TimedArrays(
            netlist=ctypes.pointer(prepared),
            kernels=circuit.kinds,
            first_delay=self._first_delay,
            delays=self._delays,
            glitches=np.zeros((GROUPS + 1) * circuit.net_count),
            swallowed=np.zeros(circuit.net_count),
            timed_cycles=np.zeros(GROUPS + 1, np.uint64),
            chosen=np.zeros(GROUPS + 1, np.uint64),
            period=sample.period,
            part=sample.part or 0,
            by_activity=sample.part is None,
            group_count=GROUPS,
            net_count=circuit.net_count,
            **log,
            longest=int(self._delays.max(initial=0)),
        )
        arrays.watched = watched
        return arrays

    def run_of(self, arrays: TimedArrays) -> TimedRun:
        """Read the results of a simulation from its arrays."""
        kept = arrays.arrays
        if arrays.watched is not None:
            cycles = arrays.netlist.contents.counted_cycles
            arrays.watched.close(arrays.log_count, cycles, arrays.lane_cycles, kept["swallowed"])
            arrays.log_count = 0
        return TimedRun(
            kept["glitches"].reshape(GROUPS + 1, -1),
            kept["swallowed"],
            kept["chosen"],
            float(kept["timed_cycles"].sum()),
            kept["log"].reshape(-1, 4)[: arrays.log_count],
        )
