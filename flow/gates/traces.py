"""Traces: the energy that a netlist takes in every cycle, in 64 operations side by side."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rsaxcel.flow.gates.circuit import Kernels, NetlistArrays
from rsaxcel.flow.gates.engine import LANES, NETLIST_RECORDS, source_text
from rsaxcel.flow.gates.streams import GateRun, GateSimulator
from rsaxcel.flow.gates.timed import TimedArrays
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import Slews
from rsaxcel.flow.power.weights import PartWeights
from rsaxcel.sim.native.records import ForeignRecord
from rsaxcel.sim.native.source import read_sources

_FLOATS = ctypes.POINTER(ctypes.c_float)
_FILES = ("traced.cpp", "timed_traced.cpp", "traced.h")


class TracedArrays(ForeignRecord):
    """A netlist with weights of its nets, for ``traced.h``.

    ``nets`` are positions with ``weights`` in fJ: nets of group 0, then the enables of its gated
    clocks, then group 1, and so on, with ``group_ends``. ``fixed`` is the energy of each group in
    every cycle. ``output_weights`` are those of gates' outputs by position, each for one group, as
    in ``spans``: rows of the position behind a span's last one, and its group or -1. ``energies``
    has a row for each cycle: fJ by group and lane. ``counts``: without delays, toggles are counted,
    too, for the activity.
    """

    _fields_ = (
        ("netlist", ctypes.POINTER(NetlistArrays)),
        ("timed", ctypes.POINTER(TimedArrays)),
        ("nets", ctypes.POINTER(ctypes.c_int32)),
        ("weights", _FLOATS),
        ("group_ends", ctypes.POINTER(ctypes.c_uint64)),
        ("fixed", _FLOATS),
        ("output_weights", _FLOATS),
        ("spans", ctypes.POINTER(ctypes.c_int64)),
        ("energies", _FLOATS),
        ("group_count", ctypes.c_uint64),
        ("capacity", ctypes.c_uint64),
        ("cycles", ctypes.c_uint64),
        ("counts", ctypes.c_uint64),
    )


@dataclass(frozen=True, eq=False)
class Traced:
    run: GateRun
    energies_fj: np.ndarray  #: energies by cycle, group and lane


class TracedSimulator(GateSimulator):
    """A netlist whose energy is recorded in every cycle.

    With ``slews``, energies count glitches.
    """

    def __init__(self, netlist: Netlist, slews: Slews | None = None) -> None:
        super().__init__(netlist, slews)
        self._traced = TracedArrays()
        self._energies = np.zeros(0, np.float32)
        self._counts = True
        self.weigh({}, {})

    def weigh(self, weights: Mapping[str, PartWeights], groups: Mapping[str, int]) -> None:
        """Set the weights of the nets (at first 0), and the number of each part's group."""
        count = max(groups.values(), default=0) + 1
        kinds: list[dict[int, float]] = [{} for _ in range(2 * count)]
        fixed = np.zeros(count, np.float32)
        outputs = np.zeros(self.circuit.net_count, np.float32)
        owners = np.full(len(outputs), -1)
        # With delays, outputs toggle several times.
        first = self.circuit.first_output if self._timed is None else len(outputs)
        for part, group in groups.items():
            own = weights[part]
            fixed[group] += own.every_cycle_fj
            for bit, weight_fj in own.toggles_fj.items():
                at = self._positions[bit]
                if at >= first and owners[at] in (-1, group):
                    owners[at] = group
                    outputs[at] += weight_fj
                else:
                    kinds[2 * group][at] = kinds[2 * group].get(at, 0.0) + weight_fj
            for bit, weight_fj in own.pulses_fj.items():
                at = self._positions[bit]
                kinds[2 * group + 1][at] = kinds[2 * group + 1].get(at, 0.0) + weight_fj
        for kernel, gates, operand, output in reversed(self.circuit.runs.tolist()):
            if self._kernels.inputs(kernel) == 1:  # toggles with its input, which takes its weight
                read = self.circuit.operands[operand : operand + gates]
                written = np.arange(output, output + gates)
                alike = (owners[written] == owners[read]) & (owners[read] >= 0)
                np.add.at(outputs, read[alike], outputs[written[alike]])
                owners[written[alike]] = -1
        ends = np.append(np.flatnonzero(np.diff(owners)) + 1, len(owners))
        self._weighted: dict[str, Any] = {
            "nets": np.array([at for kind in kinds for at in kind], np.int32),
            "weights": np.array([x for kind in kinds for x in kind.values()], np.float32),
            "group_ends": np.cumsum([len(kind) for kind in kinds]).astype(np.uint64),
            "fixed": fixed,
            "output_weights": outputs,
            "spans": np.stack([ends, owners[ends - 1]], axis=1),
            "group_count": count,
        }
        self.group_count = count

    def trace(
        self,
        requests: Sequence[Sequence[int]],
        *,
        capacity: int,
        counts: bool = True,
        **options: Any,
    ) -> Traced:
        """Run operations as ``run`` does, and record the energy of up to ``capacity`` cycles.

        Only the cycles of counted operations have energies, until the next call. Without delays, it
        is faster if the activity is not counted.
        """
        self._counts, size = counts, capacity * self.group_count * LANES
        if self._energies.size < size:  # kept: new memory takes as long as the simulation
            self._energies = np.zeros(size, np.float32)
        run = self.run(requests, **options)
        kept = self._energies[:size].reshape(capacity, self.group_count, LANES)
        return Traced(run, kept[: self._traced.cycles])

    def _text(self, kernels: Kernels) -> str:
        files = read_sources(Path(__file__).parent, _FILES)
        name = "traced.cpp"
        if self._timed is not None:
            name, files = "timed_traced.cpp", files | self._timed.kernels.sources
        return source_text(name, (*NETLIST_RECORDS, TimedArrays, TracedArrays), kernels, files)

    def _setup(self, prepared: NetlistArrays, timed: TimedArrays | None) -> ForeignRecord:
        delays = {} if timed is None else {"timed": ctypes.pointer(timed)}
        self._traced = TracedArrays(
            netlist=ctypes.pointer(prepared),
            **delays,
            energies=self._energies,
            capacity=self._energies.size // (self.group_count * LANES),
            counts=self._counts,
            **self._weighted,
        )
        return self._traced
