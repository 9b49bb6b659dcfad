"""Register map of the accelerator on a bus, for circuit, golden model, tests, C header and guide.

The first seven registers are those of Vassoler's accelerator (section 4.5.1, table 6), whose keys
and modes are fixed at synthesis; the others hold keys, modes and the identification.
"""

from dataclasses import dataclass

from rsaxcel.fl.word_serial import WORD_NBITS

WORD_NBYTES = WORD_NBITS // 8
ADDRESS_NBITS = 12  #: width of byte addresses: 4 KiB, the least that AXI gives to one slave
INTERRUPTS_NBITS = 4  #: width of the counter of ended, not acknowledged operations
MAGIC = 0x5258  #: upper half of IDENTIFICATION: `RX` in ASCII


@dataclass(frozen=True)
class RegisterField:
    """A field of a register: some of its bits."""

    name: str  #: name in capitals, unique within the register
    lsb: int  #: lowest bit
    nbits: int
    access: str  #: R, W (reads as 0) or R/W
    meaning: str  #: meaning in one line

    def of(self, word: int) -> int:
        return word >> self.lsb & (1 << self.nbits) - 1


@dataclass(frozen=True)
class BusRegister:
    """A register of 32 bits."""

    name: str  #: name in capitals
    offset: int  #: offset in bytes
    access: str  #: R (a write does nothing), W (reads as 0) or R/W
    meaning: str  #: meaning in one line
    fields: tuple[RegisterField, ...] = ()  #: fields; none if the register holds one number


DECRYPT = RegisterField(
    "DECRYPT", 0, 1, "R/W", "0: the public exponent (encrypt, verify); 1: the private one"
)
BUSY = RegisterField("BUSY", 1, 1, "R", "an operation or a clearing is under way")
START = RegisterField(
    "START", 2, 1, "W", "1 starts an operation with the exponent that DECRYPT selects"
)
LENGTH_ERROR = RegisterField(
    "LENGTH_ERROR", 3, 1, "R", "INPUT_LENGTH is clamped; a start is refused"
)
DONE = RegisterField("DONE", 4, 1, "R", "an operation has ended, and nothing began since")
DROPPED = RegisterField(
    "DROPPED", 5, 1, "R/W", "a write while busy or past the buffer's end was dropped; 1 clears"
)
STATUS = BusRegister(
    "STATUS",
    0x00,
    "R/W",
    "state of the accelerator, and start",
    (DECRYPT, BUSY, START, LENGTH_ERROR, DONE, DROPPED),
)
INPUT_LENGTH = BusRegister(
    "INPUT_LENGTH", 0x04, "R/W", "bytes of the message; reads at most the allowed length"
)
OUTPUT_LENGTH = BusRegister(
    "OUTPUT_LENGTH", 0x08, "R", "bytes of the output; 0 until an operation ends or if it is refused"
)
WRITE_ADDRESS = BusRegister(
    "WRITE_ADDRESS", 0x0C, "W", "index of an input word; a write stores INPUT_FIFO there"
)
READ_ADDRESS = BusRegister(
    "READ_ADDRESS", 0x10, "W", "index of the output word that OUTPUT_FIFO reads; 0: the lowest word"
)
INPUT_FIFO = BusRegister("INPUT_FIFO", 0x14, "W", "input word; a write to WRITE_ADDRESS stores it")
OUTPUT_FIFO = BusRegister(
    "OUTPUT_FIFO", 0x18, "R", "output word at READ_ADDRESS; 0 past the end or without an output"
)
DESIGN_ID = RegisterField("DESIGN_ID", 0, 16, "R", "number of the design; 0 for a composition")
IDENTIFICATION = BusRegister(
    "IDENTIFICATION",
    0x1C,
    "R",
    "identification of the accelerator",
    (DESIGN_ID, RegisterField("MAGIC", 16, 16, "R", f"{MAGIC:#x}")),
)
NBITS = RegisterField("NBITS", 0, 16, "R", "width of modulus and messages in bits")
EXPONENT_NBITS = RegisterField("EXPONENT_NBITS", 16, 16, "R", "width of exponents in bits")
WIDTHS = BusRegister("WIDTHS", 0x20, "R", "widths of the operands", (NBITS, EXPONENT_NBITS))
CONSTANT_WORDS = BusRegister(
    "CONSTANT_WORDS", 0x24, "R", "number of words to write to CONSTANTS for each modulus"
)
MODULUS = BusRegister(
    "MODULUS", 0x28, "W", "next word of the modulus; the first one drops the constants"
)
PUBLIC_EXPONENT = BusRegister("PUBLIC_EXPONENT", 0x2C, "W", "next word of the public exponent")
PRIVATE_EXPONENT = BusRegister("PRIVATE_EXPONENT", 0x30, "W", "next word of the private exponent")
CONSTANTS = BusRegister(
    "CONSTANTS",
    0x34,
    "W",
    "next word of the constants of the modulus, each padded to the same number of words",
)
REWIND = RegisterField(
    "REWIND", 0, 1, "W", "1: the next word to each key register and CONSTANTS is the first one"
)
CLEAR = RegisterField(
    "CLEAR", 1, 1, "W", "1: clears keys, messages and results, at once or when the operation ends"
)
CONTROL = BusRegister("CONTROL", 0x38, "W", "commands", (REWIND, CLEAR))
UNPADDED = RegisterField(
    "UNPADDED", 0, 1, "R/W", "1: no padding; keys of up to 64 bits never have one"
)
SIGNATURE = RegisterField(
    "SIGNATURE", 1, 1, "R/W", "0: encryption, block type 2; 1: signature, type 1"
)
MODE = BusRegister("MODE", 0x3C, "R/W", "padding", (UNPADDED, SIGNATURE))
STATUS_CODE = BusRegister("STATUS_CODE", 0x40, "R", "status of the last operation; 0: ok")
ENABLE = RegisterField("ENABLE", 0, 1, "R/W", "1: the interrupt is high while INTERRUPTS is not 0")
INTERRUPT_ENABLE = BusRegister("INTERRUPT_ENABLE", 0x44, "R/W", "interrupt enable", (ENABLE,))
INTERRUPTS = BusRegister(
    "INTERRUPTS",
    0x48,
    "R/W",
    "number of ended operations and clearings that are not acknowledged, at most 15; "
    "a write acknowledges the number written",
)

