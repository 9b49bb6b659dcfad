"""Gate-level simulation agrees with the RTL, with Verilator's toggles and with the library."""

import itertools
import random
import re
from pathlib import Path

import numpy as np
import pytest

from rsaxcel import catalog
from rsaxcel.course.testing.cases import random_power_cases
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.gates.circuit import Kernels
from rsaxcel.flow.gates.engine import LANES
from rsaxcel.flow.gates.streams import GateSimulator
from rsaxcel.flow.power.activity import Activity, load_activities, save_activities
from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.subjects.circuits import pack, unpack
from rsaxcel.flow.yosys import Yosys, in_yosys
from rsaxcel.sim.batch import Conditions
from rsaxcel.sim.native.build import BuildOptions
from rsaxcel.sim.native.engine import NativeEngine
from rsaxcel.sim.native.records import records_source
from rsaxcel.sim.stalls import STALL_PROFILES
from rsaxcel.store.tools import ToolError
from tests.flow.flow_circuits import KIT, STREAMS, build, library, synthesized
from tests.flow.power_netlists import write_json
from tests.shared.harness import built_once, response_of, usable
from tests.shared.saif import read_saif

pytestmark = built_once("netlist", 8)

CLOCK_GATE = Path(__file__).with_name("clock_gate.sv").read_text("utf-8")


@pytest.fixture(scope="module")
def simulator(circuit):
    return GateSimulator(circuit.netlist)


def vectors(circuit, count: int) -> list[tuple[int, ...]]:
    """Draw requests; some break an input rule."""
    draw = random.Random(circuit.module.top)
    most = 1 << circuit.configuration.nbits
    rows = [[draw.randrange(most + 3) for _ in range(3)] for _ in range(count)]
    if only := circuit.configuration.constant_modulus:
        rows = [(b, e, m if i % 3 == 0 else only) for i, (b, e, m) in enumerate(rows)]
    if circuit.configuration.halves:
        rows = [usable(circuit.configuration, row) for row in rows]
    return [circuit.configuration.request(*row) for row in rows]


def test_netlist_and_rtl_agree_in_results_and_cycles(circuit, simulator):
    requests = vectors(circuit, 2 * LANES)
    batch = NativeEngine(circuit.module).run(requests)
    lanes = [[pack(circuit.module.request, r) for r in requests[i::LANES]] for i in range(LANES)]
    run = simulator.run(lanes, registers=np.random.default_rng(1))
    statuses = set()
    for index, (response, cycles) in enumerate(zip(batch.responses, batch.cycles, strict=True)):
        lane, position = index % LANES, index // LANES
        got = unpack(circuit.module.response, run.responses[lane][position])
        assert (got, run.latencies[lane, position]) == (response, cycles)
        statuses.add(response[1])
    assert len(statuses) >= 3


@pytest.mark.slow
@pytest.mark.parametrize("name", catalog.DESIGNS)
def test_netlist_gives_the_power_at_32_bits(name, tmp_path):
    """At the report's width, the netlist gives Python's powers in the RTL's cycles."""
    circuit = build(name, tmp_path, nbits=32)
    drawn = [case.operands for case in random_power_cases(32, 2 * LANES, seed=9)]
    rows = [usable(circuit.configuration, row) for row in drawn]
    requests = [circuit.configuration.request(*row) for row in rows]
    batch = NativeEngine(circuit.module).run(requests)
    lanes = [[pack(circuit.module.request, r) for r in requests[i::LANES]] for i in range(LANES)]
    run = GateSimulator(circuit.netlist).run(lanes, registers=np.random.default_rng(2))
    for index, row in enumerate(rows):
        lane, position = index % LANES, index // LANES
        got = unpack(circuit.module.response, run.responses[lane][position])
        assert got == response_of(circuit.configuration, row)
        assert run.latencies[lane, position] == batch.cycles[index]


@pytest.mark.parametrize("reset_at", [None, 31])
@pytest.mark.parametrize(
    ("stalls", "in_flight"), [("random", 1), ("slow_sink", None), ("no_stalls", None)]
)
def test_stalls_and_resets_are_those_of_the_rtl(circuit, simulator, stalls, in_flight, reset_at):
    under = Conditions(STALL_PROFILES[stalls], power_up_cycles=2, reset_at=reset_at, reset_cycles=3)
    lanes = [vectors(circuit, 4)[k:] + vectors(circuit, 4)[:k] for k in range(3)]
    numbers = [[pack(circuit.module.request, r) for r in lane] for lane in lanes]
    run = simulator.run(numbers, under=under, in_flight=in_flight)
    engine = NativeEngine(circuit.module)
    for index, lane in enumerate(lanes):
        (batch,) = engine.run_each(lane, [under], in_flight=in_flight)
        assert run.accepted[index].tolist() == batch.accepted
        # A response that was valid but not taken at the reset counts as dropped.
        valid = np.where(run.taken[index] < 0, -1, run.valid[index])
        for cycles, expected in ((valid, batch.valid), (run.taken[index], batch.taken)):
            assert cycles.tolist() == [-1 if c is None else c for c in expected]
        for number, response in zip(run.responses[index], batch.responses, strict=True):
            assert response is None or unpack(circuit.module.response, number) == response


