"""The MontOrup lane, cycle by cycle: chains of products, integers, and new moduli."""

import random

import pytest

from rsaxcel.fl.multipliers.mont_orup import PIPELINES, MontOrup
from rsaxcel.rtl.multipliers.mont_orup.mont_orup import MontOrup as Lane
from rsaxcel.sim.pymtl_engine import prepare

_ENOUGH = 2000


class Bench:
    """Drives a lane cycle by cycle."""

    def __init__(self, *params, **more):
        self.golden, self.lane = MontOrup(*params), Lane(*params, **more)
        self.lane.elaborate()
        prepare(self.lane, None)
        self.lane.reset @= 1
        self.tick()
        self.lane.reset @= 0
        self.mask = (1 << self.golden.residue_nbits) - 1

    def kept(self) -> int:
        """Wait until the last result is complete, and return it; no product may end meanwhile."""
        for _ in range(_ENOUGH):
            assert not self.lane.answers
            if self.lane.kept:
                return self.signed()
            self.tick()
        raise AssertionError("never complete")

    def tick(self) -> None:
        self.lane.sim_settle()
        self.lane.sim_edge()
        self.lane.sim_settle()

    def prepare(self, modulus: int) -> None:
        self.lane.m @= modulus
        self.lane.prepare @= 1
        self.tick()
        self.lane.prepare @= 0
        self.kept()
        self.tick()
        assert self.lane.m2_reg == self.golden.addend(modulus)

    def begin(self, b: int | None, kind: str = "") -> None:
        """Offer a product of a kind, which is accepted at once; with None, b is the last result."""
        lane = self.lane
        assert lane.accepts
        asked = [lane.offered, *([getattr(lane, kind)] if kind else [])]
        for port in asked:
            port @= 1
        lane.loads @= b is not None
        lane.b_first @= (b or 0) & self.mask
        self.tick()
        for port in asked:
            port @= 0

    def serve(self, a: int | None, reduces: bool = False) -> bool:
        """Supply the selected digit of a for a cycle; return whether the product ends in it."""
        lane, k = self.lane, self.golden.digit_nbits
        value = self.signed() if a is None else a
        selected = int(lane.select)
        place = selected.bit_length() - 1
        lane.a_digit @= value >> k * place & (1 << k) - 1 if selected else 0
        lane.sim_settle()
        answers = bool(lane.answers)
        lane.reduce @= answers and reduces
        self.tick()
        lane.reduce @= 0
        return answers

    def product(
        self, a: int | None, b: int | None, kind: str = "", *, reduces: bool = False
    ) -> int:
        """Run a product; return its cycles. None as a or b: the last result."""
        self.begin(b, kind)
        for cycles in range(_ENOUGH):
            if self.serve(a, reduces):
                return cycles + 1
        raise AssertionError("no answer")

    def signed(self) -> int:
        value = int(self.lane.b)
        return value - ((self.mask + 1) if value > self.mask >> 1 else 0)


@pytest.mark.quick_cases("24-16-quotient", "9-10-none", "8-4-rows[45]")
@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize(("nbits", "k"), [(8, 4), (13, 6), (9, 10), (24, 16)])
def test_chain_of_products(nbits, k, pipeline):
    """Back-to-back squares and products, then the final reduction."""
    bench, draw = Bench(nbits, k, pipeline), random.Random(f"{nbits}/{k}/{pipeline}")
    golden = bench.golden
    for modulus in ((1 << nbits) - 1, 3, draw.getrandbits(nbits) | 1):
        modulus = max(3, modulus)
        bench.prepare(modulus)
        most = golden.bound(modulus) - 1
        b = draw.randint(-most, most)
        last = golden.product(-most, b, modulus)
        bench.product(-most, b)
        for a in (None, most, None, draw.randint(-most, most)):
            cycles = bench.product(a, None)
            last = golden.product(last if a is None else a, last, modulus)
            late = int(golden.row_registers > 0)
            assert cycles == 2 + golden.iterations + late
        assert bench.kept() == last
        bench.tick()
        bench.product(golden.final_factor, None, reduces=True)
        result = golden.final_reduction(golden.product(golden.final_factor, last, modulus), modulus)
        assert bench.kept() == result == last * pow(golden.r, -1, modulus) % modulus
        bench.tick()


@pytest.mark.parametrize("pipeline", ["none", "rows4"])
def test_digits_of_an_integer(pipeline):
    """A product as an integer gives all its digits, the lowest first."""
    count, a, modulus, b = 4, 0x5A, 0xD5, 0x99
    bench = Bench(8, 4, pipeline, whole_digits=count)
    bench.prepare(modulus)
    bench.begin(b, "whole")
    digits = []
    for _ in range(_ENOUGH):
        if bench.lane.gives:
            digits.append(int(bench.lane.digit))
        if bench.serve(a):
            break
    assert digits == [(a * modulus + b) >> 4 * i & 0xF for i in range(count)]


@pytest.mark.parametrize("pipeline", ["none", "rows4"])
@pytest.mark.parametrize("kind", ["", "doubles", "whole"])
def test_a_new_modulus_ends_a_product(kind, pipeline):
    """A new modulus in the last cycles of a product drops it; the next product is right."""
    bench = Bench(5, 4, pipeline, doubles=True, whole_digits=3)
    a, b, moduli = 6, 11, (21, 31)
    bench.prepare(moduli[0])
    last = bench.product(a, b, kind)
    bench.kept()
    bench.tick()
    for cycles in range(last - 2, last + 3):
        bench.begin(b, kind)
        for _ in range(cycles):
            bench.serve(a)
        modulus = moduli[cycles % 2]
        bench.prepare(modulus)
        bench.product(a, b)
        assert bench.kept() == bench.golden.product(a, b, modulus)
        bench.tick()
