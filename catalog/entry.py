"""An entry of the registry: a name for a choice on each axis."""

from dataclasses import dataclass

from catalog.units import Classes


@dataclass(frozen=True)
class Entry:
    """Declaration of a design; ``catalog.fit`` derives the choices that it leaves out.

    Parameters
    ----------
    id : int
        Stable number, 1 or more, by which software tells accelerators apart; 0 stands for a
        composition that has no entry.
    name, summary, source : str
        Name in the registry, description in one line, and document with section or algorithm.
    multiplier : catalog.units.Classes
        Multiplier of every lane.
    schedule : str
        Token, a key of ``plan.schedules.SCHEDULES``.
    lanes : int
        Number of lanes of the loop.
    conversions, r_squared, one : str
        Montgomery domain: where conversions run, and sources of R**2 mod m and R mod m, as in
        ``plan.domains.montgomery``. Empty: the default choice, or a plain domain.
    domain : str
        ``"pseudo_modulus"`` or ``"crt"``; empty: plain or Montgomery, as the multiplier needs.
    reduction : str
        How the last result is brought below the modulus, a key of
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
