"""FO4 delay: that of an inverter in a chain where each drives four; the measure of a process."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

import numpy as np

from rsaxcel.flow.power.liberty import FALL, RISE, Edge, Library, LibraryCell

_ROUNDS = 20  #: edges of a chain settle after a few gates
_OPPOSITE: dict[Edge, Edge] = {RISE: FALL, FALL: RISE}


def fo4_ns(library: Library, patterns: Sequence[str] = ()) -> float:
    """Mean of rise and fall of the smallest inverter that no pattern names; 0 if there is none."""
    found = [
        cell
        for name, cell in library.cells.items()
        if _is_inverter(cell) and not any(fnmatchcase(name, x) for x in patterns)
    ]
    if not found:
        return 0.0
    cell = min(found, key=lambda x: x.area_um2)
    (pin,), (output,) = cell.inputs, cell.outputs
    arc = output.delay_arcs[0]
    load_f = {RISE: 4 * pin.rise_capacitance_f, FALL: 4 * pin.fall_capacitance_f}
    slews = dict.fromkeys((RISE, FALL), 0.0)
    for _ in range(_ROUNDS):
        given = {edge: np.array([slews[_OPPOSITE[edge]]]) for edge in slews}
        slews = {
            edge: float(arc.slews[edge].lookup(given[edge], np.array([load_f[edge]]))[0])
            for edge in slews
        }
    delays = (
        arc.tables[edge].lookup(np.array([slews[_OPPOSITE[edge]]]), np.array([load_f[edge]]))[0]
        for edge in slews
    )
    return float(sum(delays)) / 2 * 1e9


def _is_inverter(cell: LibraryCell) -> bool:
    if cell.sequential or cell.left_alone or not len(cell.inputs) == len(cell.outputs) == 1:
        return False
    (output,) = cell.outputs
    function = output.function
    timed = output.delay_arcs and {RISE, FALL} == set(output.delay_arcs[0].tables)
    return bool(timed) and function is not None and function.table.tolist() == [True, False]
