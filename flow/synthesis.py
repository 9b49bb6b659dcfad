"""Synthesis: translated Verilog to a mapped netlist, with Yosys and ABC.

Units with streams of their own (step machines, multipliers, dividers) are the boundaries. What lies
below them is flattened into them and optimized as a whole; each distinct unit is mapped once,
however many instances it has. The mapped hierarchy is flattened at the end, so that the netlist's
names tell which unit a cell belongs to.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flow.errors import FlowError
from flow.kit import Kit
from flow.node import main, write_json
from flow.power.liberty_reader import read_liberty
from flow.yosys import Yosys, in_yosys, register_names, yosys_version

SEPARATOR = "."
_FLIP_FLOP = "_ff"
_ADDERS = Path(__file__).with_name("adders.v")
# A register-to-register path also has the clock-to-output delay and the setup time of NanGate's
# DFF_X1, which ABC does not see.
_REGISTER_NS = 0.13
_MAX_FANOUT = 16


@dataclass(frozen=True)
class Job:
    """What the process that runs Yosys needs.

    Parameters
    ----------
    verilog, top
        Translated Verilog and the name of its top module.
    kit
        The library.
    clock_ns
        Clock period to meet.
    outputs, work
        Folders of the results, and of the log and whatever else Yosys and ABC read and write.
    """

    verilog: Path
    top: str
    kit: Kit
    clock_ns: float
    outputs: Path
    work: Path


def synthesize(job: Job) -> dict[str, Any]:
    """Synthesize and return areas and counts.

    Writes ``netlist.v`` and ``netlist.json``, flat and of library cells, to the job's outputs.

    Raises
    ------
    FlowError
        If Yosys fails, or the result has a latch, an unmapped cell or an undriven net.
    """
    for folder in (job.outputs, job.work):
        folder.mkdir(parents=True, exist_ok=True)
    in_yosys(job.work / "yosys.log", run_yosys, job)
    return summarize(job)


def run_yosys(job: Job) -> None:
    """Map and write; runs in Yosys's process, in the folder for its files."""
    os.chdir(job.work)
    yosys = Yosys()
    yosys.run(f"read_liberty -lib {job.kit.liberty}")
    yosys.read_verilog(job.verilog)
    yosys.run(f"hierarchy -check -top {job.top}", "proc", "check -nolatches -assert")
    keep_units(yosys)
    _optimize(yosys)
    _map(yosys, job)
    yosys.run("setattr -mod -unset keep_hierarchy *", "flatten -noscopeinfo", "opt_clean -purge")
    yosys.run("check -mapped -assert", "setattr -unset src *", "setattr -unset registers *")
    netlist = job.outputs / "netlist"
    yosys.run(f"write_verilog -noattr -noexpr -nohex -simple-lhs {netlist}.v")
    yosys.run(f"write_json {netlist}.json")


def keep_units(yosys: Yosys) -> None:
    """Mark the modules that have a stream of their own as boundaries."""
    for module in yosys.modules():
        ports = {port.str() for port in module.ports}
        if any(port.endswith("__val") and f"{port[:-3]}rdy" in ports for port in ports):
            module.set_bool_attribute(yosys.lib.IdString("\\keep_hierarchy"), True)


def _optimize(yosys: Yosys) -> None:
    yosys.run("flatten -noscopeinfo", "opt_expr", "opt_clean", "opt -full -nodffe -nosdff")
    yosys.run("opt -hier", "wreduce", "peepopt", "opt_clean", "booth", "alumacc")
    yosys.run("opt -full -hier", f"techmap -map +/techmap.v -map {_ADDERS}")
    yosys.run("opt -fast -hier", "opt -full", "setundef -zero", "opt_clean")


def _map(yosys: Yosys, job: Job) -> None:
    kit = job.kit
    dont_use = " ".join(f"-dont_use {pattern}" for pattern in kit.unusable)
    yosys.run(f"dfflibmap -liberty {kit.liberty} {dont_use}", "opt_clean")
    _name_flip_flops(yosys)
    Path("abc.constr").write_text(
        f"set_driving_cell {kit.driving_cell}\nset_load {kit.port_load_ff}\n"
    )
    script = abc_script(job.clock_ns)
    yosys.run(f"abc -liberty {kit.liberty} {dont_use} -constr abc.constr -script +{script}")
    high, low = (" ".join(tie) for tie in (kit.tie_high, kit.tie_low))
    yosys.run("opt_clean -purge", f"hilomap -singleton -hicell {high} -locell {low}", "opt_clean")
    # Names that Verilog, timing and simulation share; flattening puts the path before them.
    yosys.run("rename -enumerate -pattern g% c:$*", "rename -enumerate -pattern n% w:$*")


