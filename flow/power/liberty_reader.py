"""Reads a Liberty file into the dataclasses of `flow.power.liberty`; the parser is `libparse`."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Collection, Iterator
from pathlib import Path

import libparse
import numpy as np

from flow.power.boolean import BooleanFunction
from flow.power.errors import PowerError
from flow.power.liberty import (
    FALL,
    RISE,
    DelayArc,
    Edge,
    InternalPower,
    Leakage,
    Library,
    LibraryCell,
    Pin,
    Sequential,
    Table,
    WireLoad,
)

_PREFIXES = {"": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9, "p": 1e-12, "f": 1e-15}
# Groups that are not read: slews and constraints are left to the timing tool.
_LEFT_OUT = ("rise_transition", "fall_transition", "rise_constraint", "fall_constraint")
_CAUSES = (
    *("combinational", "combinational_rise", "combinational_fall"),
    *("rising_edge", "falling_edge", "clear", "preset"),
)
"""Types of `timing` groups that give delays of outputs."""
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def read_liberty(path: str | Path) -> Library:
    """Read the library at `path`.

    Raises
    ------
    PowerError
        If the file cannot be read, is not a Liberty file, or has unsupported contents.
    """
    top = read_syntax_tree(path)
    try:
        return _Reader(LibertyGroup(top)).library()
    except PowerError as error:
        raise PowerError(f"{path}: {error}") from error


def read_syntax_tree(path: str | Path) -> libparse.LibertyAst:
    """Return the library group of the file at `path`.

    The group's children may be used only as long as a reference to the group exists.

    Raises
    ------
    PowerError
        If the file cannot be read or is not a Liberty file.
    """
    try:
        # The parser closes the descriptor; Python must not close it a second time.
        with open(os.open(path, os.O_RDONLY), closefd=False) as file:
            top = libparse.LibertyParser(file).ast
    except OSError as error:
        raise PowerError(f"cannot read the Liberty file {path}: {error.strerror}") from error
    if top is None or top.id != "library":
        raise PowerError(f"{path} is not a Liberty file: it has no library group")
    return top


class LibertyGroup:
    """A node of the syntax tree: a group, or an attribute, which may have a value.

    Groups and attributes whose names are in ``left_out`` are not read, at any depth.
    """

    def __init__(self, node: libparse.LibertyAst, left_out: Collection[str] = _LEFT_OUT) -> None:
        self.id = node.id
        self.arguments = [str(a).strip('"') for a in node.args]
        self.value = node.value.strip('"')
        self._children = [
            LibertyGroup(child, left_out) for child in node.children if child.id not in left_out
        ]

    def all(self, *ids: str) -> Iterator[LibertyGroup]:
        """Yield the children of these names."""
        return (child for child in self._children if child.id in ids)

    def get(self, name: str) -> str | None:
        """Return the value of the last attribute of that name, which overrides earlier ones."""
        values = [child.value for child in self.all(name)]
        return values[-1] if values else None

    def number(self, name: str, default: float | None = None) -> float:
        """Return a numeric attribute; without a default it is required."""
        text = self.get(name)
        try:
            if text is not None:
                return float(text)
        except ValueError:
            pass
        if text is None and default is not None:
            return default
        where = f"{self.id}({', '.join(self.arguments)})"
        raise PowerError(f"{where}: {name} must be a number, not {text!r}")

    def numbers(self, name: str) -> np.ndarray | None:
        """Return a complex attribute such as `values` or `index_1` as a flat array."""
        for child in self.all(name):
            return np.array([float(n) for n in _NUMBER.findall(" ".join(child.arguments))])
        return None

    def function(self, name: str) -> BooleanFunction | None:
        """Return an attribute that is a Boolean function of pins."""
        text = self.get(name)
        return BooleanFunction.parse(text) if text else None


class LibertyTables:
    """Units of time and load of a library, and the axes of its tables."""

    def __init__(self, top: LibertyGroup) -> None:
        self.time_s = _unit(top.get("time_unit") or "1ns", "s")
        load = next(top.all("capacitive_load_unit"), None)
        self.load_f = _unit("".join(load.arguments), "f") if load else 1e-12
        self.templates = {
            group.arguments[0]: group
            for group in top.all("power_lut_template", "lu_table_template")
            if group.arguments
        }

    def axes_and_values(
        self, group: LibertyGroup
    ) -> tuple[list[tuple[str, np.ndarray]], np.ndarray]:
        """Return variable and points of each axis of a table, and its values, in library units.

        Raises
        ------
        PowerError
            If the table has no template, or not as many values as its axes need.
        """
        name = group.arguments[0] if group.arguments else "scalar"
        template = self.templates.get(name)
        if template is None and name != "scalar":
            raise PowerError(f"the table template {name!r} is not defined")
        axes: list[tuple[str, np.ndarray]] = []
        for position in (1, 2, 3):
            variable = template.get(f"variable_{position}") if template else None
            if variable is not None:
                index = f"index_{position}"
                points = group.numbers(index)
                if points is None and template:
                    points = template.numbers(index)
                if points is None:
                    raise PowerError(f"the table template {name!r} has no {index}")
                axes.append((variable, points))
        values = group.numbers("values")
        shape = tuple(len(points) for _, points in axes)
        if values is None or values.size != int(np.prod(shape)):
            raise PowerError(f"a table of template {name!r} does not have {shape} values")
        return axes, values.reshape(shape)


class _Reader(LibertyTables):
    """Reads one library; holds its units, defaults and templates."""

    def __init__(self, top: LibertyGroup) -> None:
        super().__init__(top)
        self.top = top
        self.leakage_w = _unit(top.get("leakage_power_unit") or "1nW", "w")
        volt = _unit(top.get("voltage_unit") or "1V", "v")
        # The Liberty standard defines the unit of internal energy by these two units.
        self.energy_j = self.load_f * volt**2
        self.nominal_v = top.number("nom_voltage") * volt

    def library(self) -> Library:
        cells = {group.arguments[0]: self.cell(group) for group in self.top.all("cell")}
        return Library(
            name=self.top.arguments[0] if self.top.arguments else "",
            nominal_v=self.nominal_v,
            time_unit_s=self.time_s,
            cells=cells,
            wire_load=self.wire_load(),
        )

    def wire_load(self) -> WireLoad | None:
        name = self.top.get("default_wire_load")
        if name is None:
            return None
        for group in self.top.all("wire_load"):
            if group.arguments == [name]:
                pairs = [g.arguments for g in group.all("fanout_length")]
                if not pairs:
                    raise PowerError(f"the wire load {name!r} has no lengths")
                return WireLoad(
                    name=name,
                    capacitance_f=group.number("capacitance") * self.load_f,
                    slope=group.number("slope", 0.0),
                    points=tuple(sorted((float(n), float(length)) for n, length, *_ in pairs)),
                )
        raise PowerError(f"the default wire load {name!r} is not defined")

    def cell(self, group: LibertyGroup) -> LibraryCell:
        leakages = []
        default_w = group.number(
            "cell_leakage_power", self.top.number("default_cell_leakage_power", 0.0)
        )
        for leakage in group.all("leakage_power"):
            when = leakage.function("when")
            if when is None:
                default_w = leakage.number("value")
            else:
                leakages.append(Leakage(when, leakage.number("value") * self.leakage_w))
        pins = {name: self.pin(name, pin) for pin in group.all("pin") for name in pin.arguments}
        return LibraryCell(
            name=group.arguments[0],
            area_um2=group.number("area", 0.0),
            leakage_w=default_w * self.leakage_w,
            leakages=tuple(leakages),
            pins={name: pin for name, pin in pins.items() if pin.direction != "internal"},
            sequential=_sequential(group),
        )

    def pin(self, name: str, group: LibertyGroup) -> Pin:
        direction = group.get("direction") or "input"
        default = self.top.number(f"default_{direction}_pin_cap", 0.0)
        capacitance = group.number("capacitance", default)
        return Pin(
            name=name,
            direction=direction,
            rise_capacitance_f=group.number("rise_capacitance", capacitance) * self.load_f,
            fall_capacitance_f=group.number("fall_capacitance", capacitance) * self.load_f,
            max_capacitance_f=group.number("max_capacitance", math.inf) * self.load_f,
            clock=group.get("clock") == "true",
            function=group.function("function") or group.function("state_function"),
            internal_powers=tuple(
                power for g in group.all("internal_power") for power in self.internal_powers(g)
            ),
            delay_arcs=tuple(arc for g in group.all("timing") for arc in self.delay_arcs(g)),
        )

    def internal_powers(self, group: LibertyGroup) -> Iterator[InternalPower]:
        """Yield an `internal_power` group once per related pin."""
        tables: dict[Edge, Table] = {}
        for child in group.all("power", "rise_power", "fall_power"):
            edges = {"rise_power": [RISE], "fall_power": [FALL]}.get(child.id, [RISE, FALL])
            tables |= dict.fromkeys(edges, self.table(child, self.energy_j))
        when = group.function("when")
        names: list[str | None] = [*(group.get("related_pin") or "").split()]
        for related in names or [None]:
            yield InternalPower(related, when, tables)

    def delay_arcs(self, group: LibertyGroup) -> Iterator[DelayArc]:
        """Yield a `timing` group once per related pin, if it gives delays."""
        if (group.get("timing_type") or "combinational") not in _CAUSES:
            return
        edges = {"cell_rise": RISE, "cell_fall": FALL}
        tables = {
            edge: self.table(child, self.time_s)
            for name, edge in edges.items()
            for child in group.all(name)
        }
        when = group.function("when")
        for related in (group.get("related_pin") or "").split():
            yield DelayArc(related, when, tables)

    def table(self, group: LibertyGroup, unit: float) -> Table:
        axes, values = self.axes_and_values(group)
        quantities = values * unit
        slews, loads = np.zeros(1), np.zeros(1)
        for variable, points in axes:
            if variable in ("input_transition_time", "input_net_transition"):
                slews = points * self.time_s
            elif variable == "total_output_net_capacitance":
                loads = points * self.load_f
            else:
                raise PowerError(f"tables over {variable!r} are not supported")
        if len(axes) == 2 and axes[0][0] == "total_output_net_capacitance":
            quantities = quantities.T
        return Table(slews, loads, quantities.reshape(len(slews), len(loads)))


def _clock_gate(cell: LibertyGroup) -> Sequential | None:
    """Read a cell as a clock gate for rising edges.

    None is returned if the cell has test pins, or if it has not exactly one state, one clock and
    one enable.
    """
    pins = {name: pin for pin in cell.all("pin") for name in pin.arguments}
    states = [state for pin in pins.values() if (state := pin.get("internal_node"))]
    roles = {
        role: [name for name, pin in pins.items() if pin.get(f"clock_gate_{role}_pin") == "true"]
        for role in ("clock", "enable", "test")
    }
    if roles["test"] or not all(len(x) == 1 for x in (states, roles["clock"], roles["enable"])):
        return None
    return Sequential(
        kind="gate",
        state=states[0],
        complement=f"{states[0]}_N",
        next_state=BooleanFunction.variable(roles["enable"][0]),
        clock=BooleanFunction.variable(roles["clock"][0]),
    )


def _sequential(cell: LibertyGroup) -> Sequential | None:
    if cell.get("clock_gating_integrated_cell") == "latch_posedge":
        return _clock_gate(cell)
    for group in cell.all("ff", "latch"):
        data, clock = ("next_state", "clocked_on") if group.id == "ff" else ("data_in", "enable")
        next_state, clock_function = group.function(data), group.function(clock)
        if next_state is None or clock_function is None or len(group.arguments) < 2:
            return None
        return Sequential(
            kind=group.id,
            state=group.arguments[0],
            complement=group.arguments[1],
            next_state=next_state,
            clock=clock_function,
            clear=group.function("clear"),
            preset=group.function("preset"),
        )
    return None


def _unit(text: str, base: str) -> float:
    """Return a unit such as ``1ns`` or ``1ff`` in SI; `base` is the SI unit's letter (``s``)."""
    match = re.fullmatch(rf"([\d.]+)([munpf]?){base}", text.replace(" ", "").lower())
    if match is None:
        raise PowerError(f"not a unit of {base}: {text!r}")
    return float(match[1]) * _PREFIXES[match[2]]
