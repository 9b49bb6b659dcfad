"""Cycles per second of systems that run software, on both engines."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from rsaxcel.proc.elf import Image
from rsaxcel.proc.operands import join_words
from rsaxcel.proc.systems import NULL_SYSTEM, find_system
from rsaxcel.sim.system import open_circuit
from rsaxcel.sim.system_run import SystemEngine, SystemRequest, SystemRun
from tools.bench.speed import BenchError

SYSTEMS = (NULL_SYSTEM, "proc_mont_r2l")
PROGRAM = "naive"
PYMTL_CYCLES = 2000
_EXPONENT = 65537
_MAX_CYCLES = 100_000_000


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
        run, speed = _timed(native, SystemRequest(image, _MAX_CYCLES))
        check(name, run, expected)
        speeds.append(speed)
    short = SystemRequest(image, PYMTL_CYCLES)
    begun, slow = _timed(pymtl, short)
    if begun != native.run(short):
        raise BenchError(f"{name}: the engines differ within {PYMTL_CYCLES} cycles of {PROGRAM}")
    return SystemSpeed(name, median(speeds), slow, run.cycles)


def _timed(system: SystemEngine, request: SystemRequest) -> tuple[SystemRun, float]:
    started = time.perf_counter()
    run = system.run(request)
    return run, run.cycles / (time.perf_counter() - started)


def check(name: str, run: SystemRun, expected: int) -> None:
    """Raise ``BenchError`` unless a program ended with status 0 and sent the expected result."""
    if run.end is None or run.end.exit_status != 0:
        raise BenchError(f"{name}: {PROGRAM} ended with {run.end} after {run.cycles} cycles")
    result = join_words(run.messages)
    if result != expected:
        raise BenchError(f"{name}: {PROGRAM} gives {result:#x} instead of {expected:#x}")
