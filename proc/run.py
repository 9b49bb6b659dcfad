"""Runs a program at FL: processor, accelerator and bus are plain Python models.

The circuit and the cycle model of a system run in ``sim.system``.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from rsaxcel.fl.xcel import NullRegisters
from rsaxcel.proc.elf import Image
from rsaxcel.proc.instruction_sets import RV32IM, InstructionSet
from rsaxcel.proc.isa import CSRS, Cause, End, decode
from rsaxcel.proc.iss import Bus, NullBus, Simulator
from rsaxcel.store.errors import RunError

_CHUNK_INSTRUCTIONS = 2_000_000


class PortRegisters(Protocol):
    """Registers that the processor reads and writes through its xcel interface."""

    def write(self, address: int, data: int) -> None:
        """Write 32 bits to the register with the number ``address``."""

    def read(self, address: int) -> int | None:
        """Read the register ``address``; None if the read waits for an event that never comes."""


@dataclass(frozen=True)
class Devices:
    """Models of the devices at a processor, without the memory."""

    #: Registers behind the xcel interface; without an accelerator, all read 0.
    registers: PortRegisters = field(default_factory=NullRegisters)
    bus: Bus = field(default_factory=NullBus)  #: bus at addresses above the memory


@dataclass(frozen=True)
class FunctionalRun:
    """Outcome of a run of a program."""

    end: End  #: Cause.NONE with the current instruction if the program did not end
    messages: tuple[int, ...]  #: values written to `proc2mngr`
    cycles: int  #: cycles; each instruction takes one at FL
    instructions: int
    #: cycles between the commits of the instructions that set and clear `stats_en`
    measured_cycles: int
    measured_instructions: int
    registers: tuple[int, ...]  #: x0 to x31 at the end
    reads_time: (
        bool  #: the program reads counters of cycles: results can then differ between levels
    )


class EndlessError(RunError):
    """A program does not end; the message names the instruction that it has reached.

    ``waits``: the program waits for an event that never comes, so that more cycles are no help.
    """

    def __init__(self, message: str, run: FunctionalRun, waits: bool) -> None:
        super().__init__(message)
        self.run = run
        self.waits = waits


class RunInterrupted(KeyboardInterrupt):
    """Ctrl-C during a program, at any level; ``run`` is the outcome so far."""

    def __init__(self, run: Any) -> None:
        super().__init__()
        self.run = run


def run_fl(
    image: Image,
    devices: Devices | None = None,
    inputs: Iterable[int] = (),
    max_cycles: int = 100_000_000,
    advance: Callable[[int], object] = lambda instructions: None,
    instruction_set: InstructionSet = RV32IM,
) -> FunctionalRun:
    """Run a program to its end; its memory is changed.

    ``advance`` gets the number of instructions since its last call. ``EndlessError`` after
    ``max_cycles``, or if the program waits for an event that never comes; ``RunInterrupted`` at
    Ctrl-C.
    """
    devices = devices or Devices()
    messages: list[int] = []
    waiting_inputs = iter(inputs)
    stats = _Statistics()
    simulator = Simulator(
        image.memory,
        image.entry,
        proc2mngr=messages.append,
        mngr2proc=lambda: next(waiting_inputs, None),
        xcel_read=devices.registers.read,
        xcel_write=devices.registers.write,
        bus=devices.bus,
        stats_en=lambda value: stats.write(value, simulator.instret),
        instruction_set=instruction_set,
    )

    def result() -> FunctionalRun:
        count, pc = simulator.instret, simulator.pc
        word = int.from_bytes(simulator.memory[pc : pc + 4], "little")
        return FunctionalRun(
            end=simulator.end or End(Cause.NONE, pc, word),
            messages=tuple(messages),
            cycles=count,
            instructions=count,
            measured_cycles=stats.total(count),
            measured_instructions=stats.total(count),
            registers=tuple(simulator.registers),
            reads_time=simulator.reads_time,
        )

    try:
        while simulator.end is None:
            before = simulator.instret
            simulator.run(min(max_cycles, before + _CHUNK_INSTRUCTIONS))
            advance(simulator.instret - before)
            if simulator.end is None and simulator.waiting:
                raise EndlessError(f"{image.name}: waits {_waiting(simulator)}", result(), True)
            if simulator.end is None and simulator.instret >= max_cycles:
                text = f"no end within {max_cycles} cycles; it is at pc {simulator.pc:#x}"
                raise EndlessError(f"{image.name}: {text}", result(), False)
    except KeyboardInterrupt:
        raise RunInterrupted(result()) from None
    return result()


def _waiting(simulator: Simulator) -> str:
    """Describe the place and the event at which a program waits."""
    pc = simulator.pc
    decoded = decode(int.from_bytes(simulator.memory[pc : pc + 4], "little"))
    what = "an interrupt, and nothing is running that would raise it"
    if decoded is not None and decoded.csr == CSRS["mngr2proc"].address:
        what = "a message from the manager, and there is no more"
    return f"at pc {pc:#x} for {what}"


class _Statistics:
    """Counts the instructions while ``stats_en`` is 1."""

    def __init__(self) -> None:
        self._sum = 0
        self._since: int | None = None

    def write(self, value: int, instret: int) -> None:
        """Note a value that the program writes to ``stats_en`` after ``instret`` instructions."""
        self._sum = self.total(instret)
        self._since = instret if value else None

    def total(self, instret: int) -> int:
        """Count the measured instructions among the first ``instret`` ones."""
        return self._sum + (instret - self._since if self._since is not None else 0)
