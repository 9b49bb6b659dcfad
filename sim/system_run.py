"""Shared types of both engines of systems: requests, results, and the engine interface."""

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
    end: End | None  #: end of the program; None: not within the allowed cycles
    messages: tuple[int, ...]  #: words written to `proc2mngr`
    cycles: int  #: cycles before the one in which `trap_val` showed the end
    instructions: int  #: number of committed instructions
    measured_cycles: int  #: cycles while `stats_en` was 1
    measured_instructions: int  #: instructions committed while `stats_en` was 1
    inputs_taken: int  #: messages read from `mngr2proc`
    memory: bytes = field(repr=False)


@dataclass(frozen=True)
class UnfinishedRun(SystemRun):
    """Result of a program that the limit of cycles or Ctrl-C stopped before its end."""

    #: Address of the current instruction: in a pipeline, the last that has reached stage M. The
    #: address is not compared: it has no defined value before the first instruction.
    pc: int = field(compare=False)


def run_so_far(run: SystemRun, pc: int) -> SystemRun:
    """Add the address ``pc`` to a run that was stopped before its end."""
    return run if run.end is not None else UnfinishedRun(**vars(run), pc=pc)


@dataclass(frozen=True)
class SystemRequest:
    """A program and the parameters of its run; ``ValueError`` for one that is not allowed."""

    image: Image | bytes  #: program, or memory from address 0
    max_cycles: int  #: cycles after which the run ends
    inputs: Sequence[int] = ()  #: messages for `mngr2proc`, 32 bits each
    latency: int = 1  #: latency of the memory in cycles, at least 1
    stalls: SystemStalls = NO_SYSTEM_STALLS
    power_up_seed: int = 0  #: seed of register contents, 64 bits; 0: all registers are zero
    power_up_cycles: int = RESET_CYCLES  #: cycles of the reset before cycle 0
    reset_at: int | None = None  #: first cycle of a reset in flight
    reset_cycles: int = RESET_IN_FLIGHT_CYCLES
    core_id: int = 0  #: core's number, 32 bits
    memory_nbytes: int = MEMORY_NBYTES  #: bytes beyond the image are zero

    def __post_init__(self) -> None:
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
    """Base class of the engines that run programs on a system."""

    design: str

    def run(
        self,
        request: SystemRequest,
        *,
        vcd: Path | None = None,
        saif: Path | None = None,
        advance: Callable[[int], object] | None = None,
    ) -> SystemRun:
        """Run one program; the docstring of ``sim.system`` defines each cycle."""
        raise NotImplementedError


def make_end(cause: int, pc: int, word: int, value: int) -> End:
    return End(Cause(cause), pc, word, value)


def check_system(component: Component) -> None:
    """Check that a component has the ports of a system; ``ValueError`` names a missing one."""
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
