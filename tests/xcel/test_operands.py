"""Operands through the adapter: every width, every row of the tables, every input rule."""

import random

import pytest

from rsaxcel.course.testing.cases import POWER_TABLES, draw_modulus, power_cases
from rsaxcel.fl.status import Status
from rsaxcel.fl.xcel import Register
from rsaxcel.sim.runners import hang_cycles
from tests.shared.harness import ANY_MODULUS, SETUPS, VARIANTS, built_once, configure, fastest
from tests.xcel.bench import Script, accelerator_of, run

ALL = ANY_MODULUS
TABLED = [*(name for name in ANY_MODULUS if name not in VARIANTS), "cm_pm_r2l"]
# The adapter is the same for every design, so each point uses a design that is fast there.
WIDTH_POINTS = [
    *(("fl", "pymtl", n, ALL[n % len(ALL)]) for n in range(32, 129)),
    *(("cl", "pymtl", n, ("mont_r2l", "mont_r2l_shared")[n % 2]) for n in range(32, 129)),
    *(("rtl", "native", n, "mulrem_r2l") for n in (32, 33, 40, 63, 64, 65, 96, 127, 128)),
    *(("rtl", "pymtl", n, "mulrem_r2l") for n in (33, 64, 65, 128)),
    *(("rtl", "native", n, "mont_r2l_shared") for n in (32, 40)),
    ("rtl", "pymtl", 33, "mont_r2l_shared"),
    ("rtl", "native", 40, "mont_r2l"),
]
#: Timing depends on the width only through the number of words: first and last width of each. Words
#: are split by the width modulo 32, which has each value once.
QUICK_WIDTHS = {
    "fl": (*range(32, 66), 96, 97, 127, 128),
    "cl": (33, 64, 65, 96, 97, 128),
    "rtl": (32, 33, 40, 64, 65, 127),
}


@pytest.mark.slow_cases(
    "cl-pymtl-9[67]-*",
    "rtl-native-32-*",
    "rtl-*-65-*",
    "rtl-native-127-*",
    "rtl-*-64-*",
    "rtl-native-40-mont*",
)
@pytest.mark.parametrize(
    ("level", "engine", "nbits", "name"),
    [
        pytest.param(
            *point,
            marks=[] if point[2] in QUICK_WIDTHS.get(point[0], [point[2]]) else [pytest.mark.slow],
        )
        for point in WIDTH_POINTS
    ],
)
@built_once("xcel-{name}", "{nbits}")
def test_every_width(level, engine, nbits, name):
    """Full-width operands, and short ones whose other words are not written."""
    configuration = configure(name, nbits)
    rng = random.Random(f"xcel/{nbits}")
    script = Script()
    lengths = (nbits, nbits), (nbits, 5), (rng.randint(2, 32), 17), (rng.randint(2, nbits), 33)
    for modulus_nbits, exponent_nbits in lengths:
        modulus = draw_modulus(rng, modulus_nbits)
        exponent = rng.getrandbits(exponent_nbits) | 1 << (min(nbits, exponent_nbits) - 1)
        row = (rng.randrange(modulus), exponent % 2**nbits, modulus)
        script.start(*row, constants=configuration.constant_words(modulus))
        script.finish(pow(*row), Status.OK, nbits)
    batch = run(accelerator_of(configuration, level), engine, script)
    if engine == "native":
        assert batch == run(accelerator_of(configuration, "cl"), "pymtl", script)


