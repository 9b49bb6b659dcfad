"""A translated component with a C++ driver, compiled to shared libraries on demand."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from rsaxcel.sim.native.build import BuildOptions, Trace, build_library, is_built
from rsaxcel.sim.translate import VerilogModule
from rsaxcel.store.foreign import ForeignLibrary


class Compiled:
    """Shared libraries of Verilog with a driver: without traces, and for each kind of trace.

    ``quickly``: compile without optimization first, in half the time, unless the optimized library
    is stored; see ``optimize``.
    """

    def __init__(
        self,
        module: VerilogModule,
        driver: Callable[[VerilogModule, Trace | None], str],
        *,
        options: BuildOptions | None = None,
        quickly: bool = False,
        directory: Path | None = None,
    ) -> None:
        self.module = module
        self.design = module.top
        self._driver = driver
        self._optimized = self._options = options or BuildOptions()
        self._directory = directory
        self._libraries: dict[tuple[Trace | None, BuildOptions], ForeignLibrary] = {}
        if quickly and not self._is_optimized_built():
            self._options = replace(self._optimized, optimize="-O0")
        self.library(None)

    def optimize(self) -> None:
        """Use optimized libraries from now on; each is compiled when it is first needed."""
        self._options = self._optimized

    def _is_optimized_built(self) -> bool:
        driver = self._driver(self.module, None)
        parts = self.module.text, self.module.top, driver, self._optimized
        return is_built(*parts, directory=self._directory)

    def library(self, trace: Trace | None) -> ForeignLibrary:
        """Return the library for a kind of trace, and load it at the first call."""
        options = self._options
        if (trace, options) not in self._libraries:
            path = build_library(
                self.module.text,
                self.module.top,
                self._driver(self.module, trace),
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
