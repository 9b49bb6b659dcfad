"""Checks of a layout find each planted fault, and name it."""

import numpy as np
import pytest

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.array_netlist import FN, FS, PORT_KINDS, ArrayNetlist, N, S
from rsaxcel.flow.physical.checks import (
    check_at_most,
    check_clock,
    check_connections,
    check_placement,
)
from rsaxcel.flow.physical.floorplan import CoreArea, fill_gaps, fixed_cells, make_core
from rsaxcel.flow.physical.lef import geometry
from rsaxcel.flow.physical.ports import spread_ports
from tests.flow.physical.netlists import KIT, library, random_netlist, small
from tests.flow.physical.placements import place


@pytest.fixture
def layout(tmp_path):
    """Legal layout: design, core, taps."""
    design = random_netlist(120, 3).design(tmp_path)
    core = make_core(design, KIT, 0.6)
    fixed = fixed_cells(core, KIT)
    place(design, core, fixed)
    spread_ports(design, core, KIT)
    check_placement(design, core, [fixed, fill_gaps(design, core, KIT, fixed)])
    return design, core, fixed


def refused(check, *arguments) -> str:
    with pytest.raises(FlowError) as refusal:
        check(*arguments)
    (line,) = str(refusal.value).splitlines()
    return line


def put_beside(design, one, two, distance):
    """Put a cell into the row of another one, at a distance from its left edge."""
    design.y[one], design.orient[one] = design.y[two], design.orient[two]
    design.x[one] = design.x[two] + distance


def test_overlap_is_found(layout):
    design, core, fixed = layout
    wide = next(at for at in range(50, 120) if design.width[at] >= design.width[7])
    put_beside(design, 7, wide, 0)
    line = refused(check_placement, design, core, [fixed])
    assert line.startswith(f"cell u7 overlaps u{wide} from (")
    assert line.endswith("(1 overlap in all)")


def test_cells_upon_a_wide_one_are_found():
    """The second narrow cell overlaps the wide one, which is not its neighbour."""
    by_name = {kind.name: kind for kind in geometry(KIT).kinds}
    used = by_name["INV_X1"], by_name["DFF_X1"]
    design = ArrayNetlist(
        "top",
        (*used, *PORT_KINDS),
        ["inv1", "wide", "inv2"],
        [],
        np.array([0, 1, 0], np.int32),
        np.full(8, -1, np.int32),
        np.array([380, 0, 12 * 380], np.int32),
        np.full(3, 2800, np.int32),
        np.full(3, FS, np.uint8),
    )
    core = CoreArea(4, 40, *geometry(KIT).site)
    line = refused(check_placement, design, core)
    assert line == "cell inv1 overlaps wide from (0.19, 1.4) um (2 overlaps in all)"
    design.x[0] = 20 * 380
    line = refused(check_placement, design, core)
    assert line == "cell wide overlaps inv2 from (2.28, 1.4) um (1 overlap in all)"
    design.x[2] = 16 * 380
    assert refused(check_placement, design, core).endswith("(1 overlap in all)")
    design.x[2] = 17 * 380
    check_placement(design, core)


def test_overlap_with_a_tap_is_found(layout):
    design, core, fixed = layout
    left, row = int(fixed.x[1]), int(fixed.y[1])
    design.x[5], design.y[5], design.orient[5] = left, row, fixed.orient[1]
    line = refused(check_placement, design, core, [fixed])
    assert line.startswith(
        f"cell u5 overlaps WELLTAP_X1 at ({left / 2000:g}, {row / 2000:g}) um from "
    )


@pytest.mark.parametrize(
    ("fault", "what"),
    [
        (lambda d, c: d.x.__setitem__(7, d.x[7] + 190), "lies off its site"),
        (lambda d, c: d.y.__setitem__(7, d.y[7] + 1400), "lies off its row"),
        (lambda d, c: d.x.__setitem__(7, c.width - 100), "lies outside the core"),
        (lambda d, c: d.x.__setitem__(7, -380), "lies outside the core"),
        (lambda d, c: d.y.__setitem__(7, -2800), "lies outside the core"),
        (lambda d, c: d.y.__setitem__(7, c.height - 1400), "lies outside the core"),
        (lambda d, c: d.orient.__setitem__(7, d.orient[7] ^ 1), "has the wrong orientation"),
    ],
    ids=["site", "row", "right", "left", "below", "above", "orientation"],
)
def test_a_cell_in_a_wrong_place_is_found(layout, fault, what):
    design, core, fixed = layout
    design.y[7] = min(design.y[7], (core.rows - 2) * core.row_height)
    fault(design, core)
    line = refused(check_placement, design, core, [fixed])
    assert line.startswith(f"cell u7 {what}")
    assert line.endswith("(1 cell in all)")


def test_both_orientations_of_a_row_are_right(layout):
    design, core, fixed = layout
    cells = ~design.is_port
    design.orient[cells] = np.array([FN, S, FS, N], np.uint8)[design.orient[cells]]
    check_placement(design, core, [fixed])


