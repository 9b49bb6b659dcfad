"""IHP's 130 nm library: flip-flops with resets that are tied, and figures copied from its files."""

import os
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

from rsaxcel.flow.fo4 import fo4_ns
from rsaxcel.flow.gates.streams import GateSimulator
from rsaxcel.flow.gates.timed import gate_delays
from rsaxcel.flow.guesses import filled
from rsaxcel.flow.kit import Kit, resolved
from rsaxcel.flow.kit_check import check_kit
from rsaxcel.flow.layout import PLACED, Layout
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.opensta import OpenSta
from rsaxcel.flow.pdk import read_pdk
from rsaxcel.flow.physical import lef
from rsaxcel.flow.physical.array_netlist import DBU_PER_UM, read_array_netlist
from rsaxcel.flow.physical.def_file import read_places
from rsaxcel.flow.physical.embedded.static_timing import EmbeddedTimer
from rsaxcel.flow.physical.embedded.wires import wire_model
from rsaxcel.flow.physical.floorplan import CoreArea
from rsaxcel.flow.physical.power_grid import power_grid
from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.energy import EnergyModel
from rsaxcel.flow.power.liberty import NEXT
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import Slews
from rsaxcel.lab.proofs.netlists import proved_equal
from tests.flow.flow_circuits import ENABLED, STREAMS, synthesized
from tests.flow.power_netlists import near, write_json
from tests.flow.small_flow import flow, result

#: Open PDKs, laid out as their installations.
FOLDER = Path(os.environ.get("RSAXCEL_PDK", Path(__file__).resolve().parents[3] / "shared" / "pdk"))
IHP_CELLS = FOLDER / "ihp-sg13g2" / "libs.ref" / "sg13g2_stdcell"


def ihp_kit(corner: str = "typical") -> Kit:
    """Kit of IHP's SG13G2 at a corner; skips the module where there is no such PDK."""
    folder = IHP_CELLS.parents[1]
    if not folder.exists():
        pytest.skip(f"no {folder.name}: set RSAXCEL_PDK", allow_module_level=True)
    given, _ = filled(read_pdk(folder, folder.name), folder, folder)
    # as LibreLane's settings have them
    own = {"driving_cell": "sg13g2_buf_4", "port_load_ff": 6.0, "unusable": ("sg13g2_dfrbp_2",)}
    return resolved(structs.replace(given, **own), folder, folder).at(corner)


KIT = ihp_kit()
TEXT = KIT.liberty.read_text()
FF, PJ, PW, NS = 1e-15, 1e-12, 1e-12, 1e-9


@cache
def library():
    return kept_library(KIT.liberty)


def test_cells_that_are_left_alone_are_told_by_the_file():
    check_kit(KIT)
    left = {name.removeprefix("sg13g2_") for name in library().unusable(KIT.unusable)}
    for kinds in (
        "antennanp decap_4 decap_8 fill_1 fill_2 fill_4 fill_8 sighold",  # no functions
        "dlhq_1 dlhr_1 dlhrq_1 dllr_1 dllrq_1",  # latches
        "sdfbbp_1 sdfrbp_1 sdfrbp_2 sdfrbpq_1 sdfrbpq_2",  # scan
        "ebufn_2 ebufn_4 ebufn_8 einvn_2 einvn_4 einvn_8",  # tri-states
        "lgcp_1 slgcp_1",  # clock gates
        "dlygate4sd1_1 dlygate4sd2_1 dlygate4sd3_1",  # buffers that only delay
        "tiehi tielo dfrbp_2",  # by the kit
    ):
        own = set(kinds.split())
        assert own <= left
        left -= own
    assert not left


