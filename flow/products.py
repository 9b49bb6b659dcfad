"""The workload for the energy of a multiplier: products of random operands."""

from __future__ import annotations

import random
from dataclasses import dataclass

from catalog import MultiplierConfiguration
from fl.keys import MIN_KEY_NBITS
from flow.requests import default_key
from sim.operations import operation

LANES = 32
"""Number of runs, simulated side by side."""

PRODUCTS = 8
"""Products of each run whose energy is averaged; one more runs first and does not count."""


@dataclass(frozen=True)
class Product:
    """One product, its response and its cycles from request accepted to response valid."""

    a: int
    b: int
    modulus: int
    response: tuple[int, ...]
    cycles: int


def product_modulus(nbits: int, constant_modulus: int = 0) -> int:
    """Modulus of the workload: the constant one, else the modulus of ``default_key``.

    Widths below the shortest key have the largest number of ``nbits`` bits.
    """
    if constant_modulus:
        return constant_modulus
    return default_key(nbits).n if nbits >= MIN_KEY_NBITS else (1 << nbits) - 1


def products(configuration: MultiplierConfiguration) -> list[list[Product]]:
    """Products of random a and b below the modulus, run by run.

    Responses come from Python's integers, cycles from the cycle model.
    """
    modulus = product_modulus(configuration.nbits, configuration.constant_modulus)
    draw = random.Random(f"{configuration.nbits}/{modulus}")
    to_do = operation(configuration)

    def product() -> Product:
        row = draw.randrange(modulus), draw.randrange(modulus), modulus
        return Product(*row, (to_do.result(row),), _cycles(configuration, *row))

    return [[product() for _ in range(1 + PRODUCTS)] for _ in range(LANES)]


def _cycles(configuration: MultiplierConfiguration, *operands: int) -> int:
    """Cycles of the synthesized circuit (``operator``): a bare unit if its modulus is constant."""
    if configuration.constant_modulus:
        return sum(configuration.timing.durations(*operands))
    return configuration.cycles(*operands)
