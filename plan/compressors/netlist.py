"""Netlist of a tree: vectors of bits, contiguous runs of their bits, and banks of equal cells."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rsaxcel.plan.compressors.cells import Cell

# Numbers of the vectors that no bank drives. OPERAND is the first operand. REVERSED is the second
# operand (for a square, the first one again) with its bits in reverse order: so the partial
# products a_i & b_(w - i) of a weight w are the AND of a slice of OPERAND and a slice of REVERSED.
# CORRECTION is the row of constant bits. ZERO is the constant 0 for unused inputs.
ZERO, OPERAND, REVERSED, CORRECTION = -1, 0, 1, 2
FIRST_DRIVEN = 3


class Run(NamedTuple):
    """Contiguous bits of a vector, from bit ``offset`` upwards."""

    vector: int
    offset: int
    length: int


Runs = tuple[Run, ...]


@dataclass(frozen=True)
class Bank:
    """Equal cells side by side; each input of the bank is a vector with one bit for each cell."""

    cell: Cell
    inputs: tuple[Runs, ...]  # runs that make up the vector at each input, least significant first
    vector: int  # of the first output; the next numbers are the other outputs

    @property
    def count(self) -> int:
        return length(self.inputs[0])


def length(runs: Iterable[Run]) -> int:
    return sum(run.length for run in runs)


def join(runs: Iterable[Run]) -> Runs:
    """Merge neighbouring runs where the second continues the first in its vector."""
    joined: list[Run] = []
    for run in runs:
        if joined:
            last = joined[-1]
            adjacent = run.vector == ZERO or run.offset == last.offset + last.length
            if run.vector == last.vector and adjacent:
                joined[-1] = last._replace(length=last.length + run.length)
                continue
        joined.append(run)
    return tuple(joined)


def gather(runs: Runs, values: dict[int, int]) -> int:
    """Value of the concatenated runs; ``values`` is by vector."""
    value = position = 0
    for run in runs:
        if run.vector != ZERO:
            bits = values[run.vector] >> run.offset & (1 << run.length) - 1
            value |= bits << position
        position += run.length
    return value


def execute(banks: Sequence[Bank], values: dict[int, int]) -> None:
    """Compute the outputs of all banks into ``values``, by vector, which has the operands."""
    for bank in banks:
        ones = (1 << bank.count) - 1
        outputs = bank.cell.function(ones, *(gather(runs, values) for runs in bank.inputs))
        values.update(enumerate(outputs, bank.vector))
