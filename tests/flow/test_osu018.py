"""The 180 nm library: kit, usable cells, units, functions, delays, and a whole flow."""

import itertools
import re
import sys
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from rsaxcel.flow import libraries
from rsaxcel.flow.fo4 import fo4_ns
from rsaxcel.flow.gates.streams import GateSimulator
from rsaxcel.flow.libraries import find_kit
from rsaxcel.flow.opensta import OpenSta
from rsaxcel.flow.physical.embedded.static_timing import EmbeddedTimer
from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.energy import EnergyModel
from rsaxcel.flow.power.liberty import FALL, RISE
from rsaxcel.flow.power.liberty_reader import read_liberty
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import Slews
from rsaxcel.store.errors import SetupError
from tests.flow.flow_circuits import KIT as KIT_45
from tests.flow.flow_circuits import STREAMS, synthesized
from tests.flow.opensta_scripts import run_opensta
from tests.flow.power_netlists import near, uniform_activity, write_json
from tests.flow.small_flow import flow, result
from tests.shared.harness import built_once

pytestmark = built_once("osu018", 8)

try:
    KIT = find_kit("osu018")
except SetupError as missing:
    pytest.skip(str(missing), allow_module_level=True)
TEXT = KIT.liberty.read_text()
CLOCK_NS = 10.0
FF, NW, NS, FJ = 1e-15, 1e-9, 1e-9, 1e-15


@cache
def library():
    return read_liberty(KIT.liberty)


