"""Cells of a compressor tree: their functions, and their area and delay by the unit-gate model.

The model (A. Tyagi, "A reduced-area scheme for carry-select adders", IEEE Transactions on
Computers, 1993, as R. Zimmermann uses it) counts a two-input AND, OR, NAND or NOR as one unit of
area and of delay, an XOR or XNOR as two, inverters and fan-out as nothing. Larger cells add up
their gates.
"""

from collections.abc import Callable
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

    name: str  # in signals and modules
    inputs: int  # number; all have the same weight
    weights: tuple[int, ...]  # of outputs relative to the inputs, binary logarithms
    area: int  # in unit gates
    delay: int  # in unit gates
    # Function of a bank: takes a vector of ones, and the vectors at the inputs; returns those at
    # the outputs.
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
# Two full adders, and a half adder for their carries. The sum of the first full adder enters the
# second one at the input with the shorter path, of 2 units. The delay is 4 + 2 + 2 units.
COMPRESSOR_5_3 = Cell("compressor_5_3", 5, (0, 1, 2), 17, 8, lambda ones, *bits: _count_five(*bits))