def test_truth_tables_of_the_flip_flops():
    cells = library().cells
    for name, pins in (("sg13g2_dfrbp_1", {"Q": 1, "Q_N": 0}), ("sg13g2_dfrbpq_1", {"Q": 1})):
        cell = cells[name]
        assert cell.forcing_pins == {"RESET_B": True}
        for reset_b, d in ((0, 0), (0, 1), (1, 0), (1, 1)):
            forced = cell.sequential.forced.restrict({"RESET_B": bool(reset_b), NEXT: bool(d)})
            assert int(forced.table) == reset_b & d
        for pin, value in pins.items():
            state = {"IQ": True, "IQN": False}
            assert int(cell.pins[pin].function.restrict(state).table) == value


def one_flip_flop(folder: Path) -> Netlist:
    """A flip-flop that drives two inverters; its reset comes from a tie cell."""
    cells = {
        "tie": ("sg13g2_tiehi", {"L_HI": 7}),
        "x_ff": ("sg13g2_dfrbpq_1", {"CLK": 2, "D": 3, "RESET_B": 7, "Q": 4}),
        "one": ("sg13g2_inv_1", {"A": 4, "Y": 5}),
        "two": ("sg13g2_inv_1", {"A": 4, "Y": 6}),
    }
    path = write_json(folder, inputs={"clk": 2, "d": 3}, outputs={"y": 5, "z": 6}, cells=cells)
    return Netlist.from_yosys_json(path, library(), top="top")


#: Two loads: the wire-load model 1k has 9.93 um for one, 59.59 um for five, 0.2 fF for each um.
WIRE_FF = (9.93 + (59.59 - 9.93) / 4) * 0.2
#: Capacitances of an inverter's input.
INV_RISE_FF, INV_FALL_FF = 2.9192, 2.81571


def slews_of(netlist: Netlist, slew_ns: float) -> Slews:
    both = (slew_ns * NS, slew_ns * NS)
    return Slews({(x.name, pin): both for x in netlist.instances for pin in x.cell.pins})


def test_delay_of_a_flip_flop_by_hand(tmp_path):
    """Clock's slew on the tables' first row; the load lies between 1 and 23.4 fF."""
    netlist = one_flip_flop(tmp_path)
    load_ff = max(2 * INV_RISE_FF, 2 * INV_FALL_FF) + WIRE_FF
    assert netlist.load_f[4] == near(load_ff * FF)
    part = (load_ff - 1) / 22.4
    rise = 156.308 + part * (221.619 - 156.308)
    fall = 154.252 + part * (208.924 - 154.252)
    instance = netlist.instances[1]
    pin = instance.cell.pins["Q"]
    gate = (instance, pin, pin.function)
    (delays,) = gate_delays(netlist, slews_of(netlist, 0.0186), [gate])
    assert delays.tolist() == [round(rise), round(fall)]


def test_energy_of_a_flip_flop_by_hand(tmp_path):
    """10 cycles, in which the register changes 4 times; RESET_B is 1 all the time.

    Of the groups of CLK, those with RESET_B count, by D and the state before the edge; the one
    without a condition stands for states that do not occur.
    """
    netlist = one_flip_flop(tmp_path)
    toggles = {2: 20.0, 3: 4.0, 4: 4.0, 5: 4.0, 6: 4.0, 7: 0.0}
    high = dict.fromkeys(toggles, 0.5) | {7: 1.0}
    slews = slews_of(netlist, 0.0186)
    items = EnergyModel(netlist, slews).energy(Activity(10, toggles, high), period_ns=10.0).items
    clock_pj = (
        3 * (0.0110356 + 0.0210991)  # D and Q are 1
        + 2 * (0 + 0.0206859)  # Q will rise
        + 2 * (0 + 0.0350779)  # Q will fall
        + 3 * (0.0108139 + 0.0106987)  # D and Q are 0
    )
    assert items.clock_pins_j == near(clock_pj * PJ)
    part = (max(2 * INV_RISE_FF, 2 * INV_FALL_FF) + WIRE_FF - 1) / 22.4
    q_pj = 0.0251131 + part * (0.0254725 - 0.0251131) + 0.0259578 + part * (0.0263787 - 0.0259578)
    d_pj = 0.00152046 + 0.00114937  # D changes after the edge, while CLK is 1
    assert items.internal_sequential_j == near(2 * (q_pj + d_pj) * PJ)
    # All eight states of CLK, D and Q are equally likely.
    states = (569.708, 474.049, 548.105, 593.692, 556.17, 478.464, 566.682, 559.517)
    leakage_pw = sum(states) / 8 + 58.0661 + 82.469 + 43.5374
    assert items.leakage_j == near(leakage_pw * PW * 10 * 10 * NS)


