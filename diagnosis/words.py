"""Values in update blocks as words: for each bit, the bits on which it depends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from pymtl3.datatypes import is_bitstruct_class
from pymtl3.dsl import Signal

from rsaxcel.diagnosis.error import Place


class WordPiece(NamedTuple):
    """Consecutive bits of a word: bit j is bit ``at + step * j`` of a node."""

    length: int
    node: WordNode | None  #: node of the bits; None: constant bits
    at: int
    step: int  #: 1: bits in order; -1: in reverse order; 0: one bit, repeated

    def cut(self, low: int, high: int) -> WordPiece:
        return self._replace(length=high - low, at=self.at + self.step * low)


Word = tuple[WordPiece, ...]  #: A value: its pieces, the least significant first


class WordNode:
    """Bits of a signal, or of the result of an operation (``signal`` None).

    ``carry`` 1: each bit also depends on the bits below it, as in a sum; -1: on those above it.
    """

    def __init__(
        self, width: int, signal: Any = None, place: Place | None = None, carry: int = 0
    ) -> None:
        self.width, self.signal, self.place, self.carry = width, signal, place, carry
        self.parts: list[tuple[int, WordPiece]] = []

    def depend(self, word: Word, low: int = 0) -> None:
        """Let the bits from ``low`` upwards depend on those of a word, one on one."""
        for piece in word:
            if piece.node is not None and low < self.width:
                self.parts.append((low, piece.cut(0, min(piece.length, self.width - low))))
            low += piece.length

    def sources(self) -> set[WordNode]:
        return {piece.node for _, piece in self.parts if piece.node is not None}

    def before(self, bit: int) -> Iterator[tuple[WordNode, int]]:
        """Yield the bits on which a bit depends."""
        if self.carry and 0 <= bit - self.carry < self.width:
            yield self, bit - self.carry
        for low, piece in self._by_bit[bit]:
            if piece.node is not None:
                yield piece.node, piece.at + piece.step * (bit - low)

    @cached_property
    def _by_bit(self) -> list[list[tuple[int, WordPiece]]]:
        found: list[list[tuple[int, WordPiece]]] = [[] for _ in range(self.width)]
        for part in self.parts:
            for bit in range(part[0], part[0] + part[1].length):
                found[bit].append(part)
        return found


def length(word: Iterable[WordPiece]) -> int:
    return sum(piece.length for piece in word)


def constant(width: int) -> Word:
    """Return a word that depends on nothing."""
    return (WordPiece(width, None, 0, 1),) if width > 0 else ()


def cut(word: Word, low: int, high: int) -> Word:
    """Return bits ``low`` to ``high - 1`` of a word, as far as it has them."""
    found, at = [], 0
    for piece in word:
        first, last = max(low - at, 0), min(high - at, piece.length)
        if first < last:
            found.append(piece.cut(first, last))
        at += piece.length
    return tuple(found)


def fitted(word: Word, width: int) -> Word:
    """Return a word of ``width`` bits: cut off, or with zeros above."""
    return (*cut(word, 0, width), *constant(width - length(word)))


def masked(word: Word, mask: int) -> Word:
    """Return a word without the bits that are 0 in ``mask``."""
    found: list[WordPiece] = []
    at = 0
    for bit, run in groupby(f"{mask:b}".zfill(length(word))[::-1]):
        end = at + len(list(run))
        found += cut(word, at, end) if bit == "1" else constant(end - at)
        at = end
    return tuple(found)


def repeated(bit: Word, width: int) -> Word:
    """Return a word of ``width`` bits that all depend on one bit."""
    return tuple(piece._replace(length=width, step=0) for piece in bit) if width > 0 else ()


def joined(
    words: Iterable[Word], place: Place | None, width: int | None = None, carry: int = 0
) -> Word:
    """Return a word whose bits depend on the bits of several words at the same position."""
    words = list(words)
    width = max(map(length, words), default=0) if width is None else width
    node = WordNode(width, place=place, carry=carry)
    for word in words:
        node.depend(word)
    return (WordPiece(width, node, 0, 1),) if node.parts else constant(width)


def one_bit(words: Iterable[Word], place: Place | None) -> Word:
    """Return a bit that depends on all bits of several words."""
    whole = joined(words, place, carry=1)
    top = length(whole)
    return cut(whole, top - 1, top) or constant(1)


@dataclass(frozen=True)
class Ref:
    """A signal, or a field, an element or a slice of a signal."""

    signal: Any  #: the whole signal
    kind: Any  #: type; of an element of a bitstruct also a list of types; of a slice the width
    low: int = 0  #: lowest bit of the part in the whole signal

    @property
    def width(self) -> int:
        return _nbits(self.kind)

    @property
    def high(self) -> int:
        """Highest bit of the part in the whole signal, plus 1."""
        return self.low + self.width

    def parts(self) -> dict[str | int, Ref]:
        """Return fields by name, or elements by index, the least significant first."""
        kinds: Iterable[tuple[str | int, Any]] = ()
        if isinstance(self.kind, list):
            kinds = enumerate(self.kind)
        elif is_bitstruct_class(self.kind):
            kinds = reversed(self.kind.__bitstruct_fields__.items())
        found, low = {}, self.low
        for name, kind in kinds:
            found[name] = Ref(self.signal, kind, low)
            low += _nbits(kind)
        return found

    def cut(self, low: int, high: int) -> Ref:
        return Ref(self.signal, high - low, self.low + low)

    def __str__(self) -> str:
        """Return the hierarchical name of the smallest part of the signal that has all the bits."""
        name, whole, high = repr(self.signal), reference(self.signal), self.low + self.width
        while (self.low, high) != (whole.low, whole.low + whole.width):
            for key, part in whole.parts().items():
                if part.low <= self.low and high <= part.low + part.width:
                    name += f"[{key}]" if isinstance(key, int) else f".{key}"
                    whole = part
                    break
            else:
                low = self.low - whole.low
                return f"{name}[{low}]" if self.width == 1 else f"{name}[{low}:{high - whole.low}]"
        return name


def _nbits(kind: Any) -> int:
    if isinstance(kind, list):
        return sum(map(_nbits, kind))
    return kind if isinstance(kind, int) else kind.nbits


def reference(value: Any) -> Any:
    """Return a signal of PyMTL3, or its field or slice, as a reference; other objects as such."""
    if not isinstance(value, Signal):
        return value
    if value.is_top_level_signal():
        return Ref(value, value._dsl.Type)
    whole = reference(value.get_parent_object())
    if value.is_sliced_signal():
        return whole.cut(value._dsl.slice.start, value._dsl.slice.stop)
    found = whole.parts()[value._dsl._my_name]
    for index in value._dsl._my_indices or ():
        found = found.parts()[index]
    return found
