"""Fixed against random t-test of a design: traces in blocks, which are kept, and their result."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count, takewhile
from math import comb, inf
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from rsaxcel.circuit import Circuit
from rsaxcel.flow.files import read_json, write_json
from rsaxcel.flow.gates.engine import LANES
from rsaxcel.flow.layout import TIMED, ZERO
from rsaxcel.lab.leakage.operands import NONE, OperandSource, classes_of
from rsaxcel.lab.leakage.recorder import Recorder, Traces, code_of
from rsaxcel.lab.leakage.request import LeakRequest
from rsaxcel.lab.leakage.schedule import StepSpan, steps_of
from rsaxcel.sim.corners import Operands
from rsaxcel.store.folders import cache_root, keep, key_of

ONE_POINT = 4.5  #: customary threshold of |t| for a single point

FALSE_ALARM = 2 * float(stats.norm.sf(ONE_POINT))
"""Probability that |t| of one point is above ``ONE_POINT`` although nothing leaks: 6.8e-6."""

LEAST = 16  #: traces that each class needs at a point

FIRST_LOOK = 64  #: number of traces at which |t| is looked at first


def looks(traces: int) -> list[int]:
    """Numbers of traces at which a test looks at |t|: 64, 128, 256 and so on, and all traces."""
    doubled = (FIRST_LOOK << n for n in count())
    return [*takewhile(lambda n: n < traces, doubled), traces]


def threshold(values: int, freedom: np.ndarray | float, looks: int = 1) -> np.ndarray:
    """Threshold of |t| for many values and several looks, by degrees of freedom."""
    # If nothing leaks, the probability p that any value is above the threshold is FALSE_ALARM or
    # less. Sidak: of N independent values (points times columns times looks), each one may be above
    # it with the probability 1 - (1 - p)^(1/N). Looks depend on each other, and columns share their
    # noise, so that the true p is smaller. |t| has Student's distribution.
    each = -np.expm1(np.log1p(-FALSE_ALARM) / max(values * looks, 1))
    return stats.t.isf(each / 2, freedom)


_CACHED = 1 << 16  #: values that are summed together: they stay in a core's cache


@dataclass
class Moments:
    """Sums over the traces of two classes, at each point."""

    #: number of traces, by class and point
    counts: np.ndarray = field(default_factory=lambda: np.zeros((2, 0)))
    #: sums of the values, of their squares and so on, by power, class, point and column
    sums: np.ndarray = field(default_factory=lambda: np.zeros((2, 2, 0, 1)))

    @classmethod
    def of(
        cls, traces: np.ndarray, lengths: np.ndarray, fixed: np.ndarray, order: int = 1
    ) -> Moments:
        """Sum traces: values by trace, point and column, 0 behind the end of a trace.

        A test of ``order`` needs the powers up to twice this order.
        """
        points, columns = traces.shape[1:]
        there = np.arange(points) < lengths[:, None]
        chosen = np.stack([~fixed, fixed]).astype(traces.dtype)
        # No matrix product by ``@``: on a busy machine, the threads of its library wait for each
        # other.
        counts = np.einsum("ct,tp->cp", chosen, there.astype(float))
        sums = np.empty((2 * order, 2, points, columns))
        size = max(1, _CACHED // (len(traces) * columns))
        for begin in range(0, points, size):
            part = np.ascontiguousarray(traces[:, begin : begin + size].transpose(1, 2, 0))
            power = part
            for number in range(2 * order):
                power = power * part if number else part
                sums[number, :, begin : begin + size] = np.einsum("pkt,ct->cpk", power, chosen)
        return cls(counts, sums)

    def __add__(self, other: Moments) -> Moments:
        """Add the sums of further traces, which may be longer."""
        if not self.counts.shape[1]:
            return other
        points = max(self.counts.shape[1], other.counts.shape[1])
        return Moments(
            _padded(self.counts, points) + _padded(other.counts, points),
            _padded(self.sums, points) + _padded(other.sums, points),
        )

    @property
    def traces(self) -> int:
        """Number of traces of both classes."""
        return int(self.counts[:, :1].sum())

    def t(self) -> np.ndarray:
        """Welch's t by point and column, 0 where a class has too few traces or nothing varies.

        First order: of the values. Second order: of the squares of their distances to the mean of
        their class (T. Schneider, A. Moradi, "Leakage Assessment Methodology", CHES 2015).
        """
        order = len(self.sums) // 2
        count = self.counts[:, :, None]
        enough = count >= LEAST
        safe = np.where(enough, count, LEAST)
        raw = [np.ones_like(self.sums[0]), *self.sums / safe]

        def central(power: int) -> np.ndarray:
            """Mean of the distances to the mean, raised to a power."""
            terms = (comb(power, n) * raw[n] * (-raw[1]) ** (power - n) for n in range(power + 1))
            return sum(terms, np.zeros_like(raw[0]))

        means = raw[1] if order == 1 else central(order)
        variances = central(2 * order) - (order > 1) * means**2
        error = np.sqrt(np.maximum(variances / (safe - 1), 0).sum(axis=0))
        distance = means[1] - means[0]
        known = enough.all(axis=0) & (error > 0)
        return np.divide(distance, error, out=np.zeros_like(distance), where=known)

    def tested(self) -> np.ndarray:
        """Whether each point has enough traces of both classes."""
        return np.all(self.counts >= LEAST, axis=0)

    def thresholds(self, looks: int) -> np.ndarray:
        """Threshold by point, for the values of all points and columns; infinite if not tested."""
        tested = self.tested()
        values = int(tested.sum()) * self.sums.shape[3]
        freedom = self.counts.min(axis=0) - 1  # of the smaller class
        return np.where(tested, threshold(values, freedom, looks), np.inf)

    def arrays(self) -> dict[str, np.ndarray]:
        """Arrays by name, to be stored."""
        return {name: getattr(self, name) for name in ("counts", "sums")}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Moments:
        """Make the sums from ``arrays``."""
        return cls(**{name: arrays[name] for name in ("counts", "sums")})


def _padded(array: np.ndarray, points: int) -> np.ndarray:
    axis = 1 if array.ndim == 2 else 2  # that of the points
    return np.pad(array, [(0, points - n if x == axis else 0) for x, n in enumerate(array.shape)])


LOAD, RUN, UNLOAD = "load", "run", "unload"

PARTS = (LOAD, RUN, UNLOAD)
"""Parts of a trace: to the cycle after the request's acceptance, the work, and the response."""

