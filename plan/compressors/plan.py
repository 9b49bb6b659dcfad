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
    """Circuit of an operation modulo a constant: banks of cells, then an adder for two rows.

    Parameters
    ----------
    operation : str
        ``"product"``, ``"square"`` or ``"residue"``.
    modulus : int
        m, 2 or more.
    nbits : int
        Width of each operand in bits.
    tree : str
        Which compressors are used, a key of ``TREES``.
    columns : int
        Number of columns of the matrix. A carry into a higher column is re-weighted, or stays in
        that column, which is a guard column. Re-weighting replaces a bit by bits in the columns
        that make up the residue of its weight.
    reweighted : str
        ``"products"``: the bits of the products are re-weighted before the first level, as in
        Vassoler, section 2.2.1. ``"rows"``: bits stay in guard columns until they can be
        re-weighted without making the matrix higher.
    heights : tuple of int
        Number of bits in the highest column before each level of compressors.
    bits : int
        Number of bits of the matrix before the first level.
    banks : tuple of Bank
        Banks in an order in which each one reads operands and outputs of earlier banks only.
    rows : pair of Runs
        The last two rows, which the final adder adds, of ``modular_sum.nbits`` bits each.
    correction_row : int
        Correction, a constant that compensates for inverted bits, as a row of the matrix. If it is
        0, the final adder adds the correction (``modular_sum.correction``).
    modular_sum : ModularSum
        The final adder.
    estimate : Estimate
        Area and delay in unit gates.
    """

    operation: str
    modulus: int
    nbits: int
    tree: str
    columns: int
    reweighted: str
    heights: tuple[int, ...]
    bits: int
    banks: tuple[Bank, ...]
    rows: tuple[Runs, Runs]
    correction_row: int
    modular_sum: ModularSum
    estimate: Estimate

    @property
    def operands(self) -> int:
        """Number of operands."""
        return 2 if self.operation == "product" else 1

    @property
    def result_nbits(self) -> int:
        """Width of the result in bits."""
        return operand_nbits(self.modulus)

    @property
    def reads_reversed(self) -> bool:
        """Whether there is a second vector of operand bits, in reverse order."""
        return self.operation != "residue"

    @property
    def levels(self) -> int:
        """Number of levels of compressors."""
        return len(self.heights)

    def execute(self, *operands: int) -> int:
        """Compute the result as the circuit does, cell by cell.

        Operands of products and squares are below the modulus; the operand of a residue may be any
        number of ``nbits`` bits.

        Raises
        ------
        ValueError
            If the number of operands is wrong, or an operand is too large.
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
            *(self.operation, self.modulus, self.nbits, self.columns),
            *(self.banks, self.rows, self.correction_row, self.modular_sum),
        )
        return hashlib.sha256(repr(circuit).encode()).hexdigest()[:16]

    def __eq__(self, other: object) -> bool:
        """Compare the circuits only, not the choices that led to them, such as ``tree``."""
        return isinstance(other, Plan) and self.digest == other.digest

    def __hash__(self) -> int:
        """Hash the circuit."""
        return hash(self.digest)

    def __str__(self) -> str:
        """Give a short unique name, which becomes a part of the names of Verilog modules."""
        return f"{self.operation}_{self.nbits}_{self.tree}_{self.digest}"

    def __repr__(self) -> str:
        """Give the short name, because the full contents would list thousands of runs."""
        return f"Plan({self})"
