"""Energies of single cells: computed for placed netlists, kept as arrays, read for maps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.power.energy import Window, by_instance_j

# The file has two float32 arrays for each type of operation: OPERATION.energy_nj and, with
# glitches, OPERATION.glitch_nj; for one operation, in the order of the cells' names. The energy of
# a cell includes the nets that the cell drives.
_ENERGY, _GLITCH = "energy_nj", "glitch_nj"


@dataclass(frozen=True)
class CellEnergies:
    """Energy in nJ of each cell in an operation, and what glitches, if counted, take of it."""

    energy_nj: np.ndarray
    glitch_nj: np.ndarray | None


def write_energies(path: Path, windows: Mapping[str, Window]) -> None:
    arrays = {key: x for name, window in windows.items() for key, x in _arrays(name, window)}
    np.savez_compressed(path, allow_pickle=False, **arrays)


def _arrays(name: str, window: Window) -> Iterator[tuple[str, np.ndarray]]:
    netlist, activity = window.netlist, window.activity
    names = [instance.name for instance in netlist.instances]
    order = sorted(range(len(names)), key=names.__getitem__)
    whole = by_instance_j(netlist, activity, window.energy)
    to_nj = 1e9 / window.operations
    yield f"{name}.{_ENERGY}", (whole[order] * to_nj).astype(np.float32)
    if window.lower is not None:
        useful = by_instance_j(netlist, activity.useful, window.lower)
        yield f"{name}.{_GLITCH}", ((whole - useful)[order] * to_nj).astype(np.float32)


def read_energies(path: Path, names: Sequence[str]) -> dict[str, CellEnergies]:
    """Read the energies of cells, in the order of ``names``, by type of operation."""
    # names[order[i]] is the i-th name; so the energy of a name is at its place in that order.
    order = sorted(range(len(names)), key=names.__getitem__)
    place = np.empty(len(names), np.int64)
    place[order] = np.arange(len(names))
    try:
        with np.load(path) as file:
            arrays = {key: file[key] for key in file.files}
    except (OSError, ValueError) as error:
        raise FlowError(f"cannot read {path}: {error}") from error
    if any(len(x) != len(names) for x in arrays.values()):
        raise FlowError(f"{path} is of another netlist: it has not {len(names):,} cells")
    found = {}
    for key in arrays:
        operation, _, kind = key.rpartition(".")
        if kind == _ENERGY:
            glitch = arrays.get(f"{operation}.{_GLITCH}")
            own = None if glitch is None else glitch[place]
            found[operation] = CellEnergies(arrays[key][place], own)
    return found
