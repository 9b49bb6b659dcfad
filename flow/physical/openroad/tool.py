"""OpenROAD as a physical tool: its scripts make the layout, this flow's checks judge it."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import copyfile
from typing import Any

import numpy as np

from rsaxcel.flow.errors import FlowError, NoRoom, ToolFailure
from rsaxcel.flow.physical.array_netlist import (
    DBU_PER_UM,
    INPUT_PORT,
    ArrayNetlist,
    FreshNames,
    name_port_nets,
    read_array_netlist,
)
from rsaxcel.flow.physical.checks import check_clock, check_connections, check_placement
from rsaxcel.flow.physical.def_file import ORIENTATIONS, place_of, plain_name, read_def
from rsaxcel.flow.physical.embedded.capacity import Congestion
from rsaxcel.flow.physical.embedded.finish import (
    clock_nets,
    congestion,
    placed_figures,
    trees_of,
    write_latencies,
    write_layout,
)
from rsaxcel.flow.physical.embedded.wires import Trees
from rsaxcel.flow.physical.equivalence import check_equivalent
from rsaxcel.flow.physical.floorplan import CoreArea, fixed_cells, make_core
from rsaxcel.flow.physical.interface import (
    FLOORPLAN,
    PLACE,
    ROUTE,
    WIRES,
    PhysicalTool,
    PlacementTask,
)
from rsaxcel.flow.physical.lef import Layer, geometry
from rsaxcel.flow.physical.openroad.script import RULES, script, variables, write_inputs
from rsaxcel.flow.physical.roles import NetSources, roles_of
from rsaxcel.flow.physical.spef import scale_wires, spef_head
from rsaxcel.flow.power.liberty import Library
from rsaxcel.store.errors import SetupError
from rsaxcel.store.foreign import prctl
from rsaxcel.store.installing import program
from rsaxcel.store.tools import OPENROAD

_HOURS = 12
_PR_SET_PDEATHSIG = 1  #: from linux/prctl.h
_DONE = "step done"
#: Last row of the table of congestion: resource, demand, usage, overflow across, up, and both.
_TOTAL = re.compile(r"^Total +\d+ +\d+ +[\d.]+% +\d+ / +\d+ / +(\d+)$", re.MULTILINE)
#: Errors of detailed and of global placement, of the placement of ports, and of global routing.
_NO_ROOM = ("DPL-0036", "GPL-0301", "PPL-0024", "GRT-0118", "GRT-0232")
_FIGURE = re.compile(r"^figure (\w+) (\S+)$", re.MULTILINE)
_ERROR = re.compile(r"^(?:\[(?:ERROR|CRITICAL)\b.*|Error\b.*|.*\bSignal \d+ received.*)$", re.M)
#: The first option is of December 2022; a version without it lacks others that the scripts use,
#: too.
_PROBE = """
foreach {command option} {repair_timing -repair_tns clock_tree_synthesis -clk_nets} {
  if {![info exists sta::cmd_args($command)]} { puts "lacking $command"; continue }
  if {[string first $option $sta::cmd_args($command)] < 0} { puts "lacking $command $option" }
}
puts "probe done"
"""
_OPTIONS = ("-no_init", "-no_splash", "-exit")
_HOW = "build it from https://github.com/The-OpenROAD-Project/OpenROAD"


def find_openroad() -> str:
    """Path of the program ``openroad``; ``SetupError`` if it is missing."""
    return program(OPENROAD)[0]


def openroad_version() -> str:
    """Version of OpenROAD: a tag with a count of commits, or a commit.

    Older than 2023 is refused.
    """
    path = find_openroad()
    return _version(path, Path(path).stat().st_mtime_ns)


@cache
def _version(path: str, _modified: int) -> str:
    said = _output([path, "-version"])
    words = said.split()
    if not words:
        raise SetupError(f"{path} does not tell its version; {_HOW}")
    probe = _output([path, *_OPTIONS, "/dev/stdin"], _PROBE)
    lacking = re.findall(r"^lacking (.+)$", probe, re.MULTILINE)
    if lacking or "probe done" not in probe:
        why = f"it has no {lacking[0]}" if lacking else "it runs no script"
        raise SetupError(f"OpenROAD {words[0]} is too old: {why}; 2023 or newer is needed: {_HOW}")
    return words[0]


def _output(command: list[str], given: str = "") -> str:
    try:
        run = subprocess.run(command, input=given, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SetupError(f"cannot start {command[0]}: {error}; {_HOW}") from error
    return run.stdout


def run_script(commands: str, name: str, work: Path) -> str:
    """Run the commands of a script; return its log.

    An added last line shows a script that ends early. ``NoRoom`` if cells or wires do not fit,
    ``ToolFailure`` with OpenROAD's error otherwise.
    """
    path, log = work / f"{name}.tcl", work / f"{name}.log"
    path.write_text(f'{commands}\nputs "{_DONE}"\n')
    with log.open("w") as output:
        process = subprocess.Popen(
            [find_openroad(), *_OPTIONS, path.name],
            cwd=work,
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            preexec_fn=_end_with_parent,
        )
        try:
            status = process.wait(_HOURS * 3600)
        except BaseException as error:
            process.kill()
            process.wait()
            if isinstance(error, subprocess.TimeoutExpired):
                raise ToolFailure(
                    f"OpenROAD: {name} takes more than {_HOURS} hours (log: {log.resolve()})"
                ) from None
            raise
    text = log.read_text(errors="replace")
    if status or _DONE not in text.splitlines():
        reason = f"OpenROAD: {_reason(text, status)} (log: {log.resolve()})"
        raise NoRoom(reason) if any(code in reason for code in _NO_ROOM) else ToolFailure(reason)
    return text


def _end_with_parent() -> None:
    """Let the kernel end OpenROAD if this process is killed, before it writes to a later run."""
    prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def figures(log: str) -> dict[str, float]:
    """Figures that a script has written to its log, by name; the last one counts."""
    return {name: float(value) for name, value in _FIGURE.findall(log)}


def _reason(text: str, status: int) -> str:
    """Return the line of a log that names the error."""
    errors = [line.strip() for line in _ERROR.findall(text)]
    # "Error: place.tcl, 14 PPL-0024" only repeats the number of the message before it.
    told = [line for line in errors if line.startswith("[")]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return (told or errors or lines or [f"status {status}"])[-1]


def global_overflow(log: str) -> float:
    """Tracks that the last global route of a log lacks."""
    rows = _TOTAL.findall(log)
    if not rows:
        raise ToolFailure("OpenROAD: the log has no table of the global route")
    return float(rows[-1])


_FF = {"PF": 1e3, "FF": 1.0}
_UNIT = re.compile(r"^\*C_UNIT ([\d.]+) (\w+)", re.MULTILINE)
_NAME = re.compile(r"^(\*\d+) (\S+)$", re.MULTILINE)
_START, _END = "*D_NET ", "*END"


def convert_extraction(
    source: Path, target: Path, netlist: ArrayNetlist, renamed: Mapping[str, str]
) -> None:
    """Write the SPEF file of OpenRCX in this flow's form, under the names of ``netlist``.

    The capacitance between two nets counts fully at both, to ground.
    """
    head, *parts = source.read_text(encoding="utf-8").split(_START)
    unit = _UNIT.search(head)
    if unit is None or unit[2] not in _FF:
        raise FlowError(f"{source} does not tell its unit of capacitance")
    names = {number: plain_name(name) for number, name in _NAME.findall(head)}
    nodes = _Nodes(netlist, names, renamed, {part.split(maxsplit=1)[0] for part in parts})
    scale = float(unit[1]) * _FF[unit[2]]
    try:
        with target.open("w", encoding="utf-8") as file:
            ports = np.flatnonzero(netlist.is_port).tolist()
            file.write(spef_head(netlist.top, netlist.nets, netlist.names, ports))
            for part in parts:
                file.writelines(_net(part, nodes, scale))
    except (KeyError, ValueError, IndexError) as error:
        raise FlowError(f"{source} is no extraction of the netlist: {error}") from error


class _Nodes:
    """Numbers of nets, pins and ports in this flow's form, by their names in OpenRCX's file."""

    def __init__(
        self,
        netlist: ArrayNetlist,
        names: Mapping[str, str],
        renamed: Mapping[str, str],
        nets: Iterable[str],
    ) -> None:
        net_number = {name: at for at, name in enumerate(netlist.nets, 1)}
        first = 1 + len(netlist.nets)
        labels = zip(netlist.names, netlist.is_port.tolist(), strict=True)
        numbers = {label: at for at, label in enumerate(labels, first)}
        self._ports = {name: f"*{at}" for (name, is_port), at in numbers.items() if is_port}
        listed = set(nets)
        #: Besides the netlist's nets, the file has power nets, and besides its cells, those without
        #: signals.
        self.nets = {
            number: f"*{net_number[name]}"
            for number in listed
            if (name := renamed.get(names[number], names[number])) in net_number
        }
        self._cells = {
            number: f"*{numbers[name, False]}"
            for number, name in names.items()
            if number not in listed and (name, False) in numbers
        }

    def node(self, text: str) -> str:
        """Translate a pin, a port, or a node inside a net."""
        owner, colon, inside = text.partition(":")
        if not colon:
            return self._ports[plain_name(text)]
        return f"{self.nets[owner] if owner in self.nets else self._cells[owner]}:{inside}"


def _net(part: str, nodes: _Nodes, scale: float) -> Iterator[str]:
    first, *lines = part.split("\n")
    listed = first.split()[0]
    number = nodes.nets.get(listed)
    if number is None:
        return
    section, body, total = "", [], 0.0
    own: set[str] = set()
    for line in lines:
        words = line.split()
        if not words or words[0] == _END:
            continue
        if words[0] in ("*CONN", "*CAP", "*RES"):
            section = words[0]
            body.append(section)
        elif section == "*CONN":
            own.add(words[1])
            body.append(f"{words[0]} {nodes.node(words[1])} {words[2]}")
        elif section == "*CAP":
            # Number, node, maybe a second node, capacitance; one of two nodes belongs to another
            # net.
            value = float(words[-1]) * scale
            total += value
            mine = [x for x in words[1:-1] if x in own or x.startswith(f"{listed}:")]
            body.append(f"{words[0]} {nodes.node(mine[0])} {value:.6g}")
        else:
            ends = f"{nodes.node(words[1])} {nodes.node(words[2])}"
            body.append(f"{words[0]} {ends} {float(words[3]):.6g}")
    yield f"{_START}{number} {total:.6g}\n"
    yield from (f"{line}\n" for line in (*body, _END))


_SHAPE = re.compile(r"\+ LAYER (\S+) \( (-?\d+) (-?\d+) \) \( (-?\d+) (-?\d+) \)")
_CONNECTION = re.compile(r"\( (\S+) (\S+) \)")
_PORT = "PIN"  #: DEF's word in place of an instance's name where a net connects a port


@dataclass(frozen=True)
class ReadLayout:
    """A layout, and the file's names of nets that have other names in ``netlist``."""

    netlist: ArrayNetlist
    renamed: Mapping[str, str]


