"""A program on the functional processor, with what surrounds it in plain Python."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from fl.xcel import NullRegisters
from proc.elf import Image
from proc.isa import CSRS, Cause, End, decode
from proc.iss import Bus, NullBus, Simulator

_CHUNK_INSTRUCTIONS = 2_000_000


class PortRegisters(Protocol):
    """Registers at the processor's accelerator port."""

    def write(self, address: int, data: int) -> None:
        """Write 32 bits."""

    def read(self, address: int) -> int | None:
        """Read 32 bits; None where the read waits for what never comes."""


@dataclass(frozen=True)
class Devices:
    """What surrounds a processor besides its memory.

    Parameters
    ----------
    registers : PortRegisters
        Registers at its accelerator port; without an accelerator they read 0.
    bus : Bus
        What is behind the memory.
    """

    registers: PortRegisters = field(default_factory=NullRegisters)
    bus: Bus = field(default_factory=NullBus)


@dataclass(frozen=True)
class FunctionalRun:
    """What a program did.

    Parameters
    ----------
    end : End
        How it ended; with ``Cause.NONE`` where it is, if it did not.
    messages : tuple of int
        What it wrote to ``proc2mngr``.
    cycles, instructions : int
        From the start to the end; at FL each instruction takes one cycle.
    measured_cycles, measured_instructions : int
        Those while ``stats_en`` was 1: from the commit of the instruction that set it to the commit
        of the one that cleared it.
    registers : tuple of int
        What x0 to x31 hold then.
    reads_time : bool
        Whether it read the number of cycles, which is another one at each level.
    """

    end: End
    messages: tuple[int, ...]
    cycles: int
    instructions: int
    measured_cycles: int
    measured_instructions: int
    registers: tuple[int, ...]
    reads_time: bool


class EndlessError(Exception):
    """The program does not end; the message says where it is.

    Parameters
    ----------
    message : str
        One line.
    run : FunctionalRun
        What it did until then.
    waits : bool
        Whether it waits for what never comes, and would not go on with more cycles either.
    """

    def __init__(self, message: str, run: FunctionalRun, waits: bool) -> None:
        super().__init__(message)
        self.run = run
        self.waits = waits


class RunInterrupted(KeyboardInterrupt):
    """Ctrl-C while a program ran, at any level.

    Parameters
    ----------
    run : FunctionalRun or sim.system_run.SystemRun
        What it did until then.
    """

    def __init__(self, run: Any) -> None:
        super().__init__()
        self.run = run


def run_fl(
    image: Image,
    devices: Devices | None = None,
    inputs: Iterable[int] = (),
    max_cycles: int = 100_000_000,
    advance: Callable[[int], object] = lambda instructions: None,
) -> FunctionalRun:
    """Run a program to its end.

    Parameters
    ----------
    image : Image
        Program; its memory is changed.
    devices : Devices, optional
        What surrounds the processor; nothing unless given.
    inputs : iterable of int
        Messages for ``mngr2proc``.
    max_cycles : int
        Give up after this many.
    advance : callable
        Called now and then with the number of instructions since the last call.

    Raises
    ------
    EndlessError
        After ``max_cycles``, or when the program waits for what never comes.
    RunInterrupted
        At Ctrl-C.
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
    """Say where it waits, and for what."""
    pc = simulator.pc
    decoded = decode(int.from_bytes(simulator.memory[pc : pc + 4], "little"))
    what = "an interrupt, and nothing is under way that gives one"
    if decoded is not None and decoded.csr == CSRS["mngr2proc"].address:
        what = "a message from the manager, and there is none left"
    return f"at pc {pc:#x} for {what}"


class _Statistics:
    """Adds up the instructions while ``stats_en`` is 1."""

    def __init__(self) -> None:
        self._sum = 0
        self._since: int | None = None

    def write(self, value: int, instret: int) -> None:
        """Take a value written to ``stats_en`` after ``instret`` instructions."""
        self._sum = self.total(instret)
        self._since = instret if value else None

    def total(self, instret: int) -> int:
        """Sum after ``instret`` instructions."""
        return self._sum + (instret - self._since if self._since is not None else 0)
