"""How the netlist of a subject is simulated: with delays or without, whole or in part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import ceil
from os import cpu_count

from flow.conditions import ALL_CYCLES, TIMED_CYCLES
from flow.gates.simulated import Simulated
from flow.gates.timed import Sample
from flow.power.activity import joined
from flow.power.netlist import Netlist
from flow.power.slews import Slews

_PART_CYCLES = 2000
# Gates times cycles of an operation up to which all cycles have delays: some seconds.
_ALL_GATE_CYCLES = 4e7

Keep = Callable[[str, Callable[[], Simulated]], Simulated]
"""Gives the part with a name: from the store, or by the function."""


@dataclass(frozen=True)
class GateLevel:
    """A netlist, and how it is simulated.

    Parameters
    ----------
    netlist
        Of library cells.
    slews
        Slews of its pins, where gates have delays.
    timed_cycles
        Cycles of each type of operation in which gates have delays; ``ALL_CYCLES``: all cycles.
    keep
        Keeps the parts of a simulation, so that an interrupted run goes on.
    """

    netlist: Netlist
    slews: Slews | None = None
    timed_cycles: int = TIMED_CYCLES
    keep: Keep = lambda name, make: make()

    def measured(
        self, name: str, cycles: float, simulate: Callable[[Sample], Simulated]
    ) -> Simulated:
        """Simulate a type of operation.

        Every cycle is simulated. Where gates have delays, they have them only in a sample of the
        cycles, as many as asked for; or in all cycles, part by part. Unless asked otherwise, they
        have them in all cycles where that takes some seconds.

        Parameters
        ----------
        name
            Of the operation.
        cycles
            About how many are counted.
        simulate
            Simulates it; the sample says in which cycles gates have delays.
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
