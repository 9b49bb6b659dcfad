"""The clock tree: its reach, levels, fan-outs and gates; latencies beside OpenSTA's."""

import json
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rsaxcel.flow.physical.array_netlist import ArrayNetlist
from rsaxcel.flow.physical.checks import check_clock
from rsaxcel.flow.physical.embedded.session import Clock, session
from rsaxcel.flow.physical.equivalence import check_equivalent
from tests.flow.physical.layouts import clocked, driver_slacks, laid_out, latencies_ns
from tests.flow.physical.netlists import KIT, Netlist, library
from tests.flow.physical.steps import NODES, job_for, prepare, run

UM = 2000
SKEW_LIMIT_NS = 0.25
MOST_REGISTERS = 32  #: behind a leaf


class Tree:
    """The clock's nets of a design, from the port on."""

    def __init__(self, design: ArrayNetlist) -> None:
        self.netlist = design
        self.start, self.pins = design.net_pins
        port = design.names.index("clk")
        self.root = int(design.pin_net[design.pin_start[port]])

    def kind(self, at: int) -> str:
        return self.netlist.kinds[self.netlist.kind[at]].name

    def sinks(self, net: int) -> list[int]:
        """Instances that a net drives."""
        own = self.pins[self.start[net] + 1 : self.start[net + 1]]
        return self.netlist.pin_instance[own].tolist()

    def output(self, at: int) -> int:
        first, end = self.netlist.pin_start[at : at + 2]
        nets = self.netlist.pin_net[first:end][self.netlist.pin_is_output[first:end]]
        return int(nets[0])

    def is_register(self, at: int) -> bool:
        return self.kind(at).startswith("DFF")

    def is_gate(self, at: int) -> bool:
        return self.kind(at).startswith("CLKGATE")

    def registers(self, net: int | None = None, path: tuple[int, ...] = ()) -> Iterator[tuple]:
        """Each register and the cells between the port and it."""
        for at in self.sinks(self.root if net is None else net):
            if self.is_register(at):
                yield at, path
            else:
                yield from self.registers(self.output(at), (*path, at))


@given(
    registers=st.integers(1, 200),
    gates=st.integers(0, 6),
    side_um=st.sampled_from((10, 80, 250)),
    seed=st.integers(0, 999),
)
@settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_the_shape_of_a_tree(tmp_path, registers, gates, side_um, seed):
    netlist = clocked(registers, gates, seed, logic=5)
    layout = laid_out(netlist, tmp_path)
    design = layout.netlist
    draw = np.random.default_rng(seed)
    own = ~design.is_port
    design.x[own] = draw.integers(side_um * UM, size=own.sum())
    design.y[own] = draw.integers(side_um * UM, size=own.sum())
    with session(design, KIT) as opened:
        opened.repair(1.0)
        summary = opened.clock_tree(1.0)
        latencies = opened.clock_latencies()
        design, copies = opened.read()
    assert check_clock(design, "clk", library()) == registers
    check_equivalent(design, netlist.design(tmp_path), library(), copies)
    tree = Tree(design)
    found = dict(tree.registers())
    assert len(found) == registers
    # Buffers delay single nodes that would be too early.
    levels = {len(path) for path in found.values()}
    assert min(levels) >= 2
    assert max(levels) - min(levels) <= 1
    drivers = {path[-1] for path in found.values()}
    for at in drivers:
        own = [x for x in tree.sinks(tree.output(at)) if tree.is_register(x)]
        assert len(own) <= MOST_REGISTERS
    # Registers of one clock gate stay with it, or with a copy that has its enable.
    for register, path in found.items():
        name = design.names[register]
        group = int(name.removeprefix("core.r")) % (gates + 1)
        (gate,) = [at for at in path if tree.is_gate(at)] or [None]
        if group == gates:
            assert gate is None
            continue
        assert gate == path[-1]
        own_name = design.names[gate]
        assert copies.get(own_name, own_name) == f"core.gate{group}"
    assert len(copies) == summary.copied
    assert summary.skew_ns <= SKEW_LIMIT_NS
    of_registers = [x for name, x in latencies.items() if ".r" in name]
    assert summary.skew_ns == pytest.approx(np.ptp(of_registers), abs=2e-6)
    assert summary.latency_ns == pytest.approx(np.mean(of_registers), abs=2e-6)


