"""Control signals of the pipeline: a table with one row for each instruction."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from rsaxcel.proc.instruction_sets import RV32IM, InstructionSet
from rsaxcel.proc.isa import CSRS, INSTRUCTIONS, XCEL_BASE, XCEL_REGISTERS, Instruction


class Op1(IntEnum):
    """Source of the ALU's first operand."""

    PC = 0
    RS1 = 1
    ZERO = 2


class Op2(IntEnum):
    """Source of the ALU's second operand."""

    IMM = 0
    RS2 = 1
    FOUR = 2


class Imm(IntEnum):
    """Format of the immediate operand; the operand is 0 for ``NONE``."""

    NONE = 0
    I = 1  # noqa: E741
    S = 2
    B = 3
    U = 4
    J = 5
    Z = 6  #: immediate of csrwi: the field of rs1, zero-extended
    FOUR = 7  #: the number 4, independent of the instruction word (fence.i)


class AluOperation(IntEnum):
    """Operation of the ALU: ``funct3`` of the instruction, plus 8 for SUB and SRA."""

    ADD = 0
    SLL = 1
    SLT = 2
    SLTU = 3
    XOR = 4
    SRL = 5
    OR = 6
    AND = 7
    SUB = 8
    SRA = 13


class CsrRead(IntEnum):
    """Control register that the instruction reads."""

    NONE = 0
    CYCLE = 1
    INSTRET = 2
    COREID = 3
    NUMCORES = 4
    CYCLEH = 5
    INSTRETH = 6


@dataclass(frozen=True)
class Control:
    """Control signals of an instruction; if all are 0, the instruction has no effect."""

    op1: Op1 = Op1.PC
    op2: Op2 = Op2.IMM
    imm: Imm = Imm.NONE
    alu: AluOperation = AluOperation.ADD
    csr: CsrRead = CsrRead.NONE
    reads1: int = 0
    reads2: int = 0
    writes: int = 0
    late: int = 0  #: the result is available in stage M, not yet in X
    branch: int = 0
    jump: int = 0  #: jal or jalr
    jalr: int = 0  #: jalr only
    ecall: int = 0  #: ends the run; reads a0 instead of rs1
    mem: int = 0  #: data memory: request in X, response in M
    muldiv: int = 0  #: multiplier or divider: request in X, response in M
    xcel: int = 0  #: accelerator: request in X, response in M
    write: int = 0  #: the request is a write
    to_mngr: int = 0  #: sends a message to the manager in M
    from_mngr: int = 0  #: takes a message of the manager in M
    stats: int = 0  #: writes stats_en in M


#: widths of the signals of more than one bit
CONTROL_NBITS = {"op1": 2, "op2": 2, "imm": 3, "alu": 4, "csr": 3}

_IMMEDIATES = {
    **{"I": Imm.I, "shift": Imm.I, "load": Imm.I, "csrwi": Imm.Z},
    **{"S": Imm.S, "B": Imm.B, "U": Imm.U, "J": Imm.J},
}
_UNITS = {
    "alu": {},
    "mul": {"muldiv": 1, "late": 1},
    "div": {"muldiv": 1, "late": 1},
    "load": {"mem": 1, "late": 1},
    "store": {"mem": 1, "write": 1},
    "branch": {"branch": 1, "alu": AluOperation.SUB},
    "jump": {"jump": 1, "op1": Op1.PC, "op2": Op2.FOUR},
    "fence": {},
    # fence.i has the funct3 of bne. fence.i is executed as bne with the operands 0 and 4: a taken
    # branch to the next instruction, which is fetched again. The memory has accepted all earlier
    # stores when fence.i leaves X.
    "refetch": {
        **{"branch": 1, "alu": AluOperation.SUB},
        **{"op1": Op1.ZERO, "op2": Op2.FOUR, "imm": Imm.FOUR},
    },
    "ecall": {"ecall": 1, "op1": Op1.RS1, "reads1": 1},
}
_CSR_ACCESSES: dict[tuple[str, str], dict[str, int]] = {
    ("proc2mngr", "w"): {"to_mngr": 1},
    ("stats_en", "w"): {"stats": 1},
    ("mngr2proc", "r"): {"from_mngr": 1},
    ("cycle", "r"): {"csr": CsrRead.CYCLE},
    ("instret", "r"): {"csr": CsrRead.INSTRET},
    ("coreid", "r"): {"csr": CsrRead.COREID},
    ("numcores", "r"): {"csr": CsrRead.NUMCORES},
    ("cycleh", "r"): {"csr": CsrRead.CYCLEH},
    ("instreth", "r"): {"csr": CsrRead.INSTRETH},
    ("xcel", "w"): {"xcel": 1, "write": 1},
    ("xcel", "r"): {"xcel": 1},
}


_ALU_OPERATIONS = {
    name: operation
    for operation in AluOperation
    for name in (operation.name.lower(), f"{operation.name.lower()}i")
} | {"sltiu": AluOperation.SLTU}


@dataclass(frozen=True)
class Pattern:
    """Instruction words (``word & mask == match``) with the same control signals."""

    mask: int
    match: int
    control: Control


def patterns(instruction_set: InstructionSet = RV32IM) -> list[Pattern]:
    """Return the patterns of all legal instruction words; no word matches more than one pattern."""
    found = []
    for entry in INSTRUCTIONS.values():
        if entry.name not in instruction_set.instructions:
            continue
        if entry.unit == "csr":
            found += _csr_patterns(entry)
        else:
            fields: dict[str, Any] = {**_operands(entry), **_UNITS[entry.unit]}
            fields["jalr"] = int(entry.name == "jalr")
            if entry.unit == "alu":
                fields["alu"] = _ALU_OPERATIONS.get(entry.name, AluOperation.ADD)
            found.append(Pattern(entry.mask, entry.match, Control(**fields)))
    return found


def _operands(entry: Instruction) -> dict[str, int]:
    first = Op1.RS1 if entry.reads_rs1 else Op1.PC if entry.name == "auipc" else Op1.ZERO
    return {
        "op1": first,
        "op2": Op2.RS2 if entry.reads_rs2 and entry.format != "S" else Op2.IMM,
        "imm": _IMMEDIATES.get(entry.format, Imm.NONE),
        "reads1": int(entry.reads_rs1),
        "reads2": int(entry.reads_rs2),
        "writes": int(entry.writes_rd),
    }


def _csr_patterns(entry: Instruction) -> list[Pattern]:
    access = "r" if entry.name == "csrr" else "w"
    ranges = [
        (csr.name, csr.address, 1)
        for csr in CSRS.values()
        if not 0 <= csr.address - XCEL_BASE < XCEL_REGISTERS
        and (csr.readable if access == "r" else csr.writable)
    ]
    found = []
    for name, address, count in (*ranges, ("xcel", XCEL_BASE, XCEL_REGISTERS)):
        fields: dict[str, Any] = {**_operands(entry), **_CSR_ACCESSES[name, access]}
        fields["late"] = int(access == "r")
        mask = entry.mask | (0xFFF & -count) << 20
        found.append(Pattern(mask, entry.match | address << 20, Control(**fields)))
    return found
