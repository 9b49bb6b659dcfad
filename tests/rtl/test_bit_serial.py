"""Bit-serial multipliers and their parts: all small operands, and corners of wide ones."""

import random
from itertools import product

import pytest
from pymtl3 import Component, DefaultPassGroup

from rsaxcel.catalog.units import CONSTANT_UNITS, Unit
from rsaxcel.cl.elastic import Timing
from rsaxcel.course.testing.cases import draw_modulus
from rsaxcel.fl.messages import constant_request, constant_response
from rsaxcel.plan.domains import r_squared_constant
from rsaxcel.plan.modulus_constants import ModulusConstant, NegatedInverse
from rsaxcel.rtl.lib.add_correct import AddCorrect
from rsaxcel.rtl.lib.add_halve import AddHalve, AddHalveUnsigned
from rsaxcel.rtl.lib.carry_save import CarrySave
from rsaxcel.rtl.lib.held_modulus import HeldModulus
from rsaxcel.rtl.lib.shift_sub import ShiftSub, ShiftSubUnsigned
from rsaxcel.sim.engine import Engine, open_engine
from rsaxcel.sim.stalls import STALL_PROFILES
from tests.shared.harness import configure, simulate

SERIAL = ("ssmm", "mont_mul", "mont_red", "mont_mul_csa")


def combinational(unit: Component) -> Component:
    """Elaborate a combinational component for simulation."""
    unit.elaborate()
    unit.apply(DefaultPassGroup())
    return unit


def signed(port) -> int:
    """Value of a two's-complement port."""
    return int(port) - (int(port) >> (port.nbits - 1) << port.nbits)


def test_carry_save_exhaustive():
    unit = combinational(CarrySave(3))
    for x in range(8):
        for y in range(8):
            for z in range(8):
                for carry_in in (0, 1):
                    unit.x @= x
                    unit.y @= y
                    unit.z @= z
                    unit.carry_in @= carry_in
                    unit.sim_eval_combinational()
                    assert (int(unit.sum) + int(unit.carry)) % 8 == (x + y + z + carry_in) % 8
                    assert int(unit.carry) % 2 == carry_in


def test_add_correct_exhaustive():
    unit = combinational(AddCorrect(2, 4))
    for acc in range(-3, 3):
        for x in range(-3, 3):
            for take, m, correction in (
                (t, m, c) for t in (0, 1) for m in (2, 3) for c in range(3)
            ):
                unit.acc @= acc % 16
                unit.x @= x % 16
                unit.take @= take
                unit.m @= m
                unit.add @= int(correction == 1)
                unit.subtract @= int(correction == 2)
                unit.sim_eval_combinational()
                expected = acc + x * take + (0, m, -m)[correction]
                assert signed(unit.total) == (expected + 8) % 16 - 8


def test_shift_sub_exhaustive():
    """For every modulus, p + c and 2c are right modulo m, and stay in -m .. m - 1."""
    unit = combinational(ShiftSub(3))
    for m in range(2, 8):
        for p in range(-m, m):
            for c in range(-m, m):
                for scanned, correct in ((0, 0), (1, 0), (0, 1)):
                    unit.m @= m
                    unit.p_in @= p % 16
                    unit.c_in @= c % 16
                    unit.scanned @= scanned
                    unit.correct @= correct
                    unit.sim_eval_combinational()
                    p_out, c_out = signed(unit.p_out), signed(unit.c_out)
                    assert (p_out - p - scanned * c) % m == 0
                    assert (c_out - 2 * c) % m == 0
                    assert -m <= p_out < m
                    assert -m <= c_out < m
                    assert p_out >= 0 or not correct


def test_unsigned_shift_sub_exhaustive():
    """For every modulus, p + c and 2c are reduced below m."""
    unit = combinational(ShiftSubUnsigned(3))
    for m in range(2, 8):
        for p, c, scanned in product(range(m), range(m), (0, 1)):
            unit.m @= m
            unit.p_in @= p
            unit.c_in @= c
            unit.scanned @= scanned
            unit.sim_eval_combinational()
            assert (int(unit.p_out), int(unit.c_out)) == ((p + scanned * c) % m, 2 * c % m)


def test_unsigned_add_halve_exhaustive():
    """For every odd modulus, the sum is made even by m, halved, and stays below 2m."""
    unit = combinational(AddHalveUnsigned(3))
    for m in (3, 5, 7):
        for t, x, scanned in product(range(2 * m), range(m), (0, 1)):
            unit.m @= m
            unit.t_in @= t
            unit.x @= x
            unit.scanned @= scanned
            unit.sim_eval_combinational()
            total, t_out = t + scanned * x, int(unit.t_out)
            assert 2 * t_out == total + (m if total % 2 else 0)
            assert t_out < 2 * m


def test_add_halve_exhaustive():
    """For every odd modulus, the halved sum is right modulo m, and stays in -m .. m - 1."""
    unit = combinational(AddHalve(3))
    for m in (3, 5, 7):
        for t in range(-2 * m, 2 * m, 2):
            for x in range(m):
                for scanned, correct in ((0, 0), (1, 0), (0, 1)):
                    unit.m @= m
                    unit.t_in @= t % 32
                    unit.x @= x
                    unit.scanned @= scanned
                    unit.correct @= correct
                    unit.sim_eval_combinational()
                    t_out = signed(unit.t_out)
                    assert (t_out - t // 2 - scanned * x) % m == 0
                    if correct:
                        assert 0 <= t_out < m
                    else:
                        assert t_out % 2 == 0
                        assert -m <= t_out // 2 < m


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
