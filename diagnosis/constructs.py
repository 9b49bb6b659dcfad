"""Update blocks as syntax trees, and constructs in them to which no circuit corresponds."""

import ast
import builtins
import copy
import linecache
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from inspect import signature
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, cast

import pymtl3
from pymtl3 import Bits, Component, concat, reduce_and, reduce_or, reduce_xor, sext, trunc, zext
from pymtl3.datatypes import is_bitstruct_class
from pymtl3.dsl.NamedObject import NamedObject

from rsaxcel.diagnosis.error import DesignError, Place
from rsaxcel.diagnosis.words import Ref, reference

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
        return _type_of(self.tree) == "update_ff"

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
        if first == code.co_firstlineno and tree.name == code.co_name and _type_of(tree):
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


def _type_of(tree: ast.FunctionDef) -> str | None:
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


IN_BLOCKS = (
    "if, for over range, assignments, operators on signals and numbers, concat, zext, sext, trunc, "
    "reduce_and, reduce_or, reduce_xor, types such as Bits8"
)
NAMES = "names of this file, of its imports, and of construct"
_FUNCTIONS = (concat, zext, sext, trunc, reduce_and, reduce_or, reduce_xor)
_FOR = "for ... in range(...), with bounds that are known when the circuit is built"
_TABLE = "signals and numbers; a choice is a chain of if, elif and else"
_WHOLE = "whole numbers and signals"
_DIVIDER = ">> for a power of two; a divider otherwise (rtl/lib/divider.py)"
_SLICES = "bounds that are known when the circuit is built, x[i:i + n] with a fixed n, or a shift"
_BOUNDS = "both bounds, without a step, such as s.x[0:8]"
_ONE_SLICE = "one index or slice of a signal; a wire for the value of an expression"
_TARGETS = "s.x = Wire(...) or OutPort(...) before the block, and InPorts of parts"
THE_COMPONENT = "s: def construct(s, ...), and s.x in update blocks"

_NODES: dict[type[ast.AST], tuple[str, str]] = {
    ast.While: ("a while loop", _FOR),
    ast.Match: ("match", "if, elif and else"),
    ast.Pass: ("pass", "no branch, or an assignment"),
    ast.AnnAssign: ("a variable with a type", "t = Bits8(0), for example, or a wire"),
    ast.ListComp: ("a list comprehension", f"{_FOR}, and an assignment for each step"),
    ast.SetComp: ("a set comprehension", f"{_FOR}, and an assignment for each step"),
    ast.DictComp: ("a dict comprehension", f"{_FOR}, and an assignment for each step"),
    ast.GeneratorExp: ("a generator", f"{_FOR}, and an assignment for each step"),
    ast.Dict: ("a dict", _TABLE),
    ast.Set: ("a set", _TABLE),
    ast.List: ("a list", _TABLE),
    ast.Tuple: ("a tuple", "one assignment for each signal; concat(a, b) joins bits"),
    ast.Try: ("try", "if, elif and else: a circuit raises nothing"),
    ast.Raise: ("raise", "if, elif and else: a circuit raises nothing"),
    ast.Assert: ("assert", "tests outside the circuit, such as rsaxcel sim"),
    ast.With: ("with", IN_BLOCKS),
    ast.Return: ("return", "if, elif and else around the statements to skip"),
    ast.Break: ("break", "an if around the statements to skip"),
    ast.Continue: ("continue", "an if around the statements to skip"),
    ast.Lambda: ("lambda", "its expression, written out"),
    ast.JoinedStr: ("a string", _WHOLE),
    ast.NamedExpr: (":=", "an assignment of its own"),
    ast.BoolOp: ("and, or", "& and | of single bits, with parentheses around comparisons"),
    ast.Delete: ("del", IN_BLOCKS),
    ast.Import: ("import", "imports at the beginning of the file"),
    ast.ImportFrom: ("import", "imports at the beginning of the file"),
    ast.Global: ("global", IN_BLOCKS),
    ast.Nonlocal: ("nonlocal", IN_BLOCKS),
    ast.Await: ("await", IN_BLOCKS),
    ast.Yield: ("yield", IN_BLOCKS),
    ast.YieldFrom: ("yield", IN_BLOCKS),
    ast.ClassDef: ("a class", IN_BLOCKS),
    ast.FunctionDef: ("a function", "its statements, written out, or a component of its own"),
}
_OPERATORS: dict[type[ast.AST], tuple[str, str]] = {
    ast.FloorDiv: ("the operator //", _DIVIDER),
    ast.Div: ("the operator /", _DIVIDER),
    ast.MatMult: ("the operator @", "* for products, @= for assignments"),
    ast.Not: ("the operator not", "~ of a single bit, or a comparison with 0"),
    ast.In: ("the operator in", "== with each value, joined by |"),
    ast.NotIn: ("the operator not in", "!= with each value, joined by &"),
    ast.Is: ("the operator is", "=="),
    ast.IsNot: ("the operator is not", "!="),
}
#: Operators that only numbers known at elaboration may have: the wrong use, and the allowed ones.
_OF_SIGNALS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Mod: ("% by a signal", "% by a number; a divider otherwise (rtl/lib/divider.py)"),
    ast.Pow: ("** of a signal", "multipliers as components; << for a power of two"),
    ast.USub: ("a signal with -", "0 - s.x, or ~s.x + 1, which have no sign either"),
}

