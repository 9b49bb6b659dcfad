"""The one harness: any configuration, level and engine over any table, under any stalls."""

import random
import signal
from functools import cache

import pytest

import catalog
from eval.engines import hang_cycles
from fl.xcel import words_per_operand
from sim.batch import Batch
from sim.engine import Engine, open_engine
from sim.stalls import NO_STALLS, StallProfile
from tests.cases import POWER_TABLES, power_cases, product_cases

SETUPS = (("fl", "pymtl"), ("cl", "pymtl"), ("rtl", "pymtl"), ("rtl", "native"))
"""Every (level, engine) that simulates a component."""

HOSTED = [name for name, design in catalog.DESIGNS.items() if design.default.host_constants]
"""Designs that ask the host for constants of the modulus."""

TABLE_WORK = 40_000_000
"""Cycles, times words of an operand, of a table: about a second of the native engine's."""


def built_once(name: str, nbits: int) -> pytest.MarkDecorator:
    """Keep tests of one compiled circuit on one worker, so that no other waits for the compiler."""
    return pytest.mark.xdist_group(f"{name}-{nbits}")


def take_interrupts() -> None:
    """Before a process starts: tests that run in the background ignore interrupts, as it would."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@cache
def configure(name: str, nbits: int, **params):
    """Configuration by name; hashable arguments, one object per session."""
    return catalog.find(name).configure(nbits, **params)


@cache
def engine_for(configuration, level: str, engine: str) -> Engine:
    """A component made ready once per session."""
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
    """Run operands (base, exponent, modulus or a, b, modulus) through one level."""
    requests = [configuration.request(*row) for row in operands]
    return engine_for(configuration, level, engine).run(
        requests,
        stalls=stalls,
        in_flight=in_flight,
        max_idle_cycles=hang_cycles(configuration),
        **options,
    )


@cache
def work_per_exponent_bit(configuration) -> float:
    """Cycles times words that the longest exponents cost a bit, by the cycle model."""
    draw = random.Random(0)
    modulus = draw.getrandbits(configuration.nbits) | 1 << (configuration.nbits - 1) | 1
    base = draw.randrange(modulus)
    words = words_per_operand(configuration.nbits)
    if not configuration.exponent_dependent:
        return configuration.cycles(base, 1, modulus) / configuration.exponent_nbits * words
    short, long = (configuration.cycles(base, (1 << k) - 1, modulus) for k in (4, 8))
    return (long - short) / 4 * words


def affordable_exponent(configuration, work: float = TABLE_WORK, rows: int = 1) -> int:
    """Bits of the exponents with which so many rows cost no more than ``work``; at least 5."""
    most = work / rows / work_per_exponent_bit(configuration)
    return min(configuration.nbits, configuration.exponent_nbits, max(5, int(most)))


def fastest(nbits: int):
    """Configuration that encrypts in the fewest cycles, of all designs that are as wide."""
    allowed = (name for name, design in catalog.DESIGNS.items() if nbits in design.widths)
    row = (2, 65537, (1 << nbits) - 1)
    return min((configure(name, nbits) for name in allowed), key=lambda c: c.cycles(*row))


def wide(name: str, nbits: int):
    """Configuration; exponents whose bits are all scanned are as short as a table can afford."""
    configuration = configure(name, nbits)
    if nbits <= 128 or name not in catalog.DESIGNS or configuration.exponent_dependent:
        return configuration
    rows = len(power_cases("directed", nbits))
    return configure(name, nbits, exponent_nbits=affordable_exponent(configuration, rows=rows))


def table(configuration, name: str) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Operands and expected response messages of a table for a design or a multiplier.

    At widths where full exponents would take minutes, they are as long as a second allows.
    """
    if isinstance(configuration, catalog.MultiplierConfiguration):
        contract = configuration.golden
        rows = product_cases(configuration.nbits, contract.odd_modulus)
        return [r.operands for r in rows], [(r.expected(contract.r),) for r in rows]
    nbits = configuration.nbits
    exponent_nbits = affordable_exponent(configuration, rows=max(1, len(power_cases(name, nbits))))
    rows = power_cases(name, nbits, exponent_nbits)
    odd = configuration.odd_modulus
    return [r.operands for r in rows], [
        (result, int(status)) for result, status in (r.expected(odd) for r in rows)
    ]


def tables_of(name: str) -> tuple[str, ...]:
    """Tables that apply to a design or a multiplier."""
    return ("products",) if name in catalog.multipliers() else tuple(POWER_TABLES)


def everything() -> list[str]:
    """Every design and multiplier of the registry."""
    return [*catalog.DESIGNS, *catalog.multipliers()]
