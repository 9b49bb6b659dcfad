"""Search for the combinational loop of a circuit, after a tool has reported a loop."""

import ast
import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from pymtl3 import Component
from pymtl3.dsl import Const

from diagnosis.blocks import Block, block_of, signal_name
from diagnosis.error import DesignError, Place

_REPORTS = ("DIDNOTCONVERGE", "found logic loop")
"""Texts in the reports of a loop: of a model that Verilator compiled, and of Yosys."""

_Name = tuple[tuple[str, str], ...]
"""Hierarchical name of a signal in parts, each with its index; an empty index stands for any."""


_Sources = dict[_Name, Place | None]
"""Signals on which a value depends, each with the statement that reads the signal."""


@dataclass(frozen=True)
class _Assignment:
    """An assigned signal, and the signals (sources) on which its value depends.

    Each source has the place of the statement that reads it; None for a connection.
    """

    target: _Name
    sources: tuple[tuple[_Name, Place | None], ...]

    def place(self, source: "_Assignment") -> Place | None:
        """Place where this assignment reads the target of the assignment ``source``."""
        places = (place for name, place in self.sources if _meet(name, source.target))
        return next((x for x in places if x), None)

    def __str__(self) -> str:
        """Give the signal's name."""
        return ".".join(name + index for name, index in self.target)


def tells_loop(error: Exception) -> bool:
    """Whether a tool's error message reports a combinational loop."""
    return any(report in str(error) for report in _REPORTS)


def combinational_loop(
    top: Component, of_loop: Callable[[Component, str], bool] = lambda *_: True
) -> DesignError:
    """Return the error for the shortest combinational loop found in an elaborated circuit.

    The search compares names of signals, not their bits. So it can find a loop of names where no
    bit depends on itself.

    Parameters
    ----------
    top : Component
        A circuit that has a loop.
    of_loop : callable
        Takes a component and the name of one of its update blocks; returns whether the loop may
        pass through the block.
    """
    loop = _shortest(sorted(_assignments(top, of_loop), key=str))
    places = [x.place(loop[n - 1]) for n, x in enumerate(loop)]
    first = min(range(len(loop)), key=lambda n: str(places[n] or "~"), default=0)
    loop = [*loop[first:], *loop[:first]]
    names = " -> ".join(map(str, (*loop, *loop[:1])))
    told = f"combinational loop in {type(top).__name__}" + (f": {names}" if loop else "")
    place = places[first] if places else None
    return DesignError(told, "loops through a register (update_ff, <<=) only", place)


def _assignments(
    top: Component, of_loop: Callable[[Component, str], bool]
) -> Iterator[_Assignment]:
    for component in top.get_all_components():
        for function in component.get_update_blocks() - component.get_update_ff():
            if not of_loop(component, function.__name__):
                continue
            if block := block_of(function, component):
                yield from _of_block(block, _parts(repr(component)))
    for writer, signals in top.get_all_value_nets():
        if not isinstance(writer, Const):
            source = ((_parts(repr(writer)), None),)
            for signal in signals - {writer}:
                yield _Assignment(_parts(repr(signal)), source)


def _parts(name: str) -> _Name:
    """Split the hierarchical name of a signal into parts; slices of bits are dropped."""
    parts = (re.fullmatch(r"(\w+)(\[\d+\])?.*", part) for part in name.split("."))
    return tuple((part[1], part[2] or "") for part in parts if part)


def _of_block(block: Block, host: _Name) -> Iterator[_Assignment]:
    """Signals that a block assigns, each with the sources of its value at the end of the block.

    If the block reads a signal that it has assigned before, this signal is replaced by the sources
    of that assignment.
    """
    made: dict[_Name, _Sources] = {}

    def read(node: ast.expr) -> _Sources:
        found: _Sources = {}
        for part in ast.walk(node):
            name = _node_parts(part)
            known = [sources for x, sources in made.items() if name and _meet(name, x)]
            for sources in known or [{name: block.place(node)}] if name else ():
                found = {**sources, **found}
        return found

    def run(statements: Iterable[ast.stmt], conditions: _Sources) -> None:
        for statement in statements:
            if isinstance(statement, ast.If):
                inner = {**read(statement.test), **conditions}
                run([*statement.body, *statement.orelse], inner)
            elif isinstance(statement, ast.For):
                run(statement.body, conditions)
            elif isinstance(statement, ast.AugAssign) and (x := _node_parts(statement.target)):
                made[x] = {**read(statement.value), **conditions, **made.get(x, {})}

    run(block.tree.body, {})
    for target, sources in made.items():
        others = {x: y for x, y in sources.items() if not any(_meet(x, own) for own in made)}
        yield _Assignment(host + target[1:], tuple((host + x[1:], y) for x, y in others.items()))


def _node_parts(node: ast.AST) -> _Name:
    """Parts of the name of the signal that a node denotes, without indices; else empty."""
    name = signal_name(node)
    return tuple((part, "") for part in name.split(".")) if name and name != "s" else ()


def _meet(one: _Name, other: _Name) -> bool:
    """Whether two names may denote the same signal, or a signal and a part of that signal."""
    pairs = zip(one, other, strict=False)
    return all(x == y and (not i or not j or i == j) for (x, i), (y, j) in pairs)


def _shortest(assignments: list[_Assignment]) -> list[_Assignment]:
    following = _following(assignments)
    found: list[_Assignment] = []
    for start in assignments:
        way = _way_back(start, following)
        if way and (not found or len(way) < len(found)):
            found = way
    return found


def _following(assignments: list[_Assignment]) -> dict[_Assignment, list[_Assignment]]:
    """Return, for each assignment, the assignments that read its target.

    Only assignments in loops, and on paths between loops, are kept.
    """
    readers: dict[str, list[tuple[_Name, _Assignment]]] = defaultdict(list)
    for assignment in assignments:
        for source, _ in assignment.sources:
            for length in range(1, len(source) + 1):
                key = ".".join(name for name, _ in source[:length])
                readers[key].append((source, assignment))
    edges: dict[_Assignment, list[_Assignment]] = {}
    for assignment in assignments:
        names = [name for name, _ in assignment.target]
        near = [x for n in range(2, len(names)) for x in _exact(readers, names[:n])]
        near += readers[".".join(names)]
        edges[assignment] = list({y: None for x, y in near if _meet(x, assignment.target)})
    left = set(edges)
    while True:
        read = {y for x in left for y in edges[x] if y in left}
        kept = {x for x in left & read if any(y in left for y in edges[x])}
        if kept == left:
            return {x: [y for y in edges[x] if y in left] for x in edges if x in left}
        left = kept


def _exact(
    readers: dict[str, list[tuple[_Name, _Assignment]]], names: list[str]
) -> Iterator[tuple[_Name, _Assignment]]:
    """Yield the assignments that read the whole signal ``names``, not only a part of the signal."""
    for source, assignment in readers.get(".".join(names), ()):
        if len(source) == len(names):
            yield source, assignment


def _way_back(
    start: _Assignment, following: dict[_Assignment, list[_Assignment]]
) -> list[_Assignment]:
    before: dict[_Assignment, _Assignment | None] = {start: None}
    queue = deque([start] if start in following else [])
    while queue:
        at: _Assignment | None = queue.popleft()
        for reader in following[at] if at else ():
            if reader == start:
                way = []
                while at is not None:
                    way.append(at)
                    at = before[at]
                return way[::-1]
            if reader not in before:
                before[reader] = at
                queue.append(reader)
    return []
