"""Both engines of systems agree in every cycle; traces, limits and refusals."""

import random
from dataclasses import replace

import pytest

from rsaxcel.proc.isa import CSRS, RESET_VECTOR, Cause
from rsaxcel.proc.run import RunInterrupted
from rsaxcel.proc.systems import build_system
from rsaxcel.sim.native.build import BuildOptions
from rsaxcel.sim.stalls import NO_SYSTEM_STALLS, SystemStalls
from rsaxcel.sim.system import NativeSystem, open_system
from rsaxcel.sim.system_run import SystemRequest, check_system
from rsaxcel.sim.translate import translate
from tests.proc.cases.case import DATA, Case, Code
from tests.proc.cases.random_programs import random_program
from tests.proc.harness import SYSTEM_STALLS
from tests.shared.saif import read_saif
from tests.shared.yosys import through_yosys
from tests.sim.components import Gcd

pytestmark = pytest.mark.xdist_group("proc-null")

MAX_CYCLES = 20_000


@pytest.fixture(scope="module")
def native():
    return open_system("native", lambda: build_system("rtl"))


@pytest.fixture(scope="module")
def pymtl():
    return open_system("pymtl", lambda: build_system("rtl"))


@pytest.fixture(params=["native", "pymtl"])
def system(request):
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def program():
    """Short random program."""
    return random_program(random.Random(21), pieces=25)


def request_for(case, **options):
    return SystemRequest(case.image(), MAX_CYCLES, inputs=case.inputs, **options)


@pytest.mark.parametrize("latency", [1, 3])
@pytest.mark.parametrize("stalls", SYSTEM_STALLS.values(), ids=SYSTEM_STALLS)
def test_whole_runs_are_equal(native, pymtl, program, stalls, latency):
    request = request_for(program, stalls=stalls, latency=latency)
    run = native.run(request)
    assert run == pymtl.run(request)
    assert run.end.cause is Cause.ECALL


@pytest.mark.parametrize("cycle", [0, 1, 2, 3, 10, 50, 111])
def test_resets_are_equal(native, pymtl, program, cycle):
    stalls = SYSTEM_STALLS["random"]
    length = 1 + cycle % 3
    request = request_for(
        program,
        stalls=stalls,
        latency=2,
        power_up_cycles=length,
        reset_at=cycle,
        reset_cycles=length,
    )
    assert native.run(request) == pymtl.run(request)


def test_functional_and_circuit_differ_in_cycles_alone(native, program):
    for stalls in (NO_SYSTEM_STALLS, SYSTEM_STALLS["random"]):
        request = request_for(program, stalls=stalls)
        fl = open_system("pymtl", lambda: build_system("fl")).run(request)
        rtl = native.run(request)
        assert (fl.end, fl.messages, fl.instructions, fl.measured_instructions, fl.memory) == (
            rtl.end,
            rtl.messages,
            rtl.instructions,
            rtl.measured_instructions,
            rtl.memory,
        )
        assert fl.cycles != rtl.cycles


def counting_program():
    """Count the cycles in which ``stats_en`` is on: 1 + 10 instructions."""
    stats_en = CSRS["stats_en"].address
    code = Code().add("csrwi", csr=stats_en, imm=1).nops(10)
    return Case("counting", code.add("csrwi", csr=stats_en, imm=0).nops(3).end())


def test_counts(system):
    run = system.run(request_for(counting_program()))
    assert run.instructions == 17
    assert (run.measured_cycles, run.measured_instructions) == (11, 11)
    # One cycle per instruction, after the first fetch and the five stages.
    assert run.cycles == 17 + 5


def endless():
    """Program that sends 1, 2, 3 ... forever."""
    code = Code().load_constant(1, 0).add("addi", rd=1, rs1=1, imm=1).send(1)
    return Case("endless", tuple(code.add("jal", rd=0, imm=-8).words))


def test_limit_of_cycles(system):
    run = system.run(SystemRequest(endless().image(), 50))
    assert run.end is None
    assert run.cycles == 50
    assert run.messages == tuple(range(1, len(run.messages) + 1))
    assert len(run.messages) >= 10
    assert system.run(SystemRequest(endless().image(), 0)).cycles == 0


