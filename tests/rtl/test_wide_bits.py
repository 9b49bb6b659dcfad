"""Wide components: both engines, stalls, and a netlist of Yosys, against plain integers."""

import random

import pytest

from rsaxcel.sim.engine import open_engine
from rsaxcel.sim.native.build import BuildOptions
from rsaxcel.sim.native.engine import NativeEngine
from rsaxcel.sim.stalls import STALL_PROFILES
from rsaxcel.sim.translate import translate
from tests.rtl.wide_components import WideKitchenSink, answer, constant
from tests.shared.yosys import through_yosys

WIDTHS = (1024, 2050, 4098, 12_300)


def requests(nbits, count):
    draw, top = random.Random(nbits), 1 << nbits - 1
    full = 2 * top - 1
    rows = [
        (0, 0, 0, 0),
        (full, full, full, 1),
        (top, 1, 1, 1),
        (full, 1, nbits - 1, 0),
        (1, top, nbits, 1),
        (constant(nbits), constant(nbits), 31, 1),
        (constant(nbits) ^ top, constant(nbits), 32, 0),
        (constant(nbits) ^ 1, top, 64, 0),
    ]
    while len(rows) < count:
        a, b = (draw.getrandbits(draw.randint(1, nbits)) for _ in range(2))
        rows.append((a, b, draw.randrange(nbits + 9), draw.randrange(2)))
    return rows


@pytest.mark.parametrize(
    "nbits", [*WIDTHS[:2], *(pytest.param(x, marks=pytest.mark.slow) for x in WIDTHS[2:])]
)
def test_both_engines_compute_what_integers_give(nbits):
    rows = requests(nbits, 40)
    engines = [open_engine(name, lambda: WideKitchenSink(nbits)) for name in ("pymtl", "native")]
    for stalls in STALL_PROFILES.values():
        batches = [engine.run(rows, stalls=stalls, in_flight=None) for engine in engines]
        assert batches[0].responses == answer(nbits, rows)
        assert batches[0] == batches[1]


@pytest.mark.slow_cases("2050")
@pytest.mark.parametrize(
    "nbits", [*WIDTHS[:2], *(pytest.param(nbits, marks=pytest.mark.slow) for nbits in WIDTHS[2:])]
)
def test_yosys_reads_the_same_design(nbits, tmp_path):
    """Yosys reads the same design, checked at word level: gates would take hours."""
    module = translate(WideKitchenSink(nbits))
    netlist = through_yosys(module, tmp_path, ["proc", "flatten", "opt_clean"])
    rows = requests(nbits, 20)
    batch = NativeEngine(netlist, options=BuildOptions(netlist=True)).run(rows)
    assert batch.responses == answer(nbits, rows)
