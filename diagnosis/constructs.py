"""Constructs that update blocks must not have, because no circuit corresponds to them."""

import ast
import builtins
from typing import Any

import pymtl3
from pymtl3 import Bits, concat, reduce_and, reduce_or, reduce_xor, sext, trunc, zext
from pymtl3.datatypes import is_bitstruct_class
from pymtl3.dsl.NamedObject import NamedObject

from rsaxcel.diagnosis.blocks import UpdateBlock, signal_name
from rsaxcel.diagnosis.error import DesignError
from rsaxcel.diagnosis.words import Ref, reference

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
