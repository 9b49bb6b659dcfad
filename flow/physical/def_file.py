"""DEF: writes a placed design with rows, tracks, ports and power grid; reads cells with places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.physical.array_netlist import DBU_PER_UM, INPUT_PORT, ArrayNetlist
from rsaxcel.flow.physical.floorplan import CoreArea, PhysicalCells, free_prefix
from rsaxcel.flow.physical.lef import Layer, geometry
from rsaxcel.flow.physical.ports import port_layer
from rsaxcel.flow.physical.power_grid import PowerGrid, Strap, power_grid

ORIENTATIONS = ("N", "FS", "S", "FN")  #: DEF's names of the orientations' codes

_SPECIAL = re.compile(r"[\[\]/\\]")
_INDEX = re.compile(r"\[\d+\]$")
_PORT_TRACKS = 2
_PER_LINE = 8

_SECTION = re.compile(r"^(COMPONENTS|PINS|NETS) \d+ ;$(.*?)^END \1$", re.MULTILINE | re.DOTALL)
_PLACE = re.compile(r"\+ (?:PLACED|FIXED|COVER) \( (-?\d+) (-?\d+) \) (\w+)")
_DIE = re.compile(r"DIEAREA \( (-?\d+) (-?\d+) \) \( (-?\d+) (-?\d+) \)")
_UNITS = re.compile(r"^UNITS DISTANCE MICRONS (\d+) ;$", re.MULTILINE)
_DESIGN = re.compile(r"^DESIGN (\S+)", re.MULTILINE)
#: Lengths, and what is before them: points; begin and step of rows and of tracks; widths of straps.
_LENGTHS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"(\( )((?:-?\d+|\*) (?:-?\d+|\*))(?= \))",
        r"^(ROW \S+ \S+ )(\d+ \d+)(?= )",
        r"^(ROW .* STEP )(\d+ \d+)",
        r"^(TRACKS [XY] )(\d+)",
        r"^(TRACKS .* STEP )(\d+)",
        r"^(  (?:\+ ROUTED|NEW) \S+ )(\d+)(?= \+ SHAPE)",
    )
)
_WITHOUT_SIGNALS = "+ SOURCE DIST"


@dataclass(frozen=True)
class DefFile:
    """Parts of a DEF file that this flow reads; a section is a list of statements, undashed."""

    path: Path
    top: str
    per_um: int
    die: tuple[int, ...]  #: left, lower, right and upper edge; () if the file has none
    components: list[str]
    pins: list[str]
    nets: list[str]


def read_def(path: Path) -> DefFile | None:
    """Read a DEF file; None if it has no units, components, pins or nets."""
    text = path.read_text(encoding="utf-8", errors="replace")
    sections = {
        found[1]: [x.strip() for x in re.split(r"^\s*- ", found[2], flags=re.MULTILINE)[1:]]
        for found in _SECTION.finditer(text)
    }
    units, die, top = _UNITS.search(text), _DIE.search(text), _DESIGN.search(text)
    if units is None or len(sections) < 3:
        return None
    return DefFile(
        path,
        top[1] if top else "",
        int(units[1]),
        tuple(map(int, die.groups())) if die else (),
        **{name.lower(): statements for name, statements in sections.items()},
    )


def plain_name(name: str) -> str:
    return name.replace("\\", "")


def place_of(statement: str) -> tuple[int, int, str] | None:
    """X and y of a cell or a port in the file's units, and orientation; None if it has no place."""
    found = _PLACE.search(statement)
    return (int(found[1]), int(found[2]), found[3]) if found else None


@dataclass(frozen=True)
class PlacedCells:
    """Places of a layout, in database units from the lower left corner of the die."""

    top: str
    width: int
    height: int
    names: list[str]  #: names of the netlist's cells, without taps and fillers
    kinds: list[str]
    x: np.ndarray  #: lower left corner of each cell; int32
    y: np.ndarray
    orient: np.ndarray  #: codes of flow.physical.array_netlist; uint8
    ports: dict[str, tuple[int, int]]  #: places of ports' bits, power ports included


