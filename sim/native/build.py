"""Verilog and a driver to a shared library, built once per content."""

import os
import shutil
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Literal

from sim.native.failure import keep_failure
from sim.native.notice import tell_compiling, tell_seconds
from sim.native.toolchain import Toolchain, ToolError, find_toolchain, run_tool
from store.folders import cache_root, keep, key_of

Trace = Literal["vcd", "saif"]

# Verilator's files are compiled in groups of this size, because the headers alone take a compiler
# some time. A model that is one group is small enough for all optimizations. A larger one is
# long straight-line code that runs no faster for more than -O1 (measured on pipelines of 160 to 640
# adders), but compiles three times as long.
_UNIT_BYTES = 700_000
# Beyond this size, modules keep code of their own, which their instances share: half the time to
# compile, and a third faster, because the processor's caches hold it (640 adders of 130 bits).
_INLINED_BYTES = 3_000_000
# All that is compiled once takes so long together, half of it for this object (measured).
_RUNTIME_SECONDS = 10.0
_LONGEST_OBJECT = "verilated"
# Code that runs once is compiled beside the other, without optimization, beyond a size where a
# second compiler is done before the first: it takes a fifth of a second to read the headers.
_START_UP_BYTES = 40_000

_COMPILE = (
    "-std=c++17",
    "-fPIC",
    "-pthread",
    "-fvisibility=hidden",
    # Libraries of many designs share one process, and all call their model Dut.
    "-fno-gnu-unique",
    # Vector instructions for loops over the words of wide values, at -O1 and -O2 too.
    *("-ftree-loop-vectorize", "-fvect-cost-model=dynamic"),
    # The driver turns these ends of the process into exceptions.
    "-DVL_USER_FATAL",
    "-DVL_USER_STOP",
    "-DVL_USER_FINISH",
)
# What a translation may do: widths that differ, comparisons of numbers and selections past the end
# in branches that are never taken (loops written out), arrays that a signal indexes, and feedback
# between val and rdy that only looks like a loop. The other warnings are errors.
_RTL_WARNINGS = (
    *("-Wno-WIDTH", "-Wno-CMPCONST", "-Wno-UNSIGNED", "-Wno-SELRANGE"),
    *("-Wno-SPLITVAR", "-Wno-UNOPTFLAT"),
)
_NETLIST_WARNINGS = ("-Wno-lint", "-Wno-fatal")
# Take the place of functions of Verilator's, in all that is compiled.
_REPLACEMENTS = ("multiply.h", "wide.h", "power_up.h")
_LINK = ("-shared", "-pthread", "-Wl,-Bsymbolic")


@dataclass(frozen=True)
class BuildOptions:
    """How a library is built.

    Parameters
    ----------
    optimize
        Optimization level of the compiler; at most -O1 for models too large for one unit.
    native_cpu
        Compile for this very processor.
    netlist
        The Verilog was written by other tools: Verilator's warnings do not fail the build.
    """

    optimize: str = "-O2"
    native_cpu: bool = True
    netlist: bool = False


def build_library(
    verilog: str,
    top: str,
    driver: str,
    *,
    options: BuildOptions | None = None,
    trace: Trace | None = None,
    directory: Path | None = None,
) -> Path:
    """Return the shared library of a Verilog text with a driver, building it unless it is kept.

    The driver includes ``Dut.h``, Verilator's model of ``top`` (see :mod:`sim.native.driver`). What
    decides the library enters its key: Verilog, driver, options, tool versions and the processor.

    Parameters
    ----------
    verilog
        All modules; cell models too, for a netlist.
    top
        Name of the top module.
    driver
        C++ source.
    options
        The defaults suit translated RTL.
    trace
        ``"vcd"`` for waveforms, ``"saif"`` for toggle counts; such a library is slower.
    directory
        Where libraries are kept; see :func:`store.folders.cache_root`.

    Raises
    ------
    ToolError
        If Verilator or the compiler is missing or refuses the source; names its log.
    CacheError
        If the store cannot be written.
    """
    options = options or BuildOptions()
    tools = find_toolchain()
    directory = directory or cache_root()
    verilate = [
        *("--cc", "--prefix", "Dut", "--top-module", top, "-O3", "--no-assert", "--no-timing"),
        *("--x-assign", "fast", "--x-initial", "unique", "--output-split", "20000"),
        # Wide values repeat a bit thousands of times; a netlist's line has a name for each bit.
        *("--replication-limit", "0", "--preproc-token-limit", "10000000"),
        # Wider operations stay loops over words: written out, those of 4096 bits fill the
        # processor's caches with code and run at a third of the speed.
        *("--expand-limit", "16"),
        *(_NETLIST_WARNINGS if options.netlist else _RTL_WARNINGS),
        # Traces show arrays as arrays.
        *((f"--trace-{trace}", "--trace-underscore", "--trace-structs") if trace else ()),
        *(("-fno-var-split",) if trace else ()),
    ]
    compile_flags = [
        *(["-march=native"] if options.native_cpu else []),
        *_COMPILE,
    ]
    processor = tools.cpu if options.native_cpu else ""
    key = key_of(
        *(verilog, driver, *_replacements().values(), tools.versions, options.optimize),
        *(*verilate, *compile_flags, *_LINK, processor),
    )

    def populate(folder: Path) -> None:
        build = (verilog, driver, tools, verilate, compile_flags, trace, directory)
        try:
            _build(folder, top, options.optimize, *build)
        except ToolError as error:
            raise keep_failure(error, folder, directory, name) from error

    name = f"{top}-{key}"
    return keep(directory, name, populate) / "library.so"