def test_registers_are_drawn_by_a_generator_alone(simulator):
    with pytest.raises(ValueError, match="power_up_seed=7: gates take registers from"):
        simulator.run([[1]], under=Conditions(power_up_seed=7))


def test_a_lane_does_not_depend_on_its_place_or_its_neighbours(circuit, simulator):
    requests = [pack(circuit.module.request, r) for r in vectors(circuit, 6)]
    alone = simulator.run([requests])
    crowd = simulator.run([requests[k:] + requests[:k] for k in range(6)] + [requests] * 7)
    assert crowd.responses[0] == crowd.responses[9] == alone.responses[0]
    assert (crowd.latencies[12] == alone.latencies[0]).all()
    assert set(crowd.responses[3]) == set(alone.responses[0])


def test_the_window_is_that_of_the_counted_operations(circuit, simulator):
    requests = [pack(circuit.module.request, r) for r in vectors(circuit, 5)]
    run = simulator.run([requests] * 3, uncounted=2)
    assert run.counted == 9
    intervals = np.diff(run.taken, axis=1, prepend=-1)
    assert run.activity.cycles == intervals[:, 2:].sum()
    apart = 1 + circuit.configuration.load_cycles + circuit.configuration.clear_cycles
    assert (intervals[:, 1:] == run.latencies[:, 1:] + apart).all()
    clock = circuit.netlist.ports["clk"][0]
    assert run.activity.toggles[clock] == 2 * run.activity.cycles
    quiet = simulator.run([requests] * 3, uncounted=5)
    assert not any(v for net, v in quiet.activity.toggles.items() if net != clock)


def to_expressions(source, top, output):
    """Write the netlist as plain expressions: NanGate's models of flip-flops race in Verilator."""
    yosys = Yosys()
    yosys.run(f"read_liberty -ignore_miss_func {KIT.liberty}", f"read_verilog {source}")
    yosys.run(f"hierarchy -top {top}", "flatten", "opt_clean", f"write_verilog -noattr {output}")


@pytest.mark.parametrize("circuit", ["ssmm_r2l"], indirect=True)
def test_toggles_of_every_net_are_those_that_verilator_counts(circuit, simulator, tmp_path):
    expressions = tmp_path / "expressions.v"
    in_yosys(
        tmp_path / "yosys.log",
        to_expressions,
        circuit.folder / "netlist.v",
        circuit.module.top,
        expressions,
    )
    engine = NativeEngine(
        circuit.module.with_text(expressions.read_text(), CLOCK_GATE),
        options=BuildOptions(optimize="-O0", netlist=True),
    )
    requests = [*vectors(circuit, 4), circuit.configuration.request(200, 17, 251)]
    some, none = tmp_path / "some.saif", tmp_path / "none.saif"
    engine.run(requests, saif=some)
    engine.run([], saif=none)
    netlist = circuit.netlist
    (_, idle), (_, busy) = read_saif(none), read_saif(some)
    toggles = {name.replace("\\", ""): busy[name][1] - idle[name][1] for name in busy}
    counted = {net: toggles[str(netlist.names[net][0])] for net in netlist.observed}
    lane = [pack(circuit.module.request, r) for r in requests]
    run = simulator.run([lane], count_tail=True)
    nets = netlist.observed - netlist.clock_nets
    assert len(nets) > 700
    assert sum(run.activity.toggles.values()) > 10_000
    assert {n: run.activity.toggles[n] for n in nets} == {n: counted[n] for n in nets}
    # A clock gate passes the clock in the cycle after its enable.
    assert len(netlist.gated_clocks) > 5
    for n in netlist.gated_clocks:
        assert run.activity.toggles[n] == pytest.approx(counted[n], abs=2)
    assert len({run.activity.toggles[n] for n in netlist.gated_clocks}) > 3


def liberty_functions() -> list[tuple[str, str, str]]:
    """Yield cell, pin and function of every combinational output in the Liberty text."""
    found = []
    for cell in re.split(r"^\s*cell \(", KIT.liberty.read_text(), flags=re.M)[1:]:
        name = cell.partition(")")[0]
        for pin in re.split(r"^\s*pin \(", cell, flags=re.M)[1:]:
            if function := re.search(r'^\s*function\s*:\s*"([^"]+)"', pin, re.M):
                found.append((name, pin.partition(")")[0], function[1]))
    return found


