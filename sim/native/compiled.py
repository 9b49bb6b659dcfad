"""A translated component with a C++ driver, compiled to shared libraries on demand.

A driver is the code around Verilator's model, ``Dut.h``, for given ports and messages: it exports a
C function that runs batches.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Self

from pymtl3 import Component

from rsaxcel.sim.native.build import BuildOptions, Trace, build_library, is_built
from rsaxcel.sim.native.ports import STREAM_PORTS, SYSTEM_PORTS, Ports, check_memory_messages
from rsaxcel.sim.native.protocol import (
    CallControl,
    ModelSetup,
    ProgramResult,
    RunOutcome,
    StreamBatch,
    SystemBatch,
)
from rsaxcel.sim.native.records import records_source
from rsaxcel.sim.native.source import bench_source, read_sources
from rsaxcel.sim.translate import VerilogModule, translate, translate_cached
from rsaxcel.store.foreign import ForeignLibrary

_FOLDER = Path(__file__).parent
_SOURCES = ("model.h", "stream_driver.cpp", "system_driver.cpp")


def stream_driver(module: VerilogModule, trace: Trace | None = None) -> str:
    """C++ source of the driver of a module with the streams recv and send: ``run_streams``."""
    records = records_source((CallControl, ModelSetup, StreamBatch), [RunOutcome])
    generated = {"records.h": records, "ports.h": _ports(STREAM_PORTS, module)}
    return _traced(trace) + _driver("stream_driver.cpp", generated)


def system_driver(module: VerilogModule, trace: Trace | None = None) -> str:
    """C++ source of the driver of a module with the ports of a system: ``run_systems``.

    ``ValueError`` unless its memory messages are ``MemReqMsg`` and ``MemRespMsg``.
    """
    check_memory_messages(module.messages)
    records = records_source((CallControl, ModelSetup, ProgramResult, SystemBatch), [RunOutcome])
    generated = {"records.h": records, "ports.h": _ports(SYSTEM_PORTS, module)}
    return _traced(trace) + _driver("system_driver.cpp", generated)


def _driver(name: str, generated: dict[str, str]) -> str:
    return bench_source(name, read_sources(_FOLDER, _SOURCES) | generated)


def _traced(trace: Trace | None) -> str:
    return f"#define DUT_TRACE_{trace.upper()}\n" if trace else ""


def _ports(ports: Ports, module: VerilogModule) -> str:
    """C++ source of the structure ``DutPorts``: a member for each port, to access it in ``Dut``."""

    def member(port: str) -> str:
        """Name of a port in Verilator's C++, which encodes double underscores."""
        return port.replace("__", "___05F")

    def kind(port: str) -> str:
        message = module.messages.get(port)
        nbits = f", {message.port_nbits}" if message else ""
        return f"Port<decltype(Dut::{member(port)}){nbits}>"

    return ports.source("DutPorts", "Dut& dut", kind, lambda port: f"dut.{member(port)}")


class Compiled:
    """Shared libraries of Verilog with a driver: without traces, and for each kind of trace.

    ``quickly``: compile without optimization first, in half the time, unless the optimized library
    is stored; see ``optimize``.
    """

    @staticmethod
    def driver(module: VerilogModule, trace: Trace | None = None) -> str:
        """Generate the driver's C++."""
        raise NotImplementedError

    @staticmethod
    def check(component: Component) -> object:
        """Raise ``ValueError`` if a component lacks interfaces."""
        raise NotImplementedError

    def __init__(
        self,
        module: VerilogModule,
        *,
        options: BuildOptions | None = None,
        quickly: bool = False,
        directory: Path | None = None,
    ) -> None:
        self.module = module
        self.design = module.top
        self._optimized = self._options = options or BuildOptions()
        self._directory = directory
        self._libraries: dict[tuple[Trace | None, BuildOptions], ForeignLibrary] = {}
        if quickly:
            own = module.text, module.top, self.driver(module)
            if not is_built(*own, self._optimized, directory):
                self._options = replace(self._optimized, optimize="-O0")
        self.library(None)

    @classmethod
    def from_component(
        cls,
        factory: Callable[[], Component],
        *,
        key: str | None = None,
        sources: Iterable[Path] = (),
        options: BuildOptions | None = None,
    ) -> Self:
        """Translate and build a component; ``key`` as in ``sim.translate.translate_cached``."""
        if key is None:
            module = translate(factory(), check=cls.check)
        else:
            module = translate_cached(key, factory, sources=sources, check=cls.check)
        return cls(module, options=options)

    def optimize(self) -> None:
        """Use optimized libraries from now on; each is compiled when it is first needed."""
        self._options = self._optimized

    def library(self, trace: Trace | None) -> ForeignLibrary:
        """Return the library for a kind of trace, and load it at the first call."""
        options = self._options
        if (trace, options) not in self._libraries:
            path = build_library(
                self.module.text,
                self.module.top,
                self.driver(self.module, trace),
                options=options,
                trace=trace,
                directory=self._directory,
            )
            self._libraries[trace, options] = ForeignLibrary(path)
        return self._libraries[trace, options]

    def traced_library(
        self, vcd: Path | None, saif: Path | None
    ) -> tuple[ForeignLibrary, bytes | None]:
        """Return the library for a run, and the path of its trace as bytes for the driver.

        ``ValueError`` if a waveform and toggle counts are both wanted.
        """
        if vcd is not None and saif is not None:
            raise ValueError("vcd and saif: only one trace per run is allowed")
        path = vcd or saif
        if path is not None:
            path.touch()
        library = self.library("vcd" if vcd else "saif" if saif else None)
        return library, None if path is None else str(path).encode()
