"""Harness of all tests: runs any configuration, level and engine on any table, with any stalls."""

import random
import signal
from collections.abc import Iterable, Sequence
from functools import cache

import pytest

from rsaxcel import catalog
from rsaxcel.course.testing.case import Comparison, check_batch
from rsaxcel.course.testing.cases import POWER_TABLES, power_cases, product_cases
from rsaxcel.fl.contract import DigitMultiplier
from rsaxcel.fl.status import Status
from rsaxcel.fl.word_serial import words_per_operand
from rsaxcel.sim.batch import Batch
from rsaxcel.sim.engine import Engine, open_engine
from rsaxcel.sim.operations import operation
from rsaxcel.sim.runners import hang_cycles
from rsaxcel.sim.stalls import NO_STALLS, STALL_PROFILES, StallProfile

SETUPS = (("fl", "pymtl"), ("cl", "pymtl"), ("rtl", "pymtl"), ("rtl", "native"))
"""Every (level, engine) that simulates a component."""

IN_PYTHON_SLOW = [
    pytest.param(x, id="-".join(x), marks=[pytest.mark.slow] if x == ("rtl", "pymtl") else [])
    for x in SETUPS
]
"""``SETUPS`` as test parameters; circuits run in the native engine, in PyMTL3's if there is time.

For tests of parts that other tests run quickly in both engines.
"""

HOSTED = [name for name, design in catalog.DESIGNS.items() if design.default.host_constants]
"""Designs to which the host sends constants of the modulus."""

HALVES = [name for name, x in catalog.DESIGNS.items() if x.default.choices.domain.halves]
"""Designs by two primes."""

ANY_MODULUS = [
    name
    for name, design in catalog.DESIGNS.items()
    if not design.default.constant_modulus and not design.default.choices.domain.halves
]
"""Designs for any modulus; the others have a constant modulus, or take two primes."""

_FIRST = {str(design.multiplier): name for name, design in reversed(catalog.DESIGNS.items())}
VARIANTS = set(catalog.DESIGNS) - {*_FIRST.values(), "mont_r2l_shared", "cm_pm_r2l", "mm_pm_r2l"}
"""Designs that differ from another design only by lanes or by other choices of a composition.

Other tests run all compositions. Tests that compile circuits run these designs in ``make test-all``
only, except at small widths.
"""

HOSTED_FIRST = [name for name in HOSTED if name not in VARIANTS]
"""Designs of ``HOSTED`` that are not in ``VARIANTS``."""

TABLE_WORK = 40_000_000
"""Most work of a table, in cycles times words of an operand: about 1 s in the native engine."""


def built_once(name: str, nbits: int | str) -> pytest.MarkDecorator:
    """Mark that keeps the tests of a compiled circuit on one worker, so that one compiles it.

    Parameters of the test stand in braces: ``built_once("check-{name}", "{nbits}")``.
    """
    return pytest.mark.built_once(f"{name}-{nbits}")


