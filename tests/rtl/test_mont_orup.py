"""A lane that keeps its last result: operands of the whole range, one product after the other."""

import random

import pytest
from pymtl3 import DefaultPassGroup

from fl.multipliers.mont_orup import PIPELINES, MontOrup
from rtl.multipliers.mont_orup.mont_orup import MontOrup as Lane

_ENOUGH = 2000


class Bench:
    """Drives a lane cycle by cycle."""

    def __init__(self, *params):
        self.golden, self.lane = MontOrup(*params), Lane(*params)
        self.lane.elaborate()
        self.lane.apply(DefaultPassGroup())
        self.lane.sim_reset()
        self.mask = (1 << self.golden.residue_nbits) - 1

    def kept(self) -> int:
        """Wait until the last result is complete, and give it."""
        for _ in range(_ENOUGH):
            if self.lane.kept:
                value = int(self.lane.b)
                return value - ((self.mask + 1) if value > self.mask >> 1 else 0)
            self.tick()
        raise AssertionError("never complete")

    def tick(self) -> None:
        self.lane.sim_tick()
        self.lane.sim_eval_combinational()

    def prepare(self, modulus: int) -> None:
        self.lane.m @= modulus
        self.lane.prepare @= 1
        self.tick()
        self.lane.prepare @= 0
        self.kept()
        self.tick()
        assert self.lane.m2_reg == self.golden.addend(modulus)

    def product(self, a: int | None, b: int | None, reduces: bool = False) -> int:
        """Begin at once; give the cycles until the next one may. None: the last result."""
        lane, k = self.lane, self.golden.digit_nbits
        assert lane.accepts
        lane.offered @= 1
        lane.loads @= b is not None
        lane.b_first @= (b or 0) & self.mask
        self.tick()
        lane.offered @= 0
        for cycles in range(_ENOUGH):
            value = self.signed() if a is None else a
            selected = int(lane.select)
            place = selected.bit_length() - 1
            lane.a_digit @= value >> k * place & (1 << k) - 1 if selected else 0
            lane.sim_eval_combinational()
            answers = int(lane.answers)
            lane.reduce @= answers and int(reduces)
            self.tick()
            if answers:
                lane.reduce @= 0
                return cycles + 1
        raise AssertionError("no answer")

    def signed(self) -> int:
        value = int(self.lane.b)
        return value - ((self.mask + 1) if value > self.mask >> 1 else 0)


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize(("nbits", "k"), [(8, 4), (13, 6), (9, 10), (24, 16)])
def test_chain_of_products(nbits, k, pipeline):
    """Squares and products that begin in the first cycle they can, then the final reduction."""
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
