"""Test programs of branches, jumps, control registers, fences and ends of programs."""

from rsaxcel.proc.isa import CSRS, MEMORY_NBYTES, RESET_VECTOR, XCEL_BASE, Cause
from tests.proc.cases.case import DATA, Case, Code, unsigned

_PAIRS = ((0, 0), (1, 2), (2, 1), (-1, 1), (1, -1), (-2, -1), (-(1 << 31), (1 << 31) - 1))
#: Positions in _PAIRS of the pairs for which a branch is taken, by mnemonic.
_TAKEN = {
    "beq": {0},
    "bne": {1, 2, 3, 4, 5, 6},
    "blt": {1, 3, 5, 6},
    "bge": {0, 2, 4},
    "bltu": {1, 4, 5},
    "bgeu": {0, 2, 3, 6},
}


def _branch_case(name: str) -> Case:
    """Send 1 if a branch is not taken, then 2; x7 counts the branches not taken."""
    code, messages = Code().load_constant(7, 0), []
    for position, (a, b) in enumerate(_PAIRS):
        code.load_constant(1, a).load_constant(2, b).nops(position % 4)
        code.add(name, rs1=1, rs2=2, imm=12).send_constant(1).add("addi", rd=7, rs1=7, imm=1)
        code.send_constant(2)
        messages += [2] if position in _TAKEN[name] else [1, 2]
    code.send(7)
    return Case(name, code.end(), (*messages, len(_PAIRS) - len(_TAKEN[name])))


def _loop_case() -> Case:
    """Branch backwards, taken four times."""
    code = Code().load_constant(1, 5).load_constant(2, 0)
    code.add("add", rd=2, rs1=2, rs2=1).add("addi", rd=1, rs1=1, imm=-1)
    code.add("bne", rs1=1, rs2=0, imm=-8).send(2)
    return Case("loop", code.end(), (15,), instructions=4 + 3 * 5 + 1 + 2)


def _jal_case() -> Case:
    code = Code()
    link = code.pc + 4
    code.add("jal", rd=1, imm=16)  # to the second jump
    code.send_constant(3).add("jal", rd=0, imm=16).send_constant(9)
    code.add("jal", rd=2, imm=-12).send_constant(9)  # back to the first message
    code.send(1).send(2)
    return Case("jal", code.end(), (3, link, link + 16), instructions=8)


def _jalr_case() -> Case:
    code = Code()
    base = code.pc
    code.add("auipc", rd=1, imm=0)
    code.add("jalr", rd=1, rs1=1, imm=13)  # clears the lowest bit; reads rd's old value
    code.send_constant(9)
    code.send(1).nops(1)
    code.add("jalr", rd=0, rs1=1, imm=20).send_constant(9).send_constant(4)
    return Case("jalr", code.end(), (base + 8, 4), instructions=8)


def _self_branch_case(name: str) -> Case:
    """Branch to itself: not taken, it continues; taken, it ends the run."""
    code = Code().load_constant(7, DATA)
    not_taken = next(i for i in range(len(_PAIRS)) if i not in _TAKEN[name])
    a, b = _PAIRS[not_taken]
    code.load_constant(1, a).load_constant(2, b).add(name, rs1=1, rs2=2, imm=0).send_constant(1)
    a, b = _PAIRS[min(_TAKEN[name])]
    code.load_constant(1, a).load_constant(2, b)
    pc = code.pc
    code.add(name, rs1=1, rs2=2, imm=0).send_constant(9).add("sw", rs1=7, rs2=7, imm=0)
    words = code.end()
    return Case(
        f"self-{name}", words, (1,), Cause.SELF_JUMP, pc=pc, value=0, instructions=2 + 6 + 5
    )


def _upper_halves_case() -> Case:
    """Read the upper halves of the counters, which are zero for the first 2**32."""
    code = Code()
    for name in ("cycleh", "instreth"):
        code.load_constant(1, -1).add("csrr", rd=1, csr=CSRS[name].address).send(1)
    return Case("upper-halves", code.end(), (0, 0))


