"""The ``native`` engine: Verilator's model in a shared library."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rsaxcel.diagnosis.component import message_types
from rsaxcel.sim.batch import (
    MAX_IDLE_CYCLES,
    RESET_CYCLES,
    RESET_IN_FLIGHT_CYCLES,
    Batch,
    Column,
    ColumnBatch,
    Conditions,
    SimulationError,
    SimulationTimeout,
    UnexpectedResponse,
    check_columns,
    check_run,
    to_columns,
)
from rsaxcel.sim.native.build import BuildOptions
from rsaxcel.sim.native.call import call_bench
from rsaxcel.sim.native.compiled import Compiled, stream_driver
from rsaxcel.sim.native.packing import pack, port_words, unpack
from rsaxcel.sim.native.protocol import ModelSetup, RunOutcome, StreamBatch
from rsaxcel.sim.stalls import NO_STALLS, StallProfile
from rsaxcel.sim.translate import VerilogModule

#: Without optimization, a 32-bit design simulates this number of cycles in some two seconds.
#: Compiling with optimization takes about as long.
_SHORT_CYCLES = 500_000


class NativeEngine(Compiled):
    """Runs batches on one compiled component. Threads may share it.

    Each batch starts with a new model; registers are zero before reset, or random with a power-up
    seed. Short batches run on a library that is compiled without optimization.
    """

    driver = staticmethod(stream_driver)
    check = staticmethod(message_types)

    def __init__(
        self,
        module: VerilogModule,
        *,
        options: BuildOptions | None = None,
        directory: Path | None = None,
    ) -> None:
        self._fields = tuple((field.name, field.width) for field in module.request.fields)
        # Estimate of the largest number of cycles per request: about n^2 for an exponentiator of n
        # bits. n is the width of the result, because an operand may hold several numbers.
        self._request_cycles = max(field.width for field in module.response.fields) ** 2
        self._cycles = 0
        quickly = options is None and self._request_cycles <= _SHORT_CYCLES
        super().__init__(module, options=options, quickly=quickly, directory=directory)

    def run(
        self,
        requests: Sequence[tuple[int, ...]],
        *,
        stalls: StallProfile = NO_STALLS,
        in_flight: int | None = 1,
        max_idle_cycles: int = MAX_IDLE_CYCLES,
        power_up_seed: int = 0,
        power_up_cycles: int = RESET_CYCLES,
        reset_at: int | None = None,
        reset_cycles: int = RESET_IN_FLIGHT_CYCLES,
        vcd: Path | None = None,
        saif: Path | None = None,
    ) -> Batch:
        """Run one batch; see :func:`sim.engine.run`.

        ``saif`` gets the toggle counts of every net, from an idle cycle before the batch to one
        after it. Between requests the message keeps its value, so that an idle bus costs no energy.
        Each bit that is 1 at first adds one to its net's count: subtract the counts of a run
        without requests.
        """
        conditions = Conditions(stalls, power_up_seed, power_up_cycles, reset_at, reset_cycles)
        (batch,) = self.run_each(
            requests,
            [conditions],
            in_flight=in_flight,
            max_idle_cycles=max_idle_cycles,
            vcd=vcd,
            saif=saif,
        )
        return batch

    def run_each(
        self,
        requests: Sequence[tuple[int, ...]],
        conditions: Sequence[Conditions],
        *,
        in_flight: int | None = 1,
        max_idle_cycles: int = MAX_IDLE_CYCLES,
        vcd: Path | None = None,
        saif: Path | None = None,
    ) -> list[Batch]:
        """Run the same batch under several conditions, in one call of the driver.

        Each result equals that of :meth:`run`. An exception has a note with the conditions that
        failed.
        """
        columns = to_columns(self.design, self._fields, requests)
        batches = self._run_each(
            columns, conditions, in_flight, max_idle_cycles, vcd=vcd, saif=saif
        )
        return [batch.rows() for batch in batches]

    def run_columns(
        self,
        columns: Sequence[Column],
        *,
        stalls: StallProfile = NO_STALLS,
        in_flight: int | None = 1,
        max_idle_cycles: int = MAX_IDLE_CYCLES,
        reset_at: int | None = None,
    ) -> ColumnBatch:
        """Run one batch of requests, given as one column of equal length per field.

        The overhead in Python is small even for millions of requests.
        """
        check_columns(self.design, self._fields, columns)
        conditions = [Conditions(stalls, reset_at=reset_at)]
        (batch,) = self._run_each(columns, conditions, in_flight, max_idle_cycles)
        return batch

    def _run_each(
        self,
        columns: Sequence[Column],
        conditions: Sequence[Conditions],
        in_flight: int | None,
        max_idle_cycles: int,
        *,
        vcd: Path | None = None,
        saif: Path | None = None,
    ) -> list[ColumnBatch]:
        check_run(in_flight=in_flight, max_idle_cycles=max_idle_cycles)
        count = len(columns[0]) * len(conditions)
        if self._cycles + count * self._request_cycles > _SHORT_CYCLES:
            self.optimize()
        library, trace_path = self.traced_library(vcd, saif)

        packed = pack(self.module.request, columns)[np.newaxis]
        response = self.module.response
        setups = [
            ModelSetup(trace_path=trace_path, power_up_seed=under.power_up_seed)
            for under in conditions
        ]
        batches = [
            StreamBatch.of(
                packed,
                port_words(response),
                under,
                in_flight=in_flight,
                max_idle_cycles=max_idle_cycles,
                request_digits=self.module.request.digits,
                response_digits=response.digits,
            )
            for under in conditions
        ]
        outcome, done = call_bench(library, "run_streams", setups, batches)
        if outcome != RunOutcome.DONE:
            error = self._error(outcome, batches[done])
            error.add_note(f"under {conditions[done]}")
            raise error
        self._cycles += sum(batch.cycles for batch in batches)
        return [
            ColumnBatch(
                tuple(unpack(response, batch.arrays["responses"][0])),
                batch.arrays["accepted_at"][0],
                batch.arrays["valid_at"][0],
                batch.arrays["taken_at"][0],
                batch.cycles,
            )
            for batch in batches
        ]

    def _error(self, outcome: RunOutcome, batch: StreamBatch) -> SimulationError:
        counts = batch.accepted, batch.answered, batch.count
        if outcome == RunOutcome.TIMEOUT:
            return SimulationTimeout(self.design, batch.cycles, batch.max_idle, *counts)
        if outcome == RunOutcome.UNEXPECTED:
            return UnexpectedResponse(self.design, batch.cycles, batch.accepted)
        return SimulationError(f"{self.design}: {batch.error.decode(errors='replace')}")
