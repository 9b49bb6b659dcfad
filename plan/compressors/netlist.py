"""Cells of a tree, and its netlist: vectors of bits, runs of their bits, banks of equal cells."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Estimate(NamedTuple):
    """Area and delay in units of a two-input gate."""

    area: int
    delay: int

    @property
    def area_delay(self) -> int:
        return self.area * self.delay


@dataclass(frozen=True)
class Cell:
    """A kind of cell; a bank of equal cells has a vector with one bit per cell at each pin."""

    name: str  #: name in signals and modules
    inputs: int  #: number of inputs; all have the same weight
    weights: tuple[int, ...]  #: weights of outputs relative to the inputs, as binary logarithms
    area: int  #: in unit gates
    delay: int  #: in unit gates
    #: Function of a bank: takes a vector of ones, and the vectors at the inputs; returns those at
    #: the outputs.
    function: Callable[..., tuple[int, ...]] = field(repr=False, compare=False)


def _full_add(x: int, y: int, z: int) -> tuple[int, int]:
    return x ^ y ^ z, x & y | x & z | y & z


def _count_five(v: int, w: int, x: int, y: int, z: int) -> tuple[int, int, int]:
    first, one = _full_add(v, w, x)
    total, other = _full_add(first, y, z)
    return total, one ^ other, one & other


AND = Cell("and", 2, (0,), 1, 1, lambda ones, x, y: (x & y,))
NOT = Cell("not", 1, (0,), 0, 0, lambda ones, x: (x ^ ones,))
HALF_ADDER = Cell("half_adder", 2, (0, 1), 3, 2, lambda ones, x, y: (x ^ y, x & y))
FULL_ADDER = Cell("full_adder", 3, (0, 1), 7, 4, lambda ones, x, y, z: _full_add(x, y, z))
#: Two full adders, and a half adder for their carries. The sum of the first full adder enters the
#: second one at the input with the shorter path, of 2 units. The delay is 4 + 2 + 2 units.
COMPRESSOR_5_3 = Cell("compressor_5_3", 5, (0, 1, 2), 17, 8, lambda ones, *bits: _count_five(*bits))


#: Numbers of the vectors that no bank drives. OPERAND is the first operand. REVERSED is the second
#: operand (for a square, the first one again) with its bits in reverse order: thus the partial
#: products a_i & b_(w - i) of a weight w are the AND of a slice of OPERAND and a slice of REVERSED.
#: CORRECTION is the row of constant bits. ZERO is the constant 0 for unused inputs.
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
    #: runs of bits that form the vector at each input, least significant first
    inputs: tuple[Runs, ...]
    vector: int  #: number of the first output's vector; the next numbers are the other outputs

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
