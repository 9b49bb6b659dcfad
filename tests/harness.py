"""The one harness: any configuration, level and engine over any table, under any stalls."""

from functools import cache

import pytest

import designs
from eval.engines import hang_cycles
from fl.cases import POWER_TABLES, product_cases
from fl.units import Unit
from sim.batch import Batch
from sim.engine import Engine, open_engine
from sim.stalls import NO_STALLS, StallProfile

SETUPS = (("fl", "pymtl"), ("cl", "pymtl"), ("rtl", "pymtl"), ("rtl", "native"))
"""Every (level, engine) that simulates a component."""


def built_once(name: str, nbits: int) -> pytest.MarkDecorator:
    """Keep tests of one compiled circuit on one worker, so that no other waits for the compiler."""
    return pytest.mark.xdist_group(f"{name}-{nbits}")


@cache
def configure(name: str, nbits: int, **params):
    """Configuration by name; hashable arguments, one object per session."""
    return designs.find(name).configure(nbits, **params)


@cache
def engine_for(configuration, level: str, engine: str) -> Engine:
    """A component made ready once per session."""
    return open_engine(engine, lambda: configuration.component(level))


@cache
def max_idle_cycles(configuration) -> int:
    """Cycles without a handshake that mean a hang, a long time for stalls included."""
    return 20_000 + hang_cycles(configuration)


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
        max_idle_cycles=max_idle_cycles(configuration),
        **options,
    )


def table(configuration, name: str) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Operands and expected response messages of a table for a design or a multiplier."""
    if isinstance(configuration, designs.MultiplierConfiguration):
        contract = configuration.golden
        rows = product_cases(configuration.nbits, contract.odd_modulus)
        return [r.operands for r in rows], [(r.expected(contract.r),) for r in rows]
    rows = POWER_TABLES[name](configuration.nbits)
    odd = configuration.design.odd_modulus
    return [r.operands for r in rows], [
        (result, int(status)) for result, status in (r.expected(odd) for r in rows)
    ]


def tables_of(name: str) -> tuple[str, ...]:
    """Tables that apply to a design or a multiplier."""
    return ("products",) if name in designs.multipliers() else tuple(POWER_TABLES)


def everything() -> list[str]:
    """Every design and multiplier of the registry."""
    return [*designs.DESIGNS, *designs.multipliers()]


def unit_at(ref: str, nbits: int, **params) -> Unit:
    """Unit with parameters, for tests of a part on its own."""
    return Unit(ref, tuple(params.items()))
