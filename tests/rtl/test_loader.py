"""A reset while operands are loaded word by word."""

import pytest
from pymtl3 import DefaultPassGroup

from tests.shared.harness import configure

NBITS = 24
FIRST, SECOND = (0x123456, 1, 0xFFFFF1), (0x00FEDC, 1, 0x00FFF1)


def start(component) -> None:
    component.elaborate()
    component.apply(DefaultPassGroup())
    component.sim_reset()


def offer(component, fields) -> None:
    """Offer a request from this cycle on."""
    message = component.recv.msg
    for name, value in zip(message.__bitstruct_fields__, fields, strict=True):
        field = getattr(message, name)
        field @= type(field)(value)
    component.recv.val @= 1
    component.sim_eval_combinational()


@pytest.mark.parametrize("cycles", [1, 2, 3])
@pytest.mark.parametrize("name", ["digit_serial_r2l", "systolic_l2r_always"])
def test_request_that_changes_in_a_reset(name, cycles):
    """A request offered from the reset on is loaded from its first word."""
    fixed = {"exponent_nbits": 1} if name == "systolic_l2r_always" else {}
    configuration = configure(name, NBITS, **fixed)
    component = configuration.component("rtl")
    start(component)
    component.send.rdy @= 1
    for before in range(configuration.load_cycles + 1):
        offer(component, configuration.request(*FIRST))
        for _ in range(before):
            component.sim_tick()
        component.reset @= 1
        offer(component, configuration.request(*SECOND))
        for _ in range(cycles):
            component.sim_tick()
        component.reset @= 0
        component.sim_eval_combinational()
        loaded = 0
        while not component.recv.rdy:
            component.sim_tick()
            loaded += 1
        assert loaded == configuration.load_cycles
        component.sim_tick()
        component.recv.val @= 0
        cycles_left = configuration.cycles(*SECOND)
        component.sim_eval_combinational()
        while not component.send.val:
            component.sim_tick()
            cycles_left -= 1
            assert cycles_left > 0
        assert (component.send.msg.r, component.send.msg.status) == (pow(*SECOND), 0)
        component.sim_tick()
