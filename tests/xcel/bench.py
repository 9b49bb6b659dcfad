"""Scripts of register accesses, run on an accelerator at any level as a batch of requests."""

import random
from collections.abc import Callable, Sequence
from functools import cache

from pymtl3 import Component
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.status import Status
from rsaxcel.fl.xcel import OPERANDS, Register, Registers, XcelReqMsg, XcelRespMsg
from rsaxcel.sim.batch import Batch
from rsaxcel.sim.engine import Engine, open_engine
from rsaxcel.sim.stalls import NO_STALLS, StallProfile

READ, WRITE = 0, 1
WORD = (1 << 32) - 1


class XcelBench(Component):
    """An accelerator whose two streams have the names that engines need."""

    def construct(s, make_accelerator):
        s.recv = RecvIfcRTL(XcelReqMsg)
        s.send = SendIfcRTL(XcelRespMsg)
        s.accelerator = make_accelerator()
        s.recv //= s.accelerator.xcel.req
        s.accelerator.xcel.resp //= s.send


class Script:
    """Register accesses in order, with the expected value of each read (None: any)."""

    def __init__(self):
        self.accesses: list[tuple[int, int, int]] = []
        self.expected: list[int | None] = []

    def __len__(self) -> int:
        return len(self.accesses)

    def write(self, register: int, data: int) -> None:
        self.accesses.append((WRITE, register, data))
        self.expected.append(0)

    def read(self, register: int, expected: int | None = None) -> None:
        self.accesses.append((READ, register, 0))
        self.expected.append(expected)

    def load(self, register: int, value: int, words: int | None = None) -> None:
        """Write an operand; by default as many words as it has, at least one."""
        for i in range(words or max(1, -(-value.bit_length() // 32))):
            self.write(register, value >> 32 * i & WORD)

    def load_constants(self, words: Sequence[int]) -> None:
        """Write words of the host constants."""
        for word in words:
            self.write(Register.CONSTANTS, word)

    def give(self, *operands: int, constants: Sequence[int] = ()) -> None:
        """Write new operands (base, exponent, modulus) and constants."""
        for register, value in zip(OPERANDS, operands, strict=False):
            self.load(register, value)
        self.load_constants(constants)

    def start(self, *operands: int, constants: Sequence[int] = ()) -> None:
        """Write what is given, and start."""
        self.give(*operands, constants=constants)
        self.write(Register.GO, 1)

    def finish(self, result: int, status: int, nbits: int) -> None:
        """Wait, and read the status, the whole result and one word more."""
        self.read(Register.GO, status)
        for i in range(-(-nbits // 32) + 1):
            self.read(Register.RESULT, result >> 32 * i & WORD)

    def call(
        self,
        *operands: int,
        result: int,
        status: int = Status.OK,
        constants: Sequence[int] = (),
        nbits: int = 40,
    ) -> None:
        """``start``, then ``finish``."""
        self.start(*operands, constants=constants)
        self.finish(result, status, nbits)

    def replay(self, registers: Registers) -> list[tuple[int, int]]:
        """Give the responses of plain Python registers."""
        responses = []
        for kind, register, data in self.accesses:
            if kind == WRITE:
                registers.write(register, data)
            responses.append((kind, 0 if kind == WRITE else registers.read(register)))
        return responses


@cache
def _engine(make_accelerator: Callable[[], Component], engine: str) -> Engine:
    return open_engine(engine, lambda: XcelBench(make_accelerator))


@cache
def accelerator_of(configuration, level: str) -> Callable[[], Component]:
    """Give one factory per configuration and level, so that its engine is made once."""
    return lambda: configuration.accelerator(level)


def run(
    make_accelerator: Callable[[], Component],
    engine: str,
    script: Script,
    stalls: StallProfile = NO_STALLS,
    **options,
) -> Batch:
    """Run a script and check every response that was not dropped."""
    return run_script(_engine(make_accelerator, engine), script, (), stalls, **options)


def run_script(engine: Engine, script, good: tuple, stalls: StallProfile, **options) -> Batch:
    """Run a script and check its responses: kind of the access, ``good``, expected value."""
    batch = engine.run(
        script.accesses, stalls=stalls, **{"in_flight": None, "max_idle_cycles": 40_000, **options}
    )
    for i, (access, expected, response) in enumerate(
        zip(script.accesses, script.expected, batch.responses, strict=True)
    ):
        if i not in batch.dropped and expected is not None:
            assert (i, access, response) == (i, access, (access[0], *good, expected))
    return batch


def random_script(
    rng: random.Random, nbits: int, rounds: int, constants: Callable[[int], list[int]]
) -> Script:
    """Random accesses in any state; about half of the starts have operands that meet the rules.

    ``constants`` gives the words of a modulus' host constants; sometimes the script writes one word
    too many or too few.
    """
    script = Script()
    words = -(-nbits // 32)
    loaded = 0
    for _ in range(rounds):
        modulus = rng.getrandbits(rng.randint(2, nbits)) | 1
        operands = (rng.randrange(modulus), rng.getrandbits(rng.randint(0, 16)), modulus)
        for register, value in zip(OPERANDS, operands, strict=True):
            begin = len(script)
            if rng.random() < 0.8:
                script.load(register, value, rng.choice((None, words, words + 1)))
            if rng.random() < 0.1:
                script.write(register, rng.getrandbits(32))
            written = [data for _, _, data in script.accesses[begin:]]
            if written and register == Register.MODULUS:
                loaded = sum(word << 32 * i for i, word in enumerate(written))
        words_of = constants(loaded % (1 << nbits))
        if words_of and rng.random() < 0.8:
            extra = rng.choice((*[None] * 8, True, False))
            if extra is True:
                words_of.append(0)
            elif extra is False:
                words_of.pop()
            script.load_constants(words_of)
        for _ in range(rng.randint(0, 3)):
            kind, register = rng.choice((READ, WRITE)), rng.randrange(32)
            if kind == READ:
                script.read(register)
            elif register not in (*OPERANDS, Register.GO, Register.CONSTANTS):
                script.write(register, rng.getrandbits(32) & ~1)
        script.write(Register.GO, rng.choice((0, 1, 1, 1, WORD)))
        for _ in range(rng.randint(0, 6)):
            script.read(rng.choice((*Register, Register.RESULT, Register.STATE)))
            if rng.random() < 0.2:
                clears = rng.random() < 0.2
                data = rng.getrandbits(32) & ~1 | clears
                script.write(rng.choice((Register.RESULT, Register.STATE)), data)
    return script