def take_interrupts() -> None:
    """Restore the default action of SIGINT in a child process.

    Tests in the background ignore interrupts, and a child process would inherit that.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@cache
def configure(name: str, nbits: int, **params):
    """Configuration by name; the same arguments give the same object in a session."""
    return catalog.find(name).configure(nbits, **params)


@cache
def engine_for(configuration, level: str, engine: str) -> Engine:
    """Engine with a component, opened once per session."""
    return open_engine(engine, lambda: configuration.component(level))


def simulate(
    configuration,
    level: str,
    engine: str,
    operands: list[tuple[int, ...]],
    stalls: StallProfile = NO_STALLS,
    in_flight: int | None = 1,
    **options,
) -> Batch:
    """Simulate operands (base, exponent, modulus or a, b, modulus) at one level."""
    requests = [configuration.request(*row) for row in operands]
    columns = list(zip(*operands, strict=True))
    with Comparison(configuration, level, engine, stalls.name).hangs_told(columns):
        return engine_for(configuration, level, engine).run(
            requests,
            stalls=stalls,
            in_flight=in_flight,
            max_idle_cycles=hang_cycles(configuration),
            **options,
        )


@cache
def work_per_exponent_bit(configuration) -> float:
    """Work for each bit of a long exponent, in cycles times words, by the cycle model."""
    draw = random.Random(0)
    drawn = draw.getrandbits(configuration.nbits) | 1 << (configuration.nbits - 1) | 1
    modulus = configuration.usable_modulus(drawn)
    base = draw.getrandbits(configuration.nbits - 1) % modulus
    words = words_per_operand(configuration.nbits)
    if isinstance(configuration.multiplier_golden, DigitMultiplier):
        # All rows of a digit are simulated in parallel, and then their sum.
        words *= 4 * configuration.multiplier_golden.digit_nbits
    if not configuration.exponent_dependent:
        return configuration.cycles(base, 1, modulus) / configuration.exponent_nbits * words
    short, long = (configuration.cycles(base, (1 << k) - 1, modulus) for k in (4, 8))
    return (long - short) / 4 * words


def affordable_exponent(configuration, work: float = TABLE_WORK, rows: int = 1) -> int:
    """Width of exponents with which ``rows`` rows take at most ``work``; at least 5 bits."""
    most = work / rows / work_per_exponent_bit(configuration)
    return min(configuration.nbits, configuration.exponent_nbits, max(5, int(most)))


def fastest(nbits: int):
    """Configuration with the fewest cycles of an encryption, of all designs for any modulus."""
    allowed = (name for name in ANY_MODULUS if nbits in catalog.DESIGNS[name].widths)
    row = (2, 65537, (1 << nbits) - 1)
    return min((configure(name, nbits) for name in allowed), key=lambda c: c.cycles(*row))


def wide(name: str, nbits: int):
    """Configuration by name; if it scans all bits of wide exponents, exponents are shortened."""
    configuration = configure(name, nbits)
    if nbits <= 128 or name not in catalog.DESIGNS or configuration.exponent_dependent:
        return configuration
    rows = len(power_cases("directed", nbits))
    return configure(name, nbits, exponent_nbits=affordable_exponent(configuration, rows=rows))


def table(configuration, name: str) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Operands and expected response messages of a table for a design or a multiplier.

    If exponents of the full width would take too long, they are shorter (``affordable_exponent``).
    """
    if isinstance(configuration, catalog.MultiplierConfiguration):
        contract = configuration.golden
        only = contract.constant_modulus
        rows = product_cases(configuration.nbits, contract.odd_modulus, modulus=only)
        return [r.operands for r in rows], [(r.expected(configuration.r),) for r in rows]
    nbits = configuration.nbits
    exponent_nbits = affordable_exponent(configuration, rows=max(1, len(power_cases(name, nbits))))
    rows = power_cases(name, nbits, exponent_nbits, configuration.constant_modulus)
    if configuration.choices.domain.halves:
        split = [usable(configuration, row.operands) for row in rows]
        return split, [response_of(configuration, row) for row in split]
    odd = configuration.odd_modulus
    return [r.operands for r in rows], [
        (result, int(status)) for result, status in (r.expected(odd) for r in rows)
    ]


def tables_of(name: str) -> tuple[str, ...]:
    """Tables that apply to a design or a multiplier."""
    return ("products",) if name in catalog.multipliers() else tuple(POWER_TABLES)


def each_design(nbits: int, prefix: str = "", names: Sequence[str] = ()) -> list:
    """Names of designs as test parameters; all unless given. Variants are marked as slow.

    Tests of one compiled circuit stay on one worker; ``prefix`` is part of the circuit's name.
    """
    return [
        pytest.param(
            name,
            marks=[
                built_once(f"{prefix}{name}", nbits),
                *([pytest.mark.slow] if name in VARIANTS else []),
            ],
        )
        for name in names or catalog.DESIGNS
    ]


