"""Ends that wait for their acknowledgement."""

import pytest
from pymtl3 import DefaultPassGroup

from fl.bus import MAX_INTERRUPTS
from rtl.axi.interrupts import Interrupts


class Bench:
    """Drives the counter of ends cycle by cycle."""

    def __init__(self, ends: int):
        """Let so many ends come after a reset."""
        self.unit = Interrupts()
        self.unit.elaborate()
        self.unit.apply(DefaultPassGroup())
        self.unit.sim_reset()
        for _ in range(ends):
            self.tick(ends=1)

    def tick(self, ends: int = 0, acknowledged: int = 0) -> int:
        """Give how many ends wait after a cycle in which these come."""
        self.unit.ends @= ends
        self.unit.acknowledge @= acknowledged > 0
        self.unit.count @= acknowledged
        self.unit.sim_tick()
        return int(self.unit.waiting)


def test_a_reset_forgets_what_waits():
    bench = Bench(3)
    assert bench.tick() == 3
    bench.unit.reset @= 1
    assert bench.tick() == 0


def test_no_more_than_the_most_wait():
    assert Bench(MAX_INTERRUPTS + 1).tick() == MAX_INTERRUPTS


@pytest.mark.parametrize("waiting", [1, 2, MAX_INTERRUPTS])
@pytest.mark.parametrize("acknowledged", [1, MAX_INTERRUPTS, MAX_INTERRUPTS + 1])
def test_an_end_in_the_cycle_of_an_acknowledgement_is_not_lost(waiting, acknowledged):
    """The acknowledgement is of those that waited before."""
    left = max(0, waiting - acknowledged)
    assert Bench(waiting).tick(ends=1, acknowledged=acknowledged) == left + 1
