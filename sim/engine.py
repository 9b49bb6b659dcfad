"""One way to run a component, whatever the engine.

Both engines do the same in every cycle, so a whole :class:`~sim.batch.Batch` is equal:

- Before cycle 0, reset is high for ``power_up_cycles`` cycles. All registers are zero when it
  begins, or random with a ``power_up_seed`` other than 0, which only the native engine has.
- Request i is offered from the first cycle in which ``source_delay[i]`` cycles have passed since
  the one before was accepted (or since the start), and fewer than ``in_flight`` requests had been
  accepted and not yet answered when the cycle began. It stays until it is accepted.
- The sink is ready for response i from the first cycle in which ``sink_delay[i]`` cycles have
  passed since the response before was taken (or since the start), until it has taken it.
- While nothing is offered, ``recv.val`` is 0 and each bit of ``recv.msg`` is the opposite of the
  next request's (of the last one's when none is left), so that a design that reads the message
  without a handshake goes wrong.
- The run ends with the cycle in which the last response is taken. It fails after
  ``max_idle_cycles`` cycles in a row without a handshake on either side, and where a response shows
  up that nobody asked for.
- ``reset_at``: reset is high for ``reset_cycles`` cycles from that one on, in which neither side
  takes part in a handshake. What was accepted and not answered is dropped; what was offered is
  offered again. Delays count anew from the cycle that follows, as at the start.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal, Protocol

from pymtl3 import Component

from sim.batch import MAX_IDLE_CYCLES, RESET_CYCLES, RESET_IN_FLIGHT_CYCLES, Batch
from sim.native.engine import NativeEngine
from sim.pymtl_engine import PymtlEngine
from sim.stalls import NO_STALLS, StallProfile

EngineName = Literal["pymtl", "native"]
ENGINES: tuple[EngineName, ...] = ("native", "pymtl")


class Engine(Protocol):
    """A component made ready to run any number of batches."""

    design: str

    def run(
        self,
        requests: Sequence[tuple[int, ...]],
        *,
        stalls: StallProfile = NO_STALLS,
        in_flight: int | None = 1,
        max_idle_cycles: int = MAX_IDLE_CYCLES,
        power_up_seed: int = 0,
        power_up_cycles: int = RESET_CYCLES,
        reset_at: int | None = None,
        reset_cycles: int = RESET_IN_FLIGHT_CYCLES,
        vcd: Path | None = None,
    ) -> Batch:
        """Run one batch; see :func:`run`."""


def open_engine(
    engine: EngineName,
    component_factory: Callable[[], Component],
    *,
    key: str | None = None,
    sources: Iterable[Path] = (),
) -> Engine:
    """Make a component ready to run.

    Parameters
    ----------
    engine
        ``"pymtl"`` or ``"native"``.
    component_factory
        Returns a new component with ``recv = RecvIfcRTL(...)`` and ``send = SendIfcRTL(...)``.
    key, sources
        Name of the component with all its parameters, and the files and folders it is made of: the
        native engine then need not elaborate it again; see :func:`sim.translate.translate_cached`.

    Raises
    ------
    ValueError
        For another name, or a component without these streams.
    """
    if engine == "pymtl":
        return PymtlEngine(component_factory)
    if engine == "native":
        return NativeEngine.from_component(component_factory, key=key, sources=sources)
    raise ValueError(f"engine={engine!r}: expected one of {', '.join(ENGINES)}")


def run(
    engine: EngineName,
    component_factory: Callable[[], Component],
    requests: Sequence[tuple[int, ...]],
    *,
    stalls: StallProfile = NO_STALLS,
    in_flight: int | None = 1,
    max_idle_cycles: int = MAX_IDLE_CYCLES,
    power_up_seed: int = 0,
    power_up_cycles: int = RESET_CYCLES,
    reset_at: int | None = None,
    reset_cycles: int = RESET_IN_FLIGHT_CYCLES,
    vcd: Path | None = None,
) -> Batch:
    """Run one batch of requests; the module's text defines each cycle.

    Parameters
    ----------
    engine, component_factory
        See :func:`open_engine`, which suits more than one batch.
    requests
        Field values of each request, in message order.
    stalls
        Delays of source and sink.
    in_flight
        Largest number of outstanding requests; None for no limit.
    max_idle_cycles
        Cycles without a handshake after which the run fails.
    power_up_seed, power_up_cycles, reset_at, reset_cycles
        See :class:`sim.batch.Conditions`.
    vcd
        File for a waveform; its name ends in .vcd.

    Raises
    ------
    ValueError
        For a request that does not fit, or a parameter out of range.
    SimulationTimeout
        If the design stops shaking hands.
    UnexpectedResponse
        If it answers what was not asked.
    """
    return open_engine(engine, component_factory).run(
        requests,
        stalls=stalls,
        in_flight=in_flight,
        max_idle_cycles=max_idle_cycles,
        power_up_seed=power_up_seed,
        power_up_cycles=power_up_cycles,
        reset_at=reset_at,
        reset_cycles=reset_cycles,
        vcd=vcd,
    )
