"""Places of ports on the boundary of the core, on tracks, near the cells that they connect to."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.physical.array_netlist import DBU_PER_UM, ArrayNetlist
from rsaxcel.flow.physical.floorplan import CoreArea
from rsaxcel.flow.physical.lef import Layer, geometry
from rsaxcel.flow.physical.power_grid import vertical_straps

#: Tracks from one port to the next: the most for which there are places enough. Wires crowd where
#: ports stand close together.
_PITCHES = (8, 4, 2, 1)

_PLACES_PER_PORT = 2  # more than one, so that ports can lie near their cells


@dataclass(frozen=True)
class PortSlots:
    """Places for ports along the boundary: up the left side, then right, down and back."""

    x: np.ndarray  #: x of each place; int32
    y: np.ndarray
    along: (
        np.ndarray
    )  #: distance of each place from the lower left corner along the boundary; int64


def port_layers(kit: Kit) -> tuple[Layer, Layer]:
    """Layers of ports at the left and right side, and at the upper and lower side.

    Lowest layers above the two that cells and their connections fill, without the mesh layers.
    """
    mesh = kit.layout.mesh_layers or ()
    numbered = enumerate(geometry(kit).layers, 1)
    upper = [x for number, x in numbered if number > 2 and number not in mesh]
    across = next((x for x in upper if x.is_horizontal), None)
    up = next((x for x in upper if not x.is_horizontal), None)
    if across is None or up is None:
        raise FlowError("the library has no layers for ports: two above metal 2 are needed")
    return across, up


def port_layer(core: CoreArea, kit: Kit, x: int, y: int) -> tuple[Layer, str]:
    """Layer and side (``"left"``, ``"top"``, ``"right"`` or ``"bottom"``) of a port's place."""
    across, up = port_layers(kit)
    if x in (0, core.width):
        return across, "right" if x else "left"
    return up, "top" if y else "bottom"


def slots_of(core: CoreArea, kit: Kit, count: int) -> PortSlots:
    """Legal places for ports: on tracks, apart from each other and from power straps."""
    across, up = port_layers(kit)
    for pitches in _PITCHES:
        y, x = _tracks(across, core.height, pitches), _tracks(up, core.width, pitches)
        # Stacks of vias between straps and rails fill all layers below the straps; a distance
        # that suffices for a long strap suffices for them.
        for _, left, right in vertical_straps(core, kit):
            reach = up.spacing_to(right - left) + up.width // 2
            x = x[(x <= left - reach) | (x >= right + reach)]
        wanted = count * (_PLACES_PER_PORT if pitches > 1 else 1)
        if 2 * (len(x) + len(y)) >= wanted:
            break
    else:
        raise FlowError(
            f"{count} ports, and the core of {core.width / DBU_PER_UM:g} um by "
            f"{core.height / DBU_PER_UM:g} um has {2 * (len(x) + len(y))} places for ports"
        )
    width, height = core.width, core.height
    return PortSlots(
        np.concatenate((np.zeros_like(y), x, np.full_like(y, width), x[::-1])).astype(np.int32),
        np.concatenate((y, np.full_like(x, height), y[::-1], np.zeros_like(x))).astype(np.int32),
        np.concatenate((y, height + x, 2 * height + width - y[::-1], _around(core) - x[::-1])),
    )


def _around(core: CoreArea) -> int:
    return 2 * (core.width + core.height)


def _tracks(layer: Layer, length: int, pitches: int) -> np.ndarray:
    """Every second track, or each, that keeps the spacing to both corners."""
    margin = layer.width // 2 + layer.spacing
    tracks = np.arange(layer.offset, length - margin + 1, layer.pitch, dtype=np.int64)
    return tracks[tracks >= margin][::pitches]


