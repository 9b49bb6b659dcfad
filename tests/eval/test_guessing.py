"""Success of attacks beside guessing: exact probabilities against SciPy and by enumeration."""

from itertools import product

import pytest
from scipy.stats import binomtest

from eval.guessing import chance_of, chance_of_either


@pytest.mark.parametrize("right", [0, 3, 7, 10], ids=str)
def test_equal_guesses_are_the_binomial_test(right):
    wanted = binomtest(right, 10, 0.3, alternative="greater").pvalue
    assert chance_of([0.3] * 10, right) == pytest.approx(wanted)


def test_unequal_guesses_by_enumeration():
    probabilities = (0.5, 0.9, 0.25, 0.75)
    found = 0.0
    for row in product((0, 1), repeat=4):
        share = 1.0
        for hit, p in zip(row, probabilities, strict=True):
            share *= p if hit else 1 - p
        found += share * (sum(row) >= 3)
    assert chance_of(probabilities, 3) == pytest.approx(found)


def test_the_better_naming_of_two_groups_by_enumeration():
    """Two exponents, of 3 and 4 bits: of each, the naming with more right bits counts."""
    hits = 0
    for row in product((0, 1), repeat=7):
        first, second = sum(row[:3]), sum(row[3:])
        hits += max(first, 3 - first) + max(second, 4 - second) >= 6
    assert chance_of_either([3, 4], 6) == pytest.approx(hits / 2**7)
    assert chance_of_either([3, 4], 5) > 0.5  # half of the bits would be a poor measure


def test_the_best_of_several_tries_by_enumeration():
    """Two guesses of three bits: the better one counts."""
    hits = sum(max(sum(row[:3]), sum(row[3:])) >= 2 for row in product((0, 1), repeat=6))
    assert chance_of_either([3], 2, tries=2, either=False) == pytest.approx(hits / 2**6)
