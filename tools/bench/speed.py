"""Cycles per second of several engines on one design, with the same vectors."""

import contextlib
import ctypes
import gc
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from pymtl3 import Component, DefaultPassGroup
from pymtl3.passes.backends.verilog import (
    VerilogTranslationImportPass,
    VerilogTranslationPass,
    VerilogVerilatorImportPass,
)

from rsaxcel.catalog import Configuration
from rsaxcel.fl.keys import seeded_key
from rsaxcel.flow.requests import workload_operands
from rsaxcel.sim.native.build import build_library
from rsaxcel.sim.native.engine import NativeEngine
from rsaxcel.sim.native.toolchain import find_toolchain
from rsaxcel.sim.operations import operation
from rsaxcel.sim.runners import hang_cycles, open_component
from rsaxcel.sim.translate import VerilogModule
from rsaxcel.sim.vectors import Vector, random_vectors
from rsaxcel.store.errors import RunError
from rsaxcel.store.foreign import ForeignLibrary


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
        with contextlib.chdir(folder), _environment(environment):
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


@contextlib.contextmanager
def _environment(values: dict[str, str]):
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


_OPERANDS, _ANSWERS = 4, 2


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


FOLDER = Path("build", "bench")

Simulate = Callable[[Sequence[tuple[int, ...]]], tuple[Sequence[Any], int]]


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
    engine = open_component(configuration, "rtl", "native")
    assert isinstance(engine, NativeEngine)
    engine.optimize()
    limit = hang_cycles(configuration)

    def native(requests: Sequence[tuple[int, ...]]) -> tuple[Sequence[Any], int]:
        batch = engine.run(requests, max_idle_cycles=limit)
        return batch.responses, batch.total_cycles

    fast: dict[str, Simulate] = {"native": native}
    if bare_loop:
        progress(f"{name}: building the bare loop")
        fast["bare_loop"] = BareLoop(engine.module).run
    progress(f"{name}: building PyMTL3's import")
    pymtl_import = PymtlImport(configuration, FOLDER).run

    # Keep the objects that exist here, above all those of PyMTL3's component, out of the garbage
    # collections that happen during the measurement.
    gc.collect()
    gc.freeze()
    speeds: dict[str, list[float]] = {way: [] for way in (*fast, "pymtl_import")}
    cycles: set[int] = set()
    for number in range(1, repetitions + 1):
        progress(f"{name}: repetition {number} of {repetitions}")
        for way, simulate in [*fast.items()] * 5 + [("pymtl_import", pymtl_import)]:
            started = time.perf_counter()
            responses, taken = simulate(requests)
            speeds[way].append(taken / (time.perf_counter() - started))
            check(vectors, responses)
            cycles.add(taken)
    if len(cycles) > 1:
        raise BenchError(f"the same vectors took {sorted(cycles)} cycles")
    return Speeds(
        native=median(speeds["native"]),
        bare_loop=median(speeds["bare_loop"]) if bare_loop else None,
        pymtl_import=median(speeds["pymtl_import"]),
        cycles=cycles.pop(),
    )


def check(vectors: Sequence[Vector], responses: Sequence[tuple[int, ...]]) -> None:
    """Raise ``BenchError`` for the first response that differs from its vector."""
    for vector, response in zip(vectors, responses, strict=True):
        if response != (vector.result, vector.status):
            raise BenchError(
                f"vector {vector.line}: {response} instead of "
                f"{(vector.result, int(vector.status))} for {vector.operands}"
            )