def read_places(path: Path) -> PlacedCells:
    """Read the places of cells and ports from a DEF file; ``FlowError`` if a cell has none."""
    found = read_def(path)
    if found is None or not found.die:
        raise FlowError(f"{path.name}: no DEF file with units, die area and components")
    names: list[str] = []
    kinds: list[str] = []
    rows: list[tuple[int, int, int]] = []
    for statement in found.components:
        place = place_of(statement)
        if place is None or place[2] not in ORIENTATIONS:
            raise FlowError(f"{path.name}: no place in a row: - {statement}")
        if _WITHOUT_SIGNALS not in statement:
            name, kind, _ = statement.split(maxsplit=2)
            names.append(plain_name(name))
            kinds.append(kind)
            rows.append((place[0], place[1], ORIENTATIONS.index(place[2])))
    left, low, right, high = found.die

    def scaled(value: int, origin: int) -> int:
        return round((value - origin) * DBU_PER_UM / found.per_um)

    x, y, orient = np.array(rows, np.int64).reshape(-1, 3).T
    return PlacedCells(
        found.top,
        scaled(right, left),
        scaled(high, low),
        names,
        kinds,
        np.rint((x - left) * DBU_PER_UM / found.per_um).astype(np.int32),
        np.rint((y - low) * DBU_PER_UM / found.per_um).astype(np.int32),
        orient.astype(np.uint8),
        {
            plain_name(statement.split(maxsplit=1)[0]): (
                scaled(place[0], left),
                scaled(place[1], low),
            )
            for statement in found.pins
            if (place := place_of(statement))
        },
    )


def def_name(name: str, *, is_bit: bool = False) -> str:
    r"""Name in DEF: a port's bit is ``a[3]``; brackets in other names are escaped, ``a\[3\]``."""
    if not _SPECIAL.search(name):
        return name
    index = _INDEX.search(name) if is_bit else None
    end = index.start() if index else len(name)
    return _SPECIAL.sub(r"\\\g<0>", name[:end]) + name[end:]


def write_def(
    path: Path,
    netlist: ArrayNetlist,
    core: CoreArea,
    kit: Kit,
    fixed: PhysicalCells,
    fillers: PhysicalCells,
) -> None:
    """Write a placed design as DEF 5.8; ``fixed`` are well taps and end caps."""
    grid = power_grid(core, kit)
    sections = (
        _head(netlist.top, core),
        _rows(core),
        _tracks(core, kit),
        _vias(grid),
        _components(netlist, fixed, fillers),
        _pins(netlist, core, kit, grid),
        _special_nets(grid),
    )
    text = "".join("\n".join(section) + "\n" for section in sections)
    # A reader refuses a DEF file whose units are finer than those of the LEF file.
    units = geometry(kit).units_per_um
    if 0 < units < DBU_PER_UM and DBU_PER_UM % units == 0:
        text = in_units(text, units)
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
        for section in (_nets(netlist), ("END DESIGN",)):
            file.write("\n".join(section))
            file.write("\n")


