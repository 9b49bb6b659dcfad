"""Formulas of a description: integers and few names with few operators, and bounds.

======== ======================================================================================
level    operators, those that bind closest last
======== ======================================================================================
sum      ``+``, ``-``
product  ``*``, ``//``, ``%`` or ``mod``
sign     ``-``
power    ``**``, from right to left; a negative exponent is an inverse, and goes with ``mod`` alone
atom     a number, a name such as ``nbits`` or ``n``, ``length(NAME)``, the bits of an operand,
         ``weight(NAME)``, its ones, or a formula in parentheses
======== ======================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from rsaxcel.plan.modulus_constants import (
    Formula,
    NegatedInverse,
    PowerOfTwo,
    ProductOf,
    Reciprocal,
    Remainder,
)
from rsaxcel.store.errors import UserError

LONGEST = 200  #: characters of a formula
_DEEPEST = 20  #: parentheses, powers and signs in each other
_MOST_NBITS = 1 << 17  #: bits of each intermediate value
_EXPONENT_NBITS = 64  #: bits of the exponent of a power modulo a number

_TOKEN = re.compile(r"\s*(0[xX][0-9a-fA-F_]+|[0-9][0-9_]*|[A-Za-z]\w*|\*\*|//|[-+*%()])")


class FormulaError(UserError):
    """A formula that is no formula, or has no value; the message is a part of a line."""


@dataclass(frozen=True)
class _Number:
    value: int


@dataclass(frozen=True)
class _Name:
    name: str


@dataclass(frozen=True)
class _Count:
    """Number of an operand's bits (``length``), or of its ones (``weight``)."""

    function: str
    name: str


@dataclass(frozen=True)
class _Minus:
    of: _Node


@dataclass(frozen=True)
class _Operation:
    sign: str
    left: _Node
    right: _Node


_Node = _Number | _Name | _Count | _Minus | _Operation

_COUNTS = {"length": int.bit_length, "weight": int.bit_count}


def value(text: str, **names: int) -> int:
    """Evaluate a formula; ``names`` are those that it may contain."""
    node = parse(text)
    allowed = {*names}
    for name in sorted(names_of(node) - allowed):
        raise FormulaError(f"{name!r} is unknown; allowed: {', '.join(sorted(allowed))}")
    return _value(node, names)


@cache
def parse(text: str) -> _Node:
    return _Parser(text).parse()


def names_of(node: _Node) -> set[str]:
    if isinstance(node, _Operation):
        return names_of(node.left) | names_of(node.right)
    if isinstance(node, _Minus):
        return names_of(node.of)
    return {node.name} if isinstance(node, _Name | _Count) else set()


def most_nbits(text: str, nbits: int) -> int:
    """Give the largest width of a constant of the modulus ``n``, by the form of its formula.

    Allowed are a remainder by ``n`` or by a number without ``n``, and such a number over ``n``.
    """
    node = parse(text)
    if isinstance(node, _Operation):
        if node.sign == "%" and node.right == _Name("n"):
            return nbits
        if node.sign == "%" and "n" not in names_of(node.right):
            return max(1, (_value(node.right, {"nbits": nbits}) - 1).bit_length())
        divides = node.sign == "//" and node.right == _Name("n")
        if divides and "n" not in names_of(node.left):
            return max(1, _value(node.left, {"nbits": nbits}).bit_length())
    if "n" not in names_of(node):
        return max(1, _value(node, {"nbits": nbits}).bit_length())
    raise FormulaError(
        "how wide it is cannot be told; X mod n, X mod NUMBER and NUMBER // n are allowed"
    )


def for_host(text: str, nbits: int) -> Formula | None:
    """Give a formula of the modulus ``n`` by the classes that a host computes; None: it cannot."""
    try:
        return _for_host(parse(text), {"nbits": nbits})
    except FormulaError:
        return None


def _for_host(node: _Node, names: Mapping[str, int]) -> Formula | None:
    if not isinstance(node, _Operation):
        return None
    left, right, of_n = node.left, node.right, _Name("n")
    if node.sign == "*":
        factors = _for_host(left, names), _for_host(right, names)
        return ProductOf(*factors) if all(factors) else None  # type: ignore[arg-type]
    if node.sign == "//":
        return Reciprocal(_exponent(left, names)) if right == of_n else None
    if node.sign != "%":
        return None
    if right == of_n:
        if "n" not in names_of(left):
            return PowerOfTwo(_exponent(left, names))
        inner = _for_host(left, names)
        return Remainder(inner) if inner else None
    inverse = _Operation("**", of_n, _Minus(_Number(1)))
    negated = _Operation("**", _Minus(of_n), _Minus(_Number(1)))
    if left in (_Minus(inverse), negated) and "n" not in names_of(right):
        return NegatedInverse(_exponent(right, names))
    return None


def _exponent(node: _Node, names: Mapping[str, int]) -> int:
    """Exponent of a number that is a power of two; ``FormulaError`` if it is none."""
    if "n" in names_of(node):
        raise FormulaError("no number")
    if isinstance(node, _Operation) and (node.sign, node.left) == ("**", _Number(2)):
        return _value(node.right, names)
    found = _value(node, names)
    if found < 1 or found & (found - 1):
        raise FormulaError("no power of two")
    return found.bit_length() - 1


