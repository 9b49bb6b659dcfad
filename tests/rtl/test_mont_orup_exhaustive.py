"""Products of all kinds that the smallest lanes can form, by the compiled circuit.

Results must be right modulo m, by Python, and within the bound of residues. A sample of them is
compared with the golden model bit by bit.
"""

import numpy as np
import pytest

from rsaxcel.fl.multipliers.mont_orup import PIPELINES, MontOrup
from rsaxcel.sim.native.engine import NativeEngine
from tests.rtl.lane_bench import DOUBLE, PREPARE, PRODUCT, REDUCED, WHOLE, LaneBench
from tests.shared.harness import built_once

BLOCK = 1 << 20
ENOUGH = 1000
K = 4


class Lane:
    """A compiled lane with its golden model and the masks of its operands."""

    def __init__(self, nbits: int, pipeline: str):
        self.golden = MontOrup(nbits, K, pipeline)
        self.engine = NativeEngine.from_component(lambda: LaneBench(nbits, K, pipeline))
        self.a_mask = (1 << 2 * K * self.golden.digits) - 1
        self.b_mask = (1 << self.golden.residue_nbits) - 1

    def run(self, modulus: int, kind: int, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Prepare for a modulus, and form all products; return them as signed numbers.

        A product with final reduction needs a new preparation afterwards.
        """
        found = []
        for first in range(0, len(a), BLOCK):
            part = a[first : first + BLOCK] & self.a_mask, b[first : first + BLOCK] & self.b_mask
            every = 2 if kind == REDUCED else len(part[0]) + 1  # every n-th request prepares
            count = len(part[0]) + (len(part[0]) if kind == REDUCED else 1)
            asked = np.arange(count) % every != 0
            columns = [np.where(asked, kind, PREPARE), np.full(count, modulus)]
            for values in part:
                columns.append(np.zeros(count, np.int64))
                columns[-1][asked] = values
            batch = self.engine.run_columns(columns, max_idle_cycles=ENOUGH)
            found.append(batch.responses[0][asked].astype(np.int64))
        results = np.concatenate(found)
        sign = self.b_mask + 1 >> 1
        return (results ^ sign) - sign if kind != WHOLE else results

    def range(self, modulus: int) -> np.ndarray:
        """All residues of a modulus: the numbers within the bound."""
        limit = self.golden.bound(modulus)
        return np.arange(1 - limit, limit)


def pairs(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Arrays of all pairs of two arrays."""
    return np.repeat(a, len(b)), np.tile(b, len(a))


def some(values: np.ndarray, count: int, seed: int) -> np.ndarray:
    """Corners and random elements of a sorted array."""
    draw = np.random.default_rng(seed)
    corners = [*values[:2], -1, 0, 1, *values[-2:]]
    return np.unique(np.concatenate((corners, draw.choice(values, count))))


def check_products(lane: Lane, modulus: int, a: np.ndarray, b: np.ndarray) -> None:
    """Check products of all pairs: right modulo m, within the bound, and some bit by bit."""
    golden = lane.golden
    a, b = pairs(a, b)
    results = lane.run(modulus, PRODUCT, a, b)
    assert not ((results * golden.r - a * b) % modulus).any()
    assert np.abs(results).max() < golden.bound(modulus)
    for i in range(0, len(a), max(1, len(a) // 500)):
        assert results[i] == golden.product(int(a[i]), int(b[i]), modulus)


@pytest.mark.quick_cases("rows4")
@pytest.mark.parametrize(
    "pipeline",
    [
        pytest.param(
            x,
            marks=[built_once("lanes", 3), *([] if x in ("none", "rows4") else [pytest.mark.slow])],
        )
        for x in PIPELINES
    ],
)
def test_other_products(pipeline):
    """Corners times all residues in both orders, and all products of the other kinds."""
    nbits = 3
    lane = Lane(nbits, pipeline)
    golden = lane.golden
    for modulus in (3, 5, 7):
        every, below = lane.range(modulus), np.arange(modulus)
        few = some(every, 20, modulus)
        check_products(lane, modulus, few, every)
        check_products(lane, modulus, every, few)

        inverse = pow(golden.r * golden.final_factor, -1, modulus)
        a, b = pairs(np.array([1, golden.final_factor]), every)
        assert (lane.run(modulus, REDUCED, a, b) == a * b % modulus * inverse % modulus).all()

        a, b = pairs(np.arange(1 << 2 * nbits), below)
        entered = lane.run(modulus, DOUBLE, a, b)
        assert not ((entered * golden.r**2 - a * b) % modulus).any()
        assert np.abs(entered).max() < golden.bound(modulus)

        a, b = pairs(np.arange(1 << nbits), below)
        assert (lane.run(modulus, WHOLE, a, b) == a * modulus + b).all()
