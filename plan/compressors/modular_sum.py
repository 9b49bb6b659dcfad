"""Plan of the modular adder behind a compressor tree.

For each multiple of the modulus, an adder forms the sum of both rows minus the multiple; one result
is selected.
"""

import hashlib
from dataclasses import dataclass

from rsaxcel.plan.compressors.netlist import AND, HALF_ADDER, Estimate
from rsaxcel.plan.compressors.weights import operand_nbits

#: Area and delay, in unit gates, of a prefix operator: the functions g | p & g' and p & p'.
_PREFIX_AREA, _PREFIX_DELAY = 3, 2


def brent_kung_distances(nbits: int) -> tuple[tuple[int, int], ...]:
    """Return the steps of a Brent-Kung prefix network, each as a pair ``(distance, first)``.

    A step combines every position ``first + 2 * distance * i`` with the position lower by
    ``distance``. R. P. Brent and H. T. Kung, "A regular layout for parallel adders", 1982.
    """
    rising = []
    distance = 1
    while distance < nbits:
        rising.append((distance, 2 * distance - 1))
        distance *= 2
    falling = [(d, 3 * d - 1) for d, _ in reversed(rising) if 3 * d - 1 < nbits]
    return tuple(step for step in (*rising, *falling) if step[1] < nbits)


def brent_kung_estimate(nbits: int) -> Estimate:
    """Area and delay of a Brent-Kung adder: half adders, prefix network, an XOR per sum bit."""
    steps = brent_kung_distances(nbits)
    operators = sum(len(range(first, nbits, 2 * distance)) for distance, first in steps)
    area = (HALF_ADDER.area + 2) * nbits + _PREFIX_AREA * operators
    return Estimate(area, HALF_ADDER.delay + _PREFIX_DELAY * len(steps) + 2)


@dataclass(frozen=True)
class ModularSum:
    """Adder for ``(a + b + correction) mod modulus``, where ``a + b + correction`` has a bound.

    ``a + b + correction - j * modulus`` for j = 0 .. J are formed in parallel, each behind a
    carry-save adder unless its constant is 0. The result is the sum that is not negative with the
    largest j. Modulo ``2**n`` there is one adder of n bits without carry. Source: Vassoler, section
    2.2.2, equation 5, figure 6.
    """

    modulus: int
    correction: int  #: 0 to modulus - 1
    bound: int  #: bound of `a + b + correction`; not used modulo 2**n

    @property
    def truncates(self) -> bool:
        return not self.modulus & self.modulus - 1

    @property
    def result_nbits(self) -> int:
        return operand_nbits(self.modulus)

    @property
    def nbits(self) -> int:
        """Width of both operands in bits."""
        if self.truncates:
            return self.result_nbits
        return max(self.bound.bit_length(), self.result_nbits)

    @property
    def multiples(self) -> int:
        """J: the largest multiple of the modulus that is subtracted is ``J * modulus``."""
        return 0 if self.truncates else self.bound // self.modulus

    @property
    def constants(self) -> tuple[int, ...]:
        """Constant of each adder, ``correction - j * modulus`` modulo ``2**nbits``."""
        ones = (1 << self.nbits) - 1
        return tuple(self.correction - j * self.modulus & ones for j in range(self.multiples + 1))

    def execute(self, a: int, b: int) -> int:
        """Compute ``(a + b + correction) mod modulus`` as the circuit does."""
        limit = 1 << self.nbits
        totals = [a + b + constant for constant in self.constants]
        reached = [True, *(total >= limit for total in totals[1:])]
        last = max(j for j, reaches in enumerate(reached) if reaches)
        return totals[last] & (1 << self.result_nbits) - 1

    @property
    def estimate(self) -> Estimate:
        """Area and delay of the adders, the carry-save adders, and the selection of the result."""
        adder = brent_kung_estimate(self.nbits)
        area, delay = adder.area * len(self.constants), adder.delay
        carry_save = sum(1 for constant in self.constants if constant)
        if carry_save:
            area += carry_save * HALF_ADDER.area * self.nbits
            delay += HALF_ADDER.delay
        if self.multiples:
            area += self.multiples + (2 * self.multiples + 1) * self.result_nbits
            delay += 2 * AND.delay + self.multiples.bit_length()
        return Estimate(area, delay)

    def __str__(self) -> str:
        """Return a short unique name, for the names of Verilog modules."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:12]
