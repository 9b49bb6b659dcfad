"""The default workload: what designs and systems do while their energy is measured."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from catalog import Configuration
from fl.keys import seeded_key

OPERATIONS = 32
"""Operations of each type whose energy is averaged; each has another base."""

PRINTED_EXPONENTS: dict[int, Mapping[str, int]] = {32: {"encrypt": 65537, "decrypt": 977851481}}
"""Exponents by width that a document prints for its energies: McNay, text below table 1."""

_PRINTED_BY = "McNay (text below table 1)"
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
    """Exponents of encryption and decryption: printed ones, else those of the standard key."""
    if nbits in PRINTED_EXPONENTS:
        return dict(PRINTED_EXPONENTS[nbits])
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


def describe_workload(nbits: int, exponents: Mapping[str, int]) -> str:
    """Say what is run: how often, with which exponents, and which key's modulus."""
    if exponents == PRINTED_EXPONENTS.get(nbits):
        origin = f"as {_PRINTED_BY} prints them"
    elif exponents == default_exponents(nbits):
        origin = "of the standard key"
    else:
        origin = "as asked"
    shown = ", ".join(f"{name} {_short(exponent)}" for name, exponent in exponents.items())
    return (
        f"exponents {origin}: {shown}; {OPERATIONS} random bases each; modulus of the standard "
        f"{nbits}-bit key (seed {_SEED}), {_short(seeded_key(nbits, _SEED).n)}"
    )


def _short(number: int) -> str:
    """Write a number in decimal, a long one by its ends."""
    text = str(number)
    return text if len(text) <= 12 else f"{hex(number)[:8]}...{hex(number)[-4:]}"