def test_faults_are_counted(layout):
    design, core, fixed = layout
    design.x[[3, 9, 30]] += 1
    line = refused(check_placement, design, core, [fixed])
    assert line.startswith("cell u3 lies off its site at (")
    assert line.endswith("(3 cells in all)")


def test_a_port_off_the_boundary_is_found(layout):
    design, core, fixed = layout
    port = design.names.index("a[2]")
    design.x[port], design.y[port] = 1000, 2000
    line = refused(check_placement, design, core, [fixed])
    assert line == "port a[2] is not on the core's boundary, but at (0.5, 1) um (1 port in all)"


def test_two_ports_in_one_place_are_found(layout):
    design, core, fixed = layout
    one, two = design.names.index("a[2]"), design.names.index("y[1]")
    design.x[one], design.y[one] = design.x[two], design.y[two]
    line = refused(check_placement, design, core, [fixed])
    assert line == "ports a[2] and y[1] have one place (1 port in all)"


def test_an_open_input_is_found(tmp_path):
    netlist = small()
    del netlist.cells["nand"][1]["A2"]
    netlist.move("buf", "Z", "unused")
    line = refused(check_connections, netlist.design(tmp_path))
    assert line == "input pin A2 of nand is not connected (1 pin in all)"


def test_a_net_without_a_driver_is_found(tmp_path):
    netlist = small()
    netlist.move("nand", "A2", "nothing")
    line = refused(check_connections, netlist.design(tmp_path))
    assert line == "net nothing has no driver (1 net in all)"


def test_a_net_with_two_drivers_is_found(tmp_path):
    netlist = small()
    netlist.move("buf", "Z", "n1")
    netlist.move("nand", "A2", "q")
    line = refused(check_connections, netlist.design(tmp_path))
    assert line == "net n1 has several drivers (1 net in all)"


def clocked():
    """The small netlist with a clock tree: a buffer, and two inverters before the gate."""
    netlist = small()
    netlist.cells["root"] = ("CLKBUF_X3", {"A": "clk", "Z": "c0"})
    netlist.cells["ci1"] = ("INV_X4", {"A": "c0", "ZN": "c1"})
    netlist.cells["ci2"] = ("INV_X4", {"A": "c1", "ZN": "c2"})
    netlist.cells["leaf"] = ("CLKBUF_X1", {"A": "gated", "Z": "c3"})
    netlist.move("gate", "CK", "c2")
    netlist.move("state_reg[0]", "CK", "c3")
    netlist.move("state_reg[1]", "CK", "c0")
    return netlist


def test_the_clock_reaches_flip_flops_behind_buffers_and_gates(tmp_path):
    assert check_clock(small().design(tmp_path), "clk", library()) == 2
    assert check_clock(clocked().design(tmp_path), "clk", library()) == 2


@pytest.mark.parametrize(
    ("cell", "net", "fault"),
    [
        ("state_reg[1]", "enable", "clock pin CK of state_reg[1] is not reached by the clock"),
        ("gate", "a[0]", "clock pin CK of gate is not reached by the clock"),
        ("state_reg[1]", "c1", "clock pin CK of state_reg[1] gets the inverted clock"),
        ("state_reg[0]", "n1", "clock pin CK of state_reg[0] is not reached by the clock"),
    ],
)
def test_a_sink_that_the_clock_does_not_reach_is_found(tmp_path, cell, net, fault):
    netlist = clocked()
    netlist.move(cell, "CK", net)
    count = 2 if cell == "gate" else 1
    line = refused(check_clock, netlist.design(tmp_path), "clk", library())
    assert line == f"{fault} ({count} pin{'s' if count > 1 else ''} in all)"


def test_a_ring_of_clock_buffers_is_found(tmp_path):
    netlist = clocked()
    netlist.cells["back"] = ("CLKBUF_X1", {"A": "c3", "Z": "c4"})
    netlist.move("leaf", "A", "c4")
    line = refused(check_clock, netlist.design(tmp_path), "clk", library())
    assert line in {
        f"net {net} comes from a ring of buffers (2 nets in all)" for net in ("c3", "c4")
    }


def test_a_missing_clock_port_is_told(tmp_path):
    line = refused(check_clock, small().design(tmp_path), "clock", library())
    assert line == "there is no port clock for the clock"


def test_the_value_farthest_above_its_limit_is_named():
    names, loads, limits = ["n1", "n2", "n3"], np.array([50.0, 70.0, 100.0]), [60, 60, 95]
    line = refused(check_at_most, "load of net", names, loads, np.array(limits), "fF")
    assert line == "load of net n2 is 70 fF, and at most 60 fF is allowed (2 in all)"
    check_at_most("load of net", names, loads, 100.0, "fF")
    line = refused(check_at_most, "slew of", names, np.array([0.1, np.nan, 0.2]), 0.3, "ns")
    assert line == "slew of n2 is nan ns, and at most 0.3 ns is allowed (1 in all)"
