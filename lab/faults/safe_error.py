"""A safe-error attack: reads the exponent from which faults do not change the result.

A fault in a product that is dropped for a digit 0 changes the result only if the digit is not 0
(S.-M. Yen, M. Joye, "Checking before output may not be enough against fault-based cryptanalysis",
IEEE Transactions on Computers 49(9), 2000).

The attack knows only the digits' width, and of a core in Verilog, whose digits are taken for bits,
the exponent's length. With exponents of its own, it looks for *telling faults*, whose effect
depends on one digit alone, and injects them into operations with the unknown exponent. A digit
counts as *read* if the attack does better than guessing, on further random exponents.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from math import ceil, log2
from typing import Any

import numpy as np

from rsaxcel.catalog import Configuration
from rsaxcel.fl.keys import balanced_key
from rsaxcel.lab.faults.campaign import Campaign
from rsaxcel.lab.faults.space import FaultSpace, Row
from rsaxcel.lab.faults.target import FaultOutcome, KeyOperation, Operands, operation_of
from rsaxcel.lab.guessing import SIGNIFICANT, chance_of
from rsaxcel.plan.scan import Scan
from rsaxcel.store.folders import cache_root, keep_json, key_of

VOTES = 3  #: largest number of telling faults that are injected for a digit; the majority decides

EXPONENTS = 32  #: number of unknown exponents, beside the private one, on which the attack is tried

#: Number of pairs of known exponents beyond those that are needed to tell the digits apart: a fault
#: whose effects are random is taken for a telling one with a probability of about 2**-_SURE.
_SURE = 10
_BLOCK = 4096

#: A digit of the exponent: number of the half (0 without halves), and index from the lowest on.
Digit = tuple[int, int]


@dataclass(frozen=True)
class Telling:
    """A telling fault: the result is right if and only if (digit is 0) equals ``if_zero``."""

    row: Row
    digit: Digit
    if_zero: bool


@dataclass(frozen=True)
class SafeError:
    """Result of the attack."""

    digits: int  #: digits of the exponent, or of both exponents
    exponent_nbits: int  #: width of the exponent, or of both exponents together
    digit_nbits: int  #: width of a digit; the uppermost digit may be narrower
    tried: int  #: faults tried with known exponents
    telling: int  #: telling faults among them
    told: int  #: digits of the private exponent for which the attack decides whether they are 0
    right: int  #: number of right decisions among `told`
    all_told: int  #: `told` for the other EXPONENTS unknown exponents
    all_right: int  #: `right` for the other EXPONENTS unknown exponents
    chance: float  #: probability that guesses are as good as the decisions
    #: digits decided better than by guessing: binomial test, SIGNIFICANT / digits (Bonferroni)
    read: int
    #: bits of the private exponent in read digits with a right decision; a digit counts one bit or
    #: 0
    bits: int

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "exponents": EXPONENTS}


def why_not(campaign: Campaign) -> str:
    """Say why the attack does not apply; an empty text if it does.

    The attack flips bits, chooses digits, and expects each step in the same cycle for all operands.
    A design that checks its result refuses chosen exponents, which have no short public exponent.
    Where exponents are blinded, nobody knows their digits.
    """
    configuration = campaign.target.configuration
    halves = configuration.halves
    if halves and halves.public_nbits:
        return "the check refuses chosen exponents"
    if halves and halves.multiple_nbits:
        return "exponents are blinded"
    if isinstance(configuration, Configuration):
        timed = configuration.exponent_dependent or configuration.base_dependent
        if timed or not configuration.choices.schedule.fixed:
            return "cycles depend on the operands"
    elif campaign.operation.operands[1] < 4:  # of others, ``Attack`` measures the cycles
        return "the exponent is too short"
    return "" if "flip" in campaign.kinds else "it needs flips: --kind flip or all"


class Attack:
    """The attack on the operation of a campaign, with ``count`` faults."""

    def __init__(self, campaign: Campaign, count: int) -> None:
        self.campaign, self.count = campaign, count
        self.configuration = campaign.target.configuration
        if isinstance(self.configuration, Configuration):
            self.scan, self.leading = self.configuration.programs[0].scan, 0
        else:  # the leading 1 is known: many cores pass over the zeros above it
            nbits = campaign.operation.operands[1].bit_length() - 1
            self.scan, self.leading = Scan(nbits), 1 << nbits
        self.draw = random.Random(f"safe error/{campaign.seed}")

    def run(self, advance: Callable[[int], object] = lambda faults: None) -> SafeError | str:
        """Search telling faults, inject them, and compare with the exponent; or say why not."""
        if {x.cycles for x in self._known[1]} != {self.campaign.operation.cycles}:
            return "cycles depend on the exponent"
        telling = self._search(advance)
        chosen = {digit: [x for x in telling if x.digit == digit][:VOTES] for digit in self.digits}
        faults = [fault for found in chosen.values() for fault in found]
        secret, *others = [self.campaign.operation, *self._drawn()]
        seen = iter(self._correct([(x, f.row) for x in (secret, *others) for f in faults]))
        told = self._told(faults, seen)
        right = set(self._right(secret, told))
        rights = Counter(d for x in others for d in self._right(x, self._told(faults, seen)))
        guesses = [0.5] * EXPONENTS
        limit = SIGNIFICANT / len(self.digits)
        read = {digit for digit in told if chance_of(guesses, rights[digit]) <= limit}
        width = self.scan.digit_nbits
        known = [d for d in right & read if width == 1 or told[d]]
        return SafeError(
            digits=len(self.digits),
            exponent_nbits=sum(map(self._width, self.digits)),
            digit_nbits=width,
            tried=self.count,
            telling=len(telling),
            told=len(told),
            right=len(right),
            all_told=len(told) * EXPONENTS,
            all_right=rights.total(),
            chance=chance_of(guesses * len(told), rights.total()),
            read=len(read),
            bits=sum(map(self._width, known)),
        )

    def _told(self, faults: Sequence[Telling], seen: Iterator[bool]) -> dict[Digit, bool]:
        """Decide for digits of an exponent whether they are 0, by the majority of their faults."""
        zeros: dict[Digit, list[bool]] = {}
        for fault in faults:
            zeros.setdefault(fault.digit, []).append(next(seen) == fault.if_zero)
        return {digit: 2 * sum(votes) > len(votes) for digit, votes in zeros.items()}

    def _right(self, secret: KeyOperation, told: Mapping[Digit, bool]) -> list[Digit]:
        exponent = secret.operands[1]
        return [d for d, is_zero in told.items() if is_zero == (self._value(exponent, d) == 0)]

    def _drawn(self) -> list[KeyOperation]:
        """Operations with further exponents that the attack does not know."""
        operation, draw = self.campaign.operation, self.draw
        base, _, modulus = operation.operands
        masks = [{x: draw.random() < 0.5 for x in self.digits} for _ in range(EXPONENTS)]
        rows: list[Operands] = [(base, self._exponent(mask, modulus), modulus) for mask in masks]
        return [operation_of(self.configuration, row, operation.key) for row in rows]

    @cached_property
    def digits(self) -> Sequence[Digit]:
        """All digits of the exponent, or of both exponents."""
        halves = range(2 if self.configuration.halves else 1)
        return [(half, index) for half in halves for index in range(self.scan.ndigits)]

    def _search(self, advance: Callable[[int], object]) -> list[Telling]:
        """Draw flips, and keep those whose effect depends on one digit alone.

        The known exponents come in pairs: a digit that is 0 in one exponent is not 0 in the other.
        A flip with the same effect on both exponents of the first pair is given up.
        """
        masks, known = self._known
        space = FaultSpace(("flip",), self.campaign.space.counts, self.campaign.operation.cycles)
        telling: list[Telling] = []
        for block, first in enumerate(range(0, self.count, _BLOCK)):
            number = min(_BLOCK, self.count - first)
            rows = space.draw(np.random.default_rng([self.campaign.seed, 1, block]), number)
            pairs = self._correct([(x, row) for row in rows for x in known[:2]])
            left = [row for row, a, b in zip(rows, pairs[::2], pairs[1::2], strict=True) if a != b]
            seen = self._correct([(x, row) for row in left for x in known])
            for at, row in enumerate(left):
                correct = seen[at * len(known) : (at + 1) * len(known)]
                for digit in self.digits:
                    zero = [mask[digit] for mask in masks]
                    if correct == zero or correct == [not x for x in zero]:
                        telling.append(Telling(row, digit, correct == zero))
            advance(number)
        return telling

    @cached_property
    def _known(self) -> tuple[list[dict[Digit, bool]], list[KeyOperation]]:
        """Operations with known exponents; whether each digit is 0, by exponent."""
        # An attacker who does not know the primes of the modulus uses a key of his own.
        operation, halves = self.campaign.operation, self.configuration.halves
        base, _, modulus = operation.operands
        key = operation.key
        if halves:
            key = balanced_key(self.configuration.nbits, other_than=key.n)
            base, modulus = base % key.n, halves.joined(key.p, key.q)
        pairs = _SURE + ceil(log2(len(self.digits)))
        columns = _unlike_columns(self.draw, pairs, len(self.digits))
        masks: list[dict[Digit, bool]] = []
        for pair in range(pairs):
            mask = {x: bool(c >> pair & 1) for x, c in zip(self.digits, columns, strict=True)}
            masks += [mask, {digit: not zero for digit, zero in mask.items()}]
        rows: list[Operands] = [(base, self._exponent(mask, modulus), modulus) for mask in masks]
        return masks, [operation_of(self.configuration, row, key) for row in rows]

    def _exponent(self, zero: dict[Digit, bool], modulus: int) -> int:
        """Draw an exponent (or two, joined) whose digits are 0 where ``zero`` says so."""
        numbers = [self.leading, 0]
        for (half, index), is_zero in zero.items():
            if not is_zero:
                value = self.draw.randrange(1, 1 << self._width((half, index)))
                numbers[half] |= value << index * self.scan.digit_nbits
        halves = self.configuration.halves
        if halves is None:
            return numbers[0]
        low, high = numbers
        return halves.blinded_exponents(modulus, low, high, 0, self.draw)

    def _width(self, digit: Digit) -> int:
        """Width of a digit in bits: the uppermost one may be narrower."""
        return min(
            self.scan.digit_nbits, self.scan.exponent_nbits - digit[1] * self.scan.digit_nbits
        )

    def _value(self, exponent: int, digit: Digit) -> int:
        halves = self.configuration.halves
        number = halves.split_exponents(exponent).private[digit[0]] if halves else exponent
        return number >> digit[1] * self.scan.digit_nbits & (1 << self.scan.digit_nbits) - 1

    def _correct(self, runs: Sequence[tuple[KeyOperation, Row]]) -> list[bool]:
        """Whether the result of each run is right; results that are kept are used again."""
        numbers = {x: number for number, x in enumerate(dict.fromkeys(x for x, _ in runs))}
        listed = [(numbers[x], row) for x, row in runs]
        key = key_of(self.campaign.target.digest, [x.operands for x in numbers], listed)
        name = f"safe-error-{self.configuration.name[:100]}-{key}"
        kept: str = keep_json(cache_root(), name, partial(self._simulate, runs))
        return [x == "1" for x in kept]

    def _simulate(self, runs: Sequence[tuple[KeyOperation, Row]]) -> Any:
        campaign = self.campaign
        faults = [campaign.target.places.injection([row], campaign.start) for _, row in runs]
        answers = campaign.target.run([x for x, _ in runs], faults, campaign.start)
        return "".join("01"[x.outcome is FaultOutcome.CORRECT] for x in answers)


def _unlike_columns(draw: random.Random, nbits: int, count: int) -> list[int]:
    """Draw numbers of ``nbits`` bits, none of them equal to another one or to its complement."""
    ones, found = (1 << nbits) - 1, dict[int, int]()
    while len(found) < count:
        column = draw.getrandbits(nbits)
        found.setdefault(min(column, column ^ ones), column)
    return list(found.values())