_SYMBOLS = {
    ast.MatMult: "@",
    ast.LShift: "<<",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.RShift: ">>",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.BitAnd: "&",
    ast.FloorDiv: "//",
}


def check_constructs(block: UpdateBlock) -> None:
    """Refuse an update block with a statement that can't be translated to Verilog."""
    if arguments := ast.unparse(block.tree.args):
        raise DesignError(
            f"{block.name} of {block.component} takes {arguments}",
            f"def {block.name}():, which knows s, and the names of construct",
            block.place(block.tree),
        )
    nodes = (node for statement in block.tree.body for node in ast.walk(statement))
    placed: list[Any] = [x for x in nodes if hasattr(x, "lineno")]
    for node in sorted(placed, key=lambda x: (x.lineno, x.col_offset)):
        told = _assignment(node, block) or _untranslatable(node, block)
        if told:
            what, allowed = told
            where = f"({block.component}, {block.name})"
            raise DesignError(f"{what} {where}", allowed, block.place(node))


def _assignment(node: ast.AST, block: UpdateBlock) -> tuple[str, str] | None:
    """Return fault and remedy if a node assigns a signal with a wrong operator; else None."""
    kind, right = ("update_ff", "<<=") if block.sequential else ("update", "@=")
    match node:
        case ast.AugAssign(op=op):
            symbol = f"{_SYMBOLS[type(op)]}="
        case ast.Assign(targets=targets) if any(map(signal_name, targets)):
            symbol = "="
        case _:
            return None
    if symbol == right:
        return None
    other = {"@=": "; @= is for update", "<<=": "; <<= is for update_ff"}.get(symbol, "")
    return f"{symbol} in an {kind} block", f"{right}, with the whole result{other}"


