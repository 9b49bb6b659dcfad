"""What all gate-level simulations share: the compiled kernels, a netlist's nets, its activity."""

from __future__ import annotations

import ctypes
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from flow.errors import FlowError
from flow.gates.circuit import build_circuit
from flow.gates.kernels import Kernels
from flow.power.activity import Activity
from flow.power.netlist import Netlist
from sim.batch import RESET_CYCLES
from sim.native.toolchain import ToolError, find_toolchain, run_tool
from store.folders import CacheError, cache_root, keep, key_of

LANES = 64
"""Runs side by side."""

_SOURCES = tuple(
    Path(__file__).with_name(name) for name in ("simulator.cpp", "gates.h", "streams.h", "system.h")
)
_FLAGS = ("-std=c++17", "-O2", "-march=native", "-fPIC", "-shared", "-fvisibility=default")


class NetlistArrays(ctypes.Structure):
    """``Netlist`` of gates.h."""

    _fields_ = (
        *((n, ctypes.c_void_p) for n in ("runs", "operands", "states")),
        *((n, ctypes.c_void_p) for n in ("values", "toggles", "high")),
        *((n, ctypes.c_int64) for n in ("run_count", "state_count", "reset_net", "reset_cycles")),
        ("counted_cycles", ctypes.c_int64),
    )


@dataclass(frozen=True)
class Prepared:
    """Arrays of one simulation; they have to live until it ends.

    Parameters
    ----------
    netlist
        For the simulation's first field.
    values, toggles, high
        Per net: value in each lane, toggles and cycles at 1 of all counted lanes together.
    """

    netlist: NetlistArrays
    values: np.ndarray
    toggles: np.ndarray
    high: np.ndarray


class GateEngine:
    """A netlist with ports ``clk`` and ``reset``, ready to be put into surroundings.

    Parameters
    ----------
    netlist
        Of library cells, with flip-flops on the clock's rising edge as its only registers.
    directory
        Where the compiled kernels are kept; see :func:`store.folders.cache_root`.

    Raises
    ------
    FlowError
        If the netlist has other registers or a loop, or the compiler is missing or fails.
    """

    def __init__(self, netlist: Netlist, *, directory: Path | None = None) -> None:
        self.netlist = netlist
        kernels = Kernels.of(netlist.library)
        self.circuit = build_circuit(netlist, kernels)
        self._library = _build(kernels, directory or cache_root())
        self._positions: dict[Any, int] = {**self.circuit.nets, "0": 0, "1": 1}

    def prepare(self, registers: np.random.Generator | None) -> Prepared:
        """Make the arrays of a simulation.

        Parameters
        ----------
        registers
            Draws the registers' values before reset, which are 0 otherwise.
        """
        circuit = self.circuit
        values = np.zeros(circuit.net_count, np.uint64)
        values[1] = np.uint64(2**64 - 1)
        if registers is not None:
            states = circuit.states[:, 0]
            values[states] = registers.integers(0, 2**64, len(states), np.uint64, endpoint=False)
        toggles, high = (np.zeros(circuit.net_count, np.uint64) for _ in range(2))
        arrays = {
            "runs": circuit.runs,
            "operands": circuit.operands,
            "states": circuit.states,
            "values": values,
            "toggles": toggles,
            "high": high,
        }
        netlist = NetlistArrays(
            **{name: array.ctypes.data for name, array in arrays.items()},
            run_count=len(circuit.runs),
            state_count=len(circuit.states),
            reset_net=self.net("reset"),
            reset_cycles=RESET_CYCLES,
        )
        return Prepared(netlist, values, toggles, high)

    def call(self, function: str, simulation: ctypes.Structure) -> int:
        """Simulate in another thread, so that this one still gets Ctrl-C and ends the run."""
        with ThreadPoolExecutor(1) as pool:
            call = pool.submit(getattr(self._library, function), ctypes.byref(simulation))
            try:
                return call.result()
            except BaseException:
                simulation.stop = 1
                raise

    def activity(self, prepared: Prepared, cycles: int) -> Activity:
        """Activity by net of the netlist.

        The clock is not simulated. It has two edges in a cycle, behind a clock gate in each cycle
        that follows one with the gate's enable at 1.
        """
        observed = self.netlist.observed
        nets = {bit: at for bit, at in self.circuit.nets.items() if bit in observed}
        clock = self.netlist.clock_nets
        span = max(cycles, 1)
        toggles, high = prepared.toggles, prepared.high
        pulses = {
            bit: float(high[self._positions[enable]])
            for bit, enable in self.netlist.gated_clocks.items()
        }
        return Activity(
            cycles,
            {bit: float(toggles[at]) for bit, at in nets.items()}
            | {bit: 2.0 * pulses.get(bit, cycles) for bit in clock},
            {bit: float(high[at]) / span for bit, at in nets.items()}
            | {bit: pulses.get(bit, cycles) / span / 2 for bit in clock},
        )

    def nets(self, port: str) -> np.ndarray:
        """Positions of a port's nets, -1 where nothing is connected."""
        try:
            bits = self.netlist.ports[port]
        except KeyError:
            raise FlowError(f"the netlist of {self.netlist.top} has no port {port}") from None
        return np.array([self._positions.get(bit, -1) for bit in bits], np.int32)

    def net(self, port: str) -> int:
        """Position of the net of a port of one bit."""
        return int(self.nets(port)[0])


def _build(kernels: Kernels, directory: Path) -> ctypes.CDLL:
    """Compile the simulator for a library, once."""
    try:
        tools = find_toolchain()
        sources = {path.name: path.read_text() for path in _SOURCES}
        sources["kernels.inc"] = kernels.source
        key = key_of(sources, tools.versions, tools.cpu, _FLAGS)

        def populate(folder: Path) -> None:
            for name, text in sources.items():
                (folder / name).write_text(text)
            output = str(folder / "library.so")
            run_tool([tools.cxx, *_FLAGS, str(folder / _SOURCES[0].name), "-o", output])

        entry = keep(directory, f"gates-{key}", populate)
    except (ToolError, CacheError) as error:
        raise FlowError(str(error)) from error
    return ctypes.CDLL(str(entry / "library.so"))
