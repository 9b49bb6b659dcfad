"""Divides the area of a design or a system into parts, from the areas of its instances."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rsaxcel.circuit import Label
from rsaxcel.flow.subjects import find_target

TOP_LEVEL = "top level"  #: label of the cells that are in the top module itself, in no instance

_PARTS = {"multiplier": "multiplier", "engine": "multiplier", "constants": "constants"}
_ROLES = {**_PARTS, "processor": "processor"}


@dataclass(frozen=True)
class AreaPart:
    """Part of a design; the areas of all parts add up to the design's area."""

    path: str  #: path of the instance; empty: cells in the top module
    kind: str  #: "multiplier", "constants" (computes constants of the modulus) or "rest"
    label: str
    area_um2: float  #: area without the parts inside


def labels_of(design: str, nbits: int, params: Mapping[str, Any]) -> Sequence[Label]:
    """Labels of a circuit's or a system's instances; none if the catalog does not know it."""
    try:
        return find_target(design, nbits, params).labels
    except ValueError:
        return ()


def multipliers(areas: Mapping[str, float], labels: Sequence[Label]) -> dict[str, float]:
    """Return how many multipliers a design has, the mean area of one, and that of all dividers.

    Empty without multipliers. Keys are quantities in the table of facts, as those of ``system``.
    """
    lanes = [areas[x] for x in _outermost(areas, labels, ("multiplier",))]
    dividers = [areas[x] for x in _outermost(areas, labels, ("divider",))]
    if not lanes:
        return {}
    return {
        "multipliers": len(lanes),
        "multiplier_area_um2": float(sum(lanes)) / len(lanes),
        "dividers_area_um2": float(sum(dividers)),
    }


def system(areas: Mapping[str, float], labels: Sequence[Label]) -> dict[str, float]:
    """Areas of a system's processor, and of all beside it; empty if there is no processor.

    With an accelerator, also of the exponentiator, and of the adapter around it.
    """
    processor = next(iter(_outermost(areas, labels, ("processor",))), None)
    if processor is None:
        return {}
    beside = sum(x for path, x in areas.items() if "." not in path and path != processor)
    found = {"processor_area_um2": areas[processor], "accelerator_area_um2": beside}
    if core := next(iter(_outermost(areas, labels, ("core",))), None):
        found["exponentiator_area_um2"] = areas[core]
        found["registers_area_um2"] = areas[core.rpartition(".")[0]] - areas[core]
    return found


def breakdown(
    areas: Mapping[str, float], total_um2: float, labels: Sequence[Label]
) -> list[AreaPart]:
    """Divide a design's area into multipliers, units for constants, and the rest of executors."""
    # Areas by instance include everything below the instance.
    listed = _outermost(areas, labels, _PARTS)
    machines = [p for p in areas if "." not in p and p not in listed]
    parts = []
    for machine in machines:
        inside = [p for p in listed if p.startswith(f"{machine}.")]
        parts += [
            AreaPart(p, _PARTS[listed[p].kind], f"{machine}: {listed[p].text}", areas[p])
            for p in inside
        ]
        rest = areas[machine] - sum(areas[p] for p in inside)
        label = f"{machine}: control, registers" if inside else machine
        parts.append(AreaPart(machine, "rest", label, rest))
    parts += [
        AreaPart(p, _PARTS[x.kind], x.text, areas[p]) for p, x in listed.items() if "." not in p
    ]
    left = total_um2 - sum(part.area_um2 for part in parts)
    if left > 1e-6 * total_um2:
        parts.append(AreaPart("", "rest", TOP_LEVEL, left))
    return parts


def role_of(path: str, labels: Sequence[Label]) -> str:
    """Return the role of an instance for pictures; parts of a multiplier or unit have its role."""
    found = _labelled(path, labels, _ROLES)
    if found is None:
        return "rest"
    _, label, index = found
    role = _ROLES[label.kind]
    return f"other {role}" if index % 2 else role


def _outermost(
    areas: Mapping[str, float], labels: Sequence[Label], kinds: Collection[str]
) -> dict[str, Label]:
    """Instances of some kinds by path, without those inside others; labels include the index."""
    found = ((path, _labelled(path, labels, kinds)) for path in areas)
    return {path: x[1] for path, x in found if x and x[0] == path}


def _labelled(
    path: str, labels: Sequence[Label], kinds: Collection[str]
) -> tuple[str, Label, int] | None:
    """Outermost instance of some kinds at or around a path, with its label and index."""
    asked = [x for x in labels if x.kind in kinds]
    steps = path.split(".")
    for count in range(1, len(steps) + 1):
        around = ".".join(steps[:count])
        for label in asked:
            if match := re.fullmatch(label.pattern, around):
                index = match.groupdict().get("index", "0")
                return around, replace(label, text=label.text.format(index=index)), int(index)
    return None
