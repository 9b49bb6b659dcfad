"""Cells of a compressor tree: their functions, and their area and delay by the unit-gate model.

The unit-gate model (A. Tyagi, "A reduced-area scheme for carry-select adders", IEEE Transactions on
Computers, 1993, as R. Zimmermann uses it for modular and parallel-prefix adders) counts a two-input
AND, OR, NAND or NOR as one unit of area and one of delay, a two-input XOR or XNOR as two of each,
and an inverter and fan-out as nothing. The estimate of a larger cell adds up its gates.
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
        """Area times delay, by which plans are compared."""
        return self.area * self.delay


@dataclass(frozen=True)
class Cell:
    """A kind of cell.

    Equal cells side by side form a bank, which has a vector of bits at each pin: one bit per cell.

    Parameters
    ----------
    name : str
        Name of the cell in signals and modules.
    inputs : int
        Number of inputs, which all have the same weight.
    weights : tuple of int
        For each output, the binary logarithm of its weight relative to the inputs.
    area, delay : int
        Estimate in unit gates.
    function : callable
        Function of a bank of cells. It takes a vector in which all bits are 1, and the vectors at
        the inputs; it returns the vectors at the outputs. A vector is an integer.
    """

    name: str
    inputs: int
    weights: tuple[int, ...]
    area: int
    delay: int
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
