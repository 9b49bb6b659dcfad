"""Resets in many cycles, and random power-up contents, of the processor and whole systems."""

import random
from dataclasses import replace

import pytest
from pymtl3 import DefaultPassGroup

from rsaxcel.fl.xcel import OPERANDS, Register, XcelRegisters
from rsaxcel.proc.isa import CSRS, XCEL_BASE
from rsaxcel.proc.kinds import ProcXcel
from rsaxcel.proc.proc_rtl import ProcRTL
from rsaxcel.proc.run import Devices, run_fl
from rsaxcel.proc.systems import find_system
from rsaxcel.sim.stalls import SystemStalls
from rsaxcel.sim.system import open_circuit, open_system
from rsaxcel.sim.system_run import SystemRequest
from tests.proc.cases.case import DATA, Case, Code
from tests.proc.cases.random_programs import random_program
from tests.proc.components import PlainRegisters, SlowRegisters
from tests.proc.harness import SYSTEM_STALLS

MEMORY_NBYTES = 0x4000
MAX_CYCLES = 20_000
LENGTHS = (1, 2, 3)
SYSTEMS = ("proc_mont_r2l", "proc_systolic_l2r_always")


def counting_program() -> Case:
    """Program that sends counters and system numbers between slow instructions."""
    code = Code().add("csrwi", csr=CSRS["stats_en"].address, imm=1)
    code.load_constant(1, 0x12345678).load_constant(2, DATA)
    for name in ("cycle", "instret", "coreid", "numcores"):
        code.add("csrr", rd=3, csr=CSRS[name].address).send(3)
        code.add("divu", rd=4, rs1=1, rs2=3).send(4).add("sw", rs1=2, rs2=4, imm=0)
        code.add("mulhu", rd=5, rs1=1, rs2=4).add("lw", rd=6, rs1=2, imm=0).send(6).send(5)
    code.add("csrr", rd=3, csr=CSRS["cycle"].address).send(3)
    return Case("counting", code.end())


def accelerator_program(configuration) -> Case:
    """Program that reads the accelerator's reset state, then makes good and refused calls."""
    code, modulus = Code(), 0xC0000013

    def put(register: int, value: int) -> None:
        code.load_constant(1, value).add("csrw", csr=XCEL_BASE + register, rs1=1)

    def get(register: int) -> None:
        code.add("csrr", rd=2, csr=XCEL_BASE + register).send(2)

    get(Register.STATE)
    get(Register.RESULT)
    put(Register.MODULUS, modulus)
    for word in configuration.constant_words(modulus):
        put(Register.CONSTANTS, word)
    put(Register.GO, 1)
    get(Register.GO)
    get(Register.RESULT)
    for operands in ((0x9ABCDEF1, 0xB, modulus), (modulus, 3, modulus), (5, 3, modulus)):
        for register, value in zip(OPERANDS[:2], operands, strict=False):
            put(register, value)
        put(Register.GO, 1)
        for register in (Register.GO, Register.RESULT, Register.STATE):
            get(register)
    return Case("accelerator", code.end())


