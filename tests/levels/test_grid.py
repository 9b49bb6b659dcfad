"""The grid: design x level x engine x width x table x stall profile."""

import random

import pytest

from rsaxcel import catalog
from rsaxcel.course.testing.cases import draw_modulus
from rsaxcel.sim.engine import ENGINES
from rsaxcel.sim.stalls import STALL_PROFILES
from tests.shared.harness import (
    SETUPS,
    VARIANTS,
    affordable_exponent,
    built_once,
    check_batch,
    check_rows,
    configure,
    everything,
    response_of,
    simulate,
    table,
    tables_of,
    usable,
    wide,
)

# Simulation in Python is quick at the least width only; at 13 bits it runs rows with stalls. At
# large widths a row takes minutes.
WIDTHS = {"pymtl": (8, 13, 32), "native": (8, 13, 32, 64, 128, 256, 512, 1024, 2048, 4096)}
# Compiling takes longer than running, so there are few widths: an odd one, the most common width of
# keys, and one of the longest. At 8 bits, other tests form all products.
COMMON, LONGEST, LEAST = 1024, 4096, 8
OF_COMMON = ("mulrem_r2l", "ssmm_r2l", "orup_window")
OF_THE_LONGEST = ("ssmm_r2l",)
# A tree of 512 bits takes minutes to compile, and hours to simulate.
WIDEST_CIRCUIT = {"compressor_tree": 256}
# Multipliers on their own that are not only parts of a design: with several products in flight,
# with a store, and bit-serial ones, whose control stalls.
ALONE = ("mont_mul_rem", "systolic", "digit_serial", "mont_orup")
ALONE += ("ssmm", "mont_mul", "mont_red", "mont_mul_csa")
#: Rows of a table with stalls on both sides, and their width, at which a circuit is compiled
#: anyway.
STALLED_ROWS, STALLED_NBITS = 16, 13
#: Circuits that the engine in Python runs; the native engine, which is faster, runs all circuits.
IN_PYTHON = ("mulrem_r2l", "mont_r2l_shared", "ssmm_r2l", "dm_r2l", "systolic")
#: Work in cycles times words of an operand: about ten seconds in the native engine.
FULL_SIZE_WORK = 400_000_000


def widths(name: str, engine: str, level: str = "rtl") -> list[int]:
    """Widths of a design or a multiplier to run, including its greatest one at this level."""
    entry = catalog.find(name)
    allowed = entry.widths
    if level == "rtl":
        most = WIDEST_CIRCUIT.get(entry.default.multiplier.classes.name, allowed[-1])
        allowed = range(allowed[0], most + 1)
    widest = allowed[-1:] if engine == "native" else ()
    return sorted({n for n in WIDTHS[engine] if n in allowed}.union(widest))


def is_slow(name: str, level: str, engine: str, nbits: int) -> bool:
    """Whether a point is left to ``make test-all``."""
    if name in VARIANTS or (name in catalog.multipliers() and name not in ALONE):
        return level == "rtl" or nbits > LEAST
    if engine == "native":
        wide = {COMMON: OF_COMMON, LONGEST: OF_THE_LONGEST}
        return nbits != STALLED_NBITS and name not in wide.get(nbits, ())
    return level == "rtl" and (name not in IN_PYTHON or nbits > LEAST)


POINTS = [
    (name, level, engine, nbits, rows)
    for name in everything()
    for level, engine in SETUPS
    for nbits in widths(name, engine, level)
    for rows in tables_of(name)
]


@pytest.mark.slow_cases("*-cl-pymtl-32-*")
@pytest.mark.parametrize(
    ("name", "level", "engine", "nbits", "rows"),
    [
        pytest.param(*point, marks=[pytest.mark.slow] if is_slow(*point[:-1]) else [])
        for point in POINTS
    ],
)
@built_once("{name}", "{nbits}")
def test_results_and_cycles(name, level, engine, nbits, rows):
    """Every row gets the expected response, and RTL takes the cycles of the cycle model."""
    configuration = wide(name, nbits)
    operands, expected = table(configuration, rows)
    check_rows(configuration, operands, expected, level=level, engine=engine)


def stalled_points() -> list:
    """Every circuit with every stall profile; in Python some circuits with one profile each."""
    points = []
    for turn, name in enumerate(everything()):
        for number, stalls in enumerate(STALL_PROFILES.values()):
            for engine in ENGINES:
                in_turn = name in IN_PYTHON and (turn - number) % len(STALL_PROFILES) == 0
                slow = (
                    not in_turn
                    if engine == "pymtl"
                    else is_slow(name, "rtl", engine, STALLED_NBITS)
                )
                marks = [built_once(name, STALLED_NBITS), *([pytest.mark.slow] if slow else [])]
                label = f"{name}-{stalls.name}-{engine}"
                points.append(pytest.param(name, stalls, engine, id=label, marks=marks))
    return points


