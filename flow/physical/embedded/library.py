"""Compiles C++ sources into a shared library, once, and loads it with ctypes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from rsaxcel.sim.native.records import ForeignRecord, check_layout, records_source
from rsaxcel.sim.native.toolchain import find_toolchain, run_tool
from rsaxcel.store.folders import cache_root, keep, key_of
from rsaxcel.store.foreign import ForeignLibrary

_LIBRARY = "library.so"
# No -march=native and no contraction of a * b + c: results are the same on every x86-64 machine.
_FLAGS = ("-std=c++17", "-O3", "-ffp-contract=off", "-Wall", "-Wextra", "-fPIC", "-shared")


def load(name: str, sources: Mapping[str, str], directory: Path | None = None) -> ForeignLibrary:
    """Compile and load C++ sources by file name; the store keeps the library by its content.

    Every `.cpp` file is compiled; files include each other as `#include "steiner.h"`. Functions for
    Python are `extern "C"`. `SetupError` if the compiler or the store fails.
    """
    return _load(name, tuple(sorted(sources.items())), directory or cache_root())


@cache
def _load(name: str, sources: tuple[tuple[str, str], ...], directory: Path) -> ForeignLibrary:
    tools = find_toolchain()
    key = key_of(sources, tools.versions, _FLAGS)

    def populate(folder: Path) -> None:
        for file, text in sources:
            (folder / file).write_text(text, encoding="utf-8")
        compiled = [str(folder / file) for file, _ in sources if file.endswith(".cpp")]
        run_tool([*tools.compiler(_FLAGS), *compiled, "-o", str(folder / _LIBRARY)])

    entry = keep(directory, f"{name}-{key}", populate)
    return ForeignLibrary(entry / _LIBRARY)


def load_recorded(
    name: str, files: Sequence[str], records: Sequence[type[ForeignRecord]]
) -> ForeignLibrary:
    """Compile and load source files of this package, with ``records.h`` of some records."""
    head, _, table = records_source(records).partition("\nstruct FieldLayout")
    sources = dict(read_sources(*files))
    sources["records.h"] = "#pragma once\n#include <cstddef>\n#include <cstdint>\n" + head
    sources[files[0]] += "\nstruct FieldLayout" + table
    code = load(name, sources)
    check_layout(code, records)
    return code


@cache
def read_sources(*names: str) -> Mapping[str, str]:
    """Read source files of this package for :func:`load`."""
    folder = Path(__file__).parent
    return {name: (folder / name).read_text(encoding="utf-8") for name in names}
