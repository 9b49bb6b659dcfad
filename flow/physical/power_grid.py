"""Power grid: rails along the rows, straps on two upper layers, and the tracks that they take."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from flow.errors import FlowError
from flow.kit import Kit
from flow.physical.design import DBU_PER_UM
from flow.physical.floorplan import Core
from flow.physical.lef import Geometry, Layer, Rectangle, geometry, layers

STRAP_WIDTH_UM = 1.6
"""Width of a strap, in um."""

STRAP_PITCH_UM = 40.0
"""Greatest distance from a strap to the next one of the same net, in um."""


@dataclass(frozen=True)
class Strap:
    """A power wire of a net on a layer; ``rail`` tells the rails of the rows from straps."""

    net: str
    layer: str
    shape: Rectangle
    rail: bool


@dataclass(frozen=True)
class PowerGrid:
    """Power wires, and the stacks of vias between rails and straps.

    Parameters
    ----------
    nets
        Names of the nets; the first is that of the rail below the first row.
    lower_is_ground
        Whether the first net is the ground.
    straps
        Rails and straps.
    vias
        Layer and shape of what the stacks of vias take on the layers between rails and straps.
    """

    nets: tuple[str, str]
    lower_is_ground: bool
    straps: tuple[Strap, ...]
    vias: tuple[tuple[str, Rectangle], ...]

    def shapes(self) -> Iterator[tuple[str, Rectangle]]:
        """Yield layer and shape of all that signals have to keep away from."""
        yield from ((strap.layer, strap.shape) for strap in self.straps)
        yield from self.vias


def power_grid(core: Core, kit: Kit) -> PowerGrid:
    """Power grid of a core: rails on the cells' layer, and straps on the kit's mesh layers.

    Straps are ``STRAP_WIDTH_UM`` wide, or as wide as two wires if these are wider. The straps of a
    net are at most ``STRAP_PITCH_UM`` apart, those of the other net lie midway between them, and
    each strap is on a track.

    Raises
    ------
    FlowError
        If the kit's mesh layers are no layers, or do not run across their neighbours.
    """
    about = geometry(kit)
    straps = list(_rails(core, about))
    nets = (about.rails.lower, about.rails.upper)
    mesh = _mesh(kit)
    if mesh is None:
        return PowerGrid(nets, about.rails.lower_is_ground, tuple(straps), ())
    bottom, top = mesh
    names = [layer.name for layer in about.layers]
    between = names[names.index(about.rails.layer) + 1 : names.index(bottom.name)]
    vias: list[tuple[str, Rectangle]] = []
    for net, left, right in vertical_straps(core, kit):
        straps.append(Strap(net, bottom.name, (left, 0, right, core.height), rail=False))
        for rail in (x for x in straps if x.rail and x.net == net):
            _, low, _, high = rail.shape
            vias += [(name, (left, low, right, high)) for name in between]
    for net, low, high in _positions(top, core.height, nets):
        straps.append(Strap(net, top.name, (0, low, core.width, high), rail=False))
    return PowerGrid(nets, about.rails.lower_is_ground, tuple(straps), tuple(vias))


def vertical_straps(core: Core, kit: Kit) -> list[tuple[str, int, int]]:
    """Net, left and right edge of the straps across the rails; raises as ``power_grid`` does."""
    mesh, rails = _mesh(kit), geometry(kit).rails
    return list(_positions(mesh[0], core.width, (rails.lower, rails.upper))) if mesh else []


def _mesh(kit: Kit) -> tuple[Layer, Layer] | None:
    """Layers of the straps, the lower one first; None if the kit has none."""
    if kit.layout.mesh_layers is None:
        return None
    found = layers(kit)
    if max(kit.layout.mesh_layers) > len(found):
        raise FlowError(
            f"the power grid's layers {kit.layout.mesh_layers}: the library has {len(found)}"
        )
    bottom, top = (found[number - 1] for number in kit.layout.mesh_layers)
    if bottom.is_horizontal or not top.is_horizontal:
        raise FlowError(
            f"the power grid's layers {bottom.name} and {top.name}: the lower one has to be "
            "vertical and the upper one horizontal"
        )
    return bottom, top


def _rails(core: Core, about: Geometry) -> Iterator[Strap]:
    """Yield the rails at the edges of rows, which neighbouring rows share."""
    rails = about.rails
    for row in range(core.rows + 1):
        middle, half = row * core.row_height, rails.width // 2
        net = rails.lower if row % 2 == 0 else rails.upper
        yield Strap(net, rails.layer, (0, middle - half, core.width, middle + half), rail=True)


def _positions(layer: Layer, length: int, nets: tuple[str, str]) -> Iterator[tuple[str, int, int]]:
    """Yield net and both edges of the straps across a length."""
    width = max(round(STRAP_WIDTH_UM * DBU_PER_UM), 2 * layer.width)
    pairs = max(1, math.ceil(length / (STRAP_PITCH_UM * DBU_PER_UM)))
    for place in range(2 * pairs):
        wanted = (place + 0.5) * length / (2 * pairs)
        track = max(0, round((wanted - layer.offset) / layer.pitch))
        middle = layer.offset + track * layer.pitch
        yield nets[place % 2], middle - width // 2, middle + width // 2


def tracks_taken(core: Core, kit: Kit, grid: PowerGrid) -> np.ndarray:
    """Share of each layer's tracks that the power grid takes, over the core.

    A track is taken along that part of its length where a wire on it would be closer to power than
    the layer's spacing.

    Returns
    -------
    numpy.ndarray
        A number from 0 to 1 for each layer, in the order of the layers.
    """
    by_layer: dict[str, list[Rectangle]] = {}
    for name, shape in grid.shapes():
        by_layer.setdefault(name, []).append(shape)
    taken = np.zeros(len(layers(kit)))
    for index, layer in enumerate(layers(kit)):
        shapes = np.array(by_layer.get(layer.name, []), np.int64).reshape(-1, 4)
        if not len(shapes):
            continue
        left, low, right, high = shapes.T
        reach = layer.spacing + layer.width // 2
        if layer.is_horizontal:
            span, start, end, across = (core.width, core.height), low, high, right - left
        else:
            span, start, end, across = (core.height, core.width), left, right, high - low
        first = np.ceil((np.maximum(start - reach + 1, 0) - layer.offset) / layer.pitch)
        last = np.floor((np.minimum(end + reach - 1, span[1]) - layer.offset) / layer.pitch)
        count = np.maximum(last - np.maximum(first, 0) + 1, 0)
        length = np.minimum(across + 2 * layer.spacing, span[0])
        tracks = max(1, (span[1] - layer.offset) // layer.pitch + 1)
        taken[index] = min(1.0, float(np.sum(count * length)) / (tracks * span[0]))
    return taken
