"""The default workload: operations and products whose energy is measured."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache

from rsaxcel.circuit import Circuit, Halves, ProductCircuit, Target
from rsaxcel.fl.keys import MIN_KEY_NBITS, Key, balanced_key, balanced_primes, seeded_key
from rsaxcel.flow.answers import NetlistAnswer, answers
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import expected_response, operation

OPERATION_COUNT = 32  #: operations of each type, each with its own base

# Keys by width, with the exponents of McNay's energy figures (text below table 1). The document
# does not print the modulus: it is computed from the exponents (docs/records/errata.md).
PRINTED_KEYS = {32: Key(2148676643, 65537, 977851481)}

_PRINTED_BY = "McNay (text below table 1)"
_SEED = 0


@cache
def default_key(nbits: int) -> Key:
    """Key of the workload: from ``PRINTED_KEYS`` if it has this width, else from ``seeded_key``."""
    return PRINTED_KEYS.get(nbits) or seeded_key(nbits, _SEED)


def default_exponents(nbits: int) -> dict[str, int]:
    """Exponents of ``default_key``, for encryption and decryption."""
    key = default_key(nbits)
    return {"encrypt": key.e, "decrypt": key.d}


def usual_exponents(nbits: int, exponent_nbits: int) -> dict[str, int]:
    """Exponents of ``default_key`` that a design accepts.

    If the design accepts no exponent, all are returned, to be refused by name.
    """
    usual = default_exponents(nbits)
    return {k: x for k, x in usual.items() if x.bit_length() <= exponent_nbits} or usual


def workload_operands(
    target: Target, exponent: int, count: int, halves: Halves | None = None
) -> list[Operands]:
    """Draw random bases, and return each with the exponent and the modulus.

    The modulus is the target's constant modulus, or that of ``default_key``. With ``halves`` (by
    default the target's), the modulus is two primes of equal length, joined, and the exponent
    likewise ``exponent mod (p - 1)`` and ``mod (q - 1)``. A design that checks its result by the
    public exponent takes the primes of ``balanced_key``. Operations with blinding or dummies have
    random numbers.
    """
    draw = random.Random(f"{target.nbits}/{exponent}")
    halves = halves or target.halves
    if halves and halves.public_nbits:
        key = balanced_key(target.nbits, public_nbits=halves.public_nbits)
        p, q, dp, dq = key.halves(key.d)
        public = key.e
    elif halves:
        p, q = balanced_primes(target.nbits, _SEED)
        dp, dq, public = exponent % (p - 1), exponent % (q - 1), 0
    else:
        modulus = target.constant_modulus or default_key(target.nbits).n
        return [(draw.randrange(modulus), exponent, modulus) for _ in range(count)]
    moduli, blind = halves.joined(p, q), random.Random(f"{target.nbits}/{exponent}/blind")
    return [
        (draw.randrange(p * q), halves.blinded_exponents(moduli, dp, dq, public, blind), moduli)
        for _ in range(count)
    ]


def operations(configuration: Circuit, exponent: int, count: int) -> list[NetlistAnswer]:
    """Operations of a design's workload, each with its expected response and cycles."""
    to_do = operation(configuration)
    rows = workload_operands(configuration, exponent, count)
    return answers(configuration, rows, lambda row: expected_response(to_do, row))


def describe_workload(
    nbits: int, exponents: Mapping[str, int], constant_modulus: int = 0, by_primes: bool = False
) -> str:
    """Describe the workload in words: exponents, number of bases, and modulus."""
    key = default_key(nbits)
    named = f"the key whose exponents {_PRINTED_BY} prints"
    if nbits not in PRINTED_KEYS:
        named = f"the standard {nbits}-bit key (seed {_SEED})"
    shown = ", ".join(f"{name} {_short(exponent)}" for name, exponent in exponents.items())
    usual = exponents.items() <= default_exponents(nbits).items()
    asked = "" if usual else " (exponents as asked)"
    modulus = f"{_short(key.n)} of {named}"
    if constant_modulus:
        modulus = f"{_short(constant_modulus)}, the only one, with the exponents of {named}"
    if by_primes:
        p, q = (_short(prime) for prime in balanced_primes(nbits, _SEED))
        modulus = f"of primes of equal length, {p} and {q}, with the exponents of {named} modulo "
        modulus += "each less 1"
    return f"{shown}{asked}; {OPERATION_COUNT} random bases each; modulus {modulus}"


def _short(number: int) -> str:
    """Write a number in decimal; a long one by its first and last hexadecimal digits."""
    text = str(number)
    return text if len(text) <= 12 else f"{hex(number)[:8]}...{hex(number)[-4:]}"


LANES = 32  #: number of series of products that are simulated side by side

PRODUCTS = 8  #: products in each series that are averaged; one more before these does not count


def product_modulus(nbits: int, constant_modulus: int = 0) -> int:
    """Modulus of the workload: the constant one, that of ``default_key``, or ``2**nbits - 1``."""
    if constant_modulus:
        return constant_modulus
    return default_key(nbits).n if nbits >= MIN_KEY_NBITS else (1 << nbits) - 1


def products(configuration: ProductCircuit) -> list[list[NetlistAnswer]]:
    """Return the products of each lane, with the responses that a netlist must give.

    Cycles come from the cycle model or, without one, from RTL.
    """
    lanes = drawn(configuration)
    found = iter(product_answers(configuration, [row for lane in lanes for row in lane]))
    return [[next(found) for _ in lane] for lane in lanes]


def product_answers(
    configuration: ProductCircuit, rows: Sequence[Operands], *, may_hang: bool = False
) -> list[NetlistAnswer]:
    """Return what the circuit that is synthesized must answer; see ``flow.answers``."""
    to_do = operation(configuration)
    if "cl" in configuration.levels and configuration.shelled is None:
        cycles = (configuration.operator_cycles(*row) or 0 for row in rows)
        found = zip(rows, cycles, strict=True)
        return [NetlistAnswer(row, (to_do.result(row),), count) for row, count in found]
    return answers(configuration, rows, lambda row: (to_do.result(row),), may_hang=may_hang)


def drawn(configuration: ProductCircuit) -> list[list[Operands]]:
    """Draw the operands of each lane: below the modulus, or in a reducer's whole range."""
    modulus = product_modulus(configuration.nbits, configuration.constant_modulus)
    draw = random.Random(f"{configuration.nbits}/{modulus}")
    golden = configuration.golden

    def row() -> Operands:
        row = draw.randrange(modulus), draw.randrange(modulus), modulus
        return (draw.randrange(golden.operand_limit(modulus)), 0, modulus) if golden.unary else row

    return [[row() for _ in range(1 + PRODUCTS)] for _ in range(LANES)]
