"""Ends that wait for their acknowledgement."""

from pymtl3 import DefaultPassGroup

from rtl.axi.interrupts import Interrupts


def test_a_reset_forgets_what_waits():
    unit = Interrupts()
    unit.elaborate()
    unit.apply(DefaultPassGroup())
    unit.sim_reset()
    unit.ends @= 1
    for count in range(3):
        assert unit.waiting == count
        unit.sim_tick()
    unit.ends @= 0
    unit.sim_tick()
    assert unit.waiting == 3
    unit.reset @= 1
    unit.sim_tick()
    assert unit.waiting == 0
