"""The operation that is run with faults: operands with a key, and the expected response."""

from __future__ import annotations

import random
from dataclasses import dataclass

from rsaxcel.circuit import Circuit
from rsaxcel.fl.keys import Key, balanced_key
from rsaxcel.flow.requests import default_key
from rsaxcel.sim.runners import cycles_of

Operands = tuple[int, int, int]


@dataclass(frozen=True)
class KeyOperation:
    """An exponentiation with a private exponent."""

    #: operands as the circuit takes them; with two halves, exponents and moduli are joined
    operands: Operands
    base: int  #: message that is signed
    key: Key  #: p and q are 0 if the key's primes are not used
    response: int  #: response by the functional model
    cycles: int  #: cycles from request to response, by the functional or cycle model


def key_operation(configuration: Circuit, seed: int, *, equal_primes: bool = False) -> KeyOperation:
    """Draw a base, and return the operation with the private exponent of the width's key.

    The key is that of the flow's workload; with two halves, or with ``equal_primes``, one of two
    primes of equal length. An exponent that is wider than the circuit's loses its upper bits; a
    constant modulus replaces the key's.
    """
    draw = random.Random(f"faults/{configuration.nbits}/{seed}")
    if halves := configuration.halves:
        key = balanced_key(configuration.nbits, public_nbits=halves.public_nbits)
        p, q, dp, dq = key.halves(key.d)
        modulus, base = halves.joined(p, q), draw.randrange(2, key.n)
        exponent = halves.blinded_exponents(modulus, dp, dq, key.e, draw)
    else:
        key = (balanced_key if equal_primes else default_key)(configuration.nbits)
        modulus = configuration.constant_modulus or key.n
        exponent = key.d & configuration.largest_exponent
        base = draw.randrange(2, modulus)
    return operation_of(configuration, (base, exponent, modulus), key)


def operation_of(configuration: Circuit, operands: Operands, key: Key) -> KeyOperation:
    """Return the operation of operands, unless the functional model refuses them."""
    outcome, cycles = configuration.evaluate(*operands)
    if outcome.status:
        raise ValueError(f"the operands of a fault are refused: {outcome.status}")
    if cycles is None:
        (cycles,) = cycles_of(configuration, [operands])
    return KeyOperation(operands, operands[0], key, outcome.result, cycles)