class Bench:
    """Runs a program on a system, with and without resets."""

    def __init__(self, system, case, registers, **options):
        self.system = system
        image = case.image()
        contents = bytes(image.memory[:MEMORY_NBYTES])
        self.request = SystemRequest(
            contents, MAX_CYCLES, inputs=case.inputs, memory_nbytes=MEMORY_NBYTES, **options
        )
        self.golden = run_fl(image, Devices(registers), case.inputs)
        self.memory = bytes(image.memory[:MEMORY_NBYTES])
        self.first = self.run()

    def run(self, **options):
        """Run under other conditions, and check that the program's behaviour is the same."""
        run = self.system.run(replace(self.request, **options))
        assert (run.end, run.instructions) == (self.golden.end, self.golden.instructions), options
        assert run.measured_instructions == self.golden.measured_instructions, options
        assert run.memory == self.memory, options
        return run

    def check(self, **options):
        """Check that a run, after its reset, equals the first run in behaviour and cycles."""
        run = self.run(**options)
        end = options.get("reset_at", 0) + options.get("reset_cycles", 0)
        assert run == replace(self.first, cycles=end + self.first.cycles), options

    def check_everywhere(self, count: int) -> None:
        """Check ``count`` runs with a reset of 1 to 3 cycles, then random power-up contents."""
        step = max(1, self.first.cycles // count)
        for number, cycle in enumerate(range(0, self.first.cycles, step)):
            self.check(reset_at=cycle, reset_cycles=LENGTHS[number % len(LENGTHS)])
        for seed in range(1, 1 + count // 4):
            self.check(power_up_seed=seed, power_up_cycles=LENGTHS[seed % len(LENGTHS)])


@pytest.fixture(scope="module")
def slow_registers():
    return open_system("native", lambda: ProcXcel(ProcRTL(), SlowRegisters()))


PROGRAMS = {
    "counting": counting_program(),
    **{f"random_{seed}": random_program(random.Random(seed), pieces=20) for seed in range(3)},
}


@pytest.mark.xdist_group("proc-slow-registers")
@pytest.mark.parametrize("latency", [1, 2, 4])
@pytest.mark.parametrize("name", PROGRAMS)
def test_reset_in_many_cycles(slow_registers, name, latency):
    """After a reset in any cycle, the program runs as from the start, in the same cycles."""
    bench = Bench(slow_registers, PROGRAMS[name], PlainRegisters(), latency=latency)
    if name != "counting":
        assert bench.first.messages == bench.golden.messages
    bench.check_everywhere(200)


@pytest.mark.xdist_group("proc-slow-registers")
@pytest.mark.parametrize("stalls", SYSTEM_STALLS.values(), ids=SYSTEM_STALLS)
def test_reset_under_stalls(slow_registers, stalls):
    """Results are the same; cycles differ, because the sequence of stalls continues."""
    draw = random.Random(stalls.name)
    for seed in range(3):
        case = random_program(draw, pieces=20)
        drawn = SystemStalls(stalls.name, stalls.imem, stalls.dmem, stalls.mngr, seed=seed + 1)
        bench = Bench(slow_registers, case, PlainRegisters(), latency=1 + seed, stalls=drawn)
        for _ in range(100):
            run = bench.run(
                reset_at=draw.randrange(bench.first.cycles),
                reset_cycles=draw.choice(LENGTHS),
                power_up_seed=draw.getrandbits(64),
                power_up_cycles=draw.choice(LENGTHS),
            )
            assert run.messages == bench.golden.messages
            assert run.inputs_taken == bench.first.inputs_taken


@pytest.mark.slow_cases("proc_systolic_l2r_always", "proc_mont_r2l")
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.xdist_group(f"system-{n}")) for n in SYSTEMS]
)
def test_reset_of_a_whole_system(name):
    """A reset of processor and accelerator also clears the accelerator's registers."""
    system = find_system(name)
    registers = XcelRegisters(system.configuration)
    case = accelerator_program(system.configuration)
    for latency in (1, 3):
        bench = Bench(open_circuit(system), case, registers, latency=latency)
        registers = XcelRegisters(system.configuration)
        assert bench.first.messages == bench.golden.messages
        bench.check_everywhere(300)


def test_nothing_is_offered_during_a_reset():
    """From the second cycle of a reset on, no request: a memory without reset would answer it."""
    processor = ProcRTL()
    processor.elaborate()
    processor.apply(DefaultPassGroup())
    processor.imem.req.rdy @= 1
    processor.dmem.req.rdy @= 1
    processor.xcel.req.rdy @= 1
    processor.proc2mngr.rdy @= 1
    for running in (0, 1, 2, 5):
        processor.reset @= 0
        for _ in range(running):
            processor.sim_tick()
        processor.reset @= 1
        for _ in range(3):
            processor.sim_tick()
            streams = processor.imem.req, processor.dmem.req, processor.xcel.req
            assert not any(int(stream.val) for stream in (*streams, processor.proc2mngr))