_GAP = 10  #: largest gap in cycles between two ranges that are shown as one
_BLOCK_TRACES = 1024
_BLOCK_SECONDS = 30.0
_GATE_CYCLE_SECONDS = {ZERO: 1.5e-9, TIMED: 2e-7}
"""Time for a gate and a cycle of 64 lanes, with its energy."""

_VALUE_SECONDS = 3e-7  #: time for a column and a cycle of 64 lanes: noise, and sums of powers


@dataclass(frozen=True)
class Peak:
    """Largest |t| of some cycles beside their thresholds; cycle 0 is that of the request's offer.

    Fewer traces reach the last cycles where lengths differ, so that thresholds are higher there.
    """

    t: float
    cycle: int
    threshold: float

    @property
    def above(self) -> bool:
        return self.t > self.threshold

    def as_json(self) -> dict[str, Any]:
        return {"t": round(self.t, 2), "cycle": self.cycle}


@dataclass(frozen=True, eq=False)
class TestResult:
    """Result of a fixed against random test."""

    test: str
    order: int  #: 1: the test compares means; 2: variances
    told: str  #: common properties of both classes, in words
    traces: int
    evaluated: Mapping[int, Peak]  #: peak of the whole circuit by look; see looks
    evaluated_parts: Mapping[int, Peak]  #: highest peak of modules and registers by look
    sigma_fj: float  #: deviation of the signal of the whole circuit, see signals_fj
    noise: float  #: deviation of the noise, in units of the signal
    t: np.ndarray  #: Welch's t of the whole circuit's energy, by cycle
    thresholds: np.ndarray  #: threshold by cycle for all traces, given the number of looks
    #: first cycle after the load, and first cycle of the response in the shortest trace
    bounds: tuple[int, int]
    #: steps of an operation of the class fixed; cycle 0 is the first of a trace
    steps: Sequence[StepSpan]
    parts: Mapping[str, Peak]
    modules: Mapping[str, Peak]  #: peaks by module, the largest first
    registers: Mapping[str, Peak]  #: peaks by register, the largest first; none for a long trace
    lengths: tuple[int, int]  #: shortest and longest trace in cycles

    @property
    def label(self) -> str:
        """The test in words."""
        found = "both classes random" if self.test == NONE else f"fixed {self.test}"
        return found if self.order == 1 else f"{found}, second order"

    @cached_property
    def peak(self) -> Peak:
        """Peak of all cycles of the whole circuit."""
        return peak_of(self.t, self.thresholds)

    @property
    def threshold(self) -> float:
        return self.peak.threshold

    @property
    def above(self) -> list[tuple[int, int]]:
        """Ranges of cycles with final |t| above the threshold; gaps below ``_GAP`` are bridged."""
        found: list[tuple[int, int]] = []
        for cycle in np.flatnonzero(np.abs(self.t) > self.thresholds).tolist():
            if found and cycle - found[-1][1] < _GAP:
                found[-1] = found[-1][0], cycle
            else:
                found.append((cycle, cycle))
        return found

    @property
    def detected(self) -> int | None:
        """First look (number of traces) with |t| of the whole circuit above its threshold."""
        return _first_above(self.evaluated)

    @property
    def detected_in_part(self) -> int | None:
        """First look with |t| of a module or register above its threshold."""
        return _first_above(self.evaluated_parts)

    @property
    def leaks(self) -> bool:
        """Whether |t| is above the threshold in any cycle at any look, of the whole or a part."""
        return self.detected is not None or self.detected_in_part is not None

    def __str__(self) -> str:
        """Return the result in a few words."""
        found = f"max |t| {self.peak.t:.1f}, threshold {self.threshold:.2f}, {self.traces:,} traces"
        return f"{found}, noise {self.noise:g}"

    def as_json(self) -> dict[str, Any]:
        """Return the figures for JSON; the list ``t`` has a value for each cycle."""
        return {
            "test": self.test,
            "order": self.order,
            "leaks": self.leaks,
            "traces": self.traces,
            "max_t": round(self.peak.t, 2),
            "max_t_cycle": self.peak.cycle,
            "threshold": round(self.threshold, 2),
            "detected_traces": self.detected,
            "detected_part_traces": self.detected_in_part,
            "noise": self.noise,
            "signal_fj": round(self.sigma_fj, 3),
            "cycles": list(self.lengths),
            "parts": {name: peak.as_json() for name, peak in self.parts.items()},
            "modules": {name: peak.as_json() for name, peak in self.modules.items()},
            "registers": {name: peak.as_json() for name, peak in self.registers.items()},
            "above": [list(x) for x in self.above],
            "evaluated": {
                n: [round(x.t, 2), round(x.threshold, 2)] for n, x in self.evaluated.items()
            },
            "t": [round(float(x), 3) for x in self.t],
        }


