"""Conditions under which the energy of operations is measured."""

TIMED, ZERO = ACTIVITIES = ("timed", "zero")
"""What toggles: nets behind gates with delays, glitches included, or behind gates without."""

TIMED_CYCLES = 500
"""Cycles of each type of operation in which gates have delays, unless asked otherwise.

They are the least: gates have delays in all cycles where that takes some seconds
(``flow.gates.level``).
"""

ALL_CYCLES = 0
"""Number of cycles that stands for all of them."""
