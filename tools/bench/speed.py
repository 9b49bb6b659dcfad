"""Speeds of engines, cores, systems and gates with the same vectors, and times of commands."""

from __future__ import annotations

import ctypes
import gc
import os
import random
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import chdir
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from pymtl3 import Component, DefaultPassGroup
from pymtl3.passes.backends.verilog import (
    VerilogTranslationImportPass,
    VerilogTranslationPass,
    VerilogVerilatorImportPass,
)

from rsaxcel import catalog, course
from rsaxcel.catalog import Configuration
from rsaxcel.circuit import Circuit, expected_power
from rsaxcel.fl.keys import random_key, seeded_key
from rsaxcel.flow.answers import NetlistAnswer
from rsaxcel.flow.gates.engine import LANES
from rsaxcel.flow.gates.streams import GateSimulator
from rsaxcel.flow.interface import read_interface
from rsaxcel.flow.job import circuit_job
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.libraries import find_kit
from rsaxcel.flow.outline import NETLIST
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import Slews
from rsaxcel.flow.requests import default_exponents, operations, workload_operands
from rsaxcel.flow.run import run
from rsaxcel.flow.subjects.circuits import pack
from rsaxcel.lab.design_netlist import netlist_files, read_files
from rsaxcel.proc.elf import Image
from rsaxcel.proc.operands import join_words
from rsaxcel.proc.systems import NULL_SYSTEM, find_system
from rsaxcel.sim.native.build import build_library
from rsaxcel.sim.native.engine import NativeEngine
from rsaxcel.sim.native.toolchain import find_toolchain
from rsaxcel.sim.operations import operation
from rsaxcel.sim.runners import hang_cycles, open_component, unknown_cycles
from rsaxcel.sim.system import open_circuit
from rsaxcel.sim.system_run import SystemEngine, SystemRequest, SystemRun
from rsaxcel.sim.translate import VerilogModule
from rsaxcel.sim.vectors import Vector, random_vectors
from rsaxcel.store.errors import RunError
from rsaxcel.store.foreign import ForeignLibrary
from tools.mutants.tree_copy import Copy

_OPERANDS, _ANSWERS = 4, 2
FOLDER = Path("build", "bench")
_WARM_UP_EXPONENT = 3

# Of cores.
PROTOCOL = "start_done"
MOST_APART = 0.2  #: of the cells of the design
_SKELETON = Path(str(course.__file__)).parent / "core_skeleton"
_TRIES = 4
_LEAST_NBITS = 8
_VECTORS = 200

# Of systems.
SYSTEMS = (NULL_SYSTEM, "proc_mont_r2l")
PROGRAM = "naive"
PYMTL_CYCLES = 2000
_EXPONENT = 65537
_MAX_CYCLES = 100_000_000

# Of gates.
_MODELS = "stdcells.v"

# Of commands.
_ROOT = Path(__file__).resolve().parents[2]
_LIST = ("list",)
_SIM = ("sim", "montmul_r2l", "--random", "100")
_FLOW = ("flow", "montmul_r2l")
_QUICK_FLOW = (*_FLOW, "--activity", "zero")

#: File of which one line is changed, in a copy of the source tree.
CHANGED = Path("rtl", "multipliers", "mont_mul.py")
_LINE = "if s.control.load:\n"
#: Text that is added to the condition of _LINE: operands are then loaded during reset, too. The
#: circuit must be built again, but its results stay.
_MORE = " | s.reset"

Simulate = Callable[[Sequence[tuple[int, ...]]], tuple[Sequence[Any], int]]


