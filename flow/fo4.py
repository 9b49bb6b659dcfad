"""FO4 delay: that of an inverter in a chain where each drives four; the measure of a process."""

from __future__ import annotations

import numpy as np

from rsaxcel.flow.kit import Kit
from rsaxcel.flow.power.liberty import FALL, OPPOSITE, RISE

_ROUNDS = 20  #: edges of a chain settle after a few gates


def fo4_ns(kit: Kit) -> float:
    """Mean of rise and fall of a kit's smallest inverter, at its corner; 0 if there is none."""
    found = [
        cell
        for cell in kit.library.usable(kit.unusable)
        if cell.is_inverter
        and any({*arc.tables} == {RISE, FALL} for arc in cell.outputs[0].delay_arcs[:1])
    ]
    if not found:
        return 0.0
    cell = min(found, key=lambda x: x.area_um2)
    (pin,), (output,) = cell.inputs, cell.outputs
    arc = output.delay_arcs[0]
    load_f = {RISE: 4 * pin.rise_capacitance_f, FALL: 4 * pin.fall_capacitance_f}
    slews = dict.fromkeys((RISE, FALL), 0.0)
    for _ in range(_ROUNDS):
        given = {edge: np.array([slews[OPPOSITE[edge]]]) for edge in slews}
        slews = {
            edge: float(arc.slews[edge].lookup(given[edge], np.array([load_f[edge]]))[0])
            for edge in slews
        }
    delays = (
        arc.tables[edge].lookup(np.array([slews[OPPOSITE[edge]]]), np.array([load_f[edge]]))[0]
        for edge in slews
    )
    return float(sum(delays)) / 2 * 1e9
