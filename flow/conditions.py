"""Conditions under which the energy of operations is measured."""

TIMED, ZERO = ACTIVITIES = ("timed", "zero")
"""How gates are simulated: with delays, so that glitches count, or with zero delay."""

TIMED_CYCLES = 500
"""Default number of cycles of each type of operation in which gates have delays.

At the default, gates have delays in all cycles if that takes only some seconds
(``flow.gates.level``).
"""

ALL_CYCLES = 0
"""Value of ``timed_cycles`` that stands for all cycles."""
