"""All instances of one cell type, with their activity, loads and slews as arrays."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from rsaxcel.flow.errors import PowerError
from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.power.liberty import Edge, InternalPower, LibraryCell, Pin
from rsaxcel.flow.power.netlist import Instance, Netlist
from rsaxcel.flow.power.slews import Slews
from rsaxcel.flow.yosys_json import Bit

_Fixed = TypeVar("_Fixed")

_CONSTANTS: dict[Bit, float] = {"0": 0.0, "1": 1.0, "x": 0.5, "z": 0.5}


@dataclass(frozen=True, eq=False, repr=False)
class CellBank:
    """The instances of one cell type; arrays have one element per instance."""

    cell: LibraryCell
    instances: Sequence[Instance]
    #: Toggles by pin. NaN, as `high`, for an output that nothing reads and the activity
    #: lacks.
    toggles: Mapping[str, np.ndarray]
    high: Mapping[str, np.ndarray]  #: probability of 1 by pin
    load_f: Mapping[str, np.ndarray]
    slews: Slews
    kept: dict[Hashable, Any]  #: values of `fixed`; banks of the same cell type share them

    @property
    def zeros(self) -> np.ndarray:
        return np.zeros(len(self.instances))

    def slew_s(self, pin: str, edge: Edge) -> np.ndarray:
        """Return the slews of one pin and edge in seconds."""
        return self.fixed(
            (pin, edge),
            lambda: np.array([self.slews.slew_s(x.name, pin, edge) for x in self.instances]),
        )

    def edge_j(
        self, power: InternalPower, edge: Edge, cause: tuple[str, Edge], output: str = ""
    ) -> np.ndarray:
        """Return the joules of a pin's edge, by its cause; only an ``output`` has a load."""
        load_f = self.load_f[output] if output else self.zeros
        return self.fixed(
            (id(power), edge, cause, output),
            lambda: power.energy_j(edge, self.slew_s(*cause), load_f),
        )

    def fixed(self, key: Hashable, make: Callable[[], _Fixed]) -> _Fixed:
        """Return the value under ``key``; if it is new, store the result of ``make``."""
        # Banks with other activities share the value, so it must not depend on activity.
        if key not in self.kept:
            self.kept[key] = make()
        return self.kept[key]

    def polarity(self, pin: Pin) -> bool | None:
        """Whether an output equals the state (True), its complement (False) or neither."""
        sequential = self.cell.sequential
        if sequential is None or pin.function is None:
            return None
        function = self.cell.of_state(pin.function)
        return bool(function.table[1]) if function.pins == (sequential.state,) else None

    def in_state(self, condition: BooleanFunction) -> BooleanFunction:
        """Return ``condition`` with the state variable in place of the outputs Q and QN."""
        sequential = self.cell.sequential
        if sequential is None:
            return condition
        state = BooleanFunction.variable(sequential.state)
        condition = self.cell.of_state(condition)
        for pin in self.cell.outputs:
            polarity = self.polarity(pin)
            if self.cell.clock_gate:
                # While the clock is high, the gated clock equals the state of the latch.
                polarity = True
            if polarity is not None:
                condition = condition.substitute(pin.name, state if polarity else ~state)
        return condition

    @cached_property
    def state_toggles(self) -> np.ndarray:
        """Toggles of the state of each instance, if the cell is a flip-flop or latch."""
        return self._state[0]

    @cached_property
    def probabilities(self) -> dict[str, np.ndarray]:
        """Probability of 1 of the pins and, in a sequential cell, of the state variable."""
        if self.cell.sequential is None:
            return dict(self.high)
        return {**self.high, self.cell.sequential.state: self._state[1]}

    @cached_property
    def _state(self) -> tuple[np.ndarray, np.ndarray]:
        """Toggles and probability of 1 of the state, from any output.

        The state of a clock gate follows its enable.
        """
        if gate := self.cell.clock_gate:
            (enable,) = gate.next_state.pins
            return self.toggles[enable], self.high[enable]
        toggles, high = self.zeros + np.nan, self.zeros + np.nan
        for pin in self.cell.outputs:
            polarity = self.polarity(pin)
            if polarity is not None:
                unknown = np.isnan(toggles)
                value = self.high[pin.name] if polarity else 1.0 - self.high[pin.name]
                toggles = np.where(unknown, self.toggles[pin.name], toggles)
                high = np.where(unknown, value, high)
        if np.isnan(toggles).any():
            name = self.instances[int(np.argmax(np.isnan(toggles)))].name
            raise PowerError(f"the activity lacks the outputs of cell {name} ({self.cell.name})")
        return toggles, high


class Banks:
    """The instances of a netlist by cell type; ``under`` adds the values of an activity."""

    def __init__(self, netlist: Netlist, slews: Slews) -> None:
        self.netlist, self._slews = netlist, slews
        self._nets: list[Any] = [*_CONSTANTS, None, *netlist.load_f]
        position = {bit: index for index, bit in enumerate(self._nets)}
        load_f = np.array([netlist.load_f.get(bit, 0.0) for bit in self._nets])
        by_type: dict[str, list[Instance]] = {}
        for instance in netlist.instances:
            by_type.setdefault(instance.cell.name, []).append(instance)
        self._groups = []
        for members in by_type.values():
            cell = members[0].cell
            at = {
                pin: np.array([position[instance.nets.get(pin)] for instance in members])
                for pin in cell.pins
            }
            loads = {pin: load_f[index] for pin, index in at.items()}
            kept: dict[Hashable, Any] = {}
            self._groups.append((cell, members, at, loads, kept))

    def under(self, activity: Activity) -> list[CellBank]:
        """Return the banks with the toggles of an activity.

        ``PowerError`` if it lacks a net that is read.
        """
        for bit in self.netlist.observed:
            if bit not in activity.toggles or bit not in activity.high:
                raise PowerError(f"the activity lacks the net {self.netlist.name_of(bit)}")
        nets = self._nets
        toggles, high = activity.toggles, activity.high
        moved = np.array([0.0 if b in _CONSTANTS else toggles.get(b, np.nan) for b in nets])
        is_high = np.array([_CONSTANTS.get(b, high.get(b, np.nan)) for b in nets])
        return [
            CellBank(
                cell=cell,
                instances=members,
                toggles={pin: moved[index] for pin, index in at.items()},
                high={pin: is_high[index] for pin, index in at.items()},
                load_f=loads,
                slews=self._slews,
                kept=kept,
            )
            for cell, members, at, loads, kept in self._groups
        ]
