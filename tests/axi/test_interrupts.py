"""The counter of ended operations that are not acknowledged."""

import pytest
from pymtl3 import DefaultPassGroup

from rsaxcel.fl.bus import MAX_INTERRUPTS
from rsaxcel.rtl.axi.control import Interrupts


class Bench:
    """Drives the counter cycle by cycle."""

    def __init__(self, ends: int):
        """Reset the counter, then count ``ends`` ends."""
        self.unit = Interrupts()
        self.unit.elaborate()
        self.unit.apply(DefaultPassGroup())
        self.unit.sim_reset()
        for _ in range(ends):
            self.tick(ends=1)

    def tick(self, ends: int = 0, acknowledged: int = 0) -> int:
        """Run one cycle with these inputs; return the count after it."""
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
    """An acknowledgement counts only for ends of earlier cycles."""
    left = max(0, waiting - acknowledged)
    assert Bench(waiting).tick(ends=1, acknowledged=acknowledged) == left + 1
