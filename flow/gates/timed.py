"""Gate-level simulation with delays: what toggles in a cycle, glitches included, and when.

A *cycle with delays* is one in which gates have delays; not all cycles need them.
"""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rsaxcel.flow.gates.arrays import NetlistArrays
from rsaxcel.flow.gates.circuit import Circuit
from rsaxcel.flow.gates.delays import gate_delays
from rsaxcel.flow.gates.timed_kernels import TimedKernels
from rsaxcel.flow.gates.window import ALWAYS, Log, LogFull, Window
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import Slews
from rsaxcel.sim.native.records import Record

GROUPS = 8  # Groups of sampled cycles, a power of two; their spread gives the sample's error


class TimedArrays(Record):
    """A netlist with delays for ``timed.h``."""

    # Delays: `kernels` and `first_delay` by run of `netlist`; `delays` has rise and fall in ps for
    # each case of each gate, `longest` their maximum.
    # Cycles: `period`, `part` and `by_activity` as in :class:`Sample`. Selected cycles are in
    # `group_count` random groups, those certain to be selected in one more, the last. `chosen`
    # counts them by group, `timed_cycles` once for each lane.
    # Toggles: `netlist.toggles` has useful toggles of all cycles. `glitches` (other toggles, by
    # group and net) and `swallowed` (pulses shorter than the delay) are scaled up to all cycles.
    # `latest` is in ps.
    # Log: rows of cycle, net, ps and lanes; when full, `log_full` is called and the log begins
    # anew.
    # Window: only `lanes` from cycle `first` up to `end` count; `begun` gets the nets' values
    # before it, `lane_cycles` counts the lanes' cycles inside and outside.
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
        *((n, ctypes.c_int64) for n in ("net_count", "log_size", "log_count", "latest", "longest")),
    )


@dataclass(frozen=True)
class Sample:
    """Selects the cycles in which gates have delays, from those whose toggles are counted."""

    period: int = 1  # One of so many cycles has delays, on average
    # 0 to `period - 1`: one pseudo-random cycle of every `period`; all parts together have all
    # cycles. None: drawn at random, more likely with more useful toggles, so that rare busy cycles
    # are not missed.
    part: int | None = None
    window: Window | None = None  # cycles outside do not count at all


@dataclass(frozen=True, eq=False)
class TimedRun:
    """Results of a simulation with delays; positions are those of ``Circuit``."""

    # Toggles that are not useful, by group and position; an estimate for all cycles if only a
    # sample has delays.
    glitches: np.ndarray
    swallowed: np.ndarray  # Pulses shorter than the delay, by position; an estimate, too
    # Cycles with delays, by group: GROUPS random ones, then the cycles certain to be sampled, which
    # stand for no others.
    chosen: np.ndarray
    timed_cycles: float  # added up over all lanes
    latest_ps: int  # after the clock edge
    log: np.ndarray  # rows of cycle, position, time in ps and lanes

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

    def bind(self, circuit: Circuit) -> None:
        """Compute the delays of the netlist's gates, in the order of the runs of ``circuit``."""
        gates = [driver for driver in circuit.drivers if driver is not None]
        found = iter(gate_delays(self._netlist, self._slews, gates))
        none = np.empty(0, np.int32)
        delays = [none if driver is None else next(found) for driver in circuit.drivers]
        ends = np.cumsum([0, *map(len, delays)])
        firsts = np.cumsum([0, *circuit.runs[:, 1]])[:-1]
        self._circuit = circuit
        self._first_delay = ends[firsts].astype(np.int64)
        self._delays = np.concatenate([none, *delays])

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
            int(arrays.latest),
            kept["log"].reshape(-1, 4)[: arrays.log_count],
        )
