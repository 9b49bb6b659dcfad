"""Makes edits of source code: each changes one expression or statement, to plant a fault."""

import ast
from collections.abc import Collection, Iterator, Mapping

Edit = tuple[ast.AST, str]  #: A node of the syntax tree, and the text that replaces it

_OPERATORS: Mapping[type[ast.AST], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.FloorDiv: "*",
    ast.Mod: "//",
    ast.BitAnd: "|",
    ast.BitOr: "&",
    ast.BitXor: "|",
    ast.LShift: ">>",
    ast.RShift: "<<",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.And: "or",
    ast.Or: "and",
}
_FUNCTIONS = {"max": "min", "min": "max", "any": "all", "all": "any"}
#: Operators of which an edit may drop one operand: the rest of the expression has the same width.
_TERMS = ast.BitAnd | ast.BitOr | ast.BitXor
#: Functions whose second argument is a width.
_WIDTHS = ("zext", "sext", "trunc")


def operator_edits(node: ast.AST) -> Iterator[Edit]:
    """Yield edits of a node: another operator, a dropped operand, or a dropped negation."""
    if isinstance(node, ast.BinOp):
        left, right = _inner(node.left), _inner(node.right)
        if type(node.op) in _OPERATORS:
            yield node, f"{left} {_OPERATORS[type(node.op)]} {right}"
        if isinstance(node.op, _TERMS):
            yield node, left
            yield node, right
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        if type(node.ops[0]) in _OPERATORS:
            left, right = _inner(node.left), _inner(node.comparators[0])
            yield node, f"{left} {_OPERATORS[type(node.ops[0])]} {right}"
    elif isinstance(node, ast.BoolOp):
        whole = ast.UnaryOp | ast.Compare  # operands that bind tighter than and/or
        values = [ast.unparse(x) if isinstance(x, whole) else _inner(x) for x in node.values]
        yield node, f" {_OPERATORS[type(node.op)]} ".join(values)
        for i in range(len(values)):
            yield node, f" {_named(node.op)} ".join(values[:i] + values[i + 1 :])
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert | ast.Not):
        yield node, _inner(node.operand)
    elif isinstance(node, ast.Name) and node.id in _FUNCTIONS:
        yield node, _FUNCTIONS[node.id]


def constant_edits(node: ast.AST, named: Mapping[str, Collection[str]]) -> Iterator[Edit]:
    """Yield edits: a number plus or minus 1, or a constant that ``named`` has instead."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield node, str(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield node, str(node.value + 1)
        if node.value > 0:
            yield node, str(node.value - 1)
    elif isinstance(node, ast.Name):
        for other in named.get(node.id, ()):
            yield node, other


def condition_edits(test: ast.expr, python: bool) -> Iterator[Edit]:
    """Yield an edit that negates a condition; comparisons and negations: ``operator_edits``."""
    negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Invert | ast.Not)
    if not negated and not isinstance(test, ast.Compare):
        yield test, f"{'not ' if python else '~'}{_inner(test)}"


def never_reset(test: ast.expr) -> Iterator[Edit]:
    """Yield an edit that makes a condition always false, if it is only the reset signal."""
    if is_reset(test):
        text = ast.unparse(test)
        yield test, f"{text} & ~{text}"


def line_edits(statement: ast.stmt, assigned: Collection[str], python: bool) -> Iterator[Edit]:
    """Yield an edit that drops an assignment to a target that earlier statements assign always.

    ``python``: the statement is in a function, not in an update block.
    """
    if not isinstance(statement, ast.AugAssign | ast.Assign):
        return
    if isinstance(statement, ast.Assign):
        if len(statement.targets) > 1:
            return
        target = ast.unparse(statement.targets[0])
    else:
        target = ast.unparse(statement.target)
    if python:
        if isinstance(statement, ast.AugAssign) or target in assigned:
            yield statement, "pass"
    elif isinstance(statement, ast.AugAssign):
        if isinstance(statement.op, ast.LShift) or target in assigned:
            yield statement.value, target


def connection_edits(source: ast.expr, others: Collection[str]) -> Iterator[Edit]:
    """Yield edits that replace the source of a connection by 0, or by one of ``others``."""
    text = ast.unparse(source)
    if isinstance(source, ast.Lambda):
        return
    if not isinstance(source, ast.Constant):
        yield source, "0"
    for other in others:
        if other != text:
            yield source, other


def is_reset(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "reset"


def widths(node: ast.AST) -> tuple[ast.AST, ...]:
    """Return the parts that set a width: PyMTL3 and Verilator refuse circuits of wrong widths."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _WIDTHS:
        return tuple(node.args[1:])
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return (node.slice,)
    return ()


def _named(op: ast.boolop) -> str:
    return "and" if isinstance(op, ast.And) else "or"


def _inner(node: ast.expr) -> str:
    """Text of an operand, in parentheses if they are needed."""
    text = ast.unparse(node)
    closed = ast.Name | ast.Attribute | ast.Subscript | ast.Constant | ast.Call
    inverted = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert)
    return text if inverted or isinstance(node, closed) else f"({text})"