def cell_texts() -> dict[str, str]:
    """Text of each cell of the Liberty file."""
    parts = re.split(r"^cell \((\w+)\)", TEXT, flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def usable() -> set[str]:
    return {x for x in cell_texts() if not any(fnmatch(x, pattern) for pattern in KIT.unusable)}


def test_what_the_kit_says():
    assert KIT.corner == "typical, 1.80 V, 25 C"
    assert KIT.port_load_ff == 37.0  # 0.037 pF
    assert (KIT.tie_high, KIT.tie_low) == (None, None)
    assert KIT_45.tie_high == ("LOGIC1_X1", "Z")
    assert KIT.driving_cell in usable()


def test_what_its_notes_say_is_so():
    assert "wire_load" not in TEXT
    assert "clock_gating_integrated_cell" not in TEXT
    assert not re.search(r"leakage_power\s*\(", TEXT)
    values = re.findall(r"(?:rise|fall)_power.*?values \((.*?)\);", TEXT, re.S)
    assert len(values) > 100
    assert not any("-" in numbers for numbers in values)
    for word in ("wire-load", "clock gates", "signs", "leakage"):
        assert any(word in note for note in KIT.notes)


def test_latches_tri_states_and_other_flip_flops_are_not_usable():
    texts = cell_texts()
    assert len(texts) == 32
    others = r"\blatch \(|three_state :|clear :|preset :|clocked_on : \"\(!"
    left_out = {name for name, text in texts.items() if re.search(others, text)}
    assert left_out == {"LATCH", "TBUFX1", "TBUFX2", "DFFSR", "DFFNEGX1"}
    clock_buffers = {name for name in texts if name.startswith("CLKBUF")}
    assert set(texts) - usable() == left_out | clock_buffers
    assert [name for name in usable() if "clocked_on" in texts[name]] == ["DFFPOSX1"]


def test_library_figures():
    """Figures copied by hand from the file; its units are 1 ns, 1 pF, 1 nW, 1 V: energies in pJ."""
    lib = library()
    assert lib.nominal_v == near(1.8)
    assert lib.wire_load is None
    inverter = lib.cells["INVX1"]
    assert inverter.area_um2 == near(16)  # 1.6 um by 10 um in the LEF file
    assert inverter.leakage_w == near(0.0221741 * NW)
    assert inverter.pins["A"].rise_capacitance_f == near(9.32196 * FF)
    assert inverter.pins["A"].fall_capacitance_f == near(9.32456 * FF)
    (power,) = inverter.pins["Y"].internal_powers
    slew, load = np.array([0.18 * NS]), np.array([25 * FF])
    assert power.energy_j(RISE, slew, load) == near([27.52 * FJ])
    assert power.energy_j(FALL, slew, load) == near([6.332 * FJ])
    flip_flop = lib.cells["DFFPOSX1"]
    assert flip_flop.sequential.kind == "ff"
    assert flip_flop.sequential.clock.pins == ("CLK",)
    assert flip_flop.pins["CLK"].clock
    assert lib.cells["LATCH"].sequential.kind == "latch"
    assert not any(cell.clock_gate for cell in lib.cells.values())


_PRIMITIVES = {
    "and": all,
    "or": any,
    "xor": lambda x: sum(x) % 2,
    "buf": lambda x: x[0],
    "not": lambda x: not x[0],
    "nand": lambda x: not all(x),
    "nor": lambda x: not any(x),
    "xnor": lambda x: not sum(x) % 2,
    "udp_mux2": lambda x: x[1] if x[2] else x[0],
}


def test_functions_are_those_of_the_verilog_models():
    """Functions of cells equal those of the package's Verilog models."""
    text = KIT.liberty.with_suffix(".v").read_text()
    checked = 0
    for name, model in re.findall(r"^module (\w+)(.*?)^endmodule", text, re.M | re.S):
        gates = [
            (kind, *pins.split(", "))
            for kind, pins in re.findall(r"^ +(\w+) +\(([^)]*)\);", model, re.M)
        ]
        if not gates or any(kind not in _PRIMITIVES for kind, *_ in gates):
            continue
        cell = library().cells[name]
        inputs = [pin.name for pin in cell.inputs]
        for values in itertools.product((False, True), repeat=len(inputs)):
            nets = dict(zip(inputs, values, strict=True))
            for kind, output, *operands in gates:
                nets[output] = bool(_PRIMITIVES[kind]([nets[x] for x in operands]))
            for pin in cell.outputs:
                assert bool(pin.function.restrict(nets).table) == nets[pin.name], name
        checked += 1
    # All cells except flip-flops, latch and tri-state buffers.
    assert checked == len(library().cells) - 6


def test_energy_of_an_inverter_and_a_flip_flop_by_hand(tmp_path):
    """Slews on the tables' first row, 0.06 ns; 10 cycles, in which d and q toggle 4 times."""
    cells = {
        "inverter": ("INVX1", {"A": 3, "Y": 4}),
        "flip_flop": ("DFFPOSX1", {"CLK": 2, "D": 4, "Q": 5}),
    }
    path = write_json(tmp_path, inputs={"clk": 2, "d": 3}, outputs={"q": 5}, cells=cells)
    netlist = Netlist.from_yosys_json(path, library(), top="top")
    toggles = {2: 20.0, 3: 4.0, 4: 4.0, 5: 4.0}
    pins = ((name, pin) for name, (_, nets) in cells.items() for pin in nets)
    slews = Slews({pin: (0.06 * NS, 0.06 * NS) for pin in pins})
    activity = Activity(10, toggles, dict.fromkeys(toggles, 0.5))
    items = EnergyModel(netlist, slews).energy(activity, period_ns=CLOCK_NS).items
    # The inverter drives 8.82947 fF, between the points 5 and 12.5; q drives 0, below them.
    part = (8.82947 - 5) / 7.5
    inverter = (23.555 + part * (23.165 - 23.555) + 9.213 + part * (9.047 - 9.213)) / 2
    q = (40.752 - 5 / 7.5 * (41.217 - 40.752) + 64.773 - 5 / 7.5 * (63.395 - 64.773)) / 2
    d = (45.424 + 88.41) / 2
    assert items.internal_combinational_j == near(4 * inverter * FJ)
    assert items.internal_sequential_j == near(4 * (d + q) * FJ)
    assert items.clock_pins_j == near(10 * (6.865 + 110.34) * FJ)
    assert items.clock_nets_j == near(20 * 27.9235 * 1.8**2 / 2 * FJ)
    assert items.switching_j == near(4 * 8.82947 * 1.8**2 / 2 * FJ)
    assert items.input_nets_j == near(4 * 9.32456 * 1.8**2 / 2 * FJ)
    assert items.leakage_j == near((0.0221741 + 0.160725) * NW * 10 * CLOCK_NS * NS)


def test_gates_are_as_slow_as_180_nm_makes_them():
    """Rule of thumb: an FO4 delay is 0.4 to 0.6 ns per micrometre of gate length."""
    assert 0.4 * 0.18 < fo4_ns(KIT) < 0.6 * 0.18
    assert 3.5 < fo4_ns(KIT) / fo4_ns(KIT_45) < 5


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    directory = tmp_path_factory.mktemp("osu018")
    return directory, flow(directory, library="osu018", clock_ns=CLOCK_NS)[0]


def netlist_of(directory: Path) -> Netlist:
    path = result(directory, "synthesis") / "netlist.json"
    return Netlist.from_yosys_json(path, library(), top="mulrem_r2l")


def test_a_design_goes_through_the_whole_flow(finished):
    """The flow also checks the netlist's results against Python's."""
    directory, record = finished
    assert record["library"] == "osu018"
    assert record["corner"] == KIT.corner
    assert record["notes"] == list(KIT.notes)
    assert record["clock_gate_count"] == 0
    cells = [instance.cell.name for instance in netlist_of(directory).instances]
    assert set(cells) <= usable()
    assert cells.count("DFFPOSX1") == record["flip_flop_count"] > 50
    texts = cell_texts()
    areas = (float(re.search(r"area : ([\d.]+)", texts[x])[1]) for x in cells)
    assert record["area_um2"] == pytest.approx(sum(areas))
    for operation in record["operations"].values():
        parts = [operation[f"{part}_mw"] for part in ("switching", "internal", "clock", "leakage")]
        assert min(parts) > 0
        assert operation["power_mw"] == pytest.approx(sum(parts))
    # Without clock gates each flip-flop takes its clock pin's energies, and the charge of its
    # capacitance, in every cycle; the ideal clock has steep edges.
    clock_mw = record["flip_flop_count"] * (27.9235 * 1.8**2 + 110 + 7) * FJ / (CLOCK_NS * NS) * 1e3
    for operation in record["operations"].values():
        assert operation["clock_mw"] == pytest.approx(clock_mw, rel=0.05)


SCRIPT = Path(__file__).with_name("osu018.tcl").read_text("utf-8")


@pytest.fixture(scope="module")
def opensta(finished, tmp_path_factory):
    """Output of OpenSTA, in the library's own units."""
    netlist = result(finished[0], "synthesis") / "netlist.v"
    folder = tmp_path_factory.mktemp("opensta")

    def run(period: float) -> str:
        script = SCRIPT.format(liberty=KIT.liberty, netlist=netlist, period=period)
        return run_opensta(script, folder)

    return run


def test_the_smallest_period_is_in_nanoseconds(finished, opensta):
    period = finished[1]["min_period_ns"]
    assert 15 * 0.1 < period < CLOCK_NS
    for change, sign in ((0.001, 1), (-0.001, -1)):
        slack = float(re.search(r"slack (\S+)", opensta(period + change))[1])
        assert slack * sign > 0


def test_the_embedded_timer_is_opensta_where_wires_have_no_resistance(finished, tmp_path):
    """Both take the library's tables alone: the same figures, and the same path."""
    netlist = result(finished[0], "synthesis") / "netlist.v"
    ours, theirs = (
        timer.analyse(
            netlist,
            "mulrem_r2l",
            KIT,
            clock_ns=CLOCK_NS,
            work_dir=tmp_path,
            slews=tmp_path / "slews.txt",
        )
        for timer in (EmbeddedTimer(), OpenSta())
    )
    assert ours.min_period_ns == near(theirs.min_period_ns, rel=2e-6)
    assert ours.ends["slacks"]["ends"] == theirs.ends["slacks"]["ends"]
    names = ("load_ff", "slew_ns", "delay_ns", "time_ns")
    for mine, other in zip(ours.ends["path"], theirs.ends["path"], strict=True):
        assert (mine["cell"], mine["edge"]) == (other["cell"], other["edge"])
        assert [mine[x] for x in names] == pytest.approx([other[x] for x in names], abs=2e-4)


def test_switching_and_leakage_agree_with_opensta(finished, opensta):
    directory, _ = finished
    netlist = netlist_of(directory)
    slews = Slews.from_file(result(directory, "timing") / "slews.txt")
    activity = uniform_activity(netlist, toggles_per_cycle=0.1)
    power_mw = EnergyModel(netlist, slews).energy(activity, period_ns=CLOCK_NS).items_mw()
    total = re.search(r"^Total (.*)", opensta(CLOCK_NS), re.M)[1].split()
    _, switching_w, leakage_w = (float(number) for number in total[:3])
    assert switching_w > 0
    assert leakage_w > 0
    assert power_mw["leakage_mw"] == near(leakage_w * 1e3, rel=1e-4)
    # OpenSTA also counts the loads of output ports, which the netlist does not have.
    outputs = [
        bit
        for name, way in netlist.directions.items()
        if way == "output"
        for bit in netlist.ports[name]
        if bit in netlist.drivers
    ]
    ports_mw = len(outputs) * 37 * FF * 1.8**2 / 2 * 0.1 / (CLOCK_NS * NS) * 1e3
    assert power_mw["switching_mw"] + ports_mw == near(switching_w * 1e3, rel=1e-4)


def test_constants_need_no_cells(tmp_path):
    verilog = STREAMS.replace("{valid}", "full_reg")
    verilog = verilog.replace("send__msg = value_reg", "send__msg = {1'b1, value_reg[2:1], 1'b0}")
    summary = synthesized(verilog, "unit", tmp_path, CLOCK_NS, KIT)
    assert summary["flip_flop_count"] == 3
    netlist = Netlist.from_yosys_json(tmp_path / "netlist.json", library(), top="unit")
    assert netlist.ports["send__msg"][0] == "0"
    assert netlist.ports["send__msg"][3] == "1"
    assert GateSimulator(netlist).run([[5, 10, 15]]).responses == [[12, 10, 14]]


def test_a_missing_package_is_named(tmp_path, monkeypatch):
    # Forget results that other tests of this process have cached.
    libraries._found.cache_clear()
    monkeypatch.setattr(libraries, "_QFLOW", tmp_path / "absent")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    with pytest.raises(SetupError) as refusal:
        flow(tmp_path, library="osu018")
    told = str(refusal.value)
    assert told.startswith(f"osu018's cells ({tmp_path}/absent/osu018) are missing; install them")
    assert "qflow" in told
