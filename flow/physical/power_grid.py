"""Power grid: rails along the rows, straps on two upper layers, and the tracks that they take."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.physical.array_netlist import DBU_PER_UM
from rsaxcel.flow.physical.floorplan import CoreArea
from rsaxcel.flow.physical.lef import CutLayer, Geometry, Layer, Rectangle, geometry

STRAP_WIDTH_UM = 1.4

STRAP_PITCH_UM = 40.0  #: greatest distance of two straps of a net


@dataclass(frozen=True)
class Strap:
    """A power wire of a net on a layer; ``rail``: it is a rail of the rows, not a strap."""

    net: str
    layer: str
    shape: Rectangle
    rail: bool


@dataclass(frozen=True)
class ViaArray:
    """Vias between two neighbouring layers, with the metal around them; sizes in database units."""

    name: str  #: name in DEF
    lower: str
    cut: CutLayer
    upper: str
    width: int  #: width of the metal on both layers
    height: int
    columns: int  #: number of cuts side by side
    rows: int  #: number of cuts one above the other

    def cuts(self) -> Iterator[Rectangle]:
        """Yield the cuts, around the middle of the array."""
        step, half = self.cut.size + self.cut.spacing, self.cut.size // 2
        for row in range(self.rows):
            for column in range(self.columns):
                x = (2 * column - self.columns + 1) * step // 2
                y = (2 * row - self.rows + 1) * step // 2
                yield x - half, y - half, x + half, y + half


@dataclass(frozen=True)
class Crossing:
    """Place where wires of a net cross, and the numbers of the arrays there as a range."""

    net: str
    x: int
    y: int
    arrays: range


@dataclass(frozen=True)
class PowerGrid:
    """Power wires, and the vias between them."""

    nets: tuple[str, str]  #: names; the first net is that of the rail below the first row
    lower_is_ground: bool  #: the first net is the ground
    straps: tuple[Strap, ...]  #: straps and rails
    #: arrays of vias from the rails' layer up to that of the upper straps
    arrays: tuple[ViaArray, ...] = ()
    crossings: tuple[Crossing, ...] = ()

    def shapes(self) -> Iterator[tuple[str, Rectangle]]:
        """Yield layer and shape of all metal that wires of signals must keep away from."""
        yield from ((strap.layer, strap.shape) for strap in self.straps)
        for crossing in self.crossings:
            # The lowest and the highest layer are those of the wires that cross.
            for array in (self.arrays[at] for at in crossing.arrays[1:]):
                x, y = crossing.x - array.width // 2, crossing.y - array.height // 2
                yield array.lower, (x, y, x + array.width, y + array.height)


def power_grid(core: CoreArea, kit: Kit) -> PowerGrid:
    """Power grid of a core: rails on the cells' layer, and straps on the kit's mesh layers.

    Straps are ``STRAP_WIDTH_UM`` wide, or as wide as a wire, and on tracks. Straps of a net
    are at most ``STRAP_PITCH_UM`` apart, those of the other net midway.
    """
    about = geometry(kit)
    rails = list(_rails(core, about))
    nets = (about.rails.lower, about.rails.upper)
    mesh = _mesh(kit)
    if mesh is None:
        return PowerGrid(nets, about.rails.lower_is_ground, tuple(rails))
    bottom, top = mesh
    upright = [
        Strap(net, bottom.name, (left, 0, right, core.height), rail=False)
        for net, left, right in vertical_straps(core, kit)
    ]
    lying = [
        Strap(net, top.name, (0, low, core.width, high), rail=False)
        for net, low, high in _positions(top, core.height, nets)
    ]
    arrays = tuple(_arrays(about, bottom, top))
    first = next(at for at, array in enumerate(arrays) if array.lower == bottom.name)
    stacks = ((rails, range(first)), (lying, range(first, len(arrays))))
    crossings = (
        Crossing(
            strap.net, *_middle(strap.shape[0], wire.shape[1], strap.shape[2], wire.shape[3]), own
        )
        for strap in upright
        for wires, own in stacks
        for wire in wires
        if wire.net == strap.net
    )
    wires = (*rails, *upright, *lying)
    return PowerGrid(nets, about.rails.lower_is_ground, wires, arrays, tuple(crossings))


def _middle(left: int, low: int, right: int, high: int) -> tuple[int, int]:
    return (left + right) // 2, (low + high) // 2


def _arrays(about: Geometry, bottom: Layer, top: Layer) -> Iterator[ViaArray]:
    """Yield the arrays of vias from the rails to the lower straps, and on to the upper ones."""
    names = [layer.name for layer in about.layers]
    first, last = names.index(about.rails.layer), names.index(top.name)
    for lower, upper in pairwise(about.layers[first : last + 1]):
        cut = lower.cut
        if cut is None:
            raise FlowError(f"there are no vias between {lower.name} and {upper.name}")
        above = names.index(lower.name) >= names.index(bottom.name)
        width = _strap_width(bottom)
        height = _strap_width(top) if above else about.rails.width
        # Metal is at least as wide as a wire, and as a cut.
        height = max(height, lower.width, upper.width, cut.metal)
        columns, rows = (
            1 + max(0, x - cut.metal) // (cut.size + cut.spacing) for x in (width, height)
        )
        name = f"power_{lower.name}_{upper.name}"
        yield ViaArray(name, lower.name, cut, upper.name, width, height, columns, rows)


def vertical_straps(core: CoreArea, kit: Kit) -> list[tuple[str, int, int]]:
    """Net, left and right edge of the straps across the rails; raises as ``power_grid`` does."""
    mesh, rails = _mesh(kit), geometry(kit).rails
    return list(_positions(mesh[0], core.width, (rails.lower, rails.upper))) if mesh else []


def _mesh(kit: Kit) -> tuple[Layer, Layer] | None:
    """Layers of the straps, the lower one first; None if the kit has none."""
    if kit.layout.mesh_layers is None:
        return None
    found = geometry(kit).layers
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
    # Straps are at least as wide as the metal around a cut to the layers that they meet.
    first, last = (number - 1 for number in kit.layout.mesh_layers)
    below, above = (found[at - 1].cut if at else None for at in (first, last))
    needed = [cut.metal if cut else 0 for cut in (below, bottom.cut, above)]
    return (
        replace(bottom, width=max(bottom.width, *needed[:2])),
        replace(top, width=max(top.width, needed[2])),
    )


def _rails(core: CoreArea, about: Geometry) -> Iterator[Strap]:
    """Yield the rails at the edges of rows, which neighbouring rows share."""
    rails = about.rails
    for row in range(core.rows + 1):
        middle, half = row * core.row_height, rails.width // 2
        net = rails.lower if row % 2 == 0 else rails.upper
        yield Strap(net, rails.layer, (0, middle - half, core.width, middle + half), rail=True)


def _strap_width(layer: Layer) -> int:
    return max(round(STRAP_WIDTH_UM * DBU_PER_UM), layer.width)


def _positions(layer: Layer, length: int, nets: tuple[str, str]) -> Iterator[tuple[str, int, int]]:
    """Yield net and both edges of the straps across a length."""
    width = _strap_width(layer)
    pairs = max(1, math.ceil(length / (STRAP_PITCH_UM * DBU_PER_UM)))
    for place in range(2 * pairs):
        wanted = (place + 0.5) * length / (2 * pairs)
        track = max(0, round((wanted - layer.offset) / layer.pitch))
        middle = layer.offset + track * layer.pitch
        yield nets[place % 2], middle - width // 2, middle + width // 2
