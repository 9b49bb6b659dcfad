"""The schedule ``repeated``: the exponent counted down, as many products as its value says."""

from functools import cache, partial

import pytest

from rsaxcel import catalog
from rsaxcel.course.testing.cases import POWER_TABLES
from tests.shared.compositions import compose, run_all_levels
from tests.shared.harness import (
    SETUPS,
    built_once,
    check_rows,
    configure,
    response_of,
    simulate,
    table,
)
from tests.shared.side_by_side import Library

NBITS = 8
EXPONENT_NBITS = 5
EXPONENTS = (0, 1, 2, 17, (1 << EXPONENT_NBITS) - 1)
DESIGN = "ssmm_r2l"
MULTIPLIERS = list(catalog.multipliers())


def composition(multiplier: str):
    return compose((multiplier, "repeated", 1), NBITS, exponent_nbits=EXPONENT_NBITS)


@cache
def library() -> Library:
    """Compositions with every multiplier, compiled as one."""
    return Library([composition(x) for x in MULTIPLIERS])


@pytest.mark.slow
@built_once("repeated", NBITS)
@pytest.mark.parametrize("multiplier", MULTIPLIERS)
def test_every_multiplier_at_every_level(multiplier):
    """The ends of moduli, bases and exponents, refused requests between them, and stalls."""
    configuration = composition(multiplier)
    moduli = dict.fromkeys(configuration.usable_modulus(x) for x in (3, 129, 251, 255))
    operands = [
        (base, exponent, modulus)
        for modulus in moduli
        for base in sorted({0, 1, modulus // 2, modulus - 1})
        for exponent in EXPONENTS
    ]
    run_rtl = partial(library().run, configuration)
    run_all_levels(configuration, operands, MULTIPLIERS.index(multiplier), run_rtl)


@built_once("repeated-tables", NBITS)
@pytest.mark.slow_cases("rtl-pymtl-directed")
@pytest.mark.parametrize("name", POWER_TABLES)
@pytest.mark.parametrize(("level", "engine"), SETUPS)
def test_tables(level, engine, name):
    """Every row of every table, with exponents of up to 8 bits."""
    configuration = configure(DESIGN, NBITS, schedule="repeated")
    assert configuration.exponent_nbits == NBITS
    operands, expected = table(configuration, name)
    check_rows(configuration, operands, expected, level=level, engine=engine)


@pytest.mark.parametrize(
    ("name", "params"),
    [
        pytest.param("systolic_l2r_always", {"radix_nbits": 4}, id="memory of words"),
        pytest.param("digit_serial_r2l", {"digit_nbits": 8, "bus": "digit"}, id="bus of digits"),
    ],
)
def test_exponents_of_several_words(name, params):
    """Words of 4 or 8 bits, exponents of 9: a borrow passes from word to word."""
    configuration = configure(name, NBITS, schedule="repeated", exponent_nbits=9, **params)
    exponents = (0, 1, 15, 16, 17, 255, 256, 257, 511)
    operands = [(6, exponent, 251) for exponent in exponents]
    expected = [(pow(*row), 0) for row in operands]
    check_rows(configuration, operands, expected)


@pytest.mark.slow_cases("orup_window")
@pytest.mark.parametrize("name", [DESIGN, "orup_window"])
def test_a_reset_in_flight(name):
    """The register of the exponent begins anew, also where it is decremented a cycle later."""
    configuration = configure(name, NBITS, schedule="repeated", exponent_nbits=EXPONENT_NBITS)
    operands = [(5, 31, 251), (7, 30, 251), (2, 3, 5), (4, 0, 9), (3, 17, 255)]
    undisturbed = simulate(configuration, "rtl", "pymtl", operands)
    assert undisturbed.responses == [response_of(configuration, row) for row in operands]
    busy = (undisturbed.accepted[1] + undisturbed.valid[1]) // 2
    batch = simulate(configuration, "rtl", "pymtl", operands, reset_at=busy)
    assert batch.dropped == [1]
    kept = [0, 2, 3, 4]
    assert [batch.responses[i] for i in kept] == [undisturbed.responses[i] for i in kept]
    assert [batch.cycles[i] for i in kept] == [undisturbed.cycles[i] for i in kept]


def test_a_product_for_each_unit_of_the_exponent():
    """Cycles grow by a product with every exponent; a binary scan is faster from 4 on."""
    repeated, binary = (
        configure("montmul_r2l", 32, schedule=x, lanes=1) for x in ("repeated", "l2r")
    )
    modulus = 2148676643
    none, one, two = (repeated.cycles(3, exponent, modulus) for exponent in range(3))
    assert two - one == one - none > 32
    assert repeated.cycles(3, 255, modulus) == none + 255 * (one - none)
    assert repeated.cycles(3, 17, modulus) > binary.cycles(3, 17, modulus)
    assert repeated.exponent_dependent
    assert repeated.choices.exponent_nbits == 8
    assert repeated.outcome(3, 256, modulus).status.name == "OPERAND_TOO_WIDE"
    widest = configure("montmul_r2l", 1024, schedule="repeated", exponent_nbits=17)
    assert widest.largest_exponent == 131071
    assert widest.outcome(3, 65537, modulus).result == pow(3, 65537, modulus)
