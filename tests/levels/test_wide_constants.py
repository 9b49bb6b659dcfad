"""Constants that are wider or narrower than the modulus, from the host to the multiplier."""

import random

import pytest

from rsaxcel.catalog import Classes, MultiplierEntry
from rsaxcel.course.testing.cases import draw_modulus
from rsaxcel.proc.operands import join_words
from rsaxcel.proc.run import run_fl
from rsaxcel.proc.systems import System
from rsaxcel.sim.engine import open_engine
from rsaxcel.sim.system import open_cycle_model
from rsaxcel.sim.system_run import SystemRequest
from tests.shared.constant_multipliers import BARRETT, Barrett, BarrettRTL, OneCycle


@pytest.mark.quick_cases("13")
@pytest.mark.parametrize("nbits", [13, 16, 32, 64])
def test_constants_on_the_processor(nbits):
    """Constants are shorter than their words, fill them, or need more words than the modulus."""
    system = System(f"proc_{BARRETT.name}", nbits, BARRETT.configure(nbits, mu="host"))
    circuit = open_cycle_model(system)
    rng = random.Random(nbits)
    for modulus in (3, (1 << nbits) - 1, draw_modulus(rng, nbits // 2) + 1):
        row = (modulus - 1, 0x2B, modulus)
        image = system.image("xcel", *row)
        golden = run_fl(image, system.devices())
        run = circuit.run(SystemRequest(system.image("xcel", *row), 100_000))
        assert (golden.end.exit_status, run.end.exit_status) == (0, 0)
        assert join_words(golden.messages) == join_words(run.messages) == pow(*row)


class Held(Barrett):
    """Multiplier whose requester has to hold the modulus and the constant."""

    holds_modulus = False


def test_held_constants():
    """A multiplier alone gets registers for modulus and constant, whatever their widths."""
    configuration = MultiplierEntry(Classes(Held, OneCycle, BarrettRTL)).configure(8)
    rows = [(m - 1, a, m) for m in (2, 3, 200, 255) for a in (0, 1, m // 2, m - 1)]
    engine = open_engine("native", lambda: configuration.component("rtl"))
    batch = engine.run([configuration.request(*row) for row in rows], in_flight=None)
    assert batch.responses == [(a * b % m,) for a, b, m in rows]
