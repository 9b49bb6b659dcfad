"""Whether an attack tells more than a guess: the exact probability of as many right guesses."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from scipy import stats

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


def chance_of_either(
    counts: Iterable[int], right: int, *, tries: int = 1, either: bool = True
) -> float:
    """Probability that guesses have ``right`` right bits in all, where the best try counts.

    Parameters
    ----------
    counts
        Number of bits of each exponent.
    right
        Number of right bits over all exponents.
    tries
        Number of guesses of an exponent, the best of which counts; they are taken as independent,
        which overrates guessing if they are alike.
    either
        Whether bits are only sorted into two groups, so that the better naming counts.
    """
    shares = np.ones(1)
    for count in counts:
        one = stats.binom.pmf(np.arange(count + 1), count, 0.5)
        better = np.zeros(count + 1)
        for number, share in enumerate(one):
            better[max(number, count - number) if either else number] += share
        below = np.concatenate(([0.0], np.cumsum(better))) ** tries
        shares = np.convolve(shares, np.diff(below))
    return float(min(1.0, shares[right:].sum()))
