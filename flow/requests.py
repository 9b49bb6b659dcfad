"""The default workload: what designs and systems do while their energy is measured."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from catalog import Configuration
from fl.keys import Key, seeded_key
from proc.systems import System

OPERATIONS = 32
"""Operations of each type whose energy is averaged; each has another base."""

PRINTED_KEYS = {32: Key(2148676643, 65537, 977851481)}
"""Keys by width whose exponents a document prints for its energies: McNay, text below table 1. The
modulus is the one that they belong to (docs/errata.md)."""

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


def default_key(nbits: int) -> Key:
    """Key of the workload: one whose exponents are printed, else the standard one."""
    return PRINTED_KEYS.get(nbits) or seeded_key(nbits, _SEED)


def default_exponents(nbits: int) -> dict[str, int]:
    """Exponents of encryption and decryption, those of ``default_key``."""
    key = default_key(nbits)
    return {"encrypt": key.e, "decrypt": key.d}


def bases(target: Configuration | System, exponent: int, count: int) -> tuple[int, list[int]]:
    """Modulus of ``default_key``, or the only one there is, and random bases below it."""
    modulus = target.constant_modulus or default_key(target.nbits).n
    draw = random.Random(f"{target.nbits}/{exponent}")
    return modulus, [draw.randrange(modulus) for _ in range(count)]


def operations(configuration: Configuration, exponent: int, count: int) -> list[Exponentiation]:
    """Operations with one exponent, the modulus that ``bases`` gives and random bases.

    Of a design by the primes they are those of the key, whose own exponents are modulo each.

    Response and cycles come from the functional and the cycle model.
    """
    modulus, drawn = bases(configuration, exponent, count)
    halves = configuration.choices.domain.halves
    if halves:
        p, q, dp, dq = seeded_key(configuration.nbits, _SEED).halves(exponent)
        exponent, modulus = halves.joined(dp, dq), halves.joined(p, q)
    found = []
    for base in drawn:
        outcome, cycles = configuration.evaluate(base, exponent, modulus)
        response = (outcome.result, int(outcome.status))
        found.append(Exponentiation(base, exponent, modulus, response, cycles))
    return found


def describe_workload(nbits: int, exponents: Mapping[str, int], constant_modulus: int = 0) -> str:
    """Say what is run: how often, with which exponents, and which key's modulus."""
    key = default_key(nbits)
    named = f"the key whose exponents {_PRINTED_BY} prints"
    if nbits not in PRINTED_KEYS:
        named = f"the standard {nbits}-bit key (seed {_SEED})"
    shown = ", ".join(f"{name} {_short(exponent)}" for name, exponent in exponents.items())
    asked = "" if exponents == default_exponents(nbits) else " (exponents as asked)"
    modulus = f"{_short(key.n)} of {named}"
    if constant_modulus:
        modulus = f"{_short(constant_modulus)}, the only one, with the exponents of {named}"
    return f"{shown}{asked}; {OPERATIONS} random bases each; modulus {modulus}"


def _short(number: int) -> str:
    """Write a number in decimal, a long one by its ends."""
    text = str(number)
    return text if len(text) <= 12 else f"{hex(number)[:8]}...{hex(number)[-4:]}"
