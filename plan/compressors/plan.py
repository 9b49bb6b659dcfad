"""Operations modulo a constant, and the plan of a tree of compressors for an operation."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from rsaxcel.plan.compressors.matrix import Matrix
from rsaxcel.plan.compressors.modular_sum import ModularSum
from rsaxcel.plan.compressors.netlist import (
    AND,
    CORRECTION,
    OPERAND,
    REVERSED,
    Bank,
    Estimate,
    Run,
    Runs,
    execute,
    gather,
)
from rsaxcel.plan.compressors.weights import operand_nbits


@dataclass(frozen=True)
class TreeOperation:
    """An operation modulo a constant."""

    #: Adds the bits of the operation, for operands of a width, to a matrix.
    fill: Callable[[Matrix, int], None]
    #: greatest sum of these bits, from the exclusive bound of the operands
    largest: Callable[[int], int]


def operand_limit(operation: str, modulus: int, nbits: int) -> int:
    return 1 << nbits if operation == "residue" else modulus


def _fill_product(matrix: Matrix, nbits: int) -> None:
    """Add the partial products of ``a * b`` to a matrix.

    Bits `a_i & b_(w - i)` of weight `2^w`: the AND of a slice of a and a slice of reversed b.
    """
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
    "product": TreeOperation(_fill_product, lambda limit: (limit - 1) ** 2),
    "square": TreeOperation(_fill_square, lambda limit: (limit - 1) ** 2),
    "residue": TreeOperation(_fill_residue, lambda limit: limit - 1),
}


@dataclass(frozen=True, eq=False)
class Plan:
    """Circuit of an operation modulo a constant: banks of cells, then an adder for two rows."""

    operation: str  #: "product", "square" or "residue"
    modulus: int  #: modulus m, 2 or more
    nbits: int  #: width of each operand
    tree: str  #: choice of compressors: a key of TREES
    #: Number of columns. A carry into a higher column is re-weighted (replaced by bits of the
    #: residue of its weight), or stays there, in a guard column.
    columns: int
    #: When carries are re-weighted. "products": before the first level, as in Vassoler, section
    #: 2.2.1. "rows": bits stay in guard columns until re-weighting does not make the matrix higher.
    reweighted: str
    heights: tuple[int, ...]  #: height of the highest column before each level
    bits: int  #: number of bits of the matrix before the first level
    banks: tuple[Bank, ...]  #: banks; each reads operands and earlier banks only
    rows: tuple[Runs, Runs]  #: last two rows, of `modular_sum.nbits` bits each
    correction_row: int  #: constant that compensates for inverted bits; 0: the final adder adds it
    modular_sum: ModularSum  #: final adder
    estimate: Estimate  #: area and delay in unit gates

    @property
    def operands(self) -> int:
        return 2 if self.operation == "product" else 1

    @property
    def result_nbits(self) -> int:
        return operand_nbits(self.modulus)

    @property
    def reads_reversed(self) -> bool:
        """Whether there is a second vector of operand bits, in reverse order."""
        return self.operation != "residue"

    @property
    def levels(self) -> int:
        return len(self.heights)

    def execute(self, *operands: int) -> int:
        """Compute the result as the circuit does, cell by cell.

        Operands of products and squares are below the modulus. `ValueError` for wrong operands.
        """
        return self.modular_sum.execute(*self.compress(*operands))

    def compress(self, *operands: int) -> tuple[int, int]:
        """Compute the two rows that the tree of compressors passes to the final adder."""
        if len(operands) != self.operands:
            raise ValueError(f"{self.operation}: {len(operands)} operands, not {self.operands}")
        limit = operand_limit(self.operation, self.modulus, self.nbits)
        for operand in operands:
            if not 0 <= operand < limit:
                raise ValueError(f"{self.operation} operand {operand} is not in 0 .. {limit - 1}")
        values = {OPERAND: operands[0], CORRECTION: self.correction_row}
        if self.reads_reversed:
            values[REVERSED] = int(f"{operands[-1]:0{self.nbits}b}"[::-1], 2)
        execute(self.banks, values)
        first, second = (gather(row, values) for row in self.rows)
        return first, second

    @cached_property
    def digest(self) -> str:
        """Hash of the circuit, 16 hexadecimal digits."""
        circuit: Iterable[object] = (
            self.operation,
            self.modulus,
            self.nbits,
            self.columns,
            self.banks,
            self.rows,
            self.correction_row,
            self.modular_sum,
        )
        return hashlib.sha256(repr(circuit).encode()).hexdigest()[:16]

    def __eq__(self, other: object) -> bool:
        """Compare the circuits only, not the choices that led to them, such as ``tree``."""
        return isinstance(other, Plan) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __str__(self) -> str:
        """Return a short unique name, for the names of Verilog modules."""
        return f"{self.operation}_{self.nbits}_{self.tree}_{self.digest}"

    def __repr__(self) -> str:
        """Return the name: the full contents would list thousands of runs."""
        return f"Plan({self})"
