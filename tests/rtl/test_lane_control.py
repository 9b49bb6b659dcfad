"""The control of a MontOrup lane, cycle by cycle, against tables and the cycle model."""

import random

import pytest

from rsaxcel.cl.multipliers.mont_orup import MontOrup as Timing
from rsaxcel.fl.multipliers.mont_orup import MontOrup
from rsaxcel.plan.kept_results import LOAD_CYCLES
from rsaxcel.rtl.multipliers.mont_orup.control import LaneControl
from rsaxcel.rtl.multipliers.mont_orup.quotient_digit import DivisionDigit
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
        names = (*PASS, "accepts", "answers", "reduced", "reducing", "takes_b", "takes_m2", "gives")
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

    def free(self, most: int = 2000) -> int:
        """Number of cycles until a product is accepted."""
        for cycle in range(most):
            self.top.sim_settle()
            if self.top.accepts:
                return cycle
            self.top.sim_edge()
        raise AssertionError("never free")


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


@pytest.mark.parametrize("shape", SHAPES)
def test_the_next_product_begins_while_carries_are_resolved(shape):
    bench = Bench(shape)
    first = bench.cycles(bench.n + 3, offered=1)
    second = bench.cycles(bench.n + 7, offered=1)
    expected = [
        each | other
        for each, other in zip(rows(bench.n)[bench.n + 3 :], rows(bench.n), strict=False)
    ]
    assert [each & set(PASS) for each in first] == rows(bench.n)[: bench.n + 3]
    assert [each & set(PASS) for each in second[:4]] == expected
    assert [each & set(PASS) for each in second[4:]] == rows(bench.n)[4:]


@pytest.mark.parametrize("shape", SHAPES)
def test_cycles_of_a_reduction(shape):
    """A reduction has d + 3 passes, the last of which adds m or 0, in the model's cycles."""
    bench = Bench(shape)
    bench.cycles(bench.n + 2, offered=1)
    seen = bench.cycles(bench.timing.reduction_cycles + 1, reduce=1)
    assert "answers" in seen[0]
    assert "reduced" in seen[-1]
    assert not any({"kept", "accepts"} & each for each in seen[:-1])
    assert sum("fetches" in each for each in seen) == bench.golden.final_digits + 1
    assert all("reducing" in each for each in seen[1:])
    assert bench.free() == 0


@pytest.mark.parametrize("shape", SHAPES)
def test_cycles_of_a_new_modulus(shape):
    """Preparation divides B = 1 by d + 1 digits, which gives M2 and no ``reduced``."""
    bench = Bench(shape)
    seen = bench.cycles(bench.timing.prepare_cycles + 1, prepare=1)
    assert "takes_m2" in seen[-1]
    assert not any({"reduced", "accepts"} & each for each in seen[1:])
    assert sum("fetches" in each for each in seen) == bench.golden.final_digits
    assert bench.free() == 0


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


@pytest.mark.parametrize("k", [4, 6])
def test_digits_that_make_divisible(k):
    """DivisionDigit is right for all low digits of B and m: it forms a bit in each of k cycles."""
    top = DivisionDigit(k)
    top.elaborate()
    prepare(top, None)
    for m in range(1, 1 << k, 2):
        top.m_low @= m
        for b in range(1 << k) if k == 4 else (0, 1, m, 1 << k - 1, (1 << k) - 1):
            top.b_low @= b
            for loads in (1, *[0] * k):
                top.loads @= loads
                top.forms @= 1 - loads
                top.sim_settle()
                top.sim_edge()
            assert (b + int(top.digit) * m) % (1 << k) == 0
    top.forms @= 0
    for sign in (1, 0):
        top.b_sign @= sign
        top.takes_sign @= 1
        top.sim_settle()
        top.sim_edge()
        assert top.digit == sign