class PymtlImport:
    """A design's circuit, imported with PyMTL3's ``fast``: the C++ compiler optimizes for speed."""

    def __init__(self, configuration: Configuration, folder: Path) -> None:
        tools = find_toolchain()
        folder.mkdir(parents=True, exist_ok=True)
        environment = {
            "PATH": f"{tools.verilator.parent}{os.pathsep}{os.environ['PATH']}",
            "VERILATOR_ROOT": str(tools.verilator_root),
            "PYMTL_VERILATOR_INCLUDE_DIR": str(tools.include),
        }
        component = configuration.component("rtl")
        component.set_metadata(VerilogTranslationImportPass.enable, True)
        component.set_metadata(VerilogVerilatorImportPass.fast, True)
        component.set_metadata(VerilogTranslationPass.explicit_module_name, configuration.name)
        component.elaborate()
        # The pass writes to the current folder and finds its tools by environment variables.
        with chdir(folder), patch.dict(os.environ, environment):
            self._top: Component = VerilogTranslationImportPass()(component)
        self._top.elaborate()
        self._top.apply(DefaultPassGroup())
        self._request = type(self._top.recv.msg)

    def run(self, requests: Sequence[tuple[int, ...]]) -> tuple[list[tuple[int, int]], int]:
        """Run requests one after the other; return (result, status) pairs and all cycles."""
        # For speed, combinational logic is evaluated only in a tick, and by ``settle`` after a
        # change of an input.
        top = self._top
        recv, send, tick, settle = top.recv, top.send, top.sim_tick, top.sim_eval_combinational
        kinds = self._request.__bitstruct_fields__.values()
        messages = [
            self._request(*(kind(value) for kind, value in zip(kinds, request, strict=True)))
            for request in requests
        ]
        responses, cycles = [], 0
        top.sim_reset()
        send.rdy @= 1
        for message in messages:
            recv.msg @= message
            recv.val @= 1
            settle()
            while not recv.rdy:
                tick()
                cycles += 1
            tick()
            cycles += 1
            recv.val @= 0
            settle()
            while not send.val:
                tick()
                cycles += 1
            responses.append((int(send.msg.r), int(send.msg.status)))
            tick()
            cycles += 1
        return responses, cycles


class BareLoop:
    """Runs requests on ``mont_r2l`` at 32 bits with the loop of bare_loop.cpp."""

    def __init__(self, module: VerilogModule) -> None:
        source = files(__package__).joinpath("bare_loop.cpp").read_text()
        library = ForeignLibrary(build_library(module.text, module.top, source))
        arguments = ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64
        self._run = library.declare("run_bare_loop", ctypes.c_uint64, *arguments)

    def run(self, requests: Sequence[tuple[int, ...]]) -> tuple[list[tuple[int, int]], int]:
        """Run requests one after the other; return (result, status) pairs and the total cycles."""
        operands = np.array(requests, np.uint32).reshape(len(requests), _OPERANDS)
        answers = np.zeros((len(requests), _ANSWERS), np.uint32)
        cycles = self._run(operands.ctypes.data, answers.ctypes.data, len(requests))
        return [(result, status) for result, status in answers.tolist()], cycles


class BenchError(RunError):
    """A wrong result, or a failed measurement; the message is one line."""


@dataclass(frozen=True)
class Speeds:
    """Median cycles per second of each engine; None if it was not measured."""

    native: float
    bare_loop: float | None
    pymtl_import: float
    cycles: int


def drawn(configuration: Configuration, count: int) -> list[Vector]:
    """Random vectors with seed 0; see ``sim.vectors.random_vectors``."""
    return list(random_vectors(count, 0, configuration.nbits, operation(configuration)))


def encryptions(configuration: Configuration, count: int) -> list[Vector]:
    """Make vectors that encrypt random bases with the standard key of the design's width."""
    power = operation(configuration)
    exponent = seeded_key(configuration.nbits).e
    found = []
    for number, operands in enumerate(workload_operands(configuration, exponent, count), 1):
        found.append(Vector(number, operands, power.status(operands), power.result(operands)))
    return found


