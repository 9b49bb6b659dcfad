"""Scripts of register accesses, run on a bus accelerator at any level as a batch of requests."""

from collections.abc import Iterator
from functools import cache

from pymtl3 import Bits8, Bits32, Component, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import SendIfcRTL

from rsaxcel.fl.bus import BusRegisters
from rsaxcel.fl.register_map import WORD_NBYTES
from rsaxcel.fl.status import Status
from rsaxcel.sim.batch import Batch
from rsaxcel.sim.bus import WRITE, BusHost, BusScript
from rsaxcel.sim.engine import Engine, open_engine
from rsaxcel.sim.stalls import NO_STALLS, StallProfile
from tests.xcel.bench import run_script

WORD = (1 << 32) - 1
SEED = 1
NAME, NBITS = "mulrem_r2l", 128
NBYTES = NBITS // 8
NATIVE = [("fl", "pymtl"), ("rtl", "native")]
"""The golden model, and the circuit, compiled."""


def entropy() -> Iterator[int]:
    """Yield the bytes of ``Entropy``: the top byte of a linear congruential generator."""
    state = SEED
    while True:
        yield state >> 24
        state = (state * 1664525 + 1013904223) & WORD


class Entropy(Component):
    """Source of random bytes: one every ``wait`` cycles, or none if ``wait`` is None."""

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


class Script(BusScript):
    """Bus accesses, with the expected value of each read (None: any)."""

    def __init__(self):
        super().__init__()
        self.expected: list[int | None] = []

    def access(self, kind: int, address: int, data: int = 0, strobes: int = 0) -> None:
        super().access(kind, address, data, strobes)
        self.expected.append(0 if kind == WRITE else None)

    def read(self, register, expected: int | None = None) -> None:
        super().read(register)
        self.expected[-1] = expected

    def wait(self) -> None:
        """Wait for the end of an operation; exactly one end must be counted."""
        super().wait()
        self.expected[-2] = 1

    def finish(self, output: bytes, status: int, nbytes: int) -> None:
        """Read status, length, all words of a buffer of ``nbytes`` bytes, and one word more."""
        first = len(self)
        self.read_output(nbytes + WORD_NBYTES)
        value = int.from_bytes(output, "big")
        words = [value >> 32 * i & WORD for i in range(-(-nbytes // WORD_NBYTES) + 1)]
        self.expected[first : first + 2] = status, len(output)
        self.expected[first + 3 :: 2] = words

    def operate(
        self,
        message: bytes | None,
        output: bytes,
        nbytes: int,
        status: int = Status.OK,
        decrypt: bool = False,
    ) -> None:
        """Load a message (None: the loaded one stays), start, wait and ``finish``."""
        if message is not None:
            self.load_message(message)
        self.start(decrypt)
        self.wait()
        self.finish(output, status, nbytes)


def integer(data: bytes) -> int:
    return int.from_bytes(data, "big")


def power(data: bytes, exponent: int, key) -> bytes:
    return pow(integer(data), exponent, key.n).to_bytes(len(data), "big")


def with_key(configuration, key) -> Script:
    script = Script()
    script.load_key(key.n, key.e, key.d, configuration.constant_words(key.n))
    return script


def replay(script: Script, registers: BusRegisters, source: Iterator[int]) -> list[tuple]:
    """Responses of the golden model; it finishes each operation before the next access."""
    responses = []
    for kind, address, data, strobes in script.accesses:
        registers.finish(source)
        if kind == WRITE:
            responses.append((kind, int(registers.write(address, data, strobes)), 0))
        else:
            value, error = registers.read(address)
            responses.append((kind, int(error), value))
    return responses


@cache
def engine_of(configuration, level: str, engine: str, wait: int | None) -> Engine:
    return open_engine(
        engine, lambda: BusHost(lambda: configuration.bus_accelerator(level), lambda: Entropy(wait))
    )


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
    opened = engine_of(configuration, level, engine, wait)
    return run_script(opened, script, (0,), stalls, **options)
