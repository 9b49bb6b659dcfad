"""The control of a MontOrup lane, cycle by cycle: products of each kind, and given up ones."""

import random

import pytest

from rsaxcel.cl.multipliers.mont_orup import MontOrup as Timing
from rsaxcel.fl.multipliers.mont_orup import MontOrup
from rsaxcel.plan.kept_results import LOAD_CYCLES
from rsaxcel.rtl.multipliers.mont_orup.control import LaneControl
from rsaxcel.sim.pymtl_engine import prepare

PASS = ("fetches", "decodes", "iterates", "adds", "finds_carries", "increments", "kept")
SHAPES = [(8, 4, "none"), (8, 4, "quotient"), (13, 6, "rows4")]
WHOLE_DIGITS = 4


class Bench:
    """Drives a LaneControl cycle by cycle, and records its outputs."""

    def __init__(self, shape):
        self.golden, self.timing = MontOrup(*shape), Timing(*shape)
        self.n = self.golden.iterations + int(self.golden.row_registers > 0)
        self.top = LaneControl(self.golden, True, WHOLE_DIGITS)
        self.top.elaborate()
        prepare(self.top, None)
        self.cycles(1, reset=1)

    def cycles(self, count: int, **ports: int) -> list[set[str]]:
        """Names of the outputs that are 1 in each cycle; ports are set in the first cycle."""
        seen = []
        names = (*PASS, "accepts", "answers", "takes_b", "gives")
        for name, value in ports.items():
            port = getattr(self.top, name)
            port @= value
        for _ in range(count):
            self.top.sim_settle()
            seen.append({name for name in names if getattr(self.top, name)})
            self.top.sim_edge()
            for name in ports:
                port = getattr(self.top, name)
                port @= 0
        return seen


def rows(n: int, first: int = 1) -> list[set[str]]:
    """Expected outputs of a pass of n iterations; its first fetch is in cycle ``first``."""
    names = ["fetches", "decodes", *["iterates"] * n, "adds", "finds_carries", "increments", "kept"]
    return [*[set()] * first, *({name} for name in names)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("kind", "loads"), [("", 0), ("", 1), ("doubles", 0), ("whole", 1)])
def test_cycles_of_a_product(shape, kind, loads):
    """A product has the cycles of the table, after the cycles that load its operand."""
    bench = Bench(shape)
    n = bench.n + (bench.golden.digits if kind == "doubles" else 0)
    if kind == "whole":
        n += bench.timing.whole_cycles(WHOLE_DIGITS * bench.golden.digit_nbits)
    expected = rows(n, 1 + LOAD_CYCLES * loads)
    ports = {kind: 1} if kind else {}
    seen = bench.cycles(len(expected), offered=1, loads=loads, **ports)
    assert [each & set(PASS) for each in seen] == expected
    answers = [cycle for cycle, each in enumerate(seen) if "answers" in each]
    assert answers == [len(expected) - 5]
    assert [cycle for cycle, each in enumerate(seen) if "accepts" in each] == [
        0,
        *range(answers[0] + 1, len(seen)),
    ]
    assert sum("takes_b" in each for each in seen) == (loads and not kind)
    assert sum("gives" in each for each in seen) == (WHOLE_DIGITS if kind == "whole" else 0)
    if not kind:
        (cycles,) = bench.timing.durations(0, 0, 3)
        assert answers == [cycles + LOAD_CYCLES * loads]


@pytest.mark.parametrize("how", ["reset", "prepare"])
@pytest.mark.parametrize("shape", SHAPES)
def test_whatever_runs_is_given_up(shape, how):
    """After a reset or a new modulus at any time, a product takes its usual cycles."""
    bench, draw = Bench(shape), random.Random(f"{shape}/{how}")
    for _ in range(12):
        kind = draw.choice(["loads", "doubles", "reduce"])
        ports = {"reduce": 1} if kind == "reduce" else {"offered": 1, kind: 1}
        if kind == "reduce":
            bench.cycles(bench.n + 2, offered=1)
        bench.cycles(draw.randrange(1, 3 * bench.n), **ports)
        if how == "prepare":
            seen = bench.cycles(bench.timing.prepare_cycles + 1, prepare=1)
            assert not any({"kept", "accepts", "answers"} & each for each in seen[2:-1])
        else:
            bench.cycles(1, reset=1)
        seen = bench.cycles(bench.n + 7, offered=1)
        assert [each & set(PASS) for each in seen] == rows(bench.n)
