"""Scripts for OpenROAD, from files of this folder: one for each step, or one with all to export."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from rsaxcel.flow.kit import Kit
from rsaxcel.flow.physical.array_netlist import DBU_PER_UM, ArrayNetlist
from rsaxcel.flow.physical.def_file import write_def
from rsaxcel.flow.physical.embedded.wires import wires_of
from rsaxcel.flow.physical.floorplan import CoreArea, PhysicalCells, fixed_cells, free_prefix
from rsaxcel.flow.physical.interface import (
    CLOCK_TREE,
    FLOORPLAN,
    PLACE,
    REPAIR,
    REPAIR_TIMING,
    ROUTE,
    WIRES,
    PlacementTask,
)
from rsaxcel.flow.physical.lef import geometry
from rsaxcel.flow.physical.netlist_files import write_verilog
from rsaxcel.flow.physical.ports import port_layers
from rsaxcel.flow.physical.power_grid import vertical_straps

#: Files in the folder where the scripts run.
NETLIST, FLOORPLAN_DEF, CONSTRAINTS = "netlist.v", "floorplan.def", "constraints.sdc"

RULES = "RSAXCEL_RCX_RULES"  #: environment variable: OpenRCX's rules for the library

PLACED = "placed"  #: step that reads a finished layout, of any tool

_SETUP = "setup.tcl"
_STEPS = {
    FLOORPLAN: "floorplan.tcl",
    PLACE: "place.tcl",
    REPAIR: "repair.tcl",
    CLOCK_TREE: "clock-tree.tcl",
    REPAIR_TIMING: "repair-timing.tcl",
    WIRES: "wires.tcl",
    ROUTE: "route.tcl",
    PLACED: "placed.tcl",
}
_CLOCK_BUFFER = "CLKBUF_X3"
_SIGNAL_LAYERS = slice(1, 10)  #: as for the embedded tool: metal 2 to metal 10
_KEPT_TRACKS = 0.3
_HOLD_MARGIN_NS = 0.01

# Most sinks of a net. Routes of nets with more take far longer ways to some sinks than estimated.
# With a limit of 40, wires would be 5 % longer (ssmm_r2l, 128 bits).
_MOST_SINKS = 100


_CONSTRAINTS = """\
# Times in ns, capacitances in fF.
create_clock -name clk -period {clock_ns} [get_ports clk]
# Ports belong to registers outside. Once there is a clock tree, these have its mean latency; with
# an ideal clock, every input would have a hold violation as long as the tree.
create_clock -name ports -period {clock_ns}
set inputs {{}}
foreach port [all_inputs] {{
  if {{[get_property $port full_name] ne "clk"}} {{ lappend inputs $port }}
}}
set_input_delay 0 -clock ports $inputs
set_output_delay 0 -clock ports [all_outputs]
set_driving_cell -lib_cell {driving_cell} $inputs
set_load -pin_load {port_load_ff} [all_outputs]
set_clock_uncertainty {uncertainty_ns} [all_clocks]
set_timing_derate -late {late}
set_timing_derate -early {early}
"""

Value = str | int | float | Sequence[str]  #: A sequence becomes a list of Tcl


def script(steps: Sequence[str], variables: Mapping[str, Value]) -> str:
    """Write the script of some steps; each writes a checkpoint ``STEP.db``, and ``STEP.def``."""
    here = Path(__file__).parent
    parts = ["".join(f"set {name} {_tcl(value)}\n" for name, value in variables.items())]
    parts.append((here / _SETUP).read_text())
    for step in steps:
        kept = f"name_inserted\nwrite_db {step}.db\nwrite_def {step}.def\n"
        parts.append((here / _STEPS[step]).read_text() + ("" if step == PLACED else kept))
    return "\n".join(parts)


def _tcl(value: Value) -> str:
    if isinstance(value, str | int | float):
        return f"{{{value}}}"
    return f"{{{' '.join(map(_tcl, value))}}}"


def variables(
    task: PlacementTask, core: CoreArea, lefs: Sequence[str], liberty: Path | str
) -> dict[str, Value]:
    """Variables of the scripts.

    ``lefs`` and ``liberty`` are paths as the scripts shall read them.
    """
    kit, wires = task.kit, wires_of(task.kit)
    across, up = port_layers(kit)
    routing = [layer.name for layer in geometry(kit).layers[_SIGNAL_LAYERS]]
    rails = geometry(kit).rails
    uses = ("ground", "power") if rails.lower_is_ground else ("power", "ground")
    return {
        "lefs": lefs,
        "liberty": str(liberty),
        "before": "",
        "top": task.top,
        "netlist": NETLIST,
        "floorplan": FLOORPLAN_DEF,
        "constraints": CONSTRAINTS,
        "supplies": (rails.lower, uses[0], rails.upper, uses[1]),
        "taps": _taps(fixed_cells(core, kit), free_prefix((), "TAP_")),
        "ff_per_um": wires.signal_ff_per_um,
        "ohm_per_um": wires.lower_ohm_per_um,
        "clock_ff_per_um": wires.clock_ff_per_um,
        "clock_ohm_per_um": wires.upper_ohm_per_um,
        "unusable": kit.library.unusable(kit.unusable),
        "most_sinks": _MOST_SINKS,
        "clock_gates": _clock_gates(kit),
        "clock_buffers": _clock_buffers(kit),
        "sinks_per_leaf": 20,
        "leaf_um": 50,
        "across": across.name,
        "up": up.name,
        "without_ports": _without_ports(core, kit),
        "spare_density": 0.1,
        "routable": 0,
        "seed": task.seed,
        "hold_margin_ns": _HOLD_MARGIN_NS,
        "most_rounds": 5,
        "lowest": routing[0],
        "highest": routing[-1],
        "kept": _KEPT_TRACKS,
        "fillers": kit.layout.filler_cells,
        "rules": os.environ.get(RULES, ""),
        "most_threads": len(os.sched_getaffinity(0)),
        "placed": "placed.def",
        "spef": "placed.spef",
    }


def _taps(fixed: PhysicalCells, prefix: str) -> list[str]:
    """Names of well taps and end caps as in the DEF file, and their cells, in turns."""
    kinds = [fixed.kinds[kind].name for kind in fixed.kind.tolist()]
    return [word for at, kind in enumerate(kinds) for word in (f"{prefix}{at}", kind)]


def _without_ports(core: CoreArea, kit: Kit) -> list[str]:
    """Options of ``place_pins``: intervals, in um, where stacks of vias of the power grid stand."""
    _, up = port_layers(kit)
    found = []
    for _, left, right in vertical_straps(core, kit):
        reach = up.spacing_to(right - left) + up.width // 2
        low, high = max(0, left - reach), min(core.width, right + reach)
        for side in ("top", "bottom"):
            found += ["-exclude", f"{side}:{low / DBU_PER_UM:g}-{high / DBU_PER_UM:g}"]
    return found


def _clock_gates(kit: Kit) -> list[str]:
    """Names of clock gates, and of their clock pins, in turns."""
    cells = kit.library.cells
    gates = ((name, cell.clock_gate) for name, cell in sorted(cells.items()))
    return [word for name, gate in gates if gate for word in (name, gate.clock.pins[0])]


def _clock_buffers(kit: Kit) -> Sequence[str]:
    """Buffers for the clock tree: NanGate45's strongest for clocks, else all that data may have."""
    library = kit.library
    if _CLOCK_BUFFER in library.cells:
        return (_CLOCK_BUFFER,)
    return [cell.name for cell in library.usable(kit.unusable) if cell.is_buffer]


def write_inputs(task: PlacementTask, given: ArrayNetlist, core: CoreArea, folder: Path) -> None:
    """Write the files that the scripts read: netlist, floorplan and constraints."""
    write_verilog(given, folder / NETLIST)
    none = np.zeros(0, np.int32)
    bare = ArrayNetlist(
        given.top, given.kinds, [], [], none, none, none, none, none.astype(np.uint8), {}
    )
    fixed = fixed_cells(core, task.kit)
    no_cells = PhysicalCells((), none, none, none, none.astype(np.uint8))
    write_def(folder / FLOORPLAN_DEF, bare, core, task.kit, fixed, no_cells)
    (folder / CONSTRAINTS).write_text(constraints(task))


def constraints(task: PlacementTask) -> str:
    """Write the constraints as SDC: clock, ports, margins; times in ns, capacitances in fF."""
    return _CONSTRAINTS.format(
        clock_ns=f"{task.clock_ns:g}",
        driving_cell=task.kit.driving_cell,
        port_load_ff=f"{task.kit.port_load_ff:g}",
        uncertainty_ns=f"{task.uncertainty_ns:g}",
        late=f"{1 + task.derate:g}",
        early=f"{1 - task.derate:g}",
    )
