"""Scripts of register accesses to the accelerator on a bus, which ``bus`` runs."""

from collections.abc import Iterable

from rsaxcel.fl.bus import ALL_BYTES
from rsaxcel.fl.register_map import (
    CONSTANTS,
    CONTROL,
    DECRYPT,
    INPUT_FIFO,
    INPUT_LENGTH,
    INTERRUPT_ENABLE,
    INTERRUPTS,
    MODULUS,
    OUTPUT_FIFO,
    OUTPUT_LENGTH,
    PRIVATE_EXPONENT,
    PUBLIC_EXPONENT,
    READ_ADDRESS,
    REWIND,
    START,
    STATUS,
    STATUS_CODE,
    WORD_NBITS,
    WORD_NBYTES,
    WRITE_ADDRESS,
    BusRegister,
)

READ, WRITE = 0, 1
ENTROPY, WAIT = 0xFF8, 0xFFC  #: addresses without a register, at which the host waits; see sim.bus

#: READ or WRITE, byte address, data, byte strobes: the fields of AccessReqMsg.
Access = tuple[int, int, int, int]

_WORD = (1 << WORD_NBITS) - 1


class BusScript:
    """Register accesses of a driver, as in docs/how-to/bus.md; none depends on an answer."""

    def __init__(self) -> None:
        self.accesses: list[Access] = []

    def __len__(self) -> int:
        return len(self.accesses)

    def access(self, kind: int, address: int, data: int = 0, strobes: int = 0) -> None:
        """Append an access to any address."""
        self.accesses.append((kind, address, data, strobes))

    def write(self, register: BusRegister, data: int, strobes: int = ALL_BYTES) -> None:
        """Append a write of 32 bits; only bytes with a strobe are written."""
        self.access(WRITE, register.offset, data, strobes)

    def read(self, register: BusRegister) -> None:
        self.access(READ, register.offset)

    def load(self, register: BusRegister, value: int) -> None:
        """Write an operand word by word, least significant word first; 0 is written as one word."""
        for i in range(max(1, -(-value.bit_length() // WORD_NBITS))):
            self.write(register, value >> WORD_NBITS * i & _WORD)

    def load_key(
        self, modulus: int, public: int, private: int, constants: Iterable[int] = ()
    ) -> None:
        """Write a key, and the words of the constants of its modulus."""
        self.write(CONTROL, 1 << REWIND.lsb)
        self.load(MODULUS, modulus)
        self.load(PUBLIC_EXPONENT, public)
        self.load(PRIVATE_EXPONENT, private)
        for word in constants:
            self.write(CONSTANTS, word)

    def load_message(self, message: bytes) -> None:
        """Write a message and its length; the first byte is the most significant one."""
        self.write(INPUT_LENGTH, len(message))
        value = int.from_bytes(message, "big")
        for i in range(-(-len(message) // WORD_NBYTES)):
            self.write(INPUT_FIFO, value >> WORD_NBITS * i & _WORD)
            self.write(WRITE_ADDRESS, i)

    def start(self, decrypt: bool = False) -> None:
        """Start an operation with the public exponent, or with the private one to decrypt."""
        self.write(STATUS, 1 << START.lsb | decrypt << DECRYPT.lsb)

    def feed(self, entropy: bytes) -> None:
        """Offer random bytes to a padding, one by one."""
        for byte in entropy:
            self.access(WRITE, ENTROPY, byte, ALL_BYTES)

    def wait(self) -> None:
        """Wait for the end of the operation, and acknowledge its interrupt."""
        self.write(INTERRUPT_ENABLE, 1)
        self.access(READ, WAIT)
        self.read(INTERRUPTS)
        self.write(INTERRUPTS, 1)

    def read_output(self, nbytes: int) -> None:
        """Read the status, the length and all words of an output of at most ``nbytes`` bytes."""
        self.read(STATUS_CODE)
        self.read(OUTPUT_LENGTH)
        for i in range(-(-nbytes // WORD_NBYTES)):
            self.write(READ_ADDRESS, i)
            self.read(OUTPUT_FIFO)
