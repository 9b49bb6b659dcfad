"""Judges a clock constraint by the period that a circuit reaches.

Repairs of a placed netlist aim at the constraint. Out of reach, it makes them spend area and energy
in vain; loose, it makes them stop early. So a period is published only with a tight constraint.
"""

from __future__ import annotations

from rsaxcel.flow.layout import SYNTHESIZED

# The constraint lies close to the period; above it; below it.
TIGHT, LOOSE, OUT_OF_REACH = CONSTRAINTS = ("tight", "loose", "out of reach")

PUBLISHED_WITHIN = 0.03  # largest difference, relative to the period

_ROUNDED = 1 + 1e-9  # 2.06 ns is within 3 % of 2 ns, although its binary number is not


def judge(clock_ns: float, min_period_ns: float, within: float = PUBLISHED_WITHIN) -> str:
    """Return one of ``CONSTRAINTS`` for a constraint and the smallest period, both in ns."""
    if abs(clock_ns - min_period_ns) <= within * min_period_ns * _ROUNDED:
        return TIGHT
    return LOOSE if clock_ns > min_period_ns else OUT_OF_REACH


def constraint_of(stage: str, clock_ns: float, min_period_ns: float) -> str:
    return "" if stage in ("", SYNTHESIZED) else judge(clock_ns, min_period_ns)
