"""Keeps the processor time of flows beside their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Protocol, TypeVar

import psutil

from rsaxcel.eval.facts.fact import Fact
from rsaxcel.flow.layout import SYNTHESIZED
from rsaxcel.store.folders import find_json, keep_json
from rsaxcel.store.places import MEASUREMENTS


class Costed(Protocol):
    """A result of the flow."""

    @property
    def hash(self) -> str:
        """Key of the result: hash of its inputs, code and tools."""

    @property
    def library(self) -> str:
        """Cell library."""

    @property
    def clock_ns(self) -> float:
        """Requested clock period in ns."""


_Result = TypeVar("_Result", bound=Costed)


def costed(
    find: Callable[..., _Result | None], run: Callable[..., _Result], asked: tuple[Any, ...]
) -> _Result:
    """Find a result, or make it and keep the processor time that it takes."""
    # Nodes that an interrupted run finished are not included. Other threads must not work at the
    # same time, because their time would be included.
    found = find(*asked)
    if found is not None:
        return found
    before = _cpu_seconds()
    found = run(*asked)
    spent = {"cpu_seconds": round(_cpu_seconds() - before, 3)}
    keep_json(MEASUREMENTS.absolute(), _entry(found), lambda: spent)
    return found


def cost_facts(
    found: Costed, quantity: str, nbits: int, subject: str, choices: str = ""
) -> Iterator[Fact]:
    """Yield the processor time of a result as a fact, if it is known."""
    if cost := find_json(MEASUREMENTS.absolute(), _entry(found)):
        about: Any = {"nbits": nbits, "choices": choices, "library": found.library}
        stage = getattr(found, "stage", SYNTHESIZED)  # an outline has none: it is of a netlist
        about |= {"clock_ns": found.clock_ns, "stage": stage, "provenance": found.hash}
        yield Fact(subject, quantity, cost["cpu_seconds"], "measured", **about)


def _entry(found: Costed) -> str:
    return f"cost-{found.hash}"


def _cpu_seconds() -> float:
    """Processor time in s of this process, of its child processes, and of theirs."""
    # The server from which Yosys's processes are forked still runs when Yosys has ended.
    own, used = psutil.Process(), 0.0
    for process in (own, *own.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            used += sum(process.cpu_times()[:4])
    return used
