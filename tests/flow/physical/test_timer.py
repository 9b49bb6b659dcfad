"""The embedded timer: a path by hand, and placed netlists with clock trees beside OpenSTA."""

from __future__ import annotations

import re
from functools import cache
from math import log, sqrt

import numpy as np
import pytest

from rsaxcel.flow.libraries import find_kit
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.physical.embedded.library_arrays import SIZE, packed
from rsaxcel.flow.physical.embedded.session import Clock, session
from rsaxcel.store.errors import SetupError
from tests.flow.physical.layouts import analyse, clocked, driver_slacks, laid_out, latencies_ns
from tests.flow.physical.netlists import KIT, Netlist
from tests.flow.timers_compared import beside_opensta


@cache
def _cell(name: str) -> str:
    """Text of a cell, without comments and line ends within lists."""
    text = KIT.liberty.read_text().partition(f"cell ({name}) {{")[2].partition("\n  cell (")[0]
    return re.sub(r"/\*.*?\*/|\\\n", "", text, flags=re.DOTALL)


def _group(text: str, head: str) -> str:
    """Content of the first group with some head, up to its closing bracket."""
    start = re.search(rf"{head}\s*\{{", text)
    assert start is not None, head
    depth, at = 1, start.end()
    while depth:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return text[start.end() : at - 1]


@cache
def pin(cell: str, name: str) -> str:
    """Text of a cell's pin."""
    return _group(_cell(cell), rf"pin \({name}\)")


def capacitance_ff(cell: str, name: str) -> float:
    """Larger one of a pin's two capacitances."""
    found = re.findall(r"(?:rise|fall)_capacitance\s*:\s*([\d.]+)", pin(cell, name))
    return max(map(float, found))


def look(text: str, table: str, first: float, second: float) -> float:
    """Value of a table in a group, between four of its points."""
    content = _group(text, rf"{table}\s*\(\w+\)")

    def numbers(key: str) -> list[list[float]]:
        (inside,) = re.findall(rf"{key}\s*\(([^)]*)\)", content)
        return [[float(x) for x in row.split(",")] for row in re.findall(r'"([^"]*)"', inside)]

    (rows,), (columns,), values = numbers("index_1"), numbers("index_2"), numbers("values")
    i = int(np.clip(np.searchsorted(rows, first) - 1, 0, len(rows) - 2))
    j = int(np.clip(np.searchsorted(columns, second) - 1, 0, len(columns) - 2))
    u = (first - rows[i]) / (rows[i + 1] - rows[i])
    v = (second - columns[j]) / (columns[j + 1] - columns[j])
    upper = values[i][j] * (1 - v) + values[i][j + 1] * v
    lower = values[i + 1][j] * (1 - v) + values[i + 1][j + 1] * v
    return upper * (1 - u) + lower * u


def constraint(cell: str, data: str, kind: str, edge: str, slew: float, clock_slew: float) -> float:
    """Setup or hold time in ns: ``kind`` is ``setup_rising`` or ``hold_rising``."""
    groups = re.split(r"timing \(\)", pin(cell, data))
    (own,) = (x for x in groups if re.search(rf"timing_type\s*:\s*{kind}", x))
    return look(own, f"{edge}_constraint", slew, clock_slew)


UM = 2000
CLOCK_SLEW_NS = 0.04
FALL, RISE = "fall", "rise"


def chain() -> Netlist:
    """Two inverters between two flip-flops; the first one takes what the second one has."""
    return Netlist(
        {"clk": 1},
        {"y": 1},
        {
            "r0": ("DFF_X1", {"D": "y", "CK": "clk", "Q": "q"}),
            "inv0": ("INV_X1", {"A": "q", "ZN": "n0"}),
            "inv1": ("INV_X2", {"A": "n0", "ZN": "n1"}),
            "r1": ("DFF_X1", {"D": "n1", "CK": "clk", "Q": "y"}),
        },
    )


def hop(kind: str, table: str, edge: str, slew: float, load: float) -> tuple[float, float]:
    """Delay and slew of an output whose edge is given."""
    text = pin(kind, table)
    return (look(text, f"cell_{edge}", slew, load), look(text, f"{edge}_transition", slew, load))


def path_ns(lengths_um: tuple[float, ...], edge: str) -> tuple[float, float, float]:
    """Arrival and slew at r1/D by hand, and setup time, for an edge of r0's output."""
    at, slew = 0.0, CLOCK_SLEW_NS
    stages = ("DFF_X1", "Q"), ("INV_X1", "ZN"), ("INV_X2", "ZN")
    sinks = ("INV_X1", "A"), ("INV_X2", "A"), ("DFF_X1", "D")
    for number, (stage, sink, length_um) in enumerate(zip(stages, sinks, lengths_um, strict=True)):
        if number:
            edge = RISE if edge == FALL else FALL
        wire_ff = 0.105 * length_um
        (pin_ff,) = re.findall(rf"{edge}_capacitance\s*:\s*([\d.]+)", pin(*sink))
        delay, slew = hop(*stage, edge, slew, wire_ff + float(pin_ff))
        # Both ends are pins, with vias of 10 ohm; a long net lies on upper layers, vias of 18 ohm.
        ohm = 1.5 * length_um + 36 if length_um >= 100 else 3.57 * length_um + 20
        elmore_ns = ohm * (wire_ff / 2 + capacitance_ff(*sink)) * 1e-6
        at += delay + elmore_ns
        slew = sqrt(slew**2 + (log(7 / 3) * elmore_ns) ** 2)
    return at, slew, constraint("DFF_X1", "D", "setup_rising", edge, slew, CLOCK_SLEW_NS)


