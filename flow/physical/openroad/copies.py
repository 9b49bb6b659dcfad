"""Finds of which cell each cell is a copy that OpenROAD has inserted."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from flow.physical.design import Design
from flow.physical.roles import Sources, roles_of
from flow.power.liberty import Library


def find_copies(design: Design, given: Design, library: Library) -> dict[str, str]:
    """List the copies: the name of each, and of its original in the given netlist.

    OpenROAD names copies by numbers. A copy has the function of its original, and behind buffers
    and inverters the same input signals; two cells of the given netlist may be alike, too, and then
    either is the original. A copy of a copy has its original in the given netlist.

    Parameters
    ----------
    design
        Repaired netlist; every net has one driver.
    given
        Netlist before repair.
    library
        Functions of the cells.
    """
    sources = Sources(design, roles_of(design.kinds, library))
    cells = _Cells(design, sources)
    known = set(given.names)
    is_passed = [role.repeats is not None or role.constant is not None for role in sources.roles]
    added = [
        at
        for at in np.flatnonzero(~design.is_port).tolist()
        if design.names[at] not in known and not is_passed[design.kind[at]]
    ]
    if not added:
        return {}
    functions = {cells.function(at) for at in added}
    candidates = [
        at
        for at in np.flatnonzero(~design.is_port).tolist()
        if design.names[at] in known and cells.function(at) in functions
    ]
    copies: dict[str, str] = {}
    # A copy that is driven by a copy is found in the round after the copy that drives it.
    for _ in added:
        originals = {cells.signature(at, copies): design.names[at] for at in candidates[::-1]}
        found = {
            design.names[at]: originals[cells.signature(at, copies)]
            for at in added
            if cells.signature(at, copies) in originals
        }
        if found == copies:
            break
        copies = found
    return copies


class _Cells:
    """Function and input signals of instances."""

    def __init__(self, design: Design, sources: Sources) -> None:
        self.design, self.sources = design, sources

    def function(self, at: int) -> Hashable:
        """Give the function of an instance."""
        return self.sources.roles[self.design.kind[at]].signature

    def signature(self, at: int, copies: dict[str, str]) -> Hashable:
        """Give function and input signals of an instance; a copy stands for its original."""
        design, sources = self.design, self.sources
        first = int(design.pin_start[at])
        signals = []
        for pin, about in enumerate(design.kinds[design.kind[at]].pins, first):
            if about.is_output:
                continue
            net = int(design.pin_net[pin])
            driver = int(sources.driver[sources.root[net]])
            name, output = design.pin_name(driver)
            inverted = bool(sources.inverted[net])
            is_port = bool(design.is_port[design.pin_instance[driver]])
            signals.append((about.name, is_port, copies.get(name, name), output, inverted))
        return self.function(at), tuple(sorted(signals))
