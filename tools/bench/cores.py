"""Speed of a core in Verilog on the native engine, beside a design with about as many cells."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from rsaxcel import catalog, course
from rsaxcel.circuit import Circuit
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.lab.design_netlist import netlist_files, read_files
from rsaxcel.sim.runners import open_component, unknown_cycles
from tools.bench.speed import BenchError, check, drawn

PROTOCOL = "start_done"
MOST_APART = 0.2  #: of the cells of the design
_SKELETON = Path(str(course.__file__)).parent / "core_skeleton"
_TRIES = 4
_LEAST_NBITS = 8
_VECTORS = 200


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
    files, _ = netlist_files(circuit, DEFAULT_LIBRARY, tell=progress)
    netlist, _ = read_files(files, DEFAULT_LIBRARY)
    return len(netlist.instances)


def _speeds(circuits: list[Any], repetitions: int, progress: Callable[[str], None]) -> list[float]:
    """Cycles per second of circuits, which run in turn."""
    found: list[list[float]] = [[] for _ in circuits]
    runs = []
    for circuit in circuits:
        progress(f"{circuit.name}: building the native engine")
        engine: Any = open_component(circuit, "rtl", "native")
        engine.optimize()
        vectors = drawn(circuit, _VECTORS)
        requests = [circuit.request(*vector.operands) for vector in vectors]
        runs.append((engine, vectors, requests, unknown_cycles(circuit)))
    for _ in range(5 * repetitions):
        for speeds, (engine, vectors, requests, limit) in zip(found, runs, strict=True):
            started = time.perf_counter()
            batch = engine.run(requests, max_idle_cycles=limit)
            speeds.append(batch.total_cycles / (time.perf_counter() - started))
            check(vectors, batch.responses)
    return [median(x) for x in found]
