"""Widths of windows and of exponents: all entries of all tables, all lengths of a fixed scan."""

from functools import cache, partial

import pytest

from rsaxcel import catalog
from rsaxcel.fl.multipliers import MulRem
from rsaxcel.plan.schedules import EXPONENT_NBITS, SCHEDULES, WINDOW_NBITS
from rsaxcel.plan.steps import ENTRY, NEXT
from rsaxcel.plan.walk import walk
from tests.shared.compositions import rows, run_all_levels
from tests.shared.harness import built_once, engine_for, simulate
from tests.shared.side_by_side import Library

NBITS = 8
MODULUS, GENERATOR = 251, 6
"""A prime, and a base whose first 250 powers differ."""

WINDOWS = [
    (schedule.name, width)
    for schedule in SCHEDULES.values()
    if schedule.windows
    for width in WINDOW_NBITS.allowed(NBITS)
]
QUICK = [choice for choice in WINDOWS if choice[1] == 2 or choice == ("sliding", NBITS)]
"""Small windows of every schedule, and sliding windows as wide as the exponent, which have the
fewest entries of this width; tests of other windows are slow."""

FIXED = [name for name, schedule in SCHEDULES.items() if EXPONENT_NBITS in schedule.parameters]


@cache
def with_windows(schedule: str, width: int):
    """Composition with the multiplier that takes the fewest cycles."""
    design = catalog.get("mulrem_r2l")
    return design.configure(NBITS, schedule=schedule, window_nbits=width, bits_per_cycle=NBITS)


@cache
def library(quick: bool) -> Library:
    """Library of all quick compositions, or of all others."""
    chosen = [choice for choice in WINDOWS if (choice in QUICK) == quick]
    return Library([with_windows(*choice) for choice in chosen])


@pytest.mark.quick_cases("sliding-*", "window-[23]")
@pytest.mark.parametrize(
    ("schedule", "width"),
    [
        pytest.param(*choice, marks=[] if choice in QUICK else [pytest.mark.slow])
        for choice in WINDOWS
    ],
)
@built_once("windows", NBITS)
def test_every_digit(schedule, width):
    """Each value of the last window, and of the first one, reads its entry."""
    configuration = with_windows(schedule, width)
    digits = range(1 << width)
    exponents = set(digits)
    if width <= NBITS // 2:
        exponents |= {digit << NBITS - width for digit in digits}
    operands = [(GENERATOR, exponent, MODULUS) for exponent in sorted(exponents)]
    run_rtl = partial(library((schedule, width) in QUICK).run, configuration)
    run_all_levels(configuration, operands, width, run_rtl)


@pytest.mark.parametrize(("schedule", "width"), WINDOWS)
def test_tables(schedule, width):
    """All entries of a table are filled with the right powers, and exactly these are read."""
    configuration = with_windows(schedule, width)
    program = configuration.programs[0]
    odd = SCHEDULES[schedule].windows in ("sliding", "odd")
    has_unit = SCHEDULES[schedule].unit in program.entries.values()
    powers = [*range(1, 1 << width, 2 if odd else 1), *([0] if has_unit else [])]
    states = configuration.golden.begin(GENERATOR, 0, MODULUS, ())
    for block in walk(program, states):
        MulRem(NBITS).form(block, states)
    # The entry after the powers, the loop's result, is no power before the loop.
    got = [states[0].residues[x] for x in program.entries.values() if x != program.table.itself]
    assert got == [pow(GENERATOR, k, MODULUS) for k in powers]

    read = set()
    for exponent in range(1 << NBITS):
        for digit in program.scan.digits(exponent):
            if digit and (digit.set or has_unit):
                read |= {*digit.indices[1:]} or {digit.index}
    assert read == set(program.entries)
    names = {name for step in program.loop for p in step for name in (p.dst, p.a, p.b)}
    assert ENTRY in names
    assert NEXT not in names


@pytest.mark.quick_cases("window-16", "ladder-1")
@pytest.mark.parametrize("exponent_nbits", [1, 5, 2 * NBITS])
@pytest.mark.parametrize("schedule", FIXED)
def test_exponents_of_other_widths(schedule, exponent_nbits):
    """Exponents are shorter or longer than the modulus; an exponent above the width is refused."""
    design = catalog.get("montmul_r2l")
    configuration = design.configure(
        NBITS, schedule=schedule, exponent_nbits=exponent_nbits, bits_per_cycle=NBITS
    )
    ones = (1 << exponent_nbits) - 1
    operands = [(b, e & ones, m) for b, e, m in rows(NBITS, 2)]
    operands += [(m - 2, ones - e & ones, m) for _, e, m in operands]
    assert configuration.outcome(2, ones + 1, 3).status.name == "OPERAND_TOO_WIDE"
    operands += [(3, ones, 7), (3, ones // 2 + 1, 7)]
    run_all_levels(
        configuration, operands, exponent_nbits, engine_for(configuration, "rtl", "pymtl").run
    )
    one, most = (configuration.cycles(3, e, 7) for e in (0, ones))
    assert one == most


@built_once("windows-of-words", NBITS)
def test_every_exponent_in_a_memory_of_words():
    """Each pair of entries is read and written, word by word."""
    design = catalog.get("systolic_l2r_always")
    configuration = design.configure(NBITS, schedule="window", window_nbits=2, radix_nbits=4)
    operands = [(GENERATOR, exponent, MODULUS) for exponent in range(1 << NBITS)]
    batch = simulate(configuration, "rtl", "native", operands)
    assert [result for result, _ in batch.responses] == [pow(*row) for row in operands]
