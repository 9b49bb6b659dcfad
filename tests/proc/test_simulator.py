"""The instruction-set simulator beyond single instructions: limits, code that changes, wrap."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsaxcel.fl.xcel import XcelRegisters
from rsaxcel.proc.isa import CSRS, RESET_VECTOR, Cause
from rsaxcel.proc.iss import Simulator
from tests.proc.cases.case import DATA, Case, Code
from tests.proc.cases.random_programs import random_program
from tests.proc.harness import ACCELERATOR, check, run_simulator, run_system


def simulator(case, **hooks):
    return Simulator(case.image().memory, RESET_VECTOR, **hooks)


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 60))
def test_random_programs_agree_with_the_component(draw, pieces):
    case = random_program(draw, pieces)
    assert run_system("fl", case.image(), case.inputs) == run_simulator(case.image(), case.inputs)


def test_going_on_after_every_instruction_changes_nothing():
    case = random_program(random.Random("steps"), pieces=100)
    whole = run_simulator(case.image(), case.inputs)
    messages, inputs = [], iter(case.inputs)
    registers = XcelRegisters(ACCELERATOR)
    stepped = simulator(
        case,
        proc2mngr=messages.append,
        mngr2proc=lambda: next(inputs, None),
        xcel_read=registers.read,
        xcel_write=registers.write,
    )
    for executed in range(1, whole.instructions):
        assert stepped.run(executed) is None
        assert stepped.instret == executed
    assert stepped.run(whole.instructions) is stepped.end is not None
    assert (stepped.end, stepped.instret) == (whole.end, whole.instructions)
    assert tuple(messages) == whole.messages
    assert stepped.run(10**9) is stepped.end


def test_limit_ends_a_loop_that_is_endless():
    code = Code().add("addi", rd=1, rs1=1, imm=1).add("beq", rs1=0, rs2=0, imm=-4)
    endless = simulator(Case("endless", tuple(code.words)))
    for limit in (1, 2, 7, 130, 1001, 1002):
        assert endless.run(limit) is None
        assert endless.instret == limit
        assert endless.registers[1] == (limit + 1) // 2
        assert endless.pc == RESET_VECTOR + 4 * (limit % 2)
    assert not endless.waiting


def test_missing_message_is_waited_for():
    number = CSRS["mngr2proc"].address
    code = Code().send_constant(1).add("csrr", rd=1, csr=number).send(1)
    messages, inputs = [], []
    waiting = simulator(
        Case("wait", code.end()),
        proc2mngr=messages.append,
        mngr2proc=lambda: inputs.pop() if inputs else None,
    )
    for _ in range(2):
        assert waiting.run(100) is None
        assert (waiting.waiting, waiting.pc, waiting.instret) == (True, RESET_VECTOR + 4, 1)
    inputs.append(0xCAFE)
    assert waiting.run(100).cause is Cause.ECALL
    assert not waiting.waiting
    assert (messages, waiting.instret) == ([1, 0xCAFE], 5)


def test_hooks_see_the_instructions_before_them():
    seen = []
    code = Code().nops(2).add("csrwi", csr=CSRS["stats_en"].address, imm=3).nops(3)
    code.add("csrw", csr=CSRS["stats_en"].address, rs1=0)
    code.load_constant(1, 0xFFFFFFFF).add("csrw", csr=CSRS["xcel31"].address, rs1=1)
    code.add("csrr", rd=2, csr=CSRS["xcel0"].address).send(2)
    watched = simulator(
        Case("hooks", code.end()),
        stats_en=lambda value: seen.append(("stats", value, watched.instret)),
        xcel_write=lambda register, value: seen.append((register, value, watched.instret)),
        xcel_read=lambda register: 1 << 33 | register + 7,
        proc2mngr=lambda value: seen.append(("message", value, watched.instret)),
    )
    watched.run(100)
    assert seen == [("stats", 1, 2), ("stats", 0, 6), (31, 0xFFFFFFFF, 9), ("message", 7, 11)]


def test_code_that_rewrites_itself():
    """Each pass increments the immediate of an instruction in the loop, one in the same block."""
    code = Code().load_constant(1, 4).load_constant(2, RESET_VECTOR + 4 * 8)
    code.load_constant(3, 1 << 20)
    code.add("lw", rd=4, rs1=2, imm=0).add("add", rd=4, rs1=4, rs2=3)
    loop = RESET_VECTOR + 4 * 6
    assert code.pc == RESET_VECTOR + 4 * 8
    code.add("addi", rd=5, rs1=0, imm=10).send(5).add("sw", rs1=2, rs2=4, imm=0)
    code.add("addi", rd=1, rs1=1, imm=-1).add("bne", rs1=1, rs2=0, imm=loop - code.pc - 4)
    case = Case("rewrite", code.end(), (10, 11, 12, 13))
    check(case, run_simulator(case.image()))
    check(case, run_system("fl", case.image()))


def test_data_beside_code_can_be_written():
    """Stores of every size directly after the code, in a loop, work."""
    code = Code().load_constant(1, 100).add("auipc", rd=2, imm=0)
    code.add("lw", rd=3, rs1=2, imm=40).add("addi", rd=3, rs1=3, imm=1)
    code.add("sw", rs1=2, rs2=3, imm=40).add("sb", rs1=2, rs2=3, imm=44)
    code.add("addi", rd=1, rs1=1, imm=-1).add("bne", rs1=1, rs2=0, imm=-20)
    code.send(3).add("addi", rd=10, rs1=0, imm=0).add("ecall")
    words = (*code.words, 5, 0)
    assert len(words) == 2 + 12
    case = Case("beside", words, (105,))
    check(case, run_simulator(case.image()))


def test_end_of_memory_is_the_end_of_the_code():
    nop = 0x13
    memory = bytearray(b"".join(nop.to_bytes(4, "little") for _ in range(16)))
    short = Simulator(memory, 0)
    end = short.run(100)
    assert (end.cause, end.pc, end.value) == (Cause.OUTSIDE_MEMORY, 64, 64)
    assert short.instret == 16


@pytest.mark.parametrize("pc", [0x202, 0x201])
def test_misaligned_start(pc):
    assert Simulator(bytearray(1024), pc).run(10).cause is Cause.MISALIGNED


@pytest.mark.parametrize("nbytes", [0, 5])
def test_memory_of_a_wrong_size(nbytes):
    with pytest.raises(ValueError, match=f"memory of {nbytes} bytes"):
        Simulator(bytearray(nbytes))


def test_addresses_wrap():
    """Addresses are computed modulo 2**32."""
    code = Code().load_constant(1, 0xFFFFFFFC).load_constant(2, DATA)
    code.add("lw", rd=3, rs1=1, imm=0x204).send(3)
    case = Case("wrap", code.end(), ())
    expected = case.words[0]
    outcome = run_simulator(case.image())
    assert outcome.messages == (expected,)
