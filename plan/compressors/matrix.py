"""Matrix of bits, with a column for each weight, and its compression into two rows.

A run is a slice of a vector of bits, a bank a vector of equal cells (``plan.compressors.netlist``),
a level a layer of cells side by side. The height of a column is its number of bits.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from rsaxcel.plan.compressors.netlist import (
    COMPRESSOR_5_3,
    FIRST_DRIVEN,
    FULL_ADDER,
    HALF_ADDER,
    NOT,
    OPERAND,
    REVERSED,
    ZERO,
    Bank,
    Cell,
    Run,
    Runs,
    join,
    length,
)
from rsaxcel.plan.compressors.weights import Weights

#: Kinds of cells that each tree may use (Vassoler, section 2.2.1).
TREES = {
    "full_adders": (FULL_ADDER,),
    "compressors": (COMPRESSOR_5_3, FULL_ADDER),
    "all": (COMPRESSOR_5_3, FULL_ADDER, HALF_ADDER),
}

# Largest number of rounds in which the cells of a level are chosen. Carries that are re-inserted
# change the heights of columns, and hence the numbers of cells and carries for the next round. If
# the numbers still change in the last round, the carries stay in the guard columns.
_ROUNDS = 40

#: Kind, number of cells, and inputs in use; the other inputs are tied to 0.
Counts = tuple[tuple[Cell, int, int], ...]


def target_height(height: int, cells: tuple[Cell, ...]) -> int:
    """Height to which one level reduces ``height``: the next lower number of Dadda's sequence.

    The sequence begins with 2; each number is 3/2 of the previous one for full adders, 5/3 for 5:3
    compressors, rounded down.
    """
    before, after = (5, 3) if COMPRESSOR_5_3 in cells else (3, 2)
    target = 2
    while (higher := target * before // after) < height:
        target = higher
    return target


def choose(height: int, excess: int, cells: tuple[Cell, ...]) -> Counts:
    """Choose cells that remove ``excess`` bits from a column, or fewer if there are too few."""
    chosen = []
    if COMPRESSOR_5_3 in cells and excess > 1:
        count = min((excess + 2) // 4, height // 5)
        chosen.append((COMPRESSOR_5_3, count, 5))
        height, excess = height - 5 * count, excess - 4 * count
    if excess > 0:
        halves = HALF_ADDER in cells
        count = min((excess + (not halves)) // 2, height // 3)
        chosen.append((FULL_ADDER, count, 3))
        height, excess = height - 3 * count, excess - 2 * count
        if excess > 0:
            count = min(excess, height // 2)
            chosen.append((HALF_ADDER if halves else FULL_ADDER, count, 2))
    return tuple(entry for entry in chosen if entry[1])


def size_level(
    heights: Sequence[int],
    target: int,
    cells: tuple[Cell, ...],
    returns: Callable[[int], tuple[int, ...]] | None,
) -> tuple[list[Counts], int]:
    """Choose the cells of all columns, so that no column is higher than ``target`` afterwards.

    ``returns`` gives the columns for re-inserted bits of a column above the last one; None: these
    bits stay. The second result is the greatest height, above ``target`` if a column has too few
    bits, or re-inserted carries change in every round.
    """
    width = len(heights)
    returned = [0] * width
    for _ in range(_ROUNDS):
        counts = []
        incoming = [0] * (width + 2)
        left = 0
        for column, height in enumerate(heights):
            total = height + incoming[column] + returned[column]
            chosen = choose(height, total - target, cells)
            for cell, count, used in chosen:
                total -= count * (used - 1)
                for weight in cell.weights[1:]:
                    incoming[column + weight] += count
            counts.append(chosen)
            left = max(left, total)
        if returns is None:
            return counts, max(left, *incoming[width:])
        before = returned
        returned = [0] * width
        for column in (width, width + 1):
            for place in returns(column):
                returned[place] += incoming[column]
        if all(now <= then for now, then in zip(returned, before, strict=True)):
            return counts, left
        returned = [max(pair) for pair in zip(returned, before, strict=True)]
    return counts, max(heights) + 1


# A bank whose input has this many runs takes no more cells: PyMTL3 compares all pairs of slices of
# a signal, which is slow for many slices.
_RUNS_OF_A_BANK = 32


class Segment(NamedTuple):
    """Bits of one column."""

    run: Run
    arrival: int  #: arrival time of the last of these bits, in unit gates


class _OpenBank:
    """A bank to which cells are still added."""

    def __init__(self, cell: Cell, vector: int) -> None:
        self.cell, self.vector, self.count = cell, vector, 0
        self.inputs: list[list[Run]] = [[] for _ in range(cell.inputs)]

    def grown(self) -> Run:
        """Return the bits of the first output for the cells that were added since the last call."""
        before, self.count = self.count, length(self.inputs[0])
        return Run(self.vector, before, self.count - before)

    def close(self) -> Bank:
        return Bank(self.cell, tuple(join(runs) for runs in self.inputs), self.vector)


class Matrix:
    """Bits in columns; column w has the bits of weight ``2^w``.

    The value, the sum of weighted bits plus ``correction``, stays the same modulo m. Columns above
    those of ``weights`` are guards: a bit there is kept, or folded (replaced by bits of the residue
    of its weight). ``bound`` is the largest value that the bits of the operation can have together.
    """

    def __init__(self, weights: Weights, operand_nbits: int, bound: int) -> None:
        self.weights = weights
        self.columns: defaultdict[int, list[Segment]] = defaultdict(list)
        self.banks: list[Bank] = []
        self.correction = 0
        self.heights: list[int] = []
        self.bits = 0
        self._bound = bound
        self._operand_nbits = operand_nbits
        self._inverted: dict[Run, Run] = {}
        self._open: dict[Cell, _OpenBank] = {}
        self._next_vector = FIRST_DRIVEN

    def copy(self) -> "Matrix":
        """Return a copy; folding and compressing the copy leaves the original unchanged."""
        self._close()
        other = Matrix(self.weights, self._operand_nbits, self._bound)
        for column, segments in self.columns.items():
            other.columns[column] = list(segments)
        other.banks, other.heights = list(self.banks), list(self.heights)
        other.correction, other.bits = self.correction, self.bits
        other._inverted, other._next_vector = dict(self._inverted), self._next_vector
        return other

    def add(self, column: int, run: Run, arrival: int) -> None:
        """Add the bits of a run to a column; ``arrival`` is their arrival time in unit gates."""
        self.columns[column].append(Segment(run, arrival))

    def add_cells(self, cell: Cell, *inputs: Iterable[Run]) -> Run:
        """Add cells, with a list of runs for each input, and return the bits of their first output.

        Cells of one kind that are added in one level share a bank.
        """
        bank = self._open.get(cell)
        if bank and max(map(len, bank.inputs)) >= _RUNS_OF_A_BANK:
            self.banks.append(bank.close())
            bank = None
        if not bank:
            bank = self._open[cell] = _OpenBank(cell, self._next_vector)
            self._next_vector += len(cell.weights)
        for collected, runs in zip(bank.inputs, inputs, strict=True):
            collected += runs
        return bank.grown()

    def _close(self) -> None:
        self.banks += (bank.close() for bank in self._open.values())
        self._open = {}

    def height(self, column: int) -> int:
        return length(segment.run for segment in self.columns.get(column, ()))

    @property
    def width(self) -> int:
        """Number of columns up to the last one with a bit, at least ``weights.columns``."""
        used = (column + 1 for column, segments in self.columns.items() if segments)
        return max(self.weights.columns, *used, 0)

    @property
    def has_guards(self) -> bool:
        return self.width > self.weights.columns

    @property
    def bound(self) -> int:
        """Upper bound of the value of the bits.

        The smaller of two values: that of ones, and the initial bound plus the additions by
        inverted bits. Compression does not change the value; a fold without inversion lowers it.
        """
        return min(self._bound, self.value_of_ones)

    @property
    def value_of_ones(self) -> int:
        """Value of the matrix if all of its bits are 1."""
        return sum(self.height(column) << column for column in range(self.width))

    def allow(self, more: int) -> None:
        """Raise the bound by the largest value of bits that do not come from operands."""
        self._bound += more

    def fold(self) -> None:
        """Replace each bit of a guard column by bits in lower columns; the value modulo m stays."""
        self._close()
        for column in range(self.weights.columns, self.width):
            weight = self.weights.of(column)
            for run, arrival in self.columns.pop(column, ()):
                if weight.subtracted:
                    self.correction -= weight.subtracted * run.length
                    self._bound += weight.subtracted * run.length
                    run = self._invert(run)
                for place in weight.columns:
                    self.add(place, run, arrival)
        self._bound = self.bound
        self._close()

    def _invert(self, run: Run) -> Run:
        """Return the complement of a run; an operand is inverted once for all of its runs."""
        whole = run
        if run.vector in (OPERAND, REVERSED):
            whole = Run(run.vector, 0, self._operand_nbits)
        if whole not in self._inverted:
            self._inverted[whole] = self.add_cells(NOT, (whole,))
        inverted = self._inverted[whole]
        offset = inverted.offset + run.offset - whole.offset
        return Run(inverted.vector, offset, run.length)

    def compress(self, cells: tuple[Cell, ...]) -> None:
        """Compress level by level, with some kinds of cells, until columns have at most two bits.

        A fold empties guard columns, but adds bits to others. So a level folds guard columns, and
        carries into them, only if the level still reaches its target height. Every level lowers the
        highest column, so the loop ends.
        """
        while (height := self._highest()) > 2:
            self.heights.append(height)
            target = target_height(height, cells)
            folded = self.copy()
            folded.fold()
            heights = [folded.height(column) for column in range(self.weights.columns)]
            counts, left = size_level(
                heights, target, cells, lambda column: self.weights.of(column).columns
            )
            if left <= target:
                folded._apply(counts)
                folded.fold()
                self.__dict__ = folded.__dict__
                continue
            heights = [self.height(column) for column in range(self.width)]
            counts, left = size_level(heights, target, cells, None)
            if left >= height:
                sure = (FULL_ADDER, HALF_ADDER) if HALF_ADDER in cells else (FULL_ADDER,)
                counts, left = size_level(heights, target_height(height, sure), sure, None)
            assert left < height
            self._apply(counts)

    def _highest(self) -> int:
        return max(self.height(column) for column in range(self.width))

    def _apply(self, counts: list[Counts]) -> None:
        """Add the cells of a level; ``counts`` has the cells of each column."""
        before = self.columns
        self.columns = defaultdict(list)
        for column, chosen in enumerate(counts):
            stack = sorted(before.get(column, ()), key=lambda segment: segment.arrival)
            stack.reverse()
            for cell, count, used in chosen:
                taken = [_take(stack, count) for _ in range(used)]
                arrival = max(segment.arrival for part in taken for segment in part)
                taken += [[Segment(Run(ZERO, 0, count), 0)]] * (cell.inputs - used)
                run = self.add_cells(cell, *([part.run for part in parts] for parts in taken))
                for output, weight in enumerate(cell.weights):
                    vector = run.vector + output
                    self.add(column + weight, run._replace(vector=vector), arrival + cell.delay)
            self.columns[column] += reversed(stack)
        self._close()

    def rows(self, width: int) -> tuple[Runs, Runs]:
        """Return the two rows of the compressed matrix, ``width`` bits each; missing bits are 0."""
        rows: tuple[list[Run], list[Run]] = ([], [])
        for column in range(width):
            stack = list(self.columns.get(column, ()))
            for row in rows:
                runs = [part.run for part in _take(stack, 1)] if stack else []
                row += runs or [Run(ZERO, 0, 1)]
        return join(rows[0]), join(rows[1])

    @property
    def arrival(self) -> int:
        """Arrival time of the last bit, in unit gates."""
        stacks: Iterable[list[Segment]] = self.columns.values()
        return max((segment.arrival for stack in stacks for segment in stack), default=0)


def _take(stack: list[Segment], count: int) -> list[Segment]:
    """Take the last ``count`` bits of a column from the stack of its segments."""
    taken = []
    while count:
        run, arrival = stack.pop()
        here = min(count, run.length)
        taken.append(Segment(run._replace(length=here), arrival))
        if here < run.length:
            rest = Run(run.vector, run.offset + here, run.length - here)
            stack.append(Segment(rest, arrival))
        count -= here
    return taken
