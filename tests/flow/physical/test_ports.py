"""Places of ports: legal, apart, and as near to the wanted ones as can be."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.array_netlist import PORT_KINDS, ArrayNetlist
from rsaxcel.flow.physical.checks import check_placement
from rsaxcel.flow.physical.floorplan import CoreArea
from rsaxcel.flow.physical.lef import geometry
from rsaxcel.flow.physical.ports import (
    _places,
    assign_ports,
    places_of_cells,
    port_layer,
    slots_of,
    spread_ports,
)
from rsaxcel.flow.physical.power_grid import power_grid
from tests.flow.physical.netlists import KIT, small


def core_of(rows: int, sites: int) -> CoreArea:
    return CoreArea(rows, sites, *geometry(KIT).site)


def ports_only(count: int) -> ArrayNetlist:
    zeros = np.zeros(count, np.int32)
    names = [f"p[{number}]" for number in range(count)]
    nets = list(range(count))
    orient = np.zeros(count, np.uint8)
    return ArrayNetlist(
        "top",
        PORT_KINDS,
        names,
        names,
        zeros,
        np.array(nets, np.int32),
        zeros.copy(),
        zeros.copy(),
        orient,
    )


def shapes(design: ArrayNetlist, core: CoreArea) -> list[tuple[str, tuple[int, int, int, int]]]:
    found = []
    for x, y in zip(design.x.tolist(), design.y.tolist(), strict=True):
        layer, _ = port_layer(core, KIT, x, y)
        half = layer.width // 2
        found.append((layer, (x - half, y - half, x + half, y + half)))
    return found


def check_legal(design: ArrayNetlist, core: CoreArea) -> None:
    """On the boundary, on tracks, and no closer to ports and power than the spacing."""
    check_placement(design, core)
    power = list(power_grid(core, KIT).shapes())
    own = shapes(design, core)
    for (layer, shape), x, y in zip(own, design.x, design.y, strict=True):
        assert ((y if layer.is_horizontal else x) - layer.offset) % layer.pitch == 0
        left, low, right, high = shape
        # The rails of the lowest and the highest row are on the cells' layer.
        for name, (left2, low2, right2, high2) in power:
            if name == layer.name:
                away = max(left2 - right, left - right2, low2 - high, low - high2)
                width = min(right2 - left2, high2 - low2)
                assert away >= layer.spacing_to(width)
        # Away from the corners, too.
        assert (low if layer.is_horizontal else left) >= layer.spacing
        end = core.height - high if layer.is_horizontal else core.width - right
        assert end >= layer.spacing
    for (layer, one), (layer2, two) in combinations(own, 2):
        if layer == layer2:
            away = max(two[0] - one[2], one[0] - two[2], two[1] - one[3], one[1] - two[3])
            assert away >= layer.spacing


@settings(max_examples=30, deadline=None)
@given(
    count=st.integers(0, 60),
    rows=st.integers(8, 60),
    sites=st.integers(60, 500),
    seed=st.integers(0, 2**32 - 1),
    crowded=st.booleans(),
)
def test_ports_are_legal(count, rows, sites, seed, crowded):
    core, design = core_of(rows, sites), ports_only(count)
    spread_ports(design, core, KIT)
    check_legal(design, core)
    draw = np.random.default_rng(seed)
    span = 0.02 if crowded else 1.0
    wanted = tuple(
        draw.integers(0, int(span * size) + 1, count) for size in (core.width, core.height)
    )
    assign_ports(design, core, KIT, wanted)
    check_legal(design, core)
    first = design.x.copy(), design.y.copy()
    assign_ports(design, core, KIT, wanted)
    assert all(map(np.array_equal, first, (design.x, design.y)))


@settings(max_examples=200, deadline=None)
@given(data=st.data(), count=st.integers(1, 5), extra=st.integers(0, 5))
def test_the_sum_of_distances_is_the_least(data, count, extra):
    size = count + extra
    wishes = sorted(data.draw(st.lists(st.integers(0, size - 1), min_size=count, max_size=count)))
    places = _places(wishes, size)
    assert places == sorted(set(places))
    assert 0 <= places[0]
    assert places[-1] < size

    def cost(chosen):
        return sum(abs(a - b) for a, b in zip(chosen, wishes, strict=True))

    assert cost(places) == min(map(cost, combinations(range(size), count)))


def test_a_port_goes_to_the_nearest_side():
    core, design = core_of(20, 150), ports_only(4)
    width, height = core.width, core.height
    x = np.array([100, width // 2, width - 100, width // 2])
    y = np.array([height // 2, height - 100, height // 2, 100])
    assign_ports(design, core, KIT, (x, y))
    sides = [port_layer(core, KIT, *map(int, xy))[1] for xy in zip(design.x, design.y, strict=True)]
    assert sides == ["left", "top", "right", "bottom"]
    assert np.all(np.abs(design.x - x) <= 1200)
    assert np.all(np.abs(design.y - y) <= 1200)


def test_ports_that_want_places_across_a_corner_stay_around_it():
    core, design = core_of(40, 300), ports_only(9)
    assign_ports(design, core, KIT, (np.zeros(9), np.zeros(9)))
    assert np.all(design.x + design.y < 20_000)
    assert {int(x) == 0 for x in design.x} == {True, False}


def test_ports_stand_closer_where_they_have_to():
    core = core_of(10, 74)
    few, many = slots_of(core, KIT, 10), slots_of(core, KIT, 200)
    assert len(many.x) > 200 > len(few.x)
    with pytest.raises(
        FlowError, match=r"^1000 ports, and the core of 14\.06 um by 14 um has \d+ "
    ):
        slots_of(core, KIT, 1000)


def test_a_library_without_layers_for_ports_is_told():
    meshed = replace(KIT, layout=replace(KIT.layout, mesh_layers=(4, 5)))
    across, _ = port_layer(core_of(10, 74), meshed, 0, 100)
    assert across.name == "metal3"
    up, _ = port_layer(core_of(10, 74), meshed, 100, 0)
    assert up.name == "metal6"


def test_ports_move_to_the_cells_that_they_connect_to(tmp_path):
    netlist = small()
    netlist.outputs["unused"] = 1
    netlist.cells["drive"] = ("BUF_X1", {"A": "a[0]", "Z": "unused"})
    design = netlist.design(tmp_path)
    core = core_of(60, 450)
    cells = ~design.is_port
    design.x[cells], design.y[cells] = 20 * 380, 30 * core.row_height
    at = [design.names.index(name) for name in ("top/aoi", "drive")]
    design.x[at], design.y[at] = (200 * 380, 300 * 380), (2 * core.row_height, 6 * core.row_height)
    x, y = places_of_cells(design)
    ports = [design.names[port] for port in np.flatnonzero(design.is_port)]
    # a[0] goes to B1 of AOI21_X1 and to A of BUF_X1; y[0] comes from a flip-flop.
    aoi, buffer = (design.kinds[design.kind[cell]] for cell in at)
    pins = aoi.pins[[pin.name for pin in aoi.pins].index("B1")], buffer.pins[0]
    assert x[ports.index("a[0]")] == (sum(design.x[at]) + pins[0].x + pins[1].x) // 2
    assert y[ports.index("a[0]")] == (sum(design.y[at]) + pins[0].y + pins[1].y) // 2
    assign_ports(design, core, KIT, (x, y))
    sides = {
        name: port_layer(
            core, KIT, *(int(v[design.names.index(name)]) for v in (design.x, design.y))
        )
        for name in ("a[0]", "a[1]", "y[0]", "clk")
    }
    assert {name: side for name, (_, side) in sides.items()} == {
        "a[0]": "bottom",
        "a[1]": "bottom",
        "y[0]": "left",
        "clk": "left",
    }
