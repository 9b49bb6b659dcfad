"""Rails and straps, and the metal that wires keep away from."""

from collections import defaultdict
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


def test_wires_keep_away_from_straps_and_from_stacks_between_them():
    grid = power_grid(CORE, KIT)
    by_layer = defaultdict(list)
    for name, shape in grid.shapes():
        by_layer[name].append(shape)
    assert by_layer.keys() == {f"metal{number}" for number in range(1, 10)}
    for name in ("metal1", "metal8", "metal9"):
        assert by_layer[name] == [strap.shape for strap in grid.straps if strap.layer == name]
    # 1.4 um wide, as a strap, and 0.17 um high, as a rail.
    stacks = [x for x in grid.crossings if len(x.arrays) == 7]
    metal = [(x.x - 1400, x.y - 170, x.x + 1400, x.y + 170) for x in stacks]
    assert by_layer["metal2"] == by_layer["metal3"] == metal


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
