"""Rails and straps, and the tracks that they take."""

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.floorplan import CoreArea
from rsaxcel.flow.physical.lef import geometry
from rsaxcel.flow.physical.power_grid import power_grid
from tests.flow.physical.netlists import KIT

CORE = CoreArea(60, 450, *geometry(KIT).site)


def tracks_taken(core, kit, grid):
    """Share of each layer's tracks that the power grid takes, over the core, from 0 to 1.

    A track is taken where a wire on it would be closer to power than the layer's spacing allows.
    """
    by_layer = {}
    for name, shape in grid.shapes():
        by_layer.setdefault(name, []).append(shape)
    taken = np.zeros(len(geometry(kit).layers))
    for index, layer in enumerate(geometry(kit).layers):
        shapes = np.array(by_layer.get(layer.name, []), np.int64).reshape(-1, 4)
        if not len(shapes):
            continue
        left, low, right, high = shapes.T
        widths = np.minimum(right - left, high - low)
        distinct, which = np.unique(widths, return_inverse=True)
        spacing = np.array([layer.spacing_to(width) for width in distinct.tolist()])[which]
        reach = spacing + layer.width // 2
        if layer.is_horizontal:
            span, start, end, across = (core.width, core.height), low, high, right - left
        else:
            span, start, end, across = (core.height, core.width), left, right, high - low
        first = np.ceil((np.maximum(start - reach + 1, 0) - layer.offset) / layer.pitch)
        last = np.floor((np.minimum(end + reach - 1, span[1]) - layer.offset) / layer.pitch)
        count = np.maximum(last - np.maximum(first, 0) + 1, 0)
        length = np.minimum(across + 2 * spacing, span[0])
        tracks = max(1, (span[1] - layer.offset) // layer.pitch + 1)
        taken[index] = min(1.0, float(np.sum(count * length)) / (tracks * span[0]))
    return taken


def test_rails_alternate_and_straps_reach_both_nets():
    grid = power_grid(CORE, KIT)
    assert grid.nets == ("VSS", "VDD")
    rails = [strap for strap in grid.straps if strap.rail]
    assert [rail.net for rail in rails] == ["VSS", "VDD"] * 30 + ["VSS"]
    assert rails[1].shape == (0, 2800 - 170, CORE.width, 2800 + 170)
    for name, across in (("metal8", 0), ("metal9", 1)):
        own = [strap for strap in grid.straps if strap.layer == name]
        assert [strap.net for strap in own] == ["VSS", "VDD"] * 3
        middles = [(x.shape[across] + x.shape[across + 2]) // 2 for x in own]
        layer = next(layer for layer in geometry(KIT).layers if layer.name == name)
        assert all((x - layer.offset) % layer.pitch == 0 for x in middles)
        assert np.all(np.diff(middles[::2]) <= 40 * 2000)
    # A stack of vias stands where a strap crosses a rail of its net, from metal 1 to 8, and one
    # array where two straps of a net cross.
    stacks = [crossing for crossing in grid.crossings if len(crossing.arrays) == 7]
    assert len(stacks) == 3 * (31 + 30)
    assert len(grid.crossings) - len(stacks) == 2 * 3 * 3
    for crossing in grid.crossings:
        arrays = [grid.arrays[at] for at in crossing.arrays]
        assert all(one.upper == two.lower for one, two in pairwise(arrays))
        for name in (arrays[0].lower, arrays[-1].upper):
            assert any(
                (strap.net, strap.layer) == (crossing.net, name)
                and strap.shape[0] < crossing.x < strap.shape[2]
                and strap.shape[1] < crossing.y < strap.shape[3]
                for strap in grid.straps
            ) or crossing.y in (0, CORE.height)


def test_cuts_are_within_the_metal_and_apart():
    for array in power_grid(CORE, KIT).arrays:
        cuts = list(array.cuts())
        assert len(cuts) == array.columns * array.rows > 0
        assert min(cut[0] for cut in cuts) >= -array.width // 2
        assert max(cut[2] for cut in cuts) <= array.width // 2
        assert max(cut[3] for cut in cuts) <= array.height // 2
        for one, two in combinations(cuts, 2):
            away = max(two[0] - one[2], one[0] - two[2], two[1] - one[3], one[1] - two[3])
            assert away >= array.cut.spacing


def test_tracks_are_taken_where_a_wire_would_be_too_close():
    grid = power_grid(CORE, KIT)
    taken = dict(
        zip(
            (layer.name for layer in geometry(KIT).layers),
            tracks_taken(CORE, KIT, grid),
            strict=True,
        )
    )
    layer = next(layer for layer in geometry(KIT).layers if layer.name == "metal8")
    tracks = np.arange(layer.offset, CORE.width + 1, layer.pitch)
    blocked = np.zeros(len(tracks), bool)
    for strap in grid.straps:
        if strap.layer == "metal8":
            left, _, right, _ = strap.shape
            # 0.9 um from what is wider than 0.9 um.
            reach = 1800 + layer.width / 2
            blocked |= (tracks > left - reach) & (tracks < right + reach)
    assert taken["metal8"] == pytest.approx(blocked.mean())
    assert taken["metal10"] == 0
    # A stack takes its tracks only beside it: 0.17 um and 0.09 um on both sides, every 2.8 um.
    layer = next(layer for layer in geometry(KIT).layers if layer.name == "metal2")
    tracks = np.arange(layer.offset, CORE.width + 1, layer.pitch)
    left = np.array(sorted({crossing.x - 1400 for crossing in grid.crossings}))[:, None]
    count = np.sum((tracks > left - 180 - 70) & (tracks < left + 2800 + 180 + 70))
    # Six straps cross 30 or 31 of the rails.
    length = 30.5 * (340 + 2 * 180)
    assert taken["metal2"] == pytest.approx(count * length / (len(tracks) * CORE.height), rel=0.001)


def test_a_kit_without_a_mesh_has_rails_only():
    kit = replace(KIT, layout=replace(KIT.layout, mesh_layers=None))
    grid = power_grid(CORE, kit)
    assert all(strap.rail for strap in grid.straps)
    assert not grid.crossings


@pytest.mark.parametrize(("mesh", "what"), [((8, 11), "the library has 10"), ((9, 10), "metal9")])
def test_wrong_mesh_layers_are_told(mesh, what):
    kit = replace(KIT, layout=replace(KIT.layout, mesh_layers=mesh))
    with pytest.raises(FlowError, match=f"^the power grid's layers.*{what}"):
        power_grid(CORE, kit)
