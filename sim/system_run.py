"""Types that both engines of systems share: requests, results, and the engine interface."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pymtl3 import Component
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL, RecvIfcRTL, SendIfcRTL

from rsaxcel.proc.elf import Image
from rsaxcel.proc.isa import MEMORY_NBYTES, RESET_VECTOR, Cause, End
from rsaxcel.sim.batch import RESET_CYCLES, RESET_IN_FLIGHT_CYCLES, check_resets
from rsaxcel.sim.stalls import NO_SYSTEM_STALLS, SystemStalls

WORD_LIMIT = 1 << 32


@dataclass(frozen=True)
class SystemRun:
    """Result of a program on a system.

    Parameters
    ----------
    end
        How the program ended; None if it did not end within the allowed cycles.
    messages
        Words that the program wrote to ``proc2mngr``.
    cycles
        Number of cycles before the cycle in which ``trap_val`` showed the end.
    instructions
        Number of instructions that committed.
    measured_cycles, measured_instructions
        Cycles, and committed instructions, while ``stats_en`` was 1.
    inputs_taken
        Number of messages read from ``mngr2proc``.
    memory
        Contents of the memory at the end.
    """

    end: End | None
    messages: tuple[int, ...]
    cycles: int
    instructions: int
    measured_cycles: int
    measured_instructions: int
    inputs_taken: int
    memory: bytes = field(repr=False)


@dataclass(frozen=True)
class SystemRequest:
    """A program and the parameters of its run; invalid parameters are refused.

    Parameters
    ----------
    image
        Program, or contents of the memory from address 0.
    max_cycles
        Cycles after which the run ends.
    inputs
        Messages for ``mngr2proc``, 32 bits each.
    latency
        Cycles from a request to a memory until its response, at least 1.
    stalls
        Random stalls.
    power_up_seed
        Seed of the register contents before the first reset, 64 bits; 0: all registers are zero.
    power_up_cycles
        Cycles of the reset before cycle 0.
    reset_at, reset_cycles
        First cycle of a reset during the run (in flight) and its length in cycles; None: no such
        reset.
    core_id
        Number of the core, 32 bits.
    memory_nbytes
        Size of the memory in bytes; bytes beyond the image are zero.

    Raises
    ------
    ValueError
        If a parameter is not allowed; the message has its name, its value and what is allowed.
    """

    image: Image | bytes
    max_cycles: int
    inputs: Sequence[int] = ()
    latency: int = 1
    stalls: SystemStalls = NO_SYSTEM_STALLS
    power_up_seed: int = 0
    power_up_cycles: int = RESET_CYCLES
    reset_at: int | None = None
    reset_cycles: int = RESET_IN_FLIGHT_CYCLES
    core_id: int = 0
    memory_nbytes: int = MEMORY_NBYTES

    def __post_init__(self) -> None:
        """Check the parameters."""
        if self.max_cycles < 0:
            raise ValueError(f"max_cycles={self.max_cycles}: 0 or more")
        if self.latency < 1:
            raise ValueError(f"latency={self.latency}: at least 1 cycle")
        check_resets(self.power_up_seed, self.power_up_cycles, self.reset_at, self.reset_cycles)
        for name, value in (("core_id", self.core_id), *(("input", x) for x in self.inputs)):
            if not 0 <= value < WORD_LIMIT:
                raise ValueError(f"{name}={value}: 32 bits")
        if isinstance(self.image, Image) and self.image.entry != RESET_VECTOR:
            raise ValueError(
                f"{self.image.name}: entry point {self.image.entry:#x}, but the processor starts "
                f"at {RESET_VECTOR:#x}"
            )
        nbytes = len(self.contents)
        if nbytes > self.memory_nbytes:
            raise ValueError(f"image of {nbytes} bytes: the memory has {self.memory_nbytes}")

    @property
    def contents(self) -> bytes | bytearray:
        """Initial bytes of the memory from address 0; all bytes after them are zero."""
        return self.image.memory if isinstance(self.image, Image) else self.image

    def memory(self) -> bytearray:
        """Return a new memory of ``memory_nbytes`` bytes with the image in it."""
        memory = bytearray(self.memory_nbytes)
        memory[: len(self.contents)] = self.contents
        return memory


class SystemEngine:
    """Base class of the engines that run programs on a system.

    Attributes
    ----------
    design
        Name of the component.
    """

    design: str

    def run(
        self,
        request: SystemRequest,
        *,
        vcd: Path | None = None,
        saif: Path | None = None,
        advance: Callable[[int], object] | None = None,
    ) -> SystemRun:
        """Run one program; see :func:`sim.system.run_system`.

        Parameters
        ----------
        vcd, saif
            File for a waveform, or for the toggle counts of every net.
        advance
            Called periodically with the number of cycles since the last call.
        """
        raise NotImplementedError


def make_end(cause: int, pc: int, word: int, value: int) -> End:
    """End of a program, from the values of the trap ports."""
    return End(Cause(cause), pc, word, value)


def check_system(component: Component) -> None:
    """Check that a component has the ports of a system.

    Raises
    ------
    ValueError
        If a port is missing; the message names it.
    """
    interfaces = {
        "imem": MasterIfcRTL,
        "dmem": MasterIfcRTL,
        "mngr2proc": RecvIfcRTL,
        "proc2mngr": SendIfcRTL,
    }
    for name, kind in interfaces.items():
        if not isinstance(getattr(component, name, None), kind):
            raise ValueError(f"{type(component).__name__} has no {name} = {kind.__name__}(...)")
    for name in ("core_id", "stats_en", "commit_inst", "trap_val"):
        if not hasattr(component, name):
            raise ValueError(f"{type(component).__name__} has no port {name}")
