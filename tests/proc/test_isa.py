"""The tables of the instruction set against binutils."""

import random
import re
import shutil
import subprocess

import pytest

from rsaxcel.proc.isa import (
    CSRS,
    INSTRUCTIONS,
    REGISTER_NAMES,
    Cause,
    End,
    decode,
    disassemble,
    encode,
)

OBJDUMP = "riscv64-unknown-elf-objdump"
ROWS = 40

RANGES = {
    "I": (-2048, 2048, 1),
    "load": (-2048, 2048, 1),
    "S": (-2048, 2048, 1),
    "shift": (0, 32, 1),
    "csrwi": (0, 32, 1),
    "B": (-4096, 4096, 2),
    "U": (-(1 << 31), 1 << 31, 1 << 12),
    "J": (-(1 << 20), 1 << 20, 2),
}


def draw_operands(draw, entry):
    """Draw operands of an instruction; the first and last immediates are frequent."""
    operands = {}
    for operand in entry.operands:
        if operand == "imm":
            low, high, step = RANGES[entry.format]
            operands[operand] = draw.choice((low, high - step, draw.randrange(low, high, step)))
        elif operand == "csr":
            reads = entry.name == "csrr"
            allowed = [c.address for c in CSRS.values() if (c.readable if reads else c.writable)]
            operands[operand] = draw.choice(allowed)
        else:
            operands[operand] = draw.randrange(32)
    return operands


@pytest.fixture(scope="module")
def rows():
    draw = random.Random(3)
    return [
        (entry.name, draw_operands(draw, entry))
        for entry in INSTRUCTIONS.values()
        for _ in range(ROWS)
    ]


def test_decode_undoes_encode(rows):
    for name, operands in rows:
        decoded = decode(encode(name, **operands))
        assert decoded.name == name
        assert {operand: getattr(decoded, operand) for operand in operands} == operands


def normal(name, operands):
    """Text of an instruction in objdump's way, with numbers for control registers."""
    register = REGISTER_NAMES
    if name == "csrr":
        return f"csrrs {register[operands['rd']]},{operands['csr']:#x},zero"
    if name == "csrw":
        return f"csrrw zero,{operands['csr']:#x},{register[operands['rs1']]}"
    if name == "csrwi":
        return f"csrrwi zero,{operands['csr']:#x},{operands['imm']}"
    if name == "fence":
        return "fence unknown,unknown"
    return None


def test_binutils_reads_the_same_instructions(rows, tmp_path):
    if shutil.which(OBJDUMP) is None:
        pytest.skip(f"no {OBJDUMP}")
    words = [encode(name, **operands) for name, operands in rows]
    file = tmp_path / "words"
    file.write_bytes(b"".join(word.to_bytes(4, "little") for word in words))
    command = [OBJDUMP, "-D", "-b", "binary", "-m", "riscv:rv32", "-M", "no-aliases", str(file)]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    texts = re.findall(r"^ *[0-9a-f]+:\t[0-9a-f]+ +\t(.*)$", listing, re.MULTILINE)
    assert len(texts) == len(words)
    names = {"cycle": 0xC00, "instret": 0xC02, "mhartid": 0xF14}
    names |= {"cycleh": 0xC80, "instreth": 0xC82}
    for position, ((name, operands), word, text) in enumerate(zip(rows, words, texts, strict=True)):
        theirs = " ".join(re.split(r" [#<]", text)[0].split())
        for csr, number in names.items():
            theirs = theirs.replace(f",{csr},", f",{number:#x},")
        if INSTRUCTIONS[name].format == "shift":
            theirs = re.sub("0x[0-9a-f]+$", lambda match: str(int(match[0], 16)), theirs)
        ours = normal(name, operands) or disassemble(word, 4 * position).replace(", ", ",")
        assert theirs == ours


@pytest.mark.parametrize(
    ("name", "operands", "words"),
    [
        ("addi", {"rd": 1, "rs1": 2, "imm": 2048}, "immediate 2048 does not fit"),
        ("beq", {"rs1": 1, "rs2": 2, "imm": 3}, "immediate 3 does not fit"),
        ("lui", {"rd": 1, "imm": 1}, "immediate 1 does not fit"),
        ("add", {"rd": 32, "rs1": 2, "rs2": 3}, "rd=32 is not in 0 .. 31"),
        ("add", {"rd": 1, "rs1": 2}, "takes rd, rs1, rs2"),
    ],
)
def test_encode_refuses_what_does_not_fit(name, operands, words):
    with pytest.raises(ValueError, match=words):
        encode(name, **operands)


@pytest.mark.parametrize(
    ("end", "text", "status"),
    [
        (End(Cause.ECALL, 0x200, 0x73, 0x1FE), "pc 0x00000200: ecall: ecall", 254),
        (End(Cause.SELF_JUMP, 0x204, 0x6F), "pc 0x00000204: jal zero, 0x204: jump to itself", 0),
        (
            End(Cause.ILLEGAL_INSTRUCTION, 0x208, 0xFFFFFFFF),
            "pc 0x00000208: .word 0xffffffff: illegal instruction",
            3,
        ),
        (
            End(Cause.MISALIGNED, 0x20C, 0x00852503, 0x1002),
            "pc 0x0000020c: lw a0, 8(a0): misaligned access or jump target, address 0x00001002",
            3,
        ),
        (
            End(Cause.OUTSIDE_MEMORY, 0x100000, 0, 0x100000),
            "pc 0x00100000: instruction outside the memory",
            3,
        ),
    ],
)
def test_ends_are_told_in_one_line(end, text, status):
    assert str(end) == text
    assert end.exit_status == status
