"""Instruction set of the processor as data: RV32IM and the control registers of the systems.

Simulator, PyMTL3 models, error messages and tests decode and encode instructions by these tables.

Conventions of all levels
-------------------------
* Memory is little endian; data accesses must be aligned to their size, jump targets to 4 bytes.
* Control registers are accessed only by ``csrr`` (``csrrs`` from x0) and ``csrw`` (``csrrw`` or
  ``csrrwi`` into x0); all else, also a read or write that the register forbids, is illegal.
* ``csrr instret`` returns the number of instructions that committed before it, modulo 2**32;
  ``instreth`` and ``cycleh`` return bits 32 to 63 of their counters.
* A store into code takes effect at the latest with the next ``fence.i``; until then, the old or the
  new instruction is executed.
* A run ends with a ``Cause``. An ``ecall`` and a jump to itself (``jal``, ``jalr`` or a taken
  branch) commit and count as instructions; an instruction that fails does not.
* Of several errors, the first in this list is the cause: illegal instruction, misaligned address,
  address outside the memory. A jump to a misaligned target fails at the jump, one to a target
  outside the memory at the fetch there.
"""

from dataclasses import dataclass
from enum import IntEnum

XLEN = 32
RESET_VECTOR = 0x200
MEMORY_NBYTES = 1 << 20
FAULT_STATUS = 3  #: exit status of a run that ends with a fault


class Cause(IntEnum):
    """Cause of a run's end; the values of the processor's port ``trap_cause``."""

    NONE = 0
    ECALL = 1
    SELF_JUMP = 2
    ILLEGAL_INSTRUCTION = 3
    MISALIGNED = 4
    OUTSIDE_MEMORY = 5

    @property
    def is_fault(self) -> bool:
        """Whether the program ended by an error: an illegal instruction or a wrong address."""
        return self >= Cause.ILLEGAL_INSTRUCTION

    def __str__(self) -> str:
        return {
            Cause.NONE: "running",
            Cause.ECALL: "ecall",
            Cause.SELF_JUMP: "jump to itself",
            Cause.ILLEGAL_INSTRUCTION: "illegal instruction",
            Cause.MISALIGNED: "misaligned access or jump target",
            Cause.OUTSIDE_MEMORY: "access outside the memory",
        }[self]


#: Operands of each format, in the order of assembly language.
FORMATS = {
    "R": ("rd", "rs1", "rs2"),
    "I": ("rd", "rs1", "imm"),
    "shift": ("rd", "rs1", "imm"),  # immediate of 0 .. 31, in the field of rs2
    "load": ("rd", "imm", "rs1"),
    "S": ("rs2", "imm", "rs1"),
    "B": ("rs1", "rs2", "imm"),
    "U": ("rd", "imm"),
    "J": ("rd", "imm"),
    "csrr": ("rd", "csr"),
    "csrw": ("csr", "rs1"),
    "csrwi": ("csr", "imm"),  # immediate of 0 .. 31, in the field of rs1
    "none": (),
}


@dataclass(frozen=True)
class Instruction:
    """An instruction of the instruction set."""

    name: str  #: mnemonic; csrr, csrw and csrwi have two operands each
    format: str  #: key of FORMATS, which lists the operands
    match: int  #: the instruction's words meet `word & mask == match`, 32 bits
    mask: int
    #: alu, mul, div, load, store, branch, jump, csr, fence (does nothing), refetch (fetches the
    #: following instructions again) or ecall (ends the run).
    unit: str

    @property
    def operands(self) -> tuple[str, ...]:
        return FORMATS[self.format]

    @property
    def reads_rs1(self) -> bool:
        return "rs1" in self.operands

    @property
    def reads_rs2(self) -> bool:
        return "rs2" in self.operands

    @property
    def writes_rd(self) -> bool:
        return "rd" in self.operands


_OPCODE = 0x0000007F
_FUNCT3 = 0x0000707F
_FUNCT7 = 0xFE00707F
_CSRR = 0x000FF07F  #: rs1 = x0: a csrrs that only reads
_CSRW = 0x00007FFF  #: rd = x0: a csrrw that only writes


