"""Scripts of register accesses, run on a bus accelerator at any level as a batch of requests."""

from collections.abc import Iterator
from functools import cache

from pymtl3 import Bits1, Bits8, Bits32, Component, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.bus import ALL_BYTES, BusRegisters
from fl.bus_unit import AccessReqMsg, AccessRespMsg
from fl.register_map import (
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
    WRITE_ADDRESS,
)
from sim.batch import Batch
from sim.engine import Engine, open_engine
from sim.stalls import NO_STALLS, StallProfile

READ, WRITE = 0, 1
WAIT = 0xFFC
WORD = (1 << 32) - 1
SEED = 1


def entropy() -> Iterator[int]:
    """Bytes of ``Entropy``: the upper ones of a linear congruential generator."""
    state = SEED
    while True:
        yield state >> 24
        state = (state * 1664525 + 1013904223) & WORD


class Entropy(Component):
    """Random bytes, from a source that is as slow as is asked for, or gives none."""

    def construct(s, wait):
        s.send = SendIfcRTL(Bits8)
        s.state_reg = Wire(Bits32)
        s.wait_reg = Wire(Bits8)
        starved = int(wait is None)
        cycles = wait or 0
        s.send.msg //= s.state_reg[24:32]

        @update
        def comb_val():
            s.send.val @= (s.wait_reg == 0) & (starved == 0)

        @update_ff
        def seq_state():
            if s.reset:
                s.state_reg <<= SEED
                s.wait_reg <<= cycles
            elif s.send.val & s.send.rdy:
                s.state_reg <<= s.state_reg * 1664525 + 1013904223
                s.wait_reg <<= cycles
            elif s.wait_reg != 0:
                s.wait_reg <<= s.wait_reg - 1


class BusBench(Component):
    """An accelerator whose two streams have the names that engines look for.

    An access to the address ``WAIT``, where no register is, is held back until the interrupt.
    """

    def construct(s, make_accelerator, wait):
        s.recv = RecvIfcRTL(AccessReqMsg)
        s.send = SendIfcRTL(AccessRespMsg)
        s.accelerator = make_accelerator()
        s.entropy = Entropy(wait)
        s.entropy.send //= s.accelerator.entropy
        s.waits = Wire(Bits1)
        s.accelerator.access.req.msg //= s.recv.msg

        @update
        def comb_wait():
            s.waits @= (s.recv.msg.addr == WAIT) & ~s.accelerator.interrupt
            s.accelerator.access.req.val @= s.recv.val & ~s.waits
            s.recv.rdy @= s.accelerator.access.req.rdy & ~s.waits

        s.accelerator.access.resp //= s.send


class Script:
    """Accesses in order, each read with the value it must give (None: any), or the bits of it."""

    def __init__(self):
        self.accesses: list[tuple[int, int, int, int]] = []
        self.expected: list[int | None] = []

    def __len__(self) -> int:
        return len(self.accesses)

    def write(self, register, data: int, strobes: int = ALL_BYTES) -> None:
        self.accesses.append((WRITE, register.offset, data, strobes))
        self.expected.append(0)

    def read(self, register, expected: int | None = None) -> None:
        self.accesses.append((READ, register.offset, 0, 0))
        self.expected.append(expected)

    def load(self, register, value: int, words: int | None = None) -> None:
        """Write an operand; as many words as it has (at least one) unless told otherwise."""
        for i in range(words or max(1, -(-value.bit_length() // 32))):
            self.write(register, value >> 32 * i & WORD)

    def load_key(self, modulus: int, public: int, private: int, constants=()) -> None:
        self.write(CONTROL, 1 << REWIND.lsb)
        self.load(MODULUS, modulus)
        self.load(PUBLIC_EXPONENT, public)
        self.load(PRIVATE_EXPONENT, private)
        for word in constants:
            self.write(CONSTANTS, word)

    def load_message(self, message: bytes) -> None:
        """Write a message, whose first byte is the most significant one, and its length."""
        self.write(INPUT_LENGTH, len(message))
        value = int.from_bytes(message, "big")
        for i in range(-(-len(message) // 4)):
            self.write(INPUT_FIFO, value >> 32 * i & WORD)
            self.write(WRITE_ADDRESS, i)

    def start(self, decrypt: bool = False) -> None:
        self.write(STATUS, 1 << START.lsb | decrypt << DECRYPT.lsb)

    def wait(self) -> None:
        """Wait for the end of what was begun."""
        self.write(INTERRUPT_ENABLE, 1)
        self.accesses.append((READ, WAIT, 0, 0))
        self.expected.append(None)
        self.read(INTERRUPTS, 1)
        self.write(INTERRUPTS, 1)

    def finish(self, output: bytes, status: int, nbytes: int) -> None:
        """Read status, length and all words of a buffer of a length in bytes."""
        self.read(STATUS_CODE, status)
        self.read(OUTPUT_LENGTH, len(output))
        value = int.from_bytes(output, "big")
        for i in range(-(-nbytes // 4) + 1):
            self.write(READ_ADDRESS, i)
            self.read(OUTPUT_FIFO, value >> 32 * i & WORD)


def replay(script: Script, registers: BusRegisters, source: Iterator[int]) -> list[tuple]:
    """Responses of the golden model, whose operations are over before the access that follows."""
    responses = []
    for kind, address, data, strobes in script.accesses:
        registers.finish(source)
        if kind == WRITE:
            responses.append((WRITE, int(registers.write(address, data, strobes)), 0))
        else:
            value, error = registers.read(address)
            responses.append((READ, int(error), value))
    return responses


@cache
def engine_of(configuration, level: str, engine: str, wait: int | None) -> Engine:
    return open_engine(engine, lambda: BusBench(lambda: configuration.bus_accelerator(level), wait))


def run(
    configuration,
    level: str,
    engine: str,
    script: Script,
    stalls: StallProfile = NO_STALLS,
    wait: int | None = 0,
    **options,
) -> Batch:
    """Run a script and check every response that was not dropped."""
    batch = engine_of(configuration, level, engine, wait).run(
        script.accesses,
        stalls=stalls,
        **{"in_flight": None, "max_idle_cycles": 40_000, **options},
    )
    for i, (access, expected, response) in enumerate(
        zip(script.accesses, script.expected, batch.responses, strict=True)
    ):
        if i not in batch.dropped and expected is not None:
            assert (i, access, response) == (i, access, (access[0], 0, expected))
    return batch
