"""Simple and horizontal analysis: tells digits apart by the shape of their energy.

The attacker knows how many cycles a digit takes if it is 0 and if it is not, and looks for the cut
and the two shapes that explain a trace (or a mean) best: k-means with two clusters, where digits of
different lengths move all later ones (segmental k-means, by dynamic programming). Where squares and
products follow each other on one lane, this is simple analysis. Where all digits take the same
cycles, it is horizontal analysis: clusters have no names, and the attacker has to try both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_RESTARTS = 12
_ROUNDS = 30


@dataclass(frozen=True)
class Cut:
    """Where the digits of a trace are."""

    begin: int  # first cycle of the first unknown digit
    count: int  # of unknown digits
    lengths: tuple[int, int]  # cycles of a digit that is 0, and of another
    longer: int  # digits that are not 0, known from the duration; equal lengths: 0

    @property
    def named(self) -> bool:
        """Whether a digit's length tells which cluster is 0."""
        return self.lengths[0] != self.lengths[1]


def told_digits(trace: np.ndarray, cut: Cut, draw: np.random.Generator) -> np.ndarray:
    """Whether each digit, in scan order, is told not to be 0 (or 0, if clusters have no names)."""
    best, least = np.zeros(cut.count, int), np.inf
    fixed = _starts(trace, cut)
    for attempt in range(_RESTARTS):
        if attempt < len(fixed):
            told = fixed[attempt]
        elif cut.named:
            told = draw.permutation(np.arange(cut.count) < cut.longer).astype(int)
        else:
            told = draw.integers(0, 2, cut.count)
        cost = np.inf
        for _ in range(_ROUNDS):
            shapes = _shapes(trace, cut, told)
            again, cost = _assign(trace, cut, shapes)
            if (again == told).all():
                break
            told = again
        if cost < least:
            best, least = told, cost
    return best


def _starts(trace: np.ndarray, cut: Cut) -> list[np.ndarray]:
    """Where digits have one length: two groups by sign of the leading principal components."""
    if cut.named:
        return []
    windows = trace[cut.begin :][: cut.count * cut.lengths[0]].reshape(cut.count, -1)
    centred = windows - windows.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    return [(centred @ axis > 0).astype(int) for axis in axes[:4]]


def _shapes(trace: np.ndarray, cut: Cut, told: np.ndarray) -> list[np.ndarray]:
    """Mean energy by cycle of the digits of each kind; zeros where there are none."""
    begins = cut.begin + np.concatenate(([0], np.cumsum(np.take(cut.lengths, told))[:-1]))
    found = []
    for kind, length in enumerate(cut.lengths):
        own = [trace[x : x + length] for x in begins[told == kind]]
        found.append(np.mean(own, axis=0) if own else np.zeros(length))
    return found


def _assign(trace: np.ndarray, cut: Cut, shapes: Sequence[np.ndarray]) -> tuple[np.ndarray, float]:
    """Return the kinds of digits that explain a trace best by two shapes, and the squared error."""
    # The state of the dynamic program is the number of digits, and how many of them are not 0.
    if not cut.named:
        windows = trace[cut.begin :][: cut.count * cut.lengths[0]].reshape(cut.count, -1)
        errors = np.stack([np.square(windows - shape).sum(axis=1) for shape in shapes])
        return errors.argmin(axis=0), float(errors.min(axis=0).sum())
    short, long = cut.lengths
    views = [np.lib.stride_tricks.sliding_window_view(trace, x) for x in cut.lengths]
    by_kind = [np.square(v - shape).sum(axis=1) for v, shape in zip(views, shapes, strict=True)]
    counts = np.arange(cut.longer + 1)
    cost = np.where(counts == 0, 0.0, np.inf)
    choices = []
    for digit in range(cut.count):
        at = cut.begin + digit * short + counts * (long - short)
        zero = cost + _at(by_kind[0], at)
        other = np.concatenate(([np.inf], (cost + _at(by_kind[1], at))[:-1]))
        choices.append(other < zero)
        cost = np.minimum(zero, other)
    told, left = np.zeros(cut.count, int), cut.longer
    for digit in reversed(range(cut.count)):
        told[digit] = choices[digit][left]
        left -= told[digit]
    return told, float(cost[cut.longer])


def _at(errors: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Error of a digit that begins in the cycles ``at``; infinite behind the trace."""
    return np.where(at < len(errors), errors[np.minimum(at, len(errors) - 1)], np.inf)
