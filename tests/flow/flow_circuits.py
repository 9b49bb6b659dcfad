"""Small circuits through the first stages of the flow, for its tests."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from rsaxcel import catalog
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.libraries import find_kit
from rsaxcel.flow.nodes.synthesis import synthesize
from rsaxcel.flow.power.liberty import Library
from rsaxcel.flow.power.liberty_reader import read_liberty
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.synthesizer.interface import MappingSource
from rsaxcel.lab.faults.target import FaultTarget
from rsaxcel.sim.translate import VerilogModule, translate

KIT = find_kit("freepdk-45nm")
NBITS = 8

STREAMS = Path(__file__).with_name("streams.sv").read_text("utf-8")
"""Circuit that passes a message on; ``{valid}`` is its condition for send.val."""

ENABLED = Path(__file__).with_name("enabled.sv").read_text("utf-8")
"""A wide register that shifts; its enable comes from another register."""


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

    def fault_target(self) -> FaultTarget:
        """Compile the netlist for the injection of faults."""
        text = (self.folder / "netlist.json").read_text()
        return FaultTarget(self.configuration, self.netlist, self.module, text)


def synthesized(
    verilog: str, top: str, folder: Path, clock_ns: float = 3.0, kit: Kit = KIT
) -> dict[str, Any]:
    """Synthesize a Verilog text; the netlist is in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "design.v"
    source.write_text(verilog)
    return synthesize(MappingSource(source, top, kit), clock_ns, folder, folder / "work")


def build(name: str, folder: Path, clock_ns: float = 3.0, nbits: int = NBITS, **params) -> Circuit:
    """Translate and synthesize a design of the registry."""
    configuration = catalog.get(name).configure(nbits, **params)
    module = translate(configuration.component("rtl"), name)
    summary = synthesized(module.text, name, folder, clock_ns)
    return Circuit(configuration, module, folder, summary)
