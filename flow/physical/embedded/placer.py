"""Places of cells by Coloquinte: global placement, legal places, and their improvement.

Coloquinte's unit is a site across and a seventh of a row up, so that legal places are on sites and
rows by construction.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import coloquinte
import numpy as np

from flow.physical.design import FN, FS, Design, N, S
from flow.physical.floorplan import Core, PhysicalCells

EFFORT = 3
"""Coloquinte's effort: 9 gains 1.5 % of wire length, and takes nine times as long."""

_UNITS_PER_ROW = 7
_CODES = {N: "N", FS: "FS", S: "S", FN: "FN"}


def placer_version() -> str:
    """Version of Coloquinte."""
    return version("coloquinte")


class Placer:
    """A design in Coloquinte.

    Parameters
    ----------
    design
        The design; the places of its ports must be set.
    core, fixed
        The core, and cells that stand in it.
    seed
        Seed of the global placement.
    log
        File to which Coloquinte's reports are appended.
    weights
        Weight of each net; None: 1.
    with_ports
        Whether ports draw the cells that they connect to; if not, ports can follow the cells.
    """

    def __init__(
        self,
        design: Design,
        core: Core,
        fixed: PhysicalCells,
        seed: int,
        log: Path,
        weights: np.ndarray | None = None,
        *,
        with_ports: bool = True,
    ) -> None:
        self._design, self._core, self._log = design, core, log
        self._parameters = coloquinte.ColoquinteParameters(EFFORT, seed)
        self._unit_y = core.row_height / _UNITS_PER_ROW
        count = design.count
        self._circuit = circuit = coloquinte.Circuit(count + fixed.count)
        self._set_widths(np.concatenate((design.width, fixed.width)) // core.site_width)
        height = np.rint(np.concatenate((design.height, fixed.height)) / self._unit_y)
        circuit.cell_height = height.astype(int).tolist()
        is_fixed = np.concatenate((design.is_port, np.ones(fixed.count, bool)))
        circuit.cell_is_fixed = is_fixed.tolist()
        circuit.cell_is_obstruction = (height > 0).tolist()
        same, free = coloquinte.CellRowPolarity.SAME, coloquinte.CellRowPolarity.ANY
        circuit.cell_row_polarity = [free if x else same for x in is_fixed.tolist()]
        self._set_places(fixed)
        self._add_nets(weights, with_ports)
        orients = coloquinte.CellOrientation
        width = core.sites
        circuit.rows = [
            coloquinte.Row(
                coloquinte.Rectangle(0, width, row * _UNITS_PER_ROW, (row + 1) * _UNITS_PER_ROW),
                orients.FS if row % 2 else orients.N,
            )
            for row in range(core.rows)
        ]
        circuit.check()

    def place_global(self, space: np.ndarray) -> None:
        """Place all cells near what they connect to; their places may still overlap.

        Parameters
        ----------
        space
            Space of each instance over its area.
        """
        widths = np.array(self._circuit.cell_width)
        own = widths[: len(space)]
        # Widths are whole sites: what one cell lacks by rounding, the next ones get.
        wide = np.floor(np.cumsum(own * np.maximum(space, 1)) + 1e-6)
        self._set_widths(np.append(np.diff(wide, prepend=0), widths[len(space) :]))
        with _output_to(self._log):
            self._circuit.place_global(self._parameters)
        self._set_widths(widths)

    def legalize(self) -> None:
        """Move each cell to a legal place near its own."""
        with _output_to(self._log):
            self._circuit.legalize(self._parameters)

    def improve(self) -> None:
        """Exchange and move cells on legal places, for shorter wires."""
        with _output_to(self._log):
            self._circuit.place_detailed(self._parameters)

    def read(self) -> None:
        """Write places and orientations to the design."""
        design, circuit = self._design, self._circuit
        count, own = design.count, ~design.is_port
        x = np.array(circuit.cell_x[:count]) * self._core.site_width
        y = np.rint(np.array(circuit.cell_y[:count]) * self._unit_y).astype(np.int32)
        names = [code.name for code in circuit.cell_orientation[:count]]
        codes = {name: code for code, name in _CODES.items()}
        orient = np.array([codes[name] for name in names], np.uint8)
        design.x[own], design.y[own], design.orient[own] = x[own], y[own], orient[own]

    def _set_widths(self, widths: np.ndarray) -> None:
        self._circuit.cell_width = widths.astype(int).tolist()

    def _set_places(self, fixed: PhysicalCells) -> None:
        design, circuit = self._design, self._circuit
        x = np.concatenate((design.x, fixed.x)) / self._core.site_width
        y = np.concatenate((design.y, fixed.y)) / self._unit_y
        circuit.cell_x, circuit.cell_y = (
            np.rint(x).astype(int).tolist(),
            np.rint(y).astype(int).tolist(),
        )
        code = [getattr(coloquinte.CellOrientation, _CODES[o]) for o in (N, FS, S, FN)]
        circuit.cell_orientation = [
            code[o] for o in np.concatenate((design.orient, fixed.orient)).tolist()
        ]

    def _add_nets(self, weights: np.ndarray | None, with_ports: bool) -> None:
        design = self._design
        start, pins = design.net_pins
        if not with_ports:
            kept = ~design.is_port[design.pin_instance[pins]]
            start, pins = np.concatenate(([0], np.cumsum(kept)))[start], pins[kept]
        own = design.pin_instance[pins].tolist()
        across, up = design.pin_offsets()
        across = (across[pins] // self._core.site_width).tolist()
        up = np.rint(up[pins] / self._unit_y).astype(int).tolist()
        bounds = start.tolist()
        weight = [1.0] * len(design.nets) if weights is None else weights.tolist()
        for net in range(len(design.nets)):
            low, high = bounds[net], bounds[net + 1]
            if high - low > 1:
                self._circuit.add_net(own[low:high], across[low:high], up[low:high], weight[net])


@contextmanager
def _output_to(log: Path) -> Iterator[None]:
    """Append to a file what the process prints: Coloquinte writes to the standard output."""
    kept = os.dup(1)
    with log.open("ab") as file:
        os.dup2(file.fileno(), 1)
        try:
            yield
        finally:
            os.dup2(kept, 1)
            os.close(kept)
