"""PyMTL3 3.1.17 on Python 3.12 and later.

Python 3.14 removed ``ast.Num``, ``ast.Str``, their visitors, and annotations in a class's
``__dict__``, which PyMTL3 needs. Python 3.12 and 3.13 warn at each use, millions of times in our
tests.
"""

import ast
import sys
from typing import Any

from pymtl3.datatypes import bitstructs
from pymtl3.dsl import AstHelper, ComponentLevel3
from pymtl3.passes.rtlir.behavioral import BehavioralRTLIRGenL1Pass

from rsaxcel.fl.wide_bits import INSTALL, UnsupportedPymtl3Error

#: Modules of PyMTL3 that name removed classes, or have visitors for them.
READERS = (AstHelper, ComponentLevel3, BehavioralRTLIRGenL1Pass)

_FIELDS = "_annotations"


class _Kind(type):
    """Class of the constants of some types, as ``ast.Num`` was."""

    types: tuple[type, ...]

    def __instancecheck__(cls, node: object) -> bool:
        return isinstance(node, ast.Constant) and type(node.value) in cls.types


class _Num(metaclass=_Kind):
    types = (int, float, complex)

    def __new__(cls, n: complex, **place: Any) -> Any:
        return ast.Constant(n, **place)


class _Str(metaclass=_Kind):
    types = (str,)


class _Ast:
    """Python's module ``ast`` with the removed classes, for PyMTL3 alone."""

    Num, Str = _Num, _Str

    def __getattr__(self, name: str) -> Any:
        return getattr(ast, name)


def adapt() -> None:
    """Let PyMTL3 read components and bit structs on the Python of this process."""
    if sys.version_info >= (3, 12):
        read_constants()
    if sys.version_info >= (3, 14):
        read_annotations()


def read_constants() -> None:
    """Give PyMTL3 the classes of constants, and its visitors the method that Python calls."""
    for module in READERS:
        module.ast = _Ast()
        for visitor in vars(module).values():
            if isinstance(visitor, type) and "visit_Num" in vars(visitor):
                visitor.visit_Constant = _visit_constant  # type: ignore[attr-defined]
    ast.Constant.n = property(lambda node: node.value)  # type: ignore[assignment]


def _visit_constant(visitor: Any, node: ast.Constant) -> Any:
    kind = "Num" if isinstance(node, _Num) else "Str" if isinstance(node, _Str) else ""
    return getattr(visitor, f"visit_{kind}", visitor.generic_visit)(node)


def read_annotations() -> None:
    """Let bit structs take their fields from annotations, wherever Python keeps these."""
    process = bitstructs._process_class
    # PyMTL3 reads `cls.__dict__["__annotations__"]`: the name is replaced in the compiled function.
    constants = process.__code__.co_consts
    if constants.count("__annotations__") != 1:
        raise UnsupportedPymtl3Error(f"PyMTL3's bit structs changed; {INSTALL}")
    process.__code__ = process.__code__.replace(
        co_consts=tuple(_FIELDS if x == "__annotations__" else x for x in constants)
    )

    def process_class(cls: type, *options: bool) -> type:
        setattr(cls, _FIELDS, cls.__annotations__)
        return process(cls, *options)

    bitstructs._process_class = process_class
