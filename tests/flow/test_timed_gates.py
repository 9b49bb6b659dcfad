"""Gates with delays: every toggle of every net equals the event-driven reference's."""

import math
import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsaxcel.flow.gates.engine import LANES
from rsaxcel.flow.gates.streams import GateSimulator
from rsaxcel.flow.gates.timed import Sample
from rsaxcel.flow.libraries import LIBRARIES, find_kit
from rsaxcel.flow.power.activity import joined
from rsaxcel.flow.power.liberty_reader import read_liberty
from rsaxcel.sim.batch import Conditions
from rsaxcel.sim.stalls import STALL_PROFILES
from rsaxcel.store.errors import SetupError
from tests.flow.flow_circuits import KIT, Circuit, build, library
from tests.flow.timed_comparison import TimedSimulation, compare, random_operation, random_slews
from tests.flow.timed_netlists import Cells, netlists, random_netlist, random_requests
from tests.shared.harness import built_once

pytestmark = built_once("netlist", 8)

LEAST_OPERATIONS = 100


@cache
def cells(name: str) -> Cells:
    """Cells of a library that the flow may use."""
    if name == "freepdk-45nm":
        return Cells.of(KIT, library())
    try:
        kit = find_kit(name)
    except SetupError as missing:
        pytest.skip(str(missing))
    return Cells.of(kit, read_liberty(kit.liberty))


def operations(circuit: Circuit, count: int, exponent_nbits: int) -> list[list[int]]:
    """Draw operations, equally many for each lane."""
    draw = random.Random(circuit.module.top)
    rows = [random_operation(circuit, draw, exponent_nbits) for _ in range(LANES * count)]
    return [rows[lane::LANES] for lane in range(LANES)]


def check(simulation: TimedSimulation, every: int = 1) -> int:
    """Check all toggles in one of ``every`` lanes against the reference; return their number."""
    found = compare(simulation, range(0, LANES, every))
    assert not found.difference
    assert found.operations >= LEAST_OPERATIONS // every
    simulation.check_counters()
    return found.toggles


# All of these circuits have clock gates.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "exponent_nbits", "every"),
    [
        ("mulrem_r2l", 8, 1),  # a divider
        ("ssmm_r2l", 8, 1),
        ("montmul_r2l_shared", 2, 1),
        ("mont_r2l_shared", 2, 1),  # long carries
    ],
)
def test_every_toggle_of_a_design(name, exponent_nbits, every, circuits):
    circuit = circuits(name)
    netlist = circuit.netlist
    assert netlist.gated_clocks
    requests = operations(circuit, 2, exponent_nbits)
    simulation = TimedSimulation(netlist, random_slews(netlist, 1), requests)
    assert check(simulation, every) > 10_000


@pytest.mark.slow
def test_a_lane_at_32_bits(tmp_path):
    """A cycle with more moments than the initial buffers hold."""
    circuit = build("mulrem_r2l", tmp_path, nbits=32)
    netlist = circuit.netlist
    simulation = TimedSimulation(netlist, random_slews(netlist, 1), operations(circuit, 1, 2))
    assert simulation.moments_by_cycle().max() > 1 << 16
    simulation.check_counters()
    assert not compare(simulation, lanes=[LANES - 1]).difference


@pytest.mark.slow
def test_the_counted_cycles_are_a_lane_s_own(circuits):
    circuit = circuits("mulrem_r2l")
    netlist = circuit.netlist
    requests = operations(circuit, 3, 2)
    slews = random_slews(netlist, 2)
    simulation = TimedSimulation(netlist, slews, requests, uncounted=1, count_tail=True)
    assert len({simulation.counted_from(lane) for lane in range(LANES)}) > 2
    check(simulation)


@pytest.mark.slow
@pytest.mark.parametrize("reset_at", [None, 31])
def test_stalls_and_resets_are_those_without_delays(circuits, reset_at):
    circuit = circuits("mulrem_r2l")
    netlist = circuit.netlist
    requests = operations(circuit, 3, 2)
    under = Conditions(STALL_PROFILES["random"], reset_at=reset_at, reset_cycles=3)
    TimedSimulation(netlist, random_slews(netlist, 3), requests, under=under).check_counters()


