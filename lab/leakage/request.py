"""Request of ``rsaxcel leak``: a design, the conditions of its netlist, and what is measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rsaxcel.circuit import Circuit
from rsaxcel.fl.blinded_key import UNVARIED, Variation
from rsaxcel.flow.layout import NOT_PLACED, TIMED, ZERO, Layout
from rsaxcel.lab.leakage.operands import ENOUGH_NBITS, unhidden_nbits


@dataclass(frozen=True)
class LeakRequest:
    """Request of ``rsaxcel leak``."""

    configuration: Circuit
    tests: Sequence[str]  #: names of the tests; see operands.classes_of
    traces: int
    noise: float
    seed: int
    library: str  #: library of standard cells
    clock_ns: float  #: clock period of the synthesis
    variation: Variation = UNVARIED  #: variation of the moduli of a design by two primes
    activity: str = ZERO  #: timed: gates have delays, traces have glitches; zero: neither
    layout: Layout = NOT_PLACED
    order: int = 1  #: order of the t-tests

    @property
    def netlist(self) -> str:
        """The netlist and its gates in words."""
        return f"{self.layout}, gates {'with' if self.activity == TIMED else 'without'} delays"

    @cached_property
    def unhidden_nbits(self) -> tuple[int, ...]:
        """Bits of the exponents that blinding leaves, see ``operands.unhidden_nbits``."""
        return unhidden_nbits(self.configuration)

    @property
    def warning(self) -> str:
        """Say why blinding cannot work at a width; empty if it can."""
        halves = self.configuration.halves
        if not self.unhidden_nbits or halves is None or halves.multiple_nbits >= ENOUGH_NBITS:
            return ""
        left = " and ".join(map(str, self.unhidden_nbits))
        return (
            f"exponents of {halves.nbits} bits are too narrow to be blinded: {left} bits stay, and "
            f"there are only 2^{halves.multiple_nbits} random numbers; from 64 bits on, there are "
            f"2^{ENOUGH_NBITS} (docs/explanation/measures.md)"
        )

    def key(self, netlist: str) -> str:
        """Key of the traces' source: the netlist's key, and whether gates have delays."""
        return netlist if self.activity == ZERO else f"{netlist}, {self.activity}"
