"""Reducers: the reductions of a final result on their own, at all levels and by command."""

import pytest

from rsaxcel import catalog
from rsaxcel.sim.stalls import STALL_PROFILES
from tests.shared.harness import check_batch, configure, simulate

LEVELS = (("fl", "pymtl"), ("cl", "pymtl"), ("rtl", "pymtl"), ("rtl", "native"))
POINTS = [
    ("subtraction_reducer", 4, {"excess_nbits": 3}),
    ("subtraction_reducer", 5, {"excess_nbits": 1}),
    ("compressor_tree_reducer", 4, {"excess_nbits": 4, "modulus": "b"}),
    ("compressor_tree_reducer", 5, {"excess_nbits": 2, "modulus": "15"}),
    ("remainder_reducer", 4, {"excess_nbits": 4, "modulus": "f"}),
    ("remainder_reducer", 5, {"excess_nbits": 1, "modulus": "10"}),
]


def every_row(configuration) -> list[tuple[int, int, int]]:
    """Every operand of every modulus that a reducer supports."""
    only = configuration.constant_modulus
    moduli = [only] if only else range(2, 1 << configuration.nbits)
    limit = configuration.golden.operand_limit
    return [(a, 0, m) for m in moduli for a in range(limit(m))]


def test_all_are_there():
    assert set(catalog.REDUCERS) == {name for name, _, _ in POINTS}


@pytest.mark.parametrize(("name", "nbits", "params"), POINTS)
@pytest.mark.parametrize(("level", "engine"), LEVELS)
def test_every_operand(name, nbits, params, level, engine):
    configuration = configure(name, nbits, **params)
    rows = every_row(configuration)
    batch = simulate(configuration, level, engine, rows)
    cycles = [configuration.cycles(*row) for row in rows] if level != "fl" else None
    expected = [(a % m,) for a, _, m in rows]
    check_batch(configuration, level, engine, rows, batch, expected, cycles)


@pytest.mark.parametrize("profile", STALL_PROFILES.values(), ids=STALL_PROFILES)
@pytest.mark.parametrize("name", catalog.REDUCERS)
def test_stalls_and_overlapping_requests(name, profile):
    configuration = configure(name, 4, excess_nbits=2)
    rows = every_row(configuration)[::3]
    expected = [(a % m,) for a, _, m in rows]
    options = {"stalls": profile, "in_flight": None}
    runs = [simulate(configuration, level, "pymtl", rows, **options) for level in ("cl", "rtl")]
    for level, batch in zip(("cl", "rtl"), runs, strict=True):
        check_batch(configuration, level, "pymtl", rows, batch, expected, under=profile.name)
    assert runs[0] == runs[1]


@pytest.mark.parametrize("name", catalog.REDUCERS)
def test_sim(objects, name):
    rows = objects("sim", name, "--nbits", 16, "--level", "cl", "--random", 200)
    good = [row for row in rows if row["status"] == "ok"]
    assert len(good) > 150
    assert all(int(row["result"], 16) == int(row["a"], 16) % int(row["n"], 16) for row in good)
    assert any(int(row["a"], 16) >= 2 * int(row["n"], 16) for row in good)
    # an operand of four times the modulus or more breaks the contract
    assert "base_too_large" in {row["status"] for row in rows}


def test_vectors(rsaxcel, vectors):
    options = ("--nbits", 7, "--param", "modulus=55", "--level", "fl")
    records = [{"a": "ff", "n": "55", "expect": "0"}, {"a": "100", "n": "55", "expect": "1"}]
    done = rsaxcel("sim", "remainder_reducer", *options, "--vectors", vectors(records))
    assert done.status == 0, done.err
    records[0]["expect"] = "1"
    done = rsaxcel("sim", "remainder_reducer", *options, "--vectors", vectors(records))
    assert done.status == 1


def test_list(rsaxcel):
    shown = rsaxcel("list", "compressor_tree_reducer").out
    for words in ("(reducer)", "a >= 4n", "excess_nbits=2", "Vassoler 2023"):
        assert words in shown


@pytest.mark.slow
@pytest.mark.parametrize("name", catalog.REDUCERS)
def test_flow(objects, name):
    """Area, period and energy; the results are checked on the netlist."""
    (record,) = objects("flow", name, "--nbits", 8)
    assert record["design"] == name
    assert record["area_um2"] > 0
    assert record["energy_nj"] > 0