def test_kernels_compute_what_the_library_says():
    kernels = Kernels.of(library())
    expressions = dict(re.findall(r"^KERNEL\((\d+), (.*)\)$", kernels.source, re.M))
    checked = 0
    for cell, pin, text in liberty_functions():
        function = library().cells[cell].pins[pin].function
        number = kernels.number(function)
        python = text.replace("!", "~")
        for values in itertools.product((0, 1), repeat=len(function.pins)):
            expected = eval(python, {}, dict(zip(function.pins, values, strict=True)))
            environment = {"PIN": values.__getitem__, "ONES": ~0, "ZEROS": 0}
            assert eval(expressions[str(number)], {}, environment) & 1 == expected & 1, cell
        checked += 1
    assert checked > 100


@pytest.mark.parametrize(
    ("valid", "message"),
    [
        ("1'b0 & value_reg[0]", "no handshake for 50 cycles, given up at cycle 51"),
        ("1'b1", "a response without a request"),
    ],
)
def test_a_circuit_that_never_answers_or_answers_unasked_is_an_error(tmp_path, valid, message):
    synthesized(STREAMS.replace("{valid}", valid), "unit", tmp_path)
    netlist = Netlist.from_yosys_json(tmp_path / "netlist.json", library(), top="unit")
    with pytest.raises(FlowError, match=f"gate-level simulation of unit: .*{message}"):
        GateSimulator(netlist).run([[5, 6]], max_idle_cycles=50)


def test_a_plain_register_answers_one_cycle_later(tmp_path):
    synthesized(STREAMS.replace("{valid}", "full_reg"), "unit", tmp_path)
    netlist = Netlist.from_yosys_json(tmp_path / "netlist.json", library(), top="unit")
    run = GateSimulator(netlist).run([[5, 10, 15], [0, 0, 0]])
    assert run.responses == [[5, 10, 15], [0, 0, 0]]
    assert run.latencies.tolist() == [[1, 1, 1]] * 2
    # In the first lane, bits 0 and 2 go up, down and up again; bits 1 and 3 only go up.
    message = [run.activity.toggles[bit] for bit in netlist.ports["recv__msg"]]
    assert message == [3, 1, 3, 1]


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"a": ("INV_X1", {"A": 3, "ZN": 4}), "b": ("INV_X1", {"A": 4, "ZN": 3})}, "loop"),
        (
            {"a": ("DFF_X1", {"D": 3, "CK": 3, "Q": 4}), "b": ("INV_X1", {"A": 2, "ZN": 3})},
            r"a \(DFF_X1\) is not a flip-flop",
        ),
        ({"a": ("DLH_X1", {"D": 2, "G": 2, "Q": 4})}, r"a \(DLH_X1\) is not a flip-flop"),
    ],
)
def test_other_registers_and_loops_are_refused(tmp_path, cells, message):
    path = write_json(tmp_path, inputs={"clk": 2}, outputs={"q": 4}, cells=cells)
    netlist = Netlist.from_yosys_json(path, library(), top="top", clock="clk")
    with pytest.raises(FlowError, match=message):
        GateSimulator(netlist)


@pytest.mark.slow
def test_a_library_with_fields_in_another_order_is_refused(circuits, monkeypatch):
    lines = "    uint64_t lanes;\n", "    uint64_t count;\n"

    def reordered(records, enums):
        text = records_source(records, enums)
        assert "".join(lines) in text
        return text.replace("".join(lines), "".join(lines[::-1]))

    monkeypatch.setattr("rsaxcel.flow.gates.engine.records_source", reordered)
    simulator = GateSimulator(circuits("mulrem_r2l").netlist)
    with pytest.raises(ToolError, match=r"StreamBatch\.lanes has another layout in Python"):
        simulator.run([[1]])


def test_lanes_must_be_alike(simulator):
    for lanes in ([], [[1], [1, 2]], [[1]] * 65):
        with pytest.raises(ValueError, match="1 to 64 lanes of equal length"):
            simulator.run(lanes)


def test_activities_survive_their_file(tmp_path):
    plain = Activity(9, {3: 1.0}, {3: 0.5})
    delayed = Activity(7, {3: 2.0, 5: 0.0}, {3: 0.25, 5: 1.0}).delayed({3: 4.0}, {5: 1.0}, 3, 0.1)
    save_activities(tmp_path / "activity.npz", {"encrypt": delayed, "decrypt": plain})
    loaded = load_activities(tmp_path / "activity.npz")
    assert {k: vars(a) for k, a in loaded.items()} == {
        "encrypt": vars(delayed),
        "decrypt": vars(plain),
    }


def test_kernels_know_constants_and_sharing():
    a, b = BooleanFunction.variable("A"), BooleanFunction.variable("B")
    kernels = Kernels.of(library())
    assert kernels.number(~(a & b)) == kernels.number(BooleanFunction.parse("!(X & Y)"))
    assert kernels.inputs(kernels.number(~(a & b))) == 2
