"""Axis of the states: whether a design has a copy of each state machine, to detect faults."""

from collections.abc import Mapping
from typing import Any

from rsaxcel.catalog.draft import Draft
from rsaxcel.catalog.halves_axis import HalvesAxis
from rsaxcel.plan.programs import STATES


class StatesAxis(HalvesAxis):
    """Axis of the states: one machine each, or two that are compared in every cycle."""

    name = "states"
    tokens = STATES
    told = "only designs by two primes have doubled states"

    def changes(self, draft: Draft, token: str) -> Mapping[str, Any]:
        """Return nothing: the operands of a request are the same."""
        return {}
