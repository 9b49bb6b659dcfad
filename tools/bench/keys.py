"""Encryptions and decryptions with keys of the ``rsa`` package, on the designs."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from rsaxcel.catalog import Configuration
from rsaxcel.fl.keys import random_key
from rsaxcel.sim.runners import hang_cycles, open_component


class KeyOperation(NamedTuple):
    """Operands of an encryption or decryption, with the result of the ``rsa`` package."""

    base: int
    exponent: int
    modulus: int
    reference: int


def key_operations(count: int, nbits: int) -> list[KeyOperation]:
    """Encrypt and decrypt a random message below the modulus with each of some fresh keys."""
    operations = []
    for _ in range(count):
        key = random_key(nbits)
        message = random.randrange(key.n)
        ciphertext = key.encrypt(message)
        operations.append(KeyOperation(message, key.e, key.n, ciphertext))
        operations.append(KeyOperation(ciphertext, key.d, key.n, key.decrypt(ciphertext)))
    return operations


def disagreements(
    configuration: Configuration, operations: Sequence[KeyOperation]
) -> list[tuple[KeyOperation, tuple[int, ...] | None]]:
    """Return the operations with a wrong response, each with it, or with None if there was none."""
    batch = open_component(configuration, "rtl", "native").run(
        [configuration.request(*operation[:3]) for operation in operations],
        max_idle_cycles=hang_cycles(configuration),
    )
    pairs = zip(operations, batch.responses, strict=True)
    return [(op, response) for op, response in pairs if response != (op.reference, 0)]
