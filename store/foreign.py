"""Compiled libraries, of which only functions with declared types can be called."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

from rsaxcel.store.places import check_code


class ForeignLibrary(ctypes.CDLL):
    """A loaded library; a function can be called once ``declare`` has given its types.

    ctypes passes an integer to an undeclared function as a C ``int``, which cuts addresses to 32
    bits. This works only while addresses are small, as in a Python that is not position
    independent.
    """

    def __init__(self, path: Path | None = None) -> None:
        if path is not None:
            check_code(path)
        super().__init__(None if path is None else str(path))

    def __getattr__(self, name: str) -> Any:
        """Refuse a function without types, which ctypes would call without a check."""
        raise AttributeError(f"{name}: call declare with the types of this function first")

    def declare(self, name: str, result: Any, *arguments: Any) -> Any:
        """Return a function after setting the ctypes types of its result and arguments."""
        function = self[name]
        function.restype, function.argtypes = result, arguments
        setattr(self, name, function)
        return function


def prctl(option: int, value: int, more: int = 0) -> None:
    """Set an option of this process in the kernel, by its number in linux/prctl.h."""
    call = ForeignLibrary().declare("prctl", ctypes.c_int, ctypes.c_int, *[ctypes.c_ulong] * 4)
    call(option, value, more, 0, 0)
