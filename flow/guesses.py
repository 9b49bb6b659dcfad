"""What a ``kit.toml`` leaves out, from the Liberty and LEF files: read from them, or guessed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from rsaxcel.flow.errors import FlowError, PowerError
from rsaxcel.flow.kit import KitFile
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.power.liberty import Library, LibraryCell
from rsaxcel.store.errors import SetupError

_FF, _NS = 1e15, 1e9
#: Loads of an output in inverters of the smallest size: the usual measure of a gate's delay.
_FANOUT = 4
#: Delay of a buffer over that of the fastest from which it is a cell for delays, not for clocks.
_MOST_DELAY = 1.3


def filled(given: KitFile, path: Path, base: Path) -> tuple[KitFile, tuple[str, ...]]:
    """Fill the gaps of a kit's file; also return a text on each value that is a guess."""
    gaps = [name for name in _GUESSES if getattr(given, name) is None]
    if not gaps:
        return given, ()
    if not given.corners:
        raise SetupError(f"{path}: corners names no Liberty file")
    name = given.power or ("typical" if "typical" in given.corners else next(iter(given.corners)))
    liberty = base / given.corners.get(name, next(iter(given.corners.values())))
    try:
        files = _Files(given, liberty, [base / x for x in given.lef or ()])
        found = {name: _GUESSES[name](files) for name in gaps}
    except PowerError as error:
        raise SetupError(str(error)) from error
    told = tuple(f"{name} = {_shown(value)}" for name, value in found.items() if value)
    return msgspec.structs.replace(given, **found), told


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


class _Files:
    """Library and classes of the cells in LEF."""

    def __init__(self, given: KitFile, liberty: Path, lef: list[Path]) -> None:
        self.given, self.liberty, self.lef = given, liberty, tuple(lef)

    @cached_property
    def library(self) -> Library:
        return kept_library(self.liberty)

    @cached_property
    def usable(self) -> list[LibraryCell]:
        """Cells that synthesis may choose, smallest first."""
        cells = self.library.usable((*self.given.unusable, *self.given.oversized))
        return sorted(cells, key=lambda cell: (cell.area_um2, cell.name))

    def smallest(self, what: str, fits: Callable[[LibraryCell], bool]) -> LibraryCell:
        cell = next(filter(fits, self.usable), None)
        if cell is None:
            raise SetupError(f"{self.liberty}: none of the usable cells is {what}")
        return cell

    @cached_property
    def inverter(self) -> LibraryCell:
        return self.smallest("an inverter", lambda cell: cell.is_inverter)

    @cached_property
    def buffers(self) -> list[LibraryCell]:
        return [x for x in self.usable if x.is_buffer]

    @cached_property
    def fast_buffers(self) -> list[str]:
        """Names of the buffers that are no cells for delays, smallest first."""
        delays = {x.name: _delay_s(x) for x in self.buffers}
        most_s = _MOST_DELAY * min(delays.values(), default=0.0)
        return [name for name, delay_s in delays.items() if delay_s <= most_s]

    def of_class(self, name: str, named: str = "") -> list[str]:
        """Names of the cells of a class in LEF, widest first; or whose own names begin so."""
        from rsaxcel.flow.physical.lef import classes

        try:
            found = classes(self.lef) if self.lef else {}
        except FlowError as error:
            raise SetupError(str(error)) from error
        sized = [(width, cell) for cell, (kind, width) in found.items() if kind == name]
        if not sized and named:
            sized = [(width, x) for x, (_, width) in found.items() if x.lower().startswith(named)]
        return [cell for _, cell in sorted(sized, key=lambda x: (-x[0], x[1]))]


def _driving_cell(files: _Files) -> str:
    return (*files.fast_buffers, files.inverter.name)[min(1, len(files.fast_buffers))]


def _port_load_ff(files: _Files) -> float:
    (pin,) = files.inverter.inputs
    return round(_FANOUT * pin.rise_capacitance_f * _FF, 3)


def _tie(value: bool) -> Callable[[_Files], tuple[str, ...]]:
    def find(files: _Files) -> tuple[str, ...]:
        for cell in sorted(files.library.cells.values(), key=lambda x: (x.area_um2, x.name)):
            if cell.inputs or cell.sequential or len(cell.outputs) != 1:
                continue
            (pin,) = cell.outputs
            function = pin.function
            if function is not None and function.values == [value]:
                return cell.name, pin.name
        return ()

    return find


def _sequencing_ns(files: _Files) -> float:
    # As much again as clock to output for the setup time and for a gate of another unit.
    return round(
        2 * _delay_s(files.smallest("a flip-flop", lambda cell: cell.is_flip_flop)) * _NS, 3
    )


def _delay_s(cell: LibraryCell) -> float:
    """Longest delay of a cell from its clock, or of a gate, at a slew and load below the middle."""
    delays = [
        float(table.values[table.values.shape[0] // 3, table.values.shape[1] // 3])
        for pin in cell.outputs
        for arc in pin.delay_arcs
        if cell.sequential is None or arc.timing_type == "rising_edge"
        for table in arc.tables.values()
    ]
    return max(delays, default=0.0)


def _only(name: str, named: str = "") -> Callable[[_Files], str]:
    def find(files: _Files) -> str:
        found = files.of_class(name, named)
        return found[-1] if found else ""

    return find


def _mesh(files: _Files) -> tuple[int, ...]:
    """Take the two highest layers, if the lower one is vertical and the upper one is not."""
    from rsaxcel.flow.physical.lef import metal_layers

    if not files.lef:
        return ()
    try:
        found = metal_layers(files.lef)
    except FlowError as error:
        raise SetupError(str(error)) from error
    for upper in range(len(found), 1, -1):
        if found[upper - 1].is_horizontal and not found[upper - 2].is_horizontal:
            return upper - 1, upper
    return ()


#: By field of ``KitFile``.
_GUESSES: dict[str, Callable[[_Files], Any]] = {
    "driving_cell": _driving_cell,
    "port_load_ff": _port_load_ff,
    "tie_high": _tie(True),
    "tie_low": _tie(False),
    "sequencing_ns": _sequencing_ns,
    "delay_cells": lambda files: tuple(
        x.name for x in files.buffers if x.name not in files.fast_buffers
    ),
    "clock_cells": lambda files: tuple(files.fast_buffers),
    "tap_cell": _only("CORE WELLTAP", "welltap"),
    "end_cap_cell": _only("ENDCAP"),
    "antenna_cell": _only("CORE ANTENNACELL", "antenna"),
    "filler_cells": lambda files: tuple(files.of_class("CORE SPACER", "fill")),
    "mesh_layers": _mesh,
}
