"""Checks that an update block assigns its signals on every path, and before it reads them."""

import ast
from collections.abc import Collection, Iterator, Sequence

from diagnosis.blocks import Block, signal_name
from diagnosis.error import DesignError

_Names = frozenset[str]


def check_paths(block: Block) -> None:
    """Refuse a combinational block that has a latch, or that reads a signal before assigning it.

    A signal is taken as assigned as soon as any part of it is assigned.

    Raises
    ------
    DesignError
        Names the signal and the component.
    """
    if block.sequential:
        return
    walk = _Walk(block)
    end = walk.run(block.tree.body, frozenset())
    for name, node in walk.written.items():
        if not _covers(end, name):
            raise DesignError(
                f"{name} of {block.component} is not assigned on every path of {block.name}: "
                "a latch",
                f"an assignment to {name} before the if, or in an else",
                block.place(node),
            )
    for name, node in walk.early.items():
        raise DesignError(
            f"{name} of {block.component} is read before {block.name} assigns it: a combinational "
            "loop",
            "an assignment first, or a register (update_ff, <<=)",
            block.place(node),
        )


class _Walk:
    """Walk through the statements of an update block, which notes what is assigned and read.

    ``written`` has the first assignment to each signal, by the signal's name. ``early`` has the
    signals that are read before they are assigned: the node of the first reading, by name.
    """

    def __init__(self, block: Block) -> None:
        self._values = block.values
        self.written: dict[str, ast.AST] = {}
        for name, node in _assignments(block.tree):
            self.written.setdefault(name, node)
        self.early: dict[str, ast.AST] = {}

    def run(self, statements: Sequence[ast.stmt], assigned: _Names) -> _Names:
        """Return the names of the signals that are assigned after the statements.

        ``assigned`` has the names that are assigned before the statements.
        """
        for statement in statements:
            if isinstance(statement, ast.If):
                assigned = self._branch(statement, assigned)
            elif isinstance(statement, ast.For):
                self._read(statement.iter, assigned)
                if self._value(statement.iter) != range(0):
                    assigned = self.run(statement.body, assigned)
            elif isinstance(statement, ast.AugAssign):
                self._read(statement.value, assigned)
                if name := signal_name(statement.target):
                    assigned = assigned | {name}
            else:
                self._read(statement, assigned)
        return assigned

    def _branch(self, statement: ast.If, assigned: _Names) -> _Names:
        known = self._value(statement.test)
        if known is not None:
            return self.run(statement.body if known else statement.orelse, assigned)
        self._read(statement.test, assigned)
        ways = [self.run(part, assigned) for part in (statement.body, statement.orelse)]
        return frozenset(x for way in ways for x in way if all(_covers(y, x) for y in ways))

    def _value(self, node: ast.expr) -> object:
        """Value of an expression of parameters; None if it has signals or loop variables."""
        try:
            code = compile(ast.Expression(node), "", "eval")
            return eval(code, {"range": range, "len": len}, dict(self._values) | {"s": None})
        except Exception:  # evaluating an incomplete expression can raise any exception
            return None

    def _read(self, node: ast.AST, assigned: _Names) -> None:
        for name, part in _signals(node):
            own = any(_related(name, written) for written in self.written)
            if own and not _covers(assigned, name):
                self.early.setdefault(name, part)


def _assignments(tree: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.AugAssign) and (name := signal_name(node.target)):
            yield name, node


def _signals(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Signals that an expression reads, by full name (``s.a.b``, not ``s.a``), with their nodes."""
    if name := signal_name(node):
        yield name, node
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Subscript):
            yield from _signals(node.slice)
        node = node.value
    if not isinstance(node, ast.Name):
        for child in ast.iter_child_nodes(node):
            yield from _signals(child)


def _related(one: str, other: str) -> bool:
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")


def _covers(assigned: Collection[str], name: str) -> bool:
    return any(_related(name, x) for x in assigned)
