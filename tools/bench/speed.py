"""Cycles per second of several engines on one design, with the same vectors."""

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from rsaxcel.catalog import Configuration
from rsaxcel.fl.keys import seeded_key
from rsaxcel.flow.requests import workload_operands
from rsaxcel.sim.native.engine import NativeEngine
from rsaxcel.sim.operations import operation
from rsaxcel.sim.runners import hang_cycles, open_component
from rsaxcel.sim.vectors import Vector, random_vectors
from rsaxcel.store.errors import RunError
from tools.bench.bare_loop import BareLoop
from tools.bench.pymtl_import import PymtlImport

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
    cycles: int  # cycles of one repetition


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
    """Measure all engines in turn, so that other load of the machine affects all of them."""
    # The PyMTL import runs ``repetitions`` times, the other engines, much faster, five times as
    # often. The bare loop supports only ``mont_r2l`` at 32 bits.
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
