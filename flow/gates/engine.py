"""Base class of the gate-level simulators: compiles a netlist, and finds its activity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from rsaxcel.flow.compiled import load
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.gates.circuit import (
    FaultArrays,
    FaultKind,
    Kernels,
    LaneFault,
    NetlistArrays,
    NetlistPort,
    build_circuit,
)
from rsaxcel.flow.gates.timed import Sample, TimedArrays, TimedNetlist, TimedRun
from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import Slews
from rsaxcel.flow.yosys_json import without_collection
from rsaxcel.sim.native.call import call_bench
from rsaxcel.sim.native.ports import STREAM_PORTS, SYSTEM_PORTS, Ports
from rsaxcel.sim.native.protocol import (
    CallControl,
    ProgramResult,
    RunOutcome,
    StreamBatch,
    SystemBatch,
)
from rsaxcel.sim.native.records import ForeignRecord, records_source
from rsaxcel.sim.native.source import bench_source, read_sources

LANES = 64  #: Number of runs side by side, each in one bit of a word

WHOLE = Sample()  #: gates have delays in each cycle

_SOURCES = ("simulator.cpp", "timed.cpp", "gates.h", "timed.h", "faults.h")

NETLIST_RECORDS = (
    CallControl,
    ProgramResult,
    StreamBatch,
    SystemBatch,
    NetlistPort,
    NetlistArrays,
    LaneFault,
    FaultArrays,
)

# With -O3, the compiler takes 50 % longer than with -O2 and these vectorization flags, and the
# simulator is no faster.
_FLAGS = (
    "-std=c++17",
    "-O2",
    "-ftree-vectorize",
    "-fvect-cost-model=dynamic",
    "-march=native",
    "-fPIC",
    "-shared",
    "-fvisibility=default",
)


class GateEngine:
    """A netlist with ports ``clk`` and ``reset``, compiled for simulation.

    All registers are flip-flops on the clock's rising edge. Inputs outside of ``ports`` stay at 0.
    Without ``slews``, gates have no delays.
    """

    @without_collection()
    def __init__(self, netlist: Netlist, ports: Ports, *, slews: Slews | None = None) -> None:
        self.netlist = netlist
        self.ports = ports
        kernels = self._kernels = Kernels.of(netlist.library)
        self._timed = None if slews is None else TimedNetlist(netlist, slews)
        around = netlist.surrounded
        simulated = netlist if around is None else around.whole
        self._ports = simulated.ports
        if self._timed is None:
            circuit = build_circuit(simulated, kernels)
        else:
            circuit = build_circuit(simulated, kernels, self._timed.kernels.number)
        constants: dict[Any, int] = {"0": 0, "1": 1}
        self._at_ports = self._positions = {**circuit.nets, **constants}
        if around is not None:  # only nets inside are measured
            at, low = self._at_ports, constants["0"]
            inside = {
                bit: at.get(net, low)
                for bit, net in around.nets.items()
                if net in at or isinstance(net, str)
            }
            circuit = replace(circuit, nets=inside)
            self._positions = {**inside, **constants}
        self.circuit = circuit
        if self._timed is not None:
            self._timed.bind(circuit)
        self._library = load("gates", {"simulator.cpp": self._text(kernels)}, _FLAGS)

    def prepare(self, registers: np.random.Generator | None) -> NetlistArrays:
        """Make the start of a simulation; without a generator, all registers are 0 before reset."""
        circuit = self.circuit
        values = np.zeros(circuit.net_count, np.uint64)
        values[1] = np.uint64(2**64 - 1)
        if registers is not None:
            drawn = registers.integers(0, 2**64, len(circuit.states), np.uint64, endpoint=False)
            values[circuit.first_state :][: len(drawn)] = drawn
        nets = [self.nets(port) for port in self.ports.all]
        return NetlistArrays(
            runs=circuit.runs,
            operands=circuit.operands,
            states=circuit.states,
            values=values,
            toggles=np.zeros_like(values),
            high=np.zeros_like(values),
            ports=[NetlistPort(nets=array, nbits=len(array)) for array in nets],
            run_count=len(circuit.runs),
            first_state=circuit.first_state,
            state_count=len(circuit.states),
            reset_net=self.nets("reset")[0],
        )

    def call(
        self,
        function: str,
        prepared: NetlistArrays,
        batch: StreamBatch | SystemBatch,
        sample: Sample = WHOLE,
        log_rows: int = 0,
    ) -> tuple[RunOutcome, TimedRun | None]:
        """Simulate a batch; return its outcome and, if gates have delays, the glitches.

        ``log_rows`` limits the logged toggles. ``FlowError`` also if the layout of a record differs
        in C++.
        """
        if self._timed is None:
            return self.call_with(function, self._setup(prepared, None), batch), None
        timed = self._timed.arrays(prepared, sample, log_rows)
        outcome = self.call_with(function, self._setup(prepared, timed), batch)
        return outcome, self._timed.run_of(timed)

    def call_with(
        self, function: str, setup: ForeignRecord, batch: StreamBatch | SystemBatch
    ) -> RunOutcome:
        """Simulate a batch with the arrays that the function takes; errors as in ``call``."""
        outcome, _ = call_bench(self._library, function, [setup], [batch])
        if outcome == RunOutcome.FAILED:
            text = batch.error.decode(errors="replace")
            raise FlowError(f"gate-level simulation of {self.netlist.top}: {text}")
        return outcome

    def _text(self, kernels: Kernels) -> str:
        """C++ text of the simulator, with all its includes."""
        if self._timed is None:
            return source_text("simulator.cpp", NETLIST_RECORDS, kernels, {})
        records = (*NETLIST_RECORDS, TimedArrays)
        return source_text("timed.cpp", records, kernels, self._timed.kernels.sources)

    def _setup(self, prepared: NetlistArrays, timed: TimedArrays | None) -> ForeignRecord:
        """Choose the record that C++ gets with a batch: ``timed`` if gates have delays."""
        return prepared if timed is None else timed

    def activity(self, prepared: NetlistArrays, timed: TimedRun | None) -> Activity:
        """Return the activity of the netlist's nets after a simulation.

        The clock is not simulated: it toggles twice in each cycle, behind a clock gate only if the
        enable was 1 in the previous cycle.
        """
        observed = self.netlist.observed
        nets = {bit: at for bit, at in self.circuit.nets.items() if bit in observed}
        clock = self.netlist.clock_nets
        cycles = prepared.counted_cycles
        span = max(cycles, 1)
        useful, high = (prepared.arrays[name].astype(float) for name in ("toggles", "high"))
        pulses = {
            bit: float(high[self._positions[enable]])
            for bit, enable in self.netlist.gated_clocks.items()
        }

        def by_net(counts: np.ndarray) -> dict[int, float]:
            return dict(zip(nets, counts[list(nets.values())].tolist(), strict=True))

        activity = Activity(
            cycles,
            by_net(useful) | {bit: 2.0 * pulses.get(bit, cycles) for bit in clock},
            by_net(high / span) | {bit: pulses.get(bit, cycles) / span / 2 for bit in clock},
        )
        if timed is None:
            return activity
        return activity.delayed(
            by_net(timed.glitches.sum(axis=0)),
            swallowed=by_net(timed.swallowed),
            timed_cycles=timed.timed_cycles,
            glitch_error=timed.error(self._charges) if timed.timed_cycles < cycles else 0.0,
        )

    @cached_property
    def _charges(self) -> np.ndarray:
        """Capacitance in farads of the net at each position (see ``Circuit``)."""
        load_f = self.netlist.load_f
        charges = np.zeros(self.circuit.net_count)
        for bit, at in self.circuit.nets.items():
            charges[at] += load_f.get(bit, 0.0)
        return charges

    def nets(self, port: str) -> np.ndarray:
        """Positions of a port's nets (see ``Circuit``); -1 for a net without a position."""
        try:
            bits = self._ports[port]
        except KeyError:
            raise FlowError(f"the netlist of {self.netlist.top} has no port {port}") from None
        return np.array([self._at_ports.get(bit, -1) for bit in bits], np.int32)


def refuse_seed(power_up_seed: int) -> None:
    if power_up_seed:
        raise ValueError(f"power_up_seed={power_up_seed}: gates take registers from a generator")


def source_text(
    name: str, records: Sequence[type[ForeignRecord]], kernels: Kernels, more: Mapping[str, str]
) -> str:
    """C++ text of the file ``name`` with all its includes; ``more`` has further files by name."""
    ports = {"StreamPorts": STREAM_PORTS, "SystemPorts": SYSTEM_PORTS}
    generated = {
        "records.h": records_source(records, [RunOutcome, FaultKind]),
        "kernels.inc": kernels.source,
        "gate_ports.h": "".join(_ports_source(name, those) for name, those in ports.items()),
        **more,
    }
    return bench_source(name, read_sources(Path(__file__).parent, _SOURCES) | generated)


def _ports_source(name: str, ports: Ports) -> str:
    def start(port: str) -> str:
        return f"gates, ports[{ports.all.index(port)}]"

    return ports.source(name, "Gates& gates, const NetlistPort* ports", lambda _: "Port", start)
