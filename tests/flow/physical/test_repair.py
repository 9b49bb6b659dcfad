"""Repair: limits of load and slew, speed and area, on netlists that stay equivalent."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rsaxcel.flow.physical.array_netlist import OUTPUT_PORT, ArrayNetlist
from rsaxcel.flow.physical.embedded.session import Clock, Session, session
from rsaxcel.flow.physical.equivalence import check_equivalent
from tests.flow.physical.layouts import clocked, laid_out, pin_slacks
from tests.flow.physical.netlists import KIT, Netlist, library

UM = 2000
MOST_SINKS = 40  #: of a net of the data


def scatter(design: ArrayNetlist, side_um: int, seed: int) -> None:
    """Put the cells anywhere in a square: legal places do not matter to the repair."""
    draw = np.random.default_rng(seed)
    own = ~design.is_port
    design.x[own] = draw.integers(side_um * UM, size=own.sum())
    design.y[own] = draw.integers(side_um * UM, size=own.sum())


def fan_outs(design: ArrayNetlist) -> list[int]:
    return (np.diff(design.net_pins[0]) - 1).tolist()


def kinds_of(design: ArrayNetlist) -> list[str]:
    return [design.kinds[kind].name for kind in design.kind]


def fan(sinks: int, source: str) -> Netlist:
    """One net with many sinks, driven by a register (``q``) or a port (``a``)."""
    made = Netlist({"clk": 1, "a": 1}, {"y": 1})
    made.cells["r"] = ("DFF_X1", {"D": "a", "CK": "clk", "Q": "q"})
    for index in range(sinks):
        out = f"fan{index}" if index else "y"
        made.cells[f"i{index}"] = ("INV_X1", {"A": source, "ZN": out})
    return made


@given(
    registers=st.integers(1, 40),
    gates=st.integers(0, 3),
    logic=st.integers(1, 120),
    side_um=st.sampled_from((20, 100, 400)),
    period_ns=st.sampled_from((0.05, 0.2, 0.5, 20.0)),
    seed=st.integers(0, 999),
)
@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_every_step_keeps_the_netlist_and_the_limits(
    tmp_path, registers, gates, logic, side_um, period_ns, seed
):
    netlist = clocked(registers, gates, seed, logic)
    netlist.cells |= fan(50 if seed % 2 else 5, "a[0]").cells
    netlist.move("r", "D", "a[1]")
    netlist.move("i0", "ZN", "fan0")
    layout = laid_out(netlist, tmp_path)
    scatter(layout.netlist, side_um, seed)
    reference = netlist.design(tmp_path)

    def same(opened: Session, copies: int = 0) -> ArrayNetlist:
        design, copied = opened.read()
        check_equivalent(design, reference, library(), copied)
        assert len(copied) == copies
        return design

    with session(layout.netlist, KIT) as opened:
        opened.remove_buffers()
        bare = same(opened)
    assert not any(name.startswith("BUF") for name in kinds_of(bare))
    with session(bare, KIT) as opened:
        limited = opened.repair(period_ns)
        same(opened)
        faster = opened.repair(period_ns, limit=False, rounds=4)
        same(opened)
        assert faster.worst_ns >= min(limited.worst_ns, 0) - 1e-6
        opened.time(period_ns)
        before = pin_slacks(opened)
        smaller = opened.repair(period_ns, limit=False, recover=True)
        same(opened)
        opened.time(period_ns)
        after = pin_slacks(opened)
        assert not np.any((before >= 0) & (after < -1e-6))
        assert smaller.area <= faster.area
        tree = opened.clock_tree(period_ns)
        same(opened, tree.copied)
        again = opened.repair(period_ns, rounds=2)
        held = opened.repair_hold(period_ns, 0.01)
        design = same(opened, tree.copied)
    assert held.hold_ns >= 0.01
    for summary in (limited, faster, smaller, again, held):
        assert summary.slew_violations == summary.load_violations == 0
    assert (design.kind == design.kinds.index(OUTPUT_PORT)).sum() == 4


def test_loads_in_the_clock_tree_are_kept(tmp_path):
    """A buffer with 70 registers gets a larger size, once the clock has a tree."""
    netlist = clocked(70, 0, 1)
    netlist.cells["tree"] = ("CLKBUF_X1", {"A": "clk", "Z": "branch"})
    for name, (kind, _) in netlist.cells.items():
        if kind == "DFF_X1":
            netlist.move(name, "CK", "branch")
    layout = laid_out(netlist, tmp_path)
    for is_ideal, kept in ((True, "CLKBUF_X1"), (False, "CLKBUF_X2")):
        with session(layout.netlist, KIT, Clock(is_ideal=is_ideal)) as opened:
            assert is_ideal or opened.time(1.0).load_violations == 1
            summary = opened.repair(1.0)
            design, _ = opened.read()
        assert summary.load_violations == 0
        assert design.kinds[design.kind[design.names.index("tree")]].name == kept


@pytest.mark.parametrize("source", ["q", "a"])
def test_many_sinks_get_a_tree_of_buffers(tmp_path, source):
    netlist = fan(2000, source)
    layout = laid_out(netlist, tmp_path)
    with session(layout.netlist, KIT) as opened:
        summary = opened.repair(1.0)
        design, copies = opened.read()
    check_equivalent(design, netlist.design(tmp_path), library(), copies)
    assert max(fan_outs(layout.netlist)) >= 2000
    assert max(fan_outs(design)) <= MOST_SINKS
    # 2,000 sinks take 50 buffers, which are more sinks than the net may have.
    assert summary.inserted >= 52
    assert summary.slew_violations == summary.load_violations == 0


def test_sinks_of_a_buffer_lie_together(tmp_path):
    """Groups by place: the sinks of a buffer span less than the whole core."""
    netlist = fan(500, "q")
    layout = laid_out(netlist, tmp_path)
    with session(layout.netlist, KIT) as opened:
        opened.repair(1.0)
        design, _ = opened.read()
    px, py = design.pin_places()
    start, pins = design.net_pins
    spans = [
        np.ptp(px[own]) + np.ptp(py[own])
        for own in (pins[low:high] for low, high in pairwise(start))
        if len(own) > 20
    ]
    assert len(spans) > 10
    assert np.median(spans) < 0.6 * (layout.core.width + layout.core.height)


def test_ports_stay_what_they_are(tmp_path):
    """Ports that wires join, two ports of one net, and an output whose net gets a buffer."""
    netlist = Netlist(
        {"clk": 1, "a": 2, "b": 1},
        {"y": 3, "z": 1, "w": 1},
        {
            "wire": ("BUF_X1", {"A": "a[0]", "Z": "y[0]"}),
            "r": ("DFF_X1", {"D": "a[1]", "CK": "clk", "Q": "q"}),
            "b1": ("BUF_X1", {"A": "q", "Z": "y[1]"}),
            "b2": ("BUF_X1", {"A": "q", "Z": "y[2]"}),
            "i": ("INV_X1", {"A": "b", "ZN": "z"}),
            "b3": ("BUF_X1", {"A": "z", "Z": "w"}),
        },
    )
    for index in range(60):
        netlist.cells[f"far{index}"] = ("INV_X1", {"A": "z", "ZN": f"n{index}"})
    layout = laid_out(netlist, tmp_path)
    with session(layout.netlist, KIT) as opened:
        assert opened.remove_buffers() == 4
        bare, _ = opened.read()

    def net_of(design: ArrayNetlist, port: str) -> str:
        pin = design.pin_start[design.names.index(port)]
        return design.nets[design.pin_net[pin]]

    assert net_of(bare, "a[0]") == net_of(bare, "y[0]") == "a[0]"
    assert net_of(bare, "y[1]") == net_of(bare, "y[2]") == "y[1]"
    assert net_of(bare, "z") == net_of(bare, "w") == "z"
    scatter(bare, 300, 1)
    with session(bare, KIT) as opened:
        assert opened.repair(1.0).inserted
        opened.clock_tree(1.0)
        opened.repair_hold(1.0, 0.03)
        design, copies = opened.read()
    check_equivalent(design, netlist.design(tmp_path), library(), copies)
    assert design.ports == bare.ports
    ports = [name for name, port in zip(design.names, design.is_port, strict=True) if port]
    assert ports == [name for name, port in zip(bare.names, bare.is_port, strict=True) if port]
    # Each net at a port has a port's name; no other net has one.
    named = {net_of(design, port) for port in ports}
    assert named <= set(ports)
    assert not (set(design.nets) - named) & set(ports)
    assert len(set(design.nets)) == len(design.nets)
    assert len(set(design.names)) == len(design.names)


def test_a_buffer_that_is_replaced_leaves_no_copy(tmp_path):
    """Buffers of a port's net that speed replaces by others; they were listed as copies once."""
    netlist = clocked(80, 3, 0)
    for index in range(30):
        netlist.cells[f"x{index}"] = ("NAND2_X1", {"A1": "a[0]", "A2": "a[1]", "ZN": f"x{index}"})
        pins = {"D": f"x{index}", "CK": "clk", "Q": f"xq{index}"}
        netlist.cells[f"xr{index}"] = ("DFF_X1", pins)
    layout = laid_out(netlist, tmp_path, utilisation=0.05)
    with session(layout.netlist, KIT) as opened:
        opened.remove_buffers()
        bare, _ = opened.read()
    with session(bare, KIT) as opened:
        opened.repair(0.2)
        assert opened.repair(0.2, limit=False, rounds=10).removed
        design, copies = opened.read()
    assert not copies
    check_equivalent(design, netlist.design(tmp_path), library(), copies)
