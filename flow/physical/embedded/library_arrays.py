"""The cell library as arrays: geometry, timing, and families of cells of one function."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache

import numpy as np

from rsaxcel.flow.kit import Kit
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.physical.array_netlist import INPUT_PORT, OUTPUT_PORT, Kind
from rsaxcel.flow.physical.embedded.records import LibraryArrays
from rsaxcel.flow.physical.embedded.timing_library import AXES, Arc, CellTiming, timing_library
from rsaxcel.flow.physical.roles import complements
from rsaxcel.flow.power.liberty import LibraryCell

# Roles of kinds, as in cells.h.
PLAIN, REGISTER, GATE, BUFFER, CLOCK_BUFFER, INPUT, OUTPUT = 0, 1, 2, 4, 8, 16, 32

CLOCK_CELLS = "CLK*"  # cells for clock trees

_Tables = tuple[np.ndarray | None, ...]
_UNLIMITED = (0.0, 0.0, 1e9)
_MOST_INPUTS = 6  # of a function whose table has 64 bits


@lru_cache(maxsize=4)
def library_arrays(kit: Kit, kinds: tuple[Kind, ...], *, joined: bool = True) -> LibraryArrays:
    """Build the arrays of a library for the C++ code, which only reads them.

    ``joined``: one arc has the extreme values of all states of a cell's other inputs, which is
    faster and less exact.
    """
    timing, cells = timing_library(kit), kept_library(kit.liberty).cells
    tables: list[np.ndarray] = []
    families: dict[object, int] = {}
    kind_rows, pin_rows, pin_loads, arc_rows, check_rows = [], [], [], [], []
    pin_tables: list[int] = []
    pin_start, arc_start, check_start = [0], [0], [0]
    for kind in kinds:
        known = timing.cells.get(kind.name)
        cell = cells.get(kind.name)
        names = [pin.name for pin in kind.pins]
        role = _role(kind, cell, kit)
        family = -1
        if cell is not None and known and names and _is_usable(kind.name, role, kit):
            family = families.setdefault(_function(cell, names), len(families))
        clock = _clock_pin(cell, names)
        functions = _tables_of(cell, kind)
        pin_tables += functions or [0] * len(names)
        kind_rows.append((kind.width, kind.height, role, family, clock, functions is not None))
        others = complements(cell, names)
        for number, pin in enumerate(kind.pins):
            pin_rows.append((pin.is_output, pin.x, pin.y, others.get(number, -1)))
            loads = _UNLIMITED
            if known:
                loads = (*known.capacitance_ff[pin.name], known.limit_ff[pin.name])
            pin_loads.append(loads)
        if known:
            arc_rows += _arc_rows(known, names, tables, joined=joined)
            check_rows += [
                (names.index(x.data), names.index(x.clock), x.kind, *_numbers(x.tables, tables))
                for x in known.checks
                if x.data in names
            ]
        pin_start.append(len(pin_rows))
        arc_start.append(len(arc_rows))
        check_start.append(len(check_rows))
    return LibraryArrays(
        **{
            name: np.ascontiguousarray(rows, np.int32)
            for name, rows in (
                ("kind_rows", kind_rows),
                ("pin_rows", pin_rows),
                ("arc_rows", arc_rows),
                ("check_rows", check_rows),
                ("pin_start", pin_start),
                ("arc_start", arc_start),
                ("check_start", check_start),
            )
        },
        kind_areas=np.array([cells[x.name].area_um2 if x.name in cells else 0.0 for x in kinds]),
        pin_loads=np.array(pin_loads, float),
        pin_tables=np.array(pin_tables, np.uint64),
        tables=np.concatenate(tables),
        kind_count=len(kinds),
        table_count=len(tables),
        driving_kind=[kind.name for kind in kinds].index(kit.driving_cell),
        port_load_ff=kit.port_load_ff,
        max_slew_ns=timing.max_slew_ns,
    )


def _role(kind: Kind, cell: LibraryCell | None, kit: Kit) -> int:
    if kind in (INPUT_PORT, OUTPUT_PORT):
        return INPUT if kind == INPUT_PORT else OUTPUT
    if cell is None:
        return PLAIN
    if cell.sequential is not None:
        return GATE if cell.clock_gate else REGISTER
    inputs, outputs = cell.inputs, cell.outputs
    if len(inputs) == len(outputs) == 1 and (function := outputs[0].function) is not None:
        if function.pins == (inputs[0].name,) and function.table.tolist() == [False, True]:
            if fnmatchcase(kind.name, CLOCK_CELLS):
                return CLOCK_BUFFER
            return BUFFER if _is_usable(kind.name, BUFFER, kit) else PLAIN
    return PLAIN


def _is_usable(name: str, role: int, kit: Kit) -> bool:
    """Whether the repair may choose the cell."""
    if role & (GATE | CLOCK_BUFFER):
        return not any(fnmatchcase(name, pattern) for pattern in kit.rules.oversized)
    return not any(fnmatchcase(name, pattern) for pattern in kit.unusable)


def _function(cell: LibraryCell, names: Sequence[str]) -> object:
    """Return what the cells of one family have in common: pins, their order, and functions."""
    functions = tuple(
        (pin.name, pin.function.pins, pin.function.table.tobytes())
        for pin in cell.outputs
        if pin.function is not None
    )
    state = cell.sequential
    kind = None if state is None else (state.kind, state.next_state.pins)
    return tuple(names), functions, kind, fnmatchcase(cell.name, CLOCK_CELLS)


def _clock_pin(cell: LibraryCell | None, names: Sequence[str]) -> int:
    if cell is None or cell.sequential is None or cell.sequential.kind == "latch":
        return -1
    return names.index(cell.sequential.clock.pins[0])


def _tables_of(cell: LibraryCell | None, kind: Kind) -> list[int] | None:
    """Truth table of each output over the inputs in order, 0 for inputs; None if not known.

    Bit ``v`` is the output's value when input ``k`` has the value of bit ``k`` of ``v``.
    """
    inputs = [pin.name for pin in kind.pins if not pin.is_output]
    if cell is None or cell.sequential or len(inputs) > _MOST_INPUTS:
        return None
    tables = []
    for pin in kind.pins:
        function = cell.pins[pin.name].function if pin.is_output else None
        if pin.is_output and (function is None or not {*inputs}.issuperset(function.pins)):
            return None
        table = 0
        if function is not None:
            at = [inputs.index(name) for name in function.pins]
            for value in range(1 << len(inputs)):
                table |= int(function.table[tuple(value >> bit & 1 for bit in at)]) << value
        tables.append(table)
    return tables


def _arc_rows(
    timing: CellTiming, names: Sequence[str], tables: list[np.ndarray], *, joined: bool
) -> list[tuple[int, ...]]:
    rows = []
    for arc, states in _arcs(timing, joined=joined):
        if arc.source in names and arc.target in names:
            late = _numbers(_joined(states, np.maximum), tables)
            # A single state's tables are late and early.
            early = late if len(states) == 1 else _numbers(_joined(states, np.minimum), tables)
            pins = names.index(arc.source), names.index(arc.target)
            rows.append((*pins, arc.sense, arc.launch, *late, *early))
    return rows


def _arcs(timing: CellTiming, *, joined: bool) -> Iterable[tuple[Arc, list[_Tables]]]:
    """Return arcs, each with the tables of its states; only tables of equal axes can be joined."""
    if not joined:
        return [(arc, [arc.tables]) for arc in timing.arcs]
    groups: dict[tuple[Hashable, ...], dict[Hashable, tuple[Arc, list[_Tables]]]] = {}
    for arc in timing.arcs:
        key = arc.source, arc.target, arc.sense, arc.launch
        axes = tuple(b"" if x is None else x[AXES].tobytes() for x in arc.tables)
        groups.setdefault(key, {}).setdefault(axes, (arc, []))[1].append(arc.tables)
    return [found for same in groups.values() for found in same.values()]


def _joined(states: list[_Tables], join: np.ufunc) -> _Tables:
    return tuple(
        None if column[0] is None else join.reduce([x for x in column if x is not None])
        for column in zip(*states, strict=True)
    )


def _numbers(found: Sequence[np.ndarray | None], tables: list[np.ndarray]) -> list[int]:
    """Append the tables to the list; return their numbers, -1 for none."""
    numbers = []
    for table in found:
        numbers.append(-1 if table is None else len(tables))
        if table is not None:
            tables.append(table)
    return numbers
