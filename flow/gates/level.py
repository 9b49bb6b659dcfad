"""Chooses the cycles in which gates have delays: none, a sample, or all cycles in parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import ceil
from os import cpu_count

from rsaxcel.flow.gates.timed import Sample
from rsaxcel.flow.layout import ALL_CYCLES, TIMED_CYCLES
from rsaxcel.flow.power.activity import Simulated, joined
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import Slews

_PART_CYCLES = 2000
#: Up to this product of gates and cycles, gates have delays in all cycles: this takes some seconds.
_ALL_GATE_CYCLES = 4e7

#: Returns part of a simulation by name: the stored part, or else what the function makes.
Keep = Callable[[str, Callable[[], Simulated]], Simulated]


@dataclass(frozen=True)
class GateLevel:
    """A netlist, and in which cycles its gates have delays."""

    netlist: Netlist
    slews: Slews | None = None  #: None: gates have no delays
    timed_cycles: int = TIMED_CYCLES  #: cycles of each type of operation in which gates have delays
    #: stores parts of simulations, so that an interrupted run can be resumed
    keep: Keep = lambda name, make: make()

    def measured(
        self, name: str, cycles: float, simulate: Callable[[Sample], Simulated]
    ) -> Simulated:
        """Simulate the operations of one type, with gate delays in all, some or no cycles.

        All cycles have delays if ``timed_cycles`` has its default and that takes only some seconds.
        ``cycles`` is the approximate length of one operation.
        """
        if self.slews is None:
            return simulate(Sample())
        small = cycles * len(self.netlist.instances) <= _ALL_GATE_CYCLES
        if self.timed_cycles == TIMED_CYCLES and small:
            return simulate(Sample())
        if self.timed_cycles != ALL_CYCLES:
            return simulate(Sample(max(1, int(cycles / self.timed_cycles))))
        parts = list(_parts(cycles))

        def part(sample: Sample) -> Simulated:
            return self.keep(f"{name}-{sample.part}-of-{sample.period}", lambda: simulate(sample))

        with ThreadPoolExecutor(min(len(parts), cpu_count() or 1)) as pool:
            done = list(pool.map(part, parts))
        return replace(done[0], activity=joined([x.activity for x in done]))


def _parts(cycles: float) -> Iterator[Sample]:
    period = max(1, ceil(cycles / _PART_CYCLES))
    return (Sample(period, part) for part in range(period))
