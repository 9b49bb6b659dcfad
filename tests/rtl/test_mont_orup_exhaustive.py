"""Every product that the smallest lanes can form, by the compiled circuit.

Results are compared with Python's, modulo m, and held against the bound of residues; that they are
the golden model's to the bit follows where the bound leaves one number alone, and is checked there.
"""

import numpy as np
import pytest

from fl.multipliers.mont_orup import PIPELINES, MontOrup
from sim.native.engine import NativeEngine
from tests.harness import built_once
from tests.rtl.lane_bench import DOUBLE, PREPARE, PRODUCT, REDUCED, WHOLE, LaneBench

BLOCK = 1 << 20
ENOUGH = 1000
K = 4


class Lane:
    """A compiled lane, and the operands that it has room for."""

    def __init__(self, nbits: int, pipeline: str):
        self.golden = MontOrup(nbits, K, pipeline)
        self.engine = NativeEngine.from_component(lambda: LaneBench(nbits, K, pipeline))
        self.a_mask = (1 << 2 * K * self.golden.digits) - 1
        self.b_mask = (1 << self.golden.residue_nbits) - 1

    def run(self, modulus: int, kind: int, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Prepare for a modulus, and form all products; give them as signed numbers.

        What reduces a result leaves the lane unprepared.
        """
        found = []
        for first in range(0, len(a), BLOCK):
            part = a[first : first + BLOCK] & self.a_mask, b[first : first + BLOCK] & self.b_mask
            every = 2 if kind == REDUCED else len(part[0]) + 1  # requests for each preparation
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
        """All residues."""
        limit = self.golden.bound(modulus)
        return np.arange(1 - limit, limit)


def pairs(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every pair."""
    return np.repeat(a, len(b)), np.tile(b, len(a))


def some(values: np.ndarray, count: int, seed: int) -> np.ndarray:
    """The extremes, 0, and others."""
    draw = np.random.default_rng(seed)
    corners = [*values[:2], -1, 0, 1, *values[-2:]]
    return np.unique(np.concatenate((corners, draw.choice(values, count))))


def check_products(lane: Lane, modulus: int, a: np.ndarray, b: np.ndarray) -> None:
    """They are congruent and residues, and what the closed form gives."""
    golden = lane.golden
    a, b = pairs(a, b)
    results = lane.run(modulus, PRODUCT, a, b)
    assert not ((results * golden.r - a * b) % modulus).any()
    assert np.abs(results).max() < golden.bound(modulus)
    for i in range(0, len(a), max(1, len(a) // 500)):
        assert results[i] == golden.product(int(a[i]), int(b[i]), modulus)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("nbits", "pipeline"), [(3, "none"), (4, "none"), (3, "quotient"), (3, "rows4")]
)
def test_every_product(nbits, pipeline):
    """Of all pairs of residues, of every modulus."""
    lane = Lane(nbits, pipeline)
    for modulus in range(3, 1 << nbits, 2):
        every = lane.range(modulus)
        parts = -(-(len(every) ** 2) // BLOCK)
        for a in np.array_split(every, parts):
            check_products(lane, modulus, a, every)


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
    """Corners with every residue, both ways round; and all products of the other kinds."""
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
