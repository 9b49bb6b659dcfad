"""The proof of equivalence passes what repair may do, and finds and names each fault."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.equivalence import check_equivalent
from rsaxcel.flow.physical.lef import geometry
from tests.flow.physical.netlists import KIT, Netlist, library, random_netlist, small


@pytest.fixture
def compare(tmp_path):
    """Return a function that compares a changed netlist with the small one."""

    def run(changed: Netlist, copies=None) -> None:
        reference = small().design(tmp_path)
        check_equivalent(changed.design(tmp_path), reference, library(), copies)

    return run


def refused(compare, changed, copies=None) -> str:
    with pytest.raises(FlowError) as refusal:
        compare(changed, copies)
    (line,) = str(refusal.value).splitlines()
    return line


def repaired() -> tuple[Netlist, dict[str, str]]:
    """The small netlist after every kind of repair."""
    netlist = small()
    netlist.resize("nand", "NAND2_X4")
    netlist.resize("state_reg[1]", "DFF_X2")
    # A buffer before a pin, a buffer of synthesis less, and two inverters less.
    netlist.cells["new_buf"] = ("BUF_X2", {"A": "n1", "Z": "n1b"})
    netlist.move("nand", "A1", "n1b")
    del netlist.cells["buf"]
    netlist.move("nand", "A2", "a[2]")
    del netlist.cells["inv2"]
    del netlist.cells["inv1"]
    netlist.move("or", "A1", "qn")
    # Another tie cell, and an inverter in front of it.
    netlist.cells["tie2"] = ("LOGIC1_X1", {"Z": "one"})
    netlist.cells["low_again"] = ("INV_X1", {"A": "one", "ZN": "low2"})
    netlist.move("or", "A2", "low2")
    # A clock tree, a second clock gate, and a second flip-flop.
    netlist.cells["ct0"] = ("CLKBUF_X3", {"A": "clk", "Z": "c0"})
    netlist.move("state_reg[1]", "CK", "c0")
    netlist.cells["gate_copy"] = ("CLKGATE_X2", {"E": "enable", "CK": "c0", "GCK": "gated2"})
    flip_flop = {"D": "next", "CK": "gated2", "Q": "q2"}
    netlist.cells["state_copy"] = ("DFF_X1", flip_flop)
    netlist.move("top/aoi", "A", "q2")
    return netlist, {"gate_copy": "gate", "state_copy": "state_reg[0]"}


def test_what_repair_may_do_passes(compare):
    compare(small())
    compare(*repaired())


def with_buffer(kind: str, out: str) -> Netlist:
    netlist = small()
    netlist.cells["extra"] = (kind, {"A": "q", out: "q_far"})
    netlist.move("top/aoi", "A", "q_far")
    return netlist


def test_a_buffer_that_inverts_is_found(compare):
    compare(with_buffer("BUF_X1", "Z"))
    line = refused(compare, with_buffer("INV_X1", "ZN"))
    assert line == "pin A of top/aoi has the complement of its signal, behind extra (1 pin in all)"


def test_swapped_pins_are_found(compare):
    netlist = small()
    netlist.move("top/aoi", "A", "a[0]")
    netlist.move("top/aoi", "B1", "q")
    line = refused(compare, netlist)
    assert line == (
        "pin A of top/aoi is connected to port a[0] instead of Q of state_reg[0] (2 pins in all)"
    )


def test_a_swap_of_output_ports_is_found(compare):
    netlist = small()
    netlist.move("state_reg[1]", "Q", "y[1]")
    netlist.move("inv3", "ZN", "y[0]")
    assert refused(compare, netlist).startswith("pin P of y[0] is connected to Q of state_reg[0] ")


@pytest.mark.parametrize(
    ("cell", "pin", "net", "fault"),
    [
        (
            "state_copy",
            "D",
            "n1",
            "pin D of state_copy is connected to ZN of top/aoi instead of ZN",
        ),
        ("state_copy", "CK", "c0", "pin CK of state_copy is connected to port clk instead of GCK"),
        ("gate_copy", "E", "a[0]", "pin E of gate_copy is connected to port a[0] instead of port"),
    ],
)
def test_a_wrong_copy_is_found(compare, cell, pin, net, fault):
    netlist, copies = repaired()
    netlist.move(cell, pin, net)
    assert refused(compare, netlist, copies).startswith(fault)


def test_a_copy_of_another_register_is_found(compare):
    netlist, copies = repaired()
    line = refused(compare, netlist, copies | {"state_copy": "state_reg[1]"})
    assert line.startswith("pin ")
    assert "state_copy" in line or "Q of state_reg[1]" in line


@pytest.mark.parametrize(
    ("copies", "fault"),
    [
        ({}, "cell gate_copy is not in the synthesized netlist, and no buffer, inverter or listed"),
        ({"gate_copy": "gat"}, "gate_copy is a copy of gat, which is no cell of the synthesized"),
        ({"nand": "nand"}, "the copy nand is a cell of the synthesized netlist"),
    ],
)
def test_wrong_lists_of_copies_are_told(compare, copies, fault):
    assert refused(compare, repaired()[0], copies).startswith(fault)


def test_another_function_is_found(compare):
    netlist = small()
    netlist.resize("or", "AND2_X1")
    netlist.cells["or"][1]["ZN"] = "z"
    line = refused(compare, netlist)
    assert line == ("cell or has another function than in the synthesized netlist (1 cell in all)")
    netlist = small()
    netlist.cells["nand"] = ("BUF_X1", {"A": "n1", "Z": "next"})
    assert refused(compare, netlist).startswith("cell nand has another function than in the synth")


def test_another_next_state_is_found(tmp_path):
    """A library in which the strong flip-flop takes the complement of its data."""
    cells = dict(library().cells)
    own = cells["DFF_X2"]
    inverting = replace(own.sequential, next_state=~own.sequential.next_state)
    cells["DFF_X2"] = replace(own, sequential=inverting)
    other = replace(library(), cells=cells)
    netlist = small()
    netlist.resize("state_reg[1]", "DFF_X2")
    reference, design = small().design(tmp_path), netlist.design(tmp_path)
    check_equivalent(design, reference, library())
    with pytest.raises(FlowError, match=r"^cell state_reg\[1\] has another function than in the"):
        check_equivalent(design, reference, other)


def test_open_and_undriven_pins_are_found_first(compare):
    netlist = small()
    netlist.move("nand", "A1", "nothing")
    assert refused(compare, netlist) == "net nothing has no driver (1 net in all)"


def test_a_missing_cell_is_found(compare):
    netlist = small()
    del netlist.cells["top/aoi"]
    netlist.move("nand", "A1", "q")
    line = refused(compare, netlist)
    assert line == "cell top/aoi of the synthesized netlist is missing (1 cell in all)"
    netlist, copies = repaired()
    # A copy does not stand for its original.
    del netlist.cells["state_reg[0]"]
    netlist.cells["state_copy"][1]["QN"] = "qn"
    netlist.cells["inv3"][1]["A"] = "q2"
    line = refused(compare, netlist, copies)
    assert line.startswith("cell state_reg[0] of the synthesized netlist is missing")


def test_a_wrong_constant_is_found(compare):
    netlist = small()
    netlist.cells["tie"] = ("LOGIC1_X1", {"Z": "low"})
    line = refused(compare, netlist)
    assert line == "pin A2 of or has the complement of its signal (1 pin in all)"


def test_a_ring_of_buffers_is_found(compare):
    netlist = small()
    netlist.cells["b1"] = ("BUF_X1", {"A": "r2", "Z": "r1"})
    netlist.cells["b2"] = ("BUF_X1", {"A": "r1", "Z": "r2"})
    netlist.cells["b3"] = ("BUF_X1", {"A": "r2", "Z": "r3"})
    netlist.move("nand", "A1", "r3")
    line = refused(compare, netlist)
    assert line.startswith("net r")
    assert line.endswith("comes from a ring of buffers (3 nets in all)")


def sizes(kind: str) -> list[str]:
    stem = kind.rpartition("_")[0]
    return [x.name for x in geometry(KIT).kinds if x.name.rpartition("_")[0] == stem]


def random_repair(netlist: Netlist, draw: random.Random) -> dict[str, str]:
    """Resize, buffer and copy cells at random; give the copies."""
    copies = {}
    original = [*netlist.cells]
    outputs = {x.name: [p.name for p in x.pins if p.is_output] for x in geometry(KIT).kinds}
    for step in range(40):
        cell = draw.choice(original)
        kind, pins = netlist.cells[cell]
        inputs = [pin for pin in pins if pin not in outputs[kind]]
        action = draw.randrange(3)
        if action == 0:
            netlist.resize(cell, draw.choice(sizes(kind)))
        elif action == 1:
            pin = draw.choice(inputs)
            first = draw.choice((("BUF_X4", "Z"), ("INV_X2", "ZN")))
            net = pins[pin]
            for part in range(1 if first[0] == "BUF_X4" else 2):
                name = f"new{step}_{part}"
                netlist.cells[name] = (first[0], {"A": net, first[1]: f"{name}_out"})
                net = f"{name}_out"
            netlist.move(cell, pin, net)
        elif len(kind) > 7 or kind.startswith("DFF"):
            name = f"copy{step}"
            copies[name] = cell
            moved = {pin: f"{name}_{pin}" for pin in outputs[kind] if pin in pins}
            netlist.cells[name] = (kind, {**pins, **moved})
            for sink in original:
                for pin, net in netlist.cells[sink][1].items():
                    for own, new in moved.items():
                        if net == pins[own] and sink != cell and draw.randrange(2):
                            if pin not in outputs[netlist.cells[sink][0]]:
                                netlist.move(sink, pin, new)
    return copies


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_random_repairs_pass_and_a_fault_among_them_does_not(tmp_path_factory, seed):
    folder = tmp_path_factory.mktemp("netlist")
    draw = random.Random(seed)
    netlist = random_netlist(60, seed)
    reference = netlist.copy().design(folder)
    copies = random_repair(netlist, draw)
    check_equivalent(netlist.design(folder), reference, library(), copies)
    cell = draw.choice(
        [x for x, (kind, _) in netlist.cells.items() if kind[:4] in ("NAND", "AOI2")]
    )
    pins = netlist.cells[cell][1]
    pin = draw.choice([pin for pin in pins if pin != "ZN"])
    netlist.cells["fault"] = ("INV_X1", {"A": pins[pin], "ZN": "wrong"})
    netlist.move(cell, pin, "wrong")
    with pytest.raises(FlowError, match=f"pin {pin} of {cell} has the complement of .*fault"):
        check_equivalent(netlist.design(folder), reference, library(), copies)
    netlist.move(cell, pin, "clk")
    with pytest.raises(FlowError, match=f"pin {pin} of {cell} is connected to port clk"):
        check_equivalent(netlist.design(folder), reference, library(), copies)
