"""The ``native`` engine for systems: Verilator's model and a memory, one call per program."""

import ctypes
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
from pymtl3 import Component

from sim.batch import SimulationError
from sim.native.build import BuildOptions
from sim.native.call import call_driver
from sim.native.compiled import Compiled
from sim.native.driver import system_driver
from sim.system_run import SystemEngine, SystemRequest, SystemRun, check_system, make_end
from sim.translate import VerilogModule, translate, translate_cached

_MESSAGE = ctypes.CFUNCTYPE(None, ctypes.c_uint32)
_CHANNELS = 6


class _SystemBatch(ctypes.Structure):
    """``SystemBatch`` of system_driver.cpp."""

    _fields_ = (
        ("memory", ctypes.c_void_p),
        ("image", ctypes.c_void_p),
        ("memory_nbytes", ctypes.c_uint64),
        ("inputs", ctypes.c_void_p),
        ("input_count", ctypes.c_uint64),
        ("message", _MESSAGE),
        ("latency", ctypes.c_uint64),
        ("max_cycles", ctypes.c_uint64),
        ("power_up_seed", ctypes.c_uint64),
        ("power_up_cycles", ctypes.c_uint64),
        ("reset_at", ctypes.c_int64),
        ("reset_cycles", ctypes.c_uint64),
        ("stalls", ctypes.c_uint64 * _CHANNELS),
        ("seed", ctypes.c_uint64),
        ("core_id", ctypes.c_uint64),
        ("trace_path", ctypes.c_char_p),
        ("stop", ctypes.c_uint64),
        ("cycles", ctypes.c_uint64),
        ("instructions", ctypes.c_uint64),
        ("measured_cycles", ctypes.c_uint64),
        ("measured_instructions", ctypes.c_uint64),
        ("inputs_taken", ctypes.c_uint64),
        ("messages", ctypes.c_uint64),
        ("messages_before_reset", ctypes.c_uint64),
        ("ended", ctypes.c_uint64),
        ("cause", ctypes.c_uint64),
        ("pc", ctypes.c_uint64),
        ("inst", ctypes.c_uint64),
        ("value", ctypes.c_uint64),
        ("error", ctypes.c_char * 256),
    )


_DONE, _STOPPED, _FAILED = range(3)


class NativeSystem(Compiled, SystemEngine):
    """Runs programs on one compiled system. Threads may share it.

    Each run starts from a new model, all of whose registers are zero before reset unless a seed
    draws what they hold.

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
        super().__init__(module, system_driver, options=options, directory=directory)

    @classmethod
    def from_component(
        cls,
        factory: Callable[[], Component],
        *,
        key: str | None = None,
        sources: Iterable[Path] = (),
        options: BuildOptions | None = None,
        directory: Path | None = None,
    ) -> "NativeSystem":
        """Translate a component and build it.

        With a ``key`` the translation is kept, and neither elaborated nor translated again while
        the ``sources`` stay the same; see :func:`sim.translate.translate_cached`.
        """
        if key is None:
            module = translate(factory(), check=check_system)
        else:
            module = translate_cached(
                key, factory, sources=sources, check=check_system, directory=directory
            )
        return cls(module, options=options, directory=directory)

    def run(
        self,
        request: SystemRequest,
        *,
        vcd: Path | None = None,
        saif: Path | None = None,
        advance: Callable[[int], object] | None = None,
    ) -> SystemRun:
        """Run one program; see :func:`sim.system.run_system`.

        Parameters
        ----------
        saif
            File for the toggles of every net, from the first cycle after reset to the end of the
            run. What is not valid stays as it was, so that an idle bus costs no energy. The first
            sight of a bit that is 1 counts as a toggle; a run of no cycle at all has these, and
            nothing else, to be subtracted.
        """
        library, trace_path = self.traced_library(vcd, saif)

        image = np.frombuffer(request.memory(), np.uint8)
        memory = image.copy()
        inputs = np.array(request.inputs, np.uint32)
        messages: list[int] = []
        batch = _SystemBatch(
            memory=memory.ctypes.data,
            image=image.ctypes.data,
            memory_nbytes=len(image),
            inputs=inputs.ctypes.data,
            input_count=len(inputs),
            message=_MESSAGE(messages.append),
            latency=request.latency,
            max_cycles=request.max_cycles,
            power_up_seed=request.power_up_seed,
            power_up_cycles=request.power_up_cycles,
            reset_at=-1 if request.reset_at is None else request.reset_at,
            reset_cycles=request.reset_cycles,
            stalls=(ctypes.c_uint64 * _CHANNELS)(*request.stalls.chances),
            seed=request.stalls.seed,
            core_id=request.core_id,
            trace_path=trace_path,
        )
        if call_driver(library.run_system, batch, advance) == _FAILED:
            raise SimulationError(f"{self.design}: {batch.error.decode(errors='replace')}")
        ended = (batch.cause, batch.pc, batch.inst, batch.value)
        return SystemRun(
            end=make_end(*ended) if batch.ended else None,
            messages=tuple(messages[batch.messages_before_reset :]),
            cycles=batch.cycles,
            instructions=batch.instructions,
            measured_cycles=batch.measured_cycles,
            measured_instructions=batch.measured_instructions,
            inputs_taken=batch.inputs_taken,
            memory=memory.tobytes(),
        )
