"""Builds a shared library from Verilog and a C++ driver; stores it under a digest of its inputs."""

import os
import re
import shutil
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Literal

from rsaxcel.sim.native.toolchain import Toolchain, ToolError, find_toolchain, run_tool
from rsaxcel.store.folders import cache_root, find, keep, key_of

_LEAST_SECONDS = 5.0  #: for a shorter time, nothing is printed

# The estimate is a multiple of the time of Verilator's first pass, because the compiler's time
# grows in the same way: with the size of the generated C++, and with the load of the machine. The
# factors were measured on circuits of 0.7 to 3.4 MB of Verilog with all modules written out
# (mont_r2l, cm_r2l, systolic at 64 to 4096 bits). Verilator's second pass takes 0.6 times as long
# as the first pass, and the compiler on one core takes 4 to 7 times as long.
_SECOND_PASS = 0.6
_COMPILER = 5.5


def tell_compiling(top: str, first_pass: float, second_pass: bool) -> None:
    """Print that a circuit is being compiled, with an estimate of the remaining time.

    `first_pass`: seconds of Verilator's first pass; `second_pass`: another pass follows.
    """
    cores = len(os.sched_getaffinity(0))
    seconds = first_pass * (_COMPILER / cores + (_SECOND_PASS if second_pass else 0))
    tell_seconds(f"compiling {top}", seconds)


def tell_seconds(what: str, seconds: float) -> None:
    """Print a task and its estimated time; print nothing if the time is below 5 seconds."""
    if seconds < _LEAST_SECONDS:
        return
    rounded = 5 * max(1, round(seconds / 5))
    about = f"{rounded} s" if rounded < 120 else f"{round(seconds / 60)} min"
    print(f"{what}, about {about}", file=sys.stderr, flush=True)


_LOG = "log"
#: Verilator runs in the draft and names files there without a folder.
_RELATIVE = re.compile(r"(?<!\S)(?=\w+\.sv:\d)")


def keep_failure(error: ToolError, draft: Path, directory: Path, name: str) -> ToolError:
    """Store the files and the log of a failed build; return the error with the stored paths.

    ``draft`` is the tool's folder, which the caller removes.
    """
    if not error.output:  # the tool did not start
        return error
    kept = directory / f"refused-{name}"

    def with_paths(text: str) -> str:
        return _RELATIVE.sub(lambda _: f"{kept}/", text.replace(str(draft), str(kept)))

    def populate(folder: Path) -> None:
        shutil.copytree(draft, folder, dirs_exist_ok=True)
        (folder / _LOG).write_text(with_paths(error.output))

    keep(directory, kept.name, populate)
    return ToolError(f"{with_paths(str(error))} (log: {kept / _LOG})")


Trace = Literal["vcd", "saif"]

# Verilator's files are compiled in groups of about this size, because reading the headers takes
# the compiler some time. A model of one group is compiled with all optimizations. A larger model is
# long straight-line code that runs no faster above -O1, but takes three times as long to compile
# (measured on pipelines of 160 to 640 adders).
_UNIT_BYTES = 700_000
# If Verilator's C++ is larger than this, modules are not inlined, so that their instances share
# code. The shared code compiles in half the time and runs a third faster, because it fits the
# processor's caches (measured on 640 adders of 130 bits).
_INLINED_BYTES = 3_000_000
#: Seconds to compile Verilator's runtime library: _LONGEST_OBJECT takes them, and the other object
#: files are compiled beside it (measured on two cores).
_RUNTIME_SECONDS = 6.0
_LONGEST_OBJECT = "verilated"
# Start-up code above this size is compiled in parallel with the rest, without optimization. For
# less code, or if nothing is optimized, a second compiler process does not pay: it takes a fifth of
# a second to read the headers.
_START_UP_BYTES = 40_000

_COMPILE = (
    "-std=c++17",
    "-fPIC",
    "-pthread",
    "-fvisibility=hidden",
    # Many libraries are loaded into one process, and the model in each of them is named Dut. GNU's
    # unique symbols would be shared among these libraries.
    "-fno-gnu-unique",
    # Vector instructions for loops over the words of wide values, also at -O1 and -O2.
    "-ftree-loop-vectorize",
    "-fvect-cost-model=dynamic",
    # Verilator's functions for $fatal, $stop and $finish would end the process. The driver defines
    # them itself, to throw exceptions.
    "-DVL_USER_FATAL",
    "-DVL_USER_STOP",
    "-DVL_USER_FINISH",
)
# Warnings that are suppressed, because correct translated RTL can cause them:
# - WIDTH: operands have different widths.
# - CMPCONST, UNSIGNED, SELRANGE: an unrolled loop contains a comparison with a constant result, or
#   a selection past the end, in a branch that is never taken.
# - SPLITVAR: a signal indexes an array.
# - UNOPTFLAT: a path between val and rdy looks like a loop, but is none.
# - CASEINCOMPLETE: a case of a core in Verilog leaves out values, which change nothing.
# All other warnings are errors.
_RTL_WARNINGS = (
    "-Wno-WIDTH",
    "-Wno-CMPCONST",
    "-Wno-UNSIGNED",
    "-Wno-SELRANGE",
    "-Wno-SPLITVAR",
    "-Wno-UNOPTFLAT",
    "-Wno-CASEINCOMPLETE",
)
_NETLIST_WARNINGS = ("-Wno-lint", "-Wno-fatal")
#: Headers that every compiled file includes first; they replace functions of Verilator.
_REPLACEMENTS = ("multiply.h", "wide.h", "power_up.h")
_LIBRARY = "library.so"
_LINK = ("-shared", "-pthread", "-Wl,-Bsymbolic")