def usable(configuration, row: Sequence[int]) -> tuple[int, int, int]:
    """Replace the modulus of a row by one that the configuration allows.

    For two halves, the exponent is replaced, too. A row for two halves that breaks an input rule
    still breaks the same rule.
    """
    base, exponent, drawn = row
    halves = configuration.choices.domain.halves
    if halves is None:
        modulus = configuration.usable_modulus(drawn)
        return base % modulus, exponent, modulus
    ones, most = (1 << configuration.choices.exponent_nbits) - 1, (1 << configuration.nbits) - 1
    p, q = halves.split(configuration.usable_modulus(drawn & most))
    if drawn > most:
        q |= 1 << halves.nbits
    elif drawn < 3:
        p = drawn
    elif drawn % 2 == 0:
        q = q + 1 & most >> 1
    wide = exponent > most
    dp, dq = exponent & ones, (exponent ^ exponent >> 1) & ones
    return base, halves.joined(dp, dq | wide * (ones + 1)), halves.joined(p, q)


def response_of(configuration, row: Sequence[int]) -> tuple[int, int]:
    """Expected result and status, by Python's ``pow`` and the input rules."""
    to_do = operation(configuration)
    status = to_do.status(tuple(row))
    return (to_do.result(tuple(row)) if status is Status.OK else 0), int(status)


def everything() -> list[str]:
    """Names of all designs and multipliers of the registry."""
    return [*catalog.DESIGNS, *catalog.multipliers()]


def check_rows(configuration, rows, expected=None, level="rtl", engine="native") -> Batch:
    """Run rows one by one: responses, by ``response_of`` unless given, and the model's cycles."""
    expected = [response_of(configuration, row) for row in rows] if expected is None else expected
    cycles = None if level == "fl" else [configuration.cycles(*row) for row in rows]
    batch = simulate(configuration, level, engine, rows)
    check_batch(configuration, level, engine, rows, batch, expected, cycles)
    return batch


def check_overlap(configuration, stalls: StallProfile, count: int | None = None) -> None:
    """Run ``count`` rows, any number in flight: handshakes of circuit and model are the same."""
    rows = tables_of(configuration.design_name)[0]
    operands, expected = (x[:count] for x in table(configuration, rows))
    setups = (("cl", "pymtl"), ("rtl", "native"))
    batches = [simulate(configuration, *x, operands, stalls, in_flight=None) for x in setups]
    for setup, batch in zip(setups, batches, strict=True):
        check_batch(configuration, *setup, operands, batch, expected, under=stalls.name)
    assert batches[0] == batches[1]


def check_reset(configuration, rows, moments: Iterable[int], power_up: int = 3) -> None:
    """Run rows with a reset at each of some moments: it drops an operation, and no later one."""
    expected = [response_of(configuration, row) for row in rows]
    engine = engine_for(configuration, "rtl", "native")
    requests = [configuration.request(*row) for row in rows]
    for at in moments:
        batch = engine.run(requests, reset_at=at, power_up_seed=power_up)
        found = [x for x in batch.responses if x is not None]
        assert found == expected[len(expected) - len(found) :]
        assert len(found) >= len(rows) - 1


def last_cycle(configuration, row) -> int:
    """Cycle in which the registers are clear again after a first operation."""
    return configuration.cycles(*row) + configuration.clear_cycles


def check_levels(configuration, rows, expected):
    """Run rows at all levels, with stalls that depend on the width: same responses and cycles."""
    requests = [configuration.request(*row) for row in rows]
    cycles = [configuration.cycles(*row) for row in rows]
    stalls = list(STALL_PROFILES.values())[configuration.nbits % len(STALL_PROFILES)]
    functional = engine_for(configuration, "fl", "pymtl").run(requests)
    check_batch(configuration, "fl", "pymtl", rows, functional, expected)
    timed = engine_for(configuration, "cl", "pymtl").run(requests, stalls=stalls)
    circuit = engine_for(configuration, "rtl", "native").run(requests, stalls=stalls)
    check_batch(configuration, "rtl", "native", rows, circuit, expected, cycles, stalls.name)
    assert circuit == timed
