"""The MontOrup lane, cycle by cycle: a new modulus while a product runs."""

import pytest

from rsaxcel.cl.multipliers import MontOrup as Timing
from rsaxcel.fl.multipliers import MontOrup
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

    def begin(self, b: int, kind: str = "") -> None:
        """Offer a product of a kind, which is accepted at once."""
        lane = self.lane
        assert lane.accepts
        asked = [lane.offered, *([getattr(lane, kind)] if kind else [])]
        for port in asked:
            port @= 1
        lane.loads @= 1
        lane.b_first @= b & self.mask
        self.tick()
        for port in asked:
            port @= 0

    def serve(self, a: int) -> bool:
        """Supply the selected digit of a for a cycle; return whether the product ends in it."""
        lane, k = self.lane, self.golden.digit_nbits
        selected = int(lane.select)
        place = selected.bit_length() - 1
        lane.a_digit @= a >> k * place & (1 << k) - 1 if selected else 0
        lane.sim_settle()
        answers = bool(lane.answers)
        self.tick()
        return answers

    def product(self, a: int, b: int, kind: str = "") -> int:
        """Run a product; return its cycles."""
        self.begin(b, kind)
        for cycles in range(_ENOUGH):
            if self.serve(a):
                return cycles + 1
        raise AssertionError("no answer")

    def signed(self) -> int:
        value = int(self.lane.b)
        return value - ((self.mask + 1) if value > self.mask >> 1 else 0)


@pytest.mark.parametrize(("pipeline", "quotient_radix"), [("none", 4), ("rows4", 4), ("none", 8)])
@pytest.mark.parametrize("kind", ["", "doubles", "whole"])
def test_a_new_modulus_ends_a_product(kind, pipeline, quotient_radix):
    """A new modulus in the last cycles of a product drops it; the next product is right."""
    bench = Bench(5, 4, pipeline, quotient_radix, doubles=True, whole_digits=3)
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


@pytest.mark.parametrize("quotient_radix", [4, 8])
def test_a_new_modulus_ends_a_preparation(quotient_radix):
    """A new modulus in any cycle of a preparation: nothing of the earlier one remains."""
    params = 5, 4, "none", quotient_radix
    bench = Bench(*params, doubles=True)
    for cycles in range(Timing(*params).prepare_cycles):
        bench.lane.m @= 31
        bench.lane.prepare @= 1
        bench.tick()
        bench.lane.prepare @= 0
        for _ in range(cycles):
            bench.tick()
        bench.prepare(27)  # its first digit is -3, so that three times too much is seen
        bench.product(6, 11)
        assert bench.kept() == bench.golden.product(6, 11, 27)
        bench.tick()


def test_products_by_copies_of_the_digits(monkeypatch):
    """The higher half of B is multiplied by the copies, as in wide lanes."""
    monkeypatch.setattr(MontOrup, "digit_copies", 2)
    bench = Bench(6, 4, "rows4", 4)
    bench.prepare(53)
    for a in (0, 1, 5, 10, 26, 37, 52):
        for b in (0, 1, 31, 32, 52):
            bench.product(a, b)
            assert bench.kept() == bench.golden.product(a, b, 53)
            bench.tick()
