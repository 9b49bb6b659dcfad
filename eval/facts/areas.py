"""Divides the area of a design or a system into parts, from the areas of its instances."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

_LANE = re.compile(r"lanes(__|\[)(?P<index>\d+)\]?$")
_DIVIDER = "divider"
_CONSTANTS = re.compile(r"constant_units(__|\[)\d+\]?$")
# Name of the multiplier's instance in an exponentiator whose store is a memory of words: such an
# exponentiator has no lanes.
_ENGINE = "engine"
TOP_LEVEL = "top level"  # label of the cells that are in the top module itself, in no instance

_PROCESSOR, _EXPONENTIATOR = "proc", "exponentiator"


@dataclass(frozen=True)
class Part:
    """Part of a design; the areas of all parts add up to the design's area."""

    path: str  # of the instance; empty: cells in the top module
    kind: str  # "multiplier", "constants" (computes constants of the modulus) or "rest"
    label: str  # for charts
    area_um2: float  # without the parts inside


@dataclass(frozen=True)
class Multipliers:
    """Number and total area of a design's multipliers, and total area of the dividers in them."""

    count: int
    area_um2: float
    divider_um2: float

    @property
    def each_um2(self) -> float:
        return self.area_um2 / self.count


def multipliers(areas: Mapping[str, float]) -> Multipliers | None:
    """Find the multipliers by their instances' names, such as ``lanes__0``; None without lanes."""
    lanes = [path for path in areas if _LANE.search(path)]
    dividers = (
        path for path in areas if _leaf(path) == _DIVIDER and any(_below(path, x) for x in lanes)
    )
    area_um2, divider_um2 = (float(sum(areas[x] for x in paths)) for paths in (lanes, dividers))
    return Multipliers(len(lanes), area_um2, divider_um2) if lanes else None


@dataclass(frozen=True)
class SystemAreas:
    """Areas of a system's parts in um2. The field names are quantities in the table of facts."""

    processor_area_um2: float
    accelerator_area_um2: float  # all instances of the top module but the processor
    exponentiator_area_um2: float | None = None  # inside the adapter; None: no accelerator
    registers_area_um2: float | None = None  # adapter without exponentiator


def system(areas: Mapping[str, float]) -> SystemAreas | None:
    """Divide a system into processor and accelerator; None if there is no processor."""
    if _PROCESSOR not in areas:
        return None
    beside = sum(x for path, x in areas.items() if "." not in path and path != _PROCESSOR)
    found = SystemAreas(areas[_PROCESSOR], beside)
    for path, area_um2 in areas.items():
        if _leaf(path) == _EXPONENTIATOR:
            around_um2 = areas[path.rpartition(".")[0]] - area_um2
            return replace(found, exponentiator_area_um2=area_um2, registers_area_um2=around_um2)
    return found


def breakdown(areas: Mapping[str, float], total_um2: float) -> list[Part]:
    """Divide a design's area into multipliers, units for constants, and the rest of executors."""
    # Areas by instance include everything below the instance.
    listed = {p: k for p in areas if (k := _kind(p))}
    machines = [p for p in areas if "." not in p and p not in listed]
    parts = []
    for machine in machines:
        inside = [p for p in listed if _below(p, machine)]
        parts += [Part(p, listed[p], _label(p), areas[p]) for p in inside]
        rest = areas[machine] - sum(areas[p] for p in inside)
        label = f"{machine}: control, registers" if inside else machine
        parts.append(Part(machine, "rest", label, rest))
    parts += [Part(p, k, _label(p), areas[p]) for p, k in listed.items() if "." not in p]
    left = total_um2 - sum(part.area_um2 for part in parts)
    if left > 1e-6 * total_um2:
        parts.append(Part("", "rest", TOP_LEVEL, left))
    return parts


def role_of(path: str) -> str:
    """Return the role of an instance for pictures; parts of multipliers and units have theirs."""
    around = path
    while around:
        if kind := _kind(around):
            lane = _LANE.search(around)
            return f"other {kind}" if lane and int(lane["index"]) % 2 else kind
        around = around.rpartition(".")[0]
    return "processor" if path.partition(".")[0] == _PROCESSOR else "rest"


def _kind(path: str) -> str | None:
    if _LANE.search(path) or _leaf(path) == _ENGINE:
        return "multiplier"
    return "constants" if _CONSTANTS.search(path) else None


def _label(path: str) -> str:
    machine, _, inside = path.partition(".")
    lane = _LANE.search(path)
    if lane:
        name = f"multiplier {lane['index']}"
    else:
        name = "constants unit" if _CONSTANTS.search(path) else _leaf(path).replace("_", " ")
    return f"{machine}: {name}" if inside else name


def _leaf(path: str) -> str:
    return path.rpartition(".")[2]


def _below(path: str, ancestor: str) -> bool:
    return path.startswith(f"{ancestor}.")
