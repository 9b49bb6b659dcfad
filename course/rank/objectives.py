"""Figures that designs can be ranked by."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Objective:
    """A figure that designs are ranked by; the smaller, the better."""

    key: str  # ends with the unit, such as time_us
    label: str  # in the output


OBJECTIVES = {
    "area_time": Objective("area_time_um2_ms", "area x time"),
    "energy": Objective("energy_nj", "energy"),
    "time": Objective("time_us", "time"),
    "area": Objective("area_um2", "area"),
}

_PLACED = {
    "area_time": Objective("core_area_time_um2_ms", "core x time"),
    "area": Objective("core_area_um2", "core"),
}


def objective_of(name: str, *, placed: bool) -> Objective:
    """Return an objective by its name; placed designs are ranked by the area of the core."""
    return (_PLACED if placed else {}).get(name, OBJECTIVES[name])
