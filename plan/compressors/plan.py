"""Plan of a circuit: a tree of compressors that computes an operation modulo a constant."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from rsaxcel.plan.compressors.cells import Estimate
from rsaxcel.plan.compressors.modular_sum import ModularSum
from rsaxcel.plan.compressors.netlist import (
    CORRECTION,
    OPERAND,
    REVERSED,
    Bank,
    Runs,
    execute,
    gather,
)
from rsaxcel.plan.compressors.products import operand_limit
from rsaxcel.plan.compressors.weights import operand_nbits


@dataclass(frozen=True, eq=False)
class Plan:
    """Circuit of an operation modulo a constant: banks of cells, then an adder for two rows."""

    operation: str  # "product", "square" or "residue"
    modulus: int  # m, 2 or more
    nbits: int  # of each operand
    tree: str  # key of TREES: which compressors are used
    # A carry into a higher column is re-weighted (replaced by bits of the residue of its weight),
    # or stays there, in a guard column.
    columns: int
    # "products": before the first level, as in Vassoler, section 2.2.1. "rows": bits stay in guard
    # columns until that does not make the matrix higher.
    reweighted: str
    heights: tuple[int, ...]  # of the highest column before each level
    bits: int  # of the matrix before the first level
    banks: tuple[Bank, ...]  # each reads operands and earlier banks only
    rows: tuple[Runs, Runs]  # the last two, of `modular_sum.nbits` bits
    correction_row: int  # constant that compensates for inverted bits; 0: the final adder adds it
    modular_sum: ModularSum  # final adder
    estimate: Estimate  # in unit gates

    @property
    def operands(self) -> int:
        return 2 if self.operation == "product" else 1

    @property
    def result_nbits(self) -> int:
        return operand_nbits(self.modulus)

    @property
    def reads_reversed(self) -> bool:
        """There is a second vector of operand bits, in reverse order."""
        return self.operation != "residue"

    @property
    def levels(self) -> int:
        return len(self.heights)

    def execute(self, *operands: int) -> int:
        """Compute the result as the circuit does, cell by cell."""
        # Operands of products and squares are below the modulus. `ValueError` for wrong operands.
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
        """Give a short unique name, for the names of Verilog modules."""
        return f"{self.operation}_{self.nbits}_{self.tree}_{self.digest}"

    def __repr__(self) -> str:
        """Give the name: the full contents would list thousands of runs."""
        return f"Plan({self})"