def numbers(text: str, cell: str, pin: str, table: str, related: str) -> tuple[np.ndarray, ...]:
    """Axes and values of a table, as they stand in a Liberty file."""
    found = re.search(
        rf"cell \({cell}\) .*?\n    pin \({pin}\) .*?timing \(\) {{\s+related_pin : \"{related}\";"
        rf"(?:(?!timing \(\)).)*?{table} \([^)]*\) {{(.*?)\);\s+}}",
        text,
        re.S,
    )[1]
    parts = re.split(r"values", found)
    axes = [np.array(x.split(","), float) for x in re.findall(r'index_\d \("(.*?)"\)', parts[0])]
    rows = [np.array(x.split(","), float) for x in re.findall(r'"(.*?)"', parts[1])]
    return (*axes, np.array(rows))


def at(table: tuple[np.ndarray, ...], first: float, second: float) -> float:
    """Value of a table between its points, or beyond the outermost two."""

    def weights(axis: np.ndarray, value: float) -> np.ndarray:
        low = min(max(int(np.searchsorted(axis, value, "right")) - 1, 0), len(axis) - 2)
        found = np.zeros(len(axis))
        found[low + 1] = (value - axis[low]) / (axis[low + 1] - axis[low])
        found[low] = 1 - found[low + 1]
        return found

    return float(weights(table[0], first) @ table[2] @ weights(table[1], second))


PATH = Path(__file__).with_name("path_ihp.v").read_text("utf-8")


def most_pf(text: str, cell: str, pin: str, edge: str) -> float:
    """Upper end of the range of a pin's capacitance, which late edges have."""
    before = rf"cell \({cell}\) .*?\n    pin \({pin}\) .*?{edge}_capacitance_range \("
    return float(re.search(rf"{before}\S+, (\S+)\)", text, re.S)[1])


@pytest.mark.parametrize("corner", ["slow", "typical", "fast"])
def test_a_path_by_hand(tmp_path, corner):
    """From clock to output, through an inverter, to the setup time: the file's tables alone.

    The clock is ideal, with steep edges. Wires of one load have 9.93 um: 1.986 fF, and no more than
    0.2 ps. The recovery of the tied reset is no path.
    """
    cells = {
        "tie": ("sg13g2_tiehi", {"L_HI": 7}),
        "a_reg_ff": ("sg13g2_dfrbpq_1", {"CLK": 2, "D": 3, "RESET_B": 7, "Q": 4}),
        "g0": ("sg13g2_inv_1", {"A": 4, "Y": 5}),
        "b_reg_ff": ("sg13g2_dfrbpq_1", {"CLK": 2, "D": 5, "RESET_B": 7, "Q": 6}),
    }
    names = {"a": 4, "b": 5, "tied": 7}
    ports = {"inputs": {"clk": 2, "d": 3}, "outputs": {"q": 6}}
    netlist = write_json(tmp_path, **ports, cells=cells, nets=names).with_suffix(".v")
    netlist.write_text(PATH)
    wire_pf = 9.93 * 0.2e-3
    kit = ihp_kit(corner)
    text = kit.liberty.read_text()
    needs = []
    for edge, other in (("rise", "fall"), ("fall", "rise")):
        load = most_pf(text, "sg13g2_inv_1", "A", other) + wire_pf
        launch = (text, "sg13g2_dfrbpq_1", "Q")
        clock_to_q = at(numbers(*launch, f"cell_{other}", "CLK"), 0, load)
        slew = at(numbers(*launch, f"{other}_transition", "CLK"), 0, load)
        gate = (text, "sg13g2_inv_1", "Y")
        load = most_pf(text, "sg13g2_dfrbpq_1", "D", edge) + wire_pf
        delay = at(numbers(*gate, f"cell_{edge}", "A"), slew, load)
        slew = at(numbers(*gate, f"{edge}_transition", "A"), slew, load)
        setup = f"setup_rising;(?:(?!timing).)*?{edge}_constraint"
        setup = numbers(text, "sg13g2_dfrbpq_1", "D", setup, "CLK")
        needs.append(clock_to_q + delay + at(setup, slew, 0))
    for timer in (OpenSta(), EmbeddedTimer()):
        found = timer.analyse(netlist, "top", kit, clock_ns=1.0, work_dir=tmp_path)
        assert (found.start, found.end) == ("a_reg", "b_reg")
        assert found.min_period_ns == pytest.approx(max(needs), abs=4e-4)


