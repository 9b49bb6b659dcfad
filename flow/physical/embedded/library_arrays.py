"""The library as arrays for the embedded tool: geometry, timing, families of one function."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache

import numpy as np

from rsaxcel.flow.errors import PowerError
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.physical.array_netlist import INPUT_PORT, OUTPUT_PORT, CellKind
from rsaxcel.flow.physical.embedded.records import LibraryArrays
from rsaxcel.flow.physical.roles import complements
from rsaxcel.flow.power.liberty import FALL, RISE, LibraryCell, LookUpTable, Pin, fits, is_delay

#: Roles of kinds, as in cells.h.
PLAIN, REGISTER, GATE, BUFFER, CLOCK_BUFFER, INPUT, OUTPUT, DELAY = 0, 1, 2, 4, 8, 16, 32, 64

SIZE = 7  #: largest number of points of a table's axis

_NS, _FF = 1e9, 1e15
_AXES = slice(0, 2 + 2 * SIZE)  #: slice of a packed table: its axes
_UNLIMITED = 1e9
_MOST_INPUTS = 6  #: inputs of a function whose truth table has 64 bits
#: Liberty's types of delays: from a clock, whose rising edge causes both edges; and all others.
_LAUNCH = "rising_edge"
_COMBINATIONAL = ("combinational", "combinational_rise", "combinational_fall")

#: Packed tables: of an arc's rise and fall delay, then of their slews, or of a check's two edges;
#: None where an edge does not occur.
_Tables = tuple[np.ndarray | None, ...]
#: Source, target, sense, and whether the arc begins at a clock.
_Arc = tuple[str, str, int, bool]


@lru_cache(maxsize=4)
def library_arrays(kit: Kit, kinds: tuple[CellKind, ...], *, joined: bool = True) -> LibraryArrays:
    """Build the arrays of a library for the C++ code, which only reads them.

    ``joined``: one arc has the extreme values of all states of a cell's other inputs, which is
    faster and less exact.
    """
    library = kit.library
    cells = library.cells
    unusable = library.unusable(kit.unusable)
    _, low, high = library.levels[0]
    buffers = [x for x in library.usable(kit.unusable) if x.is_buffer]
    height = next(kind.height for kind in kinds if kind.name == kit.driving_cell)
    tables: list[np.ndarray] = []
    families: dict[object, int] = {}
    kind_rows, pin_rows, pin_loads, arc_rows, check_rows = [], [], [], [], []
    pin_tables: list[int] = []
    pin_start, arc_start, check_start = [0], [0], [0]
    for kind in kinds:
        cell = cells.get(kind.name)
        names = [pin.name for pin in kind.pins]
        role = _role(kind, cell, unusable, kit.layout.clock_cells)
        if role == PLAIN and cell and cell.is_buffer and not cell.left_alone:
            role = DELAY if any(is_delay(cell, other) for other in buffers) else PLAIN
        family = -1
        of_row = kind.height == height
        if cell is not None and names and of_row and _is_usable(kind.name, role, kit, unusable):
            family = families.setdefault(
                (_function(cell, names), role == CLOCK_BUFFER), len(families)
            )
        clock = _clock_pin(cell, names)
        functions = _tables_of(cell, kind)
        pin_tables += functions or [0] * len(names)
        kind_rows.append((kind.width, kind.height, role, family, clock, functions is not None))
        others = complements(cell, names)
        for number, pin in enumerate(kind.pins):
            pin_rows.append((pin.is_output, pin.x, pin.y, others.get(number, -1)))
            limit = round(cell.pins[pin.name].max_capacitance_f * _FF, 9) if cell else _UNLIMITED
            late, early = (
                capacitances_ff(cell.pins[pin.name], late=x) if cell else (0.0, 0.0)
                for x in (True, False)
            )
            pin_loads.append((*late, min(limit, _UNLIMITED), *early))
        if cell is not None:
            arc_rows += _arc_rows(cell, names, tables, joined=joined)
            for data in (pin for pin in cell.pins.values() if pin.name in names):
                for check in data.checks:
                    ends = names.index(data.name), names.index(check.related_pin)
                    found = [packed(kind.name, check.tables.get(edge)) for edge in (RISE, FALL)]
                    check_rows.append((*ends, check.is_hold, *_numbers(found, tables)))
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
        max_slew_ns=library.max_slew_s * _NS,
        # NanGate45: ln(0.7 / 0.3), as its slews are between 30 and 70 %.
        slew_of_rc=round(math.log((1 - low) / (1 - high)) / library.slew_derate, 4),
    )


def _role(
    kind: CellKind, cell: LibraryCell | None, unusable: Sequence[str], clock_cells: Sequence[str]
) -> int:
    if kind in (INPUT_PORT, OUTPUT_PORT):
        return INPUT if kind == INPUT_PORT else OUTPUT
    if cell is None:
        return PLAIN
    if cell.sequential is not None:
        return GATE if cell.clock_gate else REGISTER
    if cell.is_buffer:
        of_data = 0 if fits(kind.name, unusable) else BUFFER
        # Where no buffers are for the clock, those of data serve it, too.
        is_of_clock = fits(kind.name, clock_cells) if clock_cells else of_data
        return of_data | (CLOCK_BUFFER if is_of_clock else 0)
    return PLAIN


def _is_usable(name: str, role: int, kit: Kit, unusable: Sequence[str]) -> bool:
    """Whether the repair may choose the cell."""
    return not fits(name, kit.oversized if role in (GATE, CLOCK_BUFFER) else unusable)


def _function(cell: LibraryCell, names: Sequence[str]) -> object:
    """Return pins, their order, and functions, which are equal for the cells of one family."""
    functions = tuple(
        (pin.name, pin.function.pins, pin.function.table.tobytes())
        for pin in cell.outputs
        if pin.function is not None
    )
    state = cell.sequential
    kind = None if state is None else (state.kind, state.next_state.pins)
    return tuple(names), functions, kind


def _clock_pin(cell: LibraryCell | None, names: Sequence[str]) -> int:
    if cell is None or cell.sequential is None or cell.sequential.kind == "latch":
        return -1
    return names.index(cell.sequential.clock.pins[0])


def _tables_of(cell: LibraryCell | None, kind: CellKind) -> list[int] | None:
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


def capacitances_ff(pin: Pin, *, late: bool = True) -> tuple[float, float]:
    """Rise and fall capacitance of a pin for late or early edges, to the digits of a Liberty file.

    Where the file has a range, late edges take its upper end, as OpenSTA does.
    """
    rise_f, fall_f = [x[late] for x in pin.ranges_f] or (
        pin.rise_capacitance_f,
        pin.fall_capacitance_f,
    )
    return round(rise_f * _FF, 9), round(fall_f * _FF, 9)


def packed(cell: str, table: LookUpTable | None) -> np.ndarray | None:
    """Numbers of rows and columns of a table, its axes, and its values by rows; in ns and fF."""
    if table is None:
        return None
    rows, columns = table.values.shape
    if max(rows, columns) > SIZE:
        message = f"must have at most {SIZE} slews by {SIZE} slews or loads"
        raise PowerError(f"the library's cell {cell}: a table {message}")
    found = np.zeros(2 + 2 * SIZE + SIZE * SIZE)
    found[:2] = rows, columns
    found[2 : 2 + rows] = table.slews_s * _NS
    found[2 + SIZE : 2 + SIZE + columns] = table.columns * (_FF if table.over_load else _NS)
    found[2 + 2 * SIZE :].reshape(SIZE, SIZE)[:rows, :columns] = table.values * _NS
    return found


def _arc_rows(
    cell: LibraryCell, names: Sequence[str], tables: list[np.ndarray], *, joined: bool
) -> list[tuple[int, ...]]:
    rows = []
    for (source, target, sense, launch), states in _arcs(cell, joined=joined):
        if source in names and target in names:
            late = _numbers(_joined(states, np.maximum), tables)
            # A single state's tables are late and early.
            early = late if len(states) == 1 else _numbers(_joined(states, np.minimum), tables)
            rows.append((names.index(source), names.index(target), sense, launch, *late, *early))
    return rows


def _arcs(cell: LibraryCell, *, joined: bool) -> Iterable[tuple[_Arc, list[_Tables]]]:
    """Return arcs, each with the tables of its states; only tables of equal axes can be joined."""
    arcs: list[tuple[_Arc, _Tables]] = [
        (
            (arc.related_pin, pin.name, arc.sense, arc.timing_type == _LAUNCH),
            tuple(
                packed(cell.name, x.get(e)) for x in (arc.tables, arc.slews) for e in (RISE, FALL)
            ),
        )
        for pin in cell.pins.values()
        for arc in pin.delay_arcs
        if arc.timing_type in (_LAUNCH, *_COMBINATIONAL)
    ]
    if not joined:
        return [(arc, [tables]) for arc, tables in arcs]
    groups: dict[_Arc, dict[Hashable, tuple[_Arc, list[_Tables]]]] = {}
    for arc, tables in arcs:
        axes = tuple(b"" if x is None else x[_AXES].tobytes() for x in tables)
        groups.setdefault(arc, {}).setdefault(axes, (arc, []))[1].append(tables)
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
