"""Instruction-set simulator: a fast model of the processor at FL in plain Python.

Each basic block becomes a Python function (``proc.blocks``) with the registers in local variables.
A block that branches to its own start loops inside it. A store into translated code discards all
blocks and takes effect with the next instruction.
"""

from collections.abc import Callable
from typing import Protocol

from rsaxcel.proc.blocks import BLOCK_INSTRUCTIONS, Block, StopError, Translator
from rsaxcel.proc.instruction_sets import RV32IM, InstructionSet
from rsaxcel.proc.isa import MEMORY_NBYTES, RESET_VECTOR, Cause, End


def _no_accelerator_read(_register: int) -> int | None:
    return 0


def _ignore(*_values: int) -> None:
    pass


def _no_message() -> None:
    return None


class Bus(Protocol):
    """Interface by which the simulator accesses the devices at addresses above the memory."""

    def read(self, address: int, nbytes: int) -> int | None:
        """Read ``nbytes`` bytes; None if the read fails, for example if no device is there."""

    def write(self, address: int, nbytes: int, data: int) -> bool:
        """Write ``nbytes`` bytes; False if the write fails, for example if no device is there."""


class NullBus:
    """A bus without devices."""

    def read(self, address: int, nbytes: int) -> int | None:
        return None

    def write(self, address: int, nbytes: int, data: int) -> bool:
        return False


class Simulator:
    """Processor with its memory; the manager is the software or testbench around it.

    Parameters
    ----------
    memory : bytearray
        Memory from address 0, a multiple of 4 bytes, read and written in place.
    proc2mngr, mngr2proc : callable
        Take a message to the manager; return the next one from it, or None if there is none yet.
    xcel_read, xcel_write : callable
        Return the accelerator's register 0 .. 31, or None if the read has to wait; take number and
        value.
    bus : Bus, optional
        Devices at the addresses above the memory.
    stats_en : callable
        Takes each value written to ``stats_en``; ``instret`` is then the instructions before the
        write.

    Attributes
    ----------
    registers : list of int
        x0 to x31, unsigned; not valid while ``run`` is active.
    pc : int
        Next instruction. After Ctrl-C, it can be one that was executed shortly before.
    instret : int
        Instructions executed so far.
    waiting : bool
        The run waits for a message or a value from the accelerator.
    reads_time : bool
        The program has read the number of cycles, which equals ``instret`` here.
    """

    def __init__(
        self,
        memory: bytearray | None = None,
        pc: int = RESET_VECTOR,
        *,
        proc2mngr: Callable[[int], object] = _ignore,
        mngr2proc: Callable[[], int | None] = _no_message,
        xcel_read: Callable[[int], int | None] = _no_accelerator_read,
        xcel_write: Callable[[int, int], object] = _ignore,
        bus: Bus | None = None,
        stats_en: Callable[[int], object] = _ignore,
        core_id: int = 0,
        num_cores: int = 1,
        instruction_set: InstructionSet = RV32IM,
    ) -> None:
        self.memory = bytearray(MEMORY_NBYTES) if memory is None else memory
        if not self.memory or len(self.memory) % 4:
            raise ValueError(
                f"memory of {len(self.memory)} bytes: the size must be a multiple of 4"
            )
        self.pc = pc
        self.registers = [0] * 32
        self.instret = 0
        self.limit = 0
        self.end: End | None = None
        self.waiting = False
        self.reads_time = False
        self.proc2mngr = proc2mngr
        self.mngr2proc = mngr2proc
        self.xcel_read = xcel_read
        self.xcel_write = xcel_write
        bus = bus or NullBus()
        self.bus_read, self.bus_write = bus.read, bus.write
        self.stats_en = stats_en
        self.core_id = core_id
        self.num_cores = num_cores
        self._translated = bytearray(len(self.memory) // 4)
        self._blocks: dict[int, Block] = {}
        self._singles: dict[int, Block] = {}  #: blocks of a single instruction each
        self._translator = Translator(self.memory, self._translated, instruction_set)

    def run(self, max_instructions: int) -> End | None:
        """Execute instructions until the run ends, or ``instret`` reaches ``max_instructions``.

        None at the limit, or if an instruction waits (``waiting``): the next call continues.
        """
        self.waiting = False
        try:
            # A block does not stop at the limit, so that single instructions are executed near it.
            self._go(self._blocks, max_instructions - BLOCK_INSTRUCTIONS, BLOCK_INSTRUCTIONS)
            self._go(self._singles, max_instructions, 1)
        except StopError as stop:
            self.pc = stop.pc
            self.instret += stop.completed
            if stop.cause is Cause.NONE:
                self.waiting = True
            else:
                value = self.registers[10] if stop.cause is Cause.ECALL else stop.value
                self.end = End(stop.cause, stop.pc, stop.word, value)
        return self.end

    def _go(self, blocks: dict[int, Block], limit: int, length: int) -> None:
        """Execute blocks of up to ``length`` instructions while fewer than ``limit`` are done."""
        registers = self.registers
        self.limit = limit
        while self.end is None and self.instret < limit:
            block = blocks.get(self.pc)
            if block is None:
                block = blocks[self.pc] = self._translator.translate(self.pc, length)
            self.pc = block(self, registers)

    def discard_translations(self) -> None:
        """Discard all blocks, because the program has written into its own code."""
        self._blocks.clear()
        self._singles.clear()
        self._translated[:] = bytes(len(self._translated))
