"""Timing of a placed netlist: skew, ports' clock, wires by hand, hold, margins, bad wires."""

import json
from pathlib import Path

import pytest

from rsaxcel import catalog
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.layout import TIMERS
from rsaxcel.flow.libraries import plain_kit
from rsaxcel.flow.nodes.node import KIT as KIT_FOLDER
from rsaxcel.flow.nodes.steps import STEP_NODES
from rsaxcel.flow.opensta import OpenSta, wire_delays_ns
from rsaxcel.flow.physical.interface import CLOCK
from rsaxcel.flow.physical.netlist_files import write_json, write_verilog
from rsaxcel.flow.physical.placed import MEAN_LATENCY
from rsaxcel.flow.timer import PlacedWires, StaticTiming
from rsaxcel.flow.tools import find_timer
from tests.flow.flow_circuits import KIT, build, library
from tests.flow.physical.netlists import Netlist
from tests.flow.physical.steps import job_for, run
from tests.flow.timers_compared import beside_opensta

# clk - root - r0, and - gate - leaf - r1; r0 - inverter - NAND - r1. Names need escapes.
CIRCUIT = Netlist(
    {"clk": 1, "a": 1, "en": 1, "b": 2},
    {"y": 1},
    {
        "root": ("CLKBUF_X2", {"A": "clk", "Z": "root_net"}),
        "gate": ("CLKGATE_X1", {"CK": "root_net", "E": "en", "GCK": "gated"}),
        "leaf": ("CLKBUF_X2", {"A": "gated", "Z": "leaf_net"}),
        "r[0]": ("DFF_X1", {"CK": "root_net", "D": "a", "Q": "q"}),
        "r1": ("DFF_X1", {"CK": "leaf_net", "D": "d", "Q": "y"}),
        "inverter": ("INV_X1", {"A": "q", "ZN": "u.x[3]"}),
        "nand": ("NAND2_X1", {"A1": "u.x[3]", "A2": "b[1]", "ZN": "d"}),
    },
)
HEAD = Path(__file__).with_name("star_head.spef").read_text("utf-8")
NETS = {
    "clk": ("clk", ["root:A"]),
    "root_net": ("root:Z", [r"r\[0\]:CK", "gate:CK"]),
    "gated": ("gate:GCK", ["leaf:A"]),
    "leaf_net": ("leaf:Z", ["r1:CK"]),
    "a": ("a", [r"r\[0\]:D"]),
    "en": ("en", ["gate:E"]),
    "b[1]": ("b[1]", ["nand:A2"]),
    "q": (r"r\[0\]:Q", ["inverter:A"]),
    r"u\.x\[3\]": ("inverter:ZN", ["nand:A1"]),
    "d": ("nand:ZN", ["r1:D"]),
    "y": ("r1:Q", ["y"]),
}
OHM, FF = 10, 2.0
LATENCY_NS = 0.08


def spef(**changed: tuple[float, float]) -> str:
    """A star of wires for each net: resistance and capacitance of each branch."""
    text = HEAD
    for name, (driver, sinks) in NETS.items():
        ohm, ff = changed.get(name, (OHM, FF))
        text += f"*D_NET {name} {ff * len(sinks)}\n*CONN\n"
        text += "".join(
            f"*{'I' if ':' in pin else 'P'} {pin} {'O' if drives == (':' in pin) else 'I'}\n"
            for pin, drives in ((driver, True), *((sink, False) for sink in sinks))
        )
        text += "*CAP\n" + "".join(f"{i} {pin} {ff}\n" for i, pin in enumerate(sinks))
        text += "*RES\n" + "".join(f"{i} {driver} {pin} {ohm}\n" for i, pin in enumerate(sinks))
        text += "*END\n"
    return text


@pytest.fixture(params=TIMERS)
def timer(request):
    return find_timer(request.param)


@pytest.fixture
def timing(timer, tmp_path):
    """Analyse the netlist with some wires."""

    def analyse(text: str = "", latency_ns: float = LATENCY_NS, **margins: float) -> StaticTiming:
        design = CIRCUIT.design(tmp_path)
        write_verilog(design, tmp_path / "placed.v")
        write_json(design, tmp_path / "placed.json")
        (tmp_path / "placed.spef").write_text(text or spef())
        return timer.analyse(
            tmp_path / "placed.v",
            "top",
            KIT,
            clock_ns=1.0,
            work_dir=tmp_path / "work",
            slews=tmp_path / "slews.txt",
            wires=PlacedWires(tmp_path / "placed.spef", latency_ns, **margins),
        )

    return analyse


def test_a_wire_has_its_elmore_delay(timing):
    """1,000 ohm into 20 fF and the pin: 1,000 * (20 + C) fF, which is 20 ps and more."""
    placed = timing(spef(d=(1000, 20.0))).placed
    assert placed is not None
    pin = library().cells["DFF_X1"].pins["D"]
    for index, capacitance_f in enumerate((pin.rise_capacitance_f, pin.fall_capacitance_f)):
        elmore_ns = 1000 * (20e-15 + capacitance_f) * 1e9
        assert placed.arrivals_ns["r1", "D"][index] == pytest.approx(elmore_ns, rel=0.05)
    assert ("r[0]", "D") in placed.arrivals_ns  # names come without escapes


def test_a_delay_that_both_edges_have_is_written_once(tmp_path):
    """OpenSTA writes one value, not two, if a wire delays both edges equally."""
    lines = (
        '(TIMESCALE "1ns")',
        r"(INTERCONNECT a\.b/Z c/A (0.0081::0.0082))",
        "(INTERCONNECT d/Z e/A (0.0010::0.0020) (0.0030::0.0040))",
        "(INTERCONNECT f/Z g/A (0.0000::0.0000))",
    )
    (tmp_path / "delays.sdf").write_text("\n".join(lines).replace('"', ""))
    found = wire_delays_ns(tmp_path / "delays.sdf")
    assert found == {("c", "A"): (0.0082, 0.0082), ("e", "A"): (0.002, 0.004)}


