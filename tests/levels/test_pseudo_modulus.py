"""Products modulo a pseudo-modulus, and designs with a constant modulus."""

import random
import re

import pytest

from rsaxcel import catalog
from rsaxcel.fl.status import Status
from tests.shared.harness import built_once, check_batch, configure, simulate

NBITS = 8
COFACTORS = (3, 5, 255)
ANY = ("mulrem_r2l", "mont_r2l_shared", "montmul_r2l", "montmul_csa_r2l", "ssmm_r2l", "mm_r2l")
"""Designs for any modulus with a store of registers."""


def check(configuration, rows: list[tuple[int, int, int]], engine: str = "pymtl") -> None:
    """Compare the circuit's results with ``pow``, and its cycles with the cycle model."""
    batch = simulate(configuration, "rtl", engine, rows)
    expected = [(pow(*row), 0) for row in rows]
    cycles = [configuration.cycles(*row) for row in rows]
    check_batch(configuration, "rtl", engine, rows, batch, expected, cycles)


def test_a_cofactor_has_a_part_in_the_name():
    names = {configure("mm_pm_r2l", NBITS, cofactor=c).name for c in COFACTORS}
    assert len(names) == len(COFACTORS)
    assert configure("mm_pm_r2l", NBITS, cofactor=3).name == configure("mm_pm_r2l", NBITS).name
    assert "cofactor_5" in configure("mm_pm_r2l", NBITS, cofactor=5).name


def cofactor_of(modulus: int | str) -> int | str:
    """Cofactor of a modulus, or the reason why it has no pseudo-modulus."""
    try:
        return catalog.get("dm_pm_r2l").configure(NBITS, modulus=modulus).params["cofactor"]
    except ValueError as error:
        return str(error)


def test_every_modulus_has_a_pseudo_modulus_or_a_reason():
    """0x99 and 0xdd have pseudo-moduli with t = 24: their cofactors have 17 bits."""
    found = [cofactor_of(m) for m in range(2, 1 << NBITS)]
    reasons = [x for x in found if isinstance(x, str)]
    assert [x for x in reasons if not re.search("no multiple of it is|itself; plain fits", x)] == []
    assert min(x for x in found if isinstance(x, int)) > 1
    assert cofactor_of("99") == 109655


@pytest.mark.quick_cases("*-255", "*-3")
@pytest.mark.parametrize("cofactor", COFACTORS)
@pytest.mark.parametrize("name", ANY)
def test_any_design_for_any_modulus_runs_over_a_multiple(name, cofactor):
    """Any design does if its multiplier needs no constants of the modulus."""
    configuration = configure(name, NBITS, domain="pseudo_modulus", cofactor=cofactor)
    draw = random.Random(f"{name}/{cofactor}")
    rows = [(254, 255, 255), (2, 255, 3), (0, 7, 129), (1, 0, 3)]
    for _ in range(8):
        modulus = draw.randrange(3, 256, 2)
        rows.append((draw.randrange(modulus), draw.randrange(256), modulus))
    check(configuration, rows)


@pytest.mark.parametrize("name", ["mm_r2l", "mm_r2l_shared", "mm_pm_r2l", "mm_pm_r2l_shared"])
def test_results_that_are_zero_only_modulo_m(name):
    """If the last product is the modulus or a multiple of it, the result is 0."""
    rows = [(b, e, m) for b, m in ((3, 9), (6, 9), (15, 225), (30, 45), (3, 81)) for e in (2, 4)]
    assert {pow(*row) for row in rows} >= {0}
    check(configure(name, NBITS), rows)


@pytest.mark.parametrize("modulus", ["2", "3", "80", "ff", "fb", "a9"])
@pytest.mark.parametrize("name", ["dm_r2l", "cm_r2l", "cm_r2l_shared"])
def test_any_modulus_can_be_built_in(name, modulus):
    configuration = configure(name, NBITS, modulus=modulus)
    m = int(modulus, 16)
    assert configuration.constant_modulus == m
    check(configuration, [(b, e, m) for b in {0, 1 % m, m // 2, m - 1} for e in (0, 1, 2, 201)])


@pytest.mark.parametrize(
    ("modulus", "value"),
    # 13 * 5 = 2^6 + 1; 85 * 3 = 2^8 - 1; 146 * 7 = 2 * (2^9 - 1)
    [("d", 65), ("55", 255), ("92", 1022)],
)
@pytest.mark.parametrize("name", ["dm_pm_r2l", "cm_pm_r2l"])
def test_pseudo_moduli_that_are_found(name, modulus, value):
    configuration = configure(name, NBITS, modulus=modulus)
    m = int(modulus, 16)
    assert configuration.params["cofactor"] * m == value
    assert configuration.multiplier_golden.constant_modulus == value
    check(configuration, [(b, e, m) for b in (0, 1, m // 2, m - 1) for e in (0, 1, 2, 255)])


def test_another_modulus_is_refused():
    """The rule comes after the rules for any modulus, and before the rule for the base."""
    configuration = configure("cm_pm_r2l", NBITS)
    statuses = {
        (1, 1, 85): Status.OK,
        (85, 1, 85): Status.BASE_TOO_LARGE,
        (1, 1, 87): Status.MODULUS_OTHER,
        (200, 1, 87): Status.MODULUS_OTHER,
        (1, 1, 1): Status.MODULUS_TOO_SMALL,
        (1, 1, 86): Status.MODULUS_OTHER,
        (256, 1, 87): Status.OPERAND_TOO_WIDE,
    }
    rows = list(statuses)
    for level in catalog.LEVELS:
        batch = simulate(configuration, level, "pymtl", rows)
        assert [x[1] for x in batch.responses] == list(statuses.values())


def test_defaults_are_members_of_the_family():
    """At an odd width, the default is the member of one bit less."""
    for nbits, modulus in ((8, 0x55), (9, 0x55), (32, 0x55555555)):
        assert configure("cm_r2l", nbits).constant_modulus == modulus
    assert configure("cm_pm_r2l", 32).multiplier_golden.constant_modulus == 2**32 - 1
    assert configure("cm_r2l", 16, modulus="0xFff1").params["modulus"] == "0xfff1"


@pytest.mark.slow
@built_once("cm_r2l", 64)
def test_mersenne_prime():
    """The modulus 2^61 - 1 is its own pseudo-modulus; a row checks Fermat's little theorem."""
    m = 2**61 - 1
    configuration = configure("cm_r2l", 64, modulus=hex(m))
    draw = random.Random("mersenne")
    rows = [(draw.randrange(m), draw.getrandbits(64), m) for _ in range(200)]
    check(configuration, [*rows, (3, m - 1, m), (m - 1, m, m)], "native")
