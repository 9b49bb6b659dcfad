"""The comparison with the reference finds each fault planted in the timed gate simulator."""

import pytest

from rsaxcel.flow import compiled
from rsaxcel.flow.gates import engine
from tests.flow.flow_circuits import KIT, library
from tests.flow.timed_comparison import Comparison, TimedSimulation, compare, random_slews
from tests.flow.timed_netlists import Cells, random_netlist, random_requests
from tests.shared.harness import built_once
from tests.shared.planted import planted as changed_text
from tests.shared.tables import each_row

pytestmark = built_once("netlist", 8)


OTHER_EDGE = {
    "pending.add(now + delays[2 * index], lanes & value);": (
        "pending.add(now + delays[2 * index + 1], lanes & value);"
    )
}
LITTLE_ROOM = {
    "std::vector<Moment>(1 << 16);": "std::vector<Moment>(1);",
    "moments.resize(2 * needed)": "moments.resize(needed)",
}
"""Edit: only enough room for the next gate's moments, so that buffers are moved often."""

#: Only the XOR has state-dependent delays, and so the kernel for them.
CELLS = ("DFF_X1", "CLKGATE_X1", "INV_X1", "NAND2_X1", "NAND3_X1", "NOR2_X1", "AND2_X1", "XOR2_X1")


def compared() -> Comparison:
    """Compare simulator and reference on several netlists, up to the first difference."""
    known = Cells.of(KIT, library()).only(CELLS)
    hasty = known.with_short_delays()
    # In the last netlist, changes of all operations wait at the same time.
    for cells, kinds in (
        (known, 8 * known.gates),
        (hasty, 8 * hasty.gates),
        (known, 25 * [known.xor]),
    ):
        netlist = random_netlist(cells, kinds, seed=1)
        slews, requests = random_slews(netlist, 1), random_requests(netlist, 1)
        found = compare(TimedSimulation(netlist, slews, requests))
        if found.difference:
            break
    return found


@pytest.fixture(autouse=True)
def _kernels_of_its_own(monkeypatch, tmp_path):
    """Compile kernels without optimization, and keep no result."""
    monkeypatch.setattr(engine, "_FLAGS", tuple(x for x in engine._FLAGS if x != "-O2"))
    monkeypatch.setattr(compiled, "cache_root", lambda: tmp_path)


@pytest.fixture
def plant(monkeypatch):
    """Return a function that replaces texts of the simulator."""
    assemble = engine.bench_source

    def planted(texts: dict[str, str]) -> None:
        def changed(name, sources):
            return changed_text(assemble(name, sources), *texts.items(), once=True)

        monkeypatch.setattr(engine, "bench_source", changed)

    return planted


@pytest.mark.slow
@pytest.mark.parametrize("texts", [{}, LITTLE_ROOM], ids=["as it is", "with little room"])
def test_without_a_fault_nothing_differs(plant, texts):
    plant(texts)
    found = compared()
    assert not found.difference
    assert found.operations >= 100


def test_the_delay_of_the_other_edge_is_found(plant):
    plant(OTHER_EDGE)
    assert compared().difference


@pytest.mark.slow
@each_row(__file__, "faults", "edits")
def test_a_fault_is_found(plant, edits):
    plant(dict(edits))
    assert compared().difference
