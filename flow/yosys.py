"""Runs Yosys (the wheel `pyosys`): in a process of its own, with its output in a log file."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import re
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import takewhile
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock
from typing import Any, NoReturn

from rsaxcel.flow.errors import ToolFailure
from rsaxcel.flow.yosys_json import REGISTERS
from rsaxcel.store.errors import SetupError
from rsaxcel.store.foreign import ForeignLibrary
from rsaxcel.store.installing import missing
from rsaxcel.store.tools import YOSYS

#: Yosys's front end `read_slang` leaves out the text between such comments; so does this module.
_OFF = (
    "synthesis,translate_off,translate_on",
    "synopsys,translate_off,translate_on",
    "pragma,translate_off,translate_on",
    "synopsys,synthesis_off,synthesis_on",
    "pragma,synthesis_off,synthesis_on",
)
_OPTIONS = ("-DSYNTHESIS=1", *(f"--translate-off-format {words}" for words in _OFF))


@dataclass(frozen=True)
class Elaboration:
    #: Number of instances by module, in the order of the text; the top is one, interfaces none.
    instances: Mapping[str, int]
    alike: bool  #: no parameter or interface lets instances of a module differ
    faultless: bool  #: slang finds no error


def elaborate(verilog: Path, top: str) -> Elaboration:
    """Elaborate ``top`` as Yosys's `read_slang` does.

    The result is empty if there is no such module.
    """
    from pyslang import DiagnosticSeverity, ast, driver

    slang = driver.Driver()
    slang.addStandardArgs()
    # The first word stands for the program. Quotes protect blanks in the path.
    words = ("slang", *_OPTIONS, f"--top {top}", f'"{verilog}"')
    slang.parseCommandLine(" ".join(words), driver.CommandLineOptions())
    if not (slang.processOptions() and slang.parseAllSources()):
        return Elaboration({}, alike=False, faultless=False)
    compilation = slang.createCompilation()
    found: list[ast.InstanceSymbol] = []

    def visit(symbol: object) -> ast.VisitAction:
        if isinstance(symbol, ast.InstanceSymbol):
            found.append(symbol)
        # These contain no instances, and most of the text.
        plain = isinstance(symbol, ast.ProceduralBlockSymbol | ast.ContinuousAssignSymbol)
        return ast.VisitAction.Skip if plain else ast.VisitAction.Advance

    for instance in compilation.getRoot().topInstances:
        instance.visit(visit)
    errors = DiagnosticSeverity.Error, DiagnosticSeverity.Fatal
    modules = [x for x in found if not x.isInterface]
    where = {x.definition.name: x.definition.location.offset for x in modules}
    count = Counter(x.definition.name for x in modules)
    return Elaboration(
        {name: count[name] for name in sorted(count, key=where.__getitem__)},
        alike=bool(modules)
        and modules == found
        and all(re.fullmatch(r"\w+", name, re.ASCII) for name in count)
        and all(parameter.isLocalParam for x in modules for parameter in x.body.parameters),
        faultless=not any(
            slang.diagEngine.getSeverity(x.code, x.location) in errors
            for x in compilation.getAllDiagnostics()
        ),
    )


#: Prefix that `read_slang` puts before a register's name to name its flip-flops.
_DRIVER = "$driver$"
_MAIN = Lock()
#: Lines in the log around the work of the front end `slang`, if it can be expected to succeed.
_ELABORATED, _READ = "slang elaborates the Verilog without an error", "slang has read the Verilog"


class Yosys:
    """A Yosys design. Use it only in functions that `in_yosys` calls: an error ends the process.

    ``slang``: this front end reads Verilog, else Yosys's own.
    """

    slang = True

    def __init__(self) -> None:
        # Imported here, because loading is slow and the parent process does not need the library.
        from pyosys import libyosys

        self.lib = libyosys
        self.design = libyosys.Design()

    def run(self, *commands: str) -> None:
        for command in commands:
            self.lib.run_pass(command, self.design)

    def read_verilog(self, path: Path, top: str, memories: bool = False) -> None:
        """Read SystemVerilog with the top module ``top``.

        An error ends the process if instances are lost.

        Arrays of words become flip-flops, or stay ``memories``. Wires get ``yosys_json.REGISTERS``.
        `slang` makes a module per instance. If all instances of a module are alike, as from PyMTL3,
        each module is read on its own with the others as black boxes: wide circuits have many
        instances. (Yosys's own front end leaves arrays of packed structs undriven: it is only for
        Verilog with which `slang` fails.)
        """
        source = elaborate(path, top)
        if self.slang:
            print(_ELABORATED if source.faultless else "", flush=True)
            self._read_slang(path, top, memories, list(source.instances) if source.alike else [])
            print(_READ, flush=True)
        else:
            words = "" if memories else "-mem2reg"
            self.run(f"read_verilog -sv {words} {path}", f"hierarchy -check -top {top}", "proc")
            for module in self.modules():
                self._mark_registers(module)
        self.run(f"hierarchy -check -top {top}")
        read = self._instances(top)
        for name in {**read, **source.instances}:
            if read[name] != (wanted := source.instances.get(name, 0)):
                print(
                    f"ERROR: {read[name]} instances of {name} were read, the Verilog has {wanted}"
                )
                sys.exit(1)

    def _read_slang(self, path: Path, top: str, memories: bool, alone: Sequence[str]) -> None:
        """Read the modules ``alone`` one by one, or the whole hierarchy if there are none."""
        arrays = "" if memories else "--no-implicit-memories"
        for name in alone or [top]:
            part = Yosys()
            boxes = " ".join(f"--blackboxed-module {other}" for other in alone if other != name)
            part.run(f"read_slang {arrays} --keep-hierarchy {boxes} --top {name} {path}")
            for module in part.modules():
                part._mark_registers(module)
                part._expose_undriven(module)
                for cell in module.cells_.values():
                    # The instance of a black box gets parameters from slang (the constants of that
                    # module), but the module that Yosys reads has no parameters: remove them.
                    if cell.type.str().removeprefix("\\") in alone:
                        for parameter in list(cell.parameters):
                            cell.unsetParam(parameter)
            with tempfile.TemporaryDirectory() as folder:
                file = f"{folder}/module.il"
                part.run(f"select {name if alone else '*'}", f"write_rtlil -selected {file}")
                self.run(f"read_rtlil {file}")

    def module(self, name: str) -> Any:
        return self.design.module(self.lib.IdString(f"\\{name}"))

    def modules(self) -> list[Any]:
        """All modules but the black boxes."""
        return [
            module
            for module in self.design.modules_.values()
            if not module.get_blackbox_attribute(False)
        ]

    def is_library_cell(self, cell: Any) -> bool:
        """Whether a cell is from a loaded library, not Yosys's own nor a module's instance."""
        module = self.design.module(cell.type)
        return module is not None and module.get_blackbox_attribute(False)

    def _expose_undriven(self, module: Any) -> None:
        """Remove the buffers, driven by x, that the front end adds to nets without a driver."""
        a_port = self.lib.IdString("\\A")
        for cell in list(module.cells_.values()):
            if cell.type.str() == "$buf" and cell.getPort(a_port).is_fully_undef():
                module.remove(cell)

    def _mark_registers(self, module: Any) -> None:
        marks: dict[str, list[str]] = {}
        q_port = self.lib.IdString("\\Q")
        for cell in module.cells_.values():
            name = cell.name.str()
            if "dff" not in cell.type.str() or (self.slang and not name.startswith(_DRIVER)):
                continue
            bits = [bit for bit in cell.getPort(q_port).bits() if bit.is_wire()]
            for index, bit in enumerate(bits):
                wire = bit.wire.name.str()
                register, number, nbits = name.removeprefix(_DRIVER), index, len(bits)
                if not self.slang:  # Yosys's own front end does not name flip-flops
                    register, number, nbits = wire.removeprefix("\\"), bit.offset, bit.wire.width
                suffix = f"[{number}]" if nbits > 1 else ""
                marks.setdefault(wire, []).append(f"{bit.offset}:{register}{suffix}")
        for wire in module.wires_.values():
            if wire.name.str() in marks:
                wire.set_string_attribute(
                    self.lib.IdString(f"\\{REGISTERS}"), " ".join(marks[wire.name.str()])
                )

    def _instances(self, top: str) -> Counter[str]:
        """Count the instances of each module of the source, in and below the top module."""
        modules = {module.name.str(): module for module in self.design.modules_.values()}
        # Yosys's own front end keeps the register's name there
        hdlname = self.lib.IdString("\\hdlname")

        @cache
        def below(kind: str) -> Counter[str]:
            module = modules[kind]
            name = module.get_string_attribute(hdlname) or kind
            # The front end `slang` appends the path of the instance.
            found = Counter([name.removeprefix("\\").partition(f"${top}.")[0]])
            for cell in module.cells_.values():
                if (inner := cell.type.str()) in modules:
                    found += below(inner)
            return found

        return below(f"\\{top}")


def yosys_version() -> str:
    """Version of Yosys; ``SetupError`` if it is not installed."""
    try:
        return version("pyosys")
    except PackageNotFoundError as error:
        raise SetupError(missing(YOSYS)) from error


def abc_program() -> Path:
    """Return the path of ABC, which comes with Yosys."""
    yosys_version()
    import pyosys

    return Path(str(pyosys.__file__)).with_name("yosys-abc")


class YosysProcess:
    """A process that makes a design, and calls functions with copies of this design.

    Functions and ``args`` must be picklable. ``FlowError`` has Yosys's error and the log's name.
    """

    def __init__(self, log: Path, function: Callable[..., Any], *args: object) -> None:
        yosys_version()
        # A new process, because earlier designs in the same Yosys process would change netlists.
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([function.__module__])
        self._calls, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, log, function, args), daemon=True
        )
        with _without_main():
            self._process.start()
        theirs.close()
        self._await(log)

    def call(self, log: Path, function: Callable[..., None], *args: object) -> None:
        """Call a function with a copy of the design, which itself is unchanged."""
        with suppress(ConnectionError):  # the process has ended: `_await` raises with the reason
            self._calls.send((log, function, args))
        self._await(log)

    def close(self) -> None:
        self._calls.close()
        self._process.join()

    def _await(self, log: Path) -> None:
        try:
            status = self._calls.recv()
        except (EOFError, ConnectionError):
            self._process.join()
            status = self._process.exitcode
        if status:
            self.close()
            lines = log.read_text(errors="replace").splitlines() if log.exists() else []
            raise ToolFailure(f"Yosys: {_reason(lines, status)} (log: {log.resolve()})")


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the main module's file, so that a new process does not run the user's script again."""
    main = sys.modules["__main__"]
    with _MAIN:
        hidden = {name: getattr(main, name, None) for name in ("__spec__", "__file__")}
        for name in hidden:
            setattr(main, name, None)
        try:
            yield
        finally:
            for name, value in hidden.items():
                setattr(main, name, value)


