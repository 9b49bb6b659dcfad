"""Projections: powers of the width, with a factor for their error, separate from measurements."""

import pytest

from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.projection import Projection, project
from rsaxcel.eval.facts.table import Facts

CELLS = {"library": "cells", "clock_ns": 0.5}
ASKED = [Projection(["thing"], {"area_um2": "cells"}, (128, 256, 512))]


def areas(values: dict[int, float], **more) -> list[Fact]:
    about = CELLS | more
    return [Fact("thing", "area_um2", x, "measured", nbits=n, **about) for n, x in values.items()]


def projected(facts: list[Fact]) -> dict[tuple[str, int], float]:
    return {(x.quantity, x.nbits): x.value for x in project(ASKED, facts)}


def test_a_power_is_continued_without_error():
    found = projected(areas({n: 3.0 * n**2 for n in (16, 32, 64, 128)}))
    assert found == {
        ("projected_area_um2", 256): pytest.approx(3 * 256**2),
        ("projected_area_um2", 512): pytest.approx(3 * 512**2),
        ("projected_area_factor", 256): pytest.approx(1),
        ("projected_area_factor", 512): pytest.approx(1),
    }


def test_the_factor_is_that_of_the_widest_figure_for_each_doubling_beyond_it():
    # The fit to 16 and 32 bits gives 512 at 64 bits; 1000 was measured.
    found = projected(areas({16: 128.0, 32: 256.0, 64: 1000.0}))
    missed = 1000 / 512
    assert found["projected_area_factor", 128] == pytest.approx(missed)
    assert found["projected_area_factor", 256] == pytest.approx(missed**2)
    assert found["projected_area_factor", 512] == pytest.approx(missed**3)
    # Least squares of three equally spaced logarithms: the slope is that between the outer points.
    slope = (1000 / 128) ** 0.5
    middle = (128 * 256 * 1000) ** (1 / 3)
    assert found["projected_area_um2", 128] == pytest.approx(middle * slope**2)


def test_two_figures_and_those_of_other_conditions_say_nothing():
    two = areas({16: 1.0, 32: 2.0})
    assert not projected([*two, *areas({64: 4.0}, library="others")])
    assert not projected([*two, *areas({64: 4.0}, choices="stages=2")])
    assert not projected([*two, *areas({64: 4.0}, stage="placed")])


def test_projections_are_no_measurements():
    facts = areas({16: 1.0, 32: 2.0, 64: 4.0})
    table = Facts([*facts, *project(ASKED, facts)])
    asked = {"subject": "thing", "nbits": 256, **CELLS}
    assert table.value(asked | {"quantity": "area_um2"}, printed=False) is None
    assert table.value(asked | {"quantity": "area_kum2"}, printed=False) is None
    found = table.find(asked | {"quantity": "projected_area_um2"}, printed=False)
    assert (found.kind, found.value) == ("projected", pytest.approx(16))


def periods(subject: str, values: dict[int, float]) -> list[Fact]:
    return [Fact(subject, "min_period_ns", x, "measured", n, **CELLS) for n, x in values.items()]


def test_a_system_has_the_longer_period_of_processor_and_accelerator():
    """The accelerator's periods are 16, 32, 64 and 128 times 1/16 ns; the processor takes 5 ns."""
    alone = periods("thing", {n: n / 16 for n in (16, 32, 64, 128)})
    whole = periods("axi_thing", {32: 5.0, 64: 5.5})
    targets = (64, 128, 256, 512)
    asked = [Projection(["thing"], {"min_period_ns": "cells"}, targets, {"axi_thing": "thing"})]
    found = {
        (x.quantity, x.nbits): x.value
        for x in project(asked, [*alone, *whole])
        if x.subject == "axi_thing"
    }
    # measured at 64 bits; the accelerator alone is measured at 128 bits
    assert found == {
        ("projected_min_period_ns", 128): 8,
        ("projected_min_period_factor", 128): 1,
        ("projected_min_period_ns", 256): pytest.approx(16),
        ("projected_min_period_factor", 256): pytest.approx(1),
        ("projected_min_period_ns", 512): pytest.approx(32),
        ("projected_min_period_factor", 512): pytest.approx(1),
    }
    slow = periods("axi_thing", {32: 20.0})
    limited = {x.nbits: x.value for x in project(asked, [*alone, *slow]) if "axi" in x.subject}
    assert [limited[n] for n in (64, 128)] == [1, 1]  # factors, which come last
    facts = Facts([*slow, *project(asked, [*alone, *slow])])
    at_128 = {"subject": "axi_thing", "nbits": 128, **CELLS}
    found = facts.find(at_128 | {"quantity": "projected_frequency_mhz"}, printed=False)
    assert (found.kind, found.value) == ("projected", 50)
    assert facts.find(at_128 | {"quantity": "frequency_mhz"}, printed=False) is None


def test_what_follows_from_a_projection_is_projected():
    about = {"operation": "decrypt", "kind": "modelled"}
    cycles = [Fact("thing", "cycles", 100, nbits=n, **about) for n in (16, 256)]
    facts = [*periods("thing", {n: n / 16 for n in (16, 32, 64)}), *cycles]
    asked = [Projection(["thing"], {"min_period_ns": "cells"}, (256,))]
    table = Facts([*facts, *project(asked, facts)])
    where = {"subject": "thing", "operation": "decrypt", **CELLS}
    wide = table.find({**where, "nbits": 256, "quantity": "projected_time_us"}, printed=False)
    assert (wide.kind, wide.value) == ("projected", pytest.approx(1.6))
    narrow = table.find({**where, "nbits": 16, "quantity": "frequency_mhz"}, printed=False)
    assert narrow.kind == "derived"