def abc_script(clock_ns: float) -> str:
    """Commands for ABC, with commas for blanks: restructure, map, buffer, size."""
    target_ps = max(1, round((clock_ns - _REGISTER_NS) * 1000))
    commands = (
        "strash",
        "&get -n",
        "&st",
        "&dch -f",
        "&nf",
        "&put",
        f"buffer -c -N {_MAX_FANOUT}",
        "topo",
        f"upsize -c -D {target_ps}",
        f"dnsize -c -D {target_ps}",
        "stime -p",
    )
    return ";".join(commands).replace(" ", ",")


def _name_flip_flops(yosys: Yosys) -> None:
    """Name each flip-flop after the register and bit that it holds."""
    yosys.run("write_json flip_flops.json")
    modules = json.loads(Path("flip_flops.json").read_text())["modules"]
    for module in yosys.modules():
        entry = modules[module.name.str().removeprefix("\\")]
        names = register_names(entry["netnames"])
        renames = {
            cell: f"{names[bits['Q'][0]]}{_FLIP_FLOP}"
            for cell, bits in ((c, v["connections"]) for c, v in entry["cells"].items())
            if len(bits.get("Q", ())) == 1 and bits["Q"][0] in names
        }
        cells = {cell.name.str(): cell for cell in module.cells_.values()}
        for old, new in renames.items():
            cell = cells.get(old) or cells.get(f"\\{old}")
            if cell is not None:
                module.rename(cell, yosys.lib.IdString(f"\\{new}"))


def summarize(job: Job) -> dict[str, Any]:
    """Areas and counts of the mapped netlist.

    Raises
    ------
    FlowError
        If a cell is not of the library or is a latch.
    """
    netlist = json.loads((job.outputs / "netlist.json").read_text())
    cells = netlist["modules"][job.top]["cells"]
    library = read_liberty(job.kit.liberty).cells
    counts = Counter(cell["type"] for cell in cells.values())
    for kind in counts:
        if kind not in library:
            raise FlowError(f"synthesis of {job.top} left a cell {kind} unmapped")
        if (state := library[kind].sequential) is not None and state.kind != "ff":
            raise FlowError(f"synthesis of {job.top} inferred a latch ({kind})")
    own: Counter[str] = Counter()
    for name, cell in cells.items():
        own[module_path(name)] += library[cell["type"]].area_um2
    return {
        "area_um2": round(sum(own.values()), 3),
        "area_by_module": {k: round(v, 3) for k, v in inclusive(own).items() if k},
        "cell_count": len(cells),
        "flip_flop_count": sum(n for kind, n in counts.items() if library[kind].sequential),
        "cells": dict(sorted(counts.items())),
        "tools": {"yosys": yosys_version()},
    }


def module_path(cell: str) -> str:
    """Path of the unit instance that a cell belongs to, empty for the top module."""
    return cell.rpartition(SEPARATOR)[0]


def inclusive(own: dict[str, float]) -> dict[str, float]:
    """Sum up per instance path, with all that lies below it."""
    total: Counter[str] = Counter()
    for path, area in own.items():
        parts = path.split(SEPARATOR) if path else []
        for depth in range(len(parts) + 1):
            total[SEPARATOR.join(parts[:depth])] += area
    return dict(sorted(total.items()))


def register_of(cell: str) -> str:
    """Register of a flip-flop's name, as the design calls it."""
    return re.sub(rf"{_FLIP_FLOP}$", "", cell)


def run(folder: Path, design: str, clock_ns: str) -> None:
    """Run the node: ``inputs/`` to ``outputs/``."""
    job = Job(
        verilog=(folder / "inputs/design.v").resolve(),
        top=design,
        kit=Kit.read(folder / "inputs/adk"),
        clock_ns=float(clock_ns),
        outputs=(folder / "outputs").resolve(),
        work=(folder / "work").resolve(),
    )
    write_json(folder / "outputs/synthesis.json", synthesize(job))


if __name__ == "__main__":
    main(run)
