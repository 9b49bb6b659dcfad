"""Gate-level simulation with delays: what toggles in a cycle, glitches included, and when.

Gates need not have delays in all cycles. A *cycle with delays* is one in which gates have delays.
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

GROUPS = 8
"""Number of groups of sampled cycles, a power of two; their spread gives the sample's error."""


class TimedArrays(Record):
    """A netlist with delays for ``timed.h``.

    Delays: ``kernels`` and ``first_delay`` have a row for each run of ``netlist``. ``delays`` has
    the rise and fall delays of each case of each gate, in ps; ``longest`` is the longest of them.

    Cycles: ``period``, ``part`` and ``by_activity`` select the cycles with delays, see
    :class:`Sample`. The selected cycles are divided at random into ``group_count`` groups, whose
    spread gives the sample's error. One more group, the last, has the cycles that were certain to
    be selected; they stand for no other cycles. ``chosen`` counts the cycles with delays, by
    group; ``timed_cycles`` counts the same cycles once for each lane.

    Toggles: ``netlist.toggles`` counts the useful toggles of each net in all cycles. In the cycles
    with delays, ``glitches`` counts all other toggles, by group and net, and ``swallowed`` counts
    the pulses that were shorter than the delay, by net. These two counts are multiplied by the
    number of cycles that a selected cycle stands for. ``latest`` is the time of the latest toggle
    in a cycle, in ps.

    Log: ``log`` gets rows of cycle, net, time in ps and lanes, until it is full. Then ``log_full``,
    if given, is called, and the log begins anew.

    Window: only the lanes in the mask ``lanes`` count, and only their cycles from ``first`` up to,
    but without, ``end``. ``begun`` gets the values of all nets before the window.
    ``lane_cycles`` counts the cycles of these lanes inside and outside the window.
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
    """Selects the cycles in which gates have delays, from those whose toggles are counted.

    Parameters
    ----------
    period
        One of ``period`` cycles has delays, on average; 1: all cycles have delays.
    part
        Number from 0 to ``period - 1``. It selects one of every ``period`` consecutive cycles, at
        a pseudo-random place among them. Samples with different parts have no cycle in common; all
        parts together have all cycles. None: cycles are drawn at random, and the more useful
        toggles a cycle has, the more likely it is drawn. So rare cycles with many toggles are not
        missed.
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
        Number of toggles that are not useful, by group of cycles (see ``chosen``) and position of
        the net (see ``Circuit``). If only a sample of the cycles has delays, an estimate for all
        cycles.
    swallowed
        Number of pulses that were shorter than the delay, by position of the net; an estimate as
        for ``glitches``.
    chosen
        Number of cycles with delays, by group. The cycles of a sample are divided at random into
        ``GROUPS`` groups. One more group, the last, has the cycles that were certain to be in the
        sample; their glitches are not multiplied to estimate the glitches of other cycles.
    timed_cycles
        Number of cycles with delays, added up over all lanes.
    latest_ps
        Latest toggle of all cycles, in ps after the clock edge.
    log
        Logged toggles: rows of cycle, position of the net, time in ps and lanes.
    """

    glitches: np.ndarray
    swallowed: np.ndarray
    chosen: np.ndarray
    timed_cycles: float
    latest_ps: int
    log: np.ndarray

    def error(self, weights: np.ndarray) -> float:
        """Relative standard error of the sum of all nets' glitches, with a weight for each net.

        The cycles of the sample are divided at random into groups; the spread of the groups' means
        gives the error. It is infinite if it is unknown: fewer than two groups have cycles, or no
        cycle has a glitch.
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
