"""Files of a small placed circuit by hand, as a run of the flow leaves them, and its record.

Two modules and the top level: ``core.a`` has eight gates of 1.064 um2 each in a chain, ``core.b``
two flip-flops behind a clock gate, the top level one clock buffer and one flip-flop.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from rsaxcel.flow.files import write_json
from rsaxcel.flow.names import inclusive, module_path
from rsaxcel.flow.nodes.placed_power import CELL_ENERGIES
from rsaxcel.flow.physical.def_file import write_def
from rsaxcel.flow.physical.floorplan import fill_gaps, fixed_cells, make_core
from rsaxcel.flow.physical.ports import spread_ports
from rsaxcel.flow.record import Record
from tests.eval.made_up_records import operation, record
from tests.flow.physical.netlists import KIT, Netlist, library
from tests.flow.physical.placements import place

GATES = 8
ENERGY_NJ = 0.5
"""Energy of each cell in an encryption; a gate of ``core.a`` has a fifth of it by glitches."""

INPUTS_NJ = 0.25
"""Energy of the nets that input ports drive, which is in no cell."""

CAPACITY = {
    "horizontal": [[1.0, 0.0], [6.0, 0.0]],
    "vertical": [[2.0, 3.0], [0.0, 0.0]],
    "horizontal_tracks": [[4.0, 0.0], [4.0, 0.0]],
    "vertical_tracks": [[4.0, 4.0], [0.0, 0.0]],
}
"""Tracks in a grid of two by two; two are lacking in the upper row."""


def netlist() -> Netlist:
    """Make the netlist; the clock goes through a buffer, for ``core.b`` through a gate, too."""
    made = Netlist({"clk": 1, "a": 1, "enable": 1}, {"y": 1})
    net = "a"
    for number in range(GATES):
        cell = f"core.a.g{number}"
        made.cells[cell] = ("XOR2_X1", {"A": net, "B": "a", "Z": f"n{number}"})
        net = f"n{number}"
    made.cells["rb0"] = ("CLKBUF_X3", {"A": "clk", "Z": "tree"})
    made.cells["core.b.gate"] = ("CLKGATE_X1", {"CK": "tree", "E": "enable", "GCK": "gated"})
    for number in range(2):
        name = f"core.b.r_reg[{number}]_ff"
        made.cells[name] = ("DFF_X1", {"D": net, "CK": "gated", "Q": f"q{number}"})
        net = f"q{number}"
    made.cells["last_ff"] = ("DFF_X1", {"D": net, "CK": "tree", "Q": "y"})
    return made


SINKS = {
    "core.b.gate/CK": 0.05,
    "core.b.r_reg[0]_ff/CK": 0.1,
    "core.b.r_reg[1]_ff/CK": 0.11,
    "last_ff/CK": 0.09,
}
"""Latency of each clock sink in ns."""


def placed_files(folder: Path) -> tuple[Record, dict[str, Path]]:
    """Write the files into a folder; return the record, and the files by name."""
    design = netlist().design(folder)
    (folder / "netlist.json").rename(folder / "placed.json")
    core = make_core(design, KIT, 0.5)
    fixed = fixed_cells(core, KIT)
    place(design, core, fixed)
    spread_ports(design, core, KIT)
    fillers = fill_gaps(design, core, KIT, fixed)
    write_def(folder / "placed.def", design, core, KIT, fixed, fillers)
    np.savez(folder / "capacity.npz", **{name: np.array(x) for name, x in CAPACITY.items()})
    clock = {"latency_ns": SINKS, "mean_latency_ns": 0.1, "skew_ns": 0.02, "buffers": 1}
    write_json(folder / "clock.json", {**clock, "insertion_delay_ns": 0.11})
    points = [[f"core.a.g{number}/{pin}", 0.0] for number in range(GATES) for pin in "AZ"]
    points += [["core.b.r_reg[0]_ff/D", 0.0]]
    path = {"start": "a", "end": "core.b.r_reg[0]", "delay_ns": 0.75, "points": points}
    write_json(folder / "placed-timing.json", {"critical_path": path})
    write_json(folder / "placed-power.json", {"operations": {}})
    names = sorted(netlist().cells)
    energy = np.full(len(names), ENERGY_NJ, np.float32)
    glitches = np.array(
        [0.2 * ENERGY_NJ * name.startswith("core.a.") for name in names], np.float32
    )
    arrays = {"encrypt.energy_nj": energy, "encrypt.glitch_nj": glitches}
    np.savez(folder / CELL_ENERGIES, **arrays)
    found = _record(core.width * core.height / 4e6)
    write_json(folder / "placed-record.json", found.as_json())
    return found, {x.name: x for x in folder.iterdir()}


def _record(core_um2: float) -> Record:
    cells = library().cells
    own: dict[str, float] = {}
    energies: dict[str, float] = {"": INPUTS_NJ}
    glitches: dict[str, float] = {"": 0.0}
    for name, (kind, _) in netlist().cells.items():
        path = module_path(name)
        own[path] = own.get(path, 0.0) + cells[kind].area_um2
        energies[path] = energies.get(path, 0.0) + ENERGY_NJ
        lost = 0.2 * ENERGY_NJ if path == "core.a" else 0.0
        glitches[path] = glitches.get(path, 0.0) + lost
    by_module = {
        path: {"energy_nj": energy, "glitch_nj": inclusive(glitches)[path]}
        for path, energy in inclusive(energies).items()
    }
    whole = by_module[""]
    encrypt = replace(
        operation(17, 100, 2.0, 1.0),
        energy_nj=whole["energy_nj"],
        energy_lower_nj=whole["energy_nj"] - whole["glitch_nj"],
        by_module=by_module,
    )
    made = record("top", 8, 2.0, 1.5, inclusive(own), {"encrypt": encrypt}, 3)
    layout = {"core_area_um2": core_um2, "utilisation": 0.5, "physical": {"tool": "by hand"}}
    return replace(made, stage="placed", **layout)  # type: ignore[arg-type]
