"""``Entry``: the declaration of a design in the registry, with its choice on each axis."""

from dataclasses import dataclass

from rsaxcel.catalog.units import Classes


@dataclass(frozen=True)
class Entry:
    """Declaration of a design; ``catalog.fit`` derives the choices that are left empty."""

    id: int  # stable, at least 1: software tells accelerators apart by it; 0: not in the registry
    name: str
    summary: str  # one line
    multiplier: Classes  # of every lane
    schedule: str  # key of plan.schedules.SCHEDULES
    lanes: int
    source: str  # document with section or algorithm
    conversions: str = ""  # where they run; see plan.domains.montgomery
    r_squared: str = ""  # source of R**2 mod m
    one: str = ""  # source of R mod m
    # "pseudo_modulus", "crt"; empty: Montgomery if the multiplier divides by R, else plain
    domain: str = ""
    reduction: str = ""  # key of catalog.reductions.REDUCTIONS; empty: the first one that fits