def _csr_case() -> Case:
    """Read and write control registers, with csrw and csrwi."""

    def number(name: str) -> int:
        return CSRS[name].address

    code = Code().load_constant(1, 0xDEADBEEF).send(1).send_constant(31)
    code.add("csrr", rd=2, csr=number("instret")).send(2)
    code.add("csrr", rd=3, csr=number("coreid")).send(3)
    code.add("csrr", rd=4, csr=number("numcores")).send(4)
    code.add("csrwi", csr=number("stats_en"), imm=1).add("csrw", csr=number("stats_en"), rs1=0)
    code.add("csrr", rd=5, csr=number("instret")).add("sub", rd=5, rs1=5, rs2=2).send(5)
    return Case("csr", code.end(), (0xDEADBEEF, 31, 4, 0, 1, 8))


def _cycle_case() -> Case:
    """Check that the cycle counter counts at least one per instruction."""
    number = CSRS["cycle"].address
    code = Code().add("csrr", rd=1, csr=number).nops(5).add("csrr", rd=2, csr=number)
    code.add("sub", rd=3, rs1=2, rs2=1).add("sltiu", rd=4, rs1=3, imm=6).send(4)
    return Case("cycle", code.end(), (0,))


def _mngr_case() -> Case:
    number = CSRS["mngr2proc"].address
    code = Code().add("csrr", rd=1, csr=number).add("csrr", rd=0, csr=number)
    code.add("csrr", rd=2, csr=number).add("sub", rd=3, rs1=1, rs2=2).send(3).send(1)
    inputs = (0xFFFFFFFF, 5, 9)
    return Case("mngr2proc", code.end(), (unsigned(-1 - 9), 0xFFFFFFFF), inputs=inputs)


def xcel_case(base: int, exponent: int, modulus: int, words: int = 1) -> Case:
    """Program that drives an accelerator with one-word operands; sends width, status, result."""
    code = Code().load_constant(1, base).load_constant(2, exponent).load_constant(3, modulus)
    for register in (1, 2, 3):
        code.add("csrw", csr=XCEL_BASE + register, rs1=register)
    code.add("csrr", rd=4, csr=XCEL_BASE + 1).send(4)
    code.add("csrwi", csr=XCEL_BASE, imm=1).add("csrr", rd=5, csr=XCEL_BASE).send(5)
    code.add("csrr", rd=6, csr=XCEL_BASE + 4).send(6)
    return Case("xcel", code.end(), (words, 0, pow(base, exponent, modulus)))


def _fence_case() -> Case:
    code = Code().send_constant(1)
    code.words += [0x0FF0000F, 0x8330000F, 0x0000000F]  # fence iorw,iorw; fence.tso; reserved
    code.send_constant(2)
    return Case("fence", code.end(), (1, 2), instructions=7)


def _self_modifying_case() -> Case:
    """Store into the code; it takes effect for instructions fetched later."""
    code = Code()
    replaced = 12
    new = Code().send_constant(7).words[0]
    code.load_constant(1, new).load_constant(2, RESET_VECTOR + 4 * replaced)
    code.add("sw", rs1=2, rs2=1, imm=0).nops(replaced - len(code.words))
    code.send_constant(6)
    return Case("self-modifying", code.end(), (7,))


def _refetch_case() -> Case:
    """Store an instruction, then ``fence.i``, then execute it, three times in a loop."""
    draws = [Code().send_constant(value).words[0] for value in (5, 6, 7)]
    code = Code().load_constant(2, DATA).load_constant(3, 3).add("auipc", rd=4, imm=0)
    loop = code.pc
    code.add("lw", rd=1, rs1=2, imm=0).add("addi", rd=2, rs1=2, imm=4)
    code.add("sw", rs1=4, rs2=1, imm=loop + 16 - (loop - 4)).add("fence.i").send_constant(9)
    code.add("addi", rd=3, rs1=3, imm=-1).add("bne", rs1=3, rs2=0, imm=loop - code.pc)
    code.words += [0x0000100F | 0x12345 << 15 | 3 << 7]  # reserved fields
    data = b"".join(word.to_bytes(4, "little") for word in draws)
    instructions = 5 + 3 * 7 + 1 + 2
    return Case("fence.i", code.end(), (5, 6, 7), instructions=instructions, data=data)


