"""The circuit against the simulator: random programs under stalls everywhere, resets in flight."""

import random

import pytest

from rsaxcel.proc.isa import XCEL_BASE
from rsaxcel.proc.kinds import ProcXcel
from rsaxcel.proc.proc_rtl import ProcRTL
from rsaxcel.proc.run import Devices, run_fl
from rsaxcel.sim.stalls import SystemStalls
from rsaxcel.sim.system import open_system
from rsaxcel.sim.system_run import SystemRequest
from tests.proc.cases.case import DATA, Case, Code
from tests.proc.cases.random_programs import random_program
from tests.proc.components import PlainRegisters, SlowRegisters, Watched
from tests.proc.harness import SYSTEM_STALLS

pytestmark = pytest.mark.xdist_group("proc-slow-registers")

MAX_CYCLES = 200_000


@pytest.fixture(scope="module")
def native():
    return open_system("native", lambda: ProcXcel(ProcRTL(), SlowRegisters()))


def check(case, run):
    """Compare end, messages, number of instructions and the memory with the simulator's."""
    image = case.image()
    expected = run_fl(image, Devices(PlainRegisters()), case.inputs)
    assert (run.end, run.messages, run.instructions, run.inputs_taken) == (
        expected.end,
        expected.messages,
        expected.instructions,
        sum(word & 0xFFF0707F == 0xFC002073 for word in case.words),
    )
    assert run.measured_instructions == expected.measured_instructions
    assert run.memory == image.memory


@pytest.mark.quick_cases("1-no_stalls", "1-random", "5-slow_dmem")
@pytest.mark.parametrize("stalls", SYSTEM_STALLS.values(), ids=SYSTEM_STALLS)
@pytest.mark.parametrize("latency", [1, 2, 5])
def test_random_programs(native, stalls, latency):
    for seed in range(40):
        case = random_program(random.Random(f"{stalls.name} {latency} {seed}"), pieces=60)
        drawn = SystemStalls(stalls.name, stalls.imem, stalls.dmem, stalls.mngr, seed=seed + 1)
        request = SystemRequest(
            case.image(), MAX_CYCLES, inputs=case.inputs, latency=latency, stalls=drawn
        )
        check(case, native.run(request))


def accelerator_program():
    """Program with back-to-back accelerator and memory accesses, whose results are used at once."""
    code = Code().load_constant(1, DATA)
    for i in range(24):
        register = XCEL_BASE + i % 5
        code.add("addi", rd=2, rs1=0, imm=3 * i).add("csrw", csr=register, rs1=2)
        code.add("sw", rs1=1, rs2=2, imm=4 * i).add("csrr", rd=3, csr=register)
        code.add("add", rd=4, rs1=3, rs2=3).add("lw", rd=5, rs1=1, imm=4 * i)
        code.add("csrw", csr=XCEL_BASE + 31, rs1=4).add("csrr", rd=6, csr=XCEL_BASE + 31)
        code.send(6).add("mul", rd=7, rs1=6, rs2=5).send(7).add("divu", rd=8, rs1=7, rs2=3).send(8)
    return Case("accelerator", code.end())


@pytest.mark.parametrize("stalls", SYSTEM_STALLS.values(), ids=SYSTEM_STALLS)
def test_slow_accelerator(native, stalls):
    case = accelerator_program()
    check(case, native.run(SystemRequest(case.image(), MAX_CYCLES, stalls=stalls)))


@pytest.mark.parametrize("latency", [1, 2])
def test_offers_stay_until_they_are_accepted(latency):
    built = []

    def build():
        built.append(Watched(ProcRTL(), SlowRegisters()))
        return built[-1]

    system = open_system("pymtl", build)
    stalls = SystemStalls("everything", imem=80, dmem=120, mngr=120, seed=77)
    for case in (accelerator_program(), random_program(random.Random(8))):
        request = SystemRequest(
            case.image(), MAX_CYCLES, inputs=case.inputs, latency=latency, stalls=stalls
        )
        check(case, system.run(request))
    assert built[-1].violations == []
    assert built[-1].waits > 100
