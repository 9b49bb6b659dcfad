"""Compares answers with Python's integers and the cycle model, and describes differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rsaxcel.fl.status import Status

if TYPE_CHECKING:
    from rsaxcel.sim.runners import Answer
    from rsaxcel.sim.vectors import Vector


@dataclass(frozen=True, slots=True)
class Expected:
    #: response by Python's integers: result, then status (multipliers have no status)
    response: tuple[int, ...]
    cycles: int | None = None  #: cycles by the cycle model; None: not compared


def difference(
    expected: Expected, response: Sequence[int], cycles: int | None = None, who: str = ""
) -> str:
    """Describe the difference from the expected answer, empty if equal.

    ``who``: words for the answering level, such as ``at fl``.
    """
    if tuple(response) != expected.response:
        told = f"{shown_response(response)} {who}".rstrip()
        return f"{told} instead of {shown_response(expected.response)}"
    if expected.cycles is not None and cycles != expected.cycles:
        return other_cycles(cycles, expected.cycles)
    return ""


def vector_fault(vector: Vector, answer: Answer) -> str:
    """Describe the fault of a vector or of the answer to it; empty if both are right."""
    if vector.expected != vector.result:
        told = f"the vector expects {vector.expected:#x}, but Python gives {vector.result:#x}"
        return f"{told} (answer: {shown_response((answer.result,))})"
    return difference(Expected((vector.result, vector.status)), (answer.result, answer.status))


def other_cycles(got: int | None, modelled: int, name: str = "cycles") -> str:
    return f"{name} {got}, the cycle model says {modelled}"


def shown_response(response: Sequence[int]) -> str:
    """Text of a response: its result, and its status if it has one."""
    if not response:
        return "no response"
    result, *status = response
    return f"result {result:#x}" + (f", status {status_name(status[0])}" if status else "")


def status_name(code: int) -> str:
    return str(Status(code)) if code in Status._value2member_map_ else f"unknown_{int(code)}"
