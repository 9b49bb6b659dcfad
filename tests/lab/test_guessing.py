"""Success of attacks beside guessing: exact probabilities against SciPy and by enumeration."""

from itertools import permutations, product

import pytest
from scipy.stats import binomtest

from rsaxcel.lab.guessing import chance_of, chance_of_best, placed_guess, sorted_guess


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
    guesses = [sorted_guess(3), sorted_guess(4)]
    assert chance_of_best(guesses, 6, tries=1) == pytest.approx(hits / 2**7)
    assert chance_of_best(guesses, 5, tries=1) > 0.5  # half of the bits would be a poor measure


def test_ones_at_unknown_places_by_enumeration():
    """Three ones of five bits are known to be there: which guesses have three right bits?"""
    truth = (1, 1, 1, 0, 0)
    rows = set(permutations(truth))
    for right in range(6):
        hits = sum(sum(x == y for x, y in zip(row, truth, strict=True)) == right for row in rows)
        assert placed_guess(5, 3)[right] == pytest.approx(hits / len(rows))


def test_the_best_of_several_tries_by_enumeration():
    """Two guesses of three bits, one of them 1: the better guess counts."""
    rows = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    right = [sum(x == y for x, y in zip(row, rows[0], strict=True)) for row in rows]
    hits = sum(max(a, b) == 3 for a in right for b in right)
    assert chance_of_best([placed_guess(3, 1)], 3, tries=2) == pytest.approx(hits / 9)
