"""The grid: design x level x engine x width x table x stall profile."""

import pytest

import designs
from sim.stalls import NO_STALLS, STALL_PROFILES
from tests.harness import SETUPS, built_once, configure, everything, simulate, table, tables_of

WIDTHS = {"pymtl": (8, 13, 32), "native": (8, 13, 32, 64, 128)}
# The largest table takes minutes where a deep pipeline is simulated in Python at 32 bits.
SLOW = {("rtl", "pymtl", 32, "directed")}

POINTS = [
    (name, level, engine, nbits, rows)
    for name in everything()
    for level, engine in SETUPS
    for nbits in WIDTHS[engine]
    for rows in tables_of(name)
]


@pytest.mark.parametrize(
    ("name", "level", "engine", "nbits", "rows"),
    [
        pytest.param(
            *point,
            id="-".join(map(str, point)),
            marks=[
                built_once(point[0], point[3]),
                *([pytest.mark.slow] if point[1:] in SLOW else []),
            ],
        )
        for point in POINTS
    ],
)
def test_results_and_cycles(name, level, engine, nbits, rows):
    """Every row gives the expected response, and RTL takes the cycles of the cycle model."""
    configuration = configure(name, nbits)
    operands, expected = table(configuration, rows)
    batch = simulate(configuration, level, engine, operands)
    got = dict(zip(operands, batch.responses, strict=True))
    assert got == dict(zip(operands, expected, strict=True))
    if level != "fl":
        cycles = dict(zip(operands, batch.cycles, strict=True))
        assert cycles == {row: configuration.cycles(*row) for row in operands}


@pytest.mark.parametrize("stalls", STALL_PROFILES.values(), ids=STALL_PROFILES)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=built_once(name, 16)) for name in everything()]
)
def test_stalls_and_overlap(name, stalls):
    """With many requests in flight and stalls on both sides, every handshake cycle agrees."""
    configuration = configure(name, 16)
    operands, expected = table(configuration, tables_of(name)[0])
    operands, expected = operands[:40], expected[:40]
    batches = [
        simulate(configuration, level, engine, operands, stalls, in_flight=None)
        for level, engine in SETUPS
    ]
    for batch in batches:
        assert batch.responses == expected
    _, cycle_level, *circuits = batches
    for circuit in circuits:
        assert circuit == cycle_level


@pytest.mark.parametrize(("level", "engine"), SETUPS)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=built_once(name, 16)) for name in everything()]
)
def test_reset_in_flight(name, level, engine):
    """A reset drops what is in flight; what follows is answered as if nothing had happened."""
    configuration = configure(name, 16)
    operands, expected = table(configuration, tables_of(name)[0])
    operands, expected = operands[1:9], expected[1:9]
    undisturbed = simulate(configuration, level, engine, operands)
    busy = (undisturbed.accepted[2] + undisturbed.valid[2]) // 2
    batch = simulate(configuration, level, engine, operands, reset_at=busy)
    if undisturbed.valid[2] - undisturbed.accepted[2] > 1:
        assert batch.dropped == [2]
    for i, (got, want) in enumerate(zip(batch.responses, expected, strict=True)):
        assert got == want or i in batch.dropped


@pytest.mark.parametrize(("level", "engine"), SETUPS)
def test_error_then_good_request(level, engine):
    """An error is answered at once, and the good request behind it gets its result."""
    for name in designs.DESIGNS:
        configuration = configure(name, 32)
        operands = [(5, 3, 0), (5, 3, 11), (9, 3, 7), (5, 3, 11), (1 << 40, 3, 7), (5, 3, 11)]
        batch = simulate(configuration, level, engine, operands, NO_STALLS)
        assert [r[0] for r in batch.responses] == [0, 4, 0, 4, 0, 4]
        assert [r[1] for r in batch.responses] == [1, 0, 3, 0, 4, 0]
        assert max(batch.cycles[::2]) <= 6
