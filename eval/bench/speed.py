"""Cycles per second of three ways to simulate one design, on the same vectors."""

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import designs
from eval.bench.bare_loop import BareLoop
from eval.bench.pymtl_import import PymtlImport
from eval.engines import hang_cycles, open_component
from eval.operations import operation
from eval.vectors import Vector, random_vectors

DESIGN = "mont_r2l"
NBITS = 32
FOLDER = Path("build", "bench")

Simulate = Callable[[Sequence[tuple[int, ...]]], tuple[list[tuple[int, ...]], int]]


class BenchError(Exception):
    """An engine gave a wrong result; the message is one line."""


@dataclass(frozen=True)
class Speeds:
    """Median cycles per second."""

    native: float
    bare_loop: float
    pymtl_import: float
    cycles: int
    """Cycles of one repetition."""


def measure(count: int, repetitions: int, progress: Callable[[str], None]) -> Speeds:
    """Measure all three in turn, so that whatever else the machine does meets all of them.

    Parameters
    ----------
    count : int
        Number of random vectors.
    repetitions : int
        Runs of the PyMTL3 import; the others, much shorter, are run five times as often.
    progress : callable
        Takes a line of text for each step.

    Raises
    ------
    BenchError
        If a response is not what Python's ``pow`` and the input rules say, or the numbers of cycles
        differ.
    """
    configuration = designs.get(DESIGN).configure(NBITS)
    vectors = list(random_vectors(count, 0, NBITS, operation(configuration)))
    requests = [configuration.request(*vector.operands) for vector in vectors]
    progress("building the native engine and the bare loop")
    engine = open_component(configuration, "rtl", "native")
    limit = hang_cycles(configuration)

    def native(requests: Sequence[tuple[int, ...]]) -> tuple[list[tuple[int, ...]], int]:
        batch = engine.run(requests, max_idle_cycles=limit)
        return batch.responses, batch.total_cycles

    bare_loop = BareLoop(engine.module).run
    progress("building PyMTL3's import")
    pymtl_import = PymtlImport(configuration, FOLDER).run

    # PyMTL3's component stays alive; without this, collecting garbage would walk through all of it
    # on the time of whoever allocates.
    gc.collect()
    gc.freeze()
    speeds: dict[Simulate, list[float]] = {native: [], bare_loop: [], pymtl_import: []}
    cycles: set[int] = set()
    for number in range(1, repetitions + 1):
        progress(f"repetition {number} of {repetitions}")
        for simulate in [native, bare_loop] * 5 + [pymtl_import]:
            started = time.perf_counter()
            responses, taken = simulate(requests)
            speeds[simulate].append(taken / (time.perf_counter() - started))
            check(vectors, responses)
            cycles.add(taken)
    if len(cycles) > 1:
        raise BenchError(f"the same vectors took {sorted(cycles)} cycles")
    return Speeds(
        native=median(speeds[native]),
        bare_loop=median(speeds[bare_loop]),
        pymtl_import=median(speeds[pymtl_import]),
        cycles=cycles.pop(),
    )


def check(vectors: Sequence[Vector], responses: Sequence[tuple[int, ...]]) -> None:
    """Raise ``BenchError`` for the first response that differs from what its vector expects."""
    for vector, response in zip(vectors, responses, strict=True):
        if response != (vector.result, vector.status):
            raise BenchError(
                f"vector {vector.line}: {response} instead of "
                f"{(vector.result, int(vector.status))} for {vector.operands}"
            )
