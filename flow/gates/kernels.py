"""C++ kernels that evaluate the functions of library cells, for 64 simulations at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.power.liberty import Library

# The state stays while the enable is 0.
HOLD = BooleanFunction.parse("(enable & next) | (!enable & state)")


@dataclass(frozen=True)
class Kernels:
    """The distinct functions of a library's cells (output or next state).

    Each has a kernel in C++.
    """

    tables: tuple[tuple[int, bytes], ...]  # number of inputs and truth table

    @classmethod
    def of(cls, library: Library) -> Kernels:
        """Collect the functions of all cells of a library, and ``HOLD``."""
        functions = [HOLD]
        for cell in library.cells.values():
            functions += [pin.function for pin in cell.outputs if pin.function is not None]
            if cell.sequential is not None:
                functions.append(cell.sequential.next_state)
        return cls(tuple(sorted({_key(function) for function in functions})))

    @cached_property
    def _numbers(self) -> dict[tuple[int, bytes], int]:
        return {table: number for number, table in enumerate(self.tables)}

    def number(self, function: BooleanFunction) -> int:
        return self._numbers[_key(function)]

    def inputs(self, number: int) -> int:
        return self.tables[number][0]

    @cached_property
    def source(self) -> str:
        """C++ ``switch`` cases over the number of a kernel, for ``simulator.cpp``."""
        cases = []
        for number, (inputs, table) in enumerate(self.tables):
            function = np.frombuffer(table, bool).reshape((2,) * inputs)
            names = [f"PIN({i})" for i in range(inputs)]
            cases.append(f"KERNEL({number}, {expression(function, names)})")
        return "\n".join(cases) + "\n"


def _key(function: BooleanFunction) -> tuple[int, bytes]:
    return len(function.pins), np.asarray(function.table, bool).tobytes()


def expression(table: np.ndarray, names: Sequence[str]) -> str:
    """C++ expression for a truth table; the compiler merges repeated terms."""
    if table.all():
        return "ONES"
    if not table.any():
        return "ZEROS"
    name, rest = names[0], names[1:]
    low, high = (expression(table[value], rest) for value in (0, 1))
    if np.array_equal(table[0], table[1]):
        return low
    if np.array_equal(table[0], ~table[1]):
        return f"({name} ^ {low})"
    terms = {("ZEROS", "ONES"): name, ("ONES", "ZEROS"): f"~{name}"}
    if (low, high) in terms:
        return terms[low, high]
    if low == "ZEROS":
        return f"({name} & {high})"
    if high == "ZEROS":
        return f"(~{name} & {low})"
    if low == "ONES":
        return f"(~{name} | {high})"
    if high == "ONES":
        return f"({name} | {low})"
    return f"(({name} & {high}) | (~{name} & {low}))"
