"""OpenROAD as a physical tool: its scripts make the layout, this flow's checks judge it."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from shutil import copyfile
from typing import Any

import numpy as np

from rsaxcel.flow.errors import ToolFailure
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.physical.array_netlist import DBU_PER_UM, ArrayNetlist, read_array_netlist
from rsaxcel.flow.physical.checks import check_clock, check_connections, check_placement
from rsaxcel.flow.physical.embedded.capacity import Congestion
from rsaxcel.flow.physical.embedded.finish import write_latencies, write_layout
from rsaxcel.flow.physical.embedded.layout_files import clock_nets, congestion, trees_of
from rsaxcel.flow.physical.embedded.wires import Trees
from rsaxcel.flow.physical.equivalence import check_equivalent
from rsaxcel.flow.physical.floorplan import fixed_cells, make_core
from rsaxcel.flow.physical.interface import (
    FLOORPLAN,
    PLACE,
    ROUTE,
    WIRES,
    PhysicalTool,
    PlacementTask,
)
from rsaxcel.flow.physical.lef import kinds, layers
from rsaxcel.flow.physical.openroad.copies import find_copies
from rsaxcel.flow.physical.openroad.layout import ReadLayout, read_layout
from rsaxcel.flow.physical.openroad.program import (
    figures,
    global_overflow,
    openroad_version,
    run_script,
)
from rsaxcel.flow.physical.openroad.script import RULES, script, variables, write_inputs
from rsaxcel.flow.physical.openroad.wires import convert_extraction
from rsaxcel.flow.physical.roles import roles_of
from rsaxcel.flow.physical.spef import scale_wires
from rsaxcel.store.errors import SetupError

CLOCK = "clk"  # the clock's port

_HOLD = re.compile(r"(.*\.)?hold\d+")


class OpenRoadTool(PhysicalTool):
    """Places with OpenROAD, in the same core as the embedded tool."""

    name = "openroad"

    def version(self) -> str:
        rules = os.environ.get(RULES)
        if not rules:
            return openroad_version()
        try:
            digest = hashlib.sha256(Path(rules).read_bytes()).hexdigest()
        except OSError as error:
            raise SetupError(f"{RULES}={rules}: {error.strerror}") from error
        return f"{openroad_version()}, extraction rules {digest[:12]}"

    def run(
        self, step: str, task: PlacementTask, before: Path | None, folder: Path, work: Path
    ) -> dict[str, Any]:
        return _Step(step, task, before, folder, work).run()


class _Step:
    """A step and where it runs; arguments as those of ``PhysicalTool.run``."""

    def __init__(
        self, step: str, task: PlacementTask, before: Path | None, folder: Path, work: Path
    ) -> None:
        self.step, self.task, self.folder, self.work = step, task, folder, work
        kit = task.kit
        self.given = read_array_netlist(task.netlist, task.top, kinds(kit))
        self.core = make_core(self.given, kit, task.utilisation)
        self.fixed = fixed_cells(self.core, kit)
        self.variables = variables(task, self.core, [str(x) for x in kit.layout.lef], kit.liberty)
        self.variables["before"] = str(before.resolve()) if before else ""

    def run(self) -> dict[str, Any]:
        write_inputs(self.task, self.given, self.core, self.work)
        log = self._script()
        if self.step == FLOORPLAN:
            found = {"synthesis_buffers_removed": round(figures(log)["removed"])}
        elif self.step == PLACE:
            found = self._place()
        else:
            layout = self._layout()
            copies = self._check(layout.design)
            found = self._counts(layout.design, copies)
            if self.step in (WIRES, ROUTE):
                return found | self._finish(layout, log, found["clock_buffers"])
        name = f"{self.step}.db"
        (self.work / name).replace(self.folder / name)
        return found

    def _script(self) -> str:
        log = run_script(script([self.step], self.variables), self.step, self.work)
        for name in (f"{self.step}.db", f"{self.step}.def"):
            if not (self.work / name).is_file():
                raise ToolFailure(f"OpenROAD wrote no {name} (log: {self.work / self.step}.log)")
        return log

    def _layout(self) -> ReadLayout:
        path = self.work / f"{self.step}.def"
        return read_layout(path, self.given, self.core, layers(self.task.kit))

    def _place(self) -> dict[str, Any]:
        """Judge the places by this flow's router; place again if wires do not fit."""
        trees, found = self._congestion()
        if found.overflow:
            self.variables["routable"] = 1
            self._script()
            trees, found = self._congestion()
        return {
            "overflow": found.overflow,
            "routing_demand": round(found.demand, 4),
            "placed_wire_length_mm": round(trees.length_dbu / DBU_PER_UM / 1e3, 3),
        }

    def _congestion(self) -> tuple[Trees, Congestion]:
        trees = trees_of(self._layout().design)
        return trees, congestion(trees, self.core, self.task.kit)

    def _check(self, design: ArrayNetlist) -> dict[str, str]:
        """Check the layout, prove equivalence, and return the original of each copied cell."""
        library = kept_library(self.task.kit.liberty)
        check_placement(design, self.core, [self.fixed])
        check_connections(design)
        check_clock(design, CLOCK, library)
        copies = find_copies(design, self.given, library)
        check_equivalent(design, self.given, library, copies)
        return copies

    def _counts(self, design: ArrayNetlist, copies: Mapping[str, str]) -> dict[str, int]:
        """Count what differs from the synthesized netlist."""
        roles = roles_of(design.kinds, kept_library(self.task.kit.liberty))
        repeats = np.array([role.repeats is not None for role in roles])[design.kind]
        known = {name: kind for name, kind in zip(self.given.names, self.given.kind, strict=True)}
        added = np.array([name not in known for name in design.names]) & repeats
        in_tree = clock_nets(design, self.task.kit)[self._outputs(design)]
        held = np.array([_HOLD.fullmatch(name) is not None for name in design.names])
        cells = np.flatnonzero(~design.is_port).tolist()
        return {
            "clock_buffers": int(np.sum(added & in_tree)),
            "hold_buffers": int(np.sum(added & held & ~in_tree)),
            "repair_buffers": int(np.sum(added & ~held & ~in_tree)),
            "copies": len(copies),
            "resized": int(
                sum(known.get(design.names[at], design.kind[at]) != design.kind[at] for at in cells)
            ),
        }

    def _outputs(self, design: ArrayNetlist) -> np.ndarray:
        """Net of the last pin of each instance; that of a buffer is its output."""
        return design.pin_net[design.pin_start[1:] - 1]

    def _finish(self, layout: ReadLayout, log: str, clock_buffers: int) -> dict[str, Any]:
        """Write the files of the layout; return its figures, with OpenROAD's own ones."""
        design, kit = layout.design, self.task.kit
        clock_ns = self.task.clock_ns
        found = write_layout(design, self.core, kit, clock_ns, clock_buffers, self.folder)
        own = {f"openroad_{name}": value for name, value in figures(log).items()}
        own["openroad_overflow"] = global_overflow(log)
        if self.step == ROUTE:
            own["violations"] = round(own.pop("openroad_violations"))
        return found | own | (self._route(layout, clock_buffers) if self.step == ROUTE else {})

    def _route(self, layout: ReadLayout, clock_buffers: int) -> dict[str, Any]:
        """Replace what is estimated by what is routed: wires, and latencies if they are known."""
        copyfile(self.work / f"{ROUTE}.def", self.folder / "placed.def")
        lengths = {}
        for line in (self.work / "lengths.txt").read_text().splitlines():
            name, length = line.rsplit(" ", 1)
            plain = name.replace("\\", "")
            lengths[layout.renamed.get(plain, plain)] = int(length)
        spef, clock = (self.folder / name for name in ("placed.spef", "clock.json"))
        if self.variables["rules"]:
            convert_extraction(self.work / "routed.spef", spef, layout.design, layout.renamed)
            latencies = _read_latencies(self.work / "latencies.txt")
            write_latencies(clock, latencies, layout.design, self.task.kit, clock_buffers)
        else:
            trees = trees_of(layout.design)
            pairs = zip(layout.design.nets, _net_lengths(trees).tolist(), strict=True)
            scale_wires(
                spef, {net: lengths[net] / own for net, own in pairs if own and net in lengths}
            )
        routed = sum(lengths.get(net, 0) for net in layout.design.nets)
        return {
            "wire_length_mm": round(routed / DBU_PER_UM / 1e3, 3),
            "wires_extracted": bool(self.variables["rules"]),
        }


def _net_lengths(trees: Trees) -> np.ndarray:
    """Length of each net's tree in database units."""
    lower, upper = trees.edges()
    net = np.repeat(np.arange(len(trees.start) - 1), np.diff(trees.start))[lower]
    x, y = trees.x.astype(np.int64), trees.y.astype(np.int64)
    lengths = np.abs(x[lower] - x[upper]) + np.abs(y[lower] - y[upper])
    return np.bincount(net, lengths, len(trees.start) - 1)


def _read_latencies(path: Path) -> dict[str, float]:
    """Read pins, and latencies of the clock in ns, that a script has written."""
    found = {}
    for line in path.read_text().splitlines():
        name, latency = line.rsplit(" ", 1)
        found[re.sub(r"[{}\\]", "", name)] = round(float(latency), 6)
    return found
