"""Gate-level simulation with delays: what toggles in a cycle, glitches included, and when."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np

from flow.gates.arrays import NetlistArrays
from flow.gates.circuit import Circuit
from flow.gates.delays import gate_delays
from flow.gates.timed_kernels import TimedKernels
from flow.power.netlist import Netlist
from flow.power.slews import Slews
from sim.native.records import Record


class TimedArrays(Record):
    """A netlist with delays for ``timed.h``.

    ``kernels`` and ``first_delay`` have a row for each run of ``netlist``; ``delays`` are rise and
    fall of each case of each gate, in ps. ``useful`` counts the toggles of each net that a cycle
    leaves behind, ``netlist.toggles`` all. ``log`` gets rows of cycle, net, ps and lanes while
    there is room. ``latest`` is the last moment of all in ps.
    """

    _fields_ = (
        ("netlist", ctypes.POINTER(NetlistArrays)),
        ("kernels", ctypes.POINTER(ctypes.c_int32)),
        ("first_delay", ctypes.POINTER(ctypes.c_int64)),
        ("delays", ctypes.POINTER(ctypes.c_int32)),
        ("useful", ctypes.POINTER(ctypes.c_uint64)),
        ("log", ctypes.POINTER(ctypes.c_int64)),
        *((n, ctypes.c_int64) for n in ("net_count", "log_size", "log_count", "cycle", "latest")),
    )


@dataclass(frozen=True)
class TimedRun:
    """What a timed simulation gave besides activity.

    Parameters
    ----------
    useful
        Toggles by net that a cycle leaves behind: those of a simulation without delays.
    latest_ps
        Last moment of all cycles.
    log
        Rows of cycle, position of the net, moment in ps and lanes; empty unless asked for.
    """

    useful: dict[int, int]
    latest_ps: int
    log: np.ndarray


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

    def arrays(self, prepared: NetlistArrays, log_size: int) -> TimedArrays:
        """Make the arrays of a simulation."""
        circuit = self._circuit
        return TimedArrays(
            netlist=ctypes.pointer(prepared),
            kernels=circuit.kinds,
            first_delay=self._first_delay,
            delays=self._delays,
            useful=np.zeros(circuit.net_count, np.uint64),
            log=np.zeros(4 * max(1, log_size), np.int64),
            net_count=circuit.net_count,
            log_size=log_size,
        )

    def run_of(self, arrays: TimedArrays) -> TimedRun:
        """Read what a simulation has left in its arrays."""
        useful = arrays.arrays["useful"]
        return TimedRun(
            {bit: int(useful[at]) for bit, at in self._circuit.nets.items()},
            int(arrays.latest),
            arrays.arrays["log"].reshape(-1, 4)[: arrays.log_count],
        )
