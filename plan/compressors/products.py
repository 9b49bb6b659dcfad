"""Operations modulo a constant: which bits each of them adds up, as slices of operand vectors."""

from collections.abc import Callable
from dataclasses import dataclass

from rsaxcel.plan.compressors.cells import AND
from rsaxcel.plan.compressors.matrix import Matrix
from rsaxcel.plan.compressors.netlist import OPERAND, REVERSED, Run


@dataclass(frozen=True)
class Operation:
    """An operation modulo a constant."""

    # Adds the bits of the operation, of that operand width, to a matrix.
    fill: Callable[[Matrix, int], None]
    largest: Callable[[int], int]  # sum of these bits, from the exclusive bound of the operands


def operand_limit(operation: str, modulus: int, nbits: int) -> int:
    return 1 << nbits if operation == "residue" else modulus


def _fill_product(matrix: Matrix, nbits: int) -> None:
    """Add the partial products of ``a * b`` to a matrix."""
    # Bits `a_i & b_(w - i)` of weight `2^w`: the AND of a slice of a and a slice of reversed b.
    for weight in range(2 * nbits - 1):
        first = max(0, weight - nbits + 1)
        _add_products(matrix, nbits, weight, first, min(weight, nbits - 1) + 1, weight)


def _fill_square(matrix: Matrix, nbits: int) -> None:
    """Add the bits of ``a * a``: a_i of ``2^(2 i)``, ``a_i & a_j`` of ``2^(i + j + 1)``, i < j."""
    for weight in range(2 * nbits - 1):
        if weight % 2 == 0:
            matrix.add(weight, Run(OPERAND, weight // 2, 1), 0)
        first = max(0, weight - nbits + 1)
        _add_products(matrix, nbits, weight, first, (weight + 1) // 2, weight + 1)


def _add_products(
    matrix: Matrix, nbits: int, total: int, first: int, end: int, column: int
) -> None:
    """Add bits ``a_i & b_(total - i)``, i from ``first`` to ``end - 1``, to a column.

    B is a for a square.
    """
    if first < end:
        bits = Run(OPERAND, first, end - first)
        others = Run(REVERSED, nbits - 1 - total + first, end - first)
        matrix.add(column, matrix.add_cells(AND, (bits,), (others,)), AND.delay)


def _fill_residue(matrix: Matrix, nbits: int) -> None:
    for weight in range(nbits):
        matrix.add(weight, Run(OPERAND, weight, 1), 0)


MODULAR_OPERATIONS = {
    "product": Operation(_fill_product, lambda limit: (limit - 1) ** 2),
    "square": Operation(_fill_square, lambda limit: (limit - 1) ** 2),
    "residue": Operation(_fill_residue, lambda limit: limit - 1),
}
