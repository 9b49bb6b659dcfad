"""Attacks of a design by number of traces: right bits of exponents, compared with guessing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from rsaxcel.catalog import Configuration
from rsaxcel.circuit import Circuit
from rsaxcel.lab.guessing import SIGNIFICANT, chance_of, chance_of_best, placed_guess, sorted_guess
from rsaxcel.lab.leakage.correlation import (
    Correlation,
    Observed,
    Victim,
    attacked_program,
    known_bits,
)
from rsaxcel.lab.leakage.operands import OperandSource
from rsaxcel.lab.leakage.recorder import Recorder, code_of
from rsaxcel.lab.leakage.request import LeakRequest
from rsaxcel.lab.leakage.schedule import StepSpan, digits_of
from rsaxcel.store.folders import cache_root, keep_json, key_of

_RESTARTS = 12
_ROUNDS = 30


@dataclass(frozen=True)
class Cut:
    """Places of the digits in a trace."""

    begin: int  #: first cycle of the first unknown digit
    count: int  #: number of unknown digits
    lengths: tuple[int, int]  #: cycles of a digit that is 0, and of any other digit
    longer: int  #: number of digits that are not 0, known from the duration; 0 for equal lengths

    @property
    def named(self) -> bool:
        """Whether a digit's length tells which cluster is 0."""
        return self.lengths[0] != self.lengths[1]


def told_digits(trace: np.ndarray, cut: Cut, draw: np.random.Generator) -> np.ndarray:
    """Decide in scan order which digits are not 0 (or are 0, if clusters have no names).

    The attacker knows how many cycles a digit takes if it is 0 and if it is not, and looks for the
    cut and the two shapes that explain a trace (or a mean) best: k-means with two clusters, where
    digits of different lengths move all later ones (segmental k-means, by dynamic programming).
    Where squares and products follow each other on one lane, this is simple analysis. Where all
    digits take the same cycles, it is horizontal analysis: clusters have no names, and the attacker
    has to try both.
    """
    best, least = np.zeros(cut.count, int), np.inf
    fixed = _starts(trace, cut)
    for attempt in range(_RESTARTS):
        if attempt < len(fixed):
            told = fixed[attempt]
        elif cut.named:
            told = draw.permutation(np.arange(cut.count) < cut.longer).astype(int)
        else:
            told = draw.integers(0, 2, cut.count)
        cost = np.inf
        for _ in range(_ROUNDS):
            shapes = _shapes(trace, cut, told)
            again, cost = _assign(trace, cut, shapes)
            if (again == told).all():
                break
            told = again
        if cost < least:
            best, least = told, cost
    return best


def _starts(trace: np.ndarray, cut: Cut) -> list[np.ndarray]:
    """Clusters to begin with, for digits of one length: signs of leading principal components."""
    if cut.named:
        return []
    windows = trace[cut.begin :][: cut.count * cut.lengths[0]].reshape(cut.count, -1)
    centred = windows - windows.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    return [(centred @ axis > 0).astype(int) for axis in axes[:4]]


def _shapes(trace: np.ndarray, cut: Cut, told: np.ndarray) -> list[np.ndarray]:
    """Mean energy of the digits of each cluster, by cycle; zeros for a cluster without digits."""
    begins = cut.begin + np.concatenate(([0], np.cumsum(np.take(cut.lengths, told))[:-1]))
    found = []
    for kind, length in enumerate(cut.lengths):
        own = [trace[x : x + length] for x in begins[told == kind]]
        found.append(np.mean(own, axis=0) if own else np.zeros(length))
    return found


def _assign(trace: np.ndarray, cut: Cut, shapes: Sequence[np.ndarray]) -> tuple[np.ndarray, float]:
    """Return the digits' clusters with the least squared error of shapes and trace, and this error.

    A state of the dynamic program is the number of digits so far, and the number of those that are
    not 0.
    """
    if not cut.named:
        windows = trace[cut.begin :][: cut.count * cut.lengths[0]].reshape(cut.count, -1)
        errors = np.stack([np.square(windows - shape).sum(axis=1) for shape in shapes])
        return errors.argmin(axis=0), float(errors.min(axis=0).sum())
    short, long = cut.lengths
    views = [np.lib.stride_tricks.sliding_window_view(trace, x) for x in cut.lengths]
    by_kind = [np.square(v - shape).sum(axis=1) for v, shape in zip(views, shapes, strict=True)]
    counts = np.arange(cut.longer + 1)
    cost = np.where(counts == 0, 0.0, np.inf)
    choices = []
    for digit in range(cut.count):
        at = cut.begin + digit * short + counts * (long - short)
        zero = cost + _at(by_kind[0], at)
        other = np.concatenate(([np.inf], (cost + _at(by_kind[1], at))[:-1]))
        choices.append(other < zero)
        cost = np.minimum(zero, other)
    told, left = np.zeros(cut.count, int), cut.longer
    for digit in reversed(range(cut.count)):
        told[digit] = choices[digit][left]
        left -= told[digit]
    return told, float(cost[cut.longer])


