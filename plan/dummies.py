"""Dummies: products without a use, at places that a random number of the request decides."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log2
from random import Random

from plan.blinding import Blind
from plan.parameters import Parameter
from plan.steps import Product, Step

DUMMY = "dummy"
"""Residue that dummies square, and that nothing else reads."""

SEED = "dummy_seed"
"""Name of the random number that decides on the places of the dummies."""

SEED_NBITS = 32

TAPS = (0, 1, 2, 22)
"""Bits of the shift register whose sum modulo 2 is shifted in. The polynomial is
x**32 + x**22 + x**2 + x + 1, which is primitive: all states but 0 follow each other."""

_MOST_DRAWN = SEED_NBITS - TAPS[-1]  # bits by which the register is shifted at once

WITHOUT, SQUARES = "none", "squares"

DUMMIES: Mapping[str, str] = {
    WITHOUT: "no product is without a use",
    SQUARES: "squares that nobody reads, at random places between the products of the exponent",
}
"""Description of the dummies by token. The random number comes with the request."""

DUMMY_COUNT = Parameter(
    "dummy_count",
    lambda nbits: max(1, nbits // 4),
    lambda nbits: range(1, nbits + 1),
    "dummies of a half; by default as many as windows of two bits",
)
"""Number of dummies in each half."""


@dataclass(frozen=True)
class Dummies:
    """Dummies of a design by two primes.

    Parameters
    ----------
    count : int
        Dummies in a turn (``plan.programs``), all of which are formed for every request; 0: none.
    """

    count: int = 0

    def __bool__(self) -> bool:
        """Whether there are dummies."""
        return self.count > 0

    @property
    def blinds(self) -> tuple[Blind, ...]:
        """Random numbers of a request: the seed of the places, or none."""
        return (Blind(SEED, None, SEED_NBITS),) if self else ()

    @property
    def step(self) -> Step:
        """Step of a dummy; empty: there are none."""
        return (Product(DUMMY, DUMMY, DUMMY),) if self else ()

    def draw(self, draw: Random) -> tuple[int, ...]:
        """Draw the random numbers of a request (``blinds``)."""
        return tuple(draw.randrange(1, 1 << each.nbits) for each in self.blinds)

    def draw_nbits(self, steps: int) -> int:
        """Give the number of random bits that decide whether a dummy follows a step of the loop.

        A dummy follows if all of them are 1. So about as many dummies are drawn in a loop of
        ``steps`` steps as there are: with half as many bits, they would end in the middle of it.
        """
        if not self:
            return 0
        return min(_MOST_DRAWN, max(1, round(log2(1 + steps / self.count))))


WITHOUT_DUMMIES = Dummies()
"""There are no dummies."""


class Places:
    """Decides after which steps of the loop a dummy follows: a model of the circuit's registers.

    The random number is the first state of a linear feedback shift register. Such numbers look
    random, but are no secret to somebody who knows 32 of their bits: it is not a cryptographic
    generator.

    Parameters
    ----------
    count : int
        Dummies in a turn.
    nbits : int
        Random bits for each decision (``Dummies.draw_nbits``).
    seed : int
        Random number of the request.
    """

    def __init__(self, count: int, nbits: int, seed: int):
        self._count, self._nbits, self._state = count, nbits, seed
        self._left = count

    def begin_turn(self) -> None:
        """Begin a turn, in which all dummies are left; the register keeps its state."""
        self._left = self._count

    def follows(self, last: bool) -> bool:
        """Whether a dummy follows a step of the loop, or a dummy that followed such a step.

        Parameters
        ----------
        last : bool
            Whether no step of the loop is left, so that all dummies that are left follow.
        """
        for _ in range(self._nbits):
            self._state = advanced(self._state)
        ones = (1 << self._nbits) - 1
        drawn = self._state & ones == ones
        if self._left == 0 or not (drawn or last):
            return False
        self._left -= 1
        return True


def advanced(state: int) -> int:
    """Shift the register by a bit, towards bit 0."""
    entering = sum(state >> tap for tap in TAPS) & 1
    return state >> 1 | entering << SEED_NBITS - 1
