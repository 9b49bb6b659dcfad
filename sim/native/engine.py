"""The ``native`` engine: Verilator's model in a shared library, one call per batch."""

import ctypes
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
from pymtl3 import Component

from sim.batch import (
    MAX_IDLE_CYCLES,
    Batch,
    SimulationError,
    SimulationTimeout,
    UnexpectedResponse,
    check_run,
)
from sim.native.build import BuildOptions
from sim.native.call import call_driver
from sim.native.compiled import Compiled
from sim.native.driver import stream_driver
from sim.native.packing import pack, unpack, words
from sim.stalls import NO_STALLS, StallProfile
from sim.translate import VerilogModule, translate, translate_cached


class _StreamBatch(ctypes.Structure):
    """``StreamBatch`` of stream_driver.cpp."""

    _fields_ = (
        ("requests", ctypes.c_void_p),
        ("responses", ctypes.c_void_p),
        ("source_delay", ctypes.c_void_p),
        ("sink_delay", ctypes.c_void_p),
        ("accepted_at", ctypes.c_void_p),
        ("valid_at", ctypes.c_void_p),
        ("taken_at", ctypes.c_void_p),
        ("count", ctypes.c_uint64),
        ("in_flight", ctypes.c_uint64),
        ("max_idle", ctypes.c_uint64),
        ("reset_at", ctypes.c_int64),
        ("trace_path", ctypes.c_char_p),
        ("stop", ctypes.c_uint64),
        ("cycles", ctypes.c_uint64),
        ("accepted", ctypes.c_uint64),
        ("answered", ctypes.c_uint64),
        ("error", ctypes.c_char * 256),
    )


_DONE, _TIMEOUT, _UNEXPECTED, _STOPPED, _FAILED = range(5)


class NativeEngine(Compiled):
    """Runs batches on one compiled component. Threads may share it.

    Each batch starts from a new model, all of whose registers are zero before reset.

    Parameters
    ----------
    module
        Translated RTL, or other Verilog behind the same ports.
    options
        How to build it.
    directory
        Where libraries are kept; see :func:`sim.cache.cache_root`.

    Raises
    ------
    ToolError
        If a tool is missing or refuses the Verilog.
    CacheError
        If the library can't be stored.
    """

    def __init__(
        self,
        module: VerilogModule,
        *,
        options: BuildOptions | None = None,
        directory: Path | None = None,
    ) -> None:
        super().__init__(module, stream_driver, options=options, directory=directory)
        self._fields = tuple((field.name, field.width) for field in module.request.fields)

    @classmethod
    def from_component(
        cls,
        factory: Callable[[], Component],
        *,
        key: str | None = None,
        sources: Iterable[Path] = (),
        options: BuildOptions | None = None,
        directory: Path | None = None,
    ) -> "NativeEngine":
        """Translate a component and build it.

        With a ``key`` the translation is kept, and neither elaborated nor translated again while
        the ``sources`` stay the same; see :func:`sim.translate.translate_cached`.
        """
        if key is None:
            module = translate(factory())
        else:
            module = translate_cached(key, factory, sources=sources, directory=directory)
        return cls(module, options=options, directory=directory)

    def run(
        self,
        requests: Sequence[tuple[int, ...]],
        *,
        stalls: StallProfile = NO_STALLS,
        in_flight: int | None = 1,
        max_idle_cycles: int = MAX_IDLE_CYCLES,
        reset_at: int | None = None,
        vcd: Path | None = None,
        saif: Path | None = None,
    ) -> Batch:
        """Run one batch; see :func:`sim.engine.run`.

        Parameters
        ----------
        saif
            File for the toggles of every net, over a window that starts and ends in an idle cycle
            around the batch. Between requests the message stays as it was, so that an idle bus
            costs no energy. The first sight of a bit that is 1 counts as a toggle; a run of no
            request at all has these, and nothing else, to be subtracted.
        """
        check_run(
            self.design,
            self._fields,
            requests,
            in_flight=in_flight,
            max_idle_cycles=max_idle_cycles,
            reset_at=reset_at,
        )
        library, trace_path = self.traced_library(vcd, saif)

        count = len(requests)
        packed = pack(self.module.request, requests)
        answers = np.zeros((count, words(self.module.response.width)), np.uint32)
        source_delay, sink_delay = (np.array(d, np.uint64) for d in stalls.delays(count))
        accepted, valid, taken = (np.full(count, -1, np.int64) for _ in range(3))
        batch = _StreamBatch(
            requests=packed.ctypes.data,
            responses=answers.ctypes.data,
            source_delay=source_delay.ctypes.data,
            sink_delay=sink_delay.ctypes.data,
            accepted_at=accepted.ctypes.data,
            valid_at=valid.ctypes.data,
            taken_at=taken.ctypes.data,
            count=count,
            in_flight=max(count, 1) if in_flight is None else in_flight,
            max_idle=max_idle_cycles,
            reset_at=-1 if reset_at is None else reset_at,
            trace_path=trace_path,
        )
        outcome = call_driver(library.run_stream_batch, batch)
        if outcome == _TIMEOUT:
            raise SimulationTimeout(
                self.design, batch.cycles, max_idle_cycles, batch.accepted, batch.answered, count
            )
        if outcome == _UNEXPECTED:
            raise UnexpectedResponse(self.design, batch.cycles, batch.accepted)
        if outcome == _FAILED:
            raise SimulationError(f"{self.design}: {batch.error.decode(errors='replace')}")
        result = Batch(
            list(unpack(self.module.response, answers)),
            accepted.tolist(),
            [*valid.tolist()],
            [*taken.tolist()],
            batch.cycles,
        )
        if reset_at is not None:
            _mark_dropped(result)
        return result


def _mark_dropped(batch: Batch) -> None:
    for index, cycle in enumerate(batch.taken):
        if cycle is not None and cycle < 0:
            batch.responses[index] = batch.valid[index] = batch.taken[index] = None
