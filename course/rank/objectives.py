"""What designs are ranked by."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Objective:
    """What designs are ranked by, the less the better.

    Parameters
    ----------
    key
        Key of the figure, with its unit.
    label
        For people.
    """

    key: str
    label: str


OBJECTIVES = {
    "area_time": Objective("area_time_um2_ms", "area x time"),
    "energy": Objective("energy_nj", "energy"),
    "time": Objective("time_us", "time"),
    "area": Objective("area_um2", "area"),
}
