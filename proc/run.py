"""A program on the functional processor, with what surrounds it in plain Python."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Protocol

from fl.xcel import NullRegisters
from proc.elf import Image
from proc.isa import CSRS, End, decode
from proc.iss import Bus, NullBus, Simulator

_CHUNK_INSTRUCTIONS = 2_000_000


class EndlessError(Exception):
    """The program does not end; the message says where it is."""


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
        How it ended.
    messages : tuple of int
        What it wrote to ``proc2mngr``.
    cycles, instructions : int
        From the start to the end; at FL each instruction takes one cycle.
    measured_cycles, measured_instructions : int
        Those while ``stats_en`` was 1: from the commit of the instruction that set it to the commit
        of the one that cleared it.
    """

    end: End
    messages: tuple[int, ...]
    cycles: int
    instructions: int
    measured_cycles: int
    measured_instructions: int


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
    end = None
    while end is None:
        before = simulator.instret
        end = simulator.run(min(max_cycles, before + _CHUNK_INSTRUCTIONS))
        advance(simulator.instret - before)
        if end is None and simulator.waiting:
            raise EndlessError(f"{image.name}: waits at pc {_waiting(simulator)}")
        if end is None and simulator.instret >= max_cycles:
            raise EndlessError(
                f"{image.name}: no end within {max_cycles} cycles; it is at pc {simulator.pc:#x}"
            )
    measured = stats.total(simulator.instret)
    count = simulator.instret
    return FunctionalRun(end, tuple(messages), count, count, measured, measured)


def _waiting(simulator: Simulator) -> str:
    """Say where it waits, and for what."""
    pc = simulator.pc
    decoded = decode(int.from_bytes(simulator.memory[pc : pc + 4], "little"))
    if decoded is not None and decoded.csr == CSRS["mngr2proc"].address:
        return f"{pc:#x} for a message from the manager, and there is none left"
    return f"{pc:#x} for an interrupt, and nothing is under way that gives one"


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