def spread_ports(netlist: ArrayNetlist, core: CoreArea, kit: Kit) -> None:
    """Put ports at equal distances around the core, in their order, from the lower left corner."""
    ports = np.flatnonzero(netlist.is_port)
    slots = slots_of(core, kit, len(ports))
    at = (np.arange(len(ports)) * len(slots.x) // max(1, len(ports))).astype(np.int64)
    netlist.x[ports], netlist.y[ports] = slots.x[at], slots.y[at]


def places_of_cells(netlist: ArrayNetlist) -> tuple[np.ndarray, np.ndarray]:
    """Return x and y of the middle of the pins that each port connects to.

    A port without pins has its own place.
    """
    ports = np.flatnonzero(netlist.is_port)
    nets = netlist.pin_net[netlist.pin_start[ports]]
    inner = (netlist.pin_net >= 0) & ~netlist.is_port[netlist.pin_instance]
    of, size = netlist.pin_net[inner], len(netlist.nets)
    count = np.bincount(of, minlength=size)[nets]
    found = []
    for pins, own in zip(netlist.pin_places(), (netlist.x, netlist.y), strict=True):
        total = np.bincount(of, weights=pins[inner], minlength=size)[nets]
        middle = np.where(count > 0, total / np.maximum(count, 1), own[ports])
        found.append(np.where(nets >= 0, middle, own[ports]).astype(np.int64))
    return found[0], found[1]


def assign_ports(
    netlist: ArrayNetlist, core: CoreArea, kit: Kit, wanted: tuple[np.ndarray, np.ndarray]
) -> None:
    """Put each port into a legal place near its wanted one, such as ``places_of_cells`` gives.

    A port is wanted at the nearest point of the boundary. In the order of these points, the sum of
    distances, counted in places along the boundary, is the least possible.
    """
    ports = np.flatnonzero(netlist.is_port)
    if not len(ports):
        return
    slots = slots_of(core, kit, len(ports))
    points = _along(core, np.asarray(wanted[0]), np.asarray(wanted[1]))
    order = np.argsort(points, kind="stable")
    points = points[order]
    # The boundary is a ring, which is cut where the wanted points leave the largest gap.
    gaps = np.diff(points, append=points[0] + _around(core))
    first = (int(np.argmax(gaps)) + 1) % len(points)
    order = np.roll(order, -first)
    cut = (points[first] - gaps[first - 1] // 2) % _around(core)
    points = (np.roll(points, -first) - cut) % _around(core)
    start = int(np.searchsorted(slots.along, cut))
    along = (np.roll(slots.along, -start) - cut) % _around(core)
    above = np.minimum(np.searchsorted(along, points), len(along) - 1)
    below = np.maximum(above - 1, 0)
    near = np.abs(along[below] - points) <= np.abs(along[above] - points)
    wishes = np.where(near, below, above).tolist()
    at = (np.array(_places(wishes, len(along))) + start) % len(along)
    netlist.x[ports[order]], netlist.y[ports[order]] = slots.x[at], slots.y[at]


def _along(core: CoreArea, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Distance along the boundary of the points of the boundary nearest to places in the core."""
    width, height = core.width, core.height
    x, y = np.clip(x, 0, width).astype(np.int64), np.clip(y, 0, height).astype(np.int64)
    side = np.argmin(np.stack((x, height - y, width - x, y)), axis=0)
    points = (y, height + x, 2 * height + width - y, _around(core) - x)
    return np.choose(side, points) % _around(core)


def _places(wishes: Sequence[int], count: int) -> list[int]:
    """Ascending, different places below a count, with the least sum of distances from wishes.

    Places ascend if places minus their numbers do not descend: this is a fit of a monotonic
    sequence. The heap holds the points at which the slope of the least sum, as a function of the
    last place, changes.
    """
    heap: list[int] = []
    tops = []
    for number, wish in enumerate(wishes):
        heapq.heappush(heap, number - wish)
        if -heap[0] > wish - number:
            heapq.heapreplace(heap, number - wish)
        tops.append(-heap[0])
    last = count - len(wishes)
    places = []
    for top in reversed(tops):
        last = min(last, max(top, 0))
        places.append(last)
    return [place + number for number, place in enumerate(reversed(places))]
