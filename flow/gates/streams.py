"""Runs operations on the netlist of a circuit with two streams, counting the toggles."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flow.errors import FlowError
from flow.gates.engine import LANES, GateEngine, NetlistArrays
from flow.power.activity import Activity
from sim.batch import MAX_IDLE_CYCLES

_DONE, _TIMEOUT, _UNEXPECTED = range(3)


class _Simulation(ctypes.Structure):
    """``StreamSimulation`` of streams.h."""

    _pointers = (
        *("request_nets", "response_nets", "requests", "responses"),
        *("accepted_at", "valid_at", "taken_at"),
    )
    _numbers = (
        *("request_bits", "response_bits"),
        *("valid_in_net", "ready_out_net", "valid_out_net", "ready_in_net"),
        *("lanes", "operations", "uncounted", "count_tail", "max_idle", "cycles", "stop"),
    )
    _fields_ = (
        ("netlist", NetlistArrays),
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


class GateSimulator(GateEngine):
    """A netlist with ports ``clk``, ``reset``, ``recv__*`` and ``send__*``, ready to run.

    The semantics are those of the native engine with one request in flight and no stalls. A request
    message stays on the ports until the next one, so that an idle bus costs no energy.
    """

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
        prepared = self.prepare(registers)
        request_nets = self.nets("recv__msg")
        response_nets = self.nets("send__msg")
        shape = (lanes, operations)
        arrays = {
            "request_nets": request_nets,
            "response_nets": response_nets,
            "requests": _to_bits(requests, len(request_nets)),
            "responses": np.zeros((*shape, len(response_nets)), np.uint8),
            "accepted_at": np.full(shape, -1, np.int64),
            "valid_at": np.full(shape, -1, np.int64),
            "taken_at": np.full(shape, -1, np.int64),
        }
        simulation = _Simulation(
            prepared.netlist,
            **{name: array.ctypes.data for name, array in arrays.items()},
            request_bits=len(request_nets),
            response_bits=len(response_nets),
            valid_in_net=self.net("recv__val"),
            ready_out_net=self.net("recv__rdy"),
            valid_out_net=self.net("send__val"),
            ready_in_net=self.net("send__rdy"),
            lanes=lanes,
            operations=operations,
            uncounted=uncounted,
            count_tail=count_tail,
            max_idle=max_idle_cycles,
        )
        self._simulate(simulation)
        taken = arrays["taken_at"]
        return GateRun(
            responses=_from_bits(arrays["responses"]),
            latencies=arrays["valid_at"] - arrays["accepted_at"],
            intervals=np.diff(taken, axis=1, prepend=-1),
            activity=self.activity(prepared, simulation.netlist.counted_cycles),
            counted=lanes * (operations - uncounted),
        )

    def _simulate(self, simulation: _Simulation) -> None:
        outcome = self.call("simulate_streams", simulation)
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


def _to_bits(numbers: Sequence[Sequence[int]], width: int) -> np.ndarray:
    size = -(-width // 8)
    data = b"".join(n.to_bytes(size, "little") for lane in numbers for n in lane)
    rows = np.frombuffer(data, np.uint8).reshape(len(numbers), -1, size)
    return np.ascontiguousarray(np.unpackbits(rows, axis=2, count=width, bitorder="little"))


def _from_bits(bits: np.ndarray) -> list[list[int]]:
    packed = np.packbits(bits, axis=2, bitorder="little")
    return [[int.from_bytes(row.tobytes(), "little") for row in lane] for lane in packed]
