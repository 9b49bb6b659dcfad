"""Bit-serial multipliers: cycles, and units for constants of every modulus."""

import random

import pytest

from rsaxcel.catalog.units import CONSTANT_UNITS, Unit
from rsaxcel.cl.elastic import Timing
from rsaxcel.course.testing.cases import draw_modulus
from rsaxcel.fl.messages import constant_request, constant_response
from rsaxcel.plan.domains import r_squared_constant
from rsaxcel.plan.modulus_constants import ModulusConstant, NegatedInverse
from rsaxcel.rtl.lib.held_modulus import HeldModulus
from rsaxcel.sim.engine import Engine, open_engine
from rsaxcel.sim.stalls import STALL_PROFILES
from tests.shared.harness import configure, simulate

SERIAL = ("ssmm", "mont_mul", "mont_red", "mont_mul_csa")


@pytest.mark.parametrize("name", SERIAL)
def test_no_cycle_between_products(name):
    """A product is accepted in the cycle in which the previous result is taken."""
    rows = [(200, 131, 251), (7, 250, 251), (250, 250, 251)]
    batch = simulate(configure(name, 8), "rtl", "native", rows, in_flight=None)
    assert batch.accepted[1:] == batch.taken[:-1] == batch.valid[:-1]


@pytest.mark.parametrize(
    ("name", "params", "cycles"),
    [
        ("ssmm", {}, 64 + 2),
        ("ssmm", {"bits_per_cycle": 4}, 16 + 2),
        ("mont_mul", {}, 64 + 2),
        ("mont_mul", {"bits_per_cycle": 8}, 8 + 2),
        ("mont_red", {}, 64 + 2),
        ("mont_mul_csa", {}, 64 + 2 * 2 + 1),
        ("mont_mul_csa", {"resolve_cycles": 3}, 64 + 2 * 4 + 1),
    ],
    ids=str,
)
def test_latency_of_full_operands(name, params, cycles):
    """Latency: an iteration per group of bits, the cycles to finish, and one for the request."""
    m = (1 << 64) - 59
    batch = simulate(configure(name, 64, **params), "rtl", "pymtl", [(m - 1, m - 1, m)])
    assert batch.cycles == [cycles]


@pytest.mark.parametrize("level", ["cl", "rtl"])
def test_shift_sub_ends_with_the_multiplier(level):
    """An operand of k bits takes k iterations, and 0 takes none."""
    m = 0xFFF1
    rows = [(m - 1, b, m) for b in (0, 1, 2, 3, 0x80, 0xFF, 0x100, m - 1)]
    batch = simulate(configure("ssmm", 16), level, "pymtl", rows)
    assert batch.cycles == [b.bit_length() + 2 for _, b, _ in rows]


R_SQUARED = [
    ("ssmm", {"recurrence": "signed"}),
    ("ssmm", {"recurrence": "unsigned"}),
    ("doubling", {"resolve_cycles": 1}),
    ("doubling", {"resolve_cycles": 3}),
]


def opened(constant: ModulusConstant, name: str, params: dict, nbits: int) -> tuple[Timing, Engine]:
    """Timing of a unit for a constant of the modulus, and an engine on its circuit."""
    unit = Unit(CONSTANT_UNITS[name], tuple({"constant": constant, **params}.items()))
    messages = constant_request(nbits), constant_response(constant)
    engine = open_engine("native", lambda: HeldModulus(nbits, unit, *messages))
    return unit.build("cl", nbits), engine


@pytest.mark.parametrize("nbits", [8, 9])
@pytest.mark.parametrize(("name", "params"), R_SQUARED, ids=str)
def test_r_squared_for_every_modulus(name, params, nbits):
    """All odd moduli of a width: right constants, in the cycles of the cycle model."""
    timing, engine = opened(r_squared_constant(nbits, nbits), name, params, nbits)
    moduli = range(3, 1 << nbits, 2)
    batch = engine.run([(m,) for m in moduli])
    assert batch.responses == [(4**nbits % m,) for m in moduli]
    assert batch.cycles == [sum(timing.durations(m)) for m in moduli]
    for stalls in STALL_PROFILES.values():
        again = engine.run([(m,) for m in moduli], stalls=stalls, in_flight=None)
        assert again.responses == batch.responses


@pytest.mark.parametrize("nbits", [130, 1024])
@pytest.mark.parametrize(("name", "params"), R_SQUARED, ids=str)
def test_r_squared_of_wide_moduli(name, params, nbits):
    """Wide moduli, of the full width and shorter."""
    rng = random.Random(nbits)
    moduli = [3, (1 << nbits) - 1, (1 << (nbits - 1)) + 1, (1 << (nbits - 1)) - 1]
    moduli += [draw_modulus(rng, rng.randint(2, nbits)) for _ in range(10)]
    timing, engine = opened(r_squared_constant(nbits, nbits), name, params, nbits)
    batch = engine.run([(m,) for m in moduli])
    assert batch.responses == [(pow(2, 2 * nbits, m),) for m in moduli]
    assert batch.cycles == [sum(timing.durations(m)) for m in moduli]


@pytest.mark.parametrize(("nbits", "k"), [(8, 10), (9, 4)])
def test_inverse_of_every_modulus(nbits, k):
    """-m^-1 mod 2^k for all odd moduli of a width, in k + 1 cycles, whatever the stalls."""
    moduli = range(3, 1 << nbits, 2)
    constant = ModulusConstant("m_prime", k, NegatedInverse(k), "m'")
    timing, engine = opened(constant, "inversion", {}, nbits)
    batch = engine.run([(m,) for m in moduli])
    assert batch.responses == [(pow(-m, -1, 1 << k),) for m in moduli]
    assert {*batch.cycles} == {k + 1, sum(timing.durations(3))}
    for stalls in STALL_PROFILES.values():
        again = engine.run([(m,) for m in moduli], stalls=stalls, in_flight=None)
        assert again.responses == batch.responses
