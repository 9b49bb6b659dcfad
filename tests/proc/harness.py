"""Runs test programs on any model of the processor, and checks their behaviour."""

from dataclasses import dataclass
from functools import cache

import pytest

from rsaxcel import catalog
from rsaxcel.fl.xcel import XcelRegisters
from rsaxcel.proc.elf import Image
from rsaxcel.proc.isa import End
from rsaxcel.proc.iss import Simulator
from rsaxcel.proc.systems import build_system, system_sources
from rsaxcel.sim.stalls import NO_SYSTEM_STALLS, SystemStalls
from rsaxcel.sim.system import open_system
from rsaxcel.sim.system_run import SystemEngine, SystemRequest
from tests.proc.cases.case import Case

ACCELERATOR = catalog.get("mont_r2l").configure(32)
MAX_CYCLES = 500_000

#: Levels of processor and accelerator, and engine, by name.
_SETUPS = {
    "fl": ("fl", "fl", "pymtl"),
    "rtl": ("rtl", "rtl", "native"),
    "rtl-pymtl": ("rtl", "fl", "pymtl"),
}

# Tests of the compiled circuit stay on one worker, so that no other waits for the compiler.
SETUPS = [
    pytest.param(name, marks=pytest.mark.xdist_group("proc-rtl") if name == "rtl" else ())
    for name in _SETUPS
]
"""Every simulated processor, for ``parametrize``."""

FAST_SETUPS = [setup for setup in SETUPS if setup.values != ("rtl-pymtl",)]
"""Processors that simulate long programs within seconds."""

STALLED = SystemStalls("everywhere", imem=100, dmem=100, mngr=150)

SYSTEM_STALLS = {
    stalls.name: stalls
    for stalls in (
        NO_SYSTEM_STALLS,
        SystemStalls("slow_imem", imem=160),
        SystemStalls("slow_dmem", dmem=160),
        SystemStalls("slow_mngr", mngr=200),
        SystemStalls("random", imem=90, dmem=90, mngr=90),
    )
}


@dataclass(frozen=True)
class Outcome:
    """Behaviour of a program."""

    end: End
    messages: tuple[int, ...]
    instructions: int
    memory: bytes


def run_simulator(image: Image, inputs: tuple[int, ...] = ()) -> Outcome:
    """Run on the instruction-set simulator."""
    messages, waiting = [], iter(inputs)
    registers = XcelRegisters(ACCELERATOR)
    simulator = Simulator(
        image.memory,
        image.entry,
        proc2mngr=messages.append,
        mngr2proc=lambda: next(waiting, None),
        xcel_read=registers.read,
        xcel_write=registers.write,
    )
    end = simulator.run(MAX_CYCLES)
    assert end is not None, f"at pc {simulator.pc:#x} after {simulator.instret} instructions"
    return Outcome(end, tuple(messages), simulator.instret, bytes(image.memory))


@cache
def system_for(setup: str) -> SystemEngine:
    """A processor with an accelerator, opened once per session."""
    level, accelerator_level, engine = _SETUPS[setup]
    return open_system(
        engine,
        lambda: build_system(level, ACCELERATOR, accelerator_level),
        key=f"tests-proc-{setup}",
        sources=system_sources(ACCELERATOR),
    )


def run_system(
    setup: str,
    image: Image,
    inputs: tuple[int, ...] = (),
    latency: int = 1,
    stalls: SystemStalls = NO_SYSTEM_STALLS,
) -> Outcome:
    """Run on a simulated processor."""
    done = system_for(setup).run(
        SystemRequest(image, MAX_CYCLES, inputs=inputs, latency=latency, stalls=stalls)
    )
    assert done.end is not None, f"{image.name}: no end within {MAX_CYCLES} cycles"
    return Outcome(done.end, done.messages, done.instructions, bytes(done.memory))


def check(case: Case, outcome: Outcome) -> None:
    """Compare a program's behaviour with the expected one."""
    assert outcome.end.cause is case.cause, outcome.end
    assert outcome.messages == case.messages
    if case.pc is not None:
        assert outcome.end.pc == case.pc
    if case.value is not None:
        assert outcome.end.value == case.value
    if case.instructions is not None:
        assert outcome.instructions == case.instructions