def measure(
    configuration: Configuration,
    vectors: Sequence[Vector],
    repetitions: int,
    progress: Callable[[str], None],
    *,
    bare_loop: bool = False,
) -> Speeds:
    """Measure all engines in turn, so that other load of the machine affects all of them.

    The PyMTL import runs ``repetitions`` times, the other engines, much faster, five times as
    often. The bare loop supports only ``mont_r2l`` at 32 bits.
    """
    name = configuration.name
    requests = [configuration.request(*vector.operands) for vector in vectors]
    progress(f"{name}: building the native engine")
    native, engine = _native(configuration, hang_cycles(configuration))
    fast: dict[str, Simulate] = {"native": native}
    if bare_loop:
        progress(f"{name}: building the bare loop")
        fast["bare_loop"] = BareLoop(engine.module).run
    progress(f"{name}: building PyMTL3's import")
    slow: dict[str, Simulate] = {"pymtl_import": PymtlImport(configuration, FOLDER).run}

    # Keep the objects that exist here, above all those of PyMTL3's component, out of the garbage
    # collections that happen during the measurement.
    gc.collect()
    gc.freeze()
    progress(f"{name}: {repetitions} repetitions")
    runs = {x: (y, vectors, requests) for x, y in (fast | slow).items()}
    found = _in_turn(runs, [*[*fast] * 5, *slow] * repetitions)
    if len(cycles := {x for x, _ in found.values()}) > 1:
        raise BenchError(f"the same vectors took {sorted(cycles)} cycles")
    speeds = {way: speed for way, (_, speed) in found.items()}
    bare = speeds.get("bare_loop")
    return Speeds(speeds["native"], bare, speeds["pymtl_import"], cycles.pop())


def _in_turn(
    runs: Mapping[str, tuple[Simulate, Sequence[Vector], Any]], order: Sequence[str]
) -> dict[str, tuple[int, float]]:
    """Simulate in an order; return the cycles of each simulation, and its median speed."""
    speeds: dict[str, list[float]] = defaultdict(list)
    cycles: dict[str, int] = {}
    for way in order:
        simulate, vectors, requests = runs[way]
        started = time.perf_counter()
        responses, cycles[way] = simulate(requests)
        speeds[way].append(cycles[way] / (time.perf_counter() - started))
        check(vectors, responses)
    return {way: (cycles[way], median(x)) for way, x in speeds.items()}


def check(vectors: Sequence[Vector], responses: Sequence[tuple[int, ...]]) -> None:
    """Raise ``BenchError`` for the first response that differs from its vector."""
    for vector, response in zip(vectors, responses, strict=True):
        if response != (vector.result, vector.status):
            raise BenchError(
                f"vector {vector.line}: {response} instead of "
                f"{(vector.result, int(vector.status))} for {vector.operands}"
            )


class CheckedOperation(NamedTuple):
    """Operands of an encryption or decryption, with the result of the ``rsa`` package."""

    base: int
    exponent: int
    modulus: int
    reference: int


def key_operations(count: int, nbits: int) -> list[CheckedOperation]:
    """Encrypt and decrypt a random message below the modulus with each of some fresh keys."""
    found = []
    for _ in range(count):
        key = random_key(nbits)
        message = random.randrange(key.n)
        ciphertext = key.encrypt(message)
        found.append(CheckedOperation(message, key.e, key.n, ciphertext))
        found.append(CheckedOperation(ciphertext, key.d, key.n, key.decrypt(ciphertext)))
    return found


def disagreements(
    configuration: Configuration, checked: Sequence[CheckedOperation]
) -> list[tuple[CheckedOperation, tuple[int, ...] | None]]:
    """Return the operations with a wrong response, with the response, or None if none came."""
    batch = open_component(configuration, "rtl", "native").run(
        [configuration.request(*each[:3]) for each in checked],
        max_idle_cycles=hang_cycles(configuration),
    )
    pairs = zip(checked, batch.responses, strict=True)
    return [(op, response) for op, response in pairs if response != (op.reference, 0)]


def decrypt(configuration: Configuration, progress: Callable[[str], None]) -> tuple[int, float]:
    """Decrypt once with the standard key; return cycles and seconds of the simulation alone."""
    nbits = configuration.nbits
    progress(f"{configuration.name}: building the native engine")
    engine = open_component(configuration, "rtl", "native")
    exponent = default_exponents(nbits)["decrypt"]
    ((base, exponent, modulus),) = workload_operands(configuration, exponent, 1)
    limit = hang_cycles(configuration)

    def simulate(exponent: int) -> int:
        request = configuration.request(base, exponent, modulus)
        batch = engine.run([request], max_idle_cycles=limit)
        if batch.responses != [(expected_power(base, exponent, modulus, configuration.halves), 0)]:
            raise BenchError(f"{configuration.name} gives {batch.responses}")
        return batch.total_cycles

    simulate(_WARM_UP_EXPONENT)
    progress(f"{configuration.name}: decrypting")
    start = time.perf_counter()
    cycles = simulate(exponent)
    return cycles, time.perf_counter() - start


