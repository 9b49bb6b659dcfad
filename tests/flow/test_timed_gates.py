"""Gates with delays: every toggle of every net as the reference has it, one event at a time."""

import json
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flow.gates.engine import LANES
from flow.gates.streams import GateRun, GateSimulator
from flow.power.netlist import Netlist
from flow.power.slews import Slews
from sim.batch import RESET_CYCLES
from tests.flow.flow_circuits import library
from tests.flow.timed_reference import Reference
from tests.harness import built_once

pytestmark = built_once("netlist", 8)

ROWS = 4_000_000
LONGEST_SLEW_S = 0.2e-9


def random_slews(netlist: Netlist, seed: int) -> Slews:
    """Any slew that the tables have, for every pin."""
    draw = random.Random(seed)
    return Slews(
        {
            (x.name, pin): (draw.uniform(1e-12, LONGEST_SLEW_S), draw.uniform(1e-12, 2e-10))
            for x in netlist.instances
            for pin in x.cell.pins
        }
    )


def moments(simulator: GateSimulator, lane: int) -> dict[int, set[tuple[int, int]]]:
    """Toggles of a lane by cycle, of nets that have a number."""
    nets = {at: bit for bit, at in simulator.circuit.nets.items()}
    found: dict[int, set[tuple[int, int]]] = {}
    log = simulator.timed_run.log
    own = log[(log[:, 3] >> lane & 1).astype(bool)]
    for cycle, net, at, _ in own.tolist():
        if net in nets:
            assert (at, nets[net]) not in found.setdefault(cycle, set())
            found[cycle].add((at, nets[net]))
    return found


def compare(netlist: Netlist, slews: Slews, requests: list[list[int]], lanes: range) -> int:
    """Compare lanes with the reference, toggle by toggle; return the number of toggles."""
    simulator = GateSimulator(netlist, slews)
    run = simulator.run(requests, log_rows=ROWS)
    assert 0 < len(simulator.timed_run.log) < ROWS
    inputs = [bit for bit in sorted(netlist.input_nets) if bit not in netlist.clock_nets]
    (reset,) = netlist.ports["reset"]
    count = 0
    for lane in lanes:
        found = moments(simulator, lane)
        reference = Reference(netlist, slews)
        reference.rest({bit: bit == reset for bit in inputs})
        for _ in range(RESET_CYCLES):
            reference.rest({**reference.following()})
        reference.rest({reset: False})
        reference.rest({})
        states: dict = {}
        for cycle in range(int(run.taken[lane][-1]) + 1):
            begun = found.get(cycle, set())
            changes = {bit: not reference.values[bit] for at, bit in begun if bit in inputs}
            seen = reference.cycle({**states, **changes})
            assert len(seen) == len(set(seen))
            assert set(seen) == begun, (lane, cycle)
            count += len(seen)
            states = reference.following()
    check_useful(netlist, simulator, run, requests)
    return count


def check_useful(
    netlist: Netlist, simulator: GateSimulator, run: GateRun, requests: list[list[int]]
) -> None:
    """See that what a cycle leaves behind is what gates without delays do."""
    plain = GateSimulator(netlist).run(requests)
    assert plain.responses == run.responses
    assert np.array_equal(plain.valid, run.valid)
    assert plain.activity.high == run.activity.high
    for bit, toggles in plain.activity.toggles.items():
        if bit not in netlist.clock_nets:
            assert simulator.timed_run.useful[bit] == toggles
            assert run.activity.toggles[bit] >= toggles


DESIGNS = [
    "mulrem_r2l",
    pytest.param("ssmm_r2l", marks=pytest.mark.slow),
    pytest.param("mont_r2l_shared", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("name", DESIGNS)
def test_every_toggle_of_a_design(name, circuits):
    """With clock gates, a divider, and long carries."""
    circuit = circuits(name)
    netlist = circuit.netlist
    draw = random.Random(name)
    configuration = circuit.configuration
    message = circuit.module.request
    rows = []
    for _ in range(LANES):
        m = draw.getrandbits(8) | 129
        values = configuration.request(draw.randrange(m), draw.getrandbits(2), m)
        rows.append([sum(int(v) << f.lsb for v, f in zip(values, message.fields, strict=True))])
    slews = random_slews(netlist, 1)
    assert compare(netlist, slews, rows, range(0, LANES, 32)) > 1000


@st.composite
def netlists(draw):
    """Any gates in any order behind a register, whose outputs answer."""
    cells = [
        cell
        for cell in library().cells.values()
        if cell.sequential is None
        and cell.inputs
        and cell.outputs
        and all(pin.function is not None and pin.delay_arcs for pin in cell.outputs)
        and all(set(pin.function.pins) <= {p.name for p in cell.inputs} for pin in cell.outputs)
    ]
    width = draw(st.integers(2, 6))
    clock, reset, valid, ready = 2, 3, 4, 5
    message = list(range(6, 6 + width))
    nets = [*message]
    following = 6 + width
    instances = {}

    def cell(kind: str, pins: dict) -> None:
        instances[f"g{len(instances)}"] = {
            "type": kind,
            "connections": {pin: [bit] for pin, bit in pins.items()},
        }

    held = []
    for bit in message:
        held.append(following)
        cell("DFF_X1", {"D": bit, "CK": clock, "Q": following, "QN": following + 1})
        nets += [following, following + 1]
        following += 2
    for _ in range(draw(st.integers(3, 40))):
        kind = draw(st.sampled_from(cells))
        pins = {pin.name: draw(st.sampled_from(nets)) for pin in kind.inputs}
        outputs = []
        for pin in kind.outputs:
            pins[pin.name] = following
            outputs.append(following)
            following += 1
        cell(kind.name, pins)
        nets += outputs
    answered = following
    cell("DFF_X1", {"D": valid, "CK": clock, "Q": answered})
    shown = draw(st.lists(st.sampled_from(nets), min_size=2, max_size=4))
    ports = {
        "clk": ("input", [clock]),
        "reset": ("input", [reset]),
        "recv__val": ("input", [valid]),
        "send__rdy": ("input", [ready]),
        "recv__msg": ("input", message),
        "recv__rdy": ("output", ["1"]),
        "send__val": ("output", [answered]),
        "send__msg": ("output", shown),
    }
    module = {
        "ports": {k: {"direction": d, "bits": b} for k, (d, b) in ports.items()},
        "cells": instances,
        "netnames": {},
    }
    return {"modules": {"top": module}}, width


@settings(max_examples=15, deadline=None)
@given(netlists(), st.integers(0, 1000))
def test_every_toggle_of_any_netlist(tmp_path_factory, drawn, seed):
    """Over all combinational cells of the library."""
    content, width = drawn
    path = tmp_path_factory.mktemp("netlist") / "mapped.json"
    path.write_text(json.dumps(content))
    netlist = Netlist.from_yosys_json(path, library(), top="top")
    draw = random.Random(seed)
    requests = [[draw.getrandbits(width) for _ in range(6)] for _ in range(LANES)]
    compare(netlist, random_slews(netlist, seed), requests, range(0, LANES, 16))
