"""Instruction-set simulator: the processor at FL, in plain Python and fast.

Each basic block becomes one Python function, with the registers in local variables; a block that
branches to its own start loops inside the function. Stores into translated code discard the
translations of all blocks, and take effect with the next instruction.
"""

from collections.abc import Callable
from typing import Protocol

from proc.blocks import Block, StopError, Translator
from proc.isa import MEMORY_NBYTES, RESET_VECTOR, Cause, End


def _no_accelerator_read(_register: int) -> int | None:
    return 0


def _ignore(*_values: int) -> None:
    pass


def _no_message() -> None:
    return None


class Bus(Protocol):
    """What is behind the memory."""

    def read(self, address: int, nbytes: int) -> int | None:
        """Read; None where there is nothing."""

    def write(self, address: int, nbytes: int, data: int) -> bool:
        """Write; tell whether there is something."""


class NullBus:
    """Nothing."""

    def read(self, address: int, nbytes: int) -> int | None:
        """Read nothing."""
        return None

    def write(self, address: int, nbytes: int, data: int) -> bool:
        """Write to nothing."""
        return False


class Simulator:
    """RV32IM processor with its memory.

    Parameters
    ----------
    memory : bytearray
        Memory from address 0; a multiple of 4 bytes. The simulator works on it in place.
    pc : int
        Address of the first instruction.
    proc2mngr : callable
        Takes each message (32 bits) to the manager.
    mngr2proc : callable
        Gives the next message from the manager, or None if there is none yet.
    xcel_read : callable
        Gives the value of the accelerator's register with a number in 0 .. 31, or None if the read
        waits for it.
    xcel_write : callable
        Takes number and value of an accelerator's register that is written.
    bus : Bus, optional
        What is behind the memory; nothing unless given.
    stats_en : callable
        Takes each value (0 or 1) written to ``stats_en``; ``instret`` tells when.
    core_id, num_cores : int
        Values of the control registers.

    Attributes
    ----------
    registers : list of int
        x0 to x31, unsigned. Up to date whenever ``run`` is not active.
    pc : int
        Address of the next instruction.
    instret : int
        Instructions executed so far.
    end : End or None
        How the run ended.
    waiting : bool
        True where the run can't go on without a message from the manager, or a value from the
        accelerator.

    Raises
    ------
    ValueError
        If the size of the memory is not a multiple of 4.
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
        self._translator = Translator(self.memory, self._translated)

    def run(self, max_instructions: int) -> End | None:
        """Execute instructions until the run ends.

        Parameters
        ----------
        max_instructions : int
            Stop after this many since the start, or at the end of the basic block then active.

        Returns
        -------
        End or None
            How the run ended; None at the limit, or where an instruction waits (``waiting``): the
            next call goes on.
        """
        blocks, registers = self._blocks, self.registers
        self.limit = max_instructions
        self.waiting = False
        pc = self.pc
        try:
            while self.end is None and self.instret < max_instructions:
                block = blocks.get(pc)
                if block is None:
                    block = blocks[pc] = self._translator.translate(pc)
                pc = block(self, registers)
        except StopError as stop:
            pc = stop.pc
            self.instret += stop.completed
            if stop.cause is Cause.NONE:
                self.waiting = True
            else:
                value = registers[10] if stop.cause is Cause.ECALL else stop.value
                self.end = End(stop.cause, pc, stop.word, value)
        self.pc = pc
        return self.end

    def discard_translations(self) -> None:
        """Forget all translated blocks, because the program has written into its own code."""
        self._blocks.clear()
        self._translated[:] = bytes(len(self._translated))
