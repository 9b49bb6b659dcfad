"""Energies of small netlists against sums by hand from the Liberty's numbers."""

from __future__ import annotations

import pytest

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.nodes.placed_power import CELL_ENERGIES
from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.bank import Banks
from rsaxcel.flow.power.energy import (
    OperationEnergy,
    by_instance_j,
    output_energy_j,
    read_energies,
    write_energies,
)
from rsaxcel.flow.power.slews import Slews
from tests.flow.power_netlists import analyse, near, read_netlist, uniform_activity, write_json

FJ = 1e-15
#: Points of the library's slew axis, in seconds.
FAST, SLOW = 0.0171859e-9, 0.0409838e-9


def nand_netlist(folder, **wires_f):
    """One NAND2_X1 between ports: nets 2 (a1), 3 (a2), 4 (zn)."""
    path = write_json(
        folder,
        inputs={"a1": 2, "a2": 3},
        outputs={"zn": 4},
        cells={"g": ("NAND2_X1", {"A1": 2, "A2": 3, "ZN": 4})},
    )
    return read_netlist(path, **wires_f)


def flip_flop_netlist(folder, kind="DFF_X1", **wires_f):
    """One flip-flop between ports, QN open: nets 2 (clk), 3 (d), 4 (q), 5 (rn)."""
    inputs = {"clk": 2, "d": 3}
    pins = {"CK": 2, "D": 3, "Q": 4}
    if kind == "DFFR_X1":
        inputs["rn"] = 5
        pins["RN"] = 5
    path = write_json(folder, inputs=inputs, outputs={"q": 4}, cells={"u.f": (kind, pins)})
    return read_netlist(path, clock="clk", **wires_f)


def clock_gate_netlist(folder):
    """One clock gate between ports: nets 2 (clk), 3 (e), 4 (gck)."""
    path = write_json(
        folder,
        inputs={"clk": 2, "e": 3},
        outputs={"gck": 4},
        cells={"u.g": ("CLKGATE_X1", {"CK": 2, "E": 3, "GCK": 4})},
    )
    return read_netlist(path, clock="clk", gck=3.79562 * FJ)


def same_slews(instance, *pins, slew_s=FAST):
    return Slews({(instance, pin): (slew_s, slew_s) for pin in pins})


#: Rise comes from the fall of the related input and the other way round; rise slew first.
NAND_SLEWS = Slews({("g", "A1"): (SLOW, FAST), ("g", "A2"): (SLOW, FAST)})
FLIP_FLOP_SLEWS = same_slews("u.f", "CK", "D", "Q", "QN", "RN")
CLOCK_GATE_SLEWS = same_slews("u.g", "CK", "E", "GCK")


def test_nand_by_hand(tmp_path):
    """A1 toggles ten times while A2 is 1; so does ZN, which drives 3.70979 fF."""
    netlist = nand_netlist(tmp_path, zn=3.70979 * FJ)
    activity = Activity(100, {2: 10, 3: 0, 4: 10}, {2: 0.5, 3: 1.0, 4: 0.5})
    items = analyse(netlist, activity, NAND_SLEWS, period_ns=2.0).items
    # internal_power of ZN, related_pin A1, column 3.709790: rise_power in the row 0.0171859 is
    # 2.183357, fall_power in the row 0.0409838 is 0.355591; five edges of each.
    assert items.internal_combinational_j == near(5 * (2.183357 + 0.355591) * FJ)
    # C V^2 / 2 at 1.1 V: 3.70979 * 1.21 / 2 = 2.244423 per toggle.
    assert items.switching_j == near(22.44423 * FJ)
    # Pin A1 has 1.599032, the wire of one load 0.1774 * 1.7460 = 0.309740.
    assert items.input_nets_j == near(10 * (1.599032 + 0.309740) * 0.605 * FJ)
    # "!A1 & A2" leaks 24.799456 nW, "A1 & A2" 37.206389, for 100 cycles of 2 ns.
    assert items.leakage_j == near((24.799456 + 37.206389) / 2 * 1e-9 * 200e-9)
    assert items.clock_j == items.internal_sequential_j == 0.0
    assert items.total_j == near((12.69474 + 22.44423 + 11.54807 + 6.20058) * FJ)


