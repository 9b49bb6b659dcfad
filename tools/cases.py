"""Designs to place, as the tools that compare layouts name them, and what came out of the flow."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rsaxcel.circuit import Target
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.files import read_json
from rsaxcel.flow.job import FlowJob, circuit_job, energy_job
from rsaxcel.flow.kit import DEFAULT_LIBRARY, find_kit
from rsaxcel.flow.layout import PLACED, Layout
from rsaxcel.flow.opensta import PlacedWires, StaticTiming, analyse_timing
from rsaxcel.flow.outline import NETLIST
from rsaxcel.flow.physical.interface import CLOCK, SPEF
from rsaxcel.flow.physical.placed import MEAN_LATENCY
from rsaxcel.flow.run import RECORD, run, stored_folders
from rsaxcel.flow.subjects import find_target


@dataclass(frozen=True)
class LaidOut:
    """A layout of the flow."""

    case: Case
    job: FlowJob
    files: Mapping[str, Path]  # of the nodes by name
    complaint: str = ""  # of the flow about a slew, a load or a hold time

    def wires(self) -> dict[str, Any]:
        """Areas, wires, buffers and overflow."""
        return read_json(self.files["wires.json"])

    def timing(self) -> StaticTiming:
        """Time the layout by OpenSTA; no limit of slews, loads or hold times is checked."""
        with tempfile.TemporaryDirectory() as folder:
            return self.case.time(self.files, Path(folder, "slews.txt"))


@dataclass(frozen=True)
class Case:
    """A design to place: name, width in bits, clock in ns, and utilisation."""

    design: str
    nbits: int
    clock_ns: float
    utilisation: float

    @classmethod
    def of(cls, text: str) -> Case:
        """Read ``NAME:NBITS:CLOCK:UTILISATION``."""
        design, nbits, clock_ns, utilisation = text.split(":")
        return cls(design, int(nbits), float(clock_ns), float(utilisation))

    def lay_out(self, physical: str, seed: int, stage: str = PLACED) -> LaidOut:
        """Take the design to a stage up to its timing, before which no node may fail."""
        layout = Layout(stage, physical, self.utilisation, seed)
        job = circuit_job(*self._asked, layout=layout)
        try:
            found = run(job, NETLIST, tell)
        except FlowError as error:
            files = self.stored(layout)
            if SPEF not in files:
                raise
            tell(str(error))
            return LaidOut(self, job, files, str(error))
        return LaidOut(self, found.job, found.files)

    def stored(self, layout: Layout) -> dict[str, Path]:
        """Files of the stored results by name, up to the first node that has none."""
        folders = stored_folders(energy_job(*self._asked, layout=layout), RECORD)
        folders.pop("run", None)
        return {path.name: path for folder in folders.values() for path in folder.iterdir()}

    def time(self, files: Mapping[str, Path], slews: Path) -> StaticTiming:
        """Time a layout by OpenSTA, without limits of slews, loads or hold times."""
        return analyse_timing(
            files["placed.v"],
            self.design,
            find_kit(DEFAULT_LIBRARY),
            clock_ns=self.clock_ns,
            work_dir=slews.parent,
            slews=slews,
            wires=PlacedWires(files[SPEF], read_json(files[CLOCK])[MEAN_LATENCY], 0.0, 0.0),
        )

    @property
    def _asked(self) -> tuple[Target, str, float]:
        return find_target(self.design, self.nbits, {}), DEFAULT_LIBRARY, self.clock_ns

    def __str__(self) -> str:
        return f"{self.design}, {self.nbits} bits, {self.clock_ns:g} ns, {self.utilisation:g}"


def tell(line: str) -> None:
    print(f"  {line}", file=sys.stderr, flush=True)
