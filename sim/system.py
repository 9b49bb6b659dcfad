"""Runs programs on systems: a processor and its memory, with or without an accelerator.

Both engines behave the same in every cycle and return equal :class:`~sim.system_run.SystemRun`
objects:

- Before cycle 0, reset is high for ``power_up_cycles`` cycles. All registers are zero when it
  begins, or random with a ``power_up_seed`` (native engine only).
- Each memory interface accepts requests while fewer than ``latency + 1`` are outstanding. A request
  is performed at the end of the cycle that accepts it, the instruction memory's first. The response
  is offered ``latency`` cycles later, in order, and stays valid until it is taken. An access
  outside the memory gets ``test`` = 1 and changes nothing.
- ``mngr2proc`` offers the inputs one after the other; ``proc2mngr`` is always ready.
- While a message to the processor is not valid, all its bits are 1.
- Random stalls follow :class:`sim.stalls.SystemStalls`.
- ``reset_at``: reset is high for ``reset_cycles`` cycles from this cycle on. The program starts
  again with the initial memory; nothing before counts.
- The run ends with the first cycle in which ``trap_val`` is high. If this does not happen within
  ``max_cycles`` cycles or in the cycle after them, the result is a
  :class:`sim.system_run.UnfinishedRun`.
- Ctrl-C raises :class:`proc.run.RunInterrupted` with the unfinished run.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

from pymtl3 import Component

from rsaxcel.diagnosis.check import check_target
from rsaxcel.proc import systems
from rsaxcel.sim.engine import ENGINES, EngineName
from rsaxcel.sim.native.system_engine import NativeSystem
from rsaxcel.sim.pymtl_system import PymtlSystem
from rsaxcel.sim.system_run import SystemEngine


def open_system(
    engine: EngineName,
    component_factory: Callable[[], Component],
    *,
    key: str | None = None,
    sources: Iterable[Path] = (),
) -> SystemEngine:
    """Prepare a system with the ports of ``proc.ports``, except the accelerator's, to run programs.

    With a ``key`` (name with all parameters) and ``sources``, the native engine reuses a stored
    translation (:func:`sim.translate.translate_cached`).
    """
    if engine == "pymtl":
        return PymtlSystem(component_factory)
    if engine == "native":
        return NativeSystem.from_component(component_factory, key=key, sources=sources)
    raise ValueError(f"engine={engine!r}: expected one of {', '.join(ENGINES)}")


def open_circuit(system: systems.System, engine: EngineName = "native") -> SystemEngine:
    """Prepare the RTL of a system to run programs; a stored translation and library are reused."""
    check_target(system)
    return open_system(engine, system.component, key=system.key, sources=system.sources)


def open_cycle_model(system: systems.System) -> SystemEngine:
    """Prepare a system with the circuit of the processor and the accelerator's cycle model."""
    return open_system("pymtl", lambda: system.component("cl"))