def in_units(text: str, per_um: int) -> str:
    """Return sections without nets in coarser units; as they are if a place has no whole number."""
    factor, given = DBU_PER_UM // per_um, text
    odd = False

    def scaled(found: re.Match[str]) -> str:
        nonlocal odd
        numbers = [int(x) for x in re.findall(r"-?\d+", found[2])]
        odd |= any(x % factor for x in numbers)
        return found[1] + re.sub(r"-?\d+", lambda x: str(int(x[0]) // factor), found[2])

    for pattern in _LENGTHS:
        text = pattern.sub(scaled, text)
    return given if odd else text.replace(_head_units(DBU_PER_UM), _head_units(per_um), 1)


def _head_units(per_um: int) -> str:
    return f"UNITS DISTANCE MICRONS {per_um} ;"


def _head(top: str, core: CoreArea) -> Iterator[str]:
    yield "VERSION 5.8 ;"
    yield 'DIVIDERCHAR "/" ;'
    yield 'BUSBITCHARS "[]" ;'
    yield f"DESIGN {top} ;"
    yield _head_units(DBU_PER_UM)
    yield f"DIEAREA ( 0 0 ) ( {core.width} {core.height} ) ;"


def _rows(core: CoreArea) -> Iterator[str]:
    for row in range(core.rows):
        orient = ORIENTATIONS[row % 2]
        yield (
            f"ROW ROW_{row} {core.site} 0 {row * core.row_height} {orient} "
            f"DO {core.sites} BY 1 STEP {core.site_width} 0 ;"
        )


def _tracks(core: CoreArea, kit: Kit) -> Iterator[str]:
    """Yield the tracks of each layer, along and across its preferred direction."""
    for layer in geometry(kit).layers:
        for axis, length in (("X", core.width), ("Y", core.height)):
            count = (length - layer.offset) // layer.pitch + 1
            if count > 0:
                step = f"DO {count} STEP {layer.pitch} LAYER {layer.name}"
                yield f"TRACKS {axis} {layer.offset} {step} ;"


def _vias(grid: PowerGrid) -> Iterator[str]:
    if not grid.arrays:
        return
    yield f"VIAS {len(grid.arrays)} ;"
    for array in grid.arrays:
        x, y = array.width // 2, array.height // 2
        yield f"- {array.name}"
        for layer in (array.lower, array.upper):
            yield f"  + RECT {layer} ( {-x} {-y} ) ( {x} {y} )"
        for left, low, right, high in array.cuts():
            yield f"  + RECT {array.cut.layer} ( {left} {low} ) ( {right} {high} )"
        yield "  ;"
    yield "END VIAS"


def _components(
    netlist: ArrayNetlist, fixed: PhysicalCells, fillers: PhysicalCells
) -> Iterator[str]:
    cells = np.flatnonzero(~netlist.is_port)
    yield f"COMPONENTS {len(cells) + fixed.count + fillers.count} ;"
    kinds = [kind.name for kind in netlist.kinds]
    columns = (netlist.kind, netlist.x, netlist.y, netlist.orient)
    rows = zip(cells.tolist(), *(column[cells].tolist() for column in columns), strict=True)
    for cell, kind, x, y, orient in rows:
        name = def_name(netlist.names[cell])
        yield f"- {name} {kinds[kind]} + PLACED ( {x} {y} ) {ORIENTATIONS[orient]} ;"
    for others, word, state in ((fixed, "TAP_", "FIXED"), (fillers, "FILLER_", "PLACED")):
        prefix = free_prefix(netlist.names, word)
        kinds = [kind.name for kind in others.kinds]
        columns = (others.kind, others.x, others.y, others.orient)
        for number, (kind, x, y, orient) in enumerate(
            zip(*map(np.ndarray.tolist, columns), strict=True)
        ):
            yield (
                f"- {prefix}{number} {kinds[kind]} + SOURCE DIST + {state} ( {x} {y} ) "
                f"{ORIENTATIONS[orient]} ;"
            )
    yield "END COMPONENTS"


def _bits(netlist: ArrayNetlist) -> set[str]:
    return {netlist.names[port] for port in np.flatnonzero(netlist.is_port).tolist()}


def _pins(netlist: ArrayNetlist, core: CoreArea, kit: Kit, grid: PowerGrid) -> Iterator[str]:
    """Yield the ports, and a port of each power net at its uppermost strap or rail."""
    ports, bits = np.flatnonzero(netlist.is_port), _bits(netlist)
    yield f"PINS {len(ports) + len(grid.nets)} ;"
    for port in ports.tolist():
        kind = netlist.kinds[netlist.kind[port]]
        net = int(netlist.pin_net[netlist.pin_start[port]])
        name = def_name(netlist.names[port], is_bit=True)
        x, y = int(netlist.x[port]), int(netlist.y[port])
        direction = "INPUT" if kind == INPUT_PORT else "OUTPUT"
        layer, side = port_layer(core, kit, x, y)
        to_net = def_name(netlist.nets[net], is_bit=netlist.nets[net] in bits) if net >= 0 else name
        yield (
            f"- {name} + NET {to_net} + DIRECTION {direction} + USE SIGNAL\n"
            f"  + LAYER {layer.name} {_port_shape(layer, side)} + PLACED ( {x} {y} ) N ;"
        )
    for net_, use in zip(grid.nets, _uses(grid), strict=True):
        strap = [strap for strap in grid.straps if strap.net == net_][-1]
        left, low, right, high = strap.shape
        yield (
            f"- {net_} + NET {net_} + SPECIAL + DIRECTION INOUT + USE {use}\n"
            f"  + LAYER {strap.layer} ( 0 0 ) ( {right - left} {high - low} ) "
            f"+ FIXED ( {left} {low} ) N ;"
        )
    yield "END PINS"


def _port_shape(layer: Layer, side: str) -> str:
    """Shape of a port around its place: as wide as a wire, two wires long, inside the die."""
    half, length = layer.width // 2, _PORT_TRACKS * layer.width
    if layer.is_horizontal:
        left = 0 if side == "left" else -length
        return f"( {left} {-half} ) ( {left + length} {half} )"
    low = 0 if side == "bottom" else -length
    return f"( {-half} {low} ) ( {half} {low + length} )"


def _uses(grid: PowerGrid) -> tuple[str, str]:
    return ("GROUND", "POWER") if grid.lower_is_ground else ("POWER", "GROUND")


def _special_nets(grid: PowerGrid) -> Iterator[str]:
    yield f"SPECIALNETS {len(grid.nets)} ;"
    for net, use in zip(grid.nets, _uses(grid), strict=True):
        yield f"- {net} ( * {net} )"
        word = "+ ROUTED"
        for strap in grid.straps:
            if strap.net == net:
                yield f"  {word} {_strap(strap)}"
                word = "NEW"
        for crossing in grid.crossings:
            if crossing.net == net:
                for array in (grid.arrays[at] for at in crossing.arrays):
                    yield (
                        f"  NEW {array.lower} 0 + SHAPE STRIPE ( {crossing.x} {crossing.y} ) "
                        f"{array.name}"
                    )
        yield f"  + USE {use} ;"
    yield "END SPECIALNETS"


def _strap(strap: Strap) -> str:
    left, low, right, high = strap.shape
    if right - left > high - low:
        middle = (low + high) // 2
        ends = f"( {left} {middle} ) ( {right} * )"
    else:
        middle = (left + right) // 2
        ends = f"( {middle} {low} ) ( * {high} )"
    width = min(right - left, high - low)
    return f"{strap.layer} {width} + SHAPE {'FOLLOWPIN' if strap.rail else 'STRIPE'} {ends}"


def _nets(netlist: ArrayNetlist) -> Iterator[str]:
    start, order = netlist.net_pins
    bits = _bits(netlist)
    yield f"NETS {len(netlist.nets)} ;"
    ends = list(_connections(netlist, order))
    bounds = start.tolist()
    for number, name in enumerate(netlist.nets):
        pins = ends[bounds[number] : bounds[number + 1]]
        lines = (" ".join(pins[at : at + _PER_LINE]) for at in range(0, len(pins), _PER_LINE))
        connected = "\n  ".join(lines)
        yield f"- {def_name(name, is_bit=name in bits)} {connected} + USE SIGNAL ;"
    yield "END NETS"


def _connections(netlist: ArrayNetlist, pins: np.ndarray) -> Iterable[str]:
    """Yield each pin as a net's connection: instance and pin, or a port."""
    own = netlist.pin_instance[pins]
    port = netlist.is_port
    names = [
        f"( PIN {def_name(name, is_bit=True)} )" if is_port else f"( {def_name(name)} "
        for name, is_port in zip(netlist.names, port.tolist(), strict=True)
    ]
    ends = [[f"{pin.name} )" for pin in kind.pins] for kind in netlist.kinds]
    columns = (own, netlist.kind[own], pins - netlist.pin_start[own], port[own])
    for instance, kind, pin, is_port in zip(*map(np.ndarray.tolist, columns), strict=True):
        yield names[instance] if is_port else names[instance] + ends[kind][pin]
