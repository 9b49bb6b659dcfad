"""Global router: capacity is respected, overflow is counted, a bottleneck is found."""

import numpy as np
import pytest

from rsaxcel.flow.physical.embedded.capacity import Congestion, Grid, grid_cell, route
from rsaxcel.flow.physical.embedded.wires import Nets, Trees, build_trees
from rsaxcel.flow.physical.lef import Layer, Rectangle, geometry
from tests.flow.flow_circuits import KIT

LAYERS = tuple(Layer(name, name == "h", 100, 0, 0, 0, 0.0, 0.0, 0.0, 0.0) for name in "hv")
SIDE = 1000
"""Side of a grid cell: 10 tracks of either layer, 7 of which are free."""


def grid(columns: int, rows: int, *straps: tuple[str, Rectangle]) -> Grid:
    return Grid(columns * SIDE, rows * SIDE, LAYERS, SIDE, spare=0, straps=straps)


def trees_of(pairs: np.ndarray):
    """Nets of two pins in the middle of cells; pairs: column, row, column, row."""
    places = np.asarray(pairs).reshape(-1, 2) * SIDE + SIDE // 2
    start = np.arange(0, len(places) + 1, 2)
    return build_trees(Nets(start, np.arange(len(places)), places[:, 0], places[:, 1]))


def length_dbu(found: Congestion) -> float:
    """Length of wires from centre to centre of cells, of connections that are all between cells."""
    return (found.horizontal.sum() + found.vertical.sum()) * SIDE


def across(rows: range, count: int, columns: int = 9) -> np.ndarray:
    return np.array([(0, row, columns - 1, row) for row in rows for _ in range(count)])


def test_nets_that_fit_do_not_overflow():
    random = np.random.default_rng(1)
    trees = trees_of(random.integers(0, 30, (300, 4)))
    result = route(trees, grid(30, 30))
    assert result.overflow == 0
    assert (result.horizontal <= result.horizontal_tracks).all()
    assert (result.vertical <= result.vertical_tracks).all()
    assert 0.9 < result.utilisation.max() <= 1
    assert length_dbu(result) >= trees.length_dbu


def test_a_detour_avoids_a_full_row():
    result = route(trees_of(across(range(4, 5), 20)), grid(9, 9))
    assert result.overflow == 0
    assert length_dbu(result) > 20 * 8 * SIDE
    assert (result.horizontal[:, 4] > 0).sum() >= 3


def test_a_cut_without_enough_tracks_overflows():
    """63 tracks lead from the left to the right; 70 nets need one each."""
    result = route(trees_of(across(range(9), 9)[:70]), grid(9, 9))
    assert result.horizontal_tracks[:, 3].sum() == 63
    assert result.horizontal[:, 3].sum() >= 70
    assert result.overflow >= 8 * 7
    assert result.utilisation.max() > 1


def test_a_strap_is_a_bottleneck():
    """A strap over the sides of all cells but the topmost leaves 7 tracks, in the top row."""
    wall = (4 * SIDE - 100, 0, 4 * SIDE + 100, 8 * SIDE)
    free = route(trees_of(across(range(9), 2)), grid(9, 9))
    assert free.overflow == 0
    assert length_dbu(free) == 18 * 8 * SIDE
    few = route(trees_of(across(range(9), 2)[:6]), grid(9, 9, ("h", wall)))
    assert few.overflow == 0
    assert few.horizontal[8, 3] == 6
    many = route(trees_of(across(range(9), 2)), grid(9, 9, ("h", wall)))
    assert many.horizontal_tracks[:, 3].tolist() == [0] * 8 + [7]
    assert many.overflow == pytest.approx(18 - 7)
    assert many.utilisation[:, 3].max() == max(
        many.horizontal[:, 3] / many.horizontal_tracks[:, 3].clip(1)
    )
    other = route(trees_of(across(range(9), 2)), grid(9, 9, ("v", wall)))
    assert other.overflow == 0


