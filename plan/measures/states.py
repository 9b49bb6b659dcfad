"""Doubled states: a copy of each state machine detects faults. No step and no cycle changes."""

from collections.abc import Mapping

from rsaxcel.plan.measures.measure import Measure

SINGLE, DOUBLED = "single", "doubled"

#: Number of times that a circuit has its state machines, by token.
STATES: Mapping[str, str] = {
    SINGLE: "each state machine is there once",
    DOUBLED: "each state machine has a copy; if they differ, the response is a fault",
}

DOUBLED_STATES = Measure(
    "states", STATES, "only designs by two primes have doubled states", revising=[DOUBLED]
)