def peak_of(t: np.ndarray, thresholds: np.ndarray, begin: int = 0, end: int | None = None) -> Peak:
    """Return the peak of the cycles from ``begin`` to the one before ``end``."""
    part, limits = np.abs(t[begin:end]), thresholds[begin:end]
    if not len(part):
        return Peak(0.0, begin, inf)
    at = int((part / limits).argmax())
    return Peak(float(part[at]), begin + at, float(limits[at]))


def _peaks(names: Sequence[str], t: np.ndarray, thresholds: np.ndarray) -> dict[str, Peak]:
    """Peaks of the columns of ``t`` by name, the largest beside its threshold first."""
    found = {name: peak_of(t[:, column], thresholds) for column, name in enumerate(names)}
    return dict(sorted(found.items(), key=lambda item: -item[1].t / item[1].threshold))


def _first_above(peaks: Mapping[int, Peak]) -> int | None:
    return next((traces for traces, peak in peaks.items() if peak.above), None)


_LEAST_NOISE = 1e-3
"""Least noise: without any, values that differ between the classes alone would have no t."""

_LEAST_SIGNAL = 1e-3
"""Least signal of a part, beside that of the circuit: random operands may leave a part still."""


def signals_fj(traces: Traces) -> np.ndarray:
    """Root of each column's mean variance of energy over traces, in cycles that all traces have."""
    common = traces.energies_fj[:, : int(traces.lengths.min())]
    found = np.sqrt(common.var(axis=0, ddof=1).mean(axis=0))
    return np.maximum(found, _LEAST_SIGNAL * found[0])


