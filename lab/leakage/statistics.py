"""Welch's t-test over the cycles of traces, from sums, and its threshold for many points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count, takewhile

import numpy as np
from scipy import stats

ONE_POINT = 4.5  # customary threshold of |t| for a single point

FALSE_ALARM = 2 * float(stats.norm.sf(ONE_POINT))
"""Probability that |t| of one point is above ``ONE_POINT`` although nothing leaks: 6.8e-6."""

LEAST = 16  # traces that each class needs at a point

FIRST_LOOK = 64  # number of traces at which |t| is looked at first


def looks(traces: int) -> list[int]:
    """Numbers of traces at which a test looks at |t|: 64, 128, 256 and so on, and all traces."""
    doubled = (FIRST_LOOK << n for n in count())
    return [*takewhile(lambda n: n < traces, doubled), traces]


def threshold(points: int, freedom: float, looks: int = 1) -> float:
    """Threshold of |t| for many points and several looks."""
    # If nothing leaks, a value is above the threshold with a probability of at most FALSE_ALARM, as
    # for one point and 4.5. Sidak: each of N (points times looks) independent values gets 1 - (1 -
    # p)^(1/N). Looks are not independent: the true probability is smaller. The quantile is of
    # Student's t.
    each = -np.expm1(np.log1p(-FALSE_ALARM) / max(points * looks, 1))
    return float(stats.t.isf(each / 2, freedom))


@dataclass
class Moments:
    """Sums over the traces of two classes, at each point."""

    # numbers of values, by class, point and column
    counts: np.ndarray = field(default_factory=lambda: np.zeros((2, 0)))  # sums of squares
    sums: np.ndarray = field(default_factory=lambda: np.zeros((2, 0, 1)))
    squares: np.ndarray = field(default_factory=lambda: np.zeros((2, 0, 1)))

    @classmethod
    def of(cls, traces: np.ndarray, lengths: np.ndarray, fixed: np.ndarray) -> Moments:
        """Sum traces: values by trace, point and column, 0 behind the end of a trace."""
        points = traces.shape[1]
        there = np.arange(points) < lengths[:, None]
        chosen = np.stack([~fixed, fixed]).astype(traces.dtype)
        shape = 2, points, traces.shape[2]
        flat = traces.reshape(len(traces), -1)
        # No matrix product by ``@``: on a busy machine, the threads of its library wait for each
        # other.
        return cls(
            np.einsum("ct,tn->cn", chosen, there.astype(float)),
            np.einsum("ct,tn->cn", chosen, flat).reshape(shape).astype(float),
            np.einsum("ct,tn->cn", chosen, np.square(flat)).reshape(shape).astype(float),
        )

    def __add__(self, other: Moments) -> Moments:
        """Add the sums of further traces, which may be longer."""
        if not self.counts.shape[1]:
            return other
        points = max(self.counts.shape[1], other.counts.shape[1])
        return Moments(
            _padded(self.counts, points) + _padded(other.counts, points),
            _padded(self.sums, points) + _padded(other.sums, points),
            _padded(self.squares, points) + _padded(other.squares, points),
        )

    @property
    def traces(self) -> int:
        """Number of traces of both classes."""
        return int(self.counts[:, :1].sum())

    def t(self) -> np.ndarray:
        """Welch's t by point and column, 0 where a class has too few traces or nothing varies."""
        count = self.counts[:, :, None]
        enough = count >= LEAST
        safe = np.where(enough, count, LEAST)
        means = self.sums / safe
        variances = (self.squares / safe - means**2) * safe / (safe - 1)
        error = np.sqrt(np.maximum(variances / safe, 0).sum(axis=0))
        distance = means[1] - means[0]
        known = enough.all(axis=0) & (error > 0)
        return np.divide(distance, error, out=np.zeros_like(distance), where=known)

    def tested(self) -> np.ndarray:
        """Whether each point has enough traces of both classes."""
        return np.all(self.counts >= LEAST, axis=0)

    def threshold(self, looks: int) -> float:
        """Threshold for these traces: degrees of freedom of the smaller class."""
        enough = self.tested()
        if not enough.any():
            return float("inf")
        return threshold(int(enough.sum()), self.counts[:, enough].min() - 1, looks)

    def arrays(self) -> dict[str, np.ndarray]:
        """Arrays by name, to be stored."""
        return {name: getattr(self, name) for name in ("counts", "sums", "squares")}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Moments:
        """Make the sums from ``arrays``."""
        return cls(**{name: arrays[name] for name in ("counts", "sums", "squares")})


def _padded(array: np.ndarray, points: int) -> np.ndarray:
    width = [(0, points - n if axis == 1 else 0) for axis, n in enumerate(array.shape)]
    return np.pad(array, width)
