"""Measures the seconds of a decryption at RTL, on the native engine."""

import time
from collections.abc import Callable

from rsaxcel.catalog import Configuration
from rsaxcel.circuit import expected_power
from rsaxcel.flow.requests import default_exponents, workload_operands
from rsaxcel.sim.runners import hang_cycles, open_component
from tools.bench.speed import BenchError

_WARM_UP_EXPONENT = 3


def decrypt(configuration: Configuration, progress: Callable[[str], None]) -> tuple[int, float]:
    """Decrypt once with the standard key; return cycles and seconds of the simulation alone."""
    nbits = configuration.nbits
    progress(f"{configuration.name}: building the native engine")
    engine = open_component(configuration, "rtl", "native")
    exponent = default_exponents(nbits)["decrypt"]
    ((base, exponent, modulus),) = workload_operands(configuration, exponent, 1)
    limit = hang_cycles(configuration)

    def run(exponent: int) -> int:
        request = configuration.request(base, exponent, modulus)
        batch = engine.run([request], max_idle_cycles=limit)
        if batch.responses != [(expected_power(base, exponent, modulus, configuration.halves), 0)]:
            raise BenchError(f"{configuration.name} gives {batch.responses}")
        return batch.total_cycles

    run(_WARM_UP_EXPONENT)
    progress(f"{configuration.name}: decrypting")
    start = time.perf_counter()
    cycles = run(exponent)
    return cycles, time.perf_counter() - start