class TTest:
    """A t-test of a design: draws operations, records blocks of traces and adds them up.

    Traces of both classes are counted; ``order`` as in ``Moments.t``. Noise is Gaussian on each
    cycle, for the circuit and each of its parts in units of their own ``signals_fj``. ``recorder``
    is called only if traces have to be recorded. Kept blocks depend on the key of the netlist.
    """

    def __init__(
        self, asked: LeakRequest, test: str, recorder: Callable[[], Recorder], netlist_key: str
    ) -> None:
        self.test, self.store = test, cache_root()
        self._asked, self._recorder = asked, recorder
        configuration, variation = asked.configuration, asked.variation
        self._classes = classes_of(configuration, test, asked.seed, variation)
        self._name = f"leak-{configuration.name}-{test}"
        factors = [variation.factor_nbits] if variation.factor_nbits else []
        drawn = (*factors, *["order"] * variation.swaps)
        about = test, asked.order, asked.seed, asked.noise, code_of(__file__)
        self._key = (asked.key(netlist_key), dict(configuration.params), *about, *drawn)

    def result(self, advance: Callable[[int], object] = lambda traces: None) -> TestResult:
        """Return the result; ``advance`` gets the traces of each block, recorded or kept."""
        about, at = self.pilot, looks(self._asked.traces)
        total = Moments()
        evaluated: dict[int, Peak] = {}
        of_parts: dict[int, Peak] = {}
        for begin, end in self.blocks:
            for part in self.block(begin, end):
                total += part
                if total.traces in at:
                    t, limits = total.t(), total.thresholds(len(at))
                    evaluated[total.traces] = peak_of(t[:, 0], limits)
                    of_parts[total.traces] = peak_of(np.abs(t[:, 1:]).max(axis=1), limits)
            advance(end - begin)
        load, response = about["load"], min(about["response"], len(t))
        modules, registers = about["modules"], about["registers"]
        return TestResult(
            test=self.test,
            order=self._asked.order,
            told=self._classes.told,
            traces=self._asked.traces,
            evaluated=evaluated,
            evaluated_parts=of_parts,
            sigma_fj=float(about["signals_fj"][0]),
            noise=self._asked.noise,
            t=t[:, 0],
            thresholds=limits,
            bounds=(load, response),
            steps=self._steps(about["accepted"]),
            parts={
                LOAD: peak_of(t[:, 0], limits, 0, load),
                RUN: peak_of(t[:, 0], limits, load, response),
                UNLOAD: peak_of(t[:, 0], limits, response),
            },
            modules=_peaks(modules, t[:, 1:], limits),
            registers=_peaks(registers, t[:, 1 + len(modules) :], limits),
            lengths=(about["shortest"], len(t)),
        )

    def _steps(self, accepted: int) -> list[StepSpan]:
        steps = steps_of(self._asked.configuration, self._classes.fixed(random.Random(0)))
        return [StepSpan(x.name, x.begin + accepted, x.end + accepted) for x in steps]

    @property
    def pilot_entry(self) -> str:
        """Name of the entry with the results of the first simulation."""
        return f"{self._name}-pilot-{key_of(*self._key)}"

    def entry(self, begin: int, end: int) -> str:
        """Name of the entry with the sums of a block."""
        return f"{self._name}-{begin}-{key_of(*self._key, begin, end)}"

    @property
    def blocks(self) -> list[tuple[int, int]]:
        """First trace of each block, and the trace after its last one."""
        size = self.pilot["block"]
        return [(x, min(x + size, self._asked.traces)) for x in range(0, self._asked.traces, size)]

    @cached_property
    def pilot(self) -> dict[str, Any]:
        """Results of a first simulation of varied operations: signal, means, size of blocks."""

        def populate(folder: Path) -> None:
            recorder = self._recorder()
            draw = random.Random(f"{self._asked.seed}/{self.test}/pilot")
            lanes = [[self._classes.varied(draw) for _ in range(2)] for _ in range(LANES)]
            (traces,) = recorder.record(lanes)
            about = {
                "accepted": int(traces.accepted.max()),
                "load": int(traces.accepted.max()) + 2,
                "response": int(traces.valid.min()),
                "shortest": int(traces.lengths.min()),
                "modules": recorder.modules,
                "registers": recorder.registers,
                "batch_seconds": _batch_seconds(recorder),
                "memory_mb": _memory_mb(recorder),
                "block": _block_traces(recorder),
            }
            write_json(folder / "pilot.json", about)
            there = np.arange(traces.energies_fj.shape[1]) < traces.lengths[:, None]
            sums = traces.energies_fj.sum(axis=0, dtype=float)
            means = sums / there.sum(axis=0)[:, None]
            np.save(folder / "means.npy", means.astype(np.float32))
            np.save(folder / "signals_fj.npy", signals_fj(traces))

        folder = keep(self.store, self.pilot_entry, populate)
        arrays = {name: np.load(folder / f"{name}.npy") for name in ("means", "signals_fj")}
        return {**read_json(folder / "pilot.json"), **arrays}

    def block(self, begin: int, end: int) -> list[Moments]:
        """Return the sums of the traces from ``begin`` to ``end``, split at each look."""

        def populate(folder: Path) -> None:
            for number, part in enumerate(self._recorded(begin, end)):
                np.savez(folder / f"{number}.npz", allow_pickle=False, **part.arrays())

        folder = keep(self.store, self.entry(begin, end), populate)
        count = sum(path.suffix == ".npz" for path in folder.iterdir())
        parts = []
        for number in range(count):
            with np.load(folder / f"{number}.npz") as file:
                parts.append(Moments.from_arrays(file))
        return parts

    def _recorded(self, begin: int, end: int) -> Iterator[Moments]:
        recorder = self._recorder()
        ends = [n for n in looks(self._asked.traces) if begin < n < end]
        part = Moments()
        done = begin
        while done < end:
            draw = random.Random(f"{self._asked.seed}/{self.test}/{done}")
            turns = min(recorder.in_turn, -(-(end - done) // LANES))
            fixed = [[draw.random() < 0.5 for _ in range(1 + turns)] for _ in range(LANES)]
            lanes = [
                [self._classes.fixed(draw) if x else self._classes.varied(draw) for x in row]
                for row in fixed
            ]
            noise = np.random.default_rng([self._asked.seed, done])
            recorded = recorder.record(lanes)
            for turn, traces in enumerate(recorded, start=1):
                count = min(LANES, end - done)
                chosen = np.array([row[turn] for row in fixed])
                part += self._moments(traces, chosen, noise, count)
                done += count
                if done in ends or done == end:
                    yield part
                    part = Moments()

    def _moments(
        self, traces: Traces, fixed: np.ndarray, noise: np.random.Generator, count: int
    ) -> Moments:
        """Add noise to the first ``count`` of 64 traces, and sum these traces."""
        values = traces.energies_fj
        points = values.shape[1]
        means = self.pilot["means"][:points]
        values[:, : len(means)] -= means  # keeps the sums of squares small, and so exact
        drawn = np.asfortranarray(noise.standard_normal(values.shape[:2], np.float32))
        noise_units = max(self._asked.noise, _LEAST_NOISE)
        deviations = (noise_units * self.pilot["signals_fj"]).astype(np.float32)
        for column, deviation in enumerate(deviations):
            values[:, :, column] += deviation * drawn
        if (traces.lengths < points).any():
            values[np.arange(points) >= traces.lengths[:, None]] = 0.0
        return Moments.of(values[:count], traces.lengths[:count], fixed[:count], self._asked.order)


def _batch_seconds(recorder: Recorder) -> float:
    """Rough time for 64 traces."""
    gates = _GATE_CYCLE_SECONDS[recorder.activity] * len(recorder.netlist.instances)
    return recorder.cycles * (gates + _VALUE_SECONDS * (1 + recorder.simulator.group_count))


def _memory_mb(recorder: Recorder) -> float:
    """Rough upper bound of the memory for a block: the netlist, and energies of its operations."""
    operation = 4 * LANES * recorder.cycles * (1 + recorder.simulator.group_count)
    return 500 + 0.006 * len(recorder.netlist.instances) + operation * (recorder.in_turn + 2) / 1e6


def _block_traces(recorder: Recorder) -> int:
    """Return the number of traces in a block: half a minute's, at most ``_BLOCK_TRACES``."""
    batches = int(_BLOCK_SECONDS / _batch_seconds(recorder) / recorder.in_turn)
    return LANES * min(_BLOCK_TRACES // LANES, recorder.in_turn * max(1, batches))


def calibration(configuration: Circuit) -> list[list[Operands]]:
    """Operations whose activity decides the energy weights: random bases and exponents, seed 0."""
    source, draw = OperandSource(configuration), random.Random(0)

    def row() -> Operands:
        base, exponent = source.base(draw), source.exponent(draw)
        return source.request(draw, base, exponent, source.modulus)

    return [[row() for _ in range(2)] for _ in range(LANES)]
