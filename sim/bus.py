"""Runs a script of register accesses on an accelerator that is on a bus, at FL, CL or RTL.

FL: the golden model of the registers. CL: their circuit around the exponentiator's cycle model, in
Python. RTL: the circuit, compiled.
"""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from pymtl3 import Bits1, Component, Wire, update
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.catalog.configuration import Exponentiator
from rsaxcel.catalog.units import check_level
from rsaxcel.fl.bus import ALL_BYTES, AccessReqMsg, AccessRespMsg, BusRegisters
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
from rsaxcel.sim.batch import MAX_IDLE_CYCLES
from rsaxcel.sim.engine import Engine, open_engine

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


class BusHost(Component):
    """Top of a simulation: passes accesses from ``recv`` to an accelerator, answers to ``send``.

    Two addresses have no register; their access waits, and then has an answer without meaning:
    ``WAIT`` until the interrupt is high; ``ENTROPY`` until a padding takes its lowest byte as a
    random byte, or the interrupt is high, because then no padding needs it.

    Parameters
    ----------
    make_accelerator : callable; returns a component with ``access``, ``entropy`` and ``interrupt``
    make_entropy : callable, optional; returns a component whose ``send`` supplies the random bytes

    Ports
    -----
    recv : {type_, addr, data, strb}
    send : {type_, error, data}
    """

    def construct(
        s,
        make_accelerator: Callable[[], Component],
        make_entropy: Callable[[], Component] | None = None,
    ):
        s.recv = RecvIfcRTL(AccessReqMsg)
        s.send = SendIfcRTL(AccessRespMsg)
        s.accelerator = make_accelerator()
        s.accelerator.access.req.msg //= s.recv.msg
        s.accelerator.access.resp //= s.send
        s.waits = Wire(Bits1)
        s.unwanted = Wire(Bits1)

        @update
        def comb_waits():
            s.waits @= s.unwanted & (s.recv.msg.addr == ENTROPY)
            if s.recv.msg.addr == WAIT:
                s.waits @= ~s.accelerator.interrupt

        @update
        def comb_request():
            s.accelerator.access.req.val @= s.recv.val & ~s.waits

        @update
        def comb_ready():
            s.recv.rdy @= s.accelerator.access.req.rdy & ~s.waits

        if make_entropy is None:
            s.accelerator.entropy.msg //= s.recv.msg.data[0:8]

            @update
            def comb_unwanted():
                s.unwanted @= ~(s.accelerator.entropy.rdy | s.accelerator.interrupt)

            @update
            def comb_entropy():
                s.accelerator.entropy.val @= (
                    s.recv.val & s.accelerator.access.req.rdy & (s.recv.msg.addr == ENTROPY)
                )

        else:
            s.unwanted //= 0
            s.entropy = make_entropy()
            s.entropy.send //= s.accelerator.entropy

    def line_trace(s):
        return s.accelerator.line_trace()


_HOST = (Path(__file__),)

Answer = tuple[int, ...]  #: kind of the access, error, data: the fields of AccessRespMsg


class BusRun(NamedTuple):
    """Result of a script."""

    answers: list[Answer]
    accepted: list[int] | None = None  #: cycle in which each access was accepted; None at FL
    total_cycles: int | None = None


BusRunner = Callable[..., BusRun]


def open_bus(configuration: Exponentiator, level: str) -> BusRunner:
    """Return a function that runs scripts, each after a reset, at level ``fl``, ``cl`` or ``rtl``.

    The function's second argument is the number of cycles without a handshake after which it fails.
    """
    check_level(level)
    if level == "fl":
        return partial(_run_golden, configuration)
    engine = open_engine(
        "native" if level == "rtl" else "pymtl",
        lambda: BusHost(lambda: configuration.bus_accelerator(level)),
        key=f"bus_{configuration.name}",
        sources=(*configuration.sources, *_HOST),
    )
    return partial(_simulate, engine)


def _run_golden(
    configuration: Exponentiator, script: BusScript, _max_idle_cycles: int = MAX_IDLE_CYCLES
) -> BusRun:
    """Run a script on the golden model; an operation finishes at the next access to ``WAIT``.

    ``ValueError`` if a padding lacks random bytes, so that the interrupt never comes.
    """
    registers = BusRegisters(configuration)
    answers: list[Answer] = []
    for kind, address, data, strobes in script.accesses:
        if address == ENTROPY and registers.wants_entropy:
            registers.feed(data & 0xFF)
        elif address == WAIT:
            registers.finish()
            if not registers.interrupt:
                raise ValueError(f"access {len(answers)}: the script waits forever")
        value, error = 0, False
        if kind == WRITE:
            error = registers.write(address, data, strobes)
        else:
            value, error = registers.read(address)
        answers.append((kind, int(error), value))
    return BusRun(answers)


def _simulate(engine: Engine, script: BusScript, max_idle_cycles: int = MAX_IDLE_CYCLES) -> BusRun:
    batch = engine.run(script.accesses, in_flight=None, max_idle_cycles=max_idle_cycles)
    answers = [answer for answer in batch.responses if answer]
    return BusRun(answers, batch.accepted, batch.total_cycles)