def _at(errors: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Error of a digit that begins in the cycles ``at``; infinite behind the trace."""
    return np.where(at < len(errors), errors[np.minimum(at, len(errors) - 1)], np.inf)


SIMPLE, HORIZONTAL, CORRELATION = "simple", "horizontal", "correlation"

TRACES = 1024  #: largest number of traces of an exponent, by default

EXPONENTS = {SIMPLE: 8, HORIZONTAL: 8, CORRELATION: 2}
"""Number of unknown exponents that are attacked."""

#: A product's result is written behind its last cycle. The attacker shifts his cut by each of these
#: numbers of cycles, and tries the resulting exponents on a known result.
_SHIFTS = (0, 1, 2)


@dataclass(frozen=True)
class AttackSuccess:
    """Success with a number of traces of each exponent."""

    traces: int
    right: int  #: right bits, over all exponents
    bits: int  #: unknown bits, over all exponents
    #: mean number of bits before the first wrong one, in scan order; None: the order does not
    #: matter
    first_wrong: float | None
    whole: int  #: number of exponents with all bits right
    chance: float  #: probability that a guess is as good

    @property
    def significant(self) -> bool:
        """Whether the attack is better than guessing."""
        return self.chance <= SIGNIFICANT


@dataclass(frozen=True)
class Attacked:
    """Result of an attack: rows by number of traces."""

    attack: str
    exponents: int
    noise: float  #: deviation of the noise, in units of the signal
    seed: int
    rows: Sequence[AttackSuccess]

    def as_json(self) -> dict[str, Any]:
        rows = [{**vars(row), "significant": row.significant} for row in self.rows]
        return {**vars(self), "rows": rows}


def trace_counts(attack: str, most: int) -> list[int]:
    """Numbers of traces with which an attack is tried, up to ``most``."""
    first, factor = (64, 2) if attack == CORRELATION else (1, 4)
    counts = [min(first, most)]
    while counts[-1] * factor < most:
        counts.append(counts[-1] * factor)
    return [*counts, most] if counts[-1] < most else counts


def check_attack(configuration: Circuit, attack: str) -> None:
    """Raise ``ValueError`` if an attack does not suit a design (``victim.attacked_program``)."""
    program = attacked_program(configuration)
    name = configuration.design_name
    if attack != CORRELATION and program.scan.digit_nbits > 1:
        raise ValueError(
            f"{name}: {attack} analysis is for digits of one bit; this design has digits of "
            f"{program.scan.digit_nbits} bits: {CORRELATION} is allowed"
        )
    if attack == SIMPLE and program.scan.fixed:
        raise ValueError(
            f"{name}: all exponents have the same sequence of products, which simple analysis "
            f"cannot tell; {HORIZONTAL} and {CORRELATION} are allowed"
        )
    if attack == HORIZONTAL and not program.scan.fixed:
        raise ValueError(
            f"{name}: the sequence of products depends on the exponent; {SIMPLE} and "
            f"{CORRELATION} are allowed"
        )


def attacked(
    asked: LeakRequest,
    attack: str,
    recorder: Callable[[], Recorder],
    netlist_key: str,
    advance: Callable[[int], object] = lambda exponents: None,
) -> Attacked:
    """Mount an attack; kept results of exponents are used again.

    ``asked`` has the largest number of traces for an exponent; ``advance`` gets attacked exponents.
    """
    configuration, traces, noise, seed = asked.configuration, asked.traces, asked.noise, asked.seed
    check_attack(configuration, attack)
    assert isinstance(configuration, Configuration)  # others are refused
    counts = trace_counts(attack, traces)
    about = dict(configuration.params), attack, counts, noise, seed, code_of(__file__)
    key = key_of(asked.key(netlist_key), *about)
    victims: list[Victim] = []

    def tried(number: int) -> Any:
        if not victims:
            victims.append(Victim(recorder(), noise, seed))
        observed = victims[0].observe(number, traces)
        modulus = victims[0].source.modulus
        return [_told(configuration, attack, _first(observed, n), modulus, seed) for n in counts]

    found: list[list[_Told]] = []
    for number in range(EXPONENTS[attack]):
        name = f"attack-{attack}-{configuration.name[:100]}-{number}-{key}"
        kept = keep_json(cache_root(), name, partial(tried, number))
        found.append([_Told(*row) for row in kept])
        advance(1)
    rows = [
        _row(attack, count, [own[place] for own in found]) for place, count in enumerate(counts)
    ]
    return Attacked(attack, EXPONENTS[attack], noise, seed, rows)


class _Told(NamedTuple):
    """Whether each unknown bit of an exponent is right, and the number of ones, if known."""

    right: list[bool]
    ones: int | None = None

    def guess(self) -> np.ndarray:
        """Distribution of right bits of a guess that knows no more than the clusters do."""
        if self.ones is None:
            return sorted_guess(len(self.right))
        return placed_guess(len(self.right), self.ones)


def _row(attack: str, traces: int, found: Sequence[_Told]) -> AttackSuccess:
    sizes = [len(told.right) for told in found]
    total = sum(sum(told.right) for told in found)
    first = None
    if attack == CORRELATION:
        chance = chance_of([0.5] * sum(sizes), total)
        first = float(np.mean([(*told.right, False).index(False) for told in found]))
    else:
        chance = chance_of_best([told.guess() for told in found], total, tries=len(_SHIFTS))
    return AttackSuccess(traces, total, sum(sizes), first, sum(all(x.right) for x in found), chance)


def _first(observed: Observed, count: int) -> Observed:
    return replace(observed, bases=observed.bases[:count], energies=observed.energies[:count])


def _told(
    configuration: Configuration, attack: str, observed: Observed, modulus: int, seed: int
) -> _Told:
    """Mount an attack on one exponent; return its result for the unknown bits in scan order."""
    if attack == CORRELATION:
        method = Correlation(configuration, modulus)
        told = method.exponent(method.told(observed))
        return _Told(list(_compared(configuration, told, observed.exponent)))
    return _by_clusters(configuration, observed, modulus, seed)


def _compared(configuration: Configuration, told: int, exponent: int) -> Iterator[bool]:
    scan = attacked_program(configuration).scan
    nbits = scan.exponent_nbits
    order = reversed(range(nbits)) if scan.from_top else iter(range(nbits))
    for bit in order:
        if not known_bits(nbits) >> bit & 1:
            yield not (told ^ exponent) >> bit & 1


def _by_clusters(
    configuration: Configuration, observed: Observed, modulus: int, seed: int
) -> _Told:
    """Return the result of the best of the exponents that the attacker tries."""
    scan = attacked_program(configuration).scan
    spans = digits_of(configuration, (0, observed.exponent, modulus))
    # The attacker knows the value of the first and of the last digit, and so their cycles.
    unknown = spans[1:-1]
    truth = [bool(digit and digit.set) for digit in scan.digits(observed.exponent)][1:-1]
    trace = observed.energies.mean(axis=0, dtype=float)
    lengths = _lengths(configuration)
    ones = sum(truth) if lengths[0] != lengths[1] else None
    best: list[bool] = []
    for shift in _SHIFTS:
        cut = Cut(unknown[0].begin + shift, len(truth), lengths, ones or 0)
        told = told_digits(trace, cut, np.random.default_rng([seed, shift]))
        right = [bool(x) == y for x, y in zip(told, truth, strict=True)]
        namings = [right] if cut.named else [right, [not x for x in right]]
        best = max([best, *namings], key=sum)
    return _Told(best, ones)


def _lengths(configuration: Configuration) -> tuple[int, int]:
    """Cycles of a digit that is 0 and of one that is 1, neither of them first or last."""
    scan = attacked_program(configuration).scan
    nbits = scan.exponent_nbits
    middle = nbits // 2
    modulus = OperandSource(configuration).modulus
    exponents = (known_bits(nbits), known_bits(nbits) | 1 << middle)
    at = nbits - 1 - middle if scan.from_top else middle

    def length(exponent: int) -> int:
        span: StepSpan = digits_of(configuration, (0, exponent, modulus))[at]
        return span.end - span.begin

    zero, one = map(length, exponents)
    return zero, one
