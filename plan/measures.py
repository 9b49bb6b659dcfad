"""Measures against faults and observers, each with its additions to the plan of a design."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import gcd, sqrt
from random import Random
from typing import Any, NamedTuple

from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.scan import Scan
from rsaxcel.plan.steps import (
    EXPONENT,
    FACTOR,
    MINUS_ONE,
    ONE,
    ORDER,
    REFERENCE,
    RESULT,
    Check,
    Kind,
    Product,
    Step,
    When,
)


@dataclass(frozen=True)
class Measure:
    """A measure against faults or observers: an axis of designs by two primes."""

    name: str
    #: tokens with descriptions; the first token is that of a design without the measure
    tokens: Mapping[str, str]
    lacking: str  #: reason why a design by one modulus has no choice
    parameters: Mapping[str, Sequence[Parameter]] = field(default_factory=dict)
    #: by token: function that makes the additions to the halves, from the values of the parameters
    adds: Mapping[str, Callable[..., Added]] = field(default_factory=dict)
    revising: Sequence[str] = ()  #: tokens of circuits that may take back a response

    @property
    def all_parameters(self) -> list[Parameter]:
        return [*{p.name: p for own in self.parameters.values() for p in own}.values()]

    def having(self, parameter: Parameter) -> list[str]:
        """Return the tokens with a parameter."""
        return [token for token, own in self.parameters.items() if parameter in own]


class Number(NamedTuple):
    """A number of a request, which stands above the exponents."""

    name: str  #: name of the residue that takes the number, such as BLIND
    half: int | None  #: half that uses the number; None: both
    nbits: int
    #: the number has to be odd, to check the result; other numbers are random, not 0
    odd: bool = False
    title: str = ""  #: name as users read it; empty: `name`
    width: str = ""  #: name of the parameter by which users choose `nbits`

    @property
    def key(self) -> str:
        """Name with the prime of the half, such as ``blind_p``."""
        return self.name if self.half is None else f"{self.name}_{'pq'[self.half]}"

    def __str__(self) -> str:
        """Return the name as users read it, such as ``blind of p``."""
        title = self.title or self.name
        return title if self.half is None else f"{title} of {'pq'[self.half]}"

    def fault(self, value: int) -> str:
        """Say why a request with this value is refused; empty if the value is allowed."""
        if self.odd:
            needed = "an odd one is needed to check the result"
            return "" if value % 2 else f"{self} {value}: {needed}"
        return "" if value else "random numbers of the request are missing"


class Added:
    """Additions of a chosen measure to both halves of a request; here, none."""

    blinds_message = False  #: a random factor hides the message
    #: Width of the random multiple of p - 1, or q - 1, that products add to an exponent; 0: none.
    multiple_nbits = 0

    @property
    def primes_only(self) -> str:
        """Say why no modulus may be a multiple of its prime; empty if it may."""
        return ""

    def numbers(self, half_nbits: int) -> tuple[Number, ...]:
        """Return the numbers above the exponents of a request, for halves of a width in bits."""
        return ()

    def dividing(self, log2_r: int) -> Added:
        """Return the additions for products that are divided by R = 2**log2_r."""
        return self

    def draw(self, moduli: Sequence[int], private: Sequence[int], draw: Random) -> tuple[int, ...]:
        """Draw those of the ``numbers`` that are random, so that the result stays as it is."""
        return ()

    def changed(self, domain: Any) -> Any:
        """Return the domain of two halves (``plan.domains.crt``) with further steps."""
        return domain

    def hidden(
        self, base: int, exponent: int, modulus: int, numbers: Mapping[str, int]
    ) -> tuple[int, int, int]:
        """Return base and exponent of a half as the loop has them, and a factor of its result."""
        return base, exponent, 1

    def confirms(self, result: int, base: int, modulus: int, numbers: Mapping[str, int]) -> bool:
        """Whether a half accepts the joined result."""
        return True


UNCHECKED, BY_PUBLIC_EXPONENT = "none", "public_exponent"

CHECK_TOKENS: Mapping[str, str] = {
    UNCHECKED: "the result is not checked",
    BY_PUBLIC_EXPONENT: "the base is computed again from the result, by the public exponent",
}

#: Width of the public exponent; all of its bits are scanned, leading zeros included.
PUBLIC_NBITS = Parameter(
    "public_nbits",
    lambda nbits: 17,
    lambda nbits: range(2, 33),
    "width of the public exponent that checks the result; 65537 has 17 bits",
)

PUBLIC_EXPONENT = "public_exponent"  #: number of a request


@dataclass(frozen=True)
class ByPublicExponent(Added):
    """The check of a result by the public exponent, of a design by two primes."""

    nbits: int  #: width of the public exponent

    def numbers(self, half_nbits: int) -> tuple[Number, ...]:
        title = "public exponent"
        return (Number(PUBLIC_EXPONENT, None, self.nbits, True, title, PUBLIC_NBITS.name),)

    def changed(self, domain: Any) -> Any:
        unit = domain.begin[-1][0].dst
        last = tuple(replace(p, b=_POWER) if p.b == "r" else p for p in domain.leave[-1])
        return replace(
            domain,
            leave=((Product(_POWER, unit, "r"),), *_ONE_LESS_MESSAGE, last),
            check=by_public_exponent(self.nbits),
        )

    def confirms(self, result: int, base: int, modulus: int, numbers: Mapping[str, int]) -> bool:
        return (pow(result, numbers[PUBLIC_EXPONENT], modulus) - base) % modulus == 0


CHECK = Measure(
    "check",
    CHECK_TOKENS,
    "only a result that two halves are joined to is checked",
    {BY_PUBLIC_EXPONENT: [PUBLIC_NBITS]},
    {BY_PUBLIC_EXPONENT: ByPublicExponent},
)


#: Residue of a half that holds the power while w is formed: the reduction of m_q, which overwrites
#: multiples of the modulus that products need, has to come later.
_POWER = "power"

#: Steps that form ``w = 1 - message`` before the result replaces the message: ``s = R**2``,
#: ``w = -R``, ``w = -message / R``, ``s = R**2``, and w.
_ONE_LESS_MESSAGE: tuple[Step, ...] = (
    (Product("s", ONE, "k"),),
    (Product("w", MINUS_ONE, "s"),),
    (Product("w", REFERENCE, "w", kind=Kind.DOUBLE),),
    (Product("s", ONE, "k"),),
    (Product("w", ONE, "s", kind=Kind.DOUBLE, tail="w"),),
)


def by_public_exponent(nbits: int) -> Check:
    """Return steps that compute r**e from the joined result r, and compare it with the message.

    Each half does so modulo its prime, with the constant k = R**3, and with w
    (``_ONE_LESS_MESSAGE``):

    - ``enter``: ``y = r * R``; ``v = R**2``, then ``v = R``, which represents 1
    - ``loop``, for each bit of e but the lowest: v is multiplied by y for a 1, then squared
    - ``leave``: v is ``r**(e - 1) * R``; ``v = r**e / R``, for the lowest bit, which is 1 in every
      public exponent; ``d = w + v * R``, which is 1 modulo the prime if ``r**e`` is the message

    The last factor r is read from the result's register again, not from y: a later change is found,
    too. The message is read from its register again, as ``REFERENCE``: the residue with which the
    exponentiation began may be wrong in one half. d is compared with 1, not 0: a lane with a
    flip-flop stuck at 0 may compute 0 from all operands. The message comes to d by way of w alone,
    and r by way of v alone: if a source is lost and 0 is read, one of the two is still in d.
    """
    return Check(
        number=PUBLIC_EXPONENT,
        scan=Scan(nbits - 1, from_top=True, fixed=True),
        enter=(
            (Product("y", RESULT, "k", kind=Kind.DOUBLE),),
            (Product("v", ONE, "k"),),
            (Product("v", ONE, "v"),),
        ),
        loop=((Product("v", "y", "v", When.SET),), (Product("v", "v", "v"),)),
        leave=(
            (Product("v", RESULT, "v", kind=Kind.DOUBLE),),
            (Product("d", "w", "k", kind=Kind.DOUBLE, tail="v"),),
            (Product("d", FACTOR, "d", reduced=True, compared=True),),
        ),
    )


#: Residues of a half that come with the exponent of a request.
BLIND, UNBLIND, MULTIPLE, PRIVATE = (
    "blind",  #: factor that blinds the message
    "unblind",  #: factor that removes the effect of `blind` from the result
    "multiple",  #: factor by which the prime minus 1 (``ORDER``) is added to the exponent
    "private",  #: the exponent itself
)

OF_NOTHING, OF_MESSAGE, OF_EXPONENTS, OF_BOTH = "none", "message", "exponents", "both"

#: Blinded operands, by token. The random numbers come with the request.
BLINDING_TOKENS: Mapping[str, str] = {
    OF_NOTHING: "nothing is blinded",
    OF_MESSAGE: "a random factor multiplies the message; another one undoes that in the result",
    OF_EXPONENTS: "a random multiple of p - 1, and of q - 1, is added to the exponents",
    OF_BOTH: "message and exponents",
}

#: Width of the random numbers that blind the exponents.
BLIND_NBITS = Parameter(
    "blind_nbits",
    lambda nbits: min(32, nbits // 2),
    lambda nbits: range(2, min(64, nbits // 2) + 1),
    "width of the random numbers by which p - 1 and q - 1 are multiplied to blind the exponents",
)

_LEAST_MODULUS = 3  #: least modulus of a half


@dataclass(frozen=True)
class Blinding(Added):
    """Blinding of a design by two primes.

    Products of the lane form all blinded numbers (``changed``). A blinded exponent is a product
    without reduction, ``whole`` in ``rtl.multipliers.mont_orup.control``, whose factor ``ORDER`` is
    the input ``less`` there.

    Modulo a prime m: ``(message * x)**(private + multiple * (m - 1)) * y``, with the residues
    ``blind = x * R`` and ``unblind = y * R``. By Fermat's theorem, that is ``message**private`` if
    y is ``x**-private``. With ``multiple``, there is one exception: if ``private`` is 0 and m
    divides the message, the result is 0, not 1.
    """

    blinds_message: bool
    multiple_nbits: int = 0  #: width of `multiple`, which blinds exponents; 0: they are not blinded
    log2_r: int = field(default=0, repr=False)  #: log2 of R, by which products are divided

    def dividing(self, log2_r: int) -> Added:
        return replace(self, log2_r=log2_r)

    @property
    def primes_only(self) -> str:
        # P = p * r: P - 1 is no multiple of lambda(P), which is lcm(p - 1, r - 1).
        return (
            "blinding=exponents and both add multiples of p - 1, which is wrong with multiples "
            "of p; blinding=message fits, and the random primes change the exponents, too"
            if self.multiple_nbits
            else ""
        )

    @property
    def residues(self) -> tuple[str, ...]:
        """Residues of a half that come with the exponent of a request."""
        of_exponents = (MULTIPLE, PRIVATE) if self.multiple_nbits else ()
        return (*((BLIND, UNBLIND) if self.blinds_message else ()), *of_exponents)

    def numbers(self, half_nbits: int) -> tuple[Number, ...]:
        widths = {BLIND: half_nbits, UNBLIND: half_nbits, MULTIPLE: self.multiple_nbits}
        names = [name for name in self.residues if name != PRIVATE]
        return tuple(Number(name, half, widths[name]) for name in names for half in (0, 1))

    def changed(self, domain: Any) -> Any:
        (reads,), leave = domain.enter[0], domain.leave
        enter = domain.enter
        if self.blinds_message:
            # ``x * R**3`` takes the place of k: no value depends on the message alone.
            enter = ((Product(BLIND, BLIND, "k"),), (replace(reads, b=BLIND),), *enter[1:])
            if domain.check:  # in place of the product by 1
                leave = ((replace(leave[0][0], a=UNBLIND),), *leave[1:])
            else:
                leave = ((Product("r", UNBLIND, "r"),), *leave)
        if self.multiple_nbits:
            forms = Product(EXPONENT, MULTIPLE, ORDER, kind=Kind.WHOLE, tail=PRIVATE)
            enter = ((forms,), *enter)
        given = (*domain.given, *self.residues)
        return replace(domain, enter=enter, leave=leave, given=given)

    def draw(self, moduli: Sequence[int], private: Sequence[int], draw: Random) -> tuple[int, ...]:
        """Draw the random numbers of a request, which leave the result unchanged.

        The result is unchanged if both moduli are prime, or only the message is blinded. A modulus
        that is even or below 3 is refused, with any numbers.
        """
        found: list[int] = []
        if self.blinds_message:
            pairs = [self._pair(m, e, draw) for m, e in zip(moduli, private, strict=True)]
            found += [x for both in zip(*pairs, strict=True) for x in both]
        if self.multiple_nbits:
            found += [draw.randrange(1, 1 << self.multiple_nbits) for _ in moduli]
        return tuple(found)

    def _pair(self, modulus: int, private: int, draw: Random) -> tuple[int, int]:
        """Draw ``blind`` for a modulus, with the ``unblind`` that undoes it."""
        if modulus < _LEAST_MODULUS:
            return 1, 1
        x = draw.randrange(1, modulus)
        while gcd(x, modulus) > 1:
            x = draw.randrange(1, modulus)
        blind, unblind = (
            (factor << self.log2_r) % modulus for factor in (x, pow(x, -private, modulus))
        )
        return max(1, blind), max(1, unblind)  # 0: the modulus is even, and refused

    def hidden(
        self, base: int, exponent: int, modulus: int, numbers: Mapping[str, int]
    ) -> tuple[int, int, int]:
        exponent += numbers.get(MULTIPLE, 0) * (modulus - 1)
        if not self.blinds_message:
            return base, exponent, 1
        by_r = pow(2, -self.log2_r, modulus)
        return base * numbers[BLIND] * by_r, exponent, numbers[UNBLIND] * by_r


BLINDING = Measure(
    "blinding",
    BLINDING_TOKENS,
    "only designs by two primes are blinded",
    {OF_EXPONENTS: [BLIND_NBITS], OF_BOTH: [BLIND_NBITS]},
    {
        OF_MESSAGE: partial(Blinding, True),
        OF_EXPONENTS: partial(Blinding, False),
        OF_BOTH: partial(Blinding, True),
    },
)

DUMMY = "dummy"  #: residue that dummies square, and that no other product reads

SEED = "dummy_seed"  #: random number that decides on the places of the dummies

SEED_NBITS = 32

#: Bits of the shift register whose sum modulo 2 is shifted in. x**32 + x**22 + x**2 + x + 1 is
#: primitive: all states but 0 follow each other.
TAPS = (0, 1, 2, 22)

#: Random bits that decide whether a dummy follows a step; the register is shifted by as many.
DRAW_NBITS = 8

#: Dummies for each step of the first digit that are enough to make a dummy there as likely as none.
_ENOUGH = 4

#: Standard deviations by which the mean number of drawn dummies stays below the number in a turn:
#: with about 1.25, nine of ten operations have dummies left.
_SPREAD = 1.25

NO_DUMMIES, SQUARES = "none", "squares"

#: Descriptions by token. The random number comes with the request.
DUMMY_TOKENS: Mapping[str, str] = {
    NO_DUMMIES: "each product has a use",
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
    """Dummies of a design by two primes: products without a use, at random places."""

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

DUMMIES = Measure(
    "dummies",
    DUMMY_TOKENS,
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


SINGLE, DOUBLED = "single", "doubled"

#: Number of times that a circuit has its state machines, by token. A copy detects faults, and
#: changes no step and no cycle.
STATE_TOKENS: Mapping[str, str] = {
    SINGLE: "each state machine is there once",
    DOUBLED: "each state machine has a copy; if they differ, the response is a fault",
}

DOUBLED_STATES = Measure(
    "states", STATE_TOKENS, "only designs by two primes have doubled states", revising=[DOUBLED]
)


#: In the order of the axes.
MEASURES = (CHECK, BLINDING, DUMMIES, DOUBLED_STATES)
