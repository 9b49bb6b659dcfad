"""Cycles of the pipeline: what each hazard costs with memories that answer in one cycle."""

import pytest

from rsaxcel.cl.lib import divider_cycles
from rsaxcel.proc.elf import Image
from rsaxcel.proc.isa import CSRS, XCEL_BASE, Cause
from rsaxcel.proc.systems import build_system, find_system
from rsaxcel.sim.system import open_system
from rsaxcel.sim.system_run import SystemRequest
from tests.proc.cases.case import DATA, Code


@pytest.fixture(scope="module")
def system():
    return open_system("pymtl", lambda: build_system("rtl"))


def measure(system, add_snippet, latency=1):
    """Cycles and instructions of a snippet with ``stats_en`` on."""
    cycles, instructions, _ = run(system, add_snippet, latency)
    return cycles, instructions


def run(system, add_snippet, latency=1):
    """Cycles and instructions of a snippet with ``stats_en`` on, and the messages."""
    code = Code().load_constant(1, DATA).load_constant(2, 1000).load_constant(3, 7)
    code.load_constant(9, code.pc + 8)
    stats_en = CSRS["stats_en"].address
    code.nops(4).add("csrwi", csr=stats_en, imm=1)
    add_snippet(code)
    code.add("csrwi", csr=stats_en, imm=0)
    memory = bytearray(DATA + 64)
    words = code.end()
    for i, word in enumerate(words):
        memory[0x200 + 4 * i : 0x204 + 4 * i] = word.to_bytes(4, "little")
    request = SystemRequest(
        Image("snippet", memory, 0x200), 2000, latency=latency, memory_nbytes=len(memory)
    )
    done = system.run(request)
    assert done.end.cause is Cause.ECALL
    # The instruction that switches on is counted, with the cycle after it.
    return done.measured_cycles - 1, done.measured_instructions - 1, done.messages


def lost(system, *steps):
    """Cycles in which no instruction of a snippet commits; steps are arguments of Code.add."""

    def add(code):
        for name, operands in steps:
            code.add(name, **operands)

    cycles, instructions = measure(system, add)
    return cycles - instructions


def step(name, **operands):
    return name, operands


NOP = step("addi", rd=0, rs1=0, imm=0)
LOAD = step("lw", rd=4, rs1=1, imm=0)
STORE = step("sw", rs1=1, rs2=2, imm=4)
USE_1 = step("add", rd=5, rs1=4, rs2=0)
USE_2 = step("add", rd=5, rs1=0, rs2=4)
MUL = step("mul", rd=4, rs1=2, rs2=3)
READ = step("csrr", rd=4, csr=CSRS["instret"].address)
XCEL_READ = step("csrr", rd=4, csr=XCEL_BASE + 2)
XCEL_WRITE = step("csrw", csr=XCEL_BASE + 2, rs1=2)
DIVIDE = step("divu", rd=4, rs1=2, rs2=3)

