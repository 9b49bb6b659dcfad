"""Reads a layout that OpenROAD has written as DEF: netlist with places."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.array_netlist import DBU_PER_UM, INPUT_PORT, ArrayNetlist
from rsaxcel.flow.physical.def_file import ORIENTATIONS
from rsaxcel.flow.physical.floorplan import Core
from rsaxcel.flow.physical.lef import Layer

_SECTION = re.compile(r"^(COMPONENTS|PINS|NETS) \d+ ;$(.*?)^END \1$", re.MULTILINE | re.DOTALL)
_UNITS = re.compile(r"^UNITS DISTANCE MICRONS (\d+) ;$", re.MULTILINE)
_PLACE = re.compile(r"\+ (?:PLACED|FIXED|COVER) \( (-?\d+) (-?\d+) \) (\w+)")
_SHAPE = re.compile(r"\+ LAYER (\S+) \( (-?\d+) (-?\d+) \) \( (-?\d+) (-?\d+) \)")
_CONNECTION = re.compile(r"\( (\S+) (\S+) \)")
_PORT = "PIN"  # stands for the name of an instance where a net connects a port


@dataclass(frozen=True)
class ReadLayout:
    """A layout, and the names of nets in the file that ``design`` has under other names."""

    design: ArrayNetlist
    renamed: Mapping[str, str]


def read_layout(path: Path, given: ArrayNetlist, core: Core, layers: Iterable[Layer]) -> ReadLayout:
    """Read a layout from DEF. The net of a port's bit gets the bit's name.

    Instances without signal pins (taps, fillers) are left out; those of ``given`` come first, in
    order. A port on a layer of horizontal wires is at the left or right side.
    """
    text = path.read_text(encoding="utf-8", errors="replace")
    units = _UNITS.search(text)
    sections = {found[1]: _statements(found[2]) for found in _SECTION.finditer(text)}
    if units is None or int(units[1]) != DBU_PER_UM or len(sections) < 3:
        raise FlowError(f"{path} is no DEF file with {DBU_PER_UM} units per um, cells and nets")
    cells = _components(sections["COMPONENTS"], given)
    directions = {layer.name: layer.is_horizontal for layer in layers}
    cells |= _ports(sections["PINS"], given, core, directions)
    return _design(given, cells, sections["NETS"])


_Cell = tuple[int, int, int, int]  # kind, x, y and orientation


def _statements(section: str) -> list[str]:
    """Split a section: each statement begins with a name."""
    return [part.strip() for part in re.split(r"^\s*- ", section, flags=re.MULTILINE)[1:]]


def _plain(name: str) -> str:
    return name.replace("\\", "")


def _components(statements: list[str], given: ArrayNetlist) -> dict[str, _Cell]:
    """Places of cells, by name; those of the given netlist first."""
    kinds = {kind.name: number for number, kind in enumerate(given.kinds)}
    found: dict[str, _Cell] = {}
    for statement in statements:
        name, kind, _ = statement.split(maxsplit=2)
        if kind not in kinds:
            raise FlowError(f"cell {_plain(name)} of type {kind}: the library has no geometry")
        if not given.kinds[kinds[kind]].pins:
            continue
        place = _PLACE.search(statement)
        if place is None or place[3] not in ORIENTATIONS:
            raise FlowError(f"cell {_plain(name)} has no place in a row")
        x, y = int(place[1]), int(place[2])
        found[_plain(name)] = kinds[kind], x, y, ORIENTATIONS.index(place[3])
    known = [name for name in given.names if name in found]
    return {name: found[name] for name in dict.fromkeys((*known, *found))}


def _ports(
    statements: list[str], given: ArrayNetlist, core: Core, directions: dict[str, bool]
) -> dict[str, _Cell]:
    """Places of the bits of ports on the boundary, in the order of the given netlist."""
    placed = {}
    for statement in statements:
        place, shape = _PLACE.search(statement), _SHAPE.search(statement)
        if place is None or shape is None:
            continue
        x, y = int(place[1]), int(place[2])
        if directions[shape[1]]:
            x = 0 if 2 * x < core.width else core.width
        else:
            y = 0 if 2 * y < core.height else core.height
        placed[_plain(statement.split(maxsplit=1)[0])] = x, y
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
    design = ArrayNetlist(
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
    before = list(design.nets)
    _name_nets(design)
    pairs = zip(before, design.nets, strict=True)
    return ReadLayout(design, {old: new for old, new in pairs if old != new})


def _nets(statements: list[str]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield the name of each net and the pins that it connects."""
    for statement in statements:
        head, _, _ = statement.partition("+")
        ends = [
            (f"\n{_plain(pin)}", INPUT_PORT.pins[0].name) if cell == _PORT else (_plain(cell), pin)
            for cell, pin in _CONNECTION.findall(head)
        ]
        yield _plain(statement.split(maxsplit=1)[0]), ends


def _name_nets(design: ArrayNetlist) -> None:
    """Name the net of a port after the port's bit, and make all names differ."""
    ports = np.flatnonzero(design.is_port).tolist()
    bits = {design.names[at] for at in ports}
    named: dict[int, str] = {}
    for at in ports:
        net, name = int(design.pin_net[design.pin_start[at]]), design.names[at]
        if net >= 0 and (net not in named or design.nets[net] == name):
            named[net] = name
    taken = Counter(design.nets)
    for net, name in enumerate(design.nets):
        if net in named:
            design.nets[net] = named[net]
        elif name in bits:
            number = 0
            while f"{name}_net{number}" in taken:
                number += 1
            design.nets[net] = f"{name}_net{number}"
            taken[design.nets[net]] += 1
