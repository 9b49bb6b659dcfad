"""The AXI4-Lite slave: no combinational paths between ports, throughput, order, resets."""

import random

import pytest
from pymtl3 import InPort

from rsaxcel.rtl.axi.slave import AxiLiteSlave, axi_pins
from rsaxcel.sim.pymtl_engine import prepare
from tests.shared.harness import configure

CYCLES = 300


def test_no_input_reaches_an_output_combinationally():
    top = configure("mulrem_r2l", 8).axi_accelerator("fl")
    top.elaborate()
    inputs = [n for n in axi_pins() if isinstance(getattr(top, n), InPort)]
    prepare(top, None)
    draw = random.Random(0)
    outputs = [n for n in axi_pins() if n not in inputs] + ["interrupt", "entropy_ready"]
    inputs += ["entropy_valid", "entropy_data"]
    seen = set()

    def settle() -> list[int]:
        for name in inputs:
            port = getattr(top, name)
            port @= draw.getrandbits(port.nbits)
        top.sim_settle()
        return [int(getattr(top, name)) for name in outputs]

    for cycle in range(CYCLES):
        top.reset @= int(cycle < 2)
        values = settle()
        for _ in range(3):
            assert settle() == values
        seen.add(tuple(values))
        top.sim_edge()
    # every channel was active, and stalled, at some time
    for name in ("awready", "wready", "bvalid", "arready", "rvalid"):
        column = outputs.index(f"s_axi_{name}")
        assert {values[column] for values in seen} == {0, 1}


@pytest.mark.parametrize(
    ("channels", "expected"),
    [(("ar",), (20, 0)), (("aw", "w"), (0, 20)), (("ar", "aw", "w"), (15, 15))],
    ids=["reads", "writes", "both"],
)
def test_responses_in_thirty_cycles(channels, expected):
    """Reads and writes answered in 30 cycles for a master that never stalls."""
    top = configure("mulrem_r2l", 8).axi_accelerator("fl")
    top.elaborate()
    prepare(top, None)
    for pin in ("rready", "bready", *(f"{channel}valid" for channel in channels)):
        port = getattr(top, f"s_axi_{pin}")
        port @= 1
    answered = []
    for cycle in range(40):
        top.reset @= int(cycle < 2)
        top.sim_settle()
        answered.append((int(top.s_axi_rvalid), int(top.s_axi_bvalid)))
        top.sim_edge()
    assert tuple(map(sum, zip(*answered[-30:], strict=True))) == expected


def stepped():
    """Make a slave that gets no responses; return a function that runs a cycle of it.

    The function returns the access that the slave passes on in this cycle: read, write or "-".
    """
    slave = AxiLiteSlave()
    slave.elaborate()
    prepare(slave, None)

    def step(reads: int, writes: int, reset: int = 0) -> str:
        slave.reset @= reset
        slave.access.req.rdy @= 1
        slave.access.resp.val @= 0
        slave.axi.ar.val @= reads
        slave.axi.aw.val @= writes
        slave.axi.w.val @= writes
        slave.sim_settle()
        request = slave.access.req
        served = "-" if not request.val else "write" if request.msg.type_ else "read"
        slave.sim_edge()
        return served

    return step


def test_writes_have_the_first_turn_after_a_reset():
    """After a reset, a waiting write precedes a waiting read, whatever came before it."""
    step = stepped()
    step(0, 0, reset=1)
    assert [step(0, 1), step(0, 0)] == ["-", "write"]
    # Without a reset, a read would go first now.
    step(0, 0, reset=1)
    assert [step(1, 1), step(0, 0), step(0, 0)] == ["-", "write", "read"]
    assert [step(0, 1), step(0, 0)] == ["-", "write"]
    assert [step(1, 1), step(0, 0)] == ["-", "read"]


@pytest.mark.parametrize(("access", "served"), [((1, 0), "read"), ((0, 1), "write")])
def test_a_reset_forgets_what_is_owed(access, served):
    """Two missing responses block a third access of their kind; a reset unblocks it."""
    step = stepped()
    step(0, 0, reset=1)
    for _ in range(2):
        assert [step(*access) for _ in range(5)] == ["-", served, served, "-", "-"]
        step(0, 0, reset=1)