@dataclass(frozen=True)
class BuildOptions:
    #: optimization level; lowered to -O1 for a model of several compilation units
    optimize: str = "-O2"
    native_cpu: bool = True  #: compile for this machine's processor
    #: the Verilog is a netlist of another tool: warnings do not fail the build
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
    """Return the shared library of a Verilog text with a driver; build it unless it is stored.

    The driver includes ``Dut.h``, Verilator's model of ``top`` (``stream_driver``). The key covers
    Verilog, driver, options, tool versions and processor. A library with a ``trace`` (``vcd``:
    waveforms, ``saif``: toggle counts) is slower.
    """
    directory = directory or cache_root()
    library = _Library(verilog, top, driver, options or BuildOptions(), trace)

    def populate(folder: Path) -> None:
        try:
            library.build(folder, directory)
        except ToolError as error:
            raise keep_failure(error, folder, directory, library.name) from error

    return keep(directory, library.name, populate) / _LIBRARY


def is_built(
    verilog: str, top: str, driver: str, options: BuildOptions, directory: Path | None = None
) -> bool:
    """Whether ``build_library`` would find the library (without traces) in the store."""
    name = _Library(verilog, top, driver, options, None).name
    return find(directory or cache_root(), name) is not None


@dataclass(frozen=True)
class _Library:
    """All that decides on a shared library, besides the tools."""

    verilog: str
    top: str
    driver: str
    options: BuildOptions
    trace: Trace | None

    @cached_property
    def name(self) -> str:
        """Name of the library's entry in the store."""
        tools = find_toolchain()
        key = key_of(
            self.verilog,
            self.driver,
            *_replacements().values(),
            tools.versions,
            self.options.optimize,
            *self.verilate,
            *self.compile_flags,
            *_LINK,
            tools.cpu if self.options.native_cpu else "",
        )
        return f"{self.top}-{key}"

    @property
    def compile_flags(self) -> list[str]:
        """Options of the compiler, without the optimization level."""
        return [*(["-march=native"] if self.options.native_cpu else []), *_COMPILE]

    @property
    def verilate(self) -> list[str]:
        """Options of Verilator."""
        tools = find_toolchain()
        tracing = tools.known(f"--trace-{self.trace}") or ("--trace",)
        return [
            "--cc",
            "--prefix",
            "Dut",
            "--top-module",
            self.top,
            "-O3",
            "--no-assert",
            "--no-timing",
            "--x-assign",
            "fast",
            "--x-initial",
            "unique",
            "--output-split",
            "20000",
            # Raise Verilator's limits: wide values replicate a bit thousands of times, and a
            # netlist has lines that name every bit.
            *tools.known("--replication-limit", "0"),
            *tools.known("--preproc-token-limit", "10000000"),
            # Operations on more than 16 words stay loops. Without loops, the code for 4096 bits
            # overflows the processor's instruction caches and runs at a third of the speed.
            "--expand-limit",
            "16",
            *(_NETLIST_WARNINGS if self.options.netlist else _RTL_WARNINGS),
            # In traces, keep structs as structs, and arrays as arrays: -fno-var-split stops
            # Verilator from splitting an array into a variable for each element.
            *((*tracing, "--trace-underscore", "--trace-structs") if self.trace else ()),
            *(tools.known("-fno-var-split") if self.trace else ()),
        ]

    def build(self, folder: Path, directory: Path) -> None:
        """Build the library in a folder; ``directory``: the store."""
        tools, optimize = find_toolchain(), self.options.optimize
        source, model = folder / "dut.sv", folder / "model"
        source.write_text(self.verilog)
        (folder / "driver.cpp").write_text(self.driver)
        # Relative names: Verilator takes $NAME in a path for a variable, and accepts no path with a
        # quote.
        command = [str(tools.verilator), *self.verilate, "--Mdir", model.name, source.name]
        started = time.monotonic()
        run_tool(command, folder, VERILATOR_ROOT=str(tools.verilator_root))
        is_large = sum(path.stat().st_size for path in model.glob("*.cpp")) > _INLINED_BYTES
        tell_compiling(self.top, time.monotonic() - started, is_large)
        if is_large:
            shutil.rmtree(model)
            run_tool([*command, "-fno-inline"], folder, VERILATOR_ROOT=str(tools.verilator_root))
        compiler = _compiler(tools, self.compile_flags, model)
        generated = sorted(model.glob("*.cpp"))
        start_up = [path for path in generated if path.stem.endswith("__Slow")]
        size = sum(path.stat().st_size for path in start_up)
        if size <= _START_UP_BYTES or (optimize == "-O0" and not is_large):
            start_up = []
        running = [path for path in generated if path not in start_up]
        units = _units(folder, "unit", [*running, folder / "driver.cpp"])
        levels = dict.fromkeys(units, optimize if len(units) == 1 else min(optimize, "-O1"))
        levels |= dict.fromkeys(_units(folder, "start_up", start_up), "-O0")

        def compiled(unit: Path) -> Path:
            output, level = unit.with_suffix(".o"), levels[unit]
            first = ["-include", str(headers[level].result())]
            run_tool([*compiler, level, *first, "-c", str(unit), "-o", str(output)])
            return output

        # The longest jobs first: the runtime and the headers, if they are not stored.
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            runtime = [
                pool.submit(_runtime_object, name, tools, directory)
                for name in _runtime_sources(self.trace)
            ]
            headers = {
                level: pool.submit(_headers, tools, [*self.compile_flags, level], directory)
                for level in {*levels.values()}
            }
            objects = list(pool.map(compiled, levels))
        inputs = [str(path) for path in (*objects, *(x.result() for x in runtime))]
        run_tool([*tools.compiler(_LINK), *inputs, "-o", str(folder / _LIBRARY)])
        for path in objects:
            path.unlink(missing_ok=True)
        shutil.rmtree(model)


