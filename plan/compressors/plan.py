"""Operations modulo a constant: plan of a tree of compressors, and search for the best plan.

The best circuit is that with the least delay times area.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from rsaxcel.plan.compressors.matrix import TREES, Matrix
from rsaxcel.plan.compressors.modular_sum import ModularSum
from rsaxcel.plan.compressors.netlist import (
    AND,
    CORRECTION,
    FULL_ADDER,
    NOT,
    OPERAND,
    REVERSED,
    ZERO,
    Bank,
    Cell,
    Estimate,
    Run,
    Runs,
    execute,
    gather,
)
from rsaxcel.plan.compressors.weights import (
    Weights,
    allowed_columns,
    candidate_columns,
    operand_nbits,
)


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


def all_ones_excluded(
    banks: Sequence[Bank], rows: Sequence[Runs], nbits: int, limit: int, correction: int
) -> bool:
    """Whether no operands can make all bits of the given rows 1; False: it is not certain.

    Ones are traced back to the operands, which are below ``limit``. The outputs of a full adder are
    both 1 only if all of its inputs are 1; those of a half adder or 5:3 compressor are never all 1.
    Ones are excluded if they need an operand of ``limit`` or more, or a 1 at a 0 of the constant
    row, ``correction``.
    """
    ones: defaultdict[int, int] = defaultdict(int)

    def imply(runs: Runs, cells: int) -> None:
        position = 0
        for run in runs:
            known = cells >> position & (1 << run.length) - 1
            ones[run.vector] |= known << run.offset
            position += run.length

    for runs in rows:
        imply(runs, -1)
    ones[ZERO] = 0  # ZERO fills the columns in which a row has no bit: these need no 1
    for bank in reversed(banks):
        if bank.cell is NOT:
            continue
        every = (1 << bank.count) - 1
        for output in range(len(bank.cell.weights)):
            every &= ones[bank.vector + output]
        if every and bank.cell not in (AND, FULL_ADDER):
            return True
        for runs in bank.inputs:
            imply(runs, every)
    backwards = int(f"{ones[REVERSED]:0{nbits}b}"[::-1], 2)
    return bool(
        ones[ZERO] or ones[CORRECTION] & ~correction or ones[OPERAND] >= limit or backwards >= limit
    )


BEST = "best"
PRODUCTS, ROWS = "products", "rows"

# Most bits of a matrix for which a plan is made, by default: the limit of circuits. The circuit
# modulo 2^512 - 1 has 262,144 bits: its simulator is compiled in 3.5 minutes of processor time with
# 1.3 GB, and makes some 4 cycles per second; the circuit modulo 2^256 - 1 takes half a minute and
# 0.4 GB. Modulo 2^1024 - 1, more than 20 minutes and some 4 GB are to be expected.
MAX_BITS = 400_000

#: Vassoler's final adders subtract up to three times the modulus. If the sum of the last two rows
#: of a matrix can be too large for that, guard columns of these rows are folded, and the matrix is
#: compressed once more.
_MULTIPLES = 3


def plan_product(
    modulus: int,
    tree: str = BEST,
    reweighted: str = PRODUCTS,
    columns: int | None = None,
    max_bits: int = MAX_BITS,
) -> Plan:
    """Plan ``a * b mod modulus`` of two operands below the modulus.

    `tree`: `"full_adders"`, `"compressors"` (and 5:3 compressors), `"all"` (and half adders), or
    `"best"` of these by delay times area. `reweighted` (bits above the columns are replaced by
    those of the residue of their weight): `"products"`, before compression (Vassoler, section
    2.2.1), or `"rows"`, as soon as the matrix does not get higher: which takes far fewer cells if
    residues of powers of two have many ones. `columns`: a residue's width minus 1 to plus 3, by
    default the best of at most three candidates (modulo `(2**n - 1) / 3`, a carry is re-weighted to
    n / 2 bits without, and one bit with one column more). A plan with 2 million bits takes half a
    minute; `ValueError` above `max_bits`.
    """
    nbits = _residue_nbits(modulus)
    return _plan("product", modulus, nbits, tree, reweighted, columns, max_bits)


def product_bits(modulus: int, reweighted: str = PRODUCTS, columns: int | None = None) -> int:
    """Count the bits of a product's matrix before compression; parameters as ``plan_product``.

    Of the numbers of columns that `plan_product` compares, the one with the fewest bits counts.
    """
    nbits = _residue_nbits(modulus)
    tried = candidate_columns(modulus) if columns is None else (columns,)
    return min(_product_bits(Weights(modulus, x), nbits, reweighted) for x in tried)


def _product_bits(weights: Weights, nbits: int, reweighted: str) -> int:
    """Count the bits for one number of columns: of weight 2^w, there are as many as pairs i, j."""
    if reweighted == ROWS:
        return nbits**2
    pairs = (min(w, 2 * nbits - 2 - w) + 1 for w in range(2 * nbits - 1))
    return sum(count * len(weights.of(w).columns) for w, count in enumerate(pairs))


def plan_square(
    modulus: int, tree: str = BEST, reweighted: str = PRODUCTS, columns: int | None = None
) -> Plan:
    """Plan ``a * a mod modulus``; see ``plan_product``.

    The product of two different bits counts twice, but is formed once.
    """
    return _plan("square", modulus, _residue_nbits(modulus), tree, reweighted, columns)


def plan_residue(
    modulus: int,
    nbits: int,
    tree: str = BEST,
    reweighted: str = PRODUCTS,
    columns: int | None = None,
) -> Plan:
    """Plan ``x mod modulus`` of any operand of ``nbits`` bits, 1 or more; see ``plan_product``."""
    _residue_nbits(modulus)
    if nbits < 1:
        raise ValueError(f"nbits={nbits}: 1 or more")
    return _plan("residue", modulus, nbits, tree, reweighted, columns)


def _residue_nbits(modulus: int) -> int:
    if modulus < 2:
        raise ValueError(f"modulus={modulus}: 2 or more")
    return operand_nbits(modulus)


@cache
def _plan(
    operation: str,
    modulus: int,
    nbits: int,
    tree: str,
    reweighted: str,
    columns: int | None,
    max_bits: int = MAX_BITS,
) -> Plan:
    if tree not in (*TREES, BEST):
        raise ValueError(f"tree={tree!r}: one of {', '.join((*TREES, BEST))}")
    if reweighted not in (PRODUCTS, ROWS):
        raise ValueError(f"reweighted={reweighted!r}: {PRODUCTS} or {ROWS}")
    allowed = allowed_columns(modulus)
    if columns is not None and columns not in allowed:
        raise ValueError(f"columns={columns}: {allowed[0]} to {allowed[-1]}")
    if tree == BEST:
        rest = reweighted, columns, max_bits
        plans = [_plan(operation, modulus, nbits, name, *rest) for name in TREES]
        return min(plans, key=_rank)
    tried = candidate_columns(modulus) if columns is None else (columns,)
    found = _candidates(operation, modulus, nbits, tree, reweighted, tried, max_bits)
    return min(found, key=_rank)


def _rank(plan: Plan) -> tuple[int, int]:
    return plan.estimate.area_delay, plan.estimate.area


def _candidates(
    operation: str,
    modulus: int,
    nbits: int,
    tree: str,
    reweighted: str,
    tried: tuple[int, ...],
    max_bits: int,
) -> Iterator[Plan]:
    """Yield plans for each number of columns in ``tried``.

    If a correction is needed, there are up to two plans: the final adder adds the correction, or it
    is a row of constant bits.
    """
    too_large = []
    for columns in tried:
        matrix = Matrix(
            Weights(modulus, columns),
            nbits,
            MODULAR_OPERATIONS[operation].largest(operand_limit(operation, modulus, nbits)),
        )
        MODULAR_OPERATIONS[operation].fill(matrix, nbits)
        if (bits := _bits(matrix, reweighted)) > max_bits:
            too_large.append(bits)
            continue
        with_row = matrix.copy()
        for column in range(columns):
            with_row.add(column, Run(CORRECTION, column, 1), 0)
        with_row.allow(modulus - 1)
        for start in (matrix, with_row):
            start.bits = bits
            if reweighted == PRODUCTS:
                start.fold()
            end = _reduced(start, TREES[tree])
            correction = end.correction % modulus
            row, late = (correction, 0) if start is with_row else (0, correction)
            if row >> columns:
                continue
            modular_sum = _final_sum(end, late)
            if not modular_sum.bound % modulus and end.value_of_ones == end.bound:
                limit = operand_limit(operation, modulus, nbits)
                rows = end.rows(modular_sum.nbits)
                if all_ones_excluded(end.banks, rows, nbits, limit, row):
                    modular_sum = ModularSum(modulus, late, modular_sum.bound - 1)
            yield Plan(
                operation=operation,
                modulus=modulus,
                nbits=nbits,
                tree=tree,
                columns=columns,
                reweighted=reweighted,
                heights=tuple(end.heights),
                bits=bits,
                banks=tuple(end.banks),
                rows=end.rows(modular_sum.nbits),
                correction_row=row,
                modular_sum=modular_sum,
                estimate=_estimate(end, modular_sum),
            )
            if not correction:
                break
    if len(too_large) == len(tried):
        raise ValueError(
            f"modulus={modulus:#x}: the matrix of its {operation} has {min(too_large)} bits, "
            f"at most {max_bits} are planned"
        )


def _bits(matrix: Matrix, reweighted: str) -> int:
    """Count the bits of the matrix, after re-weighting if ``reweighted`` is ``PRODUCTS``."""
    return sum(
        matrix.height(column)
        * (len(matrix.weights.of(column).columns) if reweighted == PRODUCTS else 1)
        for column in range(matrix.width)
    )


def _reduced(matrix: Matrix, cells: tuple[Cell, ...]) -> Matrix:
    """Compress a matrix to two rows, whose sum is at most a few times the modulus if possible."""
    matrix.compress(cells)
    while matrix.has_guards and _final_sum(matrix).multiples > _MULTIPLES:
        again = matrix.copy()
        again.fold()
        again.compress(cells)
        if _final_sum(again).multiples >= _final_sum(matrix).multiples:
            break
        matrix = again
    return matrix


def _final_sum(matrix: Matrix, correction: int = 0) -> ModularSum:
    """Plan the final adder for a matrix of two rows."""
    return ModularSum(matrix.weights.modulus, correction, matrix.bound + correction)


def _estimate(matrix: Matrix, modular_sum: ModularSum) -> Estimate:
    """Area and delay of the whole circuit: tree and final adder."""
    final = modular_sum.estimate
    area = sum(bank.count * bank.cell.area for bank in matrix.banks)
    return Estimate(area + final.area, matrix.arrival + final.delay)