def _refetch_from_register_case() -> Case:
    """Replace a function of two instructions that was called before, and call it."""
    place = 24
    code = Code().load_constant(1, Code().add("addi", rd=7, rs1=0, imm=42).words[0])
    code.load_constant(2, Code().add("jalr", rd=0, rs1=5, imm=0).words[0])
    code.load_constant(3, RESET_VECTOR + 4 * place)
    code.add("jalr", rd=5, rs1=3, imm=0).send(7)  # executes the old function
    code.add("sw", rs1=3, rs2=1, imm=0).add("sw", rs1=3, rs2=2, imm=4).add("fence.i")
    code.add("jalr", rd=5, rs1=3, imm=0).send(7)
    code.end()
    code.nops(place - len(code.words))
    code.add("addi", rd=7, rs1=0, imm=3).add("jalr", rd=0, rs1=5, imm=0)
    return Case("fence.i-function", tuple(code.words), (3, 42), instructions=6 + 2 * 4 + 3 + 2)


def _ends() -> list[Case]:
    self_jump = Code().send_constant(1)
    self_jump.add("jal", rd=0, imm=0).send_constant(9)
    linked = Code().send_constant(1).add("jal", rd=7, imm=0).send_constant(9)
    to_register = Code().load_constant(1, RESET_VECTOR + 12).send_constant(1)
    to_register.add("jalr", rd=7, rs1=1, imm=1).send_constant(9)  # the lowest bit is cleared

    def jump(kind: str, code: Code, offset: int, instructions: int) -> Case:
        name, pc = f"self-jump{kind}", RESET_VECTOR + offset
        return Case(name, tuple(code.words), (1,), Cause.SELF_JUMP, pc, 0, instructions)

    return [
        *(_self_branch_case(name) for name in _TAKEN),
        jump("-linked", linked, 4, instructions=2),
        jump("-register", to_register, 12, instructions=4),
        Case("ecall-300", Code().end(300), value=300, instructions=2),
        Case("ecall-minus-1", Code().end(-1), value=0xFFFFFFFF, instructions=2),
        jump("", self_jump, 4, instructions=2),
    ]


_ILLEGAL = {
    "zeros": 0x00000000,
    "ones": 0xFFFFFFFF,
    "ebreak": 0x00100073,
    "compressed": 0x00000001,
    "funct7": 0x40001033,  # sll with the seventh bits of sub
    "shift-of-32": 0x02001013,  # slli x0, x0, 32
    "load-double": 0x00003003,
    "store-double": 0x00003023,
    "branch-2": 0x00002063,
    "jalr-1": 0x00001067,
    "csrrw-rd": 0x7C0090F3,  # csrrw x1, proc2mngr, x1
    "csrrs-rs1": 0xC000A0F3,  # csrrs x1, cycle, x1
    "csrrc": 0xC00030F3,
    "csr-unknown": 0x300020F3,  # csrr x1, mstatus
    "csr-write-only": 0x7C0020F3,  # csrr x1, proc2mngr
    "csr-read-only": 0xC0009073,  # csrw cycle, x1
    "amo": 0x1000202F,  # lr.w
    "float": 0x00000053,
}


def _fault(name: str, code: Code, word: int, cause: Cause, value: int) -> Case:
    """Program that faults at a word after its code; later instructions must have no effect."""
    pc = code.pc
    instructions = len(code.words)
    code.words.append(word)
    code.send_constant(9).load_constant(5, DATA).add("sw", rs1=5, rs2=5, imm=0)
    return Case(name, code.end(), (1,), cause, pc, value, instructions)