def test_limit_is_exact(system, program):
    """A limit of exactly the program's cycles is enough, one less is not."""
    whole = system.run(request_for(program))
    assert system.run(replace(request_for(program), max_cycles=whole.cycles)) == whole
    short = system.run(replace(request_for(program), max_cycles=whole.cycles - 1))
    assert (short.end, short.cycles) == (None, whole.cycles - 1)
    assert short.pc == whole.end.pc


@pytest.mark.parametrize("level", ["fl", "rtl"])
def test_place_of_a_program_that_is_given_up(level, native, request):
    component = open_system("pymtl", lambda: build_system("fl"))
    system = request.getfixturevalue("pymtl") if level == "rtl" else component
    loop = range(RESET_VECTOR + 8, RESET_VECTOR + 20, 4)
    for cycles in range(40, 50):
        given_up = SystemRequest(endless().image(), cycles)
        run = system.run(given_up)
        assert run.pc in loop
        if level == "rtl":
            assert native.run(given_up).pc == run.pc


def test_interrupted_run_tells_what_it_did(system):
    seen = []

    def interrupt(cycles):
        seen.append(cycles)
        if sum(seen) > 0:
            raise KeyboardInterrupt

    with pytest.raises(RunInterrupted) as caught:
        system.run(SystemRequest(endless().image(), 1 << 40), advance=interrupt)
    run = caught.value.run
    assert run.end is None
    assert run.cycles >= sum(seen)
    assert run.messages == tuple(range(1, len(run.messages) + 1))
    # A pass takes four cycles: two instructions, a jump that costs one.
    assert abs(len(run.messages) - run.cycles / 4) < 5
    assert run.pc in range(RESET_VECTOR + 8, RESET_VECTOR + 20, 4)


def test_waiting_for_an_input(system):
    code = Code()
    for register in (1, 2, 3):
        code.add("csrr", rd=register, csr=CSRS["mngr2proc"].address)
    image = Case("inputs", code.send(2).end()).image()
    run = system.run(SystemRequest(image, 200, inputs=[7, 8]))
    assert (run.end, run.inputs_taken, run.instructions) == (None, 2, 2)
    assert run.pc == RESET_VECTOR + 8
    run = system.run(SystemRequest(image, 200, inputs=[7, 2**32 - 1, 9, 10]))
    assert (run.end.cause, run.inputs_taken, run.messages) == (Cause.ECALL, 3, (2**32 - 1,))


def test_core_id_and_memory(system):
    code = Code().load_constant(1, DATA).add("csrr", rd=2, csr=CSRS["coreid"].address).send(2)
    words = code.add("sw", rs1=1, rs2=2, imm=4).add("lw", rd=3, rs1=1, imm=8).end()
    image = bytearray(RESET_VECTOR) + b"".join(word.to_bytes(4, "little") for word in words)
    run = system.run(SystemRequest(bytes(image), 200, core_id=0xC0FFEE, memory_nbytes=DATA + 12))
    assert run.messages == (0xC0FFEE,)
    assert run.memory[: len(image)] == image
    assert run.memory[DATA:] == bytes(4) + (0xC0FFEE).to_bytes(4, "little") + bytes(4)
    # With one word less of memory, the load faults.
    run = system.run(SystemRequest(bytes(image), 200, memory_nbytes=DATA + 8))
    assert (run.end.cause, run.end.value) == (Cause.OUTSIDE_MEMORY, DATA + 8)


def test_progress(native):
    """Progress reports some of the cycles while a program runs."""
    seen = []
    run = native.run(SystemRequest(endless().image(), 3_000_000), advance=seen.append)
    assert 0 < sum(seen) <= run.cycles


