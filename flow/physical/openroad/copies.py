"""Finds of which cell each cell is a copy that OpenROAD has inserted."""

from __future__ import annotations

import numpy as np

from rsaxcel.flow.physical.array_netlist import ArrayNetlist
from rsaxcel.flow.physical.roles import Sources, roles_of
from rsaxcel.flow.power.liberty import Library


def find_copies(design: ArrayNetlist, given: ArrayNetlist, library: Library) -> dict[str, str]:
    """List the copies: the name of each, and of its original in the given netlist.

    OpenROAD's names do not tell: what a copy drives, behind buffers, its original drives in the
    given netlist. ``flow.physical.equivalence`` proves it.
    """
    known = set(given.names)
    sources = Sources(design, roles_of(design.kinds, library))
    passed = np.array([x.repeats is not None or x.constant is not None for x in sources.roles])
    added = ~design.is_port & ~passed[design.kind]
    added[added] = [design.names[at] not in known for at in np.flatnonzero(added)]
    if not added.any():
        return {}
    before = _drivers(given, library)
    connected = np.flatnonzero((design.pin_net >= 0) & ~design.pin_is_output)
    driver = design.pin_instance[sources.driver[sources.root[design.pin_net[connected]]]]
    driven = [
        (design.names[source], *design.pin_name(int(pin)))
        for pin, source in zip(connected, driver.tolist(), strict=True)
        if added[source] and not passed[design.kind[design.pin_instance[pin]]]
    ]
    copies: dict[str, str] = {}
    # A copy that drives copies only is found in a round after them.
    for _ in range(int(np.sum(added))):
        count = len(copies)
        for copy, cell, pin in driven:
            original = before.get((copies.get(cell, cell), pin))
            if original is not None:
                copies.setdefault(copy, original)
        if len(copies) == count:
            break
    return copies


def _drivers(given: ArrayNetlist, library: Library) -> dict[tuple[str, str], str]:
    """Name of the cell that drives each input pin, behind buffers and inverters."""
    sources = Sources(given, roles_of(given.kinds, library))
    pins = np.flatnonzero((given.pin_net >= 0) & ~given.pin_is_output)
    cells = given.pin_instance[sources.driver[sources.root[given.pin_net[pins]]]]
    return {
        given.pin_name(int(pin)): given.names[cell]
        for pin, cell in zip(pins, cells.tolist(), strict=True)
    }
