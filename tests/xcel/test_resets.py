"""Resets of accelerators with registers: in each cycle of a call, from any contents."""

from functools import cache

import pytest

from rsaxcel.fl.xcel import OPERANDS, NullRegisters, Register, XcelRegisters
from rsaxcel.rtl.xcel import NullXcel
from rsaxcel.sim.batch import Conditions
from rsaxcel.sim.engine import open_engine
from rsaxcel.sim.stalls import NO_STALLS, StallProfile
from tests.shared.harness import ANY_MODULUS, configure, each_design
from tests.shared.rejoin import after_reset
from tests.xcel.bench import Script, XcelBench

NBITS = 40
# After a reset between its words, the upper word is the modulus. It is even, so that such a request
# is refused: with constants of another modulus, the result would be undefined.
MODULUS = 0xFE_FFFF_FFA9
LENGTHS = (1, 2, 3)
CYCLES = 250
"""Most cycles of a call in which it is reset."""


def call(words_of) -> Script:
    """Script of two calls with reads of all registers, also valid if a reset drops its beginning.

    No access depends on the duration of another one.
    """
    script = Script()

    def look() -> None:
        for register in (Register.GO, Register.STATE, Register.RESULT):
            script.read(register)

    look()
    script.start(0x1234567891, 3, MODULUS, constants=words_of(MODULUS))
    script.load(Register.BASE, 5)  # for the next call
    script.read(Register.RESULT)
    look()
    # The first word of a modulus drops constants; after a reset between the words, the second word
    # is the first one.
    odd = 0x13_0000_0000
    script.write(Register.MODULUS, 9)
    script.load_constants(words_of(odd | 9))
    script.write(Register.MODULUS, odd >> 32)
    script.start()
    script.load(Register.MODULUS, 9, words=1)
    look()
    script.load_constants(words_of(9))
    script.load_constants(words_of(7)[:-1])
    # A reset forgets that an operand was too wide, even if the operand is not written again.
    for register in OPERANDS[:2]:
        script.write(Register.STATE, 0)
        script.load(register, 0, words=2)
        script.write(register, 1)
        script.load(Register.MODULUS, 7)
        script.start(constants=words_of(7))
        look()
        script.load(register, 0)
    for word in (0, 0, 1):
        script.write(Register.MODULUS, word)
    script.start()
    look()
    # A reset ends a clearing in each of its phases, and the next clearing has all of them.
    for _ in range(2):
        script.load(Register.MODULUS, 7)
        script.start(constants=words_of(7))
        script.write(Register.STATE, 1)
    look()
    script.write(Register.STATE, 0)
    script.load(Register.MODULUS, 7)
    script.start(constants=words_of(7))
    look()
    return script


class Bench:
    """Runs the script on an adapter with and without resets."""

    def __init__(self, make, registers, words_of, in_flight: int | None):
        self.engine, self.registers = engine_of(make), registers
        self.script = call(words_of)
        self.options = {"in_flight": in_flight, "max_idle_cycles": 40_000}
        self.alone = cache(self._alone)

    def _alone(self, first: int, stalls: StallProfile):
        """Run the accesses from number ``first`` on without a reset; check them by the model."""
        rest = Script()
        rest.accesses = self.script.accesses[first:]
        batch = self.engine.run(rest.accesses, stalls=stalls, **self.options)
        assert batch.responses == rest.replay(self.registers())
        return batch

    def reset_in(self, cycles: list[int], stalls: StallProfile) -> None:
        """Run once for each cycle, with a reset in that cycle."""
        conditions = [
            Conditions(stalls, reset_at=cycle, reset_cycles=LENGTHS[cycle % len(LENGTHS)])
            for cycle in cycles
        ]
        batches = self.engine.run_each(self.script.accesses, conditions, **self.options)
        for batch, under in zip(batches, conditions, strict=True):
            expected = after_reset(lambda first: self.alone(first, stalls), under)
            assert batch == expected, under


@cache
def engine_of(make):
    """Engine of an adapter, made once."""
    return open_engine("native", lambda: XcelBench(make))


ADAPTERS = [*each_design(NBITS, "xcel-", ANY_MODULUS), pytest.param("null")]
QUICK = ("mulrem_r2l", "null")


@pytest.fixture(params=ADAPTERS)
def adapter(request):
    """Functions that make an accelerator, its golden registers, and the words of constants."""
    if request.param == "null":
        return NullXcel, NullRegisters, lambda modulus: []
    configuration = configure(request.param, NBITS)
    return (
        make_for(configuration),
        lambda: XcelRegisters(configuration),
        configuration.constant_words,
    )


@cache
def make_for(configuration):
    """Return one factory per configuration, so that its engine is made once."""
    return lambda: configuration.accelerator("rtl")


def reset_points() -> list:
    """Overlapping accesses for all; one at a time for quick points, others are slow."""
    points = []
    for param in ADAPTERS:
        (name,) = param.values
        slow = [] if name in QUICK else [pytest.mark.slow]
        points.append(pytest.param(name, None, id=f"{name}-many", marks=param.marks))
        points.append(pytest.param(name, 1, id=f"{name}-one", marks=[*param.marks, *slow]))
    return points


@pytest.mark.quick_cases("mulrem_r2l-*", "systolic_l2r_always-many", "null-*")
@pytest.mark.parametrize(("adapter", "in_flight"), reset_points(), indirect=["adapter"])
def test_reset_in_each_cycle(adapter, in_flight):
    """Every access after the reset finds the registers as after power-up."""
    bench = Bench(*adapter, in_flight)
    for delay in (0, 3):
        stalls = StallProfile("late", sink=(delay, delay)) if delay else NO_STALLS
        whole = bench.alone(0, stalls)
        moments = {*whole.accepted, *whole.valid, *whole.taken}
        step = max(1, whole.total_cycles // CYCLES)
        cycles = {*moments, *(m + 1 for m in moments), *range(0, whole.total_cycles, step)}
        bench.reset_in(sorted(cycles), stalls)


@pytest.mark.quick_cases(
    "mulrem_r2l", "systolic_l2r_always", "digit_serial_r2l", "orup_window", "null"
)
def test_power_up_from_any_contents(adapter):
    """After the first reset, responses do not depend on the registers' random contents."""
    bench = Bench(*adapter, None)
    for first in range(len(bench.script)):
        conditions = [
            Conditions(power_up_seed=1 + len(LENGTHS) * first + i, power_up_cycles=length)
            for i, length in enumerate(LENGTHS)
        ]
        accesses = bench.script.accesses[first:]
        batches = bench.engine.run_each(accesses, conditions, **bench.options)
        for batch, under in zip(batches, conditions, strict=True):
            assert batch == bench.alone(first, NO_STALLS), (first, under)
