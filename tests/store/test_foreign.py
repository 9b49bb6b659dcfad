"""Functions of compiled libraries have declared types, wherever they are called."""

import ast
import ctypes
import mmap
from pathlib import Path

import pytest

from rsaxcel.store.foreign import ForeignLibrary

ROOT = Path(__file__).parents[2]
LOADERS = {"CDLL", "PyDLL", "LibraryLoader", "LoadLibrary", "load_library", "cdll", "pydll"}
TYPES = {"argtypes", "restype"}


def names(text: str) -> set[str]:
    """Names and attributes in a file, also those in the texts of programs it runs."""
    tree = ast.parse(text)
    found = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    found |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return found | {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_undeclared_function_is_refused():
    with pytest.raises(AttributeError, match="getpid: call declare"):
        ForeignLibrary().getpid()


def test_addresses_above_32_bits_arrive_whole():
    """The C library returns the pointer into a text that it was given: its address comes back."""
    library = ForeignLibrary()
    library.declare("strchr", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
    text = mmap.mmap(-1, 4096)  # lies above 4 GB, whatever the Python
    text[:2] = b"ab"
    address = ctypes.addressof(ctypes.c_char.from_buffer(text))
    assert address >> 32
    assert library.strchr(address, ord("b")) == address + 1


def test_libraries_are_loaded_in_one_place_only():
    files = [
        path
        for path in ROOT.rglob("*.py")
        if not {".venv", "build"} & set(path.relative_to(ROOT).parts)
    ]
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in files}
    said = {x: text for x, text in texts.items() if any(y in text for y in LOADERS | TYPES)}
    assert [x for x, text in said.items() if names(text) & (LOADERS | TYPES)] == [
        "store/foreign.py"
    ]