@dataclass(frozen=True)
class CoreSpeed:
    """Median cycles per second of a core in its shell and of a design, with their cells."""

    core: str
    core_cells: int
    core_speed: float
    design_cells: int
    design_speed: float


def measure_core(design: Circuit, repetitions: int, progress: Callable[[str], None]) -> CoreSpeed:
    """Measure the core that ``rsaxcel new core`` writes, at a width for which the cells fit."""
    wanted = _cells(design, progress)
    with TemporaryDirectory() as folder:
        for file in (_SKELETON / "power.v", *(_SKELETON / PROTOCOL).iterdir()):
            if file.is_file():
                shutil.copy(file, folder)
        entry: Any = catalog.find(catalog.named(folder))
        nbits = 2 * design.nbits
        for _ in range(_TRIES):
            core = entry.configure(nbits)
            found = _cells(core, progress)
            if abs(found - wanted) <= MOST_APART * wanted:
                break
            nbits = max(_LEAST_NBITS, round(nbits * wanted / found))
        else:
            raise BenchError(f"{core.name} has {found:,} cells, {design.name} {wanted:,}")
        of_core, of_design = _speeds([core, design], repetitions, progress)
    return CoreSpeed(core.name, found, of_core, wanted, of_design)


def _cells(circuit: Circuit, progress: Callable[[str], None]) -> int:
    progress(f"{circuit.name}: synthesizing")
    written, _ = netlist_files(circuit, DEFAULT_LIBRARY, tell=progress)
    netlist, _ = read_files(written, DEFAULT_LIBRARY)
    return len(netlist.instances)


def _speeds(circuits: list[Any], repetitions: int, progress: Callable[[str], None]) -> list[float]:
    """Cycles per second of circuits, which run in turn."""
    runs: dict[str, Any] = {}
    for circuit in circuits:
        progress(f"{circuit.name}: building the native engine")
        vectors = drawn(circuit, _VECTORS)
        requests = [circuit.request(*vector.operands) for vector in vectors]
        runs[circuit.name] = _native(circuit, unknown_cycles(circuit))[0], vectors, requests
    found = _in_turn(runs, [*runs] * (5 * repetitions))
    return [found[circuit.name][1] for circuit in circuits]


def _native(circuit: Any, limit: int) -> tuple[Simulate, NativeEngine]:
    """Return a function that simulates requests on the native engine, and the engine."""
    engine = open_component(circuit, "rtl", "native")
    assert isinstance(engine, NativeEngine)
    engine.optimize()

    def simulate(requests: Sequence[tuple[int, ...]]) -> tuple[Sequence[Any], int]:
        batch = engine.run(requests, max_idle_cycles=limit)
        return batch.responses, batch.total_cycles

    return simulate, engine


@dataclass(frozen=True)
class SystemSpeed:
    """Cycles per second of a system on both engines; ``native`` is a median."""

    system: str
    native: float
    pymtl: float
    cycles: int  #: cycles of the whole program, which the native engine runs to its end


def measure_systems(
    nbits: int, repetitions: int, progress: Callable[[str], None]
) -> list[SystemSpeed]:
    """Measure how fast each system is simulated in software; PyMTL: its first cycles, once."""
    image, expected = _exponentiation(nbits)
    return [_measure(name, image, expected, repetitions, progress) for name in SYSTEMS]


def _exponentiation(nbits: int) -> tuple[Image, int]:
    """Return a program with its operands, and the expected result."""
    draw = random.Random(nbits)
    modulus = draw.getrandbits(nbits) | 1 << nbits - 1 | 1
    base = draw.randrange(modulus)
    image = find_system(NULL_SYSTEM, nbits).image(PROGRAM, base, _EXPONENT, modulus)
    return image, pow(base, _EXPONENT, modulus)