def _table() -> tuple[Instruction, ...]:
    rows = [
        ("lui", "U", 0x37, _OPCODE, "alu"),
        ("auipc", "U", 0x17, _OPCODE, "alu"),
        ("jal", "J", 0x6F, _OPCODE, "jump"),
        ("jalr", "I", 0x67, _FUNCT3, "jump"),
        ("fence", "none", 0x0F, _FUNCT3, "fence"),
        ("fence.i", "none", 0x100F, _FUNCT3, "refetch"),
        ("ecall", "none", 0x73, 0xFFFFFFFF, "ecall"),
        ("csrr", "csrr", 0x2073, _CSRR, "csr"),
        ("csrw", "csrw", 0x1073, _CSRW, "csr"),
        ("csrwi", "csrwi", 0x5073, _CSRW, "csr"),
    ]
    by_funct3 = (
        ("B", 0x63, "branch", {"beq": 0, "bne": 1, "blt": 4, "bge": 5, "bltu": 6, "bgeu": 7}),
        ("load", 0x03, "load", {"lb": 0, "lh": 1, "lw": 2, "lbu": 4, "lhu": 5}),
        ("S", 0x23, "store", {"sb": 0, "sh": 1, "sw": 2}),
        ("I", 0x13, "alu", {"addi": 0, "slti": 2, "sltiu": 3, "xori": 4, "ori": 6, "andi": 7}),
    )
    for form, opcode, unit, names in by_funct3:
        rows += [(name, form, opcode | f3 << 12, _FUNCT3, unit) for name, f3 in names.items()]
    #: funct7 and funct3 of each instruction.
    by_funct7 = (
        ("shift", 0x13, "alu", {"slli": (0, 1), "srli": (0, 5), "srai": (0x20, 5)}),
        ("R", 0x33, "alu", {"add": (0, 0), "sub": (0x20, 0), "sll": (0, 1), "slt": (0, 2)}),
        ("R", 0x33, "alu", {"sltu": (0, 3), "xor": (0, 4), "srl": (0, 5), "sra": (0x20, 5)}),
        ("R", 0x33, "alu", {"or": (0, 6), "and": (0, 7)}),
        ("R", 0x33, "mul", {"mul": (1, 0), "mulh": (1, 1), "mulhsu": (1, 2), "mulhu": (1, 3)}),
        ("R", 0x33, "div", {"div": (1, 4), "divu": (1, 5), "rem": (1, 6), "remu": (1, 7)}),
    )
    for form, opcode, unit, codes in by_funct7:
        rows += [
            (name, form, opcode | f3 << 12 | f7 << 25, _FUNCT7, unit)
            for name, (f7, f3) in codes.items()
        ]
    return tuple(Instruction(*row) for row in rows)


INSTRUCTIONS: dict[str, Instruction] = {entry.name: entry for entry in _table()}

_BUCKETS: dict[int, list[Instruction]] = {}
for _entry in INSTRUCTIONS.values():
    _BUCKETS.setdefault(_entry.match & _OPCODE, []).append(_entry)


@dataclass(frozen=True)
class Csr:
    """A control register; ``address`` has 12 bits."""

    name: str
    address: int
    readable: bool
    writable: bool


XCEL_BASE = 0x7E0
XCEL_REGISTERS = 32

CSRS: dict[str, Csr] = {
    csr.name: csr
    for csr in (
        Csr("proc2mngr", 0x7C0, readable=False, writable=True),
        Csr("stats_en", 0x7C1, readable=False, writable=True),  # only bit 0 is used
        Csr("cycle", 0xC00, readable=True, writable=False),
        Csr("instret", 0xC02, readable=True, writable=False),
        Csr("cycleh", 0xC80, readable=True, writable=False),
        Csr("instreth", 0xC82, readable=True, writable=False),
        Csr("coreid", 0xF14, readable=True, writable=False),
        Csr("mngr2proc", 0xFC0, readable=True, writable=False),
        Csr("numcores", 0xFC1, readable=True, writable=False),
        *(
            Csr(f"xcel{k}", XCEL_BASE + k, readable=True, writable=True)
            for k in range(XCEL_REGISTERS)
        ),
    )
}
CSR_BY_ADDRESS: dict[int, Csr] = {csr.address: csr for csr in CSRS.values()}

REGISTER_NAMES = (
    "zero",
    "ra",
    "sp",
    "gp",
    "tp",
    "t0",
    "t1",
    "t2",
    "s0",
    "s1",
    *(f"a{i}" for i in range(8)),
    *(f"s{i}" for i in range(2, 12)),
    *(f"t{i}" for i in range(3, 7)),
)


@dataclass(frozen=True)
class Decoded:
    """A decoded instruction word; fields that the instruction lacks have no meaning."""

    instruction: Instruction
    rd: int
    rs1: int
    rs2: int
    imm: int  #: signed; for lui and auipc a multiple of 4096
    csr: int  #: address of the control register

    @property
    def name(self) -> str:
        return self.instruction.name

    @property
    def unit(self) -> str:
        return self.instruction.unit


def _signed(value: int, nbits: int) -> int:
    return value - (1 << nbits) if value >> (nbits - 1) else value


def immediate(word: int, form: str) -> int:
    """Immediate operand of a word: signed, but 0 to 31 in ``shift`` and ``csrwi``."""
    top = _signed(word >> 25, 7)
    if form in ("I", "load"):
        return _signed(word >> 20, 12)
    if form == "shift":
        return word >> 20 & 31
    if form == "csrwi":
        return word >> 15 & 31
    if form == "S":
        return top << 5 | word >> 7 & 31
    if form == "B":
        return (top >> 6) << 12 | (word >> 7 & 1) << 11 | (word >> 25 & 63) << 5 | word >> 7 & 30
    if form == "U":
        return _signed(word & 0xFFFFF000, 32)
    if form == "J":
        upper = (top >> 6) << 20 | word & 0xFF000
        return upper | (word >> 20 & 1) << 11 | word >> 20 & 0x7FE
    return 0


