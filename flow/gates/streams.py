"""Runs operations on the netlist of a circuit with ports recv and send; counts toggles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.gates.engine import LANES, WHOLE, GateEngine, refuse_seed
from rsaxcel.flow.gates.timed import Sample, TimedRun
from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import Slews
from rsaxcel.sim.batch import MAX_IDLE_CYCLES, Conditions, check_run
from rsaxcel.sim.native.packing import pack, port_words, unpack
from rsaxcel.sim.native.ports import STREAM_PORTS
from rsaxcel.sim.native.protocol import RunOutcome, StreamBatch
from rsaxcel.sim.translate import Message, MessageField

_AT_REST = Conditions()


@dataclass(frozen=True)
class GateRun:
    """Result of a simulation; rows are lanes (simulations side by side), columns operations."""

    responses: list[list[int]]  #: response of each operation; 0 if a reset dropped the operation
    accepted: np.ndarray  #: cycles as in sim.batch.ColumnBatch; -1: never
    valid: np.ndarray
    taken: np.ndarray
    activity: Activity  #: activity of the counted operations
    counted: int  #: number of counted operations
    timed: TimedRun | None = None  #: None if gates have no delays

    @property
    def latencies(self) -> np.ndarray:
        """Cycles from the acceptance of each request to its response."""
        return self.valid - self.accepted


class GateSimulator(GateEngine):
    """A netlist with ports ``clk``, ``reset``, ``recv__*`` and ``send__*``, ready to run.

    It behaves as the native engine does at RTL, except that a request message stays on the ports
    until the next one, so that an idle bus costs no energy.
    """

    def __init__(self, netlist: Netlist, slews: Slews | None = None) -> None:
        super().__init__(netlist, STREAM_PORTS, slews=slews)

    def run(
        self,
        requests: Sequence[Sequence[int]],
        *,
        under: Conditions = _AT_REST,
        in_flight: int | None = 1,
        uncounted: int = 0,
        count_tail: bool = False,
        registers: np.random.Generator | None = None,
        max_idle_cycles: int = MAX_IDLE_CYCLES,
        sample: Sample = WHOLE,
        log_rows: int = 0,
        digits: tuple[int, int] = (1, 1),
    ) -> GateRun:
        """Run operations, side by side in up to 64 lanes, and one after the other in each lane.

        Toggles of the first ``uncounted`` operations and of resets do not count; ``count_tail``
        counts the cycle after the last response. Without ``registers``, all registers are 0 before
        reset. ``FlowError`` after ``max_idle_cycles`` without a handshake, or for a response
        without a request.
        """
        refuse_seed(under.power_up_seed)
        check_run(in_flight=in_flight, max_idle_cycles=max_idle_cycles)
        batch, response = self.batch(
            requests,
            digits,
            under,
            in_flight=in_flight,
            max_idle_cycles=max_idle_cycles,
            uncounted=uncounted,
            count_tail=count_tail,
        )
        prepared = self.prepare(registers)
        outcome, timed = self.call("run_streams", prepared, batch, sample, log_rows)
        self._check(outcome, batch)
        accepted, valid, taken = (batch.arrays[f"{n}_at"] for n in ("accepted", "valid", "taken"))
        return GateRun(
            responses=responses_of(batch, response),
            accepted=accepted,
            valid=valid,
            taken=taken,
            activity=self.activity(prepared, timed),
            counted=batch.lanes * (batch.count - uncounted),
            timed=timed,
        )

    def batch(
        self,
        requests: Sequence[Sequence[int]],
        digits: tuple[int, int],
        under: Conditions = _AT_REST,
        **limits: Any,
    ) -> tuple[StreamBatch, Message]:
        """Make the batch of a run, and return it with the layout of its responses.

        ``limits`` are arguments of ``StreamBatch.of``.
        """
        lanes, operations = len(requests), len(requests[0]) if requests else 0
        if not 0 < lanes <= LANES or any(len(lane) != operations for lane in requests):
            raise ValueError(f"{lanes} lanes: 1 to {LANES} lanes of equal length are allowed")
        request, response = map(self._message, ("recv__msg", "send__msg"), digits)
        rows = pack(request, [[number for lane in requests for number in lane]])
        batch = StreamBatch.of(
            rows.reshape(lanes, operations, -1),
            port_words(response),
            under,
            request_digits=request.digits,
            response_digits=response.digits,
            **limits,
        )
        return batch, response

    def _message(self, port: str, digits: int) -> Message:
        """Message with one field of ``digits`` digits, each as wide as the port."""
        port_nbits = len(self.nets(port))
        width = digits * port_nbits
        return Message(port, width, (MessageField("message", 0, width),), port_nbits)

    def _check(self, outcome: RunOutcome, batch: StreamBatch) -> None:
        top = self.netlist.top
        if outcome == RunOutcome.TIMEOUT:
            raise FlowError(
                f"gate-level simulation of {top}: no handshake for {batch.max_idle} cycles, "
                f"given up at cycle {batch.cycles}"
            )
        if outcome == RunOutcome.UNEXPECTED:
            raise FlowError(
                f"gate-level simulation of {top}: a response without a request in cycle "
                f"{batch.cycles}"
            )


def responses_of(batch: StreamBatch, response: Message) -> list[list[int]]:
    """Responses of a batch as numbers, a row for each lane."""
    answers = batch.arrays["responses"]
    return [[int(number) for number in unpack(response, rows)[0]] for rows in answers]