#: All registers, without gaps from offset 0.
REGISTERS = (
    STATUS,
    INPUT_LENGTH,
    OUTPUT_LENGTH,
    WRITE_ADDRESS,
    READ_ADDRESS,
    INPUT_FIFO,
    OUTPUT_FIFO,
    IDENTIFICATION,
    WIDTHS,
    CONSTANT_WORDS,
    MODULUS,
    PUBLIC_EXPONENT,
    PRIVATE_EXPONENT,
    CONSTANTS,
    CONTROL,
    MODE,
    STATUS_CODE,
    INTERRUPT_ENABLE,
    INTERRUPTS,
)

#: Registers that drop writes while the accelerator is busy.
BLOCKED = (
    WRITE_ADDRESS,
    INPUT_LENGTH,
    INPUT_FIFO,
    MODE,
    MODULUS,
    PUBLIC_EXPONENT,
    PRIVATE_EXPONENT,
    CONSTANTS,
)

END = WORD_NBYTES * len(REGISTERS)  #: first byte offset after the registers


def is_there(address: int) -> bool:
    return address in range(0, END, WORD_NBYTES)


def markdown() -> str:
    """Return the tables of registers and of their fields of docs/reference/registers.md."""
    lines = ["| offset | register | access | meaning |", "|---|---|---|---|"]
    lines += [f"| 0x{r.offset:02X} | {r.name} | {r.access} | {r.meaning} |" for r in REGISTERS]
    lines += ["", "| register | bits | field | access | meaning |", "|---|---|---|---|---|"]
    for register in REGISTERS:
        for f in register.fields:
            bits = f"{f.lsb + f.nbits - 1}..{f.lsb}" if f.nbits > 1 else str(f.lsb)
            lines.append(f"| {register.name} | {bits} | {f.name} | {f.access} | {f.meaning} |")
    return "\n".join(lines) + "\n"


def c_header() -> str:
    """C header with the offset of each register in bytes, and mask and lowest bit of each field."""
    lines = ["#ifndef RSAXCEL_REGISTERS_H", "#define RSAXCEL_REGISTERS_H", ""]
    for register in REGISTERS:
        lines.append(f"#define RSAXCEL_{register.name} 0x{register.offset:02x}u")
        for f in register.fields:
            mask = (1 << f.nbits) - 1 << f.lsb
            lines.append(f"#define RSAXCEL_{register.name}_{f.name} 0x{mask:x}u")
            lines.append(f"#define RSAXCEL_{register.name}_{f.name}_LSB {f.lsb}")
    return "\n".join([*lines, "", "#endif", ""])
