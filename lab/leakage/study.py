"""Side channels of a design: time (cycle model or circuit), t-tests and attacks (netlist)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from rsaxcel.catalog import Configuration
from rsaxcel.circuit import Circuit
from rsaxcel.fl.blinded_key import UNVARIED, Variation
from rsaxcel.flow.layout import NOT_PLACED, TIMED, ZERO, Layout
from rsaxcel.lab.leakage.attacks.study import Attacked, attacked
from rsaxcel.lab.leakage.measure import TestResult, TTest, calibration
from rsaxcel.lab.leakage.operands import ENOUGH_NBITS, MODULUS, TESTS, unhidden_nbits
from rsaxcel.lab.leakage.recorder import Recorder
from rsaxcel.lab.leakage.timing import TimeSpread

TRACES = 10_000  #: traces of a t-test unless another number is asked for

NOISE = 1.0  #: noise in units of the signal unless another one is asked for


@dataclass(frozen=True)
class LeakRequest:
    """Request of ``rsaxcel leak``."""

    configuration: Circuit
    tests: Sequence[str]  #: names of the tests; see operands.classes_of
    traces: int
    noise: float
    seed: int
    library: str  #: library of standard cells
    clock_ns: float  #: clock period of the synthesis
    variation: Variation = UNVARIED  #: variation of the moduli of a design by two primes
    activity: str = ZERO  #: timed: gates have delays, traces have glitches; zero: neither
    layout: Layout = NOT_PLACED
    order: int = 1  #: order of the t-tests

    @property
    def netlist(self) -> str:
        """The netlist and its gates in words."""
        return f"{self.layout}, gates {'with' if self.activity == TIMED else 'without'} delays"

    @cached_property
    def unhidden_nbits(self) -> tuple[int, ...]:
        """Bits of the exponents that blinding leaves, see ``operands.unhidden_nbits``."""
        return unhidden_nbits(self.configuration)

    @property
    def warning(self) -> str:
        """Say why blinding cannot work at a width; empty if it can."""
        halves = self.configuration.halves
        if not self.unhidden_nbits or halves is None or halves.multiple_nbits >= ENOUGH_NBITS:
            return ""
        left = " and ".join(map(str, self.unhidden_nbits))
        return (
            f"exponents of {halves.nbits} bits are too narrow to be blinded: {left} bits stay, and "
            f"there are only 2^{halves.multiple_nbits} random numbers; from 64 bits on, there are "
            f"2^{ENOUGH_NBITS} (docs/security.md)"
        )

    def key(self, netlist: str) -> str:
        """Key of the traces' source: the netlist's key, and whether gates have delays."""
        return netlist if self.activity == ZERO else f"{netlist}, {self.activity}"


def results_of(
    asked: LeakRequest, files: Mapping[str, Path], key: str, advance: Callable[[int], object]
) -> list[TestResult]:
    """Run the t-tests on a netlist of ``netlist_files``; ``advance`` gets new traces."""
    recorder = _recorder(asked, files)
    drawn = (
        TTest(
            asked.configuration,
            test,
            asked.seed,
            asked.traces,
            asked.noise,
            recorder,
            asked.key(key),
            variation=asked.variation,
            order=asked.order,
        )
        for test in asked.tests
    )
    return [test.result(advance) for test in drawn]


def attack_of(
    asked: LeakRequest,
    attack: str,
    files: Mapping[str, Path],
    key: str,
    advance: Callable[[int], object],
) -> Attacked:
    """Mount an attack on a netlist; see ``attacks.study.attacked`` and ``results_of``."""
    configuration = asked.configuration
    assert isinstance(configuration, Configuration)  # ``check_attack`` refuses others
    return attacked(
        configuration,
        attack,
        asked.traces,
        asked.noise,
        asked.seed,
        _recorder(asked, files),
        asked.key(key),
        advance,
    )


def _recorder(asked: LeakRequest, files: Mapping[str, Path]) -> Callable[[], Recorder]:
    """Return a function that makes the recorder at its first call."""

    @cache
    def recorder() -> Recorder:
        configuration = asked.configuration
        return Recorder.of_files(
            configuration,
            files,
            asked.library,
            calibration(configuration),
            asked.activity,
            asked.layout,
        )

    return recorder


def suitable_tests(configuration: Circuit) -> list[str]:
    """Return the tests that suit a design; a circuit for one modulus has no test of the modulus."""
    return [x for x in TESTS if x != MODULUS or not configuration.constant_modulus]


def contradictions(timings: Sequence[TimeSpread]) -> list[str]:
    """Lines on operands with which cycles vary, although the design declares constant cycles."""
    return [
        f"{x.operand}_dependent is declared false, but the cycles vary from {x.least:,} to "
        f"{x.most:,} with the {x.operand}: base, exponent, modulus {x.example[0]} and "
        f"{x.example[1]}"
        for x in timings
        if x.contradicts
    ]
