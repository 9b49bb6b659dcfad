"""Refuses latches and loops within an update block: executes it with unknown signals."""

from __future__ import annotations

import ast
import builtins
import operator
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any, NamedTuple

from pymtl3 import Bits, concat, sext, trunc, zext
from pymtl3.datatypes import is_bitstruct_class

from rsaxcel.diagnosis.constructs import (
    IN_BLOCKS,
    SAME_WIDTH,
    UpdateBlock,
    circuit_name,
    signal_name,
)
from rsaxcel.diagnosis.error import DesignError, Place
from rsaxcel.diagnosis.words import (
    Ref,
    Word,
    WordNode,
    WordPiece,
    constant,
    cut,
    fitted,
    joined,
    length,
    masked,
    one_bit,
    reference,
    repeated,
)


class BitRange(NamedTuple):
    """Bits ``low`` to ``high - 1`` of a signal; ``whole``: assigned on every path."""

    low: int
    high: int
    piece: WordPiece
    whole: bool

    def cut(self, low: int, high: int) -> BitRange:
        low, high = max(low, self.low), min(high, self.high)
        return BitRange(low, high, self.piece.cut(low - self.low, high - self.low), self.whole)


class AssignedState:
    """Assigned bits before a statement; in a branch, ``before`` is the state before the branch."""

    def __init__(self, before: AssignedState | None, outside: Callable[[Any], WordNode]) -> None:
        self._before, self._outside = before, outside
        #: A variable with bits of signals is like a signal: its name stands for the signal.
        self.segments: dict[Any, list[BitRange]] = {}
        self.names: dict[str, Any] = {}

    def branch(self) -> AssignedState:
        return AssignedState(self, self._outside)

    def name(self, name: str) -> Any:
        """Return the value of a variable; ``KeyError`` if it has none."""
        if name in self.names or self._before is None:
            return self.names[name]
        return self._before.name(name)

    def read(self, signal: Any, low: int, high: int) -> Iterator[BitRange]:
        """Yield the bits of a signal; unassigned bits are the bits of the signal's node."""
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

    def _above(self, signal: Any, low: int, high: int) -> Iterator[BitRange]:
        if self._before is not None:
            return self._before.read(signal, low, high)
        return iter(
            [BitRange(low, high, WordPiece(high - low, self._outside(signal), low, 1), False)]
        )

    def write(self, signal: Any, low: int, word: Word, whole: bool) -> None:
        """Replace the bits of a signal from ``low`` upwards."""
        segments = self.segments.setdefault(signal, [])
        added, high = [], low
        for piece in word:
            added.append(BitRange(high, high + piece.length, piece, whole))
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


def _first(segments: Sequence[BitRange], low: int) -> int:
    """Index of the first segment that ends above a bit."""
    at = bisect_right(segments, low, key=lambda segment: segment.low)
    return at - 1 if at and segments[at - 1].high > low else at


def word_of(segments: Iterable[BitRange]) -> Word:
    """Return the bits of segments that follow each other."""
    return tuple(segment.piece for segment in segments)


def ranges(segments: Iterable[BitRange]) -> Iterator[tuple[int, int]]:
    """Yield the bits that segments have, as ranges in which no segment begins or ends."""
    found = sorted((x.low, x.high) for x in segments)
    at = end = 0
    for low, high in pairwise(sorted({x for ends in found for x in ends})):
        while at < len(found) and found[at][0] <= low:
            end = max(end, found[at][1])
            at += 1
        if low < end:
            yield low, high


_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.Invert: operator.invert,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_CARRY: dict[type[ast.AST], int] = {
    ast.BitAnd: 0,
    ast.BitOr: 0,
    ast.BitXor: 0,
    ast.Add: 1,
    ast.Sub: 1,
    ast.Mult: 1,
    ast.LShift: 1,
    ast.RShift: -1,
}
"""Bits of the operands on which a bit of the result depends; see ``diagnosis.words.WordNode``."""

