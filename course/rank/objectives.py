"""Figures that designs can be ranked by."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RankedFigure:
    """A figure that designs are ranked by; the smaller, the better."""

    key: str  #: name with the unit at its end, such as time_us
    label: str


OBJECTIVES = {
    "area_time": RankedFigure("area_time_um2_ms", "area x time"),
    "energy": RankedFigure("energy_nj", "energy"),
    "time": RankedFigure("time_us", "time"),
    "area": RankedFigure("area_um2", "area"),
}

_PLACED = {
    "area_time": RankedFigure("core_area_time_um2_ms", "core x time"),
    "area": RankedFigure("core_area_um2", "core"),
}


def objective_of(name: str, *, placed: bool) -> RankedFigure:
    """Return an objective by its name; placed designs are ranked by the area of the core."""
    return (_PLACED if placed else {}).get(name, OBJECTIVES[name])