def decode(word: int) -> Decoded | None:
    """Decode a 32-bit instruction word; None if it is illegal."""
    for entry in _BUCKETS.get(word & _OPCODE, ()):
        if word & entry.mask == entry.match:
            break
    else:
        return None
    csr = 0
    if entry.unit == "csr":
        csr = word >> 20
        known = CSR_BY_ADDRESS.get(csr)
        if known is None or not (known.readable if entry.name == "csrr" else known.writable):
            return None
    return Decoded(
        entry, word >> 7 & 31, word >> 15 & 31, word >> 20 & 31, immediate(word, entry.format), csr
    )


def encode(name: str, **operands: int) -> int:
    """Return the instruction word of a mnemonic and its operands; inverse of ``decode``.

    ``ValueError`` if an operand is missing, unknown or does not fit its field.
    """
    entry = INSTRUCTIONS[name]
    if set(operands) != set(entry.operands):
        raise ValueError(f"{name} takes {', '.join(entry.operands)}, not {', '.join(operands)}")
    word = entry.match
    for field, shift, limit in (("rd", 7, 32), ("rs1", 15, 32), ("rs2", 20, 32), ("csr", 20, 4096)):
        value = operands.get(field, 0)
        if not 0 <= value < limit:
            raise ValueError(f"{name}: {field}={value} is not in 0 .. {limit - 1}")
        word |= value << shift
    imm = operands.get("imm", 0)
    word |= _immediate_field(imm, entry.format)
    if immediate(word, entry.format) != imm:
        raise ValueError(f"{name}: immediate {imm} does not fit")
    return word


def _immediate_field(imm: int, form: str) -> int:
    """Bits of the instruction word that hold an immediate; excess bits are cut off."""
    if form in ("I", "load"):
        return (imm & 0xFFF) << 20
    if form == "shift":
        return (imm & 31) << 20
    if form == "csrwi":
        return (imm & 31) << 15
    if form == "S":
        return (imm >> 5 & 127) << 25 | (imm & 31) << 7
    if form == "B":
        return (
            (imm >> 12 & 1) << 31 | (imm >> 5 & 63) << 25 | (imm & 30) << 7 | (imm >> 11 & 1) << 7
        )
    if form == "U":
        return imm & 0xFFFFF000
    if form == "J":
        low = (imm & 0x7FE) << 20 | (imm >> 11 & 1) << 20
        return (imm >> 20 & 1) << 31 | low | imm & 0xFF000
    return 0


def disassemble(word: int, pc: int = 0) -> str:
    """Text of an instruction word at ``pc`` for messages, such as ``lw a0, 8(sp)``."""
    decoded = decode(word)
    if decoded is None:
        return f".word {word:#010x}"
    form = decoded.instruction.format
    if form in ("load", "S") or decoded.name == "jalr":
        register = decoded.rs2 if form == "S" else decoded.rd
        address = f"{decoded.imm}({REGISTER_NAMES[decoded.rs1]})"
        return f"{decoded.name} {REGISTER_NAMES[register]}, {address}"
    texts = []
    for operand in decoded.instruction.operands:
        value = getattr(decoded, operand)
        if operand == "csr":
            texts.append(CSR_BY_ADDRESS[value].name)
        elif operand != "imm":
            texts.append(REGISTER_NAMES[value])
        elif form in ("B", "J"):
            texts.append(f"{pc + value & 0xFFFFFFFF:#x}")
        elif form == "U":
            texts.append(f"{value >> 12 & 0xFFFFF:#x}")
        else:
            texts.append(str(value))
    return f"{decoded.name} {', '.join(texts)}".strip()


@dataclass(frozen=True)
class End:
    """End of a run; the values of the processor's trap ports."""

    cause: Cause
    pc: int  #: address of the last instruction
    word: int  #: instruction word; 0 if it could not be fetched
    value: int = 0  #: a0 at an ecall; the address of a failed access or jump; else 0

    @property
    def exit_status(self) -> int:
        """Lowest 8 bits of a0 at an ``ecall``, 0 at a jump to itself, 3 at a fault."""
        return {Cause.ECALL: self.value & 255, Cause.SELF_JUMP: 0}.get(self.cause, FAULT_STATUS)

    @property
    def address(self) -> int | None:
        """Address at which an access or jump failed (misaligned, outside the memory)."""
        return self.value if self.cause in (Cause.MISALIGNED, Cause.OUTSIDE_MEMORY) else None

    def text(self, place: str = "") -> str:
        """Return pc, instruction and cause in one line.

        ``place`` is a text for the pc, such as ``main+0x10``.
        """
        pc = f"pc {self.pc:#010x}" + (f" ({place})" if place else "")
        if self.cause is Cause.OUTSIDE_MEMORY and self.value == self.pc:
            return f"{pc}: instruction outside the memory"
        reason = str(self.cause)
        if self.address is not None:
            reason += f", address {self.address:#010x}"
        return f"{pc}: {disassemble(self.word, self.pc)}: {reason}"

    def __str__(self) -> str:
        return self.text()