def test_an_unknown_engine_is_refused():
    with pytest.raises(ValueError, match="engine='other': expected one of native, pymtl"):
        open_system("other", lambda: build_system("rtl"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"latency": 0}, "latency=0: at least 1"),
        ({"max_cycles": -1}, "max_cycles=-1: 0 or more"),
        ({"reset_at": -1}, "reset_at=-1: a cycle number"),
        ({"reset_cycles": 0}, "reset_cycles=0: at least 1 cycle"),
        ({"power_up_cycles": 0}, "power_up_cycles=0: at least 1 cycle"),
        ({"power_up_seed": -1}, "power_up_seed=-1: 0 to"),
        ({"inputs": [1, 1 << 32]}, "input=4294967296: 32 bits"),
        ({"core_id": -1}, "core_id=-1: 32 bits"),
        ({"memory_nbytes": 100}, "image of 1048576 bytes: the memory has 100"),
    ],
)
def test_requests_out_of_range(program, options, message):
    with pytest.raises(ValueError, match=message):
        SystemRequest(**{"image": program.image(), "max_cycles": 1, **options})


def test_program_that_starts_elsewhere(program):
    image = program.image()
    image.entry = 0x400
    with pytest.raises(
        ValueError, match="random: entry point 0x400, but the processor starts at 0x200"
    ):
        SystemRequest(image, 1)


@pytest.mark.parametrize("engine", ["native", "pymtl"])
def test_component_without_the_ports(engine):
    with pytest.raises(ValueError, match=r"Gcd has no imem = MasterIfcRTL"):
        open_system(engine, lambda: Gcd(8))


def test_a_system_with_other_messages_of_its_memories():
    module = translate(build_system("rtl"), check=check_system)
    response = module.messages["dmem__resp__msg"]
    other = module.messages | {"dmem__resp__msg": replace(response, width=response.width + 1)}
    with pytest.raises(
        ValueError, match=r"dmem__resp__msg is not a MemRespMsg.* of rsaxcel\.proc\.ports"
    ):
        NativeSystem(replace(module, messages=other))


@pytest.mark.parametrize("options", [{"imem": 256}, {"mngr": -1}, {"seed": 0}])
def test_stalls_out_of_range(options):
    with pytest.raises(ValueError, match=f"system stalls x: {next(iter(options))}="):
        SystemStalls("x", **options)


def test_stalls_come_as_often_as_they_should():
    draws = SystemStalls("x", imem=64, dmem=128, seed=9).draws()
    goes = [next(draws) for _ in range(4000)]
    for channel, share in enumerate((0.75, 0.75, 0.5, 0.5, 1, 1)):
        assert sum(cycle[channel] for cycle in goes) / 4000 == pytest.approx(share, abs=0.04)


@pytest.mark.slow_cases("native")
def test_waveform(system, tmp_path):
    path = tmp_path / "run.vcd"
    case = counting_program()
    assert system.run(request_for(case), vcd=path) == system.run(request_for(case))
    text = path.read_text()
    assert "$enddefinitions" in text
    assert "stats_en" in text


def test_toggles(native, tmp_path):
    """Clock and counters toggle as often as the run's figures; the window has nothing else."""
    case = counting_program()
    run = native.run(request_for(case), saif=tmp_path / "run.saif")
    native.run(SystemRequest(case.image(), 0), saif=tmp_path / "none.saif")
    (duration, run_nets), (idle, none) = (
        read_saif(tmp_path / f"{name}.saif") for name in ("run", "none")
    )
    counts = {name: count for name, (_, count) in run_nets.items()}
    assert duration - idle == 1000 * run.cycles
    assert counts["clk"] - none["clk"][1] == 2 * run.cycles
    assert counts["stats_en"] == 2
    assert counts["commit_inst"] == 2  # no bubble between the first instruction and the last
    assert counts["trap_val"] == 1  # the end is in the last cycle of the window
    assert counts["reset"] == none["reset"][1]


@pytest.mark.slow
def test_netlist_runs_like_the_system(native, program, tmp_path):
    """Yosys reads the translated processor as Verilator does."""
    module = translate(build_system("rtl"), check=check_system)
    netlist = NativeSystem(
        through_yosys(module, tmp_path, [f"synth -flatten -top {module.top}", "check -assert"]),
        options=BuildOptions(netlist=True, optimize="-O1"),
    )
    for stalls in (NO_SYSTEM_STALLS, SYSTEM_STALLS["random"]):
        request = request_for(program, stalls=stalls)
        assert netlist.run(request) == native.run(request)
