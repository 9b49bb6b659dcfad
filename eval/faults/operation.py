"""The operation that is run with faults: operands with a key, and the expected response."""

from __future__ import annotations

import random
from dataclasses import dataclass

from rsaxcel.fl.circuit import Circuit
from rsaxcel.fl.keys import Key, balanced_key
from rsaxcel.flow.requests import default_key
from rsaxcel.sim.runners import cycles_of

Operands = tuple[int, int, int]


@dataclass(frozen=True)
class KeyOperation:
    """An exponentiation with a private exponent.

    Parameters
    ----------
    operands
        Base, exponent and modulus as the circuit takes them. With two halves, exponent and modulus
        are pairs, joined into one number each.
    base
        The base: the message that is signed.
    key
        Key of the operation; p and q are 0 if the key's primes are not used.
    response
        Expected result, by the functional model.
    cycles
        Expected cycles from request to response.
    """

    operands: Operands
    base: int
    key: Key
    response: int
    cycles: int


def key_operation(configuration: Circuit, seed: int) -> KeyOperation:
    """Draw a base, and return the operation with the private exponent of the width's key.

    The key is that of the flow's workload; for a design with two halves, a key of two primes of
    equal length. An exponent wider than the circuit's exponent loses its upper bits, and a design
    for one constant modulus keeps that modulus.

    Raises
    ------
    ValueError
        If the width is too small for a key.
    """
    draw = random.Random(f"faults/{configuration.nbits}/{seed}")
    if halves := configuration.halves:
        key = balanced_key(configuration.nbits, public_nbits=halves.public_nbits)
        p, q, dp, dq = key.halves(key.d)
        modulus, base = halves.joined(p, q), draw.randrange(2, key.n)
        exponent = halves.blinded_exponents(modulus, dp, dq, key.e, draw)
    else:
        key = default_key(configuration.nbits)
        modulus = configuration.constant_modulus or key.n
        exponent = key.d & configuration.largest_exponent
        base = draw.randrange(2, modulus)
    return operation_of(configuration, (base, exponent, modulus), key)


def operation_of(configuration: Circuit, operands: Operands, key: Key) -> KeyOperation:
    """Return the operation of given operands, with the response of the functional model.

    Raises
    ------
    ValueError
        If the functional model refuses the operands.
    """
    outcome, cycles = configuration.evaluate(*operands)
    if outcome.status:
        raise ValueError(f"the operands of a fault are refused: {outcome.status}")
    if cycles is None:
        (cycles,) = cycles_of(configuration, [operands])
    return KeyOperation(operands, operands[0], key, outcome.result, cycles)
