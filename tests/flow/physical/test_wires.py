"""Wires of ten cells: capacitance and Elmore delay by hand, layers by length, the clock."""

import numpy as np
import pytest

from rsaxcel.flow.physical.embedded.wires import Nets, WireModel, build_trees
from tests.flow.physical.measured_wires import measure_wires
from tests.flow.physical.ten_cells import NETS, UM, TenCells

ROW = list(NETS).index("core.n1[3]")


def measured(cells: TenCells, load_ff: list[float] | None = None, **model):
    pin_ff = np.zeros(len(cells.nets.px))
    first, end = cells.nets.start[ROW : ROW + 2]
    if load_ff:
        pin_ff[cells.nets.pins[first:end]] = load_ff
    wires = measure_wires(cells.nets, cells.trees, pin_ff, cells.is_clock, WireModel(**model))
    return wires, wires.delay_ns[first:end]


def test_a_net_by_hand():
    """The net is a trunk of 20 um and two branches of 10 um, which end at inputs."""
    wires, delays = measured(TenCells(), [7.0, 1.0, 1.5])
    assert wires.length_um[ROW] == 40
    assert wires.wire_ff[ROW] == pytest.approx(40 * 0.105)
    # One end of each piece is a pin, with vias of 10 ohm.
    trunk_ohm, branch_ohm = 20 * 3.57 + 10, 10 * 3.57 + 10
    trunk_ff, branch_ff = 20 * 0.105, 10 * 0.105
    behind_trunk_ff = trunk_ff / 2 + 2 * branch_ff + 1.0 + 1.5
    expected = [
        0,
        trunk_ohm * behind_trunk_ff + branch_ohm * (branch_ff / 2 + 1.0),
        trunk_ohm * behind_trunk_ff + branch_ohm * (branch_ff / 2 + 1.5),
    ]
    assert expected[1] == pytest.approx(529.6025)  # in ohm x fF = 1e-6 ns
    assert delays == pytest.approx([value * 1e-6 for value in expected])


def test_long_nets_use_upper_layers():
    cells = TenCells()
    lower, _ = measured(cells)
    _, delays = measured(cells, [0, 1.0, 1.5], long_um=40)
    trunk_ohm, branch_ohm = 20 * 1.5 + 18, 10 * 1.5 + 18
    assert delays[1] == pytest.approx((trunk_ohm * 5.65 + branch_ohm * 1.525) * 1e-6)
    upper, _ = measured(cells, long_um=40)
    assert (lower.wire_ff == upper.wire_ff).all()


def test_the_clock_has_its_own_capacitance():
    cells = TenCells()
    cells.is_clock[ROW] = True
    wires, delays = measured(cells, [0, 1.0, 1.5])
    assert wires.wire_ff[ROW] == pytest.approx(40 * 0.111)
    assert wires.wire_ff[0] == pytest.approx(30 * 0.105)
    trunk_ohm, branch_ohm = 20 * 1.5 + 18, 10 * 1.5 + 18
    behind_trunk_ff = 10 * 0.111 + 20 * 0.111 + 2.5
    expected = trunk_ohm * behind_trunk_ff + branch_ohm * (5 * 0.111 + 1.0)
    assert delays[1] == pytest.approx(expected * 1e-6)


def test_a_pin_on_the_way_does_not_delay_more_than_its_vias():
    nets = Nets([0, 3], [0, 1, 2], [0, 30 * UM, 90 * UM], [0, 0, 0])
    trees = build_trees(nets)
    wires = measure_wires(nets, trees, np.array([0, 2.0, 3.0]), np.zeros(1), WireModel())
    first_ohm, second_ohm = 30 * 3.57 + 20, 60 * 3.57 + 20
    first = first_ohm * (15 * 0.105 + 60 * 0.105 + 5.0)
    assert wires.delay_ns == pytest.approx(
        [0, first * 1e-6, (first + second_ohm * (30 * 0.105 + 3.0)) * 1e-6]
    )


def test_arrays_of_wrong_length_are_refused(tmp_path):
    cells = TenCells()
    cells.is_clock = np.zeros(3)
    with pytest.raises(ValueError, match="is_clock: 3 values, expected"):
        cells.write(tmp_path / "ten.spef")
