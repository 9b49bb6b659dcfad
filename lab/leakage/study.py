"""Side channels of a design: time (cycle model or circuit), t-tests and attacks (netlist)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from rsaxcel.circuit import Circuit
from rsaxcel.flow.gates.engine import LANES
from rsaxcel.flow.power.activity import load_activities, save_activities
from rsaxcel.flow.runner import Progress
from rsaxcel.lab.blocks import Block
from rsaxcel.lab.design_netlist import netlist_files
from rsaxcel.lab.leakage.measure import TTest, calibration
from rsaxcel.lab.leakage.operands import MODULUS, TESTS
from rsaxcel.lab.leakage.recorder import Recorder, Typical, code_of
from rsaxcel.lab.leakage.request import LeakRequest
from rsaxcel.lab.leakage.timing import TimeSpread
from rsaxcel.store.folders import cache_root, keep, key_of

TRACES = 10_000  #: traces of a t-test unless another number is asked for
_ACTIVITY = "activity.npz"


def tests_of(asked: LeakRequest, files: Mapping[str, Path], key: str) -> list[TTest]:
    """Return the t-tests on a netlist of ``netlist_files``."""
    recorder = recorder_of(asked, files, key)
    return [TTest(asked, test, recorder, key) for test in asked.tests]


_PILOT_SECONDS, _PILOT_MB = 5.0, 2000.0  #: rough, because the size of the netlist is not known


def pilots_of(asked: LeakRequest, tests: Sequence[TTest]) -> list[Block]:
    """Blocks of the first simulations, of which the size of all other blocks follows."""
    about = asked.configuration.name
    return [
        Block(
            f"leak {about}, {test.test}, first simulation",
            test.pilot_entry,
            _simulate_first,
            (asked,),
            number,
            _PILOT_SECONDS,
            _PILOT_MB,
        )
        for number, test in enumerate(tests)
    ]


def blocks_of(asked: LeakRequest, test: TTest) -> list[Block]:
    """Blocks of the traces of a test, after its first simulation."""
    about = f"leak {asked.configuration.name}, {test.test}, from trace"
    seconds = test.pilot["batch_seconds"] / LANES
    return [
        Block(
            f"{about} {begin:,}",
            test.entry(begin, end),
            _record,
            (asked, asked.tests.index(test.test)),
            number,
            (end - begin) * seconds,
            test.pilot["memory_mb"],
        )
        for number, (begin, end) in enumerate(test.blocks)
    ]


def _simulate_first(asked: LeakRequest, numbers: Sequence[int], progress: Progress) -> None:
    tests = _here(asked, progress)
    for number in numbers:
        tests[number].pilot  # noqa: B018 (kept when it is made)


def _record(asked: LeakRequest, test: int, numbers: Sequence[int], progress: Progress) -> None:
    found = _here(asked, progress)[test]
    for number in numbers:
        found.block(*found.blocks[number])


def _here(asked: LeakRequest, progress: Progress) -> list[TTest]:
    """Return the t-tests on a worker, which reads the netlist or makes it again."""
    own = asked.configuration, asked.library, asked.clock_ns, progress
    return tests_of(asked, *netlist_files(*own, layout=asked.layout))


def recorder_of(asked: LeakRequest, files: Mapping[str, Path], key: str) -> Callable[[], Recorder]:
    """Return a function that makes the recorder at its first call."""
    configuration = asked.configuration

    def kept(make: Callable[[], Typical]) -> Typical:
        def populate(folder: Path) -> None:
            found = make()
            save_activities(folder / _ACTIVITY, {str(found.cycles): found.activity})

        own = key_of(asked.key(key), dict(configuration.params), code_of(__file__))
        folder = keep(cache_root(), f"typical-{configuration.name}-{own}", populate)
        ((cycles, activity),) = load_activities(folder / _ACTIVITY).items()
        return Typical(activity, int(cycles))

    @cache
    def recorder() -> Recorder:
        return Recorder.of_files(
            configuration,
            files,
            asked.library,
            calibration(configuration),
            asked.activity,
            asked.layout,
            kept=kept,
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
