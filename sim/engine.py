"""Common interface of both engines: runs a batch of requests on a component.

Both engines behave the same in every cycle and return equal :class:`~sim.batch.Batch` objects:

- Before cycle 0, reset is high for ``power_up_cycles`` cycles. All registers are zero when this
  reset begins. With a ``power_up_seed`` other than 0 they are random (native engine only).
- Request i is offered from the first cycle that meets two conditions until it is accepted:
  ``source_delay[i]`` cycles have passed since the acceptance of the previous request (or since the
  start), and fewer than ``in_flight`` requests were outstanding when the cycle began. The delays
  are those of the :class:`~sim.stalls.StallProfile`.
- The sink becomes ready for response i ``sink_delay[i]`` cycles after it took the previous
  response (or after the start), and stays ready until it takes response i.
- While no request is offered, ``recv.val`` is 0, and ``recv.msg`` is the bitwise inverse of the
  next request (of the last request at the end). A design that reads the message without a
  handshake then computes something else.
- The ports of a component with ``frames`` (``fl.digit_bus``) are narrower than its messages, which
  are sent digit by digit. Delays then hold for each digit. A request is accepted with its last
  digit; a response is valid when its last digit is offered, and taken with that digit.
- The run ends with the cycle in which the last response is taken. It fails after
  ``max_idle_cycles`` consecutive cycles without a handshake on either side, and if the design
  offers a response while no request is outstanding.
- ``reset_at``: reset is high for ``reset_cycles`` cycles from this cycle on, without handshakes.
  Outstanding requests are dropped; a request that was offered but not accepted is offered again.
  Delays restart with the cycle after the reset, as at the start.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal, Protocol

from pymtl3 import Component

from rsaxcel.sim.batch import MAX_IDLE_CYCLES, RESET_CYCLES, RESET_IN_FLIGHT_CYCLES, Batch
from rsaxcel.sim.stalls import NO_STALLS, StallProfile

EngineName = Literal["pymtl", "native"]
ENGINES: tuple[EngineName, ...] = ("native", "pymtl")


class Engine(Protocol):
    """A component that is prepared to run any number of batches."""

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
    """Prepare a component to run batches.

    Parameters
    ----------
    engine
        ``"pymtl"`` or ``"native"``.
    component_factory
        Returns a new component with ``recv = RecvIfcRTL(...)`` and ``send = SendIfcRTL(...)``.
    key, sources
        Name of the component with all its parameters, and its source files and folders. With them,
        the native engine reuses a stored translation; see :func:`sim.translate.translate_cached`.

    Raises
    ------
    ValueError
        For another engine, or a component without these streams.
    """
    if engine == "pymtl":
        from rsaxcel.sim.pymtl_engine import PymtlEngine

        return PymtlEngine(component_factory)
    if engine == "native":
        from rsaxcel.sim.native.engine import NativeEngine

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
    """Run one batch of requests; the module's docstring defines each cycle.

    Parameters
    ----------
    engine, component_factory
        See :func:`open_engine`; use that function for more than one batch.
    requests
        Field values of each request, in message order.
    stalls
        Delays of source and sink.
    in_flight
        Largest number of outstanding requests; None: no limit.
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
        If no handshake takes place for ``max_idle_cycles`` cycles.
    UnexpectedResponse
        If the design offers a response while no request is outstanding.
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