_SHOWN_NBITS = 64
_MOST_STEPS = 100_000
_SIGNALS = "a signal, such as a port of a part or a field of a message, or a number"
_Range = tuple[int, int, ast.expr]


@dataclass(frozen=True)
class _Chosen:
    """One of several values, or ``width`` consecutive bits of one of them, by a one-bit word."""

    values: Sequence[Any]
    by: Word
    width: int | None = None


class Execution:
    """Execution of an update block, which refuses missing bits and widths that differ.

    ``outside`` returns the node of a whole signal, for bits that the block has not assigned.
    ``assigned`` and ``read`` (before it is assigned) have ranges of bits, each with its expression.
    """

    def __init__(
        self, block: UpdateBlock, outside: Callable[[Any], WordNode] | None = None
    ) -> None:
        self._block = block
        self.assigned: dict[Any, list[_Range]] = defaultdict(list)
        self.read: dict[Any, list[_Range]] = defaultdict(list)
        self._at: ast.AST = block.tree
        self._steps = 0

        def node_of(signal: Any) -> WordNode:
            # an unknown variable has no value outside
            if outside is None or isinstance(signal, str):
                return WordNode(0, signal)
            return outside(signal)

        self._state = AssignedState(None, node_of)
        try:
            self._run(block.tree.body)
        except DesignError:
            raise
        except Exception as error:  # Python's error in an expression of the block
            raise self._wrong(f"{type(error).__name__}: {error}", IN_BLOCKS) from error

    def segments(self) -> Iterator[tuple[Any, BitRange]]:
        """Yield each signal that a combinational block assigns, with the bits at its end."""
        for signal, segments in self._state.segments.items():
            if not isinstance(signal, str):
                yield from ((signal, segment) for segment in segments)

    def check(self) -> None:
        """Refuse a latch, and a signal that a combinational block reads before it assigns it."""
        kind, name = self._block.component, self._block.name
        for signal, segment in self.segments():
            if not segment.whole and (node := self._assignment(signal, *segment[:2])):
                told = signal_name(node)
                raise DesignError(
                    f"{told} of {kind} is not assigned on every path of {name}: a latch",
                    f"an assignment to {told} before the if, or in an else",
                    self._block.place(node),
                )
        if self._block.sequential:
            return
        for signal, low, high, node in ((x, *y) for x, ys in self.read.items() for y in ys):
            if self._assignment(signal, low, high):
                told = signal_name(node) or ast.unparse(node)
                raise DesignError(
                    f"{told} of {kind} is read before {name} assigns it: a combinational loop",
                    "an assignment first, or a register (update_ff, <<=)",
                    self._block.place(node),
                )

    def _assignment(self, signal: Any, low: int, high: int) -> ast.expr | None:
        """First assignment to bits of a range."""
        found = (x for x in self.assigned.get(signal, ()) if x[0] < high and low < x[1])
        return next((node for *_, node in found), None)

    @property
    def _place(self) -> Place:
        return self._block.place(self._at)

    def _wrong(self, what: str, allowed: str) -> DesignError:
        where = f"{circuit_name(self._block.host)}, {self._block.name}"
        return DesignError(f"{what} ({where})", allowed, self._place)

    def _run(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            self._at = statement
            match statement:
                case ast.If():
                    self._branch(statement)
                case ast.For(target=ast.Name(id=name)):
                    steps = self._value(statement.iter)
                    if isinstance(steps, range) and min(steps.start, steps.stop) < 0:
                        told = f"{ast.unparse(statement.iter)} goes below 0"
                        raise self._wrong(told, "bounds of 0 or more, and [n - 1 - i], for example")
                    for step in steps:
                        self._steps += 1
                        if self._steps > _MOST_STEPS:
                            self._at = statement
                            told = f"{ast.unparse(statement.iter)}: more than {_MOST_STEPS:,} steps"
                            raise self._wrong(told, "loops that a circuit has room for")
                        self._state.names[name] = step
                        self._run(statement.body)
                case ast.AugAssign(target=assigned):
                    self._assign(assigned, statement.value)
                case ast.Assign(targets=targets):
                    for target in targets:
                        self._assign(target, statement.value)

    def _branch(self, statement: ast.If) -> None:
        test = self._value(statement.test)
        if not _has_bits(test):
            self._run(statement.body if test else statement.orelse)
            return
        condition = one_bit([self._word(test, statement.test)], self._place)
        before, ways = self._state, []
        for statements in (statement.body, statement.orelse):
            self._state = before.branch()
            self._run(statements)
            ways.append(self._state)
        self._at = statement.test
        for signal in dict.fromkeys(x for way in ways for x in way.segments):
            for low, high in ranges(x for way in ways for x in way.segments.get(signal, ())):
                found = [list(way.read(signal, low, high)) for way in ways]
                word = self._either([word_of(way) for way in found], condition)
                before.write(signal, low, word, all(x.whole for way in found for x in way))
        for name in dict.fromkeys(x for way in ways for x in way.names):
            values = []
            for self._state in ways:
                try:
                    values.append(self._state.name(name))
                except KeyError:  # a variable that only the other branch assigns
                    continue
            if any(x != values[0] for x in values) and all(map(_is_number, values)):
                by = one_bit([condition, *map(self._word, values)], self._place)
                values = [_Chosen([x for value in values for x in _numbers(value)], by)]
            elif any(x != values[0] for x in values):
                word = self._either([self._word(x) for x in values], condition)
                before.write(name, 0, word, True)
                values = [Ref(name, length(word))]
            before.names[name] = values[0]
        self._state = before

    def _either(self, words: Sequence[Word], condition: Word) -> Word:
        """One of several words, by a condition."""
        chosen = repeated(condition, max(map(length, words)))
        return joined([*words, chosen], self._place)

    def _assign(self, target: ast.expr, node: ast.expr) -> None:
        value = self._value(node)
        if isinstance(target, ast.Name):
            self._name(target, value, node)
            return
        word = self._word(value, node)
        assigned = self._value(target)
        width = _width(assigned)
        if is_bitstruct_class(getattr(assigned, "kind", None)) and isinstance(value, int):
            message = f"{assigned.kind.__name__}({', '.join(assigned.kind.__bitstruct_fields__)})"
            raise self._wrong(f"{ast.unparse(target)} is a message, {value} a number", message)
        word = self._sized(target, width, node, value, word)
        if isinstance(assigned, Ref):
            self._write(assigned, joined([word], self._place, width), True, target)
            return
        moves = assigned.width is not None
        by = one_bit([assigned.by, word], self._place) if moves else assigned.by
        for ref in assigned.values:
            old = list(self._state.read(ref.signal, ref.low, ref.low + ref.width))
            words = [word_of(old), repeated(by, ref.width), () if moves else word]
            whole = all(x.whole for x in old)
            self._write(ref, joined(words, self._place, ref.width), whole, target)

    def _name(self, target: ast.Name, value: Any, node: ast.expr) -> None:
        if _has_bits(value) and not _is_number(value):
            word = self._word(value, node)
            value = Ref(target.id, value.kind if isinstance(value, Ref) else length(word))
            self._state.write(target.id, 0, word, True)
            self.assigned[target.id].append((0, value.width, target))
        self._state.names[target.id] = value

    def _write(self, ref: Ref, word: Word, whole: bool, node: ast.expr) -> None:
        self.assigned[ref.signal].append((ref.low, ref.low + ref.width, node))
        if not self._block.sequential:
            self._state.write(ref.signal, ref.low, word, whole)

    def _word(self, value: Any, node: ast.expr | None = None) -> Word:
        """Bits of a value; ``node`` is the expression that reads them, if it is one."""
        match value:
            case tuple():
                return value
            case Ref(signal=signal, low=low):
                found = list(self._state.read(signal, low, low + value.width))
                if node is not None:
                    self.read[signal] += [(x.low, x.high, node) for x in found if not x.whole]
                return word_of(found)
            case _Chosen(by=by) if _is_number(value):
                return by
            case _Chosen(values=values, by=by, width=width):
                words = [self._word(x, node) for x in values]
                if width is not None:
                    return repeated(one_bit([*words, by], self._place), width)
                return self._either(words, by)
        return constant(getattr(value, "nbits", 0))

    def _words(self, nodes: Iterable[ast.expr]) -> list[Word]:
        return [self._word(self._value(x), x) for x in nodes]

    def _one_bit(self, nodes: Iterable[ast.expr]) -> Word:
        return one_bit(self._words(nodes), self._place)

    def _value(self, node: ast.expr) -> Any:
        """Value of an expression: a word, a reference to signals, or an object of Python."""
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return self._named(name)
            case ast.Attribute(value=owner, attr=name):
                return _of_each(self._value(owner), lambda x: _attribute(x, name))
            case ast.Subscript(value=whole, slice=ast.Slice() as bounds):
                return self._slice(node, self._value(whole), bounds)
            case ast.Subscript(value=whole, slice=index):
                return self._item(node, self._value(whole), index)
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(left, op, right)
            case ast.UnaryOp(op=op, operand=operand):
                value = self._value(operand)
                return self._word(value, operand) if _has_bits(value) else _apply(op, value)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                values = self._value(left), self._value(right)
                if not any(map(_has_bits, values)):
                    return _apply(op, *values)
                return one_bit(self._same_width((left, right), values), self._place)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                value = self._value(test)
                if not _has_bits(value):
                    return self._value(body if value else orelse)
                values = self._value(body), self._value(orelse)
                if all(map(_is_number, values)):
                    numbers = [x for value in values for x in _numbers(value)]
                    return _Chosen(numbers, self._one_bit([test, body, orelse]))
                words = self._same_width((body, orelse), values)
                return self._either(words, self._one_bit([test]))
            case ast.Call():
                return self._call(node)
        return self._one_bit(x for x in ast.iter_child_nodes(node) if isinstance(x, ast.expr))

    def _named(self, name: str) -> Any:
        try:
            return self._state.name(name)
        except KeyError:
            known = self._block.values
            return _known(known[name] if name in known else getattr(builtins, name))

    def _slice(self, node: ast.Subscript, whole: Any, bounds: ast.Slice) -> Any:
        values = [None if x is None else self._value(x) for x in (bounds.lower, bounds.upper)]
        if any(map(_has_bits, values)):
            # x[i:i + n] has n bits; check_constructs refuses other slices that move.
            size = bounds.upper.right if isinstance(bounds.upper, ast.BinOp) else None
            chosen = whole.values if isinstance(whole, _Chosen) else [whole]
            by = self._one_bit([x for x in (bounds.lower, bounds.upper) if x])
            return _Chosen(chosen, by, self._value(size) if size else 1)
        if not _has_bits(whole):
            return whole[slice(*values)]
        low, high = int(values[0] or 0), int(_width(whole) if values[1] is None else values[1])
        self._check_bits(node, f"{low}:{high}", _width(whole), low, high)
        return _of_each(whole, lambda x: _bits(x, low, high))

    def _item(self, node: ast.Subscript, whole: Any, index: ast.expr) -> Any:
        at = self._value(index)
        kind = whole.values[0] if isinstance(whole, _Chosen) else whole
        elements = kind if isinstance(kind, list) else getattr(kind, "kind", None)
        if not _has_bits(at):
            if isinstance(elements, list):
                self._check_bits(node, str(at), len(elements), at, at + 1, "element")
                return _of_each(whole, lambda x: _element(x, at))
            if not _has_bits(whole):
                return _known(whole[at])
            self._check_bits(node, str(at), _width(whole), int(at), int(at) + 1)
            return _of_each(whole, lambda x: _bits(x, int(at), int(at) + 1))
        chosen, by = [whole], self._one_bit([index])
        if isinstance(whole, _Chosen):
            chosen, by = [*whole.values], one_bit([by, whole.by], self._place)
        if isinstance(elements, list):
            if isinstance(elements[0], int | Bits):
                told = f"{ast.unparse(node.value)} has numbers, and a signal as index"
                raise self._wrong(told, "a list of signals; if, elif and else for numbers")
            return _Chosen([_element(x, n) for x in chosen for n in range(len(elements))], by)
        return _Chosen(chosen, by, 1)

    def _check_bits(
        self, node: ast.Subscript, shown: str, width: int, low: int, high: int, what: str = "bit"
    ) -> None:
        """Refuse bits, or elements, that a signal does not have."""
        if not 0 <= low < high <= width:
            whole = ast.unparse(node.value)
            raise self._wrong(f"{whole} has no {what} [{shown}]", f"{what}s 0 to {width - 1}")

    def _same_width(self, nodes: Sequence[ast.expr], values: Sequence[Any]) -> list[Word]:
        """Words of two operands; refuse operands of different widths."""
        words = [self._word(x, node) for x, node in zip(values, nodes, strict=True)]
        for one, other in ((0, 1), (1, 0)):
            if not _is_number(values[one]):
                others = nodes[other], values[other], words[other]
                words[other] = self._sized(nodes[one], length(words[one]), *others)
        return words

    def _sized(self, node: ast.expr, width: int, other: ast.expr, value: Any, word: Word) -> Word:
        """Word of the operand ``other``, as wide as ``node``; refuse what does not fit."""
        what, told = ast.unparse(node), ast.unparse(other)
        if isinstance(value, int):
            if not 0 <= value < 1 << width:
                shown = told if told == str(value) else f"{told}, {value},"
                raise self._wrong(
                    f"{shown} does not fit into {what}, which is Bits{width}",
                    f"0 to {(1 << width) - 1 if width <= _SHOWN_NBITS else f'2**{width} - 1'}",
                )
            return constant(width)
        if isinstance(value, list):
            raise self._wrong(f"{told} is a list", "one element of it, such as s.x[0]")
        if not _has_bits(value) and not isinstance(value, Bits):
            raise self._wrong(f"{told} is no signal, but {type(value).__name__}", _SIGNALS)
        if isinstance(value, _Chosen) and _is_number(value):
            for number in value.values:
                self._sized(node, width, other, number, ())
            return repeated(value.by, width)
        if length(word) != width:
            raise self._wrong(f"{what} is Bits{width}, {told} is Bits{length(word)}", SAME_WIDTH)
        return word

    def _binary(self, left: ast.expr, op: ast.operator, right: ast.expr) -> Any:
        values = self._value(left), self._value(right)
        if not any(map(_has_bits, values)):
            return _apply(op, *values)
        if all(map(_is_number, values)):
            pairs = product(*map(_numbers, values))
            return _Chosen([_apply(op, *x) for x in pairs], self._one_bit([left, right]))
        if isinstance(op, ast.Mod) and values[1] == 0:
            raise self._wrong("% by 0", "a number above 0")
        words = self._same_width((left, right), values)
        width = max(map(length, words))
        if isinstance(op, ast.LShift | ast.RShift) and not _has_bits(values[1]):
            if isinstance(op, ast.LShift):
                return fitted((*constant(int(values[1])), *words[0]), width)
            return fitted(cut(words[0], int(values[1]), width), width)
        if isinstance(op, ast.LShift | ast.RShift):
            moved = joined(words[:1], self._place, carry=_CARRY[type(op)])
            return self._either([moved], one_bit(words[1:], self._place))
        if isinstance(op, ast.BitAnd | ast.BitOr):
            for value, other in zip(values, (1, 0), strict=True):
                if not _has_bits(value):
                    ones = int(value) if isinstance(op, ast.BitAnd) else ~int(value)
                    words[other] = masked(words[other], ones % (1 << width))
        if type(op) in _CARRY:
            return joined(words, self._place, carry=_CARRY[type(op)])
        return repeated(one_bit(words, self._place), width)

    def _call(self, node: ast.Call) -> Any:
        function = self._value(node.func)
        if function in (zext, sext, trunc) and len(node.args) != 2:
            told = f"{ast.unparse(node)} has no width"
            raise self._wrong(told, "a signal and a width, such as zext(s.x, 9)")
        values = [self._value(x) for x in node.args]
        named = {x.arg: self._value(x.value) for x in node.keywords if x.arg}
        if not any(map(_has_bits, [*values, *named.values()])):
            return function(*values, **named)
        words = self._words(node.args)
        if function in (zext, sext, trunc) or _is_bits(function):
            size = function if _is_bits(function) else values[1]
            width, known = (size if isinstance(size, int) else size.nbits), length(words[0])
            if _is_bits(function):
                return self._sized(node.func, width, node.args[0], values[0], words[0])
            if known < width if function is trunc else known > width:
                told = f"{function.__name__} of Bits{known} to Bits{width}"
                raise self._wrong(told, "zext and sext to more bits, trunc to fewer bits")
            if function is sext:
                return (*words[0], *repeated(cut(words[0], known - 1, known), width - known))
            return fitted(words[0], width)
        if is_bitstruct_class(function):
            words += self._words(x.value for x in node.keywords)
            names = [*list(function.__bitstruct_fields__)[: len(node.args)], *named]
            given = dict(zip(names, words, strict=True))
            parts = Ref(None, function).parts().items()
            return tuple(x for name, y in parts for x in fitted(given.get(name, ()), y.width))
        if function is concat:
            for value, argument in zip(values, node.args, strict=True):
                if _is_number(value):
                    told = f"{ast.unparse(argument)} in concat has no width"
                    raise self._wrong(told, "a number of a type, such as Bits1(0)")
            return tuple(piece for word in reversed(words) for piece in word)
        return one_bit(words, self._place)


def _known(value: Any) -> Any:
    """Value of an object of Python: a signal as a reference, a tuple (no word) as a list."""
    return list(value) if isinstance(value, tuple) else reference(value)


def _has_bits(value: Any) -> bool:
    """Whether a value is a word or a reference, not an object of Python."""
    return isinstance(value, Ref | _Chosen | tuple)


def _is_number(value: Any) -> bool:
    """Whether a value is a number without a width, or one of several."""
    chosen = isinstance(value, _Chosen) and isinstance(value.values[0], int)
    return chosen or isinstance(value, int)


def _numbers(value: Any) -> Sequence[int]:
    return value.values if isinstance(value, _Chosen) else [value]


def _is_bits(function: Any) -> bool:
    return isinstance(function, type) and issubclass(function, Bits)


def _apply(op: ast.AST, *values: Any) -> Any:
    return _OPERATORS[type(op)](*values)


def _of_each(whole: Any, part: Callable[[Any], Any]) -> Any:
    """Part of a value, or of each of several values."""
    if isinstance(whole, _Chosen):
        return _Chosen([_of_each(x, part) for x in whole.values], whole.by)
    return part(whole)


def _attribute(owner: Any, name: str) -> Any:
    if isinstance(owner, tuple):
        return owner
    return owner.parts()[name] if isinstance(owner, Ref) else _known(getattr(owner, name))


def _element(whole: Any, at: int) -> Any:
    """Element of a list, or of a bitstruct's field that is a list."""
    return whole.parts()[at] if isinstance(whole, Ref) else _known(whole[at])


def _bits(whole: Any, low: int, high: int) -> Any:
    return whole.cut(low, high) if isinstance(whole, Ref) else cut(whole, low, high)


def _width(whole: Any) -> int:
    match whole:
        case _Chosen(values=values, width=width):
            return _width(values[0]) if width is None else width
        case Ref():
            return whole.width
    return length(whole)
