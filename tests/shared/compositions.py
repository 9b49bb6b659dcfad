"""Compositions for tests: any schedule with any multiplier, on any number of lanes that fits."""

import random
from functools import cache

import pytest

from rsaxcel import catalog
from rsaxcel.catalog import Configuration
from rsaxcel.course.testing.cases import draw_modulus
from rsaxcel.plan.schedules import SCHEDULES
from rsaxcel.sim.batch import Batch
from rsaxcel.sim.stalls import STALL_PROFILES
from tests.shared.harness import check_batch, engine_for, response_of, usable
from tests.shared.side_by_side import Library

MOST_LANES = 2

Point = tuple[str, str, int]
"""Multiplier, schedule and lanes."""


@cache
def compose(point: Point, nbits: int, **params) -> Configuration:
    """Configure the first design of a multiplier with another schedule and number of lanes."""
    multiplier, schedule, lanes = point
    return catalog.first_design(multiplier).configure(
        nbits, schedule=schedule, lanes=lanes, **params
    )


def fits(point: Point, nbits: int) -> bool:
    """Whether a composition exists at a width."""
    try:
        compose(point, nbits)
    except ValueError:
        return False
    return True


def points(nbits: int) -> list[Point]:
    """List all compositions that fit a width."""
    return [
        point
        for multiplier, entry in catalog.multipliers().items()
        if nbits in entry.widths
        for schedule in SCHEDULES
        for lanes in range(1, MOST_LANES + 1)
        if fits(point := (multiplier, schedule, lanes), nbits)
    ]


def rotation(nbits: int, start: int) -> list[Point]:
    """List compositions with each schedule and each multiplier at least once, on most lanes."""
    multipliers = [name for name, entry in catalog.multipliers().items() if nbits in entry.widths]
    schedules = list(SCHEDULES)
    chosen = []
    for i in range(max(len(multipliers), len(schedules))):
        multiplier = multipliers[i % len(multipliers)]
        schedule = schedules[(i + start) % len(schedules)]
        most = max(n for n in range(1, MOST_LANES + 1) if fits((multiplier, schedule, n), nbits))
        chosen.append((multiplier, schedule, most))
    return chosen


def rows_of(configuration: Configuration, count: int) -> list[tuple[int, int, int]]:
    """Rows of ``rows``, with moduli that the design allows, and exponents that fit."""
    ones = (1 << configuration.exponent_nbits) - 1
    usual = [usable(configuration, row) for row in rows(configuration.nbits, count)]
    return [(base, exponent & ones, modulus) for base, exponent, modulus in usual]


def rows(nbits: int, count: int) -> list[tuple[int, int, int]]:
    """Corners, exponents with windows at both ends, and ``count`` seeded random rows.

    Moduli are odd, so that any multiplier can use them.
    """
    full, top = (1 << nbits) - 1, 1 << nbits - 1
    bits = "0110110" * nbits
    corners = [
        (2, 5, 3),
        (full - 1, full, full),
        (top, full // 3, top + 1),
        (0, full, full),
        (full - 1, 0, full),
        (0, 0, 3),
        (5, 1, top + 1),
        (7, top, full - 2),
        (full // 2, int(bits[:nbits], 2), full),
        (3, int(bits[2 : nbits + 2], 2), top + 1),
    ]
    rng = random.Random(f"compositions/{nbits}")
    for _ in range(count):
        modulus = draw_modulus(rng, rng.randint(2, nbits))
        corners.append((rng.randrange(modulus), rng.getrandbits(nbits), modulus))
    return corners


@cache
def library(compositions: tuple[Point, ...], nbits: int) -> Library:
    """Compositions compiled as one, once per session."""
    return Library([compose(point, nbits) for point in compositions])


def run_all_levels(
    configuration: Configuration, operands: list[tuple[int, int, int]], turn: int, run_rtl
) -> None:
    """Compare results with ``pow`` at all levels, and cycles of the circuit with the cycle model.

    Refused requests are inserted between the good ones.

    Parameters
    ----------
    configuration : Configuration
        Configuration to run.
    operands : list
        Base, exponent and modulus of good requests.
    turn : int
        Number that chooses the stall profile, and whether requests overlap.
    run_rtl : callable
        Function that runs requests on the circuit, with the options of an engine.
    """
    expected = [response_of(configuration, row) for row in operands]
    requests = [configuration.request(*row) for row in operands]
    cycles = [configuration.cycles(*row) for row in operands]
    operands = list(operands)
    m = configuration.usable_modulus(3)
    bad = [(1, (1, 1, 0), 1), (4, (m, 1, m), 3), (5, (1 << 99, 1, m), 4)]
    if configuration.choices.domain.halves:
        del bad[1]  # the base may have any value: it is reduced
    for place, row, status in bad:
        operands.insert(place, row)
        requests.insert(place, configuration.request(*row))
        expected.insert(place, (0, status))
        cycles.insert(place, configuration.cycles(*row))
    stalls = list(STALL_PROFILES.values())[turn % len(STALL_PROFILES)]
    options = {"stalls": stalls, "in_flight": 1 if turn % 3 else None}
    functional, timed = (
        engine_for(configuration, level, "pymtl").run(requests, **options) for level in ("fl", "cl")
    )
    circuit: Batch = run_rtl(requests, **options)
    one_by_one = cycles if options["in_flight"] == 1 else None
    check_batch(configuration, "fl", "pymtl", operands, functional, expected)
    check_batch(
        configuration, "rtl", "native", operands, circuit, expected, one_by_one, stalls.name
    )
    if circuit != timed:
        told = f"{configuration.name}: handshakes of the circuit are not the cycle model's"
        pytest.fail(f"{told}, {stalls.name}", pytrace=False)
