"""The workload for the energy of a multiplier: products of random operands."""

from __future__ import annotations

import random
from dataclasses import dataclass

from rsaxcel.fl.circuit import ProductCircuit
from rsaxcel.fl.keys import MIN_KEY_NBITS
from rsaxcel.flow.requests import default_key
from rsaxcel.sim.operations import operation

LANES = 32  # runs of products that are simulated side by side

PRODUCTS = 8  # averaged in each run; one more before them does not count


@dataclass(frozen=True)
class Product:
    """One product, with its response and its cycles from request accepted to response valid."""

    a: int
    b: int
    modulus: int
    response: tuple[int, ...]
    cycles: int


def product_modulus(nbits: int, constant_modulus: int = 0) -> int:
    """Modulus of the workload: given, of ``default_key``, or ``2**nbits - 1`` without a key."""
    if constant_modulus:
        return constant_modulus
    return default_key(nbits).n if nbits >= MIN_KEY_NBITS else (1 << nbits) - 1


def products(configuration: ProductCircuit) -> list[list[Product]]:
    """Draw the products of each lane; a and b are random, below the modulus.

    A reducer's operand is random in its whole range. Responses come from Python's integers, cycles
    from the cycle model.
    """
    modulus = product_modulus(configuration.nbits, configuration.constant_modulus)
    draw = random.Random(f"{configuration.nbits}/{modulus}")
    to_do = operation(configuration)

    golden = configuration.golden

    def product() -> Product:
        row = draw.randrange(modulus), draw.randrange(modulus), modulus
        if golden.unary:
            row = draw.randrange(golden.operand_limit(modulus)), 0, modulus
        return Product(*row, (to_do.result(row),), configuration.operator_cycles(*row))

    return [[product() for _ in range(1 + PRODUCTS)] for _ in range(LANES)]
