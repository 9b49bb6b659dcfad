"""How the clock constraint of a circuit relates to its period: what the period is worth.

Repairs of a placed netlist aim at the clock constraint. If the constraint is out of reach, they
spend area and energy on a period that no repair reaches, and the figures are of no use. If the
constraint is loose, they stop early, and the period is not the smallest one. So a period is
published only if the constraint lies within 3 % of it.
"""

from __future__ import annotations

from rsaxcel.flow.layout import SYNTHESIZED

TIGHT, LOOSE, OUT_OF_REACH = CONSTRAINTS = ("tight", "loose", "out of reach")
"""The constraint lies close to the period; above it; below it."""

PUBLISHED_WITHIN = 0.03
"""Largest difference between constraint and period, relative to the period, of a tight constraint:
the period is published."""

_ROUNDED = 1 + 1e-9  # 2.06 ns is within 3 % of 2 ns, although its binary number is not


def judge(clock_ns: float, min_period_ns: float, within: float = PUBLISHED_WITHIN) -> str:
    """Return one of ``CONSTRAINTS`` for a constraint and the smallest period, both in ns."""
    if abs(clock_ns - min_period_ns) <= within * min_period_ns * _ROUNDED:
        return TIGHT
    return LOOSE if clock_ns > min_period_ns else OUT_OF_REACH


def constraint_of(stage: str, clock_ns: float, min_period_ns: float) -> str:
    """Return one of ``CONSTRAINTS`` for a placed or routed circuit, and an empty text for others.

    A synthesized netlist is not judged: no repair aims at its constraint, and a constraint that no
    design meets makes every design as fast as it can be.
    """
    return "" if stage in ("", SYNTHESIZED) else judge(clock_ns, min_period_ns)
