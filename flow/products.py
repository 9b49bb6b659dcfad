"""The workload of a multiplier: products of random operands while its energy is measured."""

from __future__ import annotations

import random
from dataclasses import dataclass

from catalog import MultiplierConfiguration
from fl.keys import MIN_KEY_NBITS
from flow.requests import default_key
from sim.operations import operation

LANES = 32
"""Runs side by side."""

PRODUCTS = 8
"""Products of each run whose energy is averaged; another one comes first."""


@dataclass(frozen=True)
class Product:
    """One product, its response and its cycles from request accepted to response valid."""

    a: int
    b: int
    modulus: int
    response: tuple[int, ...]
    cycles: int


def product_modulus(nbits: int, constant_modulus: int = 0) -> int:
    """Modulus of the workload: the only one, else that of the key of the designs' workload.

    The largest number of so many bits where no key is as short.
    """
    if constant_modulus:
        return constant_modulus
    return default_key(nbits).n if nbits >= MIN_KEY_NBITS else (1 << nbits) - 1


def products(configuration: MultiplierConfiguration) -> list[list[Product]]:
    """Products of random a and b below the modulus, run by run.

    Responses are Python's, cycles the cycle model's.
    """
    modulus = product_modulus(configuration.nbits, configuration.constant_modulus)
    draw = random.Random(f"{configuration.nbits}/{modulus}")
    to_do = operation(configuration)

    def product() -> Product:
        row = draw.randrange(modulus), draw.randrange(modulus), modulus
        return Product(*row, (to_do.result(row),), _cycles(configuration, *row))

    return [[product() for _ in range(1 + PRODUCTS)] for _ in range(LANES)]


def _cycles(configuration: MultiplierConfiguration, *operands: int) -> int:
    """Cycles of what is synthesized, ``operator``: a bare unit if it is for one modulus."""
    if configuration.constant_modulus:
        return sum(configuration.timing.durations(*operands))
    return configuration.cycles(*operands)
