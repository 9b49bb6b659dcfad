"""Update blocks of a circuit, as syntax trees of their source."""

import ast
import copy
import linecache
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import CodeType, FunctionType
from typing import Any, cast

from pymtl3 import Component

from rsaxcel.diagnosis.error import Place

_KINDS = ("update", "update_ff", "update_once")


@dataclass(frozen=True)
class UpdateBlock:
    host: Component = field(repr=False)
    file: str
    tree: ast.FunctionDef  #: syntax tree with the line numbers of the file
    #: values of names that the block uses but does not define: s, parameters, types, functions
    values: Mapping[str, Any] = field(repr=False)

    @property
    def component(self) -> str:
        return type(self.host).__name__

    @property
    def name(self) -> str:
        return self.tree.name

    @property
    def sequential(self) -> bool:
        """Whether the block is an ``update_ff`` block."""
        return _kind(self.tree) == "update_ff"

    @property
    def locals(self) -> frozenset[str]:
        """Names of the variables that the block itself assigns."""
        names = (x for x in ast.walk(self.tree) if isinstance(x, ast.Name))
        return frozenset(x.id for x in names if isinstance(x.ctx, ast.Store))

    def place(self, node: Any) -> Place:
        return Place(self.file, node.lineno)


def blocks_of(top: Component) -> Iterator[UpdateBlock]:
    """Yield the update blocks of an elaborated circuit, as far as they have a source."""
    for component in sorted(top.get_all_components(), key=repr):
        for function in sorted(component.get_update_blocks(), key=lambda f: f.__name__):
            if block := block_of(function, component):
                yield block


def block_of(function: FunctionType, component: Component) -> UpdateBlock | None:
    """Return a function of a component as an update block; None if the function has no source."""
    code = function.__code__
    file, tree = code.co_filename, block_tree(code)
    if tree is None and (info := component.get_update_block_info(function)) and info[0]:
        # A connection to a lambda: PyMTL3 has made a block of one assignment from it.
        _, _, line, file, module = info
        tree = _lambda(module, line)
    if tree is None:
        return None
    cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
    known = function.__globals__
    values = {name: known[name] for name in code.co_names if name in known}
    for name, cell in cells:
        try:
            values[name] = cell.cell_contents
        except ValueError:  # the variable has no value yet
            continue
    return UpdateBlock(component, file, tree, values)


def _lambda(module: ast.Module, line: int) -> ast.FunctionDef:
    """Copy the tree that PyMTL3 makes from a lambda; the lambda's connection begins at ``line``."""
    tree: Any = copy.deepcopy(module).body[0]
    (assignment,) = tree.body
    ast.increment_lineno(assignment.value, line - 1)
    for node in (tree, assignment, *ast.walk(assignment.target)):
        if hasattr(node, "lineno"):
            node.lineno = line
    tree.name = "lambda"
    return cast(ast.FunctionDef, tree)


def block_tree(code: CodeType) -> ast.FunctionDef | None:
    """Syntax tree of the update block that a code object belongs to; None for other code."""
    for tree in functions_in(code.co_filename):
        first = min([tree.lineno, *(x.lineno for x in tree.decorator_list)])
        if first == code.co_firstlineno and tree.name == code.co_name and _kind(tree):
            return tree
    return None


@cache
def functions_in(file: str) -> tuple[ast.FunctionDef, ...]:
    """Syntax trees of all functions in a file."""
    tree = tree_of(file)
    return tuple(x for x in ast.walk(tree) if isinstance(x, ast.FunctionDef))


@cache
def tree_of(file: str) -> ast.Module:
    """Parse a file; return an empty module if the file is missing or has a syntax error."""
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return ast.Module([], [])


def _kind(tree: ast.FunctionDef) -> str | None:
    names = [x.id for x in tree.decorator_list if isinstance(x, ast.Name)]
    return next((x for x in names if x in _KINDS), None)


def signal_name(node: ast.AST) -> str | None:
    """Name of a signal without its indices, such as ``s.recv.msg.a``; None for other nodes."""
    if isinstance(node, ast.Subscript):
        return signal_name(node.value)
    if isinstance(node, ast.Attribute):
        before = signal_name(node.value)
        return before and f"{before}.{node.attr}"
    return "s" if isinstance(node, ast.Name) and node.id == "s" else None