def stars(count: int, ends: list[tuple[int, int]]) -> Trees:
    """Trees with a driver in the lower left cell, and a connection from it to each end."""
    places = np.array([(0, 0), *ends] * count) * SIDE + SIDE // 2
    size = len(ends) + 1
    parent, order = [-1, *[0] * len(ends)] * count, [*range(size)] * count
    start = np.arange(0, len(places) + 1, size)
    return Trees(
        start, *places.T.astype(np.int32), *(np.array(x, np.int32) for x in (parent, order))
    )


def test_a_net_takes_one_track_of_an_edge():
    """Two connections of a net, from one end of a row of seven tracks to the other."""
    assert route(stars(7, [(8, 0), (8, 0)]), grid(9, 1)).overflow == 0
    full = route(stars(8, [(8, 0), (8, 0)]), grid(9, 1))
    assert full.overflow == 8
    assert full.horizontal[0].tolist() == [8] * 8 + [0]


def test_a_connection_follows_its_net():
    """Both ends lie above the driver, one higher; each net needs two of three vertical tracks."""
    result = route(stars(3, [(4, 4), (4, 8)]), grid(9, 9))
    assert result.overflow == 0
    assert length_dbu(result) == 3 * 12 * SIDE


def test_tracks_by_layer():
    right, above = grid(3, 2).capacities()
    assert right == pytest.approx(np.array([[7, 7, 0], [7, 7, 0]]))
    assert above == pytest.approx(np.array([[7, 7, 7], [0, 0, 0]]))
    # The last row reaches to the end of the core; a strap of two tracks takes three.
    low = Grid(3000, 1500, LAYERS, SIDE, spare=0, straps=[("h", (0, 200, 1500, 400))])
    right, _ = low.capacities()
    assert right == pytest.approx(np.array([[7.5, 10.5, 0]]))


def test_the_default_grid_has_the_tracks_of_the_kit():
    own = geometry(KIT).layers[1:]
    side = grid_cell(own)
    assert side == 4200
    right, above = Grid(84_000, 84_000, own, side, spare=0).capacities()
    assert right[0, 0] == pytest.approx(0.7 * 4200 * (1 / 280 + 1 / 560 + 1 / 1600 + 1 / 3200))
    assert above[0, 0] == pytest.approx(0.7 * 4200 * (1 / 380 + 2 / 560 + 1 / 1600 + 1 / 3200))
    spared, _ = Grid(84_000, 84_000, own, side, spare=0.1).capacities()
    assert spared[0, 0] == pytest.approx(0.9 * right[0, 0])


def test_bad_grids_are_refused():
    with pytest.raises(ValueError, match="width_dbu=0: expected more than 0"):
        Grid(0, 1, LAYERS, SIDE)
    with pytest.raises(ValueError, match="kept=1: expected 0 to less than 1"):
        Grid(1, 1, LAYERS, SIDE, kept=1)
    with pytest.raises(ValueError, match="straps: no layer metal1"):
        Grid(1, 1, LAYERS, SIDE, straps=[("metal1", (0, 0, 1, 1))])


def test_wires_within_a_cell_take_tracks():
    nets = Nets([0, 2], [0, 1], [1100, 1900], [1500, 1500])
    result = route(build_trees(nets), grid(3, 3))
    assert result.overflow == 0
    assert result.horizontal[1].tolist() == [0.5, 0.5, 0]
    assert result.horizontal.sum() + result.vertical.sum() == 1


def test_the_route_is_deterministic():
    random = np.random.default_rng(2)
    trees = trees_of(random.integers(0, 20, (500, 4)))
    first, second = (route(trees, grid(20, 20)) for _ in range(2))
    assert first.rounds > 2
    for name in ("horizontal", "vertical"):
        assert (getattr(first, name) == getattr(second, name)).all()
    assert first.overflow == second.overflow


def test_a_design_without_nets():
    result = route(trees_of(np.zeros((0, 4), int)), grid(4, 4))
    assert result.overflow == 0
    assert result.utilisation.max() == 0
    assert result.utilisation.shape == (4, 4)
