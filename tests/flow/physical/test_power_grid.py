"""Rails and straps, and the tracks that they take."""

from dataclasses import replace

import numpy as np
import pytest

from flow.errors import FlowError
from flow.physical.floorplan import Core
from flow.physical.lef import geometry, layers
from flow.physical.power_grid import power_grid, tracks_taken
from tests.flow.physical.netlists import KIT

CORE = Core(60, 450, *geometry(KIT).site)


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
        layer = next(layer for layer in layers(KIT) if layer.name == name)
        assert all((x - layer.offset) % layer.pitch == 0 for x in middles)
        assert np.all(np.diff(middles[::2]) <= 40 * 2000)
    # A stack of vias stands where a strap crosses a rail of its net, on metal 2 to 7.
    assert len(grid.vias) == 6 * 3 * (31 + 30)


def test_tracks_are_taken_where_a_wire_would_be_too_close():
    grid = power_grid(CORE, KIT)
    taken = dict(
        zip((layer.name for layer in layers(KIT)), tracks_taken(CORE, KIT, grid), strict=True)
    )
    layer = next(layer for layer in layers(KIT) if layer.name == "metal8")
    tracks = np.arange(layer.offset, CORE.width + 1, layer.pitch)
    blocked = np.zeros(len(tracks), bool)
    for strap in grid.straps:
        if strap.layer == "metal8":
            left, _, right, _ = strap.shape
            reach = layer.spacing + layer.width / 2
            blocked |= (tracks > left - reach) & (tracks < right + reach)
    assert taken["metal8"] == pytest.approx(blocked.mean())
    assert taken["metal10"] == 0
    # A stack takes its tracks only beside it: 0.17 um and twice the spacing, every 2.8 um.
    layer = next(layer for layer in layers(KIT) if layer.name == "metal2")
    per_stack = 1 + 2 * ((3200 // 2 + layer.spacing + layer.width // 2 - 1) // layer.pitch)
    bounds = [
        count * 6 / (CORE.width // 380) * (340 + 280) / 5600
        for count in (per_stack - 1, per_stack + 1)
    ]
    assert bounds[0] < taken["metal2"] < bounds[1] * 1.05


def test_a_kit_without_a_mesh_has_rails_only():
    kit = replace(KIT, layout=replace(KIT.layout, mesh_layers=None))
    grid = power_grid(CORE, kit)
    assert all(strap.rail for strap in grid.straps)
    assert not grid.vias


@pytest.mark.parametrize(("mesh", "what"), [((8, 11), "the library has 10"), ((9, 10), "metal9")])
def test_wrong_mesh_layers_are_told(mesh, what):
    kit = replace(KIT, layout=replace(KIT.layout, mesh_layers=mesh))
    with pytest.raises(FlowError, match=f"^the power grid's layers.*{what}"):
        power_grid(CORE, kit)