def test_toggles_are_shared_by_cause(tmp_path):
    """A1 can cause 10 * P(A2) = 2.5 toggles, A2 30 * P(A1) = 15; ZN makes 8."""
    netlist = nand_netlist(tmp_path, zn=3.70979 * FJ)
    activity = Activity(100, {2: 10, 3: 30, 4: 8}, {2: 0.5, 3: 0.25, 4: 0.875})
    items = analyse(netlist, activity, NAND_SLEWS, period_ns=2.0).items
    # related_pin A2, column 3.709790: rise 2.872034 (row 0.0171859), fall 0.210164 (0.0409838).
    by_a1, by_a2 = (2.183357 + 0.355591) / 2, (2.872034 + 0.210164) / 2
    expected = 8 * (2.5 * by_a1 + 15 * by_a2) / 17.5
    assert items.internal_combinational_j == near(expected * FJ)


@pytest.mark.parametrize(
    ("b", "rise", "fall"),
    [
        # related_pin A, column 1.583100. B = 0: Z follows A, so a rise has the slew of A's rise
        # (row 0.0409838) and a fall that of A's fall (row 0.0171859).
        (0.0, 3.743330, 4.706561),
        # B = 1: Z moves against A.
        (1.0, 2.740166, 0.366952),
    ],
)
def test_when_condition_picks_table_and_edge(tmp_path, b, rise, fall):
    path = write_json(
        tmp_path,
        inputs={"a": 2, "b": 3},
        outputs={"z": 4},
        cells={"g": ("XOR2_X1", {"A": 2, "B": 3, "Z": 4})},
    )
    netlist = read_netlist(path, z=1.5831 * FJ)
    activity = Activity(10, {2: 6, 3: 0, 4: 6}, {2: 0.5, 3: b, 4: 0.5})
    slews = Slews({("g", "A"): (SLOW, FAST), ("g", "B"): (SLOW, FAST)})
    items = analyse(netlist, activity, slews, period_ns=1.0).items
    assert items.internal_combinational_j == near(3 * (rise + fall) * FJ)


def test_flip_flop_by_hand(tmp_path):
    """Over 100 cycles Q toggles 20 times, so D differs from Q at a fifth of the clock edges."""
    netlist = flip_flop_netlist(tmp_path, q=3.79562 * FJ)
    activity = Activity(100, {2: 200, 3: 20, 4: 20}, {2: 0.5, 3: 0.5, 4: 0.5})
    energy = analyse(netlist, activity, FLIP_FLOP_SLEWS, period_ns=1.0)
    items = energy.items
    # internal_power of CK, row 0.0171859, in 4 of 10 cycles each D = Q = 0 and D = Q = 1, in 1 of
    # 10 each D = 0, Q = 1 and the reverse, where the rise is Q's own and 0.0 here.
    rise = 0.4 * 2.419478 + 0.4 * 2.608469
    fall = 0.4 * 4.474442 + 0.4 * 4.243058 + 0.1 * 7.553889 + 0.1 * 7.510408
    assert items.clock_pins_j == near(100 * (rise + fall) * FJ)
    # Q at 3.79562 fF rises for 4.302735 and falls for 4.093420. QN, which is open, toggles too; its
    # first columns are 0.365616 and 1.88351, so at 0 fF it falls for
    # 4.352509 + 0.365616 * (4.352509 - 4.306565) / 1.517894 = 4.363576 and rises for
    # 3.961932 - 0.365616 * (4.037292 - 3.961932) / 1.517894 = 3.943780.
    outputs = 10 * (4.302735 + 4.093420 + 4.363576 + 3.943780)
    # D moves while the clock is high: rise -0.635332, fall 0.699974 at Q = 0, -0.553300 and
    # 0.659383 at Q = 1.
    data = 10 * (-0.635332 + 0.699974 - 0.553300 + 0.659383) / 2
    assert items.internal_sequential_j == near((outputs + data) * FJ, rel=1e-6)
    # Pin CK has 0.949653, the wire of one load 0.309740; two edges in a cycle.
    assert items.clock_nets_j == near(200 * (0.949653 + 0.309740) * 0.605 * FJ, rel=1e-6)
    # The mean of the eight states, which the library gives as cell_leakage_power.
    leakage_nw = (
        73.812310
        + 77.650980
        + 84.084352
        + 82.786902
        + 78.328514
        + 68.431484
        + 92.268539
        + 75.535383
    ) / 8
    assert items.leakage_j == near(leakage_nw * 1e-9 * 100e-9)
    assert energy.by_module["u"].clock_pins_j == items.clock_pins_j
    assert energy.by_module[""].clock_nets_j == items.clock_nets_j


