"""Attacks of a design by number of traces: right bits of exponents, compared with guessing.

Simple and horizontal analysis sort the digits of one trace into clusters (``told_digits``);
correlation analysis (``Correlation``) predicts many traces.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from rsaxcel.catalog import Configuration
from rsaxcel.circuit import Circuit
from rsaxcel.flow.gates.engine import LANES
from rsaxcel.lab.guessing import SIGNIFICANT, chance_of, chance_of_best, placed_guess, sorted_guess
from rsaxcel.lab.leakage.measure import signals_fj
from rsaxcel.lab.leakage.operands import OperandSource
from rsaxcel.lab.leakage.recorder import Recorder, Traces, code_of
from rsaxcel.lab.leakage.request import LeakRequest
from rsaxcel.lab.leakage.schedule import StepSpan, digits_of
from rsaxcel.plan.programs import Program
from rsaxcel.plan.scan import Digit, Scan
from rsaxcel.plan.steps import Table, When
from rsaxcel.plan.walk import State
from rsaxcel.store.folders import cache_root, keep_json, key_of

SIMPLE, HORIZONTAL, CORRELATION = "simple", "horizontal", "correlation"

TRACES = 1024  #: largest number of traces of an exponent, by default

EXPONENTS = {SIMPLE: 8, HORIZONTAL: 8, CORRELATION: 2}
"""Number of unknown exponents that are attacked."""

#: A product's result is written behind its last cycle. The attacker shifts his cut by each of these
#: numbers of cycles, and tries the resulting exponents on a known result.
_SHIFTS = (0, 1, 2)

FALSE_ALARM = 0.01
"""Probability that a value with predictions is wrongly preferred to one that has none."""

#: A result is written behind the last cycle of a step. So the first cycles of a digit show the
#: digit before, and the cycles behind the end of a digit show this digit.
_FIRST_CYCLE = 2
_LATE_CYCLES = 3
_TELLING = 1e-3  #: least variance, in squares of bits, of a prediction that is not shared

_RESTARTS, _ROUNDS = 12, 30  #: of the search for clusters


@dataclass(frozen=True, eq=False)
class Observed:
    """An attacker's data on one exponent."""

    exponent: int  #: exponent with which the result is compared
    bases: list[int]
    #: energies of the circuit with noise, in units of the signal; cycle 0: acceptance
    energies: np.ndarray