class _Parser:
    def __init__(self, text: str) -> None:
        if len(text) > LONGEST:
            raise FormulaError(f"it has {len(text)} characters; {LONGEST} are allowed")
        self._text, self._tokens = text, []
        end = 0
        while text[end:].strip():
            match = _TOKEN.match(text, end)
            if not match:
                raise FormulaError(
                    f"{text[end:].strip()[0]!r}: numbers, nbits, n, + - * // % ** mod and "
                    "parentheses are allowed"
                )
            self._tokens.append("%" if match[1] == "mod" else match[1])
            end = match.end()
        self._depth = 0

    def parse(self) -> _Node:
        node = self._sum()
        if self._tokens:
            raise FormulaError(f"{self._tokens[0]!r} follows a whole formula; an operator may")
        return node

    def _take(self, *signs: str) -> str:
        return self._tokens.pop(0) if self._tokens and self._tokens[0] in signs else ""

    def _sum(self) -> _Node:
        node = self._product()
        while sign := self._take("+", "-"):
            node = _Operation(sign, node, self._product())
        return node

    def _product(self) -> _Node:
        node = self._sign()
        while sign := self._take("*", "//", "%"):
            node = _Operation(sign, node, self._sign())
        return node

    def _sign(self) -> _Node:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise FormulaError(f"more than {_DEEPEST} formulas in each other")
        node = _Minus(self._sign()) if self._take("-") else self._power()
        self._depth -= 1
        return node

    def _power(self) -> _Node:
        node = self._atom()
        return _Operation("**", node, self._sign()) if self._take("**") else node

    def _atom(self) -> _Node:
        if self._take("("):
            node = self._sum()
            if not self._take(")"):
                raise FormulaError("a parenthesis is not closed")
            return node
        if not self._tokens:
            raise FormulaError("it ends where a number, nbits, n or a parenthesis is needed")
        token = self._tokens.pop(0)
        if token[0].isdigit():
            try:
                return _Number(int(token, 0))
            except ValueError:
                raise FormulaError(f"{token!r} is no number") from None
        if token[0].isalpha():
            return self._count(token) if self._take("(") else _Name(token)
        raise FormulaError(f"{token!r}: a number, nbits, n or a parenthesis is needed")

    def _count(self, function: str) -> _Node:
        if function not in _COUNTS:
            raise FormulaError(
                f"{function}(...): {' and '.join(_COUNTS)} of an operand are allowed"
            )
        name = self._tokens.pop(0) if self._tokens else ""
        if not name[:1].isalpha() or not self._take(")"):
            raise FormulaError(f"{function}: the name of an operand in parentheses is allowed")
        return _Count(function, name)


def _value(node: _Node, names: Mapping[str, int]) -> int:
    if isinstance(node, _Number):
        return node.value
    if isinstance(node, _Name):
        return names[node.name]
    if isinstance(node, _Count):
        return _COUNTS[node.function](names[node.name])
    if isinstance(node, _Minus):
        return -_value(node.of, names)
    right = _value(node.right, names)
    if node.sign == "%":
        return _remainder(node.left, _positive(right), names)
    left = _value(node.left, names)
    if node.sign == "//":
        return left // _positive(right)
    if node.sign == "**":
        if right < 0:
            raise FormulaError("an inverse goes with mod alone, such as -n**-1 mod 2**nbits")
        _check_size(left.bit_length() * right)
        return int(left**right)
    if node.sign == "*":
        _check_size(left.bit_length() + right.bit_length())
        return left * right
    return left + right if node.sign == "+" else left - right


def _remainder(node: _Node, modulus: int, names: Mapping[str, int]) -> int:
    """Evaluate modulo a number, so that powers stay small and inverses exist."""
    if isinstance(node, _Minus):
        return -_remainder(node.of, modulus, names) % modulus
    if isinstance(node, _Operation) and node.sign in ("+", "-", "*"):
        left = _remainder(node.left, modulus, names)
        right = _remainder(node.right, modulus, names)
        if node.sign == "*":
            return left * right % modulus
        return (left + right if node.sign == "+" else left - right) % modulus
    if isinstance(node, _Operation) and node.sign == "**":
        left, right = _remainder(node.left, modulus, names), _value(node.right, names)
        if right.bit_length() > _EXPONENT_NBITS:
            raise FormulaError(f"an exponent has more than {_EXPONENT_NBITS} bits")
        try:
            return pow(left, right, modulus)
        except ValueError:
            raise FormulaError("a number has no inverse modulo the other one") from None
    return _value(node, names) % modulus


def _positive(number: int) -> int:
    if number <= 0:
        raise FormulaError("a division by zero or less; positive numbers are allowed")
    return number


def _check_size(nbits: int) -> None:
    if nbits > _MOST_NBITS:
        raise FormulaError(f"a value has more than {_MOST_NBITS} bits")
