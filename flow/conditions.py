"""Conditions under which the energy of operations is measured."""

# with delays, so that glitches count, or with zero delay
TIMED, ZERO = ACTIVITIES = ("timed", "zero")

# Cycles of each type of operation in which gates have delays. At the default, all cycles have
# delays if that takes only some seconds (flow.gates.level).
TIMED_CYCLES = 500

ALL_CYCLES = 0
