"""Dummies: products without a use, at places that a random number of the request decides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from random import Random
from typing import Any

from rsaxcel.plan.measures.measure import Added, Measure, Number
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.steps import Product, Step

DUMMY = "dummy"  #: residue that dummies square, and that no other product reads

SEED = "dummy_seed"  #: random number that decides on the places of the dummies

SEED_NBITS = 32

#: Bits of the shift register whose sum modulo 2 is shifted in. x**32 + x**22 + x**2 + x + 1 is
#: primitive: all states but 0 follow each other.
TAPS = (0, 1, 2, 22)

#: Random bits that decide whether a dummy follows a step; the register is shifted by as many.
DRAW_NBITS = 8

_ENOUGH, _SPREAD = 4, 1.25

WITHOUT, SQUARES = "none", "squares"

#: Descriptions by token. The random number comes with the request.
DUMMIES: Mapping[str, str] = {
    WITHOUT: "each product has a use",
    SQUARES: "squares that nobody reads, at random places between the products of the exponent",
}

#: Number of dummies in each half.
DUMMY_COUNT = Parameter(
    "dummy_count",
    lambda nbits: max(1, nbits // 4),
    lambda nbits: range(1, nbits + 1),
    "dummies of a half; by default as many as windows of two bits",
)


@dataclass(frozen=True)
class Dummies(Added):
    """Dummies of a design by two primes."""

    count: int = 0  #: dummies in a turn (plan.programs), all formed for every request

    def __bool__(self) -> bool:
        return self.count > 0

    def numbers(self, half_nbits: int) -> tuple[Number, ...]:
        return (Number(SEED, None, SEED_NBITS),)

    def changed(self, domain: Any) -> Any:
        first = (Product(DUMMY, "b", "k"),)  # b * R**2; the loop does not square it
        given = (*domain.given, DUMMY)
        return replace(domain, begin=(first, *domain.begin), dummies=self, given=given)

    @property
    def step(self) -> Step:
        return (Product(DUMMY, DUMMY, DUMMY),) if self else ()

    def draw(self, moduli: Sequence[int], private: Sequence[int], draw: Random) -> tuple[int, ...]:
        return (draw.randrange(1, 1 << SEED_NBITS),)

    def limits(self, begin: int, rest: int) -> tuple[int, int]:
        """Return the limits below which the random bits let a dummy follow a step of the loop.

        The first limit is for the ``begin`` steps that another step of the first digit follows:
        with it, a dummy among these is as likely as none, if there are enough dummies. The second,
        for the ``rest``, is the highest with which nine of ten operations have dummies left at the
        end of the loop: where none is left, nothing moves the following products any more.
        """
        end = 1 << DRAW_NBITS
        half = end // 2 if self.count >= _ENOUGH * begin else 0
        for limit in range(end - 1, 0, -1):
            of_steps = ((begin, half or limit), (rest, limit))
            # With the odds o of a dummy, the number of dummies behind a step is geometric: mean o,
            # variance o (1 + o).
            means = [(steps, x / (end - x)) for steps, x in of_steps]
            mean = sum(steps * o for steps, o in means)
            variance = sum(steps * o * (1 + o) for steps, o in means)
            if mean + _SPREAD * sqrt(variance) <= self.count:
                break
        return half or limit, limit


WITHOUT_DUMMIES = Dummies()

DUMMY_PRODUCTS = Measure(
    "dummies",
    DUMMIES,
    "only designs by two primes have dummies",
    {SQUARES: [DUMMY_COUNT]},
    {SQUARES: Dummies},
)


class Places:
    """Decides after which steps of the loop a dummy follows: a model of the circuit's registers.

    The seed is the first state of a linear feedback shift register, which is no cryptographic
    generator: whoever knows 32 of its bits knows all others.
    """

    def __init__(self, count: int, limits: tuple[int, int], seed: int):
        self._count, self._limits, self._state = count, limits, seed
        self._left = count

    def begin_turn(self) -> None:
        """Begin a turn, in which all dummies are left; the register keeps its state."""
        self._left = self._count

    def follows(self, first: bool, last: bool) -> bool:
        """Whether a dummy follows a step of the loop, or a dummy that followed such a step.

        ``first``: the next step belongs to the first digit. ``last``: no step of the loop is left,
        so that all dummies that are left follow.
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