def placed_chain(folder, lengths_um):
    """Place the chain so that its wires have given lengths; all cells as drawn."""
    layout = laid_out(chain(), folder, utilisation=0.01)
    design = layout.netlist
    design.orient[:4] = 0
    design.x[:4], design.y[:4] = 0, 0
    px, py = design.pin_places()
    find = {design.pin_name(at): at for at in range(len(design.pin_net))}
    pairs = (
        (("r0", "Q"), ("inv0", "A")),
        (("inv0", "ZN"), ("inv1", "A")),
        (("inv1", "ZN"), ("r1", "D")),
    )
    for cell, ((source, sink), length_um) in enumerate(zip(pairs, lengths_um, strict=True), 1):
        px, py = design.pin_places()
        design.y[cell] += py[find[source]] - py[find[sink]]
        design.x[cell] += px[find[source]] - px[find[sink]] + length_um * UM
    return design


@pytest.mark.parametrize("lengths_um", [(5, 12, 3), (140, 40, 220)])
def test_a_path_by_hand(tmp_path, lengths_um):
    design = placed_chain(tmp_path, lengths_um)
    with session(design, KIT) as opened:
        opened.time(2.0)
        slacks = driver_slacks(opened, design)
    periods = []
    for edge in (RISE, FALL):
        at, _, setup_ns = path_ns(lengths_um, edge)
        periods.append(at + setup_ns)
    # Single precision in the timer, and Elmore delays of the larger of two pin capacitances.
    path_slack = slacks[design.nets.index("n1")]
    assert 2.0 - path_slack == pytest.approx(max(periods), abs=2e-5)


@pytest.mark.parametrize(
    ("registers", "gates", "utilisation"),
    [
        (80, 3, 0.5),
        pytest.param(600, 12, 0.5, marks=pytest.mark.slow),
        pytest.param(40, 0, 0.1, marks=pytest.mark.slow),
    ],
)
def test_timing_is_that_of_opensta(tmp_path, registers, gates, utilisation):
    """Smallest period, hold slack and latency of every clock sink, with a clock tree."""
    clock_ns = 1.0
    layout = laid_out(clocked(registers, gates, 5), tmp_path, 5, utilisation)
    with session(layout.netlist, KIT) as opened:
        opened.repair(clock_ns)
        tree = opened.clock_tree(clock_ns)
        design, _ = opened.read()
    clock = Clock(is_ideal=False, port_latency_ns=tree.latency_ns)
    with session(design, KIT, clock) as opened:
        timed = opened.time(clock_ns)
        latencies = opened.clock_latencies()
    placed = analyse(design, clock, clock_ns, tmp_path)
    assert clock_ns - timed.worst_ns == pytest.approx(placed.min_period_ns, rel=0.02)
    assert timed.hold_ns == pytest.approx(placed.placed.hold_slack_ns, abs=0.005)
    assert timed.slew_violations == len(placed.placed.slow_pins) == 0
    found = latencies_ns(tmp_path, latencies)
    assert len(latencies) == registers + gates + tree.copied
    # OpenSTA takes effective capacitances, so that long trees are up to 3 % faster there.
    assert latencies == pytest.approx(found, abs=0.002, rel=0.03)


@pytest.mark.parametrize(
    ("registers", "gates", "utilisation", "margins"),
    [
        (80, 3, 0.5, {}),
        (80, 3, 0.5, {"derate": 0.08}),  # with credit for what two paths of the clock share
        (40, 1, 0.01, {"uncertainty_ns": 0.03}),
        pytest.param(600, 12, 0.5, {}, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_the_analysis_is_opensta_s(tmp_path, registers, gates, utilisation, margins):
    """Effective capacitances and delays of wires: short ones, and ones across a large core."""
    clock_ns = 0.8
    layout = laid_out(clocked(registers, gates, 7), tmp_path, 7, utilisation)
    with session(layout.netlist, KIT) as opened:
        tree = opened.clock_tree(clock_ns)
        design, _ = opened.read()
    clock = Clock(is_ideal=False, port_latency_ns=tree.latency_ns)

    def timed(timer, slews):
        found = analyse(design, clock, clock_ns, tmp_path, timer, **margins)
        (tmp_path / "slews.txt").rename(slews)
        return found

    beside_opensta(timed, tmp_path)


def test_tables_with_the_load_first(tmp_path):
    """In osu018, rows are over the load, or over the clock's slew: a library's choice."""
    try:
        kit = find_kit("osu018")
    except SetupError as error:
        pytest.skip(str(error))
    cells = kept_library(kit.liberty).cells
    delay = packed("INVX1", cells["INVX1"].pins["Y"].delay_arcs[0].tables["rise"])
    (setup,) = (
        packed("DFFPOSX1", x.tables["rise"])
        for pin in cells["DFFPOSX1"].pins.values()
        for x in pin.checks
        if not x.is_hold
    )
    slews = [0.06, 0.18, 0.42, 0.6, 1.2]
    for table, columns in ((delay, [5, 12.5, 25, 75, 150]), (setup, [0.06, 0.3, 0.6])):
        assert table[:2].tolist() == [len(slews), len(columns)]
        assert table[2 : 2 + len(slews)] == pytest.approx(slews)
        assert table[2 + SIZE :][: len(columns)] == pytest.approx(columns)
    values = delay[2 + 2 * SIZE :].reshape(SIZE, SIZE)[:5, :5]
    assert (values[:, 4] > values[:, 0]).all()  # a larger load takes longer, at every slew