HAZARDS = {
    "nothing": ((NOP, NOP, NOP), 0),
    "alu-use": ((step("add", rd=4, rs1=2, rs2=3), USE_1, step("sub", rd=4, rs1=5, rs2=4)), 0),
    "load": ((LOAD, NOP, USE_1), 0),
    "load-use-1": ((LOAD, USE_1), 1),
    "load-use-2": ((LOAD, USE_2), 1),
    "load-store-data": ((LOAD, step("sw", rs1=1, rs2=4, imm=8)), 1),
    "load-of-x0-use": ((step("lw", rd=0, rs1=1, imm=0), step("add", rd=5, rs1=0, rs2=0)), 0),
    "load-unrelated-field": ((LOAD, step("addi", rd=5, rs1=2, imm=4)), 0),
    "loads": ((LOAD, step("lw", rd=6, rs1=1, imm=4), step("lw", rd=7, rs1=1, imm=8)), 0),
    "stores": ((STORE, STORE, STORE), 0),
    "store-load": ((STORE, step("lw", rd=6, rs1=1, imm=4), NOP), 0),
    "mul": ((MUL, NOP, USE_1), 0),
    "mul-use": ((MUL, USE_1), 1),
    "muls": ((MUL, step("mulhu", rd=6, rs1=2, rs2=3), step("mul", rd=7, rs1=3, rs2=3)), 0),
    "csr-use": ((READ, USE_1), 1),
    "xcel-write": ((XCEL_WRITE, XCEL_WRITE, XCEL_READ, NOP), 0),
    "xcel-use": ((XCEL_READ, USE_1), 1),
    "branch-not-taken": ((step("bne", rs1=0, rs2=0, imm=8), NOP), 0),
    "branch-taken": ((step("beq", rs1=0, rs2=0, imm=4), NOP), 2),
    "branch-back": ((step("beq", rs1=0, rs2=0, imm=8), NOP, NOP), 2),
    "load-branch": ((LOAD, step("bne", rs1=4, rs2=4, imm=8), NOP), 1),
    "fence": ((step("fence"), NOP), 0),
    "fence.i": ((step("fence.i"), NOP), 2),
    "store-fence.i": ((STORE, step("fence.i"), NOP), 2),
    "jal": ((step("jal", rd=6, imm=4), NOP), 1),
    "jal-jal": ((step("jal", rd=0, imm=4), step("jal", rd=0, imm=4)), 2),
    "divide-to-0": ((step("divu", rd=4, rs1=3, rs2=2), NOP), 0),
    "divide-1-byte": ((DIVIDE, NOP), divider_cycles(32, 2, 8, 1000 // 7) - 1),
    "divide-use": ((DIVIDE, USE_1), divider_cycles(32, 2, 8, 1000 // 7)),
    "divide-divide": ((DIVIDE, step("remu", rd=5, rs1=2, rs2=3)), 2 * 4 + 1),
    "divide-by-0": ((step("divu", rd=4, rs1=2, rs2=0), NOP), 16),
    "divide-multiply": ((DIVIDE, MUL, NOP), 4),
}


@pytest.mark.parametrize("name", HAZARDS)
def test_lost_cycles(system, name):
    steps, expected = HAZARDS[name]
    assert lost(system, *steps) == expected


def test_products_of_stage_x():
    """The instruction after a product does not wait."""
    early = open_system("pymtl", find_system("proc_null", proc_product_stage="X").component)
    differ = {"mul-use": 0}
    for name, (steps, expected) in HAZARDS.items():
        assert lost(early, *steps) == differ.get(name, expected), name
    assert lost(early, DIVIDE, MUL, USE_1) == 4
    squares = step("mul", rd=2, rs1=2, rs2=2)
    negative = step("mulhsu", rd=5, rs1=4, rs2=3)

    def add(code):
        code.add("addi", rd=2, rs1=0, imm=-3).add("mul", rd=4, rs1=2, rs2=3)
        code.add(negative[0], **negative[1]).add("mul", rd=6, rs1=5, rs2=4)
        code.add(squares[0], **squares[1]).add("mulhu", rd=7, rs1=2, rs2=4)
        for register in (4, 5, 6, 2, 7):
            code.add("csrw", csr=CSRS["proc2mngr"].address, rs1=register)

    _, _, messages = run(early, add)
    word = 1 << 32
    high = (9 * (word - 21)) >> 32
    assert messages == tuple(x % word for x in (-21, -1, 21, 9, high))


@pytest.mark.parametrize(("gap", "expected"), [(0, 3), (1, 2), (2, 1), (3, 1)])
def test_jump_to_a_register_waits_for_its_value(system, gap, expected):
    def add(code):
        code.add("auipc", rd=9, imm=0).nops(gap).add("jalr", rd=0, rs1=9, imm=4 * gap + 8)

    cycles, instructions = measure(system, add)
    assert cycles - instructions == expected


@pytest.mark.parametrize("latency", [1, 2, 3])
def test_one_instruction_per_memory_latency(system, latency):
    cycles, instructions = measure(system, lambda code: code.nops(20), latency)
    # Measured from commit to commit; the last commit is the one after the snippet.
    assert cycles + 1 == latency * (instructions + 1)
