"""Checks of a kit before its use: its cells can make circuits, and can be measured.

Without these checks, a fault would show late, as a tool's error without file and cell, or as too
small a figure.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rsaxcel.flow.errors import PowerError
from rsaxcel.flow.library import kept_library
from rsaxcel.store.errors import SetupError
from rsaxcel.store.folders import cache_root, file_digest, keep, key_of

if TYPE_CHECKING:
    from rsaxcel.flow.kit import Kit
    from rsaxcel.flow.power.boolean import BooleanFunction
    from rsaxcel.flow.power.liberty import DelayArc, InternalPower, Library, LibraryCell

_FLIP_FLOP = (
    "a flip-flop (an ff group with clocked_on, the clock pin, and next_state, the data pin; clear "
    "and preset, if there are any, of one pin each; an output whose function is the state)"
)


def check_kit(kit: Kit) -> None:
    # Times and sizes stand for the contents here, because reading the files takes longer than
    # all else that is done for a kit that has passed.
    paths = [path for _, path in kit.corners]
    files = [(str(x), x.stat().st_size, x.stat().st_mtime_ns) for x in paths]
    key = key_of(files, repr(kit), file_digest(Path(__file__)))
    keep(cache_root(), f"kit-{key}", lambda _: _check(kit))


def _check(kit: Kit) -> None:
    cells: set[str] = set()
    for corner, liberty in kit.corners:
        try:
            library = kept_library(liberty)
        except PowerError as error:
            raise SetupError(str(error)) from error
        _ = kit.at(corner).corner  # raises if the Liberty file does not state it
        for path, faults in (
            (kit.file, _faults_of_settings(kit, library, liberty)),
            (liberty, _faults_of_cells(kit, library)),
        ):
            if fault := next(faults, None):
                raise SetupError(f"{path}: {fault}")
        cells = cells or {*library.cells}
        if different := sorted(cells ^ {*library.cells}):
            raise SetupError(
                f"{liberty}: the corners of {kit.name} have different cells, such as {different[0]}"
            )


def _faults_of_settings(kit: Kit, library: Library, liberty: Path) -> Iterator[str]:
    """Yield the faults of the fields of ``kit.toml`` that name cells."""
    if kit.driving_cell not in library.cells:
        yield _absent("driving_cell", kit.driving_cell, liberty)
    for level, tie in (("high", kit.tie_high), ("low", kit.tie_low)):
        if tie is None:
            continue
        name, port = tie
        if name not in library.cells:
            yield _absent(f"tie_{level}", name, liberty)
            continue
        pin = library.cells[name].pins.get(port)
        if pin is None or not pin.is_output:
            yield f"tie_{level} has the port {port}, which is no output of {name}"
        elif pin.function is None or pin.function.values != [level == "high"]:
            value = int(level == "high")
            yield f"tie_{level} is {name}, but the function of its {port} is not {value}"


def _absent(field: str, cell: str, liberty: Path) -> str:
    return f"{field} is {cell}, and there is no such cell in {liberty}"


def _faults_of_cells(kit: Kit, library: Library) -> Iterator[str]:
    """Yield the faults of the cells that synthesis may choose, then the cells that are absent."""
    usable = library.usable(kit.unusable)
    for cell in usable:
        for fault in _faults_of_cell(cell):
            yield f"{fault}; correct that, or make the cell unusable in kit.toml"
    for what, found in (
        ("an inverter", any(x.is_inverter for x in usable)),
        ("a buffer", any(x.is_buffer for x in usable)),
        (_FLIP_FLOP, any(x.is_flip_flop for x in usable)),
    ):
        if not found:
            yield f"none of the usable cells is {what}"


def _faults_of_cell(cell: LibraryCell) -> Iterator[str]:
    if not cell.area_um2 > 0:
        yield f"the cell {cell.name} has no area"
    known = set(cell.pins)
    for pin in cell.pins.values():
        if pin.max_capacitance_f <= 0 or min(pin.rise_capacitance_f, pin.fall_capacitance_f) < 0:
            yield f"a capacitance or limit of the pin {pin.name} of the cell {cell.name} is below 0"
    if state := cell.sequential:
        known |= {state.state, state.complement}
        for function in (state.next_state, state.clock, state.clear, state.preset):
            if function and (unknown := set(function.pins) - known):
                yield f"the state of the cell {cell.name} needs {min(unknown)}, which is no pin"
    for pin in cell.outputs:
        if pin.function is None:
            yield f"the output {pin.name} of the cell {cell.name} has no function"
        elif unknown := set(pin.function.pins) - known:
            yield (
                f"the function of the output {pin.name} of the cell {cell.name} has "
                f"{min(unknown)}, which is neither a pin nor a state of a complete ff group"
            )
        elif pin.function.pins and not any(arc.tables for arc in pin.delay_arcs):
            yield f"the output {pin.name} of the cell {cell.name} has no timing"
    for name in _names_of_conditions(cell):
        if name not in known:
            yield f"a condition or related pin of the cell {cell.name} is {name}, which is no pin"


def _names_of_conditions(cell: LibraryCell) -> Iterator[str]:
    """Yield the names in `when` and `related_pin` of a cell's leakages, energies and delays."""
    conditions: list[BooleanFunction | None] = [x.when for x in cell.leakages]
    for pin in cell.pins.values():
        groups: tuple[InternalPower | DelayArc, ...] = (*pin.internal_powers, *pin.delay_arcs)
        for group in groups:
            conditions.append(group.when)
            if group.related_pin:
                yield group.related_pin
    for when in filter(None, conditions):
        yield from when.pins