def _build(
    folder: Path,
    top: str,
    optimize: str,
    verilog: str,
    driver: str,
    tools: Toolchain,
    verilate: Sequence[str],
    compile_flags: Sequence[str],
    trace: Trace | None,
    directory: Path,
) -> None:
    source, model = folder / "dut.sv", folder / "model"
    source.write_text(verilog)
    (folder / "driver.cpp").write_text(driver)
    command = [str(tools.verilator), *verilate, "--Mdir", str(model), str(source)]
    started = time.monotonic()
    run_tool(command, VERILATOR_ROOT=str(tools.verilator_root))
    is_large = sum(path.stat().st_size for path in model.glob("*.cpp")) > _INLINED_BYTES
    tell_compiling(top, time.monotonic() - started, is_large)
    if is_large:
        shutil.rmtree(model)
        run_tool([*command, "-fno-inline"], VERILATOR_ROOT=str(tools.verilator_root))
    runtime = [_runtime_object(name, tools, directory) for name in _runtime_sources(trace)]
    compiler = [*tools.cxx, *compile_flags, *_includes(tools, model)]
    generated = sorted(model.glob("*.cpp"))
    start_up = [path for path in generated if path.stem.endswith("__Slow")]
    if sum(path.stat().st_size for path in start_up) <= _START_UP_BYTES:
        start_up = []
    running = [path for path in generated if path not in start_up]
    units = _units(folder, "unit", [*running, folder / "driver.cpp"])
    levels = dict.fromkeys(units, optimize if len(units) == 1 else min(optimize, "-O1"))
    levels |= dict.fromkeys(_units(folder, "start_up", start_up), "-O0")

    headers = {
        level: _headers(tools, [*compile_flags, level], directory) for level in {*levels.values()}
    }

    def compiled(unit: Path) -> Path:
        output, level = unit.with_suffix(".o"), levels[unit]
        first = ["-include", str(headers[level])]
        run_tool([*compiler, level, *first, "-c", str(unit), "-o", str(output)])
        return output

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compiled, levels))
    inputs = [str(path) for path in (*objects, *runtime)]
    run_tool([*tools.cxx, *_LINK, *inputs, "-o", str(folder / "library.so")])
    for path in objects:
        path.unlink(missing_ok=True)
    shutil.rmtree(model)


def _units(folder: Path, name: str, sources: Sequence[Path]) -> list[Path]:
    """Files that include the sources, group by group."""
    groups: list[list[Path]] = []
    size = _UNIT_BYTES
    for source in sources:
        size += source.stat().st_size
        if size > _UNIT_BYTES:
            groups.append([])
            size = source.stat().st_size
        groups[-1].append(source)
    units = [folder / f"{name}_{number}.cpp" for number in range(len(groups))]
    for unit, group in zip(units, groups, strict=True):
        lines = [f'#include "{path.relative_to(folder)}"\n' for path in group]
        unit.write_text("".join(lines))
    return units


def _runtime_sources(trace: Trace | None) -> list[str]:
    return ["verilated", "verilated_threads", *([f"verilated_{trace}_c"] if trace else [])]


def _runtime_object(name: str, tools: Toolchain, directory: Path) -> Path:
    """Object file of a part of Verilator's runtime, compiled once per version of the tools."""
    # Not for this very processor: it is linked to designs of any key.
    flags = ["-O2", *_COMPILE]

    def populate(folder: Path) -> None:
        if name == _LONGEST_OBJECT:
            tell_seconds("compiling Verilator's runtime, once", _RUNTIME_SECONDS)
        source = tools.include / f"{name}.cpp"
        output = str(folder / f"{name}.o")
        run_tool([*tools.cxx, *flags, *_includes(tools), "-c", str(source), "-o", output])

    key = key_of(tools.versions, *flags)
    return keep(directory, f"{name}-{key}", populate) / f"{name}.o"


def _headers(tools: Toolchain, flags: Sequence[str], directory: Path) -> Path:
    """Header with all that every file includes first, compiled once per level of optimization.

    Reading it so takes a compiler a tenth of a second; most models are compiled in less than the
    second that the sources of these headers take.
    """
    texts = _replacements()

    def populate(folder: Path) -> None:
        for name, text in texts.items():
            (folder / name).write_text(text)
        header = folder / "first.h"
        header.write_text("".join(f'#include "{name}"\n' for name in texts))
        compiler = [*tools.cxx, *flags, *_includes(tools)]
        run_tool([*compiler, "-x", "c++-header", str(header), "-o", f"{header}.gch"])

    processor = tools.cpu if "-march=native" in flags else ""
    # Those of earlier versions have no times, so that every command would read all of them.
    key = key_of("with times", tools.versions, processor, *flags, *texts.values())
    return keep(directory, f"headers-{key}", populate) / "first.h"


def _replacements() -> dict[str, str]:
    """Headers of ours by their names."""
    return {name: files(__package__).joinpath(name).read_text() for name in _REPLACEMENTS}


def _includes(tools: Toolchain, *folders: Path) -> list[str]:
    places = (*folders, tools.include, tools.include / "vltstd")
    return [part for place in places for part in ("-I", str(place))]
