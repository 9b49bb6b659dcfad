"""The one comparison of an answer with what Python's integers and the cycle model say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fl.status import Status

if TYPE_CHECKING:
    from sim.runners import Answer
    from sim.vectors import Vector


@dataclass(frozen=True, slots=True)
class Expected:
    """What a circuit or a model has to answer.

    Parameters
    ----------
    response
        Result by Python's integers, and the status where there is one.
    cycles
        Cycles by the cycle model; None: cycles are not compared.
    """

    response: tuple[int, ...]
    cycles: int | None = None


def difference(
    expected: Expected, response: Sequence[int], cycles: int | None = None, who: str = ""
) -> str:
    """Say how an answer differs from the one that is expected; empty if it does not.

    Parameters
    ----------
    expected
        What should have come.
    response, cycles
        What came.
    who
        What answered, such as ``at fl``; nothing is said of it unless given.
    """
    if tuple(response) != expected.response:
        told = f"{shown_response(response)} {who}".rstrip()
        return f"{told} instead of {shown_response(expected.response)}"
    if expected.cycles is not None and cycles != expected.cycles:
        return other_cycles(cycles, expected.cycles)
    return ""


def vector_fault(vector: Vector, answer: Answer) -> str:
    """Say what is wrong with the answer to a vector, or with the vector; empty if nothing is."""
    if vector.expected != vector.result:
        told = f"the vector expects {vector.expected:#x}, but Python gives {vector.result:#x}"
        return f"{told} ({shown_response((answer.result,))})"
    return difference(Expected((vector.result, vector.status)), (answer.result, answer.status))


def other_cycles(got: int | None, modelled: int, name: str = "cycles") -> str:
    """Say that the cycles of a circuit are not those of the cycle model."""
    return f"{name} {got}, the cycle model says {modelled}"


def shown_response(response: Sequence[int]) -> str:
    """Name the fields of a response: a result, and a status where there is one."""
    if not response:
        return "no response"
    result, *status = response
    return f"result {result:#x}" + (f", status {status_name(status[0])}" if status else "")


def status_name(code: int) -> str:
    """Name of a status."""
    return str(Status(code)) if code in Status._value2member_map_ else f"unknown_{int(code)}"
