"""Answers that a netlist must give: Python's, or those of a core's Verilog, which may be wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rsaxcel.circuit import Circuit
from rsaxcel.sim.answers import Expected, difference
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import operation

Response = tuple[int, ...]


@dataclass(frozen=True)
class Answer:
    """Answer to an operation, and its cycles from accepted to answered."""

    response: Response
    cycles: int
    fault: str = ""  #: operands and difference from Python's integers; empty: it is right


def answers(
    configuration: Circuit, rows: Sequence[Operands], python: Callable[[Operands], Response]
) -> list[Answer]:
    """Return what a netlist must answer to each operation, after those before it.

    ``python`` gives the right response. A core in a shell is measured where it is wrong, too: its
    netlist must answer as its Verilog does.
    """
    from rsaxcel.sim.runners import answers_of, cycles_of  # slow to import

    if configuration.shelled is None:
        found = zip(rows, cycles_of(configuration, rows), strict=True)
        return [Answer(python(row), cycles) for row, cycles in found]
    to_do, told = operation(configuration), []
    for row, (response, cycles) in zip(rows, answers_of(configuration, rows), strict=True):
        fault = difference(Expected(python(row)), response)
        if fault:
            named = zip(to_do.keys, to_do.values(row), strict=True)
            fault = f"{', '.join(f'{key}={value:#x}' for key, value in named)}: {fault}"
        told.append(Answer(response, cycles, fault))
    return told
