"""Whether an attack tells more than a guess: the exact probability of as many right guesses."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

SIGNIFICANT = 1e-3
"""An attack is better than guessing if a guess has its success with at most this probability."""


def chance_of(probabilities: Iterable[float], right: int) -> float:
    """Probability that at least ``right`` of independent guesses are right.

    ``probabilities`` has the probability of each guess to be right. If all of them are equal, this
    is the one-sided binomial test.
    """
    shares = np.ones(1)
    for p in probabilities:
        shares = np.convolve(shares, (1 - p, p))
    return float(min(1.0, shares[right:].sum()))


def chance_of_either(counts: Iterable[int], right: int) -> float:
    """Probability that groups of guesses have ``right`` right ones in all, by the better naming.

    An attack that only sorts bits into two groups does not say which group is 1: of each exponent,
    the naming with more right bits counts. ``counts`` has the number of bits of each exponent.
    """
    shares = np.ones(1)
    for count in counts:
        one = np.ones(1)
        for _ in range(count):
            one = np.convolve(one, (0.5, 0.5))
        better = np.zeros_like(one)
        for number, share in enumerate(one):
            better[max(number, count - number)] += share
        shares = np.convolve(shares, better)
    return float(min(1.0, shares[right:].sum()))
