"""Choices on an axis that go with any on the others, and designs whose cycles tell nothing."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catalog
from fl.domains import CONVERSIONS, HOST, ONE_SOURCES, montgomery
from fl.status import Status
from fl.units import Unit
from tests.cases import draw_modulus
from tests.harness import SETUPS, built_once, configure, engine_for, simulate

ALWAYS = "schedules:LEFT_TO_RIGHT_ALWAYS"
REGULAR = [name for name, design in catalog.DESIGNS.items() if not design.exponent_dependent]


def each_multiplier() -> list:
    """One design of each multiplier and domain, with the other schedule."""
    found = {}
    for design in catalog.DESIGNS.values():
        name = Unit(design.multiplier).module
        found.setdefault(f"{name}-{design.domain.name}", design)
    return [pytest.param(replace(design, schedule=ALWAYS), id=key) for key, design in found.items()]


@pytest.mark.parametrize("design", each_multiplier())
def test_always_with_every_multiplier(design):
    """Results by ``pow`` at all levels; cycles differ only where those of a product do."""
    configuration = design.configure(8)
    # one modulus: the time that a unit takes for R^2 mod m may depend on m
    rows = [(b, e, 201) for b, e in ((5, 0), (200, 1), (0, 255), (7, 128), (200, 170), (2, 9))]
    cycles = [configuration.cycles(*row) for row in rows]
    for level, engine in SETUPS:
        if engine == "pymtl":
            batch = simulate(configuration, level, engine, rows)
            assert batch.responses == [(pow(*row), 0) for row in rows]
            if level != "fl":
                assert batch.cycles == cycles
    fixed = not design.exponent_dependent
    assert fixed == (len(set(cycles)) == 1)
    assert fixed == design.multiplier.fl.constant_time


def test_there_are_regular_designs():
    assert "systolic_l2r_always" in REGULAR


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=built_once(name, 64)) for name in REGULAR]
)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_no_operand_changes_the_cycles(name, data):
    """At a width, every good request takes the same number of cycles, and is loaded in the same."""
    configuration = configure(name, 64)
    length = data.draw(st.integers(2, 64))
    modulus = data.draw(st.integers(1 << length - 1, (1 << length) - 1)) | 1
    exponent = data.draw(st.integers(0, (1 << data.draw(st.integers(0, 64))) - 1))
    row = (data.draw(st.integers(0, modulus - 1)), exponent, modulus)
    fixed = (3, 5, (1 << 64) - 1)
    assert configuration.cycles(*row) == configuration.cycles(*fixed)
    batch = simulate(configuration, "rtl", "native", [fixed, row, fixed])
    assert set(batch.cycles) == {configuration.cycles(*fixed)}
    gaps = [b - a for a, b in zip(batch.taken, batch.accepted[1:], strict=False)]
    assert set(gaps) == {configuration.load_cycles + 1}


@pytest.mark.parametrize("name", [name for name in catalog.DESIGNS if name not in REGULAR])
def test_the_others_are_told_apart(name):
    """Where the registry says that the exponent shows, it does."""
    configuration = configure(name, 32)
    rng = random.Random(name)
    modulus = draw_modulus(rng, 32)
    base = rng.randrange(modulus)
    cycles = {configuration.cycles(base, e, modulus) for e in (1, 2, 3, 0xFFFF, 0x80000000)}
    assert len(cycles) > 1


@pytest.mark.parametrize("conversions", CONVERSIONS)
@pytest.mark.parametrize("one", ONE_SOURCES)
@pytest.mark.parametrize("schedule", ["schedules:RIGHT_TO_LEFT", ALWAYS])
def test_host_constants_with_a_store_of_registers(conversions, one, schedule):
    """The host as a choice of the domain, at all levels; without them a request is refused."""
    domain = montgomery(conversions=conversions, r_squared=HOST, one=one)
    design = replace(catalog.get("montmul_r2l"), domain=domain, schedule=schedule)
    configuration = design.configure(8)
    assert [name for name, _ in configuration.host_constants] == ["r", "r2"][one == "product" :]
    rows = [(5, 0, 201), (200, 255, 201), (0, 7, 255), (7, 170, 9), (254, 3, 255), (2, 9, 3)]
    requests = [configuration.request(*row) for row in rows]
    requests.insert(1, (*requests[0][:-1], 1))
    responses = [(pow(*row), 0) for row in rows]
    responses.insert(1, (0, Status.CONSTANTS_MISSING))
    cycles = []
    for level in catalog.LEVELS:
        batch = engine_for(configuration, level, "pymtl").run(requests)
        assert batch.responses == responses
        cycles.append(batch.cycles)
    assert cycles[1] == cycles[2]