def _untranslatable(node: ast.AST, block: UpdateBlock) -> tuple[str, str] | None:
    found = _NODES.get(type(node))
    match node:
        case ast.Name(id=name, ctx=ast.Load()):
            return _name(name, block)
        case ast.AugAssign(target=target) if not _is_target(target, block):
            value = _denoted(target, block)
            shown = repr(value) if isinstance(value, int) else type(value).__name__
            known = "" if value is None else f", but {shown}"
            return f"{ast.unparse(target)} is not a signal{known}", _TARGETS
        case ast.Expr(value=ast.Constant()):
            found = "a string as a statement", "comments, which begin with #"
        case ast.Expr():
            found = "an expression without assignment", "assignments"
        case ast.Constant(value=bool(value)):
            return f"{value} is no number", str(int(value))
        case ast.Constant(value=value) if not isinstance(value, int):
            found = f"{_kind(value)} ({value!r})", _WHOLE
        case ast.Compare(ops=[_, _, *_]):
            found = "a chain of comparisons", "comparisons in parentheses, joined by &"
        case (
            ast.BinOp(op=ast.Mod() as op, right=x)
            | ast.BinOp(op=ast.Pow() as op, left=x)
            | ast.UnaryOp(op=ast.USub() as op, operand=x)
        ) if _reads_signal(x, block):
            found = _OF_SIGNALS[type(op)]
        case ast.BinOp(op=op) | ast.UnaryOp(op=op) | ast.Compare(ops=[op]):
            found = _OPERATORS.get(type(op))
        case ast.For(orelse=[_, *_]):
            found = "else of a loop", "statements after the loop"
        case ast.For(iter=bounds):
            counts = isinstance(bounds, ast.Call) and ast.unparse(bounds.func) == "range"
            if not counts or _reads_signal(bounds, block):
                found = f"a loop over {ast.unparse(bounds)}", _FOR
        case ast.Call():
            function = _unknown_function(node, block)
            if function not in block.values and _is_known(getattr(pymtl3, function or "", None)):
                return f"{function} is not imported", f"from pymtl3 import {function}"
            found = (f"a call of {function}", IN_BLOCKS) if function else None
        case ast.Slice(lower=None) | ast.Slice(upper=None) | ast.Slice(step=ast.expr()):
            found = "a slice without a bound or with a step", _BOUNDS
        case ast.Slice() if _moves(node, block):
            found = "a slice whose width changes", _SLICES
        case ast.Subscript(value=ast.Subscript(slice=ast.Slice())):
            found = "a slice of a slice", _ONE_SLICE
        case ast.Subscript(value=whole) if not _base(whole) and type(whole) not in _NODES:
            found = "a slice of an expression", _ONE_SLICE
        case ast.Subscript(value=whole) if fields := _fields(whole, block):
            return f"{ast.unparse(whole)} is a message, which has no bits", f"the fields {fields}"
    return (f"{found[0]} can't be part of a circuit", found[1]) if found else None


def _name(name: str, block: UpdateBlock) -> tuple[str, str] | None:
    """Return fault and remedy for a name that is unknown or of a bad type; else None."""
    if name == "s" or name in block.locals:
        return None
    if name in block.values:
        value = block.values[name]
        if isinstance(value, float | str | dict | set):
            return f"{name}, {_kind(value)}, can't be part of a circuit", _WHOLE
        if value is block.host:
            return f"the component is named {name}", THE_COMPONENT
        if isinstance(value, NamedObject):
            return (
                f"{name}, without s, can't be part of an update block",
                "names that begin with s.",
            )
        return None
    if hasattr(builtins, name):
        return None
    return f"the name {name} is not known", THE_COMPONENT if name == "self" else NAMES


def _denoted(node: ast.AST, block: UpdateBlock) -> Any:
    """Object or reference that an expression of names and indices denotes; None if unknown."""
    # The first element stands for all elements of a list.
    match node:
        case ast.Name(id=name):
            return reference(block.values.get(name))
        case ast.Attribute(value=owner, attr=name):
            value = _denoted(owner, block)
            if isinstance(value, Ref):
                return value.parts().get(name)
            return reference(getattr(value, name, None))
        case ast.Subscript(value=whole):
            value = _denoted(whole, block)
            if isinstance(value, Ref):
                return value.parts().get(0, value)
            return reference(value[0]) if isinstance(value, list) and value else None
    return None


def _is_target(node: ast.expr, block: UpdateBlock) -> bool:
    """Whether a block may assign the object of an expression, as far as it is known."""
    if isinstance(node, ast.Name):
        others = (x for x in ast.walk(block.tree) if isinstance(x, ast.Assign))
        return any(ast.unparse(x) == node.id for other in others for x in other.targets)
    value = _denoted(node, block)
    return value is None or isinstance(value, Ref)


def _base(node: ast.expr) -> str:
    """Name at the beginning of an expression of names and indices; empty for other expressions."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _fields(node: ast.expr, block: UpdateBlock) -> str:
    """Names of the fields if an expression denotes a message, else an empty text."""
    value = _denoted(node, block)
    is_message = isinstance(value, Ref) and is_bitstruct_class(value.kind)
    return ", ".join(value.kind.__bitstruct_fields__) if is_message else ""


def _kind(value: object) -> str:
    kind = type(value).__name__
    return "a string" if kind == "str" else f"a {kind}"


def _unknown_function(node: ast.Call, block: UpdateBlock) -> str | None:
    """Name of the called function if PyMTL3 can't translate its call to Verilog, else None."""
    if not isinstance(node.func, ast.Name):
        return ast.unparse(node.func)
    known = block.values.get(node.func.id, getattr(builtins, node.func.id, None))
    return None if known is range or _is_known(known) else node.func.id


