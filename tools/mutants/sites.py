"""Finds all faults that can be planted in a source file, each an edit of one expression."""

import ast
import hashlib
import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

RESET = "reset"
#: "line": a dropped assignment; "reset": any change of reset logic
KINDS = ("operator", "constant", "condition", RESET, "line", "connection")


@dataclass(frozen=True)
class Fault:
    """A change of one expression or statement."""

    path: str  #: path relative to the top of the tree
    kind: str  #: kind of the fault, one of KINDS
    scope: str  #: class, method and block, such as "Divider.construct.seq_state"
    line: int  #: first line with a replaced byte
    start: int  #: first replaced byte of the file
    end: int  #: end of the replaced bytes: offset after the last one
    text: str  #: replacement
    was: str  #: source lines before the change, joined to one
    becomes: str  #: source lines after the change, joined to one
    content: str  #: digest of the file without the fault

    @property
    def key(self) -> str:
        """Unique key of the fault; it changes when the file changes."""
        parts = (self.path, self.content, str(self.start), str(self.end), self.text)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"

    def is_in(self, path: str) -> bool:
        """Return whether the fault is in ``path``, which is a file or a folder of the tree."""
        return self.path == path or self.path.startswith(f"{path.rstrip('/')}/")

    def plant(self, source: bytes) -> bytes:
        """Return the file with the fault; ``ValueError`` if it has changed since the draw."""
        if digest(source) != self.content:
            raise ValueError(f"{self.path}: has changed since the fault was drawn")
        return source[: self.start] + self.text.encode() + source[self.end :]


def digest(source: bytes) -> str:
    return hashlib.sha256(source).hexdigest()[:20]