def test_a_leaf_far_from_all_others(tmp_path):
    """Halves of about the same load, of which one is a single leaf with a long wire."""
    count = 80
    netlist = Netlist({"clk": 1, "en": count}, {"y": count})
    for at in range(count):
        pins = {"CK": "clk", "E": f"en[{at}]", "GCK": f"k{at}"}
        netlist.cells[f"g{at}"] = ("CLKGATE_X1", pins)
        pins = {"CK": f"k{at}", "D": f"en[{at}]", "Q": f"y[{at}]"}
        netlist.cells[f"r{at}"] = ("DFF_X1", pins)
    design = laid_out(netlist, tmp_path).netlist
    design.x[:2] = 2000 * UM
    with session(design, KIT) as opened:
        opened.clock_tree(1.0)
        design, _ = opened.read()
    assert check_clock(design, "clk", library()) == count


@pytest.fixture(scope="module")
def placed(tmp_path_factory):
    """Folder of a layout that the nodes made and OpenSTA timed."""
    folder = prepare(clocked(100, 3, 7), tmp_path_factory.mktemp("tree") / "placed")
    run(NODES, job_for(folder), folder)
    return folder


def test_latencies_are_those_of_opensta(placed):
    clock = json.loads((placed / "clock.json").read_text())
    latencies = clock["latency_ns"]
    found = latencies_ns(placed, latencies)
    # As in test_timer.py.
    assert latencies == pytest.approx(found, abs=0.002, rel=0.03)
    of_registers = [x for name, x in latencies.items() if ".r" in name]
    assert len(of_registers) == 100
    assert clock["mean_latency_ns"] == pytest.approx(np.mean(of_registers), abs=1e-5)
    assert clock["skew_ns"] == pytest.approx(np.ptp(of_registers), abs=1e-5)
    assert clock["insertion_delay_ns"] == max(latencies.values())
    timing = json.loads((placed / "placed-timing.json").read_text())
    # OpenSTA takes only pairs of registers that a path joins.
    assert timing["skew_ns"] <= clock["skew_ns"] + 0.002


def test_buffers_of_the_tree_are_counted(placed):
    clock, wires = (json.loads((placed / x).read_text()) for x in ("clock.json", "wires.json"))
    module = json.loads((placed / "placed.json").read_text())["modules"]["top"]
    kinds = [cell["type"] for cell in module["cells"].values()]
    assert clock["buffers"] == wires["clock_buffers"]
    assert clock["buffers"] == sum(kind.startswith("CLKBUF") for kind in kinds)
    gates = sum(kind.startswith("CLKGATE") for kind in kinds)
    assert wires["clock_gate_copies"] == gates - 3


def test_no_clock_gives_no_tree(tmp_path):
    """A combinational circuit: its clock port drives nothing."""
    netlist = Netlist({"clk": 1, "a": 1}, {"y": 1}, {"i": ("INV_X1", {"A": "a", "ZN": "y"})})
    with session(laid_out(netlist, tmp_path).netlist, KIT) as opened:
        summary = opened.clock_tree(1.0)
        assert opened.set_port_latency() == 0
        assert not opened.clock_latencies()
        timed = opened.time(1.0)
    assert summary.inserted == summary.skew_ns == summary.latency_ns == 0
    assert 0 < timed.worst_ns < 1


def test_the_ideal_clock_reaches_gates_earlier(tmp_path):
    """Before there is a tree, an enable must arrive by the lead of the gates earlier."""
    netlist = clocked(4, 1, 1)
    netlist.cells["slow"] = ("BUF_X1", {"A": "q1", "Z": "slow"})
    netlist.cells["core.gate0"][1]["E"] = "slow"
    design = laid_out(netlist, tmp_path).netlist
    slacks = []
    for lead in (0.0, 0.3):
        with session(design, KIT, Clock(gate_lead_ns=lead)) as opened:
            opened.time(0.5)
            slacks.append(driver_slacks(opened, design)[design.nets.index("slow")])
    assert slacks[0] - slacks[1] == pytest.approx(0.3, abs=1e-6)
