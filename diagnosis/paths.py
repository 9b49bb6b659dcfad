"""What has been assigned at a statement of an update block, on the paths that lead there."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from rsaxcel.diagnosis.words import Node, Piece, Word


class Segment(NamedTuple):
    """Bits ``low`` to ``high - 1`` of a signal; ``whole``: assigned on every path."""

    low: int
    high: int
    piece: Piece
    whole: bool

    def cut(self, low: int, high: int) -> Segment:
        low, high = max(low, self.low), min(high, self.high)
        return Segment(low, high, self.piece.cut(low - self.low, high - self.low), self.whole)


class State:
    """What has been assigned before a statement; in a branch, ``before`` is the state before it."""

    def __init__(self, before: State | None, outside: Callable[[Any], Node]) -> None:
        self._before, self._outside = before, outside
        # A variable with bits of signals is like a signal: its name stands for the signal.
        self.segments: dict[Any, list[Segment]] = {}
        self.names: dict[str, Any] = {}

    def branch(self) -> State:
        return State(self, self._outside)

    def name(self, name: str) -> Any:
        """Return the value of a variable; ``KeyError`` if it has none."""
        if name in self.names or self._before is None:
            return self.names[name]
        return self._before.name(name)

    def read(self, signal: Any, low: int, high: int) -> Iterator[Segment]:
        """Yield the bits of a signal; those that are not assigned are those of its node."""
        segments = self.segments.get(signal, ())
        for at in range(_first(segments, low), len(segments)):
            segment = segments[at]
            if segment.low >= high:
                break
            if low < segment.low:
                yield from self._above(signal, low, segment.low)
                low = segment.low
            yield segment.cut(low, high)
            low = min(high, segment.high)
        if low < high:
            yield from self._above(signal, low, high)

    def _above(self, signal: Any, low: int, high: int) -> Iterator[Segment]:
        if self._before is not None:
            return self._before.read(signal, low, high)
        return iter([Segment(low, high, Piece(high - low, self._outside(signal), low, 1), False)])

    def write(self, signal: Any, low: int, word: Word, whole: bool) -> None:
        """Replace the bits of a signal from ``low`` upwards."""
        segments = self.segments.setdefault(signal, [])
        added, high = [], low
        for piece in word:
            added.append(Segment(high, high + piece.length, piece, whole))
            high += piece.length
        start = stop = _first(segments, low)
        while stop < len(segments) and segments[stop].low < high:
            stop += 1
        for old in segments[start:stop]:
            if old.low < low:
                added.insert(0, old.cut(old.low, low))
            if high < old.high:
                added.append(old.cut(high, old.high))
        segments[start:stop] = added


def _first(segments: Sequence[Segment], low: int) -> int:
    """Index of the first segment that ends above a bit."""
    at = bisect_right(segments, low, key=lambda segment: segment.low)
    return at - 1 if at and segments[at - 1].high > low else at


def word_of(segments: Iterable[Segment]) -> Word:
    """Return the bits of segments that follow each other."""
    return tuple(segment.piece for segment in segments)


def ranges(segments: Iterable[Segment]) -> Iterator[tuple[int, int]]:
    """Yield the bits that segments have, as ranges in which no segment begins or ends."""
    found = sorted((x.low, x.high) for x in segments)
    at = end = 0
    for low, high in pairwise(sorted({x for ends in found for x in ends})):
        while at < len(found) and found[at][0] <= low:
            end = max(end, found[at][1])
            at += 1
        if low < end:
            yield low, high
