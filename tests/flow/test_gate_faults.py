"""Faults in flip-flops and gates have the effects that follow from the circuit by hand."""

import random
from pathlib import Path

import pytest

from rsaxcel.flow.gates.circuit import FaultKind
from rsaxcel.flow.gates.engine import LANES
from rsaxcel.flow.gates.faults import IN_FLIP_FLOPS, FaultSimulator, Injection
from rsaxcel.flow.names import register_of
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.subjects.circuits import pack
from tests.flow.flow_circuits import library, synthesized
from tests.shared.harness import built_once

pytestmark = built_once("netlist", 8)

#: Accepts a message in cycle 0, rotates it by one bit at the ends of cycles 1 and 2, and responds
#: in cycle 3.
ROTATOR = Path(__file__).with_name("rotator.sv").read_text("utf-8")
REQUEST, RESPONSE, LATENCY = 0b0001, 0b0100, 3


@pytest.fixture(scope="module")
def rotator(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rotator")
    synthesized(ROTATOR, "rotator", folder)
    netlist = Netlist.from_yosys_json(folder / "netlist.json", library(), top="rotator")
    return FaultSimulator(netlist)


def numbers(simulator: FaultSimulator, *names: str) -> tuple[int, ...]:
    """Numbers of flip-flops by the names of their bits."""
    bits = [register_of(instance.name) for instance in simulator.flip_flops]
    return tuple(bits.index(name) for name in names)


VALUE = [f"value_reg[{i}]" for i in range(4)]
COUNT = [f"count_reg[{i}]" for i in range(2)]
NEVER = -1


@pytest.mark.parametrize(
    ("kind", "bits", "cycle", "response", "valid"),
    [
        pytest.param("FLIP", VALUE[:1], 1, 0b0000, 3, id="flip-at-once"),
        pytest.param("FLIP", VALUE[:1], 2, 0b0110, 3, id="flip-midway"),
        pytest.param("FLIP", VALUE[:1], 3, 0b0101, 3, id="flip-in-the-response"),
        pytest.param("FLIP", VALUE[:1], 4, RESPONSE, 3, id="flip-after-the-response"),
        pytest.param("FLIP", COUNT[1:], 1, 0b0001, 1, id="flip-ends-early"),
        pytest.param("FLIP", COUNT[:1], 1, 0, NEVER, id="flip-forgets-the-request"),
        pytest.param("STUCK_AT_1", VALUE[:1], 2, 0b0111, 3, id="stuck-at-1"),
        pytest.param("STUCK_AT_0", VALUE[1:2], 2, 0b0000, 3, id="stuck-at-0"),
        pytest.param("STUCK_AT_0", VALUE[1:2], 3, RESPONSE, 3, id="stuck-at-its-value"),
        pytest.param("STUCK_AT_0", COUNT[1:], 1, 0, NEVER, id="stuck-never-responds"),
        pytest.param("SKIP", VALUE, 2, 0b0010, 3, id="skip-a-rotation"),
        pytest.param("SKIP", VALUE[:1], 2, 0b0110, 3, id="skip-one-bit"),
        pytest.param("SKIP", COUNT, 2, 0b1000, 4, id="skip-a-count"),
        pytest.param("SKIP", COUNT, 1, 0, NEVER, id="skip-the-acceptance"),
    ],
)
def test_a_fault_in_flip_flops(rotator, kind, bits, cycle, response, valid):
    fault = Injection(FaultKind[kind], numbers(rotator, *bits), cycle)
    run = rotator.run_faulty([REQUEST] * 3, [None, fault, None], max_cycles=20)
    assert run.responses == [RESPONSE, response, RESPONSE]
    assert run.valid == [LATENCY, valid, LATENCY]
    assert run.accepted == [0, 0, 0]


def test_a_transient_in_the_gate_of_an_output(rotator):
    """The gate of send.val is inverted in cycle 1: the message leaves before it is rotated."""
    (net,) = rotator.netlist.ports["send__val"]
    gate = [instance.nets[pin] for instance, pin in rotator.gates].index(net)
    early = Injection(FaultKind.TRANSIENT, (gate,), 1)
    run = rotator.run_faulty([REQUEST] * 2, [None, early], max_cycles=20)
    assert (run.responses, run.valid) == ([RESPONSE, REQUEST], [LATENCY, 1])


def test_a_transient_before_a_flip_flop_is_a_flip_after_it(circuits):
    """A gate that only feeds a flip-flop: its transient is the flip of the next cycle."""
    circuit = circuits("mulrem_r2l")
    simulator = FaultSimulator(circuit.netlist)
    request = pack(circuit.module.request, circuit.configuration.request(200, 0b1011, 251))
    gates = {instance.nets[pin]: n for n, (instance, pin) in enumerate(simulator.gates)}
    outputs = {bit for bits in circuit.netlist.ports.values() for bit in bits}
    clocks = circuit.netlist.clock_branches
    pairs = [
        (gates[flip_flop.nets["D"]], number)
        for number, flip_flop in enumerate(simulator.flip_flops)
        if flip_flop.nets["D"] in gates
        and len(circuit.netlist.loads[flip_flop.nets["D"]]) == 1
        and flip_flop.nets["D"] not in outputs
        and not clocks[flip_flop.nets["CK"]].enables
    ]
    assert len(pairs) > 3
    draw = random.Random(5)
    differing = set()
    for gate, number in pairs:
        cycles = [draw.randrange(1, 25) for _ in range(16)]
        transients = [Injection(FaultKind.TRANSIENT, (gate,), cycle) for cycle in cycles]
        flips = [Injection(FaultKind.FLIP, (number,), cycle + 1) for cycle in cycles]
        run = simulator.run_faulty([request] * 32, transients + flips, max_cycles=100)
        ends = list(zip(run.responses, run.valid, strict=True))
        assert ends[:16] == ends[16:]
        differing |= set(ends)
    assert len(differing) > 3


def test_lanes_do_not_disturb_each_other(circuits):
    """64 faults of all kinds at once have the effects that each has alone; others have none."""
    circuit = circuits("mulrem_r2l")
    simulator = FaultSimulator(circuit.netlist)
    row = (200, 0b1011, 251)
    request = pack(circuit.module.request, circuit.configuration.request(*row))
    draw = random.Random(3)
    faults: list[Injection | None] = []
    for lane in range(LANES):
        kind = draw.choice(list(FaultKind))
        places = simulator.flip_flops if kind in IN_FLIP_FLOPS else simulator.gates
        fault = Injection(kind, (draw.randrange(len(places)),), draw.randrange(1, 25))
        faults.append(None if lane % 8 == 7 else fault)
    together = simulator.run_faulty([request] * LANES, faults, max_cycles=100)
    ends = list(zip(together.responses, together.valid, strict=True))
    for lane, fault in enumerate(faults):
        alone = simulator.run_faulty([request], [fault], max_cycles=100)
        assert (alone.responses[0], alone.valid[0]) == ends[lane]
    plain = simulator.run([[request]])
    assert {ends[lane] for lane in range(7, LANES, 8)} == {
        (plain.responses[0][0], int(plain.valid[0, 0]))
    }
    assert plain.responses[0][0] == pack(circuit.module.response, (pow(*row), 0))
    assert len(set(ends)) > 5


def test_a_fault_before_the_first_edge_is_refused(rotator):
    with pytest.raises(ValueError, match="cycle=0: faults are possible from cycle 1 on"):
        rotator.run_faulty([REQUEST], [Injection(FaultKind.FLIP, (0,), 0)], max_cycles=9)


def test_a_run_ends_at_its_limit(rotator):
    """A response counts up to the last cycle of the limit."""
    for limit, valid in ((LATENCY + 1, LATENCY), (LATENCY, NEVER)):
        assert rotator.run_faulty([REQUEST], [None], max_cycles=limit).valid == [valid]