def read_layout(
    path: Path, given: ArrayNetlist, core: CoreArea, layers: Iterable[Layer]
) -> ReadLayout:
    """Read a layout from DEF. The net of a port's bit gets the bit's name.

    Instances without signal pins (taps, fillers) are left out; those of ``given`` come first, in
    order. A port on a layer of horizontal wires is at the left or right side.
    """
    found = read_def(path)
    if found is None or found.per_um != DBU_PER_UM:
        raise FlowError(f"{path} is no DEF file with {DBU_PER_UM} units per um, cells and nets")
    cells = _components(found.components, given)
    directions = {layer.name: layer.is_horizontal for layer in layers}
    cells |= _ports(found.pins, given, core, directions)
    return _design(given, cells, found.nets)


_Cell = tuple[int, int, int, int]  #: a cell's kind, x, y and orientation


def _components(statements: list[str], given: ArrayNetlist) -> dict[str, _Cell]:
    """Places of cells, by name; those of the given netlist first."""
    kinds = {kind.name: number for number, kind in enumerate(given.kinds)}
    found: dict[str, _Cell] = {}
    for statement in statements:
        name, kind, _ = statement.split(maxsplit=2)
        if kind not in kinds:
            raise FlowError(f"cell {plain_name(name)} of type {kind}: the library has no geometry")
        if not given.kinds[kinds[kind]].pins:
            continue
        place = place_of(statement)
        if place is None or place[2] not in ORIENTATIONS:
            raise FlowError(f"cell {plain_name(name)} has no place in a row")
        x, y, orient = place
        found[plain_name(name)] = kinds[kind], x, y, ORIENTATIONS.index(orient)
    known = [name for name in given.names if name in found]
    return {name: found[name] for name in dict.fromkeys((*known, *found))}


