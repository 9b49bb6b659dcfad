"""Constants of the modulus from the host and from units, in register stores and multipliers."""

import random
from functools import cache

import pytest

from rsaxcel import catalog
from rsaxcel.catalog import Classes, Configuration, MultiplierEntry
from rsaxcel.catalog.units import CONSTANT_UNITS
from rsaxcel.course.testing.cases import draw_modulus
from rsaxcel.fl.status import Status
from rsaxcel.plan.domains import CONVERSIONS, PRODUCT
from rsaxcel.plan.modulus_constants import HOST
from rsaxcel.plan.schedules import SCHEDULES
from rsaxcel.proc.operands import join_words
from rsaxcel.proc.run import run_fl
from rsaxcel.proc.systems import System
from rsaxcel.sim.engine import open_engine
from rsaxcel.sim.system import open_cycle_model
from rsaxcel.sim.system_run import SystemRequest
from tests.shared.compositions import rows
from tests.shared.constant_multipliers import BARRETT, REDC, Barrett, BarrettRTL, OneCycle
from tests.shared.harness import engine_for

CHOICES = {
    (design.name, conversions, r_squared, one): design
    for design in (catalog.get("montmul_r2l"), REDC)
    for conversions in CONVERSIONS
    for r_squared in catalog.axes()["r_squared"]
    for one in catalog.axes()["one"]
}


@cache
def configured(choice: tuple[str, ...], schedule: str) -> Configuration:
    """Composition of 8 bits."""
    names = ("conversions", "r_squared", "one")
    params = dict(zip(names, choice[1:], strict=True))
    return CHOICES[choice].configure(8, schedule=schedule, **params)


def run_levels(configuration: Configuration) -> None:
    """Compare results with ``pow`` at all levels; a request without host constants is refused."""
    operands = rows(8, 2)[1:]
    requests = [configuration.request(*row) for row in operands]
    responses = [(pow(*row), 0) for row in operands]
    if configuration.host_constants:
        requests.insert(1, (*requests[0][:-1], 1))
        responses.insert(1, (0, Status.CONSTANTS_MISSING))
    batches = [engine_for(configuration, level, "pymtl").run(requests) for level in catalog.LEVELS]
    for batch in batches:
        assert batch.responses == responses
    assert batches[1] == batches[2]


@pytest.mark.slow_cases("[1245678]", "[1-9][01245678]")
@pytest.mark.parametrize("turn", range(len(CHOICES)))
def test_constants_of_the_domain(turn):
    """All conversions, with R^2 and R from any source; each has another schedule."""
    choice = list(CHOICES)[turn]
    schedule = list(SCHEDULES)[turn % len(SCHEDULES)]
    configuration = configured(choice, schedule)
    named = (("r2", choice[2]), (SCHEDULES[schedule].unit, choice[3]))
    by_host = {name for name, source in named if source == HOST}
    if CHOICES[choice] is REDC:
        by_host.add("m_prime")
    assert {constant.name for constant in configuration.host_constants} == by_host
    run_levels(configuration)


def test_all_sources_are_among_them():
    assert {choice[2] for choice in CHOICES} == {*CONSTANT_UNITS, HOST} - {"inversion"}
    assert {choice[3] for choice in CHOICES} == {PRODUCT, "division", HOST}


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("source", ["division", HOST])
def test_constants_of_a_multiplier(schedule, source):
    """A unit computes the constant before the first product, or the request has it."""
    configuration = BARRETT.configure(8, schedule=schedule, mu=source)
    assert bool(configuration.host_constants) == (source == HOST)
    assert [str(c) for c in configuration.programs[0].computed_constants] == ["mu"] * (
        source != HOST
    )
    run_levels(configuration)
    even = [(3, 5, 4), (253, 255, 254), (100, 77, 128), (1, 0, 2)]
    batch = engine_for(configuration, "rtl", "pymtl").run([configuration.request(*r) for r in even])
    assert batch.responses == [(pow(*row), 0) for row in even]


@pytest.mark.parametrize("engine", ["pymtl", "native"])
@pytest.mark.parametrize("r_squared", ["division", HOST])
def test_constants_of_several_widths(r_squared, engine):
    """m' has two bits more than R^2 mod m; both units' numbers go through ports of one width."""
    design = catalog.get("mont_mac_r2l_shared")
    configuration = design.configure(13, r_squared=r_squared, m_prime="inversion")
    names = {constant.name for constant in configuration.host_constants}
    assert names == ({"r2"} if r_squared == HOST else set())
    operands = rows(13, 2)
    batch = engine_for(configuration, "rtl", engine).run(
        [configuration.request(*row) for row in operands]
    )
    assert batch.responses == [(pow(*row), 0) for row in operands]


@pytest.mark.quick_cases("13")
@pytest.mark.parametrize("nbits", [13, 16, 32, 64])
def test_constants_on_the_processor(nbits):
    """Constants are shorter than their words, fill them, or need more words than the modulus."""
    system = System(f"proc_{BARRETT.name}", nbits, BARRETT.configure(nbits, mu="host"))
    circuit = open_cycle_model(system)
    rng = random.Random(nbits)
    for modulus in (3, (1 << nbits) - 1, draw_modulus(rng, nbits // 2) + 1):
        row = (modulus - 1, 0x2B, modulus)
        image = system.image("xcel", *row)
        golden = run_fl(image, system.devices())
        run = circuit.run(SystemRequest(system.image("xcel", *row), 100_000))
        assert (golden.end.exit_status, run.end.exit_status) == (0, 0)
        assert join_words(golden.messages) == join_words(run.messages) == pow(*row)


class Held(Barrett):
    """Multiplier whose requester has to hold the modulus and the constant."""

    holds_modulus = False


def test_held_constants():
    """A multiplier alone gets registers for modulus and constant, whatever their widths."""
    configuration = MultiplierEntry(Classes(Held, OneCycle, BarrettRTL)).configure(8)
    rows = [(m - 1, a, m) for m in (2, 3, 200, 255) for a in (0, 1, m // 2, m - 1)]
    engine = open_engine("native", lambda: configuration.component("rtl"))
    batch = engine.run([configuration.request(*row) for row in rows], in_flight=None)
    assert batch.responses == [(a * b % m,) for a, b, m in rows]