def _is_known(function: object) -> bool:
    """Whether PyMTL3 can translate a call of this function or type."""
    if isinstance(function, type):
        return issubclass(function, Bits) or is_bitstruct_class(function)
    return any(function is x for x in _FUNCTIONS)


def _moves(node: ast.Slice, block: UpdateBlock) -> bool:
    """Whether the width of a slice depends on a signal."""
    lower, upper = node.lower, node.upper
    if not any(part and _reads_signal(part, block) for part in (lower, upper)):
        return False
    match upper:
        case ast.BinOp(op=ast.Add(), left=base, right=width) if lower is not None:
            return ast.dump(base) != ast.dump(lower) or _reads_signal(width, block)
    return True


def _reads_signal(node: ast.AST, block: UpdateBlock) -> bool:
    return any(isinstance(_denoted(x, block), Ref) for x in ast.walk(node))


Frames = list[tuple[FrameType, int]]  #: A traceback: frames with their lines, the innermost last

WIDTHS = re.compile(r"same type|different types|itwidth|too wide|bit width|mismatch")
"""Pattern of PyMTL3's messages about widths that differ."""

SAME_WIDTH = "the same width on both sides: zext, sext, trunc or a slice [0:n] makes it so"
PYMTL3 = str(Path(pymtl3.__file__).parent)

_PLACE = re.compile(r"In file (?P<file>.+?)(?::|, Line )(?P<line>\d+)")
_REASON = re.compile(r"(?:^|\s)(?:-|\^\^\^|\^ -) (?P<reason>\S.*)", re.DOTALL)
_OBJECT = re.compile(r"<[\w.]*?(\w+) object at 0x[0-9a-f]+>")
_NO_SIGNALS = ("clk", "reset", "construct", "line_trace")


def by_text(error: BaseException) -> DesignError | None:
    """Convert an exception of PyMTL3 with a file and line in its text, unless PyMTL3's own."""
    text = str(error)
    found = _PLACE.search(text)
    if found is None or found["file"].startswith(PYMTL3):
        return None
    reason = _REASON.search(text[found.end() :])
    what = " ".join((reason["reason"] if reason else text).split())
    what = re.split(r" \(when constructing | Suggestion: ", what)[0]
    what = _OBJECT.sub(r"\1", what).replace("Vector", "Bits").rstrip("!.")
    allowed = SAME_WIDTH if WIDTHS.search(what) else IN_BLOCKS
    if "-bit index" in what:
        allowed = "an index of that many bits: zext, trunc or a slice makes it so"
    return DesignError(what, allowed, Place(found["file"], int(found["line"])))


def causes_of(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception and, one after the other, the exceptions that led to it."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:  # an exception can be raised from itself
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def owner_of(error: BaseException | None) -> Any:
    """Return the object whose missing attribute led to ``error``; None if no such object."""
    for cause in causes_of(error):
        if isinstance(cause, AttributeError) and getattr(cause, "obj", None) is not None:
            return cause.obj
    return None


def names_of(owner: Any) -> str:
    """List the fields or attributes of an object for an error message; empty text if none."""
    if is_bitstruct_class(type(owner)):
        return f"the fields {', '.join(type(owner).__bitstruct_fields__)}"
    if owner is None or not hasattr(owner, "__dict__"):
        return ""
    names = sorted(x for x in vars(owner) if not x.startswith("_") and x not in _NO_SIGNALS)
    return f"the names {', '.join(names)}" if names else ""


def circuit_name(component: Component) -> str:
    """Name of a component's class, and ``nbits``, because some mistakes need certain widths."""
    name, metadata = type(component).__name__, component._dsl
    try:
        bound = signature(component.construct).bind(*metadata.args, **metadata.kwargs)
    except TypeError:  # the arguments themselves may be the mistake
        return name
    width = bound.arguments.get("nbits")
    return name if width is None else f"{name}, nbits={width}"
