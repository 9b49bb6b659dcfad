"""A clock tree in the netlist: buffers before and behind clock gates, wires, skew, energy."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.gates.streams import GateSimulator
from rsaxcel.flow.gates.timed import gate_delays
from rsaxcel.flow.physical.placed import clock_area_um2, overloaded, read_placed, write_delays
from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.figures import parts_j
from rsaxcel.flow.power.liberty import FALL, RISE
from rsaxcel.flow.power.netlist import ClockBranch, Instance, Netlist
from rsaxcel.flow.power.slews import Slews
from tests.flow.flow_circuits import KIT, library
from tests.flow.power_netlists import analyse, near, read_netlist, write_json
from tests.flow.timed_netlists import Cells, random_netlist, random_requests

FJ, PS = 1e-15, 1e-12
CLK, EN, DATA, ROOT, GATED, LEAF, MIDDLE, OUT = range(2, 10)
#: clk - root buffer - flip-flop r0, and - clock gate - leaf buffer - flip-flop r1.
CELLS = {
    "root": ("CLKBUF_X2", {"A": CLK, "Z": ROOT}),
    "gate": ("CLKGATE_X1", {"CK": ROOT, "E": EN, "GCK": GATED}),
    "leaf": ("CLKBUF_X1", {"A": GATED, "Z": LEAF}),
    "r0": ("DFF_X1", {"CK": ROOT, "D": DATA, "Q": MIDDLE}),
    "r1": ("DFF_X1", {"CK": LEAF, "D": MIDDLE, "Q": OUT}),
}
WIRES = {"clk": 1.0, "root": 3.0, "gated": 2.0, "leaf": 4.0, "middle": 5.0, "out": 6.0}
SLEW_S = 10 * PS


def tree(folder, cells=CELLS, **wires_ff: float) -> Netlist:
    path = write_json(
        folder,
        inputs={"clk": CLK, "en": EN, "d": DATA},
        outputs={"out": OUT},
        cells=cells,
        nets={"root": ROOT, "gated": GATED, "leaf": LEAF, "middle": MIDDLE},
    )
    return read_netlist(path, clock="clk", **{k: x * FJ for k, x in wires_ff.items()})


def slews_of(netlist: Netlist) -> Slews:
    pins = ((x.name, pin) for x in netlist.instances for pin in x.cell.pins)
    return Slews(dict.fromkeys(pins, (SLEW_S, SLEW_S)))


def test_a_net_behind_a_gate_and_a_buffer_is_gated(tmp_path):
    netlist = tree(tmp_path)
    assert netlist.clock_nets == {CLK, ROOT, GATED, LEAF}
    assert netlist.gated_clocks == {GATED: EN, LEAF: EN}
    gated = ClockBranch((EN,))
    free = ClockBranch()
    assert netlist.clock_branches == {CLK: free, ROOT: free, GATED: gated, LEAF: gated}


def test_inverters_turn_the_clock_and_turn_it_back(tmp_path):
    cells = CELLS | {
        "root": ("INV_X2", {"A": CLK, "ZN": ROOT}),
        "leaf": ("INV_X2", {"A": GATED, "ZN": LEAF}),
    }
    branches = tree(tmp_path, cells).clock_branches
    assert [branches[x].inverted for x in (CLK, ROOT, GATED, LEAF)] == [False, True, True, False]


def test_the_energy_of_the_tree_is_the_clock_s(tmp_path):
    """The enable is 1 in 30 of 100 cycles: root pulses 100 times, gate and leaf pulse 30 times."""
    netlist = tree(tmp_path, **WIRES)
    toggles = {CLK: 200, ROOT: 200, GATED: 60, LEAF: 60, EN: 20, DATA: 20, MIDDLE: 20, OUT: 10}
    high = {CLK: 0.5, ROOT: 0.5, GATED: 0.15, LEAF: 0.15, EN: 0.3, DATA: 0.5, MIDDLE: 0.5, OUT: 0.5}
    energy = analyse(netlist, Activity(100, toggles, high), slews_of(netlist), period_ns=1.0)
    items = energy.items
    cells = library().cells

    def pin_f(kind: str, pin: str) -> float:
        found = cells[kind].pins[pin]
        return max(found.rise_capacitance_f, found.fall_capacitance_f)

    flip_flop_f = pin_f("DFF_X1", "CK")
    loads_f = {
        CLK: 1.0 * FJ + pin_f("CLKBUF_X2", "A"),
        ROOT: 3.0 * FJ + pin_f("CLKGATE_X1", "CK") + flip_flop_f,
        GATED: 2.0 * FJ + pin_f("CLKBUF_X1", "A"),
        LEAF: 4.0 * FJ + flip_flop_f,
    }
    charged = sum(toggles[net] * load_f for net, load_f in loads_f.items())
    assert items.clock_nets_j == near(charged * 1.1**2 / 2, rel=1e-2)

    def inside_j(kind: str, load_f: float) -> float:
        """Energy of a rise and a fall inside a buffer."""
        (power,) = cells[kind].pins["Z"].internal_powers
        slew, load = np.array([SLEW_S]), np.array([load_f])
        return sum(float(power.energy_j(edge, slew, load)[0]) for edge in (RISE, FALL))

    buffers = {"root": (100, "CLKBUF_X2", ROOT), "leaf": (30, "CLKBUF_X1", LEAF)}
    for name, (pulses, kind, net) in buffers.items():
        leakage_j = 100e-9 * _leakage_w(kind, high[net])
        own_j = pulses * inside_j(kind, netlist.load_f[net])
        assert energy.by_cell[name] == near(own_j + leakage_j, rel=1e-3)
    assert items.internal_combinational_j == 0.0
    own_j = sum(p * inside_j(kind, netlist.load_f[net]) for p, kind, net in buffers.values())
    assert items.clock_pins_j > own_j
    assert parts_j(energy)["clock"] == near(items.clock_nets_j + items.clock_pins_j)
    assert clock_area_um2(netlist) == pytest.approx(
        sum(cells[x].area_um2 for x in ("CLKBUF_X2", "CLKGATE_X1", "CLKBUF_X1"))
    )


def _leakage_w(kind: str, high: float) -> float:
    """Leakage of a buffer whose output is 1 in a part of the time."""
    states = {bool(x.when.table[1]): x.power_w for x in library().cells[kind].leakages}
    return high * states[True] + (1 - high) * states[False]


def test_a_buffer_of_data_is_not_the_clock_s(tmp_path):
    """Buffers of one kind count where they stand."""
    cells = {**CELLS, "data": ("CLKBUF_X1", {"A": MIDDLE, "Z": OUT})}
    cells["r1"] = ("DFF_X1", {"CK": LEAF, "D": MIDDLE})
    del cells["r1"]
    netlist = tree(tmp_path, cells)
    toggles = {CLK: 200, ROOT: 200, GATED: 0, LEAF: 0, EN: 0, DATA: 20, MIDDLE: 20, OUT: 20}
    high = dict.fromkeys(toggles, 0.5)
    items = analyse(netlist, Activity(100, toggles, high), slews_of(netlist), period_ns=1.0).items
    assert items.internal_combinational_j > 0
    still = {**toggles, MIDDLE: 0, OUT: 0}
    idle = analyse(netlist, Activity(100, still, high), slews_of(netlist), period_ns=1.0).items
    assert idle.internal_combinational_j == 0


@cache
def random_pair(seed: int) -> tuple[Netlist, Netlist]:
    """A random netlist with gated clocks, and the same one with a clock tree."""
    kinds = Cells.of(KIT, library())
    plain = random_netlist(kinds, kinds.gates, seed)
    buffer = library().cells["CLKBUF_X2"]
    clock = plain.ports["clk"][0]
    buffered: dict[object, int] = {}
    count = max(bit for x in plain.instances for bit in x.nets.values() if isinstance(bit, int))
    instances: list[Instance] = []
    for bit in sorted(plain.clock_nets):
        count += 1
        buffered[bit] = count
        instances.append(Instance(f"tree{bit}", buffer, {"A": bit, "Z": count}))
    for instance in plain.instances:
        pins = instance.cell.sequential.clock.pins if instance.cell.sequential else ()
        moved = {pin: buffered[instance.nets[pin]] for pin in pins}
        instances.append(replace(instance, nets={**instance.nets, **moved}))
    cells = plain.library.cells | {buffer.name: buffer}
    grown = replace(
        plain,
        library=replace(plain.library, cells=cells),
        instances=tuple(instances),
        clock_nets=plain.clock_nets | {*buffered.values()},
    )
    assert buffered[clock] in grown.clock_branches
    return plain, grown


@pytest.mark.parametrize("seed", [1, 2])
def test_a_clock_tree_changes_no_result_and_no_toggle_of_data(seed):
    plain, grown = random_pair(seed)
    requests = random_requests(plain, seed)
    one, other = (GateSimulator(x).run(requests, uncounted=1) for x in (plain, grown))
    assert other.responses == one.responses
    data = plain.observed - plain.clock_nets
    assert {x: other.activity.toggles[x] for x in data} == {
        x: one.activity.toggles[x] for x in data
    }
    pulses = other.activity.toggles
    assert {pulses[x] for x in grown.gated_clocks} != {2 * other.activity.cycles}
    for instance in grown.instances:
        if instance.name.startswith("tree"):
            assert pulses[instance.nets["Z"]] == pulses[instance.nets["A"]]
            assert pulses[instance.nets["A"]] == one.activity.toggles[instance.nets["A"]]


@pytest.mark.parametrize(
    "kinds",
    [
        {"root": ("INV_X2", {"A": CLK, "ZN": ROOT})},  # the flip-flops get the wrong edge
        {"leaf": ("CLKGATE_X1", {"CK": GATED, "E": EN, "GCK": LEAF})},  # a gate behind a gate
        {"leaf": ("AND2_X1", {"A1": GATED, "A2": EN, "ZN": LEAF})},  # no clock at all
    ],
)
def test_other_clocks_are_refused(tmp_path, kinds):
    netlist = tree(tmp_path, CELLS | kinds)
    with pytest.raises(FlowError, match="is not a flip-flop on only the rising edge of the clock"):
        GateSimulator(netlist)


def test_delays_of_wires_and_skew_are_added(tmp_path):
    """The pin D1 of a gate waits for its wire; a flip-flop with a late clock changes late."""
    cells = CELLS | {
        "nand": ("NAND2_X1", {"A1": MIDDLE, "A2": EN, "ZN": OUT}),
        "r1": ("DFF_X1", {"CK": LEAF, "D": OUT}),
    }
    del cells["r1"]
    plain = tree(tmp_path, cells)
    wired = replace(
        plain, arrivals_s={("nand", "A1"): (40 * PS, 20 * PS), ("r0", "CK"): (-15 * PS, -15 * PS)}
    )
    gates = []
    for instance in plain.instances:
        if instance.name in ("nand", "r0"):
            pin = instance.cell.pins["ZN" if instance.name == "nand" else "Q"]
            function = pin.function
            if instance.cell.sequential:
                function = type(function).variable(instance.cell.sequential.state)
            gates.append((instance, pin, function))
    before, after = (gate_delays(x, slews_of(x), gates) for x in (plain, wired))
    more = {g[0].name: (b - a).tolist() for g, a, b in zip(gates, before, after, strict=True)}
    # Rise and fall of the output, by A1, then by A2: a rise of the output comes from a fall of A1.
    assert more["nand"] == [20, 40, 0, 0]
    assert more["r0"] == [-15, -15]


def test_a_placed_netlist_is_read_with_wires_and_skew(tmp_path):
    tree(tmp_path)
    (tmp_path / "netlist.json").rename(tmp_path / "placed.json")
    nets = WIRES | {"en": 1.0, "d": 1.0}
    parts = "".join(
        f"*D_NET *{n} {total}\n*CONN\n*CAP\n1 x {total}\n*RES\n*END\n"
        for n, total in enumerate(nets.values())
    )
    names = "".join(f"*{n} {name}\n" for n, name in enumerate(nets))
    spef = tmp_path / "placed.spef"
    spef.write_text(f"*NAME_MAP\n{names}\n{parts}")
    write_delays(tmp_path / "interconnect.txt", {("r1", "D"): (0.002, 0.001), ("r1", "CK"): (1, 1)})
    (tmp_path / "clock.json").write_text(
        '{"latency_ns": {"r0/CK": 0.05, "r1/CK": 0.09}, "mean_latency_ns": 0.07}'
    )
    files = {path.name: path for path in tmp_path.iterdir()}
    netlist = read_placed(files, library(), "top", delays=True)
    assert netlist.wires_f[LEAF] == near(4.0 * FJ)
    found = {name: pytest.approx(x) for name, x in netlist.arrivals_s.items()}
    assert found == {
        ("r1", "D"): (2e-12, 1e-12),
        ("r0", "CK"): (-20e-12, -20e-12),
        ("r1", "CK"): (20e-12, 20e-12),
    }
    assert not read_placed(files, library(), "top").arrivals_s
    assert not overloaded(netlist)
    heavy = replace(netlist, wires_f=netlist.wires_f | {LEAF: 1e-12})
    ((pin, (load_ff, limit_ff)),) = overloaded(heavy).items()
    assert pin == "leaf/Z"
    assert load_ff > 1000
    assert limit_ff == near(library().cells["CLKBUF_X1"].pins["Z"].max_capacitance_f / FJ)
    spef.write_text(spef.read_text().replace("*5 out", "*5 elsewhere"))
    with pytest.raises(ValueError, match="no net 'elsewhere' for a wire capacitance"):
        read_placed(files, library(), "top")
    last = spef.read_text()
    spef.write_text(last[: last.rindex("*D_NET")].replace("*5 elsewhere", "*5 out"))
    with pytest.raises(FlowError, match=r"placed\.spef: 1 nets have no wires, the first is d$"):
        read_placed(files, library(), "top")
