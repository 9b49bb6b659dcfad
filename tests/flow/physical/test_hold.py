"""Hold: early paths are delayed, with the margins that timing analysis asks for."""

import json

import pytest

from rsaxcel.flow.physical.embedded.session import Clock, session
from rsaxcel.flow.physical.equivalence import check_equivalent
from tests.flow.physical.layouts import analyse, clocked, laid_out
from tests.flow.physical.netlists import KIT, Netlist, library
from tests.flow.physical.steps import NODES, job_for, prepare, run

_LATE = 3  #: buffers of the late clock


def shift_register(length: int = 12) -> Netlist:
    """Registers without logic between them; every other one has a late clock."""
    made = Netlist({"clk": 1, "a": 1, "en": 1}, {"y": 1})
    made.cells["gate"] = ("CLKGATE_X1", {"E": "en", "CK": "clk", "GCK": "late0"})
    for at in range(_LATE):
        pins = {"A": f"late{at}", "Z": f"late{at + 1}"}
        made.cells[f"late{at}"] = ("CLKBUF_X1", pins)
    for at in range(length):
        data = f"q{at - 1}" if at else "a"
        out = f"q{at}" if at < length - 1 else "y"
        clock = f"late{_LATE}" if at % 2 else "clk"
        made.cells[f"r{at}"] = ("DFF_X1", {"D": data, "CK": clock, "Q": out})
    return made


@pytest.mark.parametrize("margin_ns", [pytest.param(0.0, marks=pytest.mark.slow), 0.04])
def test_an_early_path_is_delayed(tmp_path, margin_ns):
    netlist = shift_register()
    layout = laid_out(netlist, tmp_path)
    clock = Clock(is_ideal=False)
    with session(layout.netlist, KIT, clock) as opened:
        assert opened.set_port_latency() > 0
        early = opened.time(1.0)
        repaired = opened.repair_hold(1.0, margin_ns)
        design, copies = opened.read()
    assert early.hold_ns < -0.005
    assert repaired.hold_ns >= margin_ns
    assert repaired.inserted >= 6
    check_equivalent(design, netlist.design(tmp_path), library(), copies)
    with session(design, KIT, clock) as opened:
        clock = Clock(is_ideal=False, port_latency_ns=opened.set_port_latency())
    placed = analyse(design, clock, 1.0, tmp_path).placed
    assert placed.hold_slack_ns == pytest.approx(repaired.hold_ns, abs=0.005)


def test_a_path_that_is_late_enough_gets_no_buffer(tmp_path):
    netlist = shift_register(2)
    for at in range(6):
        source = f"d{at - 1}" if at else "q0"
        netlist.cells[f"i{at}"] = ("INV_X1", {"A": source, "ZN": f"d{at}"})
    netlist.move("r1", "D", "d5")
    netlist.move("r1", "CK", "clk")
    netlist.move("r0", "D", "d5")
    with session(laid_out(netlist, tmp_path).netlist, KIT, Clock(is_ideal=False)) as opened:
        opened.set_port_latency()
        opened.time(1.0)
        held = opened.repair_hold(1.0, 0.0)
    assert held.inserted == 0


def test_a_wire_from_port_to_port_keeps_the_margin(tmp_path):
    """OpenSTA checks hold at output ports, too: the clock of the ports is uncertain."""
    netlist = Netlist(
        {"clk": 1, "a": 1, "b": 1},
        {"y": 1, "z": 1},
        {
            "wire": ("BUF_X1", {"A": "a", "Z": "y"}),
            "r": ("DFF_X1", {"D": "b", "CK": "clk", "Q": "z"}),
        },
    )
    folder = prepare(netlist, tmp_path / "run")
    run(NODES, job_for(folder, uncertainty_ns=0.02), folder)
    assert json.loads((folder / "placed-timing.json").read_text())["hold_slack_ns"] >= 0


@pytest.mark.parametrize(
    "margins",
    [
        {"uncertainty_ns": 0.05, "derate": 0.05},
        pytest.param({"uncertainty_ns": 0.02}, marks=pytest.mark.slow),
        pytest.param({"derate": 0.08}, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_margins_are_kept(tmp_path, margins):
    """Timing analysis fails its node if hold is not kept under the margins."""
    netlist = clocked(40, 2, 11, logic=20)
    for at in range(0, 39, 2):
        netlist.move(f"core.r{at}", "D", f"q{at + 1}")
    folder = prepare(netlist, tmp_path / "run")
    run(NODES, job_for(folder, **margins), folder)
    timing, wires = (
        json.loads((folder / x).read_text()) for x in ("placed-timing.json", "wires.json")
    )
    assert 0 <= timing["hold_slack_ns"] < 0.1
    assert wires["hold_buffers"] > 0


@pytest.mark.parametrize(
    ("path", "end"),
    [
        ({"r": ("DFF_X1", {"D": "a", "CK": "clk2", "Q": "q"})}, "r/D"),
        ({"b": ("BUF_X1", {"A": "a", "Z": "y"})}, "y"),
    ],
    ids=["to a register", "to a port"],
)
def test_a_derate_is_opensta_s(tmp_path, path, end):
    """Early paths from a port, whose own latency has no derate; the clock's tree is late."""
    netlist = Netlist({"clk": 1, "a": 1, "b": 1}, {"y": 1, "z": 1}, path)
    if end == "r/D":
        netlist.cells["i"] = ("INV_X1", {"A": "q", "ZN": "y"})
    netlist.cells["r2"] = ("DFF_X1", {"D": "b2", "CK": "clk2", "Q": "z"})
    for at in range(4):
        netlist.cells[f"slow{at}"] = ("BUF_X1", {"A": f"b{at}" if at else "b", "Z": f"b{at + 1}"})
    netlist.move("r2", "D", "b4")
    netlist.cells["c0"] = ("CLKBUF_X1", {"A": "clk", "Z": "clk1"})
    netlist.cells["c1"] = ("CLKBUF_X1", {"A": "clk1", "Z": "clk2"})
    design = laid_out(netlist, tmp_path).netlist
    with session(design, KIT, Clock(is_ideal=False)) as opened:
        clock = Clock(is_ideal=False, port_latency_ns=opened.set_port_latency())
        plain = opened.time(1.0).hold_ns
        derated = opened.time(1.0, 0.1).hold_ns
    placed = analyse(design, clock, 1.0, tmp_path, derate=0.1).placed
    assert placed.hold_end == end
    assert derated < plain
    assert derated == pytest.approx(placed.hold_slack_ns, abs=0.001)