def test_clock_gate_by_hand(tmp_path):
    """Over 100 cycles the enable is 1 in 30 and toggles 20 times: 30 pulses in ten groups."""
    netlist = clock_gate_netlist(tmp_path)
    assert netlist.clock_nets == {2, 4}
    assert netlist.gated_clocks == {4: 3}
    activity = Activity(100, {2: 200, 3: 20, 4: 60}, {2: 0.5, 3: 0.3, 4: 0.15})
    items = analyse(netlist, activity, CLOCK_GATE_SLEWS, period_ns=1.0).items
    # Row 0.0171859, load 3.795620. The pulses rise with E = 1; 20 end with it, 10 without.
    pulses = 30 * 3.361918 + 20 * 5.382529 + 10 * 6.513173
    # In 6 of 10 cycles neither E nor the latch is 1; in 1 of 10 E comes while the latch is 0.
    clock = 100 * (0.6 * (1.280451 + 3.579704) + 0.1 * 6.302373)
    # E moves while the clock is high, with the pulse on (3 of 10) or not.
    enable = 10 * (0.7 * (-0.411229 + 0.519013) + 0.3 * (-0.412666 + 0.490208))
    assert items.clock_pins_j == near((pulses + clock + enable) * FJ)
    assert items.internal_sequential_j == items.internal_combinational_j == 0.0
    # Both nets of the clock: pin CK has 1.837892 (rise), its wire 0.309740.
    charged = 200 * (1.837892 + 0.309740) + 60 * 3.79562
    assert items.clock_nets_j == near(charged * 0.605 * FJ, rel=1e-6)


def test_glitches_of_an_enable_end_no_pulse_twice(tmp_path):
    """The enable toggles 80 times around 30 pulses: at most 30 pulses end with it at 0."""
    netlist = clock_gate_netlist(tmp_path)
    activity = Activity(100, {2: 200, 3: 80, 4: 60}, {2: 0.5, 3: 0.3, 4: 0.15})
    (bank,) = Banks(netlist, CLOCK_GATE_SLEWS).under(activity)
    energy_j = output_energy_j(bank, bank.cell.pins["GCK"])
    # Row 0.0171859, load 3.795620: rise with E = 1, fall with E = 0.
    assert energy_j == near([30 * (3.361918 + 6.513173) * FJ])


def test_reset_causes_falls(tmp_path):
    """RN falls ten times, five of them while Q is 1: they cause five of Q's twenty toggles."""
    netlist = flip_flop_netlist(tmp_path, "DFFR_X1", q=3.78609 * FJ)
    activity = Activity(100, {2: 200, 3: 0, 4: 20, 5: 20}, {2: 0.5, 3: 0.0, 4: 0.5, 5: 0.9})
    (bank,) = Banks(netlist, FLIP_FLOP_SLEWS).under(activity)
    energy_j = output_energy_j(bank, bank.cell.pins["Q"])
    # Row 0.0171859, column 3.786090. By CK: rise 4.979591, fall 4.573031. By RN with D = 0: fall
    # 3.638558 while the clock is low, 5.839678 while it is high.
    clocked = 15 * (4.979591 + 4.573031) / 2
    forced = 5 * (3.638558 + 5.839678) / 2
    assert energy_j == near([(clocked + forced) * FJ])


def test_complement_output_alone_is_enough(tmp_path):
    """A flip-flop with only QN connected costs as much as one with only Q connected."""
    items = {}
    for pin, high in (("Q", 0.3), ("QN", 0.7)):
        path = write_json(
            tmp_path,
            inputs={"clk": 2, "d": 3},
            outputs={"out": 4},
            cells={"u.f": ("DFF_X1", {"CK": 2, "D": 3, pin: 4})},
        )
        netlist = read_netlist(path, clock="clk", out=0.0)
        activity = Activity(100, {2: 200, 3: 20, 4: 20}, {2: 0.5, 3: 0.3, 4: high})
        items[pin] = analyse(netlist, activity, FLIP_FLOP_SLEWS, period_ns=1.0).items
    assert items["Q"].total_j == near(items["QN"].total_j)
    assert items["Q"].leakage_j == near(items["QN"].leakage_j)


