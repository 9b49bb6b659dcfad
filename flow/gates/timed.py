"""Gate-level simulation with delays: what toggles in a cycle, glitches included, and when."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from flow.gates.arrays import NetlistArrays
from flow.gates.circuit import Circuit
from flow.gates.delays import gate_delays
from flow.gates.timed_kernels import TimedKernels
from flow.gates.window import ALWAYS, Log, LogFull, Window
from flow.power.netlist import Netlist
from flow.power.slews import Slews
from sim.native.records import Record

GROUPS = 8
"""Groups of sampled cycles, a power of two: the sample's error follows from their spread."""


class TimedArrays(Record):
    """A netlist with delays for ``timed.h``.

    ``kernels`` and ``first_delay`` have a row for each run of ``netlist``; ``delays`` are rise and
    fall of each case of each gate, in ps. ``netlist.toggles`` counts the useful toggles of each
    net. Some cycles have delays: see :class:`Sample` for ``period``, ``part`` and ``by_activity``.
    In such cycles, ``glitches`` counts all other toggles by group of cycles and net, and
    ``swallowed`` the pulses that were shorter than the delay. A sampled cycle counts for all cycles
    that it stands for. ``chosen`` counts the cycles with delays by group, ``timed_cycles`` the
    same, summed over lanes; the last group has the cycles that stand for themselves only. ``log``
    gets rows of cycle, net, ps and lanes while there is room; ``log_full``, where it is given,
    makes room. ``latest`` is the latest toggle in ps, ``longest`` the longest delay in ps.

    Only cycles of the lanes in the mask ``lanes`` count, from number ``first`` up to, but without,
    ``end``; ``begun`` gets the values of all nets before them, ``lane_cycles`` counts the cycles of
    these lanes, in this window or not.
    """

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
    """Which counted cycles have delays.

    Parameters
    ----------
    period
        One cycle of so many has delays; 1: all cycles have delays.
    part
        Index of the cycle in each period, from 0, in random order. Two parts have no cycle in
        common; all parts together are all cycles. None: cycles are drawn so that the more useful
        toggles a cycle has, the more likely it has delays. So rare cycles with many toggles are
        not missed.
    window
        If given, cycles outside of this window do not count at all.
    """

    period: int = 1
    part: int | None = None
    window: Window | None = None


@dataclass(frozen=True, eq=False)
class TimedRun:
    """Results of a simulation with delays: glitches, swallowed pulses, cycles with delays.

    Parameters
    ----------
    glitches
        By group of cycles and position of the net: all toggles but the useful ones, an estimate
        for all cycles where only a sample of them has delays.
    swallowed
        By position of the net: pulses that were shorter than the delay, likewise.
    chosen
        Cycles with delays, by group; the last group has the cycles that stand only for themselves.
    timed_cycles
        Cycles with delays of all lanes together.
    latest_ps
        Latest toggle of all cycles, in ps after the clock edge.
    log
        Rows of cycle, position of the net, moment in ps and lanes; empty unless asked for.
    """

    glitches: np.ndarray
    swallowed: np.ndarray
    chosen: np.ndarray
    timed_cycles: float
    latest_ps: int
    log: np.ndarray

    def error(self, weights: np.ndarray) -> float:
        """Relative standard error of the glitches' weighted sum, from the groups' means.

        Infinite if it is unknown: fewer than two groups have cycles, or no cycle has a glitch.
        """
        sums, drawn = self.glitches @ weights, self.chosen[:GROUPS]
        there = drawn > 0
        if there.sum() < 2 or not sums.any():
            return math.inf
        means = sums[:GROUPS][there] / drawn[there]
        return float(drawn.sum() * means.std(ddof=1) / math.sqrt(len(means)) / sums.sum())


class TimedNetlist:
    """Delays of a netlist as arrays, for :class:`~flow.gates.engine.GateEngine`.

    Parameters
    ----------
    netlist, slews
        The netlist, and the slews of its pins.
    """

    def __init__(self, netlist: Netlist, slews: Slews) -> None:
        self.kernels = TimedKernels.of(netlist.library)
        self._netlist, self._slews = netlist, slews

    def bind(self, circuit: Circuit) -> None:
        """Compute the delays of an ordered netlist, run by run."""
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
        """Make the arrays of a simulation."""
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