def _faults() -> list[Case]:
    cases = [
        _fault(f"illegal-{name}", Code().send_constant(1), word, Cause.ILLEGAL_INSTRUCTION, 0)
        for name, word in _ILLEGAL.items()
    ]
    accesses = (
        ("lh", DATA + 1),
        ("lhu", DATA + 3),
        ("lw", DATA + 2),
        ("sh", DATA + 1),
        ("sw", DATA + 1),
        ("sw", DATA + 2),
    )
    for name, address in accesses:
        cases.append(_access_fault(f"misaligned-{name}-{address & 3}", name, address))
    for address in (MEMORY_NBYTES, 0xFFFFFFFC):
        for name in ("lb", "lhu", "lw", "sb", "sh", "sw"):
            cases.append(_access_fault(f"outside-{name}-{address:x}", name, address))
    return [*cases, *_jump_faults()]


def _access_fault(name: str, mnemonic: str, address: int) -> Case:
    code = Code().load_constant(1, address).send_constant(1)
    data = {"rs2": 1} if mnemonic.startswith("s") else {"rd": 2}
    word = Code().add(mnemonic, rs1=1, imm=0, **data).words[0]
    cause = Cause.MISALIGNED if name.startswith("misaligned") else Cause.OUTSIDE_MEMORY
    return _fault(name, code, word, cause, address)


def _jump_faults() -> list[Case]:
    def code() -> Code:
        return (
            Code().load_constant(1, RESET_VECTOR).load_constant(2, MEMORY_NBYTES).send_constant(1)
        )

    pc = code().pc
    misaligned = {
        "misaligned-jal": (Code().add("jal", rd=1, imm=6), pc + 6),
        "misaligned-branch": (Code().add("beq", rs1=0, rs2=0, imm=10), pc + 10),
        "misaligned-jalr": (Code().add("jalr", rd=1, rs1=1, imm=2), RESET_VECTOR + 2),
    }
    cases = [
        _fault(name, code(), jump.words[0], Cause.MISALIGNED, target)
        for name, (jump, target) in misaligned.items()
    ]
    not_taken = code().add("bne", rs1=0, rs2=0, imm=10).send_constant(2)
    cases.append(Case("misaligned-branch-not-taken", not_taken.end(), (1, 2)))
    outside = code().add("jalr", rd=1, rs1=2, imm=0).send_constant(9)
    instructions = len(outside.words) - 1
    end, where = Cause.OUTSIDE_MEMORY, MEMORY_NBYTES
    return [*cases, Case("outside-jump", outside.end(), (1,), end, where, where, instructions)]


def _squashed_case() -> Case:
    """Faulty instructions after taken branches and jumps, where they have no effect."""
    code = Code().load_constant(1, MEMORY_NBYTES).load_constant(2, DATA)
    code.add("beq", rs1=0, rs2=0, imm=16)
    code.words += [0, 0]
    code.add("lw", rd=3, rs1=1, imm=0)
    code.add("jal", rd=0, imm=12).add("sw", rs1=2, rs2=1, imm=0).send_constant(9)
    code.add("lw", rd=3, rs1=2, imm=0).send(3)
    return Case("squashed", code.end(), (77,), data=(77).to_bytes(4, "little"))


def control_cases() -> list[Case]:
    """All cases of this module."""
    return [
        *(_branch_case(name) for name in _TAKEN),
        _loop_case(),
        _jal_case(),
        _jalr_case(),
        _squashed_case(),
        _csr_case(),
        _cycle_case(),
        _upper_halves_case(),
        _mngr_case(),
        _fence_case(),
        _self_modifying_case(),
        _refetch_case(),
        _refetch_from_register_case(),
        *_ends(),
        *_faults(),
    ]
