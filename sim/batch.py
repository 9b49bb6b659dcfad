"""What both engines take and return, and how they fail."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sim.stalls import NO_STALLS, StallProfile

Column = np.ndarray | Sequence[int]
"""Values of a field, one per message: an array of integers, or any integers in a sequence."""

#: Cycles in which reset is asserted before cycle 0, and where it is asserted in flight.
RESET_CYCLES = 3
RESET_IN_FLIGHT_CYCLES = 2

#: Cycles without a handshake after which an engine gives up, unless told otherwise.
MAX_IDLE_CYCLES = 100_000


class SimulationError(Exception):
    """A simulation that could not be finished; the message is one line."""


class SimulationTimeout(SimulationError):  # noqa: N818
    """No handshake on either side for too long.

    Parameters
    ----------
    design
        Name of the component.
    cycle
        First cycle that was not simulated any more.
    idle
        Cycles since the last handshake.
    accepted, answered, count
        Requests accepted, responses taken, requests in the batch. Those that a reset dropped
        count as answered.
    """

    def __init__(
        self, design: str, cycle: int, idle: int, accepted: int, answered: int, count: int
    ) -> None:
        self.design, self.cycle, self.idle = design, cycle, idle
        self.accepted, self.answered, self.count = accepted, answered, count
        super().__init__(
            f"{design}: no handshake for {idle} cycles, given up at cycle {cycle}: "
            f"{accepted} of {count} requests accepted, {answered} answered"
        )


class UnexpectedResponse(SimulationError):  # noqa: N818
    """The design shows a response although no request is outstanding."""

    def __init__(self, design: str, cycle: int, accepted: int) -> None:
        self.design, self.cycle, self.accepted = design, cycle, accepted
        super().__init__(
            f"{design}: response in cycle {cycle} although all {accepted} accepted requests "
            "have been answered"
        )


@dataclass(frozen=True)
class Conditions:
    """What happens to a component while it runs a batch.

    Parameters
    ----------
    stalls
        Delays of source and sink.
    power_up_seed
        Draws what all registers hold before the first reset; 0 for zeros. 64 bits.
    power_up_cycles
        Cycles of the reset before cycle 0.
    reset_at, reset_cycles
        First cycle of a reset in flight, if there is one, and its length.

    Raises
    ------
    ValueError
        Naming the parameter, its value and what is allowed.
    """

    stalls: StallProfile = NO_STALLS
    power_up_seed: int = 0
    power_up_cycles: int = RESET_CYCLES
    reset_at: int | None = None
    reset_cycles: int = RESET_IN_FLIGHT_CYCLES

    def __post_init__(self) -> None:
        """Check the parameters."""
        check_resets(self.power_up_seed, self.power_up_cycles, self.reset_at, self.reset_cycles)


def check_resets(seed: int, power_up_cycles: int, at: int | None, cycles: int) -> None:
    """Check the resets of a run; see :class:`Conditions`."""
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"power_up_seed={seed}: 0 to 2**64 - 1")
    if at is not None and at < 0:
        raise ValueError(f"reset_at={at}: a cycle number, 0 or later")
    for name, value in (("power_up_cycles", power_up_cycles), ("reset_cycles", cycles)):
        if value < 1:
            raise ValueError(f"{name}={value}: at least 1 cycle")


@dataclass(frozen=True)
class Batch:
    """Responses and handshake cycles of a batch, one entry per request, in order.

    Cycle 0 is the first one after reset. A request that a reset in flight dropped has None in
    ``responses``, ``valid`` and ``taken``.

    Parameters
    ----------
    responses
        Fields of each response, in message order.
    accepted
        Cycle in which the request was accepted.
    valid
        First cycle in which the design shows the response.
    taken
        Cycle in which the response was taken.
    total_cycles
        Cycles simulated: all up to the one in which the last response was taken.
    """

    responses: list[tuple[int, ...] | None] = field(default_factory=list)
    accepted: list[int] = field(default_factory=list)
    valid: list[int | None] = field(default_factory=list)
    taken: list[int | None] = field(default_factory=list)
    total_cycles: int = 0

    @property
    def cycles(self) -> list[int | None]:
        """Cycles from accepting each request to the first sight of its response."""
        return [
            None if valid is None else valid - accepted
            for accepted, valid in zip(self.accepted, self.valid, strict=True)
        ]

    @property
    def dropped(self) -> list[int]:
        """Requests that were accepted and then dropped by a reset."""
        return [index for index, response in enumerate(self.responses) if response is None]


@dataclass(frozen=True, eq=False)
class ColumnBatch:
    """A :class:`Batch` in arrays, for many small requests.

    Parameters
    ----------
    responses
        Values of each field, in message order: an array where 64 bits hold it, else a list.
    accepted, valid, taken
        As those of a ``Batch``; -1 where there is None.
    total_cycles
        As that of a ``Batch``.
    """

    responses: tuple[Column, ...]
    accepted: np.ndarray
    valid: np.ndarray
    taken: np.ndarray
    total_cycles: int

    @property
    def cycles(self) -> np.ndarray:
        """Cycles from accepting each request to the first sight of its response; or -1."""
        return np.where(self.valid < 0, -1, self.valid - self.accepted)

    def rows(self) -> Batch:
        """Give the same, request by request."""
        columns = (c.tolist() if isinstance(c, np.ndarray) else c for c in self.responses)
        responses: list = list(zip(*columns, strict=True))
        valid, taken = self.valid.tolist(), self.taken.tolist()
        for index in np.flatnonzero(self.taken < 0).tolist():
            responses[index] = valid[index] = taken[index] = None
        return Batch(responses, self.accepted.tolist(), valid, taken, self.total_cycles)


def check_run(*, in_flight: int | None, max_idle_cycles: int) -> None:
    """Check the options of a run.

    Raises
    ------
    ValueError
        Naming the parameter, its value and what is allowed.
    """
    if in_flight is not None and in_flight < 1:
        raise ValueError(f"in_flight={in_flight}: at least 1, or None for no limit")
    if max_idle_cycles < 1:
        raise ValueError(f"max_idle_cycles={max_idle_cycles}: at least 1")


def to_columns(
    design: str, fields: Sequence[tuple[str, int]], requests: Sequence[tuple[int, ...]]
) -> list[Sequence[int]]:
    """Turn requests into the values of each field, (name, width in bits), once they are checked.

    Raises
    ------
    ValueError
        Naming the request, its value and what is allowed.
    """
    if set(map(len, requests)) - {len(fields)}:
        index = next(i for i, request in enumerate(requests) if len(request) != len(fields))
        raise ValueError(
            f"{design}: request {index} has {len(requests[index])} values, expected "
            f"{len(fields)} ({', '.join(name for name, _ in fields)})"
        )
    columns: list[Sequence[int]] = [*zip(*requests, strict=True)] or [() for _ in fields]
    check_columns(design, fields, columns)
    return columns


def check_columns(
    design: str, fields: Sequence[tuple[str, int]], columns: Sequence[Column]
) -> None:
    """Check the values of each field, (name, width in bits), one per request.

    Raises
    ------
    ValueError
        Naming the request, its value and what is allowed, or what is missing.
    """
    if len(columns) != len(fields) or len(set(map(len, columns))) > 1:
        raise ValueError(
            f"{design}: values of {', '.join(map(str, map(len, columns)))} requests, expected "
            f"{len(fields)} fields ({', '.join(name for name, _ in fields)}) of as many each"
        )
    for (name, nbits), column in zip(fields, columns, strict=True):
        if not len(column):
            continue
        values: Any = column
        array = isinstance(column, np.ndarray)
        for value in (values.min(), values.max()) if array else (min(values), max(values)):
            if value < 0 or int(value) >> nbits:
                index = (values.tolist() if array else values).index(value)
                raise ValueError(
                    f"{design}: request {index}: {name}={int(value):#x} does not fit {nbits} bits"
                )
