"""Yosys, with ABC, as the synthesizer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import get_args

from flow.synthesizer.interface import Mapper, Source, Synthesizer
from flow.synthesizer.mapping import Adders, Mapping, map_gates, map_registers, prepare
from flow.yosys import YosysProcess, in_yosys, yosys_version


class YosysSynthesizer(Synthesizer):
    """Yosys with ABC."""

    name = "yosys"
    adders = get_args(Adders)

    def version(self) -> str:
        """Version of Yosys."""
        return yosys_version()

    @contextmanager
    def open(self, source: Source, work: Path) -> Iterator[Mapper]:
        """Read a circuit and optimize its words: that is the same for all mappings."""
        prepared = work / "prepared.il"
        in_yosys(work / "prepare.log", prepare, source.verilog, source.top, prepared, work)
        mapper = _YosysMapper(source, prepared, work)
        try:
            yield mapper
        finally:
            mapper.close()


class _YosysMapper(Mapper):
    def __init__(self, source: Source, prepared: Path, work: Path) -> None:
        self._source, self._prepared, self._work = source, prepared, work
        self._process: YosysProcess | None = None
        self._adders = ""

    def map(self, adders: str, target_ns: float, folder: Path) -> None:
        """Map gates; registers and words are mapped once for each kind of carry chains."""
        if self._process is None or adders != self._adders:
            self.close()
            mapping = Mapping(self._source.top, self._source.kit, adders)
            log = self._work / f"{adders}.log"
            self._process = YosysProcess(log, map_registers, self._prepared, mapping, self._work)
            self._adders = adders
        self._process.call(folder / "yosys.log", map_gates, self._source.kit, target_ns, folder)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.close()
            self._process = None
