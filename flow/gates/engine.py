"""Runs operations on a netlist, counting the toggles of every net."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from flow.errors import FlowError
from flow.gates.circuit import build_circuit
from flow.gates.kernels import Kernels
from flow.power.activity import Activity
from flow.power.netlist import Netlist
from sim.batch import MAX_IDLE_CYCLES, RESET_CYCLES
from sim.cache import CacheError, cache_root, publish
from sim.native.toolchain import ToolError, find_toolchain, run_tool

LANES = 64
"""Operations that run side by side."""

_SOURCE = Path(__file__).with_name("simulator.cpp")
_FLAGS = ("-std=c++17", "-O2", "-march=native", "-fPIC", "-shared", "-fvisibility=default")
_DONE, _TIMEOUT, _UNEXPECTED = range(3)


class _Simulation(ctypes.Structure):
    """``Simulation`` of simulator.cpp."""

    _pointers = (
        *("runs", "operands", "states", "values", "toggles", "high"),
        *("request_nets", "response_nets", "requests", "responses"),
        *("accepted_at", "valid_at", "taken_at"),
    )
    _numbers = (
        *("run_count", "state_count", "request_bits", "response_bits"),
        *("reset_net", "valid_in_net", "ready_out_net", "valid_out_net", "ready_in_net"),
        *("lanes", "operations", "uncounted", "count_tail", "reset_cycles", "max_idle"),
        *("cycles", "counted_cycles", "stop"),
    )
    _fields_ = (
        *((name, ctypes.c_void_p) for name in _pointers),
        *((name, ctypes.c_int64) for name in _numbers),
    )


@dataclass(frozen=True)
class GateRun:
    """What a simulation gave; the rows are lanes, the columns operations.

    Parameters
    ----------
    responses
        Response message of each operation as a number.
    latencies
        Cycles from accepting each request to its response.
    intervals
        Cycles from each response to the next one of the lane (from the start for the first).
    activity
        Toggles of the counted operations of all lanes.
    counted
        Number of operations that were counted.
    """

    responses: list[list[int]]
    latencies: np.ndarray
    intervals: np.ndarray
    activity: Activity
    counted: int


class GateSimulator:
    """A netlist with ports ``clk``, ``reset``, ``recv__*`` and ``send__*``, ready to run.

    The semantics are those of the native engine with one request in flight and no stalls. A request
    message stays on the ports until the next one, so that an idle bus costs no energy.

    Parameters
    ----------
    netlist
        Of library cells, with flip-flops on the clock's rising edge as its only registers.
    directory
        Where the compiled kernels are kept; see :func:`sim.cache.cache_root`.

    Raises
    ------
    FlowError
        If the netlist has other registers or a loop, or the compiler is missing or fails.
    """

    def __init__(self, netlist: Netlist, *, directory: Path | None = None) -> None:
        self.netlist = netlist
        kernels = Kernels.of(netlist.library)
        self._circuit = build_circuit(netlist, kernels)
        self._library = _build(kernels, directory or cache_root())

    def run(
        self,
        requests: Sequence[Sequence[int]],
        *,
        uncounted: int = 0,
        count_tail: bool = False,
        registers: np.random.Generator | None = None,
        max_idle_cycles: int = MAX_IDLE_CYCLES,
    ) -> GateRun:
        """Run operations, side by side in lanes and one after the other in each.

        Parameters
        ----------
        requests
            Request messages as numbers: up to 64 lanes of equally many operations each.
        uncounted
            The first operations of each lane, whose toggles do not count.
        count_tail
            Whether the cycle after a lane's last response counts too.
        registers
            Draws the registers' values before reset, which are 0 otherwise.
        max_idle_cycles
            Cycles without a handshake in any lane after which the run fails.

        Raises
        ------
        ValueError
            For too many lanes, or lanes of different lengths.
        FlowError
            If the circuit never answers, or answers what was not asked.
        """
        lanes, operations = len(requests), len(requests[0]) if requests else 0
        if not 0 < lanes <= LANES or any(len(lane) != operations for lane in requests):
            raise ValueError(f"{lanes} lanes: 1 to {LANES} of equally many operations are allowed")
        circuit = self._circuit
        values = np.zeros(circuit.net_count, np.uint64)
        values[1] = np.uint64(2**64 - 1)
        if registers is not None:
            states = circuit.states[:, 0]
            values[states] = registers.integers(0, 2**64, len(states), np.uint64, endpoint=False)
        request_nets = self._nets("recv__msg")
        response_nets = self._nets("send__msg")
        shape = (lanes, operations)
        arrays = {
            "runs": circuit.runs,
            "operands": circuit.operands,
            "states": circuit.states,
            "values": values,
            "toggles": np.zeros(circuit.net_count, np.uint64),
            "high": np.zeros(circuit.net_count, np.uint64),
            "request_nets": request_nets,
            "response_nets": response_nets,
            "requests": _to_bits(requests, len(request_nets)),
            "responses": np.zeros((*shape, len(response_nets)), np.uint8),
            "accepted_at": np.full(shape, -1, np.int64),
            "valid_at": np.full(shape, -1, np.int64),
            "taken_at": np.full(shape, -1, np.int64),
        }
        simulation = _Simulation(
            **{name: array.ctypes.data for name, array in arrays.items()},
            run_count=len(circuit.runs),
            state_count=len(circuit.states),
            request_bits=len(request_nets),
            response_bits=len(response_nets),
            reset_net=self._net("reset"),
            valid_in_net=self._net("recv__val"),
            ready_out_net=self._net("recv__rdy"),
            valid_out_net=self._net("send__val"),
            ready_in_net=self._net("send__rdy"),
            lanes=lanes,
            operations=operations,
            uncounted=uncounted,
            count_tail=count_tail,
            reset_cycles=RESET_CYCLES,
            max_idle=max_idle_cycles,
        )
        self._call(simulation)
        taken = arrays["taken_at"]
        return GateRun(
            responses=_from_bits(arrays["responses"]),
            latencies=arrays["valid_at"] - arrays["accepted_at"],
            intervals=np.diff(taken, axis=1, prepend=-1),
            activity=self._activity(arrays["toggles"], arrays["high"], simulation.counted_cycles),
            counted=lanes * (operations - uncounted),
        )

    def _call(self, simulation: _Simulation) -> None:
        """Simulate in another thread, so that this one still gets Ctrl-C and ends the run."""
        with ThreadPoolExecutor(1) as pool:
            call = pool.submit(self._library.simulate, ctypes.byref(simulation))
            try:
                outcome = call.result()
            except BaseException:
                simulation.stop = 1
                raise
        top = self.netlist.top
        if outcome == _TIMEOUT:
            raise FlowError(
                f"gate-level simulation of {top}: no handshake for {simulation.max_idle} cycles, "
                f"given up at cycle {simulation.cycles}"
            )
        if outcome == _UNEXPECTED:
            raise FlowError(
                f"gate-level simulation of {top}: a response in cycle {simulation.cycles} that "
                "was not asked for"
            )

    def _activity(self, toggles: np.ndarray, high: np.ndarray, cycles: int) -> Activity:
        """Activity by net of the netlist; the clock, which is not simulated, has two edges."""
        observed = self.netlist.observed
        nets = {bit: at for bit, at in self._circuit.nets.items() if bit in observed}
        clock = self.netlist.clock_nets
        span = max(cycles, 1)
        return Activity(
            cycles,
            {bit: float(toggles[at]) for bit, at in nets.items()}
            | {bit: 2.0 * cycles for bit in clock},
            {bit: float(high[at]) / span for bit, at in nets.items()} | dict.fromkeys(clock, 0.5),
        )

    def _nets(self, port: str) -> np.ndarray:
        """Positions of a port's nets, -1 where nothing is connected."""
        try:
            bits = self.netlist.ports[port]
        except KeyError:
            raise FlowError(f"the netlist of {self.netlist.top} has no port {port}") from None
        known = {**self._circuit.nets, "0": 0, "1": 1}
        return np.array([known.get(bit, -1) for bit in bits], np.int32)

    def _net(self, port: str) -> int:
        return int(self._nets(port)[0])