def _measure(
    name: str, image: Image, expected: int, repetitions: int, progress: Callable[[str], None]
) -> SystemSpeed:
    progress(f"{name}: building both engines")
    system = find_system(name)
    native, pymtl = open_circuit(system), open_circuit(system, "pymtl")
    progress(f"{name}: running {PROGRAM}")
    speeds = []
    for _ in range(repetitions):
        done, speed = _timed(native, SystemRequest(image, _MAX_CYCLES))
        check_system(name, done, expected)
        speeds.append(speed)
    short = SystemRequest(image, PYMTL_CYCLES)
    begun, slow = _timed(pymtl, short)
    if begun != native.run(short):
        raise BenchError(f"{name}: the engines differ within {PYMTL_CYCLES} cycles of {PROGRAM}")
    return SystemSpeed(name, median(speeds), slow, done.cycles)


def _timed(system: SystemEngine, request: SystemRequest) -> tuple[SystemRun, float]:
    started = time.perf_counter()
    done = system.run(request)
    return done, done.cycles / (time.perf_counter() - started)


def check_system(name: str, done: SystemRun, expected: int) -> None:
    """Raise ``BenchError`` unless a program ended with status 0 and sent the expected result."""
    if done.end is None or done.end.exit_status != 0:
        raise BenchError(f"{name}: {PROGRAM} ended with {done.end} after {done.cycles} cycles")
    result = join_words(done.messages)
    if result != expected:
        raise BenchError(f"{name}: {PROGRAM} gives {result:#x} instead of {expected:#x}")


@dataclass(frozen=True)
class GateSpeeds:
    """Speeds of gate-level simulation, in operation-cycles per CPU second."""

    gates: int  #: cells of the netlist
    timed: float  #: GateSimulator with delays
    zero: float  #: GateSimulator without delays
    icarus: float | None  #: Icarus Verilog; None if not installed


def measure_gates(
    configuration: Configuration, repetitions: int, progress: Callable[[str], None]
) -> GateSpeeds:
    """Measure the speed of encryptions on a design's netlist, in two simulators.

    Icarus Verilog runs only one encryption, on the design kit's Verilog models, in which every
    delay from an input to an output is 0.1 ns: the same gates, at other times in the cycle.
    """
    name = configuration.name
    progress(f"{name}: synthesizing")
    paths = run(circuit_job(configuration), NETLIST, progress).files
    interface = read_interface(paths["interface.json"])
    library = find_kit(DEFAULT_LIBRARY).library
    netlist = Netlist.from_yosys_json(paths["netlist.json"], library, top=interface.top)
    slews = Slews.from_file(paths["slews.txt"])
    exponent = default_exponents(configuration.nbits)["encrypt"]
    done = operations(configuration, exponent, LANES)
    messages = [pack(interface.request, configuration.request(*x.operands)) for x in done]
    rows = [[message] for message in messages]
    speeds = {}
    for kind, simulator in (
        ("timed", GateSimulator(netlist, slews)),
        ("zero", GateSimulator(netlist)),
    ):
        progress(f"{name}: gates, {kind}")
        speeds[kind] = median(_speed(partial(_cycles, simulator, rows)) for _ in range(repetitions))
    icarus = None
    if shutil.which("iverilog") and shutil.which("vvp"):
        progress(f"{name}: Icarus Verilog")
        icarus = _icarus(interface, paths["netlist.v"], messages[0], done[0])
    return GateSpeeds(len(netlist.instances), speeds["timed"], speeds["zero"], icarus)


def _cycles(simulator: GateSimulator, rows: Sequence[Sequence[int]]) -> float:
    return simulator.run(rows).activity.cycles


def _speed(simulate: Callable[[], float]) -> float:
    started = time.process_time()
    cycles = simulate()
    return cycles / (time.process_time() - started)


def _icarus(
    interface: VerilogModule, netlist: Path, message: int, expected: NetlistAnswer
) -> float:
    with TemporaryDirectory() as folder:
        bench, requests, program = (Path(folder, x) for x in ("bench.v", "requests", "program"))
        bench.write_text(files(__package__).joinpath("icarus.v").read_text())
        requests.write_text(f"{message:x}\n")
        defined = {
            "TOP": interface.top,
            "REQUEST": interface.request.width,
            "RESPONSE": interface.response.width,
            "COUNT": 1,
            "REQUESTS": f'"{requests}"',
        }
        models = find_kit(DEFAULT_LIBRARY).liberty.with_name(_MODELS)
        _run(
            "iverilog",
            "-gspecify",
            "-g2012",
            "-s",
            "bench",
            "-o",
            str(program),
            *(f"-D{name}={value}" for name, value in defined.items()),
            *(str(path) for path in (bench, netlist, models)),
        )
        started = getrusage(RUSAGE_CHILDREN).ru_utime
        response, cycles = _run("vvp", "-n", str(program)).split()[:2]
        seconds = getrusage(RUSAGE_CHILDREN).ru_utime - started
    parts = zip(interface.response.fields, expected.response, strict=True)
    if int(response, 16) != sum(value << field.lsb for field, value in parts):
        raise BenchError(f"Icarus Verilog gives {response} instead of {expected.response}")
    return int(cycles) / seconds


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = next(iter((done.stderr + done.stdout).splitlines()), "no reason given")
        raise BenchError(f"{command[0]}: {reason}")
    return done.stdout


