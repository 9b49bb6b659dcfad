"""Runs programs on systems: a processor and its memory, with or without an accelerator.

Both engines behave the same in every cycle and return equal :class:`~sim.system_run.SystemRun`
objects:

- Before cycle 0, reset is high for ``power_up_cycles`` cycles. All registers are zero when this
  reset begins. With a ``power_up_seed`` other than 0 they are random (native engine only).
- Each memory interface accepts requests while fewer than ``latency + 1`` requests are outstanding.
  A request is performed at the end of the cycle that accepts it. If both interfaces accept a
  request in a cycle, the instruction memory's is performed first. The response is offered
  ``latency`` cycles later, but not before the earlier responses are taken, and stays valid until
  it is taken. An access outside the memory gets a response with ``test`` = 1 and changes nothing.
- ``mngr2proc`` offers the inputs one after the other; ``proc2mngr`` is always ready.
- While a message to the processor is not valid, all its bits are 1.
- Random stalls follow :class:`sim.stalls.SystemStalls`.
- ``reset_at``: reset is high for ``reset_cycles`` cycles from this cycle on. The program starts
  again with the initial memory; earlier messages, instructions and measured cycles do not count.
- The run ends with the first cycle in which ``trap_val`` is high. If this does not happen within
  ``max_cycles`` cycles or in the cycle after them, the result is a
  :class:`sim.unfinished.UnfinishedRun`.
- Ctrl-C raises :class:`proc.run.RunInterrupted` with the unfinished run.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from pymtl3 import Component

from rsaxcel.diagnosis.check import check_target
from rsaxcel.proc import systems
from rsaxcel.proc.elf import Image
from rsaxcel.proc.isa import MEMORY_NBYTES
from rsaxcel.proc.sources import system_sources
from rsaxcel.sim.batch import RESET_CYCLES, RESET_IN_FLIGHT_CYCLES
from rsaxcel.sim.engine import ENGINES, EngineName
from rsaxcel.sim.native.system_engine import NativeSystem
from rsaxcel.sim.pymtl_system import PymtlSystem
from rsaxcel.sim.stalls import NO_SYSTEM_STALLS, SystemStalls
from rsaxcel.sim.system_run import SystemEngine, SystemRequest, SystemRun


def open_system(
    engine: EngineName,
    component_factory: Callable[[], Component],
    *,
    key: str | None = None,
    sources: Iterable[Path] = (),
) -> SystemEngine:
    """Prepare a system to run any number of programs.

    Parameters
    ----------
    engine
        ``"pymtl"`` or ``"native"``.
    component_factory
        Returns a new component with the ports of ``proc.ports``, except the accelerator's.
    key, sources
        Name of the component with all its parameters, and its source files and folders. With them,
        the native engine reuses a stored translation; see :func:`sim.translate.translate_cached`.

    Raises
    ------
    ValueError
        For another engine, or a component without these ports.
    """
    if engine == "pymtl":
        return PymtlSystem(component_factory)
    if engine == "native":
        return NativeSystem.from_component(component_factory, key=key, sources=sources)
    raise ValueError(f"engine={engine!r}: expected one of {', '.join(ENGINES)}")


def open_circuit(system: systems.System, engine: EngineName = "native") -> SystemEngine:
    """Prepare the RTL of a system to run programs; a stored translation and library are reused.

    Raises
    ------
    DesignError
        For a mistake in the circuit; see ``diagnosis.check``.
    ToolError, CacheError
        If the circuit can't be compiled or stored.
    """
    check_target(system)
    sources = system_sources(system.configuration)
    return open_system(engine, system.component, key=system.key, sources=sources)


def open_cycle_model(system: systems.System) -> SystemEngine:
    """Prepare a system with the circuit of the processor and the accelerator's cycle model."""
    return open_system("pymtl", lambda: system.component("cl"))


def run_system(
    engine: EngineName,
    component_factory: Callable[[], Component],
    image: Image | bytes,
    *,
    max_cycles: int,
    mngr: Sequence[int] = (),
    latency: int = 1,
    stalls: SystemStalls = NO_SYSTEM_STALLS,
    power_up_seed: int = 0,
    power_up_cycles: int = RESET_CYCLES,
    reset_at: int | None = None,
    reset_cycles: int = RESET_IN_FLIGHT_CYCLES,
    core_id: int = 0,
    memory_nbytes: int = MEMORY_NBYTES,
    vcd: Path | None = None,
    saif: Path | None = None,
    advance: Callable[[int], object] | None = None,
) -> SystemRun:
    """Run one program; the module's docstring defines each cycle.

    Parameters
    ----------
    engine, component_factory
        See :func:`open_system`; use that function for more than one program.
    image
        Program, or contents of the memory from address 0.
    max_cycles
        Cycles after which the run ends.
    mngr
        Inputs for ``mngr2proc``, 32 bits each.
    latency
        Cycles from a request to a memory until its response, at least 1.
    stalls
        Random stalls.
    power_up_seed, power_up_cycles, reset_at, reset_cycles
        See :class:`sim.system_run.SystemRequest`.
    core_id
        Number of the core, 32 bits.
    memory_nbytes
        Size of the memory in bytes; bytes beyond the image are zero.
    vcd
        File for a waveform; its name ends in .vcd.
    saif
        File for the toggle counts of every net; see
        :meth:`sim.native.system_engine.NativeSystem.run`.
    advance
        Called periodically with the number of cycles since the last call.

    Raises
    ------
    ValueError
        For a parameter out of range.
    """
    request = SystemRequest(
        image,
        max_cycles,
        inputs=mngr,
        latency=latency,
        stalls=stalls,
        power_up_seed=power_up_seed,
        power_up_cycles=power_up_cycles,
        reset_at=reset_at,
        reset_cycles=reset_cycles,
        core_id=core_id,
        memory_nbytes=memory_nbytes,
    )
    system = open_system(engine, component_factory)
    return system.run(request, vcd=vcd, saif=saif, advance=advance)
