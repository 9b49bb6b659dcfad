"""Processor systems in the flow: programs run on the netlist as on the RTL."""

import random
from dataclasses import replace

import pytest

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.gates.engine import LANES
from rsaxcel.flow.gates.level import GateLevel
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.run import run_flow
from rsaxcel.flow.subjects import find_target
from rsaxcel.flow.subjects.system import GateSystem, SystemSubject
from rsaxcel.proc.systems import find_system
from rsaxcel.sim.system import open_circuit
from rsaxcel.sim.system_run import SystemRequest, check_system
from rsaxcel.sim.translate import translate
from tests.flow.flow_circuits import library, synthesized
from tests.proc.cases.control import control_cases
from tests.proc.cases.memory import memory_cases
from tests.proc.cases.random_programs import random_program
from tests.proc.harness import SYSTEM_STALLS

pytestmark = pytest.mark.xdist_group("proc-null")

SYSTEM = find_system("proc_null")
MAX_CYCLES = 100_000
EXPONENTS = {"encrypt": 65537, "decrypt": 0b1011}
KINDS = {exponent: kind for kind, exponent in EXPONENTS.items()}


@pytest.fixture(scope="module")
def rtl():
    return open_circuit(SYSTEM)


@pytest.fixture(scope="module")
def module():
    return translate(SYSTEM.component(), SYSTEM.design_name, check=check_system)


@pytest.fixture(scope="module")
def netlist(module, tmp_path_factory):
    folder = tmp_path_factory.mktemp("proc_null")
    synthesized(module.text, SYSTEM.design_name, folder)
    return Netlist.from_yosys_json(folder / "netlist.json", library(), top=SYSTEM.design_name)


@pytest.fixture(scope="module")
def gates(netlist):
    return GateSystem(netlist)


def requests_of(cases, **options):
    return [SystemRequest(c.image(), MAX_CYCLES, inputs=c.inputs, **options) for c in cases]


@pytest.mark.slow_cases("3", "1")
@pytest.mark.parametrize("latency", [1, 3])
def test_random_programs_with_all_that_they_leave_behind(gates, rtl, module, latency):
    draw = random.Random(latency)
    requests = requests_of([random_program(draw, pieces=60) for _ in range(LANES)], latency=latency)
    runs, activity = gates.run(requests, module.messages)
    assert runs == [rtl.run(request) for request in requests]
    assert len({run.cycles for run in runs}) > LANES // 2
    # The cycle in which the end of a program is visible counts, too.
    assert activity.cycles == sum(run.cycles + 1 for run in runs)


def test_faults_end_as_on_the_rtl(gates, rtl, module):
    cases = [c for c in (*control_cases(), *memory_cases()) if c.cause.is_fault]
    assert len(cases) > 10
    for start in range(0, len(cases), LANES):
        requests = requests_of(cases[start : start + LANES])
        runs, _ = gates.run(requests, module.messages)
        assert runs == [rtl.run(request) for request in requests]


def test_toggles_are_counted_only_while_a_program_runs(gates, module):
    case = random_program(random.Random(5), pieces=30)
    (short,), (long,) = requests_of([case]), requests_of([random_program(random.Random(6), 90)])
    alone = gates.run([short], module.messages)[1]
    other = gates.run([long], module.messages)[1]
    both = gates.run([short, long], module.messages)[1]
    assert both.cycles == alone.cycles + other.cycles
    for bit, count in both.toggles.items():
        assert count == alone.toggles[bit] + other.toggles[bit]


def test_a_program_without_end_is_told(gates, module):
    (request,) = requests_of([random_program(random.Random(7), pieces=60)])
    short = SystemRequest(request.image, 40, inputs=request.inputs)
    with pytest.raises(FlowError, match="proc_null: no end within 40 cycles"):
        gates.run([short], module.messages)


def test_stalls_resets_and_core_ids_are_those_of_the_rtl(gates, rtl, module):
    draw, options = random.Random(9), {"stalls": SYSTEM_STALLS["random"], "core_id": 0xC0FFEE}
    options |= {"latency": 2, "power_up_cycles": 5, "reset_at": 400, "reset_cycles": 3}
    cases = [random_program(draw, pieces=pieces) for pieces in range(5, 45)]
    requests = requests_of(cases, **options)
    runs, activity = gates.run(requests, module.messages)
    assert runs == [rtl.run(request) for request in requests]
    reset = [run for run in runs if run.cycles > 400]
    assert len(runs) // 4 < len(reset) < len(runs)
    # Toggles of a reset do not count.
    assert activity.cycles == sum(run.cycles + 1 for run in runs) - 3 * len(reset)


