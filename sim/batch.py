"""Shared parts of the engines: checks of requests, batches, conditions of a run, exceptions."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rsaxcel.sim.stalls import NO_STALLS, StallProfile
from rsaxcel.store.errors import RunError

Column = np.ndarray | Sequence[int]  #: values of a field, one per message

#: Default lengths of a reset in cycles: before cycle 0, and during a run.
RESET_CYCLES = 3
RESET_IN_FLIGHT_CYCLES = 2

#: Default number of cycles without a handshake after which an engine gives up.
MAX_IDLE_CYCLES = 100_000


class SimulationError(RunError):
    """A simulation that could not be finished; the message is one line."""


class SimulationTimeout(SimulationError):  # noqa: N818
    """Raised if, for too many cycles, no request is accepted and no response is taken.

    A request that a reset dropped counts as answered.
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
    """Raised if the design offers a response although no request is outstanding."""

    def __init__(self, design: str, cycle: int, accepted: int) -> None:
        self.design, self.cycle, self.accepted = design, cycle, accepted
        super().__init__(
            f"{design}: response in cycle {cycle} although all {accepted} accepted requests "
            "have been answered"
        )


@dataclass(frozen=True)
class Conditions:
    """Conditions under which a component runs a batch; ``ValueError`` if one is not allowed."""

    stalls: StallProfile = NO_STALLS  #: delays of source and sink
    power_up_seed: int = 0  #: seed of register contents, 64 bits; 0: all registers are zero
    power_up_cycles: int = RESET_CYCLES  #: cycles of the reset before cycle 0
    reset_at: int | None = None  #: first cycle of a reset in flight
    reset_cycles: int = RESET_IN_FLIGHT_CYCLES

    def __post_init__(self) -> None:
        check_resets(self.power_up_seed, self.power_up_cycles, self.reset_at, self.reset_cycles)


def check_resets(seed: int, power_up_cycles: int, at: int | None, cycles: int) -> None:
    """Check the reset options of a run; see :class:`Conditions`."""
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

    Cycle 0 is the first one after reset. A request that a reset drops has None.
    """

    #: fields of each response, in message order
    responses: list[tuple[int, ...] | None] = field(default_factory=list)
    accepted: list[int] = field(default_factory=list)
    #: First cycle in which the response is offered.
    valid: list[int | None] = field(default_factory=list)
    taken: list[int | None] = field(default_factory=list)
    total_cycles: int = 0  #: number of cycles, with the one in which the last response was taken

    @property
    def cycles(self) -> list[int | None]:
        """Cycles from acceptance to the first offer of the response; None if dropped."""
        return [
            None if valid is None else valid - accepted
            for accepted, valid in zip(self.accepted, self.valid, strict=True)
        ]

    @property
    def dropped(self) -> list[int]:
        return [index for index, response in enumerate(self.responses) if response is None]


@dataclass(frozen=True, eq=False)
class ColumnBatch:
    """A :class:`Batch` in arrays, with -1 in place of None, for many small requests."""

    responses: tuple[Column, ...]  #: responses by field: an array up to 64 bits, else a list
    accepted: np.ndarray
    valid: np.ndarray
    taken: np.ndarray
    total_cycles: int

    @property
    def cycles(self) -> np.ndarray:
        """Cycles from acceptance to the first offer of the response; -1 if dropped."""
        return np.where(self.valid < 0, -1, self.valid - self.accepted)

    def rows(self) -> Batch:
        """Convert to a ``Batch``, which has one entry per request."""
        columns = (c.tolist() if isinstance(c, np.ndarray) else c for c in self.responses)
        responses: list = list(zip(*columns, strict=True))
        valid, taken = self.valid.tolist(), self.taken.tolist()
        for index in np.flatnonzero(self.taken < 0).tolist():
            responses[index] = valid[index] = taken[index] = None
        return Batch(responses, self.accepted.tolist(), valid, taken, self.total_cycles)


def check_run(*, in_flight: int | None, max_idle_cycles: int) -> None:
    """Check options of a run: outstanding requests and the idle limit."""
    if in_flight is not None and in_flight < 1:
        raise ValueError(f"in_flight={in_flight}: at least 1, or None for no limit")
    if max_idle_cycles < 1:
        raise ValueError(f"max_idle_cycles={max_idle_cycles}: at least 1")


def to_columns(
    design: str, fields: Sequence[tuple[str, int]], requests: Sequence[tuple[int, ...]]
) -> list[Sequence[int]]:
    """Check requests and transpose them to one column of values per field."""
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
    """Check that columns fit the fields (names and widths), and are equally long."""
    if len(columns) != len(fields) or len(set(map(len, columns))) > 1:
        raise ValueError(
            f"{design}: columns of {', '.join(map(str, map(len, columns)))} values, expected "
            f"{len(fields)} columns ({', '.join(name for name, _ in fields)}) of equal length"
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
