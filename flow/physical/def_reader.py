"""DEF reader: places of cells and ports; rows, tracks, wires and power grid are skipped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.array_netlist import DBU_PER_UM
from rsaxcel.flow.physical.def_file import ORIENTATIONS

_CELL = re.compile(r"\s*- (\S+) (\S+)(.*)\+ (?:PLACED|FIXED) \( (-?\d+) (-?\d+) \) (\w+)")
_PLACE = re.compile(r"\+ (?:PLACED|FIXED) \( (-?\d+) (-?\d+) \)")
_DIE = re.compile(r"DIEAREA \( (-?\d+) (-?\d+) \) \( (-?\d+) (-?\d+) \)")
_UNITS = re.compile(r"UNITS DISTANCE MICRONS (\d+)")
_WITHOUT_SIGNALS = "+ SOURCE DIST"


@dataclass(frozen=True)
class Places:
    """Places of a layout, in database units from the lower left corner of the die."""

    top: str
    width: int  # of the die
    height: int
    names: list[str]  # cells of the netlist, without taps and fillers
    kinds: list[str]
    x: np.ndarray  # lower left corner; int32
    y: np.ndarray
    orient: np.ndarray  # uint8, see flow.physical.array_netlist
    ports: dict[str, tuple[int, int]]  # bits of ports, power ports included


def read_places(path: Path) -> Places:
    """Read the places of cells and ports from a DEF file; ``FlowError`` if a cell has none."""
    names: list[str] = []
    kinds: list[str] = []
    rows: list[tuple[int, int, int]] = []
    with path.open(encoding="utf-8") as file:
        lines = iter(file)
        head = "".join(_until(lines, "COMPONENTS "))
        for line in _until(lines, "END COMPONENTS"):
            if not line.strip().startswith("- "):
                continue
            match = _CELL.match(line)
            if match is None or match[6] not in ORIENTATIONS:
                raise FlowError(f"{path.name}: no place in a row: {line.strip()}")
            if _WITHOUT_SIGNALS not in match[3]:
                names.append(_plain(match[1]))
                kinds.append(match[2])
                rows.append((int(match[4]), int(match[5]), ORIENTATIONS.index(match[6])))
        ports = dict(_ports(_until(lines, "END PINS")))
    units, die = _UNITS.search(head), _DIE.search(head)
    if units is None or die is None:
        raise FlowError(f"{path.name}: no DEF file with units, die area and components")
    left, low, right, high = map(int, die.groups())
    per_um = int(units[1])

    def scaled(value: int, origin: int) -> int:
        return round((value - origin) * DBU_PER_UM / per_um)

    x, y, orient = np.array(rows, np.int64).reshape(-1, 3).T
    return Places(
        head.partition("\nDESIGN ")[2].partition(" ")[0],
        scaled(right, left),
        scaled(high, low),
        names,
        kinds,
        np.rint((x - left) * DBU_PER_UM / per_um).astype(np.int32),
        np.rint((y - low) * DBU_PER_UM / per_um).astype(np.int32),
        orient.astype(np.uint8),
        {name: (scaled(px, left), scaled(py, low)) for name, (px, py) in ports.items()},
    )


def _until(lines: Iterator[str], word: str) -> Iterator[str]:
    """Yield lines up to the one that begins with a word, which is read, too."""
    for line in lines:
        if line.startswith(word):
            return
        yield line


def _ports(lines: Iterable[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    name = ""
    for line in lines:
        words = line.split(maxsplit=2)
        if words[:1] == ["-"]:
            name = _plain(words[1])
        if name and (place := _PLACE.search(line)):
            yield name, (int(place[1]), int(place[2]))
            name = ""


def _plain(name: str) -> str:
    return name.replace("\\", "")
