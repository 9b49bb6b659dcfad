"""Placed netlists to time and repair, timed by the embedded timer and by OpenSTA."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rsaxcel.flow.opensta import OpenSta
from rsaxcel.flow.physical.array_netlist import ArrayNetlist
from rsaxcel.flow.physical.embedded.finish import clock_nets, trees_of, write_wires
from rsaxcel.flow.physical.embedded.session import Clock, Session
from rsaxcel.flow.physical.embedded.wires import wires_of
from rsaxcel.flow.physical.floorplan import CoreArea, PhysicalCells, fixed_cells, make_core
from rsaxcel.flow.physical.netlist_files import write_json, write_verilog
from rsaxcel.flow.physical.ports import spread_ports
from rsaxcel.flow.timer import PlacedWires, StaticTiming, Timer
from tests.flow.opensta_scripts import run_opensta
from tests.flow.physical.netlists import KIT, Netlist
from tests.flow.physical.placements import place

OPENSTA = OpenSta()
GATES = {
    "NAND2_X1": ("A1", "A2"),
    "XOR2_X1": ("A", "B"),
    "AOI21_X2": ("A", "B1", "B2"),
    "INV_X1": ("A",),
    "BUF_X2": ("A",),
    "MUX2_X1": ("A", "B", "S"),
}
_OUT = {"XOR2_X1": "Z", "BUF_X2": "Z", "MUX2_X1": "Z"}


@dataclass
class Layout:
    """A placed netlist in its core."""

    netlist: ArrayNetlist
    core: CoreArea
    fixed: PhysicalCells


def laid_out(netlist: Netlist, folder: Path, seed: int = 0, utilisation: float = 0.5) -> Layout:
    """Place a netlist at random."""
    design = netlist.design(folder)
    core = make_core(design, KIT, utilisation)
    fixed = fixed_cells(core, KIT)
    place(design, core, fixed, seed)
    spread_ports(design, core, KIT)
    return Layout(design, core, fixed)


def pin_slacks(opened: Session) -> np.ndarray:
    """Slack of each pin in ns."""
    arrival, _, required = opened.pins()
    return (required - arrival).min(axis=1)


def driver_slacks(opened: Session, design: ArrayNetlist) -> np.ndarray:
    """Slack of each net's driver in ns, where the session has the pins of ``design``."""
    first, pins = design.net_pins
    return pin_slacks(opened)[pins[first[:-1]]]


def clocked(registers: int, gates: int, seed: int, logic: int = 0) -> Netlist:
    """Make registers behind clock gates and without, and logic between registers and ports.

    Register ``i`` belongs to clock gate ``i % (gates + 1)``, or to none for the last remainder.
    """
    draw = random.Random(seed)
    made = Netlist({"clk": 1, "a": 4, "en": gates}, {"y": 4})
    if not gates:
        del made.inputs["en"]
    nets = [f"a[{index}]" for index in range(4)] + [f"q{index}" for index in range(registers)]
    for index in range(logic or 2 * registers):
        kind = draw.choice(sorted(GATES))
        pins = {pin: draw.choice(nets) for pin in GATES[kind]}
        out = f"n{index}"
        made.cells[f"core.u{index}"] = (kind, {**pins, _OUT.get(kind, "ZN"): out})
        nets.append(out)
    for index in range(gates):
        enable = "en" if gates == 1 else f"en[{index}]"
        pins = {"E": enable, "CK": "clk", "GCK": f"gated{index}"}
        made.cells[f"core.gate{index}"] = ("CLKGATE_X1", pins)
    for index in range(registers):
        group = index % (gates + 1)
        clock = f"gated{group}" if group < gates else "clk"
        data = draw.choice(nets)
        pins = {"D": data, "CK": clock, "Q": f"q{index}"}
        made.cells[f"core.r{index}"] = ("DFF_X1", pins)
    for index in range(4):
        pins = {"A": draw.choice(nets[4:]), "ZN": f"y[{index}]"}
        made.cells[f"out{index}"] = ("INV_X1", pins)
    return made


def analyse(
    design: ArrayNetlist,
    clock: Clock,
    clock_ns: float,
    folder: Path,
    timer: Timer = OPENSTA,
    **margins: float,
) -> StaticTiming:
    """Time a design, by default with OpenSTA, on the wires that the embedded tool writes."""
    write_verilog(design, folder / "placed.v")
    write_json(design, folder / "placed.json")
    spef = folder / "placed.spef"
    write_wires(spef, design, trees_of(design), clock_nets(design, KIT), wires_of(KIT))
    return timer.analyse(
        folder / "placed.v",
        design.top,
        KIT,
        clock_ns=clock_ns,
        work_dir=folder / "work",
        slews=folder / "slews.txt",
        wires=PlacedWires(spef, clock.port_latency_ns, **margins),
    )


def latencies_ns(folder: Path, pins: Iterable[str]) -> dict[str, float]:
    """Arrival of the clock at pins by OpenSTA, in a folder where OpenSTA ran."""
    # A node of the flow has a folder for each corner.
    text = next((folder / "work").rglob("timing.tcl")).read_text()
    script = text.partition('puts "timing written"')[0]
    for name in pins:
        script += f'puts "PIN {name}"\nreport_path -max -digits 6 [get_pins {{{name}}}] rise\n'
    found = {}
    for part in run_opensta(script, folder / "work").split("PIN ")[1:]:
        name, _, path = part.partition("\n")
        times = [line.split()[1] for line in path.splitlines() if " ^ " in line or " v " in line]
        found[name] = float(times[-1])
    return found