class SourceText:
    """A source file as bytes; converts the positions of Python's parser to offsets."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def at(self, line: int, column: int) -> int:
        """Return the offset in the file of a line (counted from 1) and a column in bytes."""
        return self._starts[line - 1] + column

    def in_parentheses(self, start: int, end: int) -> bool:
        """Return whether a span stands directly in parentheses, maybe those of a call."""
        return self.source[start - 1 : start] == b"(" and self.source[end : end + 1] == b")"

    def lines(self, start: int, end: int, text: str | None = None) -> str:
        """Return the lines of a span joined to one line; ``text`` replaces the span if given."""
        first = self.source.rfind(b"\n", 0, start) + 1
        last = self.source.find(b"\n", end)
        last = len(self.source) if last < 0 else last
        middle = self.source[start:end].decode() if text is None else text
        whole = self.source[first:start].decode() + middle + self.source[end:last].decode()
        return " ".join(whole.split())


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


FOLDERS = ("rtl", "cl", "proc/pipeline")  #: folders in which faults are planted

MODELS = "cl"  #: folder in which functions model circuits: they get faults as update blocks do


def all_faults(root: Path) -> list[Fault]:
    """List every fault that can be planted in the files of ``FOLDERS``, file by file."""
    found = []
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*.py")):
            path = file.relative_to(root).as_posix()
            found += faults(path, file.read_bytes(), python=folder == MODELS)
    return found


def drawn(found: Iterable[Fault], seed: int) -> Iterator[Fault]:
    """Yield faults in random order, one of each kind in turn, so that all kinds count equally."""
    draw = random.Random(seed)
    kinds: dict[str, list[Fault]] = {kind: [] for kind in KINDS}
    for fault in found:
        kinds[fault.kind].append(fault)
    for each in kinds.values():
        draw.shuffle(each)
    while any(kinds.values()):
        for each in kinds.values():
            if each:
                yield each.pop()


_BLOCKS = {"update", "update_ff", "update_once"}
#: Functions that are not models: they define ports and structure, or print signals.
_NO_MODEL = {"__init__", "construct", "line_trace"}


def faults(path: str, source: bytes, python: bool) -> list[Fault]:
    """All faults that can be planted in a file, in order; ``python``: in all functions."""
    found: dict[str, Fault] = {}
    for fault in _Finder(path, source, python).faults():
        found.setdefault(fault.key, fault)  # a fault of two kinds gets the first kind
    return list(found.values())


class _Finder:
    """Walks through the syntax tree of a file to find the faults that can be planted."""

    def __init__(self, path: str, source: bytes, python: bool) -> None:
        self._path, self._python = path, python
        self._text, self._content = SourceText(source), digest(source)
        self._tree = ast.parse(source)
        self._named = _constants(self._tree)

    def faults(self) -> Iterator[Fault]:
        yield from self._outside(self._tree.body, ())

    def _outside(self, body: Sequence[ast.stmt], scope: tuple[str, ...]) -> Iterator[Fault]:
        """Yield faults in connections and functions directly in ``body``, and in its classes."""
        sources = [(x, source) for x in body if (source := _connected(x)) is not None]
        for statement in body:
            if isinstance(statement, ast.ClassDef):
                yield from self._outside(statement.body, (*scope, statement.name))
            elif isinstance(statement, ast.FunctionDef):
                yield from self._function(statement, (*scope, statement.name))
            elif (source := _connected(statement)) is not None:
                beside = [
                    ast.unparse(x) for y, x in sources if 0 < abs(y.lineno - statement.lineno) <= 2
                ]
                for edit in connection_edits(source, beside):
                    yield self._fault(edit, "connection", scope, source)
                computed = source.body if isinstance(source, ast.Lambda) else source
                yield from self._expression(computed, "connection", scope, False)
            else:
                for block in _suites(statement):
                    yield from self._outside(block, scope)

    def _function(self, function: ast.FunctionDef, scope: tuple[str, ...]) -> Iterator[Fault]:
        names = {x.id for x in function.decorator_list if isinstance(x, ast.Name)}
        if names & _BLOCKS:
            yield from self._block(function.body, scope, (), False, False)
        elif self._python and function.name not in _NO_MODEL:
            yield from self._block(function.body, scope, (), False, True)
        else:
            yield from self._outside(function.body, scope)

    def _block(
        self,
        body: Sequence[ast.stmt],
        scope: tuple[str, ...],
        assigned: tuple[str, ...],
        reset: bool,
        python: bool,
    ) -> Iterator[Fault]:
        """Yield faults in statements of an update block, or of a function that models a circuit.

        ``assigned``: targets that earlier statements assign always. ``reset``: the statements run
        only during reset.
        """
        for statement in body:
            if isinstance(statement, ast.FunctionDef | ast.ClassDef):
                yield from self._outside([statement], scope)
                continue
            if isinstance(statement, ast.Raise | ast.Assert):
                continue  # checks of arguments are not part of a model
            kind = RESET if reset else None
            for edit in line_edits(statement, assigned, python):
                yield self._fault(edit, kind or "line", scope, edit[0])
            under = reset
            if isinstance(statement, ast.If | ast.While):
                test = statement.test
                under = under or _mentions_reset(test)
                decides = RESET if under else "condition"
                edits = never_reset(test) if is_reset(test) else condition_edits(test, python)
                for edit in edits:
                    yield self._fault(edit, decides, scope, test)
                yield from self._expression(test, decides, scope, python)
            else:
                for part in _values(statement):
                    yield from self._expression(part, kind, scope, python)
            for number, suite in enumerate(_suites(statement)):
                # The else branch of a condition on reset runs while reset is off.
                within = under if not number or reset else False
                yield from self._block(suite, scope, assigned, within, python)
            if isinstance(statement, ast.AugAssign):
                assigned = (*assigned, ast.unparse(statement.target))
            elif isinstance(statement, ast.Assign):
                assigned = (*assigned, *map(ast.unparse, statement.targets))

    def _expression(
        self, whole: ast.expr, kind: str | None, scope: tuple[str, ...], python: bool
    ) -> Iterator[Fault]:
        kind = kind or (RESET if _mentions_reset(whole) else None)
        skipped: set[ast.AST] = set()
        for node in ast.walk(whole):
            if node in skipped or isinstance(node, ast.JoinedStr):
                skipped.update(ast.iter_child_nodes(node))
                continue
            skipped.update(widths(node))
            for edit in operator_edits(node):
                yield self._fault(edit, kind or "operator", scope, whole)
            for edit in constant_edits(node, self._named):
                yield self._fault(edit, kind or "constant", scope, whole)
            if isinstance(node, ast.IfExp):
                for edit in condition_edits(node.test, python):
                    yield self._fault(edit, kind or "condition", scope, whole)

    def _fault(self, edit: Edit, kind: str, scope: tuple[str, ...], whole: ast.AST) -> Fault:
        node, text = edit
        start = self._text.at(node.lineno, node.col_offset)  # type: ignore[attr-defined]
        end = self._text.at(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]
        if node is not whole and " " in text and not self._text.in_parentheses(start, end):
            text = f"({text})"
        return Fault(
            path=self._path,
            kind=kind,
            scope=".".join(scope),
            line=node.lineno,  # type: ignore[attr-defined]
            start=start,
            end=end,
            text=text,
            was=self._text.lines(start, end),
            becomes=self._text.lines(start, end, text),
            content=self._content,
        )


def _connected(statement: ast.stmt) -> ast.expr | None:
    """Return the source of the connection that a statement makes; None if it makes none."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.FloorDiv):
        return statement.value
    if isinstance(statement, ast.Expr) and isinstance(call := statement.value, ast.Call):
        if isinstance(call.func, ast.Name) and call.func.id == "connect" and len(call.args) == 2:
            return call.args[1]
    return None


def _constants(tree: ast.Module) -> dict[str, list[str]]:
    """List, for each named constant of a module, the others that are assigned in the same tuple."""
    found: dict[str, list[str]] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Tuple):
            names = [x.id for x in statement.targets[0].elts if isinstance(x, ast.Name)]
            if all(name.isupper() for name in names):
                found |= {name: [x for x in names if x != name] for name in names}
    return found


def _suites(statement: ast.stmt) -> list[list[ast.stmt]]:
    """Return the lists of statements inside a statement; an else branch is a separate list."""
    return [
        suite
        for field in ("body", "orelse", "finalbody")
        if isinstance(suite := getattr(statement, field, None), list) and suite
    ]


def _values(statement: ast.stmt) -> list[ast.expr]:
    """Expressions that a statement evaluates, without targets of assignments and docstrings."""
    if isinstance(statement, ast.For):
        return [statement.iter]
    value = getattr(statement, "value", None)
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return []
    return [value] if isinstance(value, ast.expr) else []


def _mentions_reset(node: ast.AST) -> bool:
    return any(map(is_reset, ast.walk(node)))