def test_fo4_follows_the_corner():
    slow, typical, fast = (fo4_ns(ihp_kit(x)) for x in ("slow", "typical", "fast"))
    assert fast < 0.7 * typical
    assert slow > 1.5 * typical
    # 0.4 to 0.6 ns per um of gate length is a rule of thumb; the gates are 0.13 um long.
    assert 0.4 * 0.13 < typical < 0.6 * 0.13


@pytest.fixture(scope="module")
def enabled(tmp_path_factory):
    """A register of 20 bits and one of 8, with a common enable."""
    folder = tmp_path_factory.mktemp("ihp")
    return folder, synthesized(ENABLED.format(last=19), "enabled", folder, 3.0, KIT)


def test_resets_are_tied_in_groups(enabled):
    folder, summary = enabled
    assert summary["flip_flop_count"] == 28
    assert summary["clock_gate_count"] == 0
    netlist = Netlist.from_yosys_json(folder / "netlist.json", library(), top="enabled")
    tied: dict[int, list[str]] = {}
    ties = {}
    for instance in netlist.instances:
        if instance.cell.name == "sg13g2_tiehi":
            ties[instance.nets["L_HI"]] = instance.name
        elif "RESET_B" in instance.nets:
            assert instance.cell.name == "sg13g2_dfrbpq_1"
            tied.setdefault(instance.nets["RESET_B"], []).append(instance.name)
    # The library lets an output drive 8 pins: default_max_fanout.
    assert tied.keys() == ties.keys()
    assert sorted(map(len, tied.values())) == [4, 8, 8, 8]
    # Bits of a register have a tie cell in common.
    assert {f"value_reg[{bit}]_ff" for bit in range(8)} in map(set, tied.values())


def test_a_tied_netlist_computes(tmp_path):
    verilog = STREAMS.replace("{valid}", "full_reg")
    synthesized(verilog, "unit", tmp_path, 3.0, KIT)
    netlist = Netlist.from_yosys_json(tmp_path / "netlist.json", library(), top="unit")
    assert GateSimulator(netlist).run([[5, 10, 15]]).responses == [[5, 10, 15]]
    assert proved_equal(tmp_path, "unit", KIT, library()).kept == 5


def test_geometry():
    about = lef.geometry(KIT)
    assert about.site == ("CoreSite", 960, 7560)  # 0.48 um by 3.78 um
    assert about.rails == lef.Rails("VSS", "VDD", True, "Metal1", 880)
    thin, thick = about.layers[1:5], about.layers[5:]
    assert [x.name for x in about.layers] == [
        *(f"Metal{n}" for n in range(1, 6)),
        "TopMetal1",
        "TopMetal2",
    ]
    assert {x.pitch for x in thin} == {840, 960}
    assert [x.pitch for x in thick] == [6560, 8000]
    # In the file, the pins of inverters are in other orders.
    for name in ("sg13g2_inv_1", "sg13g2_inv_4", "sg13g2_inv_16"):
        assert [pin.name for pin in about.kind(name).pins] == ["Y", "A"]


