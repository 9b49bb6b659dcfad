"""Dummies: products without a use, at places that a random number of the request decides."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from random import Random

from rsaxcel.plan.blinding import Blind
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.steps import Product, Step

DUMMY = "dummy"
"""Residue that dummies square, and that nothing else reads."""

SEED = "dummy_seed"
"""Name of the random number that decides on the places of the dummies."""

SEED_NBITS = 32

TAPS = (0, 1, 2, 22)
"""Bits of the shift register whose sum modulo 2 is shifted in. The polynomial is
x**32 + x**22 + x**2 + x + 1, which is primitive: all states but 0 follow each other."""

DRAW_NBITS = 8
"""Random bits that decide whether a dummy follows a step; the register is shifted by as many."""

_ENOUGH, _SPREAD = 4, 1.25

WITHOUT, SQUARES = "none", "squares"

DUMMIES: Mapping[str, str] = {
    WITHOUT: "each product has a use",
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

    def limits(self, begin: int, rest: int) -> tuple[int, int]:
        """Give the limits below which the random bits let a dummy follow a step of the loop.

        The first limit is for steps that another step of the first digit follows: these are so few
        that a dummy is as likely as none, if there are enough dummies. The second limit is for all
        other steps. It is as high as possible if in nine of ten operations dummies are to be left
        at the end of the loop: where none is left, nothing moves the following products any more.

        Parameters
        ----------
        begin, rest : int
            Number of steps for which each limit is.
        """
        end = 1 << DRAW_NBITS
        half = end // 2 if self.count >= _ENOUGH * begin else 0
        for limit in range(end - 1, 0, -1):
            of_steps = ((begin, half or limit), (rest, limit))
            # Behind a step, the number of dummies has the mean o and the variance o (1 + o).
            means = [(steps, x / (end - x)) for steps, x in of_steps]
            mean = sum(steps * o for steps, o in means)
            variance = sum(steps * o * (1 + o) for steps, o in means)
            if mean + _SPREAD * sqrt(variance) <= self.count:
                break
        return half or limit, limit


WITHOUT_DUMMIES = Dummies()
"""There are no dummies."""


class Places:
    """Decides after which steps of the loop a dummy follows: a model of the circuit's registers.

    The random number is the first state of a linear feedback shift register. This is not a
    cryptographic generator: whoever knows 32 of its bits knows all others.

    Parameters
    ----------
    count : int
        Dummies in a turn.
    limits : tuple of int
        See ``Dummies.limits``.
    seed : int
        Random number of the request.
    """

    def __init__(self, count: int, limits: tuple[int, int], seed: int):
        self._count, self._limits, self._state = count, limits, seed
        self._left = count

    def begin_turn(self) -> None:
        """Begin a turn, in which all dummies are left; the register keeps its state."""
        self._left = self._count

    def follows(self, first: bool, last: bool) -> bool:
        """Whether a dummy follows a step of the loop, or a dummy that followed such a step.

        Parameters
        ----------
        first : bool
            Whether the next step of the loop belongs to the first digit.
        last : bool
            Whether no step of the loop is left, so that all dummies that are left follow.
        """
        for _ in range(DRAW_NBITS):
            self._state = advanced(self._state)
        limit, later = self._limits
        drawn = self._state & (1 << DRAW_NBITS) - 1 < (limit if first else later)
        if self._left == 0 or not (drawn or last):
            return False
        self._left -= 1
        return True


def advanced(state: int) -> int:
    """Shift the register by a bit, towards bit 0."""
    entering = sum(state >> tap for tap in TAPS) & 1
    return state >> 1 | entering << SEED_NBITS - 1
