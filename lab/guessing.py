"""Comparison of attacks with guesses: the exact probability of as many right guesses."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from scipy import stats

#: An attack is better than guessing if a guess has its success with at most this probability.
SIGNIFICANT = 1e-3


def chance_of(probabilities: Iterable[float], right: int) -> float:
    """Probability that at least ``right`` of independent guesses are right (binomial test)."""
    shares = np.ones(1)
    for p in probabilities:
        shares = np.convolve(shares, (1 - p, p))
    return float(min(1.0, shares[right:].sum()))


def sorted_guess(count: int) -> np.ndarray:
    """Distribution of right bits if two random clusters are named 0 and 1 in the better way."""
    shares = np.zeros(count + 1)
    for number, share in enumerate(stats.binom.pmf(np.arange(count + 1), count, 0.5)):
        shares[max(number, count - number)] += share
    return shares


def placed_guess(count: int, ones: int) -> np.ndarray:
    """Distribution of right bits if the guesser knows the number of ones, not their places."""
    shares = np.zeros(count + 1)
    for hits in range(max(0, 2 * ones - count), ones + 1):
        shares[count - 2 * (ones - hits)] += stats.hypergeom.pmf(hits, count, ones, ones)
    return shares


def chance_of_best(guesses: Iterable[np.ndarray], right: int, tries: int) -> float:
    """Probability of ``right`` right bits or more by the best of ``tries`` guesses an exponent."""
    # Guesses are taken as independent, which overrates guessing if they are alike.
    shares = np.ones(1)
    for one in guesses:
        below = np.concatenate(([0.0], np.cumsum(one))) ** tries
        shares = np.convolve(shares, np.diff(below))
    return float(min(1.0, shares[right:].sum()))
