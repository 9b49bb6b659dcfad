"""Reads the files of a placed circuit for pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from rsaxcel.eval.pictures.groups import CellGroup, group_of, module_groups
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.files import read_json
from rsaxcel.flow.libraries import find_kit
from rsaxcel.flow.names import module_path
from rsaxcel.flow.nodes.placed_power import CELL_ENERGIES
from rsaxcel.flow.physical.array_netlist import DBU_PER_UM, FN, FS, CellKind, S
from rsaxcel.flow.physical.def_file import PlacedCells, read_places
from rsaxcel.flow.physical.lef import kinds
from rsaxcel.flow.power.energy import CellEnergies, read_energies
from rsaxcel.flow.record import Record

UM = 1 / DBU_PER_UM


@dataclass(frozen=True)
class Critical:
    """Critical path: places of its pins in um (rows of x and y), and the delay in ns."""

    points: np.ndarray
    delay_ns: float


class DrawnCore:
    """Core of a placed circuit, whose wires need not fit; lengths are in um."""

    def __init__(self, design: str, nbits: int, stage: str, files: Mapping[str, Path]) -> None:
        self.design, self.nbits, self.stage, self.files = design, nbits, stage, files
        self._places: PlacedCells = read_places(self.file("placed.def"))
        self.width, self.height = self._places.width * UM, self._places.height * UM

    def file(self, name: str) -> Path:
        """Path of a file; ``FlowError`` if the run has none."""
        if name not in self.files:
            raise FlowError(f"{self.design}: its run has no file {name}")
        return self.files[name]


class Placed(DrawnCore):
    """A placed circuit; places are in um from the lower left corner of the core."""

    def __init__(self, record: Record, files: Mapping[str, Path]) -> None:
        super().__init__(record.design, record.nbits, record.stage, files)
        self.record = record
        self.names, self.kinds = self._places.names, self._places.kinds
        self._kinds = {kind.name: kind for kind in kinds(find_kit(record.library))}
        if unknown := sorted({*self.kinds} - {*self._kinds}):
            raise FlowError(f"placed.def: the library has no geometry of {unknown[0]}")
        self.x, self.y = self._places.x * UM, self._places.y * UM

    @cached_property
    def sizes(self) -> np.ndarray:
        """Width and height of each cell, in rows."""
        sizes = {name: (kind.width * UM, kind.height * UM) for name, kind in self._kinds.items()}
        return np.array([sizes[name] for name in self.kinds]).reshape(-1, 2)

    @cached_property
    def modules(self) -> list[str]:
        return [module_path(name) for name in self.names]

    @cached_property
    def areas(self) -> dict[str, float]:
        """Area of each module with all modules inside it, by path; ``""`` is the circuit."""
        return {"": self.record.area_um2, **self.record.area_by_module}

    @cached_property
    def groups(self) -> list[CellGroup]:
        """Groups of modules that have a colour each."""
        return module_groups(self.areas)

    @cached_property
    def group(self) -> np.ndarray:
        """Number of each cell's group."""
        numbers = group_of(self.groups)
        return np.array([numbers[path] for path in self.modules], np.int32)

    @cached_property
    def energies(self) -> dict[str, CellEnergies]:
        """Energy of each cell, by type of operation."""
        return read_energies(self.file(CELL_ENERGIES), self.names)

    @cached_property
    def critical(self) -> Critical:
        """Path that decides the smallest period."""
        path = read_json(self.file("placed-timing.json"))["critical_path"]
        points = [self.pin(name) for name, _ in path.get("points", ())]
        return Critical(np.array(points).reshape(-1, 2), path["delay_ns"])

    @cached_property
    def _number(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.names)}

    def pin(self, name: str) -> tuple[float, float]:
        """Place of a pin ``INSTANCE/PIN``, or of a port."""
        instance, _, pin = name.rpartition("/")
        at = self._number.get(instance)
        if at is None:
            port = self._places.ports.get(name)
            if port is None:
                raise FlowError(f"placed.def has no cell or port of the pin {name}")
            return port[0] * UM, port[1] * UM
        kind: CellKind = self._kinds[self.kinds[at]]
        own = next((x for x in kind.pins if x.name == pin), None)
        across, up = (own.x, own.y) if own else (kind.width // 2, kind.height // 2)
        orient = self._places.orient[at]
        across = kind.width - across if orient in (S, FN) else across
        up = kind.height - up if orient in (FS, S) else up
        return self.x[at] + across * UM, self.y[at] + up * UM
