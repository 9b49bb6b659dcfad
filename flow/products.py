"""The workload for the energy of a multiplier: products of random operands."""

from __future__ import annotations

import random
from collections.abc import Sequence

from rsaxcel.circuit import ProductCircuit
from rsaxcel.fl.keys import MIN_KEY_NBITS
from rsaxcel.flow.answers import NetlistAnswer, answers
from rsaxcel.flow.requests import default_key
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import operation

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