def _units(folder: Path, name: str, sources: Sequence[Path]) -> list[Path]:
    """Group sources by size; write and return a file for each group, which includes its sources."""
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


def _compiler(tools: Toolchain, flags: Sequence[str], *folders: Path) -> list[str]:
    return [*tools.compiler(flags), *_includes(tools, *folders)]


def _runtime_sources(trace: Trace | None) -> list[str]:
    return ["verilated", "verilated_threads", *([f"verilated_{trace}_c"] if trace else [])]


def _runtime_object(name: str, tools: Toolchain, directory: Path) -> Path:
    """Object file of one source of Verilator's runtime, compiled once per version of the tools."""
    # No -march=native, because libraries with and without ``native_cpu`` link the same object.
    flags = ["-O2", *_COMPILE]

    def populate(folder: Path) -> None:
        if name == _LONGEST_OBJECT:
            tell_seconds("compiling Verilator's runtime, once", _RUNTIME_SECONDS)
        source = tools.include / f"{name}.cpp"
        output = str(folder / f"{name}.o")
        run_tool([*_compiler(tools, flags), "-c", str(source), "-o", output])

    key = key_of(tools.versions, *flags)
    return keep(directory, f"{name}-{key}", populate) / f"{name}.o"


def _headers(tools: Toolchain, flags: Sequence[str], directory: Path) -> Path:
    """Precompiled header that every file includes first, built once per optimization level.

    Reading the precompiled header takes a tenth of a second; headers as source take a second,
    longer than compiling the rest of most models.
    """
    texts = _replacements()

    def populate(folder: Path) -> None:
        for name, text in texts.items():
            (folder / name).write_text(text)
        header = folder / "first.h"
        header.write_text("".join(f'#include "{name}"\n' for name in texts))
        if not tools.is_clang:  # precompiled headers of clang cannot be moved into the store
            command = [*_compiler(tools, flags), "-x", "c++-header", str(header)]
            run_tool([*command, "-o", f"{header}.gch"])

    processor = tools.cpu if "-march=native" in flags else ""
    # The store lists each file's modification time, so that a command need not read a file to see
    # that it is unchanged. Headers that earlier versions of rsaxcel stored have no times in the
    # list. The text "with times" changes the key, so that those headers are not used.
    key = key_of("with times", tools.versions, processor, *flags, *texts.values())
    return keep(directory, f"headers-{key}", populate) / "first.h"


def _replacements() -> dict[str, str]:
    """Read the headers of ``_REPLACEMENTS``; return a mapping from file name to text."""
    return {name: files(__package__).joinpath(name).read_text() for name in _REPLACEMENTS}


def _includes(tools: Toolchain, *folders: Path) -> list[str]:
    places = (*folders, tools.include, tools.include / "vltstd")
    return [part for place in places for part in ("-I", str(place))]