def test_what_is_not_simulated_is_refused(gates, module):
    case = random_program(random.Random(7), pieces=5)
    with pytest.raises(ValueError, match="power_up_seed=5: gates take registers from a generator"):
        gates.run(requests_of([case], power_up_seed=5), module.messages)
    request = module.messages["imem__req__msg"]
    other = module.messages | {"imem__req__msg": replace(request, fields=request.fields[::-1])}
    with pytest.raises(
        ValueError, match=r"imem__req__msg is not a MemReqMsg.* of rsaxcel\.proc\.ports"
    ):
        gates.run(requests_of([case]), other)


def test_number_and_limits_of_programs_are_checked(gates, module):
    case = random_program(random.Random(7), pieces=5)
    with pytest.raises(ValueError, match="65 programs: 1 to 64"):
        gates.run(requests_of([case] * 65), module.messages)
    with pytest.raises(ValueError, match="latency differs"):
        gates.run([*requests_of([case]), *requests_of([case], latency=2)], module.messages)
    slow = requests_of([case], stalls=SYSTEM_STALLS["random"])
    with pytest.raises(ValueError, match="stalls differs"):
        gates.run([*requests_of([case]), *slow], module.messages)


def test_a_wrong_netlist_is_found_out(netlist, module, monkeypatch):
    """A product bit that is stuck at 0 in the netlist is reported."""
    wrong = GateSystem(netlist)
    cells = [x for x in netlist.instances if x.cell.sequential is not None]
    registers = [x.name for x in cells if not x.cell.clock_gate]
    (stuck,) = (i for i, name in enumerate(registers) if "muldiv.product_reg[7]" in name)
    wrong.circuit.states[stuck] = 0
    monkeypatch.setattr("rsaxcel.flow.subjects.system.GateSystem", lambda *_: wrong)
    with pytest.raises(FlowError, match=r"naive on the netlist of proc_null, .*65537 mod"):
        list(SystemSubject(SYSTEM).simulate(GateLevel(netlist), module, EXPONENTS))


@pytest.mark.slow
def test_the_record_has_every_program_and_operation(tmp_path):
    record = run_flow(SYSTEM, operations=EXPONENTS, directory=tmp_path).as_json()
    assert record["design"] == "proc_null"
    assert {"proc", "xcel"} < set(record["area_by_module"])
    programs = ("naive", "montgomery", "dummy")
    assert list(record["operations"]) == [f"{p}_{o}" for p in programs for o in EXPONENTS]
    for name, operation in record["operations"].items():
        assert name == f"{operation['program']}_{KINDS[operation['exponent']]}"
        assert operation["operations"] == 32
        assert 0 < operation["measured_cycles"] < operation["cycles"]
        time_ns = operation["cycles_counted"] / 32 * record["power_period_ns"]
        assert operation["energy_nj"] == pytest.approx(operation["power_mw"] * time_ns * 1e-3)
    dummy = record["operations"]["dummy_encrypt"]
    assert dummy["measured_cycles"] < 30
    for program in ("naive", "montgomery"):
        done = record["operations"][f"{program}_encrypt"]
        # The dummy costs what a program costs besides its exponentiation.
        overhead = done["cycles"] - done["measured_cycles"]
        assert overhead == pytest.approx(dummy["cycles"] - dummy["measured_cycles"], abs=10)


def test_names_of_systems_and_designs(tmp_path):
    assert find_target("proc_mont_r2l", 32, {"stages": "8"}).key == "proc_mont_r2l_32_stages_8"
    assert find_target("mont_r2l", 32, {}).name == "mont_r2l_32"
    with pytest.raises(
        ValueError, match="system 'proc_mont' is unknown; allowed: proc_null, proc_"
    ):
        find_target("proc_mont", 32, {})
    with pytest.raises(ValueError, match=r"stages=8: not a parameter of proc_null; allowed: proc_"):
        find_target("proc_null", 32, {"stages": "8"})
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_system_with_a_bus(tmp_path):
    """Polling and waiting programs are right on the netlist; waiting takes less power."""
    system = find_system("axi_mulrem_r2l", 16)
    record = run_flow(system, directory=tmp_path).as_json()
    powers = {name: found["power_mw"] for name, found in record["operations"].items()}
    assert set(powers) == {f"{x}_{kind}" for x in system.programs for kind in EXPONENTS}
    for kind in EXPONENTS:
        assert powers[f"axi_interrupt_{kind}"] < powers[f"axi_{kind}"]