def test_metal_encloses_the_vias_of_the_power_grid():
    """Thick vias need 0.42 um and 0.5 um of metal around them, more than a wire's width gives."""
    grid = power_grid(CoreArea(20, 300, *lef.geometry(KIT).site), KIT)
    needed = {"TopVia1": 840, "TopVia2": 1000}
    assert [array.cut.layer for array in grid.arrays[-2:]] == list(needed)
    for array in grid.arrays:
        for left, low, right, high in array.cuts():
            around = min(left + array.width // 2, array.width // 2 - right)
            around = min(around, low + array.height // 2, array.height // 2 - high)
            assert around >= needed.get(array.cut.layer, 100)
    widths = {x.layer: min(x.shape[2] - x.shape[0], x.shape[3] - x.shape[1]) for x in grid.straps}
    assert widths == {"Metal1": 880, "TopMetal1": 3800, "TopMetal2": 4000}


def test_wires_by_hand():
    """Means of Metal2 and Metal3, and of Metal4 and Metal5: 0.2 um wide, 0.103 ohms per square."""
    model = wire_model(lef.geometry(KIT).layers, {}, {})
    assert model.lower_ohm_per_um == near(0.103 / 0.2)
    assert model.upper_ohm_per_um == near(0.103 / 0.2)
    edges = 2 * 0.0447, 2 * 0.0448, 2 * 0.0450, 2 * 0.0437
    areas = 0.0181 * 0.2, 0.0120 * 0.2, 0.00894 * 0.2, 0.00713 * 0.2
    assert model.signal_ff_per_um == near((sum(edges[:2]) + sum(areas[:2])) / 2)
    assert model.clock_ff_per_um == near((sum(edges[2:]) + sum(areas[2:])) / 2)
    assert (model.lower_via_ohm, model.upper_via_ohm) == (2 * 20, 4 * 20)
    others = {"Metal2": (2.5, 0.17), "Metal3": (1.5, 0.18)}
    model = wire_model(lef.geometry(KIT).layers, others, {"Via1": 2.0, "Via2": 3.0})
    assert (model.lower_ohm_per_um, model.signal_ff_per_um) == (2.0, near(0.175))
    assert (model.lower_via_ohm, model.upper_via_ohm) == (5.0, 45.0)


@pytest.mark.slow
def test_a_placed_design_keeps_hold_at_the_fast_corner(tmp_path, monkeypatch):
    """Its results are those of Python; tie cells stand among the flip-flops that they drive."""
    monkeypatch.setenv("PDK_ROOT", str(FOLDER))
    layout = Layout(stage=PLACED, utilisation=0.6)
    record, _ = flow(tmp_path, library="ihp-sg13g2", clock_ns=10.0, layout=layout)
    corners = record["corners"]
    assert set(corners) == {"slow", "typical", "fast"}
    assert all(x["hold_slack_ns"] >= 0 for x in corners.values())
    periods = [corners[x]["min_period_ns"] for x in ("fast", "typical", "slow")]
    assert periods == sorted(periods)
    assert record["min_period_ns"] == periods[-1]
    netlist = read_array_netlist(
        result(tmp_path, "wires") / "placed.json", "mulrem_r2l", lef.geometry(KIT).kinds
    )
    places = read_places(result(tmp_path, "wires") / "placed.def")
    at = dict(zip(places.names, zip(places.x, places.y, strict=True), strict=True))
    start, pins = netlist.net_pins
    reached = []
    for net in range(len(netlist.nets)):
        driver, *sinks = pins[start[net] : start[net + 1]].tolist()
        own, pin = netlist.pin_name(driver)
        if pin == "L_HI":
            assert len(sinks) <= 8
            x, y = at[own]
            ends = (at[netlist.pin_name(sink)[0]] for sink in sinks)
            reached += [abs(int(a) - int(x)) + abs(int(b) - int(y)) for a, b in ends]
    assert len(reached) == record["flip_flop_count"]
    # Eight flip-flops of 13 um by 4 um, and as much logic between them.
    assert np.mean(reached) < 60 * DBU_PER_UM