class Victim:
    """A design that runs operations with exponents that the attacker does not know.

    The attacker knows ``known_bits`` and the random bases; the modulus is the standard key's. Noise
    is Gaussian on each cycle, its deviation in units of the signal (``measure.signals_fj``).
    """

    def __init__(self, recorder: Recorder, noise: float, seed: int) -> None:
        self.recorder, self.noise, self.seed = recorder, noise, seed
        self.source = OperandSource(recorder.configuration)
        draw = random.Random(f"{seed}/attack/pilot")
        lanes = [
            [(self.source.base(draw), self.exponent(draw), self.source.modulus) for _ in range(2)]
            for _ in range(LANES)
        ]
        (traces,) = recorder.record(lanes)
        self._signal_fj = signals_fj(traces)[0]

    def exponent(self, draw: random.Random) -> int:
        """Draw an exponent whose outer bits are 1."""
        nbits = self.source.exponent_nbits
        return draw.getrandbits(nbits) | known_bits(nbits)

    def observe(self, number: int, count: int) -> Observed:
        """Run ``count`` operations with the exponent of a number, and record them."""
        draw = random.Random(f"{self.seed}/attack/{number}")
        noise = np.random.default_rng([self.seed, number])
        exponent, modulus = self.exponent(draw), self.source.modulus
        bases: list[int] = []
        found: list[np.ndarray] = []
        while len(bases) < count:
            turns = min(self.recorder.in_turn, -(-(count - len(bases)) // LANES))
            rows = [[self.source.base(draw) for _ in range(1 + turns)] for _ in range(LANES)]
            lanes = [[(base, exponent, modulus) for base in row] for row in rows]
            recorded = self.recorder.record(lanes)
            for turn, traces in enumerate(recorded, start=1):
                bases += [row[turn] for row in rows]
                found.append(self._noisy(traces, noise))
        return Observed(exponent, bases[:count], np.concatenate(found)[:count])

    def _noisy(self, traces: Traces, noise: np.random.Generator) -> np.ndarray:
        """Energies from the request's acceptance on, with noise, in units of the signal."""
        energies = traces.energies_fj[:, int(traces.accepted[0]) :, 0] / self._signal_fj
        return energies + self.noise * noise.standard_normal(energies.shape, np.float32)


def known_bits(nbits: int) -> int:
    """Bits known to be 1: the uppermost, and the lowest, as private exponents for RSA are odd."""
    return 1 << nbits - 1 | 1


def attacked_program(configuration: Circuit) -> Program:
    """Return the program that reads the exponent; ``ValueError`` if no attack suits the design."""
    # Attacks suit no design with two halves (the attacker knows neither modulus), none whose
    # products take cycles that depend on the base, and none that counts the exponent down.
    name = configuration.design_name
    if configuration.halves:
        raise ValueError(f"{name}: attacks are for designs without halves")
    if not isinstance(configuration, Configuration):
        raise ValueError(
            f"{name}: attacks need a schedule; that of a design in Verilog is not known"
        )
    if configuration.base_dependent:
        raise ValueError(f"{name}: attacks are for designs whose cycles do not depend on the base")
    (program,) = (x for x in configuration.programs if x.loop)
    if program.scan.counts or program.scan.sliding_nbits:
        raise ValueError(f"{name}: attacks are for schedules whose digits have fixed places")
    return program


@dataclass(frozen=True)
class _Given(Scan):
    """A scan of one given digit, whatever the exponent is."""

    digit: Digit | None = None

    def digits(self, exponent: int) -> Iterator[Digit | None]:
        yield self.digit


class _Filled(Table):
    """A table whose entries are all filled."""

    @property
    def filled(self) -> range:
        """No index."""
        return range(0)


class Correlation:
    """Correlation analysis of a design, all operations with one modulus.

    The attack goes digit by digit, by the residues that each value of a digit would give. For each
    value of the next digit, the attacker computes what the circuit would do in each trace, from the
    base, the earlier digits and the golden model, and predicts bits that change (Hamming distance):
    in a residue that takes a result, and between operands that follow each other on a lane. The
    value whose predictions correlate best, in any cycle of the digit, is taken (E. Brier, C.
    Clavier, F. Olivier, "Correlation power analysis with a leakage model", CHES 2004).
    """

    def __init__(self, configuration: Configuration, modulus: int) -> None:
        self.configuration, self.modulus = configuration, modulus
        self.program = attacked_program(configuration)
        self.scan = self.program.scan
        table = self.program.table
        self._one_digit = replace(
            self.program,
            enter=(),
            begin=(),
            leave=(),
            join=(),
            ones=(),
            table=_Filled(**vars(table)) if table else None,
        )

    def told(self, observed: Observed) -> list[int]:
        """Return the attack's values of all digits, in the order of the scan."""
        states = [self._begun(base) for base in observed.bases]
        operands: list[dict[int, tuple[int, int]]] = [{} for _ in states]
        told: list[int] = []
        for number in range(self.scan.ndigits):
            values = self._values(number)
            trials = [self._tried(states, operands, [*told, value]) for value in values]
            chosen = 0
            if len(values) > 1:
                begin, end = self._window([*told, values[-1]], trials[-1].ahead)
                window = observed.energies[:, begin:end]
                chosen = _best([trial.predictions for trial in trials], window)
            told.append(values[chosen])
            states, operands = trials[chosen].states, trials[chosen].operands
        return told

    def exponent(self, told: Sequence[int]) -> int:
        """Exponent with given first digits of the scan; all other digits have only ones."""
        width, count = self.scan.digit_nbits, self.scan.ndigits
        rest = [(1 << width) - 1] * (count - len(told))
        digits = [*told, *rest] if self.scan.from_top else [*rest, *reversed(told)]
        number = 0
        for digit in digits:
            number = number << width | digit
        return number & (1 << self.scan.exponent_nbits) - 1

    def _values(self, number: int) -> list[int]:
        """Values that a digit may have; the exponent's outer bits are known to be 1."""
        index = self.scan.ndigits - 1 - number if self.scan.from_top else number
        width = self.scan.digit_nbits
        known = known_bits(self.scan.exponent_nbits) >> index * width
        nbits = min(width, self.scan.exponent_nbits - index * width)
        return [x for x in range(1 << nbits) if not known & ~x & (1 << nbits) - 1]

    def _begun(self, base: int) -> State:
        """State before the first digit."""
        golden = self.configuration.golden
        (state,) = golden.begin(base, 1, self.modulus)
        for program in self.configuration.programs:
            if not program.loop:
                for _ in golden.run(program, [state]):
                    pass
                continue
            for _ in golden.run(replace(program, loop=(), leave=(), join=()), [state]):
                pass
            return state
        raise AssertionError  # a program has the loop

    def _tried(
        self,
        states: Sequence[State],
        operands: Sequence[dict[int, tuple[int, int]]],
        told: Sequence[int],
    ) -> _Trial:
        """Execute the last of the decided digits on copies of the states."""
        digits = list(self.scan.digits(self.exponent(told)))
        digit = digits[len(told) - 1]
        program = replace(self._one_digit, scan=_given(self.scan, digit))
        ahead = self._ahead(digits, len(told))
        rows, ended, used = [], [], []
        for state, before in zip(states, operands, strict=True):
            copied = State(state.modulus, state.exponent, dict(state.residues), state.constants)
            last, row = dict(before), [_Change(x) for x in state.residues.values()]
            self._run(program, copied, last, row)
            ended.append(copied)
            used.append(dict(last))
            if ahead is not None:
                self._run(ahead, copied, last, row, operands_only=True)
            rows.append(row)
        return _Trial(ended, used, _columns(rows), ahead is not None)

    def _run(
        self,
        program: Program,
        state: State,
        last: dict[int, tuple[int, int]],
        row: list[_Change],
        operands_only: bool = False,
    ) -> None:
        """Execute steps, and add the changes of values to ``row``."""
        before = dict(state.residues)
        run_on = State(state.modulus, 0, dict(before), state.constants) if operands_only else state
        for formed in self.configuration.golden.run(program, [run_on]):
            for product, _, a, b, _, after in formed:
                lane = product.lane % program.lanes
                earlier = last.get(lane)
                row += [_Change(a), _Change(b)]
                if earlier is not None:
                    row += [_Change(a, earlier[0]), _Change(b, earlier[1])]
                last[lane] = a, b
                if product.dst in before:
                    row += [_Change(after), _Change(after, before[product.dst])]
            before |= {each.product.dst: each.result for each in formed}

    def _ahead(self, digits: Sequence[Digit | None], number: int) -> Program | None:
        """First step of the next digit, if its products do not depend on that digit."""
        step = self.program.loop[0]
        free = (When.ALWAYS, When.LATER)
        if number >= len(digits) or not all(product.when in free for product in step):
            return None
        scan = _given(self.scan, Digit(later=True))
        return replace(self._one_digit, loop=(step,), scan=scan)

    def _window(self, told: Sequence[int], ahead: bool) -> tuple[int, int]:
        """Cycles that show the last decided digit, and with ``ahead`` the next digit, too."""
        # Other cycles of the next digit are left out: residues of wrong predictions may come there.
        spans = digits_of(self.configuration, (0, self.exponent(told), self.modulus))
        number = len(told) - 1
        last = spans[min(number + ahead, len(spans) - 1)]
        return spans[number].begin + _FIRST_CYCLE, last.end + _LATE_CYCLES


class _Change(NamedTuple):
    """A value that is written over ``before``; if ``before`` is None, ones count, not changes."""

    value: int
    before: int | None = None

    @property
    def bits(self) -> int:
        """Hamming distance to ``before``, or weight."""
        return (self.value ^ (self.before or 0)).bit_count()


@dataclass(frozen=True)
class _Trial:
    """A tried value of a digit: states and operands after it, predictions by trace and column."""

    states: list[State]
    operands: list[dict[int, tuple[int, int]]]
    predictions: np.ndarray
    ahead: bool  #: a step of the next digit is predicted, too


def _given(scan: Scan, digit: Digit | None) -> _Given:
    return _Given(**vars(scan), digit=digit)


def _columns(rows: Sequence[Sequence[_Change]]) -> np.ndarray:
    """Predictions by trace and column; all traces have the same products."""
    # The distance of a residue to a value that is the same in all traces is left out: the residue
    # may be in the traces for another reason.
    changes = zip(*rows, strict=True)
    told = [x for x in changes if x[0].before is None or len({y.before for y in x}) > 1]
    return np.array([[x.bits for x in column] for column in told], float).reshape(-1, len(rows)).T


def _best(predictions: Sequence[np.ndarray], window: np.ndarray) -> int:
    """Index of the value whose own predictions correlate best with the energies in any cycle."""
    if not window.size:  # digits decided wrongly have led behind the end of the traces
        return 0
    sets = [{column.tobytes() for column in columns.T} for columns in predictions]
    shared = set.intersection(*sets)
    common = np.array([np.ones(len(window)), *map(np.frombuffer, sorted(shared))]).T
    basis, _ = np.linalg.qr(common)
    energies = _unit(window - basis @ (basis.T @ window))
    scores, points = [], 1
    for own in sets:
        columns = np.array([np.frombuffer(x) for x in sorted(own - shared)]).reshape(
            -1, len(window)
        )
        left = columns.T - basis @ (basis.T @ columns.T)
        left = left[:, np.square(left).sum(axis=0) > _TELLING * len(window)]
        points = max(points, left.shape[1] * window.shape[1])
        scores.append(_largest(_unit(left), energies) if left.size else None)
    limit = float(stats.norm.isf(FALSE_ALARM / 2 / points))
    return int(np.argmax([limit if score is None else score for score in scores]))


def _unit(columns: np.ndarray) -> np.ndarray:
    """Columns, scaled to a length of 1."""
    return columns / np.maximum(np.sqrt(np.square(columns).sum(axis=0)), 1e-12)


def _largest(x: np.ndarray, y: np.ndarray) -> float:
    """Largest correlation of a column of x with a column of y, as a normal quantity (Fisher)."""
    rho = min(float(np.abs(x.T @ y).max()), 1 - 1e-12)
    return float(np.arctanh(rho) * np.sqrt(max(len(x) - 3, 1)))


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
    """Raise ``ValueError`` if an attack does not suit a design (``attacked_program``)."""
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