def _ports(
    statements: list[str], given: ArrayNetlist, core: CoreArea, directions: dict[str, bool]
) -> dict[str, _Cell]:
    """Places of the bits of ports on the boundary, in the order of the given netlist."""
    placed = {}
    for statement in statements:
        place, shape = place_of(statement), _SHAPE.search(statement)
        if place is None or shape is None:
            continue
        x, y, _ = place
        if directions[shape[1]]:
            x = 0 if 2 * x < core.width else core.width
        else:
            y = 0 if 2 * y < core.height else core.height
        placed[plain_name(statement.split(maxsplit=1)[0])] = x, y
    found = {}
    for at in np.flatnonzero(given.is_port).tolist():
        name = given.names[at]
        if name not in placed:
            raise FlowError(f"port {name} has no place")
        found[f"\n{name}"] = int(given.kind[at]), *placed[name], 0
    return found


def _design(given: ArrayNetlist, cells: dict[str, _Cell], statements: list[str]) -> ReadLayout:
    """Make the design; names of ports have a line end before them in ``cells``."""
    kind, x, y, orient = np.array(list(cells.values()), np.int64).reshape(-1, 4).T
    counts = np.array([len(kind.pins) for kind in given.kinds])[kind]
    starts = dict(zip(cells, np.cumsum(counts) - counts, strict=True))
    numbers = [{pin.name: at for at, pin in enumerate(kind.pins)} for kind in given.kinds]
    pin_net = np.full(int(np.sum(counts)), -1, np.int32)
    names: list[str] = []
    for name, ends in _nets(statements):
        for cell, pin in ends:
            within = numbers[cells[cell][0]].get(pin) if cell in cells else None
            if within is None:
                raise FlowError(f"net {name}: there is no pin {pin} of {cell.lstrip()}")
            pin_net[starts[cell] + within] = len(names)
        if ends:
            names.append(name)
    netlist = ArrayNetlist(
        given.top,
        given.kinds,
        [name.lstrip("\n") for name in cells],
        names,
        kind.astype(np.int32),
        pin_net,
        x.astype(np.int32),
        y.astype(np.int32),
        orient.astype(np.uint8),
        dict(given.ports),
    )
    before, fresh = list(netlist.nets), FreshNames(netlist.nets)
    name_port_nets(netlist, lambda name: fresh(f"{name}_net"))
    pairs = zip(before, netlist.nets, strict=True)
    return ReadLayout(netlist, {old: new for old, new in pairs if old != new})


