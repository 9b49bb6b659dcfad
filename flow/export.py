"""Folders with a circuit for other flows: OpenROAD on the same netlist, LibreLane on the Verilog.

No path in a folder leads outside.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.layout import ROUTED
from rsaxcel.flow.libraries import find_kit, pdk_of
from rsaxcel.flow.physical.array_netlist import read_array_netlist
from rsaxcel.flow.physical.floorplan import make_core
from rsaxcel.flow.physical.interface import ROUTE, STEPS, PlacementTask
from rsaxcel.flow.physical.lef import geometry
from rsaxcel.flow.physical.openroad.script import PLACED, script, variables, write_inputs
from rsaxcel.flow.plain_verilog import plain_verilog
from rsaxcel.sim.translate import VerilogModule
from rsaxcel.store.errors import UserError
from rsaxcel.store.folders import unwritable

_LIBRARY = "library"
_PLACED = ("placed.v", "placed.def", "placed.spef")

_OPENROAD = """\
# {top} for OpenROAD

Written by rsaxcel: {what}.

    openroad -no_init -no_splash -exit run.tcl
    openroad -no_init -no_splash -exit placed.tcl

`run.tcl` is the script that `rsaxcel flow --physical openroad` runs, all steps in one: floorplan,
placement, repair, clock tree, repair of timing, wires. It reads `netlist.v` (synthesized),
`floorplan.def` (core, rows, tracks, well taps, power straps) and `constraints.sdc`, and writes a
database and a DEF file after each step. OpenROAD of 2023 or newer is needed.

`placed.tcl` reads the layout that rsaxcel has made ({tool}): `placed.def`, its netlist
`placed.v` and its wires `placed.spef`. It checks that all places are legal, tells the timing with
these wires and with OpenROAD's own estimate, and routes globally. Lines of its output that begin
with `figure` have the results: slacks in ns.

The library's files are in `library`; see the licence of {library}.
"""

_LIBRELANE = """\
# {top} for LibreLane

Written by rsaxcel: {what}.

    librelane config.json

`config.json` names the Verilog, the clock and the constraints; LibreLane synthesizes and places for
{process}.

The folder `{library}` has rsaxcel's own layout for comparison: netlist, places and wires.
"""

_OF_PDK = """\
the PDK that `PDK` names, which has to lie where PDK_ROOT says. LibreLane 3.0.10 takes a placed
layout as the input `def` of its step OpenROAD.DEFtoODB, which its usual flow does not have: a flow
of steps that begins with it can route `placed.def`. That was not tried"""

_OTHER = """\
its own process (sky130A unless `--pdk` names another one). The clock period of {job.clock_ns:g} ns
was asked of {job.library}: choose `CLOCK_PERIOD` for your process"""

_LIBRELANE_SDC = """\
# LibreLane sets the variables of the environment.
create_clock -name clk -period $::env(CLOCK_PERIOD) [get_ports $::env(CLOCK_PORT)]
set delay [expr {0.2 * $::env(CLOCK_PERIOD)}]
set inputs {}
foreach port [all_inputs] {
  if {[get_property $port full_name] ne $::env(CLOCK_PORT)} { lappend inputs $port }
}
set_input_delay $delay -clock clk $inputs
set_output_delay $delay -clock clk [all_outputs]
"""


def export_openroad(job: FlowJob, files: Mapping[str, Path], folder: Path) -> None:
    """Write a folder for OpenROAD; ``files`` are those of a ``TimedNetlist``."""
    kit = find_kit(job.library)
    task = PlacementTask.of(job, kit, files["netlist.json"])
    given = read_array_netlist(task.netlist, task.top, geometry(kit).kinds)
    core = make_core(given, kit, task.utilisation)
    _make(folder, _LIBRARY)
    library = [folder / _LIBRARY / path.name for path in (*kit.layout.lef, kit.liberty)]
    for source, target in zip((*kit.layout.lef, kit.liberty), library, strict=True):
        shutil.copyfile(source, target)
    *lefs, liberty = (str(path.relative_to(folder)) for path in library)
    # Paths of this machine, such as the rules', are left out of the folder.
    settings = {**variables(task, core, lefs, liberty), "rules": ""}
    steps = (*STEPS[:-1], ROUTE) if job.stage == ROUTED else STEPS
    write_inputs(task, given, core, folder)
    (folder / "run.tcl").write_text(script(steps, settings))
    for name in _PLACED:
        shutil.copyfile(files[name], folder / name)
    (folder / "placed.tcl").write_text(script([PLACED], settings))
    _write_readme(folder, _OPENROAD, job)


def export_librelane(
    job: FlowJob, files: Mapping[str, Path], folder: Path, verilog: VerilogModule
) -> None:
    """Write a folder for LibreLane."""
    name = find_kit(job.library).name
    _make(folder, "src", name)
    (folder / "src" / f"{job.design}.v").write_text(plain_verilog(verilog, contents=False))
    (folder / "constraints.sdc").write_text(_LIBRELANE_SDC)
    config = {
        "DESIGN_NAME": job.design,
        "VERILOG_FILES": [f"dir::src/{job.design}.v"],
        "CLOCK_PORT": "clk",
        "CLOCK_PERIOD": job.clock_ns,
        "FP_CORE_UTIL": round(100 * job.utilisation),
        "PNR_SDC_FILE": "dir::constraints.sdc",
        "SIGNOFF_SDC_FILE": "dir::constraints.sdc",
    }
    pdk, _, cells = pdk_of(job.library).partition("/")
    if pdk:
        config |= {"PDK": pdk} | ({"STD_CELL_LIBRARY": cells} if cells else {})
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    for file in _PLACED:
        shutil.copyfile(files[file], folder / name / file)
    _write_readme(folder, _LIBRELANE, job)


def _make(folder: Path, *inside: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UserError(f"{folder} is not empty")
        for name in inside:
            (folder / name).mkdir()
    except OSError as error:
        raise unwritable(folder, error) from error


def _write_readme(folder: Path, text: str, job: FlowJob) -> None:
    what = f"{job.name}, {job.library}, clock {job.clock_ns:g} ns, utilisation {job.utilisation:g}"
    written = text.format(
        top=job.design,
        what=what,
        tool=job.physical,
        library=find_kit(job.library).name,
        process=_OF_PDK if pdk_of(job.library) else _OTHER.format(job=job),
    )
    (folder / "README.md").write_text(written)
