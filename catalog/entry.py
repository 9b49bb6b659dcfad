"""An entry of the registry: a name for a choice on each axis."""

from dataclasses import dataclass

from catalog.units import Classes


@dataclass(frozen=True)
class Entry:
    """What is written down of a design; the other choices follow (``catalog.fit``).

    Parameters
    ----------
    id : int
        Stable number, 1 or more, by which software tells accelerators apart; 0 stands for a
        composition that has no entry.
    name, summary, source : str
        Registry name, one line, and document with section or algorithm.
    multiplier : catalog.units.Classes
        Multiplier of every lane.
    schedule : str
        Token, a key of ``plan.schedules.SCHEDULES``.
    lanes : int
        Multipliers of the loop.
    conversions, r_squared, one : str
        Where a Montgomery domain converts, and where R**2 mod m and R mod m come from, as
        ``plan.domains.montgomery``. Nothing where the domain is plain, or for what is usual.
    domain : str
        ``"pseudo_modulus"``, or nothing: it follows from the multiplier.
    reduction : str
        What brings the last result below the modulus, a key of ``catalog.reductions.REDUCTIONS``,
        or nothing for what is usual.
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