@built_once("xcel-wide", "{nbits}")
@pytest.mark.quick_cases("1024-*", "2079-fl-pymtl", "4096-fl-pymtl")
@pytest.mark.parametrize(("level", "engine"), [("fl", "pymtl"), ("rtl", "native")])
@pytest.mark.parametrize("nbits", [1024, 1030, 2048, 2079, 4096])
def test_wide_operands(nbits, level, engine):
    """Wide operands: widths of keys, partial words, and short operands after long ones."""
    configuration = fastest(nbits)
    rng = random.Random(f"xcel/{nbits}")
    script, starts, rows = Script(), [], []
    for modulus_nbits, exponent in ((nbits, 65537), (nbits - 1, 19), (40, 3), (nbits, 5)):
        modulus = draw_modulus(rng, modulus_nbits)
        rows.append((rng.randrange(modulus), exponent, modulus))
        script.start(*rows[-1])
        starts.append(len(script) - 1)
        script.finish(pow(*rows[-1]), Status.OK, nbits)
    for i in range(3):
        row = [2, 3, 7]
        row[i] |= 1 << nbits
        script.call(*row, result=0, status=Status.OPERAND_TOO_WIDE, nbits=nbits)
    script.read(Register.BASE, -(-nbits // 32))
    limit = hang_cycles(configuration)
    batch = run(accelerator_of(configuration, level), engine, script, max_idle_cycles=limit)
    if level == "rtl":
        for start, row in zip(starts, rows, strict=True):
            took = batch.valid[start + 1] - batch.accepted[start]
            assert took == configuration.cycles(*row) + 1


TABLE_POINTS = [
    (name, level, engine, rows)
    for name in TABLED
    for level, engine in SETUPS
    for rows in POWER_TABLES
    if (level, engine) != ("rtl", "pymtl") or (name == "mulrem_r2l" and rows in ("even", "bad"))
]


@pytest.mark.quick_cases(
    "mulrem_r2l-*",
    "digit_serial_r2l-*native-bad",
    "orup_window-*native*",
    "*-fl-*-bad",
    "*-cl-pymtl-bad",
    "mm_pm_r2l-cl-pymtl-directed",
)
@pytest.mark.parametrize(
    ("name", "level", "engine", "rows"),
    [
        pytest.param(*point, id="-".join(point), marks=built_once(f"xcel-{point[0]}", 40))
        for point in TABLE_POINTS
    ],
)
def test_tables(name, level, engine, rows):
    """The shared tables; every row loads all its operands."""
    configuration = configure(name, 40)
    script, refused = Script(), []
    table = power_cases(rows, 40, only_modulus=configuration.constant_modulus)
    # Waiting takes long in Python, and the grid tests these results.
    sparse = 4 if level == "cl" and rows in ("directed", "random") else 1
    for case in table[:: sparse * (4 if rows == "directed" else 1)]:
        result, status = case.expected(configuration.odd_modulus)
        script.start(*case.operands, constants=configuration.constant_words(case.modulus))
        if status is not Status.OK:
            refused.append(len(script))
        script.finish(result, status, 40)
    batch = run(accelerator_of(configuration, level), engine, script)
    assert max((batch.cycles[i] for i in refused), default=0) <= 10


GOOD = (123456789, 5, (1 << 40) - 87)
REFUSED = [
    pytest.param((5, 3, 1), Status.MODULUS_TOO_SMALL, id="modulus_too_small"),
    pytest.param((5, 3, 10), Status.MODULUS_EVEN, id="modulus_even"),
    pytest.param((7, 3, 7), Status.BASE_TOO_LARGE, id="base_too_large"),
    *(
        pytest.param(
            tuple(x | high << bit if i == k else x for k, x in enumerate((2, 3, 7))),
            Status.OPERAND_TOO_WIDE,
            id=f"wide-{operand}-{high:#x}-{bit}",
        )
        for i, operand in enumerate(("base", "exponent", "modulus"))
        for high, bit in ((1, 40), (1, 63), (1, 64), (1 << 31, 64), (1, 3 * 32), (6, 5 * 32))
    ),
]


@pytest.mark.quick_cases(
    "mulrem_r2l-*native*",
    "mulrem_r2l-rtl-pymtl-*-0x1-*",
    "mont_r2l_shared-cl-*",
    "*-modulus_too_small",
)
@pytest.mark.parametrize(("operands", "status"), REFUSED)
@pytest.mark.parametrize(
    ("name", "level", "engine"),
    [
        pytest.param(name, *setup, marks=built_once(f"xcel-{name}", 40))
        for name in ("mulrem_r2l", "mont_r2l_shared")
        for setup in SETUPS
        if name == "mulrem_r2l" or setup != ("rtl", "pymtl")
    ],
)
def test_error_then_good_request(name, operands, status, level, engine):
    """After a refusal of each kind, the next good request gets its result."""
    configuration = configure(name, 40)
    if status is Status.MODULUS_EVEN and not configuration.odd_modulus:
        status = Status.OK
    script = Script()
    for row, expected in ((operands, status), (GOOD, Status.OK)) * 2:
        script.call(*row, result=0 if expected else pow(*row), status=expected)
        script.read(Register.STATE, 2 | expected << 8)
    run(accelerator_of(configuration, level), engine, script)
