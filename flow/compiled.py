"""Compiles C++ sources into a shared library, once, and loads it with ctypes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rsaxcel.sim.native.records import ForeignRecord, check_layout, records_source
from rsaxcel.sim.native.source import read_sources
from rsaxcel.sim.native.toolchain import find_toolchain, run_tool
from rsaxcel.store.folders import cache_root, keep, key_of
from rsaxcel.store.foreign import ForeignLibrary

_LIBRARY = "library.so"
_NATIVE = "-march=native"
# Not _NATIVE, and no contraction of a * b + c: results are the same on every x86-64 machine.
_SAME = ("-std=c++17", "-O3", "-ffp-contract=off", "-Wall", "-Wextra", "-fPIC", "-shared")


def load(name: str, sources: Mapping[str, str], flags: Sequence[str] = _SAME) -> ForeignLibrary:
    """Compile and load C++ sources by file name; the store keeps the library by its content.

    Every `.cpp` file is compiled; files include each other as `#include "steiner.h"`. Functions for
    Python are `extern "C"`. `SetupError` if the compiler or the store fails.
    """
    tools = find_toolchain()
    cpu = tools.cpu if _NATIVE in flags else ""
    key = key_of(sources, tools.versions, cpu, flags)

    def populate(folder: Path) -> None:
        for file, text in sources.items():
            (folder / file).write_text(text, encoding="utf-8")
        units = [str(folder / file) for file in sources if file.endswith(".cpp")]
        run_tool([*tools.compiler(flags), *units, "-o", str(folder / _LIBRARY)])

    return ForeignLibrary(keep(cache_root(), f"{name}-{key}", populate) / _LIBRARY)


def load_recorded(
    name: str, folder: Path, files: Sequence[str], records: Sequence[type[ForeignRecord]]
) -> ForeignLibrary:
    """Compile and load source files of a folder, with ``records.h`` of some records."""
    head, _, table = records_source(records).partition("\nstruct FieldLayout")
    sources = dict(read_sources(folder, tuple(files)))
    sources["records.h"] = "#pragma once\n#include <cstddef>\n#include <cstdint>\n" + head
    sources[files[0]] += "\nstruct FieldLayout" + table
    code = load(name, sources)
    check_layout(code, records)
    return code
