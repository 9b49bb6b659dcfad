"""Common interface of both engines: runs a batch of requests on a component.

Both engines behave the same in every cycle and return equal :class:`~sim.batch.Batch` objects:

- Before cycle 0, reset is high for ``power_up_cycles`` cycles. All registers are zero when it
  begins, or random with a ``power_up_seed`` (native engine only).
- Request i is offered until it is accepted, from the first cycle on in which ``source_delay[i]``
  cycles have passed since the acceptance of the previous one (or the start), and fewer than
  ``in_flight`` requests were outstanding at its beginning (:class:`~sim.stalls.StallProfile`).
- The sink is ready for response i ``sink_delay[i]`` cycles after it took the previous one, until it
  takes response i.
- While no request is offered, ``recv.val`` is 0, and ``recv.msg`` is the inverse of the next
  request (of the last one at the end): a design that reads it without a handshake computes
  something else.
- The ports of a component with ``frames`` (``fl.digit_bus``) are narrower than its messages, which
  are sent digit by digit, with delays for each. A request is accepted, a response valid and taken,
  with its last digit.
- The run ends with the cycle in which the last response is taken. The run fails after
  ``max_idle_cycles`` cycles without a handshake, and at a response without an outstanding request.
- ``reset_at``: reset is high for ``reset_cycles`` cycles from this cycle on, without handshakes.
  Outstanding requests are dropped, a request that was not accepted is offered again, and delays
  restart after the reset.
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
        """Run one batch; the module's docstring defines each cycle.

        Resets are as in :class:`sim.batch.Conditions`. ``SimulationTimeout`` without a handshake
        for ``max_idle_cycles``; ``UnexpectedResponse``; ``ValueError`` for wrong requests.
        """


def open_engine(
    engine: EngineName,
    component_factory: Callable[[], Component],
    *,
    key: str | None = None,
    sources: Iterable[Path] = (),
) -> Engine:
    """Prepare a component with streams ``recv`` and ``send`` to run batches.

    With a ``key`` (name with all parameters) and ``sources``, the native engine reuses a stored
    translation (:func:`sim.translate.translate_cached`).
    """
    if engine == "pymtl":
        from rsaxcel.sim.pymtl_engine import PymtlEngine

        return PymtlEngine(component_factory)
    if engine == "native":
        from rsaxcel.sim.native.engine import NativeEngine

        return NativeEngine.from_component(component_factory, key=key, sources=sources)
    raise ValueError(f"engine={engine!r}: expected one of {', '.join(ENGINES)}")
