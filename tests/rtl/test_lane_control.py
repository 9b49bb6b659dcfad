"""The control of a MontOrup lane, cycle by cycle: a product after one that is given up."""

import random

import pytest

from rsaxcel.cl.multipliers import MontOrup as Timing
from rsaxcel.fl.multipliers import MontOrup
from rsaxcel.rtl.multipliers.mont_orup.control import LaneControl
from rsaxcel.sim.pymtl_engine import prepare

PASS = ("fetches", "decodes", "iterates", "adds", "increments", "kept")
TRIPLES = (13, 6, "rows4", 8)
SHAPES = [(8, 4, "none", 4), (8, 4, "quotient", 4), (13, 6, "rows4", 4), TRIPLES]
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
        names = (*PASS, "accepts", "answers")
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


def rows(n: int) -> list[set[str]]:
    """Expected outputs of a pass of n iterations; its first fetch is in cycle 1."""
    before = ["fetches", "decodes", *["iterates"] * (n - 1)]
    last_iteration: list[set[str]] = [set()]
    after = ["adds", "increments", "kept"]
    return [set(), *({x} for x in before), *last_iteration, *({x} for x in after)]


@pytest.mark.parametrize("how", ["reset", "prepare"])
@pytest.mark.parametrize("shape", SHAPES)
def test_whatever_runs_is_given_up(shape, how):
    """After a reset or a new modulus at any time, a product takes its usual cycles."""
    bench, draw = Bench(shape), random.Random(f"{shape}/{how}")
    for _ in range(12):
        kind = draw.choice(["loads", "doubles", "reduce"])
        ports = {"reduce": 1} if kind == "reduce" else {"offered": 1, kind: 1}
        if kind == "reduce":
            bench.cycles(bench.n + 1, offered=1)
        bench.cycles(draw.randrange(1, 3 * bench.n), **ports)
        if how == "prepare":
            seen = bench.cycles(bench.timing.prepare_cycles + 1, prepare=1)
            assert not any({"kept", "accepts", "answers"} & each for each in seen[2:-1])
        else:
            bench.cycles(1, reset=1)
        seen = bench.cycles(bench.n + 6, offered=1)
        assert [each & set(PASS) for each in seen] == rows(bench.n)


def test_a_reset_ends_a_triple():
    """A reset in any cycle in which 3 m is formed leaves no result to be taken."""
    bench = Bench(TRIPLES)
    for cycles in range(1, bench.golden.triple_digits + 4):
        bench.cycles(cycles, prepare=1)
        bench.cycles(1, reset=1)
        seen = bench.cycles(bench.n + 6, offered=1)
        assert [each & set(PASS) for each in seen] == rows(bench.n)
