"""Projections: powers of the width, with a factor for their error, separate from measurements."""

import pytest

from eval.facts.fact import Fact
from eval.facts.projection import Projection, project
from eval.facts.table import Facts

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