@dataclass(frozen=True)
class TimedCommand:
    arguments: tuple[str, ...]
    most_starts: float  #: longest time, in starts of a Python that does nothing
    changed: bool = False  #: whether a line of the circuit changes before the timed run

    def __str__(self) -> str:
        line = f"rsaxcel {' '.join(self.arguments)}"
        return f"{line}, a line of {CHANGED} changed" if self.changed else line


TASKS = (
    TimedCommand(_LIST, 15),
    TimedCommand(_SIM, 25),
    TimedCommand(_SIM, 80, True),
    TimedCommand(_QUICK_FLOW, 300, True),
    TimedCommand(_FLOW, 400, True),
)


@dataclass(frozen=True)
class CommandSpeed:
    """Measured time of a command."""

    task: TimedCommand
    seconds: float
    starts: float  #: time, divided by that of a Python that does nothing


def measure_commands(
    tasks: Sequence[TimedCommand], repetitions: int, progress: Callable[[str], None]
) -> list[CommandSpeed]:
    """Run each command, then time it, in a copy of the source tree with its own cache.

    A task with ``changed`` is timed once only, because a second run would read the results of the
    first; each gets a different change of the circuit. Of other tasks, the shortest time counts.
    """
    with TemporaryDirectory(prefix="rsaxcel-bench-") as folder:
        copy = Copy(_ROOT, Path(folder, "tree"))
        place = copy.folder, copy.environment
        for arguments in dict.fromkeys(task.arguments for task in tasks):
            progress(f"rsaxcel {' '.join(arguments)}: first run")
            time_run(_command(arguments), *place)
        bare_s = start_s(repetitions, *place)
        found, changes = {}, 0
        for task in sorted(tasks, key=lambda task: task.changed):
            progress(f"{task}: timed")
            if task.changed:
                changes += 1
                change_circuit(copy.folder / CHANGED, changes)
            count = 1 if task.changed else repetitions
            found[task] = _least(_command(task.arguments), count, *place)
        return [CommandSpeed(task, found[task], found[task] / bare_s) for task in tasks]


def start_s(
    repetitions: int, folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> float:
    """Return the seconds of a start of Python, the shortest of some."""
    return _least(["-c", "pass"], repetitions, folder, environment)


def change_circuit(file: Path, count: int) -> None:
    """Insert ``_MORE`` ``count`` times in the line ``_LINE``, so that no stored result fits."""
    source = file.read_text(encoding="utf-8").replace(_MORE, "")
    if source.count(_LINE) != 1:
        raise BenchError(f"{CHANGED}: expected exactly one line {_LINE.strip()!r}")
    line = _LINE.replace(":", _MORE * count + ":")
    file.write_text(source.replace(_LINE, line), encoding="utf-8")


def time_run(
    arguments: Sequence[str], folder: Path | None, environment: Mapping[str, str] | None
) -> float:
    """Run Python in a folder; return the seconds, or quote the last line of standard error."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    seconds = time.perf_counter() - started
    if done.returncode:
        said = done.stderr.splitlines() or ["no message"]
        raise BenchError(f"{' '.join(arguments)}: exit status {done.returncode}: {said[-1]}")
    return seconds


def _command(arguments: Sequence[str]) -> list[str]:
    return ["-m", "rsaxcel", *arguments]


def _least(
    arguments: Sequence[str], count: int, folder: Path | None, environment: Mapping[str, str] | None
) -> float:
    return min(time_run(arguments, folder, environment) for _ in range(count))
