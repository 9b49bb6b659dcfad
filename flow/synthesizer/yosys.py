"""Yosys, with ABC, as the synthesizer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import get_args

from rsaxcel.flow.synthesizer.interface import Mapper, MappingSource, Synthesizer
from rsaxcel.flow.synthesizer.mapping import (
    GAINS,
    LOW_GAIN,
    Adders,
    map_gates,
    map_registers,
    prepare,
)
from rsaxcel.flow.yosys import YosysProcess, in_yosys, yosys_version


class YosysSynthesizer(Synthesizer):
    """Synthesizer that runs Yosys, which calls ABC."""

    name = "yosys"
    *adders, last_resort = get_args(Adders)

    def version(self) -> str:
        return yosys_version()

    @contextmanager
    def open(self, source: MappingSource, work: Path) -> Iterator[Mapper]:
        prepared = work / "prepared.il"
        in_yosys(work / "prepare.log", prepare, source.verilog, source.top, prepared, work)
        with ExitStack() as processes:
            yield _YosysMapper(source, prepared, work, processes)


class _YosysMapper(Mapper):
    def __init__(
        self, source: MappingSource, prepared: Path, work: Path, processes: ExitStack
    ) -> None:
        self._source, self._prepared, self._work = source, prepared, work
        self._processes = processes
        self._mapped: dict[str, YosysProcess] = {}

    def map(self, adders: str, target_ns: float, folder: Path) -> None:
        """Map the circuit to cells, and write the netlist; see ``Mapper.map``.

        Registers and word-level operators do not depend on the target delay: they are mapped only
        if ``adders`` changes.
        """
        source = self._source
        carries = "prefix" if adders == "fast" else adders
        if carries not in self._mapped:
            self._processes.close()
            given = self._prepared, source.top, source.kit, carries, self._work
            process = YosysProcess(self._work / f"{carries}.log", map_registers, *given)
            self._mapped = {carries: self._processes.enter_context(closing(process))}
        process, log = self._mapped[carries], folder / "yosys.log"
        for gain in GAINS:
            process.call(log, map_gates, source.kit, target_ns, folder, adders, gain)
            if LOW_GAIN not in log.read_text(errors="replace"):
                return
