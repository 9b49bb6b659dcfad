"""Test programs and their expected behaviour, assembled from encoded instructions."""

from dataclasses import dataclass, field

from rsaxcel.proc.elf import Image
from rsaxcel.proc.isa import CSRS, MEMORY_NBYTES, RESET_VECTOR, Cause, encode

DATA = 0x2000
"""Address of the test programs' data."""


@dataclass(frozen=True)
class Case:
    """A program and its expected behaviour.

    Parameters
    ----------
    name : str
        Unique name.
    words : tuple of int
        Instructions from the reset vector on.
    messages : tuple of int
        Messages that it must send.
    cause : Cause
        Cause of its end.
    pc : int or None
        Address of the instruction at which it must end; None: any.
    value : int or None
        Exit value (a0) or faulting address; None: any.
    instructions : int or None
        Number of executed instructions; None: unknown.
    inputs : tuple of int
        Messages that it reads.
    data : bytes
        Contents of the memory from ``DATA`` on.
    """

    name: str
    words: tuple[int, ...]
    messages: tuple[int, ...] = ()
    cause: Cause = Cause.ECALL
    pc: int | None = None
    value: int | None = None
    instructions: int | None = None
    inputs: tuple[int, ...] = ()
    data: bytes = b""

    def image(self) -> Image:
        """Give the program in a memory of its own."""
        memory = bytearray(MEMORY_NBYTES)
        code = b"".join(word.to_bytes(4, "little") for word in self.words)
        memory[RESET_VECTOR : RESET_VECTOR + len(code)] = code
        memory[DATA : DATA + len(self.data)] = self.data
        return Image(self.name, memory, RESET_VECTOR)


@dataclass
class Code:
    """A program under construction; methods append instructions.

    Attributes
    ----------
    words : list of int
        The instructions so far.
    """

    words: list[int] = field(default_factory=list)

    @property
    def pc(self) -> int:
        """Address of the next instruction."""
        return RESET_VECTOR + 4 * len(self.words)

    def add(self, name: str, **operands: int) -> "Code":
        """Append one instruction."""
        self.words.append(encode(name, **operands))
        return self

    def load_constant(self, rd: int, value: int) -> "Code":
        """Put 32 bits into a register, in two instructions."""
        low = (value & 0xFFF ^ 0x800) - 0x800
        high = (value - low & 0xFFFFFFFF ^ 0x80000000) - 0x80000000
        return self.add("lui", rd=rd, imm=high).add("addi", rd=rd, rs1=rd, imm=low)

    def nops(self, count: int) -> "Code":
        """Append instructions that do nothing."""
        for _ in range(count):
            self.add("addi", rd=0, rs1=0, imm=0)
        return self

    def send(self, register: int) -> "Code":
        """Send a register to the manager."""
        return self.add("csrw", csr=CSRS["proc2mngr"].address, rs1=register)

    def send_constant(self, value: int) -> "Code":
        """Send a number below 32 to the manager, without a register."""
        return self.add("csrwi", csr=CSRS["proc2mngr"].address, imm=value)

    def end(self, status: int = 0) -> tuple[int, ...]:
        """End the program with an exit status, and give its instructions."""
        self.add("addi", rd=10, rs1=0, imm=status).add("ecall")
        return tuple(self.words)


def unsigned(value: int) -> int:
    """Two's complement in 32 bits."""
    return value & 0xFFFFFFFF
