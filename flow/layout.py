"""Stages of the flow, and the choices by which a circuit is placed and routed."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, fields, replace
from math import inf
from typing import Any

#: Constraint within PUBLISHED_WITHIN of the smallest period; above; below.
TIGHT, LOOSE, OUT_OF_REACH = CONSTRAINTS = ("tight", "loose", "out of reach")

PUBLISHED_WITHIN = 0.03  #: greatest distance of a tight constraint from the period, relative to it

_ROUNDED = 1 + 1e-9  # 2.06 ns is 3 % above 2 ns, but not in binary numbers


def judge(clock_ns: float, min_period_ns: float, within: float = PUBLISHED_WITHIN) -> str:
    """Return one of ``CONSTRAINTS`` for a constraint and the smallest period, both in ns."""
    if abs(clock_ns - min_period_ns) <= within * min_period_ns * _ROUNDED:
        return TIGHT
    return LOOSE if clock_ns > min_period_ns else OUT_OF_REACH


def constraint_of(stage: str, clock_ns: float, min_period_ns: float) -> str:
    return "" if stage in ("", SYNTHESIZED) else judge(clock_ns, min_period_ns)


#: activities: gates have delays, so that glitches count, or have none
TIMED, ZERO = ACTIVITIES = ("timed", "zero")

#: Cycles of each type of operation in which gates have delays. At the default, all cycles have
#: delays if that takes only some seconds (flow.gates.level).
TIMED_CYCLES = 500

ALL_CYCLES = 0


#: how far a circuit is taken before it is measured
SYNTHESIZED, PLACED, ROUTED = STAGES = ("synthesized", "placed", "routed")

PLACED_STAGES = (PLACED, ROUTED)

EMBEDDED, OPENROAD = PHYSICAL_TOOLS = ("embedded", "openroad")  #: tools that place a circuit

OPENSTA = "opensta"
TIMERS = (OPENSTA, EMBEDDED)

SEARCHED = 0.0  #: value of `utilisation`: search the smallest core in which wires fit

LEAST_UTILISATION, MOST_UTILISATION = 0.1, 0.95  #: limits of a utilisation that a user chooses


def stage_of(text: str) -> str:
    """Return the name of a stage; records of earlier versions call ``synthesized`` otherwise."""
    return SYNTHESIZED if text == "synthesis" else text


_FLOATS = ("utilisation", "uncertainty_ns", "derate")


@dataclass(frozen=True)
class Layout:
    """Stage of a run, and the choices for placement; checked when it is made.

    Parameters
    ----------
    stage
        ``synthesized``: ideal clock, the library's wire-load model; ``placed``: clock tree and
        estimated wires; ``routed``: routed wires.
    physical
        Tool that places: ``embedded`` or ``openroad``. Only ``openroad`` routes.
    utilisation
        Area of the cells over area of the core; ``SEARCHED``: the largest without overflow.
    seed
        Seed of the placement, from 0.
    uncertainty_ns
        Clock uncertainty for setup and hold; None: that of the library's kit.
    derate
        Fraction by which late paths are slower, and early paths faster, than computed; None:
        that of the library's kit.
    timer
        ``opensta``, or ``embedded``, which needs no other program; empty: ``usual_timer``.

    Raises
    ------
    ValueError
        If a value is not allowed.
    """

    stage: str = SYNTHESIZED
    physical: str = EMBEDDED
    utilisation: float = SEARCHED
    seed: int = 1
    uncertainty_ns: float | None = None
    derate: float | None = None
    timer: str = ""

    def __post_init__(self) -> None:
        if not self.timer:
            object.__setattr__(self, "timer", usual_timer())
        choices = (("stage", STAGES), ("physical", PHYSICAL_TOOLS), ("timer", TIMERS))
        for name, allowed in choices:
            if (value := getattr(self, name)) not in allowed:
                raise ValueError(f"{name}={value}: {', '.join(allowed)} are allowed")
        if self.stage == ROUTED and self.physical != OPENROAD:
            raise ValueError(f"stage={ROUTED}: only physical={OPENROAD} routes")
        least, most = LEAST_UTILISATION, MOST_UTILISATION
        if self.utilisation != SEARCHED and not least <= self.utilisation <= most:
            raise ValueError(
                f"utilisation={self.utilisation:g}: {least:g} to {most:g} are allowed, "
                f"or {SEARCHED:g} for a search"
            )
        if not 0 <= self.seed < 1 << 31:
            raise ValueError(f"seed={self.seed}: 0 to {(1 << 31) - 1} are allowed")
        if self.uncertainty_ns is not None and not 0 <= self.uncertainty_ns < inf:
            raise ValueError(f"uncertainty_ns={self.uncertainty_ns:g}: 0 or more is allowed")
        if self.derate is not None and not 0 <= self.derate < 1:
            raise ValueError(f"derate={self.derate:g}: 0 up to, but without, 1 is allowed")

    @property
    def placed(self) -> bool:
        """Whether the stage is one with places."""
        return self.stage in PLACED_STAGES

    def __str__(self) -> str:
        parts = [self.stage]
        if self.placed:
            core = f"utilisation {self.utilisation:g}" if self.utilisation else "smallest core"
            parts = [f"{self.stage} by {self.physical}", core, f"placement seed {self.seed}"]
            margins = {"uncertainty_ns": self.uncertainty_ns, "derate": self.derate}
            parts += [f"{name} {value:g}" for name, value in margins.items() if value]
        if self.timer != OPENSTA:
            parts.append("timed by rsaxcel")
        return ", ".join(parts)

    def as_fields(self) -> dict[str, Any]:
        """Return the fields of a job. Without places, the timer is the only choice."""
        own = self if self.placed else replace(NOT_PLACED, timer=self.timer)
        found = {x.name: getattr(own, x.name) for x in fields(self)}
        # 0 and 0.0 would give different keys of results.
        floats = [x for x in _FLOATS if found[x] is not None]
        return found | {x: float(found[x]) for x in floats}


def usual_timer() -> str:
    """Return the timer of jobs that name none: OpenSTA, if it is installed."""
    return OPENSTA if shutil.which("sta") else EMBEDDED


NOT_PLACED = Layout()
