"""The slave's ports: what comes in at one reaches none of the others before the next clock edge."""

import random

from pymtl3 import InPort

from rtl.axi.pins import axi_pins
from sim.pymtl_engine import prepare
from tests.harness import configure

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
    # it was not at rest: every channel was at work, and was held up
    for name in ("awready", "wready", "bvalid", "arready", "rvalid"):
        column = outputs.index(f"s_axi_{name}")
        assert {values[column] for values in seen} == {0, 1}