def test_names_with_escapes_get_their_wires(timing):
    slow = spef(**{r"u\.x\[3\]": (1000, 20.0), "b[1]": (2000, 20.0)})
    arrivals = timing(slow).placed.arrivals_ns
    assert arrivals["nand", "A1"][0] == pytest.approx(0.021, rel=0.1)
    # From a port, the delay by which the wire slows the cell outside is in it, too.
    assert 0.042 < arrivals["nand", "A2"][0] < 0.07


def test_the_latencies_of_the_tree_count(timing):
    """They are in slack, hold and skew; the delay of a path is without them."""
    usual, late = timing(), timing(spef(leaf_net=(2000, 10.0)))
    assert late.placed.hold_slack_ns < usual.placed.hold_slack_ns
    assert late.placed.skew_ns > usual.placed.skew_ns > 0
    assert usual.launch_ns > 0
    assert usual.delay_ns == pytest.approx(usual.points[-1][1] - usual.launch_ns)
    assert usual.min_period_ns == pytest.approx(1.0 - usual.slack_ns)


def test_ports_belong_to_a_clock_with_the_mean_latency(timing):
    """The worst path ends at the port y: it gains what the registers outside are late."""
    usual, later = timing(), timing(latency_ns=LATENCY_NS - 0.02)
    assert usual.end == later.end == "y"
    assert usual.slack_ns - later.slack_ns == pytest.approx(0.02, abs=1e-5)
    # An early clock outside lets the inputs arrive earlier: hold at the first register suffers.
    early = timing(latency_ns=0.0)
    assert early.placed.hold_slack_ns < 0
    assert early.placed.hold_end in ("r[0]/D", "r1/D", "gate/E")


def test_margins_count_in_setup_and_hold(timing):
    usual, sure, derated = timing(), timing(uncertainty_ns=0.03), timing(derate=0.1)
    assert usual.slack_ns - sure.slack_ns == pytest.approx(0.03, abs=1e-5)
    lost = usual.placed.hold_slack_ns - sure.placed.hold_slack_ns
    assert lost == pytest.approx(0.03, abs=1e-5)
    assert derated.slack_ns < usual.slack_ns
    assert derated.placed.hold_slack_ns < usual.placed.hold_slack_ns


def test_slow_slews_are_found(timing):
    assert not timing().placed.slow_pins
    slow = timing(spef(root_net=(10, 300.0))).placed.slow_pins
    assert "r[0]/CK" in slow
    slew_ns, limit_ns = slow["gate/CK"]
    assert slew_ns > limit_ns == pytest.approx(0.1985, abs=1e-4)


#: A change of the wires, and what each timer says of it.
MISFITS = {
    "no net": (
        ("*D_NET en ", "*D_NET no "),
        ("1, the first: .* line .* net no not found", "net no: the netlist does not have it"),
    ),
    "no escaped net": (
        (r"*D_NET u\.x\[3\]", r"*D_NET u\.x\[4\]"),
        (r"the first: .* net u.* not found", r"net u\.x\[4\]: the netlist does not have it"),
    ),
    "no pin": (
        ("gate:E", "gate:NO"),
        ("the first: .* pin gate:NO not found", "net en: no wire to gate/E"),
    ),
    "no resistances": (
        ("*RES", "*ROS"),
        ("the first: .* syntax error", "net clk: .* no resistances"),
    ),
}


@pytest.mark.parametrize("misfit", MISFITS)
def test_wires_that_do_not_fit_are_refused(timing, timer, misfit):
    """OpenSTA only warns, and takes the wire-load model in their place."""
    change, told = MISFITS[misfit]
    by_opensta = isinstance(timer, OpenSta)
    first = "wires that OpenSTA does not use: " if by_opensta else ""
    with pytest.raises(FlowError, match=f"^{first}.*{told[not by_opensta]}"):
        timing(spef().replace(*change))


def test_nets_without_wires_are_refused(tmp_path, timing, timer):
    text = spef()
    start = text.index("*D_NET q ")
    end = text.index("*D_NET", start + 1)
    if isinstance(timer, OpenSta):
        pytest.skip("the node counts them before")
    with pytest.raises(FlowError, match=r"placed\.spef: 1 nets have no wires, such as q$"):
        timing(text[:start] + text[end:])


@pytest.mark.parametrize(
    "name",
    [
        x if x == "ssmm_r2l_shared" else pytest.param(x, marks=pytest.mark.slow)
        for x in catalog.DESIGNS
    ],
)
def test_placed_designs_at_32_bits_have_opensta_s_times(name, tmp_path):
    built = build(name, tmp_path, nbits=32)
    (tmp_path / KIT_FOLDER).symlink_to(plain_kit("freepdk-45nm"))
    top = built.module.top
    run(STEP_NODES, job_for(tmp_path, design=top, clock_ns=3.0, utilisation=0.7), tmp_path)
    latency_ns = json.loads((tmp_path / CLOCK).read_text())[MEAN_LATENCY]

    def timed(timer, slews):
        return timer.analyse(
            tmp_path / "placed.v",
            top,
            KIT,
            clock_ns=3.0,
            work_dir=tmp_path / "work",
            slews=slews,
            wires=PlacedWires(tmp_path / "placed.spef", latency_ns),
        )

    beside_opensta(timed, tmp_path)
