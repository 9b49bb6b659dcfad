"""MulRem, AddReds, MontMulRem, the exponentiation loop alone, and the unit for R^2 mod N."""

import random

import numpy as np
import pytest

from rsaxcel import catalog
from rsaxcel.catalog.designs import MONT_MUL_REM
from rsaxcel.catalog.units import Unit
from rsaxcel.course.testing.cases import draw_modulus, product_cases
from rsaxcel.fl.contract import REGISTERED
from rsaxcel.fl.multipliers import CARRY_SAVE, PIPELINED
from rsaxcel.plan.domains import r_squared_constant
from rsaxcel.plan.modulus_constants import ModulusConstant, Reciprocal
from rsaxcel.rtl.constants.division import Division
from rsaxcel.rtl.exponentiators.program_executor import ProgramExecutor
from rsaxcel.rtl.lib.add_red import ADD_REDS
from rsaxcel.rtl.stores.registers import RegisterStore
from rsaxcel.sim.engine import open_engine
from rsaxcel.sim.products import Products
from rsaxcel.sim.stalls import STALL_PROFILES
from tests.shared.harness import check_overlap, engine_for


def multiplier(stages: int, add_red: str = "select", operands: str = PIPELINED) -> Unit:
    """Configure MontMulRem."""
    params = (("stages", stages), ("add_red", add_red), ("operands", operands))
    return Unit(MONT_MUL_REM, params)


@pytest.mark.quick_cases("8-*", "32-5-carry_save")
@pytest.mark.parametrize("add_red", [*ADD_REDS, CARRY_SAVE])
@pytest.mark.parametrize(
    ("nbits", "stages"), [(8, 1), (8, 3), (8, 8), (9, 2), (32, 4), (32, 5), (64, 8)]
)
def test_products_back_to_back(nbits, stages, add_red):
    """One product per cycle, for any number of stages and any form of AddReds."""
    engine = open_engine("native", lambda: multiplier(stages, add_red).build("rtl", nbits))
    cases = product_cases(nbits, odd=True)
    batch = engine.run([c.operands for c in cases], in_flight=None)
    assert batch.responses == [(c.expected(1 << nbits),) for c in cases]
    assert batch.accepted == list(range(len(cases)))
    assert set(batch.cycles) == {stages}


@pytest.mark.quick_cases("carry_save-pipelined-6-[356]", "*-registered-6-3", "*-3-3", "*-5-1")
@pytest.mark.parametrize(
    ("nbits", "stages"), [(n, stages) for n in (2, 3, 5, 6) for stages in range(1, n + 1)]
)
@pytest.mark.parametrize(
    ("add_red", "operands"),
    [(CARRY_SAVE, PIPELINED), (CARRY_SAVE, REGISTERED), ("own_sum", REGISTERED)],
)
def test_every_product(add_red, operands, nbits, stages):
    """All operands of a few bits."""
    configuration = catalog.find("mont_mul_rem").configure(
        nbits, stages=stages, add_red=add_red, operands=operands
    )
    products = Products(configuration)
    engine = engine_for(configuration, "rtl", "native")
    for columns in products.blocks():
        batch = engine.run_columns(products.requests(columns))
        assert np.array_equal(batch.responses[0], products.expected(columns))
        assert np.array_equal(batch.cycles, products.cycles(columns))


ROWS = {"stages": 3, "add_red": CARRY_SAVE}  #: the AddReds of a stage are rows of one sum
REGISTERS = {"operands": REGISTERED}


@pytest.mark.parametrize("stalls", STALL_PROFILES)
@pytest.mark.parametrize(
    ("name", "params"),
    [
        *((name, ROWS) for name in ("mont_mul_rem", "mont_r2l", "mont_r2l_shared")),
        *((name, ROWS | REGISTERS) for name in ("mont_mul_rem", "mont_r2l_shared")),
        *(
            (name, REGISTERS | {"divider": divider})
            for name in ("mul_rem", "mulrem_r2l")
            for divider in ("preloaded", "aligning")
        ),
    ],
)
def test_stalls_and_overlap(name, params, stalls):
    check_overlap(catalog.find(name).configure(13, **params), STALL_PROFILES[stalls])


@pytest.mark.parametrize("name", ["mul_rem", "mulrem_r2l"])
def test_price_of_operand_registers(name):
    """They cost one cycle per product."""
    direct, registered = (
        catalog.find(name).configure(13, operands=operands) for operands in ("direct", REGISTERED)
    )
    row = (5, 7, 11) if name == "mul_rem" else (5, 0b1000, 11)
    products = 1 if name == "mul_rem" else 4
    assert registered.cycles(*row) == direct.cycles(*row) + products


@pytest.mark.parametrize("engine", ["pymtl", "native"])
def test_loop_core_on_its_own(engine):
    """The loop alone, on operands in Montgomery form (the document's MontModExpMul)."""
    nbits = 16
    core = catalog.get("mont_r2l").configure(nbits).programs[1]
    assert core.receives == ("b", "e", "m", "r")
    unit = multiplier(2)
    rng = random.Random(5)
    rows, expected = [], []
    for e in (0, 1, 2, 0xFFFF, 0x8000, rng.getrandbits(16)):
        n = draw_modulus(rng, rng.randint(2, nbits))
        b, r = rng.randrange(n), rng.randrange(n)
        rows.append(((b << nbits) % n, e, n, (r << nbits) % n, 0))
        expected.append((n, (r * pow(b, e, n) << nbits) % n, 0))
    batch = open_engine(engine, lambda: ProgramExecutor(nbits, core, unit, RegisterStore)).run(rows)
    assert batch.responses == expected
    assert batch.cycles == [2 + 3 * row[1].bit_length() for row in rows]


@pytest.mark.slow_cases("*-8", "*-32")
@pytest.mark.parametrize("nbits", [8, 9, 32, 128])
@pytest.mark.parametrize("bits_per_cycle", [1, 2])
@pytest.mark.parametrize("divider", ["restoring", "aligning"])
def test_r_squared(divider, nbits, bits_per_cycle):
    """R^2 mod N from the smallest modulus to the largest."""
    constant = r_squared_constant(nbits, nbits)
    rng = random.Random(7)
    moduli = [3, 5, (1 << nbits) - 1, (1 << (nbits - 1)) + 1]
    moduli += [draw_modulus(rng, rng.randint(2, nbits)) for _ in range(20)]
    engine = open_engine("native", lambda: Division(nbits, constant, bits_per_cycle, divider))
    batch = engine.run([(m,) for m in moduli])
    assert batch.responses == [(4**nbits % m,) for m in moduli]
    if divider == "restoring":
        assert set(batch.cycles) == {2 * nbits // bits_per_cycle + 1}
    else:  # up and down over the quotient
        moves = [-(-len(f"{4**nbits // m:b}") // bits_per_cycle) for m in moduli]
        assert batch.cycles == [2 * x + 2 for x in moves]


@pytest.mark.parametrize("bits_per_cycle", [1, 4])
@pytest.mark.parametrize("divider", ["restoring", "aligning"])
def test_reciprocals(divider, bits_per_cycle):
    """floor(4^8 / m), whose divider is the same, for moduli of all lengths."""
    constant = ModulusConstant("mu", 16, Reciprocal(16), "reciprocal of m")
    moduli = [2, 3, 4, 7, 15, 16, 100, 128, 254, 255]
    engine = open_engine("pymtl", lambda: Division(8, constant, bits_per_cycle, divider))
    batch = engine.run([(m,) for m in moduli])
    assert batch.responses == [(65536 // m,) for m in moduli]