@pytest.mark.parametrize(("name", "stalls", "engine"), stalled_points())
def test_stalls_and_overlap(name, stalls, engine):
    """With many requests in flight and stalls on both sides, every handshake cycle agrees."""
    configuration = configure(name, STALLED_NBITS)
    operands, expected = table(configuration, tables_of(name)[0])
    operands, expected = operands[:STALLED_ROWS], expected[:STALLED_ROWS]
    under = f"any number in flight, stalls {stalls.name}"
    setups = (("fl", "pymtl"), ("cl", "pymtl"), ("rtl", engine))
    batches = [
        simulate(configuration, *setup, operands, stalls, in_flight=None) for setup in setups
    ]
    for setup, batch in zip(setups, batches, strict=True):
        check_batch(configuration, *setup, operands, batch, expected, under=under)
    _, cycle_level, circuit = batches
    assert circuit == cycle_level


def reset_is_slow(name: str, level: str, engine: str) -> bool:
    """Whether a reset in flight is left to ``make test-all``."""
    return is_slow(name, level, engine, STALLED_NBITS if engine == "native" else LEAST)


@pytest.mark.parametrize(
    ("name", "level", "engine"),
    [
        pytest.param(name, *setup, marks=[pytest.mark.slow] if reset_is_slow(name, *setup) else [])
        for name in everything()
        for setup in SETUPS
    ],
)
@built_once("{name}", STALLED_NBITS)
def test_reset_in_flight(name, level, engine):
    """A reset drops requests in flight; later requests are answered as after power-up."""
    configuration = configure(name, STALLED_NBITS)
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
    """A refused request is answered at once, and the good request after it gets its result."""
    # Other tests compile variants at other widths only.
    apart = {"native": set(catalog.DESIGNS) - VARIANTS, "pymtl": IN_PYTHON}[engine]
    for name in (x for x in catalog.DESIGNS if level != "rtl" or x in apart):
        configuration = configure(name, STALLED_NBITS)
        m = configuration.usable_modulus(11)
        good = (5, 3, m)
        bad = [(5, 3, 0), (1 << 40, 3, m)]
        if not configuration.choices.domain.halves:
            bad.append((m, 3, m))
        batch = simulate(configuration, level, engine, [x for b in bad for x in (b, good)])
        assert batch.responses[1::2] == [response_of(configuration, good)] * len(bad)
        assert batch.responses[::2] == [(0, 1), (0, 4), (0, 3)][: len(bad)]
        assert max(batch.cycles[::2]) <= 6


WIDE_POINTS = [
    (name, nbits) for name in everything() for nbits in widths(name, "native", "cl") if nbits > 128
]


@pytest.mark.quick_cases("*-256", "ssmm_r2l-4096", "orup_window-4096")
@pytest.mark.parametrize(("name", "nbits"), WIDE_POINTS)
def test_models_of_wide_operands(name, nbits):
    """The golden model and the cycle model, in plain Python, give the right result."""
    configuration = wide(name, nbits)
    for rows in tables_of(name):
        for operands, expected in zip(*table(configuration, rows), strict=True):
            outcome = configuration.outcome(*operands)
            assert tuple(outcome)[: len(expected)] == expected
            assert configuration.evaluate(*operands)[0] == outcome


def full_size_points() -> list:
    """Designs at large widths; designs with long exponentiations are slow."""
    points = []
    for name in catalog.DESIGNS:
        for nbits in (n for n in widths(name, "native") if n > 128):
            slow = is_slow(name, "rtl", "native", nbits) or nbits > affordable_exponent(
                configure(name, nbits), FULL_SIZE_WORK
            )
            marks = [built_once(name, nbits), *([pytest.mark.slow] if slow else [])]
            points.append(pytest.param(name, nbits, id=f"{name}-{nbits}", marks=marks))
    return points


@pytest.mark.slow_cases("systolic_l2r_always-1024", "orup_window-1024")
@pytest.mark.parametrize(("name", "nbits"), full_size_points())
def test_full_size_exponent(name, nbits):
    """Modulus and exponent have the full width, as in a decryption."""
    rng = random.Random(f"full/{nbits}")
    configuration = configure(name, nbits)
    drawn = draw_modulus(rng, nbits)
    row = rng.randrange(drawn), rng.getrandbits(nbits) | 1 << (nbits - 1), drawn
    row = usable(configuration, row)
    batch = simulate(configuration, "rtl", "native", [row])
    expected, cycles = [response_of(configuration, row)], [configuration.cycles(*row)]
    check_batch(configuration, "rtl", "native", [row], batch, expected, cycles)
