"""Measures the seconds of a decryption at RTL, on the native engine."""

import random
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rsaxcel.catalog import Configuration
from rsaxcel.circuit import expected_power
from rsaxcel.fl.keys import random_key
from rsaxcel.flow.requests import default_exponents, workload_operands
from rsaxcel.sim.runners import hang_cycles, open_component
from tools.bench.speed import BenchError


class CheckedOperation(NamedTuple):
    """Operands of an encryption or decryption, with the result of the ``rsa`` package."""

    base: int
    exponent: int
    modulus: int
    reference: int


def key_operations(count: int, nbits: int) -> list[CheckedOperation]:
    """Encrypt and decrypt a random message below the modulus with each of some fresh keys."""
    operations = []
    for _ in range(count):
        key = random_key(nbits)
        message = random.randrange(key.n)
        ciphertext = key.encrypt(message)
        operations.append(CheckedOperation(message, key.e, key.n, ciphertext))
        operations.append(CheckedOperation(ciphertext, key.d, key.n, key.decrypt(ciphertext)))
    return operations


def disagreements(
    configuration: Configuration, operations: Sequence[CheckedOperation]
) -> list[tuple[CheckedOperation, tuple[int, ...] | None]]:
    """Return the operations with a wrong response, with the response, or None if none came."""
    batch = open_component(configuration, "rtl", "native").run(
        [configuration.request(*operation[:3]) for operation in operations],
        max_idle_cycles=hang_cycles(configuration),
    )
    pairs = zip(operations, batch.responses, strict=True)
    return [(op, response) for op, response in pairs if response != (op.reference, 0)]


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