def in_yosys(log: Path, function: Callable[..., None], *args: object) -> None:
    """Call a function that uses `Yosys` in a new process; parameters as for ``YosysProcess``.

    If `slang`, still experimental, fails without errors in the Verilog, the function is called
    again with Yosys's own front end.
    """
    try:
        YosysProcess(log, function, *args).close()
    except ToolFailure as failure:
        text = log.read_text(errors="replace") if log.exists() else ""
        if _ELABORATED not in text or _READ in text:
            raise
        try:
            YosysProcess(log.with_suffix(".own.log"), _without_slang, function, *args).close()
        except ToolFailure as error:
            raise failure from error


def _without_slang(function: Callable[..., None], *args: object) -> None:
    Yosys.slang = False
    function(*args)


def _reason(lines: list[str], status: int | None) -> str:
    """Return the line of a log that names the error; for a failed check, the last warning."""
    errors = [line.strip() for line in lines if "ERROR:" in line]
    warnings = [line.strip() for line in lines if line.startswith("Warning:")]
    if errors and "check -" in errors[-1] and warnings:
        return warnings[-1] + _wires_of_loop(lines)
    if errors and "see full log" in errors[-1]:
        return errors[0]
    return (errors or [line.strip() for line in lines if line.strip()] or [f"status {status}"])[-1]


