"""``Entry``: the declaration of a design in the registry, with its choice on each axis."""

from dataclasses import dataclass

from rsaxcel.catalog.units import Classes


@dataclass(frozen=True)
class Entry:
    """Declaration of a design; ``catalog.fit`` derives the choices that are left empty.

    Parameters
    ----------
    id : int
        Stable number, 1 or more, by which software tells accelerators apart; 0 stands for a
        composition, which is not in the registry.
    name, summary, source : str
        Name in the registry, description in one line, and document with section or algorithm.
    multiplier : catalog.units.Classes
        Multiplier of every lane.
    schedule : str
        Name of the schedule, a key of ``plan.schedules.SCHEDULES``.
    lanes : int
        Number of lanes.
    conversions, r_squared, one : str
        For the Montgomery domain: where conversions run, and the sources of R**2 mod m and of
        R mod m, as in ``plan.domains.montgomery``. Empty: the default; unused in other domains.
    domain : str
        ``"pseudo_modulus"`` or ``"crt"``. Empty: Montgomery if the multiplier divides by R, else
        plain.
    reduction : str
        How the final result is brought below the modulus, a key of
        ``catalog.reductions.REDUCTIONS``; empty: the first one that fits.
    """

    id: int
    name: str
    summary: str
    multiplier: Classes
    schedule: str
    lanes: int
    source: str
    conversions: str = ""
    r_squared: str = ""
    one: str = ""
    domain: str = ""
    reduction: str = ""