def _nets(statements: list[str]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield the name of each net and the pins that it connects."""
    for statement in statements:
        head, _, _ = statement.partition("+")
        ends = [
            (f"\n{plain_name(pin)}", INPUT_PORT.pins[0].name)
            if cell == _PORT
            else (plain_name(cell), pin)
            for cell, pin in _CONNECTION.findall(head)
        ]
        yield plain_name(statement.split(maxsplit=1)[0]), ends


def find_copies(netlist: ArrayNetlist, given: ArrayNetlist, library: Library) -> dict[str, str]:
    """List the copies: the name of each, and of its original in the given netlist.

    OpenROAD's names do not tell: what a copy drives, behind buffers, its original drives in the
    given netlist. ``flow.physical.equivalence`` proves it.
    """
    known = set(given.names)
    sources = NetSources(netlist, roles_of(netlist.kinds, library))
    passed = np.array([x.repeats is not None or x.constant is not None for x in sources.roles])
    added = ~netlist.is_port & ~passed[netlist.kind]
    added[added] = [netlist.names[at] not in known for at in np.flatnonzero(added)]
    if not added.any():
        return {}
    before = _drivers(given, library)
    connected = np.flatnonzero((netlist.pin_net >= 0) & ~netlist.pin_is_output)
    driver = netlist.pin_instance[sources.driver[sources.root[netlist.pin_net[connected]]]]
    driven = [
        (netlist.names[source], *netlist.pin_name(int(pin)))
        for pin, source in zip(connected, driver.tolist(), strict=True)
        if added[source] and not passed[netlist.kind[netlist.pin_instance[pin]]]
    ]
    copies: dict[str, str] = {}
    # A copy that drives only copies is found in a round after those copies.
    for _ in range(int(np.sum(added))):
        count = len(copies)
        for copy, cell, pin in driven:
            original = before.get((copies.get(cell, cell), pin))
            if original is not None:
                copies.setdefault(copy, original)
        if len(copies) == count:
            break
    return copies


def _drivers(given: ArrayNetlist, library: Library) -> dict[tuple[str, str], str]:
    """Name of the cell that drives each input pin, behind buffers and inverters."""
    sources = NetSources(given, roles_of(given.kinds, library))
    pins = np.flatnonzero((given.pin_net >= 0) & ~given.pin_is_output)
    cells = given.pin_instance[sources.driver[sources.root[given.pin_net[pins]]]]
    return {
        given.pin_name(int(pin)): given.names[cell]
        for pin, cell in zip(pins, cells.tolist(), strict=True)
    }


CLOCK = "clk"

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
        self.given = read_array_netlist(task.netlist, task.top, geometry(kit).kinds)
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
            copies = self._check(layout.netlist)
            found = self._counts(layout.netlist, copies)
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
        return read_layout(path, self.given, self.core, geometry(self.task.kit).layers)

    def _place(self) -> dict[str, Any]:
        """Judge the places by this flow's router; place again if wires do not fit."""
        trees, found = self._congestion()
        if found.overflow:
            self.variables["routable"] = 1
            self._script()
            trees, found = self._congestion()
        return placed_figures(trees, found)

    def _congestion(self) -> tuple[Trees, Congestion]:
        trees = trees_of(self._layout().netlist)
        return trees, congestion(trees, self.core, self.task.kit)

    def _check(self, netlist: ArrayNetlist) -> dict[str, str]:
        """Check the layout, prove equivalence, and return the original of each copied cell."""
        library = self.task.kit.library
        check_placement(netlist, self.core, [self.fixed])
        check_connections(netlist)
        check_clock(netlist, CLOCK, library)
        copies = find_copies(netlist, self.given, library)
        check_equivalent(netlist, self.given, library, copies)
        return copies

    def _counts(self, netlist: ArrayNetlist, copies: Mapping[str, str]) -> dict[str, int]:
        """Count added buffers, copies and resized cells."""
        roles = roles_of(netlist.kinds, self.task.kit.library)
        repeats = np.array([role.repeats is not None for role in roles])[netlist.kind]
        known = {name: kind for name, kind in zip(self.given.names, self.given.kind, strict=True)}
        added = np.array([name not in known for name in netlist.names]) & repeats
        in_tree = clock_nets(netlist, self.task.kit)[self._outputs(netlist)]
        held = np.array([_HOLD.fullmatch(name) is not None for name in netlist.names])
        cells = np.flatnonzero(~netlist.is_port).tolist()
        return {
            "clock_buffers": int(np.sum(added & in_tree)),
            "hold_buffers": int(np.sum(added & held & ~in_tree)),
            "repair_buffers": int(np.sum(added & ~held & ~in_tree)),
            "copies": len(copies),
            "resized": int(
                sum(
                    known.get(netlist.names[at], netlist.kind[at]) != netlist.kind[at]
                    for at in cells
                )
            ),
        }

    def _outputs(self, netlist: ArrayNetlist) -> np.ndarray:
        """Net of the last pin of each instance; that of a buffer is its output."""
        return netlist.pin_net[netlist.pin_start[1:] - 1]

    def _finish(self, layout: ReadLayout, log: str, clock_buffers: int) -> dict[str, Any]:
        """Write the files of the layout; return its figures, with OpenROAD's own ones."""
        netlist, kit = layout.netlist, self.task.kit
        clock_ns = self.task.clock_ns
        found = write_layout(netlist, self.core, kit, clock_ns, clock_buffers, self.folder)
        own = {f"openroad_{name}": value for name, value in figures(log).items()}
        own["openroad_overflow"] = global_overflow(log)
        if self.step == ROUTE:
            own["violations"] = round(own.pop("openroad_violations"))
        return found | own | (self._route(layout, clock_buffers) if self.step == ROUTE else {})

    def _route(self, layout: ReadLayout, clock_buffers: int) -> dict[str, Any]:
        """Replace estimated wires, and latencies if known, by those of the routed layout."""
        copyfile(self.work / f"{ROUTE}.def", self.folder / "placed.def")
        lengths = {}
        for line in (self.work / "lengths.txt").read_text().splitlines():
            name, length = line.rsplit(" ", 1)
            plain = name.replace("\\", "")
            lengths[layout.renamed.get(plain, plain)] = int(length)
        spef, clock = (self.folder / name for name in ("placed.spef", "clock.json"))
        if self.variables["rules"]:
            convert_extraction(self.work / "routed.spef", spef, layout.netlist, layout.renamed)
            latencies = _read_latencies(self.work / "latencies.txt")
            write_latencies(clock, latencies, layout.netlist, self.task.kit, clock_buffers)
        else:
            trees = trees_of(layout.netlist)
            pairs = zip(layout.netlist.nets, trees.lengths_dbu.tolist(), strict=True)
            scale_wires(
                spef, {net: lengths[net] / own for net, own in pairs if own and net in lengths}
            )
        routed = sum(lengths.get(net, 0) for net in layout.netlist.nets)
        return {
            "wire_length_mm": round(routed / DBU_PER_UM / 1e3, 3),
            "wires_extracted": bool(self.variables["rules"]),
        }


def _read_latencies(path: Path) -> dict[str, float]:
    """Read pins, and latencies of the clock in ns, that a script has written."""
    found = {}
    for line in path.read_text().splitlines():
        name, latency = line.rsplit(" ", 1)
        found[re.sub(r"[{}\\]", "", name)] = round(float(latency), 6)
    return found
