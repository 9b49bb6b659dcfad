"""Chains of glitches on netlists whose answer is known: origin, depth, end."""

from __future__ import annotations

from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.energy import EnergyModel
from rsaxcel.flow.power.figures import glitch_chains, glitch_modules
from rsaxcel.flow.power.slews import Slews
from tests.flow.power_netlists import near, read_netlist, write_json

CYCLES = 100
CLK, C, D, A0, A1, B, N1, N2, N3, N4, N5, N6, N7, N8 = range(2, 16)
INPUTS = {"clk": CLK, "c": C, "d": D}
OUTPUTS = {"x": N5, "y": N6, "z": N8}
CELLS = {
    "u.a_reg[0]_ff": ("DFF_X1", {"CK": CLK, "D": C, "Q": A0}),
    "u.a_reg[1]_ff": ("DFF_X1", {"CK": CLK, "D": C, "Q": A1}),
    "w.b_reg_ff": ("DFF_X1", {"CK": CLK, "D": N3, "Q": B}),
    # Glitches begin in u, between two bits of a register, and run through v to another register.
    "u.g1": ("XOR2_X1", {"A": A0, "B": C, "Z": N1}),
    "v.g2": ("XOR2_X1", {"A": A1, "B": N1, "Z": N2}),
    "v.g3": ("XOR2_X1", {"A": N4, "B": N2, "Z": N3}),
    "v.g4": ("AND2_X1", {"A1": N1, "A2": A0, "ZN": N4}),
    "u.g5": ("XOR2_X1", {"A": A1, "B": C, "Z": N5}),
    # Less than a tenth of these glitches come from the gate before.
    "w.g6": ("XOR2_X1", {"A": B, "B": N4, "Z": N6}),
    # A gate masks these glitches.
    "w.g7": ("XOR2_X1", {"A": C, "B": D, "Z": N7}),
    "w.g8": ("AND2_X1", {"A1": N7, "A2": B, "ZN": N8}),
}
NAMES = {"u.n1": N1, "v.n2": N2, "v.n3": N3, "v.n4": N4, "u.n5": N5, "w.n6": N6, "w.n7": N7}
USEFUL = {C: 20, D: 10, A0: 50, A1: 50, B: 30, N4: 10}
GLITCHES = {N1: 40, N2: 60, N3: 90, N4: 5, N5: 20, N6: 60, N7: 8}


def analysed(folder, glitches):
    """Return groups, modules, and the energy of glitches in nJ."""
    path = write_json(folder, inputs=INPUTS, outputs=OUTPUTS, cells=CELLS, nets=NAMES)
    netlist = read_netlist(path, clock="clk")
    toggles = dict.fromkeys(range(2, 16), 40.0) | USEFUL | {CLK: 2.0 * CYCLES}
    useful = Activity(CYCLES, toggles, dict.fromkeys(toggles, 0.5))
    activity = useful.delayed(glitches, {}, CYCLES, 0.0)
    pins = ((x.name, pin) for x in netlist.instances for pin in x.cell.pins)
    slews = Slews(dict.fromkeys(pins, (2e-11, 2e-11)))
    energy, lower = (
        EnergyModel(netlist, slews).energy(x, period_ns=1.0) for x in (activity, useful)
    )
    more_nj = 1e9 * (energy.items.total_j - lower.items.total_j)
    found = glitch_chains(netlist, activity, energy, lower, 1.0)
    return found, glitch_modules(energy, lower, 1.0), more_nj


def test_a_known_answer(tmp_path):
    found, modules, more_nj = analysed(tmp_path, GLITCHES)
    about = ("source", "module", "begin", "end", "gates", "modules", "glitches_per_cycle")
    assert [tuple(x[name] for name in about) for x in found["glitch_chains"]] == [
        ("u.a_reg", "u", "u.n1", "w.b_reg", 3, ["u", "v"], 0.9),
        ("w.b_reg", "w", "y", "y", 1, ["w"], 0.6),
        ("c", "w", "w.n7", "w.n7", 1, ["w"], 0.08),
    ]
    for groups in (found["glitch_chains"], modules):
        assert sum(x["energy_nj"] for x in groups) == near(more_nj, rel=1e-5)
        assert sum(x["share"] for x in groups) == near(1.0, rel=1e-5)
    assert {x["module"] for x in modules} == {"u", "v", "w"}
    # Energy that a glitch costs in a register counts for the glitch.
    own_nj = sum(x["energy_nj"] for x in found["glitch_chains"][1:])
    assert 0 < own_nj < next(x["energy_nj"] for x in modules if x["module"] == "w")


def test_depth_is_weighted_by_energy(tmp_path):
    """Depth of one gate, then of two equal gates in series."""
    alone = analysed(tmp_path, {N1: 40})[0]
    assert alone["glitch_depth"] == 1
    both = analysed(tmp_path, {N1: 40, N2: 60})[0]
    first_nj = alone["glitch_chains"][0]["energy_nj"]
    both_nj = both["glitch_chains"][0]["energy_nj"]
    assert both["glitch_depth"] == near(2 - first_nj / both_nj, rel=0.05)


def test_without_glitches(tmp_path):
    assert analysed(tmp_path, {})[:2] == ({}, [])
