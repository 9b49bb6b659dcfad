"""What claims about AXI4-Lite circuits share: the rules of AXI, and a bound in cycles."""

from __future__ import annotations

from pathlib import Path

from rsaxcel.lab.proofs.surroundings import axi_checker
from rsaxcel.lab.proofs.surroundings.axi_checker import AxiLiteChecker
from rsaxcel.proc.sources import system_sources
from rsaxcel.rtl.axi.pins import CHANNELS, PREFIX
from rsaxcel.sim.translate import translate_cached

# of the circuit's own, at most, in which a request waits and its channel has no response
CYCLES = 3

RULES = "AXI4-Lite's rules of a slave hold as long as the master keeps its own"
"""What the property ``rules`` says."""

TOLD = (
    "awvalid",
    "awready",
    "wvalid",
    "wready",
    "bvalid",
    "bready",
    "bresp",
    "arvalid",
    "arready",
    "rvalid",
    "rready",
    "rresp",
)
"""Signals that describe a cycle."""

_RULES = """
  wire slave_broke, master_broke;
  axi_checker rules(
    .clk(clk), .reset(reset), .forget(power_up), .slave_broke(slave_broke),
    .master_broke(master_broke),
    {pins});
  assign wrong_rules = slave_broke & !master_broke;
"""


def checker() -> tuple[str, str]:
    """Verilog of the checker of AXI's rules, and of its instance, which drives ``wrong_rules``."""
    module = translate_cached(
        "axi-checker",
        AxiLiteChecker,
        sources=(*system_sources(None), Path(axi_checker.__file__)),
        top="axi_checker",
        check=lambda component: None,
    )
    return module.text, _RULES.format(pins=pins())


def pins() -> str:
    """Connect the ports with AXI's names to signals without the prefix."""
    names = (
        f"{channel}{name}"
        for channel, (_, fields) in CHANNELS.items()
        for name in (*(field for field, _ in fields), "valid", "ready")
    )
    return ", ".join(f".{PREFIX}{name}({name})" for name in names)
