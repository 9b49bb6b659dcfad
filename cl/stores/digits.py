"""Timing of DigitStore: the lane prepares for a modulus, and reduces the last result."""

from collections.abc import Mapping
from typing import Any

from cl.exponentiator import Handshake
from fl.kept_results import LOAD_CYCLES, KeptResults
from fl.multipliers.contract import Multiplier
from fl.steps import Product, Program


class DigitStore:
    """Operands are registered with the request; products wait where b has to be loaded."""

    def __init__(self, multiplier: Multiplier, timing: Any):
        self.handshake = Handshake(
            start_cycles=timing.prepare_cycles,
            empty_cycles=1,  # the next step is found in it
            unload_cycles=timing.reduction_cycles,
        )

    def waits(self, program: Program) -> Mapping[Product, int]:
        """Cycles by which products begin later than the lane could."""
        fetches = KeptResults(program).fetches
        return {product: LOAD_CYCLES for product, fetch in fetches.items() if fetch.loads}