def _to_bits(numbers: Sequence[Sequence[int]], width: int) -> np.ndarray:
    size = -(-width // 8)
    data = b"".join(n.to_bytes(size, "little") for lane in numbers for n in lane)
    rows = np.frombuffer(data, np.uint8).reshape(len(numbers), -1, size)
    return np.ascontiguousarray(np.unpackbits(rows, axis=2, count=width, bitorder="little"))


def _from_bits(bits: np.ndarray) -> list[list[int]]:
    packed = np.packbits(bits, axis=2, bitorder="little")
    return [[int.from_bytes(row.tobytes(), "little") for row in lane] for lane in packed]


def _build(kernels: Kernels, directory: Path) -> ctypes.CDLL:
    """Compile the simulator for a library, once."""
    try:
        tools = find_toolchain()
        source = _SOURCE.read_text()
        parts = (source, kernels.source, tools.versions, tools.cpu, *_FLAGS)
        key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]

        def populate(folder: Path) -> None:
            (folder / "simulator.cpp").write_text(source)
            (folder / "kernels.inc").write_text(kernels.source)
            output = str(folder / "library.so")
            run_tool([tools.cxx, *_FLAGS, str(folder / "simulator.cpp"), "-o", output])

        entry = publish(directory, f"gates-{key}", populate)
    except (ToolError, CacheError) as error:
        raise FlowError(str(error)) from error
    return ctypes.CDLL(str(entry / "library.so"))