def _wires_of_loop(lines: list[str]) -> str:
    """Name the wires of the last loop of combinational logic that a check has found."""
    at = max(
        (i for i, x in enumerate(lines) if x.startswith("Warning: found logic loop")), default=-1
    )
    if at < 0:
        return ""
    cells = takewhile(lambda x: x.startswith(" "), lines[at + 1 :])
    wires = [found[1] for x in cells if (found := re.match(r"\s+wire \\(\S+)", x))]
    return f" {', '.join(dict.fromkeys(wires))}" if wires else ""


def _serve(
    calls: Connection, log: Path, function: Callable[..., Any], args: tuple[object, ...]
) -> None:
    # Put temporary files beside the log: Yosys and ABC accept the path of this folder, and
    # ``make clean`` removes it.
    os.environ["TMPDIR"] = str(log.parent)
    try:
        _redirect(log)
    except FileNotFoundError:  # the caller was interrupted, and has removed the folder
        sys.exit(1)
    design = function(*args)
    calls.send(0)
    with suppress(EOFError):
        while True:
            log, function, args = calls.recv()
            # Each call runs in a forked process of its own. The call changes only this process's
            # copy of the design, and an error in Yosys ends only this process.
            _flush()
            if (child := os.fork()) == 0:
                _call_and_exit(log, function, (design, *args))
            _, status = os.waitpid(child, 0)
            calls.send(os.waitstatus_to_exitcode(status))


def _call_and_exit(log: Path, function: Callable[..., None], args: tuple[object, ...]) -> NoReturn:
    status = 1
    try:
        _redirect(log)
        function(*args)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        _flush()
        os._exit(status)


def _redirect(log: Path) -> None:
    # The Yosys library writes to descriptors 1 and 2 of the process, not to Python's streams.
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    os.close(descriptor)


def _flush() -> None:
    """Flush the output buffers of Python and of the C library (which Yosys uses)."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    ForeignLibrary().declare("fflush", ctypes.c_int, ctypes.c_void_p)(None)