def test_buffered_clock_is_a_clock_net(tmp_path):
    """The net driven by a clock buffer counts as a clock net."""
    path = write_json(
        tmp_path,
        inputs={"clk": 2, "d": 3},
        outputs={"q": 4},
        cells={"b": ("CLKBUF_X1", {"A": 2, "Z": 5}), "f": ("DFF_X1", {"CK": 5, "D": 3, "Q": 4})},
        nets={"clk_b": 5},
    )
    netlist = read_netlist(path, clock="clk", clk=1.0 * FJ, clk_b=2.0 * FJ)
    assert netlist.clock_nets == {2, 5}
    activity = uniform_activity(netlist, toggles_per_cycle=0.0, cycles=50)
    slews = Slews({(c, p): (0.0, 0.0) for c in "bf" for p in ("A", "Z", "CK", "D", "Q", "QN")})
    items = analyse(netlist, activity, slews, period_ns=1.0).items
    # CLKBUF_X1's pin A has 0.779830, DFF_X1's CK 0.949653; the wires are given.
    capacitance = 0.779830 + 1.0 + 0.949653 + 2.0
    assert items.clock_nets_j == near(100 * capacitance * 0.605 * FJ, rel=1e-5)
    assert items.switching_j == 0.0


def test_constants_do_not_toggle(tmp_path):
    """A NAND with A2 tied high is an inverter, with A2 tied low it only leaks."""
    for constant, leakage_nw in (
        ("1", (24.799456 + 37.206389) / 2),
        ("0", (3.482556 + 4.085038) / 2),
    ):
        path = write_json(
            tmp_path,
            inputs={"a1": 2},
            outputs={"zn": 4},
            cells={"g": ("NAND2_X1", {"A1": 2, "A2": constant, "ZN": 4})},
        )
        activity = Activity(1, {2: 0, 4: 0}, {2: 0.5, 4: 0.5})
        items = analyse(read_netlist(path), activity, NAND_SLEWS, period_ns=1.0).items
        assert items.total_j == near(leakage_nw * 1e-18)


def test_energies_of_cells_are_kept_in_the_order_of_their_names(tmp_path):
    """Two gates: each has its own energy and that of the net it drives."""
    cells = {"z.g": ("NAND2_X1", {"A1": 2, "A2": 3, "ZN": 4}), "a.g": ("INV_X1", {"A": 4, "ZN": 5})}
    path = write_json(tmp_path, inputs={"a1": 2, "a2": 3}, outputs={"y": 5}, cells=cells)
    netlist = read_netlist(path, y=2 * FJ)
    slews = Slews(
        {(name, pin): (FAST, FAST) for name, pin in (("z.g", "A1"), ("z.g", "A2"), ("a.g", "A"))}
    )
    toggles = {2: 10.0, 3: 0.0, 4: 14.0, 5: 14.0}
    high = {2: 0.5, 3: 1.0, 4: 0.5, 5: 0.5}
    activity = Activity(100, toggles, high, glitches={4: 4.0, 5: 4.0})
    energy = analyse(netlist, activity, slews, period_ns=2.0)
    lower = analyse(netlist, activity.useful, slews, period_ns=2.0)
    own = by_instance_j(netlist, activity, energy)
    assert own.sum() == near(energy.items.total_j - energy.items.input_nets_j)
    # C V^2 / 2 at 1.1 V of the output net, in its driver.
    assert own[1] - energy.by_cell["a.g"] == near(14 * netlist.load_f[5] * 1.21 / 2)
    kept = tmp_path / CELL_ENERGIES
    write_energies(kept, {"encrypt": OperationEnergy(netlist, activity, energy, lower, 5)})
    found = read_energies(kept, ["z.g", "a.g"])["encrypt"]
    assert found.energy_nj.tolist() == near((1e9 / 5 * own).tolist())
    assert found.glitch_nj is not None
    lost = energy.items.total_j - lower.items.total_j
    assert found.glitch_nj.sum() == near(1e9 / 5 * lost)
    assert read_energies(kept, ["a.g", "z.g"])["encrypt"].energy_nj.tolist() == near(
        (1e9 / 5 * own[::-1]).tolist()
    )
    with pytest.raises(FlowError, match="of another netlist: it has not 3 cells"):
        read_energies(kept, ["a", "b", "c"])
    write_energies(kept, {"encrypt": OperationEnergy(netlist, activity.useful, lower, None, 5)})
    assert read_energies(kept, ["z.g", "a.g"])["encrypt"].glitch_nj is None
