"""Answers that a netlist must give: Python's, or those of a core's Verilog, which may be wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rsaxcel.circuit import Circuit
from rsaxcel.sim.answers import Expected, difference
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import operation

Response = tuple[int, ...]
#: function that gives the answer to the last of some operations, after the others
After = Callable[[Sequence[Operands]], "NetlistAnswer"]


@dataclass(frozen=True)
class NetlistAnswer:
    """What a netlist must answer to an operation, in cycles from accepted to answered."""

    operands: Operands
    response: Response  #: empty: there is no answer
    cycles: int
    fault: str = ""  #: operands and difference from Python's integers; empty: it is right

    def difference(self, response: Response, cycles: int) -> str:
        """Describe the difference of a netlist's answer from this one; empty if it is equal."""
        return difference(Expected(self.response, self.cycles), response, cycles)

    def after(
        self, rows: Sequence[Operands], after: After | None, response: Response, cycles: int
    ) -> str:
        """Describe the difference of an answer to the last of some operations after the others.

        An answer that the circuit gives in this order is right, too: see ``CircuitSubject.after``.
        """
        told = self.difference(response, cycles)
        if told and after is not None:
            return after(rows).difference(response, cycles) and told
        return told


#: Operations that a core in a shell may leave without an answer; with more, it is not measured.
_MOST_HANGING = 3


def answers(
    configuration: Circuit,
    rows: Sequence[Operands],
    python: Callable[[Operands], Response],
    *,
    may_hang: bool = False,
) -> list[NetlistAnswer]:
    """Return what a netlist must answer to each operation, after those before it.

    ``python`` gives the right response. A core in a shell is measured where it is wrong, too: its
    netlist must answer as its Verilog does. If it ``may_hang``, operations without an answer have
    an empty response.
    """
    from rsaxcel.sim.runners import cycles_of  # slow to import

    if configuration.shelled is None:
        found = zip(rows, cycles_of(configuration, rows), strict=True)
        return [NetlistAnswer(row, python(row), cycles) for row, cycles in found]
    to_do = operation(configuration)

    def judged(row: Operands, response: Response, cycles: int) -> NetlistAnswer:
        told = difference(Expected(python(row)), response)
        if told:
            named = zip(to_do.keys, to_do.values(row), strict=True)
            told = f"{', '.join(f'{key}={value:#x}' for key, value in named)}: {told}"
        return NetlistAnswer(row, response, cycles, told)

    measured = _measured(configuration, rows, _MOST_HANGING if may_hang else 0)
    return [judged(row, *answer) for row, answer in zip(rows, measured, strict=True)]


def _measured(
    configuration: Circuit, rows: Sequence[Operands], may_hang: int
) -> list[tuple[Response, int]]:
    """Measure at RTL; after an operation without an answer comes a reset."""
    from rsaxcel.sim.batch import SimulationTimeout
    from rsaxcel.sim.runners import answers_of

    try:
        return answers_of(configuration, rows)
    except SimulationTimeout as error:
        if not may_hang:
            raise
        hangs = error.answered
    before = answers_of(configuration, rows[:hangs]) if hangs else []
    left = rows[hangs + 1 :]
    after = _measured(configuration, left, may_hang - 1) if left else []
    return [*before, ((), 0), *after]
