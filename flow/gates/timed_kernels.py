"""C++ kernels of gates with delays: their functions, and the delay that applies in each lane."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count

import numpy as np

from rsaxcel.flow.gates.circuit import Driver
from rsaxcel.flow.gates.delays import Case, cases_of
from rsaxcel.flow.gates.kernels import HOLD, expression
from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.power.liberty import Library, LibraryCell, Pin

# Inputs and truth table of the function; then for each delay case the index of its input and the
# truth table of its condition, empty for all other states.
_Key = tuple[int, bytes, tuple[tuple[int, bytes], ...]]


@dataclass(frozen=True)
class TimedKernels:
    """The distinct logic functions of cells' outputs in a library, each with its ``Case`` delays.

    A flip-flop's next state is simulated as a gate without delay: it is no pin.
    """

    keys: tuple[_Key, ...]

    @classmethod
    def of(cls, library: Library) -> TimedKernels:
        """Collect the functions of all cells of a library."""
        keys = {_key(HOLD, ())}
        for cell in library.cells.values():
            if cell.sequential is not None:
                keys.add(_key(cell.sequential.next_state, ()))
            for pin, function in _outputs(cell):
                keys.add(_key(function, cases_of(cell, pin, function)))
        return cls(tuple(sorted(keys)))

    def number(self, function: BooleanFunction, driver: Driver | None) -> int:
        if driver is None:
            return self._numbers[_key(function, ())]
        instance, pin, _ = driver
        output = instance.cell.name, pin.name
        if output not in self._outputs:
            cases = cases_of(instance.cell, pin, function)
            self._outputs[output] = self._numbers[_key(function, cases)]
        return self._outputs[output]

    @cached_property
    def _outputs(self) -> dict[tuple[str, str], int]:
        """Number of the kernel, by names of cell and output; filled by ``number``."""
        return {}

    @cached_property
    def _numbers(self) -> dict[_Key, int]:
        return {key: number for number, key in enumerate(self.keys)}

    @property
    def sources(self) -> dict[str, str]:
        """Files that ``timed.h`` includes, by name: structures of the kernels, ``switch`` cases."""
        return {
            "timed_kernels.inc": "".join(map(_structure, count(), self.keys)),
            "timed_cases.inc": "".join(f"KERNEL({number})\n" for number in range(len(self.keys))),
        }


def _outputs(cell: LibraryCell) -> Iterator[tuple[Pin, BooleanFunction]]:
    """Yield the outputs that drive a net, with the functions that ``build_circuit`` uses."""
    sequential = cell.sequential
    if sequential is not None and sequential.kind != "ff":
        return  # clock gates are not simulated, latches are refused
    for pin in cell.outputs:
        if pin.function is None:
            continue
        function = pin.function
        if sequential is not None:
            state = BooleanFunction.variable(sequential.state)
            function = function.substitute(sequential.complement, ~state)
        known = {arc.related_pin for arc in pin.delay_arcs}
        known |= {sequential.state} if sequential is not None else set()
        if known.issuperset(function.pins):  # otherwise, a netlist with this cell is refused
            yield pin, function


def _key(function: BooleanFunction, cases: Sequence[Case]) -> _Key:
    conditions = []
    for case in cases:
        when = b""
        if case.when is not None:
            never = BooleanFunction(function.pins, np.zeros_like(function.table))
            when = np.ascontiguousarray((case.when | never).table).tobytes()
        conditions.append((case.position, when))
    table = np.ascontiguousarray(function.table, bool).tobytes()
    return len(function.pins), table, tuple(conditions)


def _structure(number: int, key: _Key) -> str:
    inputs, table, cases = key
    names = [f"in[{i}]" for i in range(inputs)]

    def text(content: bytes) -> str:
        return expression(np.frombuffer(content, bool).reshape((2,) * inputs), names)

    body = []
    for position in dict.fromkeys(position for position, _ in cases):
        body.append(f"if (Word left = moved[{position}]) {{")
        rest = np.ones(2**inputs, bool)
        for index, (at, when) in enumerate(cases):
            if at != position or not rest.any():
                continue
            holds = np.frombuffer(when, bool) if when else rest
            if (holds | ~rest).all():
                body.append(f"    function({index}, left);")
            else:
                body.append(f"    const Word own{index} = left & {text(when)};")
                body.append(f"    left ^= own{index};")
                body.append(f"    function({index}, own{index});")
            rest = rest & ~holds
        body.append("}")
    lines = "\n".join(f"        {line}" for line in body)
    return f"""template <> struct Kernel<{number}> {{
    static constexpr int INPUTS = {inputs}, CASES = {len(cases)};
    static INLINED Word value([[maybe_unused]] const Word* in) {{ return {text(table)}; }}
    template <class Function>
    static INLINED void each_case([[maybe_unused]] const Word* in,
        [[maybe_unused]] const Word* moved, [[maybe_unused]] Function function) {{
{lines}
    }}
}};
"""
