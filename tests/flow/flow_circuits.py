"""Small circuits through the first stages of the flow, for its tests."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import catalog
from flow.kit import Kit, kit_folder
from flow.power.liberty import Library
from flow.power.liberty_reader import read_liberty
from flow.power.netlist import Netlist
from flow.synthesis import SynthesisJob, synthesize
from sim.translate import VerilogModule, translate

KIT = Kit.read(kit_folder("freepdk-45nm") / "view-tiny")
NBITS = 8


@cache
def library() -> Library:
    """Return the standard library, read once."""
    return read_liberty(KIT.liberty)


@dataclass(frozen=True)
class Circuit:
    """A synthesized design: its translation, the folder with its netlist, and what was found."""

    configuration: catalog.Configuration
    module: VerilogModule
    folder: Path
    summary: dict

    @property
    def netlist(self) -> Netlist:
        """The netlist, read anew."""
        return Netlist.from_yosys_json(self.folder / "netlist.json", library(), top=self.module.top)


def job(verilog: str, top: str, folder: Path, clock_ns: float = 3.0) -> SynthesisJob:
    """Lay out a text for synthesis."""
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "design.v"
    source.write_text(verilog)
    return SynthesisJob(source, top, KIT, clock_ns, folder, folder / "work")


def build(name: str, folder: Path, clock_ns: float = 3.0, nbits: int = NBITS) -> Circuit:
    """Translate and synthesize a design of the registry."""
    configuration = catalog.get(name).configure(nbits)
    module = translate(configuration.component("rtl"), name)
    summary = synthesize(job(module.text, name, folder, clock_ns))
    return Circuit(configuration, module, folder, summary)
