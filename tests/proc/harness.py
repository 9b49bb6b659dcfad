"""Runs test programs on any model of the processor."""

from dataclasses import dataclass

from pymtl3 import Component, DefaultPassGroup, update_ff
from pymtl3.stdlib.stream import SourceRTL

import designs
from fl.xcel import RegisterUnit, XcelRegisters
from proc.cases.case import Case
from proc.elf import Image
from proc.isa import Cause, End
from proc.iss import Simulator
from proc.memory import Memory
from proc.ports import Word
from proc.proc_fl import ProcFL

PROCESSORS = {"fl": ProcFL}
"""Component classes by level."""

ACCELERATOR = designs.get("mont_r2l").configure(32)
MAX_CYCLES = 200_000


@dataclass(frozen=True)
class Outcome:
    """What a program did."""

    end: End
    messages: tuple[int, ...]
    instructions: int
    memory: bytes


@dataclass(frozen=True)
class Timing:
    """How slow the processor's surroundings are."""

    latency: int = 1
    stall: float = 0.0
    seed: int = 0


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


class System(Component):
    """A processor with all that it talks to."""

    def construct(s, processor, memory, inputs, timing):
        s.proc = processor()
        s.mem = Memory(memory, 2, timing.latency, timing.stall, timing.seed)
        s.unit = RegisterUnit(lambda: XcelRegisters(ACCELERATOR))
        s.source = SourceRTL(Word, list(inputs), interval_delay=round(10 * timing.stall))
        s.proc.imem //= s.mem.ifc[0]
        s.proc.dmem //= s.mem.ifc[1]
        s.proc.xcel //= s.unit.xcel
        s.proc.mngr2proc //= s.source.send
        s.proc.core_id //= 0
        s.messages = []
        s.commits = 0
        s.cycle = 0
        slow = 1 + round(4 * timing.stall)

        @update_ff
        def seq_manager():
            s.cycle += 1
            s.proc.proc2mngr.rdy <<= s.cycle % slow == 0
            if s.proc.proc2mngr.val & s.proc.proc2mngr.rdy & ~s.reset:
                s.messages.append(int(s.proc.proc2mngr.msg))
            if s.proc.commit_inst & ~s.reset:
                s.commits += 1


def run_component(
    level: str, image: Image, inputs: tuple[int, ...] = (), timing: Timing = Timing()
) -> Outcome:
    """Run on a PyMTL3 component."""
    system = System(PROCESSORS[level], image.memory, inputs, timing)
    system.apply(DefaultPassGroup())
    system.sim_reset()
    for _ in range(MAX_CYCLES):
        if system.proc.trap_val:
            break
        system.sim_tick()
    else:
        raise AssertionError(f"{image.name}: no end within {MAX_CYCLES} cycles")
    system.sim_tick()
    proc = system.proc
    end = End(
        Cause(int(proc.trap_cause)), int(proc.trap_pc), int(proc.trap_inst), int(proc.trap_value)
    )
    return Outcome(end, tuple(system.messages), system.commits, bytes(image.memory))


def check(case: Case, outcome: Outcome) -> None:
    """Compare what a program did with what it must do."""
    assert outcome.end.cause is case.cause, outcome.end
    assert outcome.messages == case.messages
    if case.pc is not None:
        assert outcome.end.pc == case.pc
    if case.value is not None:
        assert outcome.end.value == case.value
    if case.instructions is not None:
        assert outcome.instructions == case.instructions