@pytest.mark.slow_cases("osu018-*")
@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize("name", LIBRARIES)
def test_every_toggle_with_every_cell(name, short):
    known = cells(name).with_short_delays() if short else cells(name)
    netlist = random_netlist(known, known.gates, seed=1)
    assert {x.cell.name for x in netlist.instances} > {cell.name for cell in known.gates}
    check(TimedSimulation(netlist, random_slews(netlist, 1), random_requests(netlist, 1)))


@pytest.mark.slow_cases("osu018")
@pytest.mark.parametrize("name", LIBRARIES)
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_every_toggle_of_any_netlist(name, data):
    known = cells(name).with_short_delays() if data.draw(st.booleans()) else cells(name)
    netlist = data.draw(netlists(known))
    seed = data.draw(st.integers(0, 1000))
    requests = random_requests(netlist, seed)
    check(TimedSimulation(netlist, random_slews(netlist, seed), requests))


def test_samples_are_parts_of_a_whole(circuits):
    """Sampled cycles have the glitches of a full run; disjoint samples add up to it."""
    circuit = circuits("mulrem_r2l")
    netlist, slews = circuit.netlist, random_slews(circuit.netlist, 2)
    rows = operations(circuit, 8, 8)
    simulator = GateSimulator(netlist, slews)
    whole = simulator.run(rows)
    period = 3
    parts = [simulator.run(rows, sample=Sample(period, part)) for part in range(period)]
    for part in parts:
        assert part.responses == whole.responses
        assert part.activity.high == whole.activity.high
        assert part.activity.useful.toggles == pytest.approx(whole.activity.useful.toggles)
        assert part.activity.timed_cycles == pytest.approx(whole.activity.cycles / 3, rel=0.1)
        total, own = (sum(x.activity.glitches.values()) for x in (whole, part))
        assert 0 < part.activity.glitch_error < 0.2
        assert abs(own - total) < 4 * part.activity.glitch_error * total
    estimates = sum(x.timed.glitches for x in parts).sum()
    assert estimates == period * whole.timed.glitches.sum()
    together = joined([x.activity for x in parts])
    assert together.timed_cycles == whole.activity.cycles == whole.activity.timed_cycles
    assert together.toggles == pytest.approx(whole.activity.toggles)
    assert together.glitches == pytest.approx(whole.activity.glitches)
    assert together.swallowed == pytest.approx(whole.activity.swallowed)


@pytest.mark.parametrize("period", [2, 8, 30])
def test_drawn_cycles_have_the_rare_products(circuits, period):
    """Sampling draws the rare cycles with products, because they have many useful toggles."""
    circuit = circuits("mulrem_r2l")
    netlist, slews = circuit.netlist, random_slews(circuit.netlist, 2)
    rows = operations(circuit, 8, 8)
    simulator = GateSimulator(netlist, slews)
    whole = simulator.run(rows)
    drawn = simulator.run(rows, sample=Sample(period))
    assert drawn.responses == whole.responses
    assert drawn.activity.useful.toggles == pytest.approx(whole.activity.useful.toggles)
    assert drawn.activity.timed_cycles < 1.3 * whole.activity.cycles / period + 5 * LANES
    total, own = (sum(x.activity.glitches.values()) for x in (whole, drawn))
    assert 0 < drawn.activity.glitch_error < 0.1 * period**0.5
    assert abs(own - total) < 3 * drawn.activity.glitch_error * total


def test_error_of_a_sample_is_unknown_where_little_is_drawn(circuits):
    """The error of a sample is unknown for one cycle, and zero for all cycles."""
    circuit = circuits("mulrem_r2l")
    simulator = GateSimulator(circuit.netlist, random_slews(circuit.netlist, 2))
    rows = operations(circuit, 1, 8)
    assert simulator.run(rows, sample=Sample(10**6)).activity.glitch_error == math.inf
    assert simulator.run(rows).activity.glitch_error == 0
