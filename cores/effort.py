"""Limits for loops and operators of Verilog: tools unroll loops, and make gates of operators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rsaxcel.cores.errors import DescriptionError, Place

_MOST_ROUNDS = 1 << 16  #: rounds of a loop, times those of a loop in it
_WIDEST = 1 << 13  #: bits of a product, quotient or power: Verilator takes no wider quotient
_WIDEST_GATES = 1 << 10  #: bits of a product, quotient or power, if gates are made of it
_MOST_ROUNDS_GATES = 1 << 12  #: rounds of a loop, if gates are made of it
_INDEX = 32  #: bits of operators of an index, which are constants in each round
_ENDLESS = ("WhileLoop", "DoWhileLoop", "ForeverLoop")
_OPERATORS = ("Multiply", "Divide", "Mod", "Power")


def check_effort(symbol: Any, body: Any, place: Place) -> Iterator[str]:
    """Yield operators too wide for gates; ``DescriptionError`` for what is too large for any tool.

    ``body`` is a statement or an expression of ``symbol``.
    """
    loops, wide = _parts(body)
    squares = _squares(wide)
    for loop in loops:
        rounds = _rounds(symbol, loop)
        if rounds > _MOST_ROUNDS:
            raise DescriptionError(
                f"{place(loop.sourceRange.start)}: a loop with more than {_MOST_ROUNDS:,} rounds, "
                "with those of loops in it; fewer are allowed"
            )
        if rounds > _MOST_ROUNDS_GATES:
            yield (
                f"{place(loop.sourceRange.start)}: a loop with {rounds:,} rounds, with those of "
                f"loops in it; the flow takes {_MOST_ROUNDS_GATES:,}"
            )
        squares += (rounds - 1) * _squares(_parts(loop.body)[1])
    for operator in wide:
        nbits = operator.type.bitWidth
        told = f"{place(operator.sourceRange.start)}: an operator of {nbits:,} bits"
        if nbits > _WIDEST:
            raise DescriptionError(f"{told}; {_WIDEST:,} are allowed for * / % and **")
        if operator.op.name == "Power":
            yield f"{place(operator.sourceRange.start)}: the flow takes ** with a constant alone"
        elif nbits > _WIDEST_GATES:
            yield f"{told}; the flow takes {_WIDEST_GATES:,} for * / % and **"
    if squares > _WIDEST_GATES**2:
        yield (
            f"{place(wide[0].sourceRange.start)}: with it, operators * / % and ** are more than "
            f"one of {_WIDEST_GATES:,} bits; the flow takes fewer, or narrower ones"
        )


def _squares(operators: list[Any]) -> int:
    """Estimate the gates of operators; those of an index are left out."""
    return sum(x.type.bitWidth**2 for x in operators)


def check_ends(symbol: Any, body: Any, place: Place) -> None:
    """Refuse loops and functions of a process that may run without an end.

    A function may have such loops, or call itself, where its arguments are constants.
    """
    from pyslang import ast

    context = ast.EvalContext(symbol)
    loops, calls = _endless(body)
    if loops:
        raise DescriptionError(
            f"{place(loops[0].sourceRange.start)}: a loop whose rounds are not known before it "
            "runs; `for` with constant bounds is allowed"
        )
    for call in calls:
        if (how := _how_endless(call.subroutine)) and not call.eval(context):
            raise DescriptionError(
                f"{place(call.sourceRange.start)}: {call.subroutine.name} {how}; that is allowed "
                "with constant arguments"
            )


def _how_endless(function: Any) -> str:
    """Say why a function may run without an end; empty if it does not."""
    seen, left = {function}, [function]
    while left:
        loops, calls = _endless(left.pop().body)
        if loops:
            return "has a loop whose rounds are not known before it runs"
        for called in (x.subroutine for x in calls):
            if called is function:
                return "calls itself"
            if called not in seen:
                seen.add(called)
                left.append(called)
    return ""


def _endless(body: Any) -> tuple[list[Any], list[Any]]:
    """Return the loops of a body without constant bounds, and the calls of its own functions."""
    loops: list[Any] = []
    calls: list[Any] = []

    def visit(node: Any) -> None:
        kind = getattr(getattr(node, "kind", None), "name", "")
        if kind in _ENDLESS or (kind == "ForLoop" and node.stopExpr is None):
            loops.append(node)
        elif kind == "Call" and hasattr(node.subroutine, "body"):  # else the language's own
            calls.append(node)

    body.visit(visit)
    return loops, calls


def _parts(body: Any) -> tuple[list[Any], list[Any]]:
    loops: list[Any] = []
    wide: list[Any] = []

    def visit(node: Any) -> None:
        kind = getattr(getattr(node, "kind", None), "name", "")
        if kind in ("ForLoop", "RepeatLoop"):
            loops.append(node)
        elif kind == "BinaryOp" and node.op.name in _OPERATORS:
            is_const = node.right.constant is not None or node.left.constant is not None
            is_wide = node.type.isIntegral and node.type.bitWidth > _INDEX
            if not is_const and (is_wide or node.op.name == "Power"):
                wide.append(node)

    body.visit(visit)
    return loops, wide


def _rounds(symbol: Any, loop: Any) -> int:
    """Multiply rounds of a loop by those of the largest loop in it; 1 if they cannot be told."""
    inner, _ = _parts(loop.body)
    within = max([1, *(_rounds(symbol, x) for x in inner)])
    return within * _own(symbol, loop, _MOST_ROUNDS // within + 1)


def _own(symbol: Any, loop: Any, most: int) -> int:
    from pyslang import ast

    context = ast.EvalContext(symbol)
    context.pushEmptyFrame()
    if loop.kind.name == "RepeatLoop":
        value = loop.count.eval(context)
        return integer(value) if value.value is not None and not value.hasUnknown() else 1
    for variable in loop.loopVars:
        start = variable.initializer
        value = variable.type.defaultValue if start is None else start.eval(context)
        context.createLocal(variable, value)
    for start in loop.initializers:
        variable = getattr(getattr(start, "left", None), "symbol", None)
        if variable is not None:
            context.createLocal(variable, variable.type.defaultValue)
            start.eval(context)
    for count in range(most + 1):
        value = None if loop.stopExpr is None else loop.stopExpr.eval(context)
        if value is None or not value.isTrue():
            return max(1, count)
        for step in loop.steps:
            step.eval(context)
    return most + 1


def integer(value: Any) -> int:
    """Give a value of slang without unknown bits, unsigned."""
    from pyslang import LiteralBase

    return int(value.value.toString(LiteralBase.Hex, False), 16)
