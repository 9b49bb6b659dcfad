"""The model of the costs of measurements, fitted to measured jobs."""

import pytest

from rsaxcel.eval.facts.projection import power_law
from tools.costs import Size, Taken, fit


def test_a_power_law_is_found():
    points = [(x, 3.0 * x**1.5) for x in (8, 32, 100)]
    assert power_law(points) == pytest.approx((3.0, 1.5))


def test_of_one_width_figures_are_proportional():
    assert power_law([(8, 24.0), (8, 24.0)]) == pytest.approx((3.0, 1.0))


def test_cost_is_fitted_to_what_was_taken():
    taken = [Taken("ssmm", n, 80.0 * n, "synthesis", 5 + n / 10, 100 + n) for n in (8, 32, 128)]
    found = fit(taken, [Size("direct", n, 2.0 * n**2) for n in (8, 16)])
    assert found["cells"] == {"direct": (2.0, 2.0), "ssmm": (80.0, 1.0)}
    assert found["seconds"] == {"synthesis": (5.0, pytest.approx(1 / 800))}
    assert found["memory_mb"] == {"synthesis": (100.0, 1 / 80)}
