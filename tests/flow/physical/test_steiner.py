"""Steiner trees against all trees over the Hanan grid, and what holds for every tree."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsaxcel.flow.physical.embedded.wires import Nets, Trees, build_trees

PLACES = st.tuples(st.integers(-40, 40), st.integers(-40, 40))


def nets_of(*nets: list[tuple[int, int]]) -> Nets:
    places = [place for net in nets for place in net]
    start = np.cumsum([0, *map(len, nets)])
    px, py = np.array(places).T if places else ([], [])
    return Nets(start, np.arange(len(places)), px, py)


def tree_of(net: list[tuple[int, int]], alpha: float = 0.0) -> Trees:
    return build_trees(nets_of(net), alpha)


def distance(a, b) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def spanning_length(points: list[tuple[int, int]]) -> int:
    """Length of the shortest tree without further points (Prim)."""
    rest = {point: distance(points[0], point) for point in points[1:]}
    total = 0
    while rest:
        near = min(rest, key=rest.__getitem__)
        total += rest.pop(near)
        rest = {point: min(known, distance(near, point)) for point, known in rest.items()}
    return total


def shortest_length(points: list[tuple[int, int]]) -> int:
    """Length of the shortest Steiner tree: its points are of the Hanan grid, at most n - 2."""
    points = list(set(points))
    grid = {(x, y) for x, _ in points for _, y in points} - set(points)
    return min(
        spanning_length([*points, *more])
        for count in range(max(1, len(points) - 1))
        for more in combinations(sorted(grid), count)
    )


def paths(tree: Trees) -> list[int]:
    """Length of the path from the driver to each node."""
    result = [0] * len(tree.x)
    for node in tree.order:
        if (up := tree.parent[node]) >= 0:
            result[node] = result[up] + distance(
                (tree.x[node], tree.y[node]), (tree.x[up], tree.y[up])
            )
    return result


def check_tree(net: list[tuple[int, int]], tree: Trees) -> None:
    assert list(zip(tree.x, tree.y, strict=True))[: len(net)] == net
    assert tree.parent[0] == -1
    assert sorted(tree.order) == list(range(len(tree.x)))
    seen = set()
    for node in tree.order:
        assert node == 0 or tree.parent[node] in seen
        seen.add(node)
    children = np.bincount(tree.parent[1:], minlength=len(tree.x))
    assert (children[len(net) :] >= 2).all()


@settings(max_examples=60, deadline=None)
@given(st.lists(PLACES, min_size=1, max_size=4))
def test_trees_of_few_pins_are_the_shortest(net):
    tree = tree_of(net)
    check_tree(net, tree)
    least = shortest_length(net)
    assert tree.length_dbu >= least
    if len(net) < 4:
        assert tree.length_dbu == least
    else:
        assert tree.length_dbu <= 1.25 * least


def test_trees_of_five_pins_are_nearly_the_shortest():
    random = np.random.default_rng(5)
    nets = [
        [tuple(map(int, place)) for place in random.integers(0, 999, (5, 2))] for _ in range(20)
    ]
    found = [tree_of(net).length_dbu for net in nets]
    least = [shortest_length(net) for net in nets]
    assert all(length >= shortest for length, shortest in zip(found, least, strict=True))
    assert sum(found) <= 1.005 * sum(least)


@settings(max_examples=60, deadline=None)
@given(st.lists(PLACES, min_size=2, max_size=90), st.sampled_from([0.0, 0.2, 0.5]))
def test_every_tree_spans_its_pins(net, alpha):
    tree = tree_of(net, alpha)
    check_tree(net, tree)
    xs, ys = zip(*net, strict=True)
    assert tree.length_dbu >= max(xs) - min(xs) + max(ys) - min(ys)
    if not alpha:
        assert tree.length_dbu <= spanning_length(net)
    assert all(
        path >= distance(net[0], pin)
        for path, pin in zip(paths(tree)[: len(net)], net, strict=True)
    )


def test_alpha_trades_wire_for_paths():
    random = np.random.default_rng(3)
    nets = [list(map(tuple, random.integers(0, 9999, (12, 2)).tolist())) for _ in range(50)]
    lengths, detours = [], []
    for alpha in (0.0, 0.1, 0.3):
        trees = [tree_of(net, alpha) for net in nets]
        lengths.append(sum(tree.length_dbu for tree in trees))
        detours.append(
            sum(sum(paths(tree)[: len(net)]) for tree, net in zip(trees, nets, strict=True))
        )
    assert lengths[0] < lengths[1] < lengths[2] < 1.05 * lengths[0]
    assert detours[0] > detours[1] > detours[2]
    assert detours[2] < 0.9 * detours[0]


def test_many_pins_on_few_places():
    net = [(0, 0), *[(7, index % 3) for index in range(3000)]]
    tree = tree_of(net)
    check_tree(net, tree)
    assert tree.length_dbu == 9


def test_nets_without_sinks_have_no_wires():
    nets = nets_of([], [(5, 6)], [(0, 0), (3, 4)], [])
    trees = build_trees(nets)
    assert trees.start.tolist() == [0, 0, 1, 3, 3]
    assert trees.length_dbu == 7


def test_bad_nets_are_refused():
    with pytest.raises(ValueError, match="pins: expected numbers from 0 to 1"):
        Nets([0, 2], [0, 2], [1, 2], [1, 2])
    with pytest.raises(ValueError, match="start"):
        Nets([0, 3], [0, 1], [1, 2], [1, 2])
    with pytest.raises(ValueError, match="py: expected less than"):
        Nets([0, 2], [0, 1], [1, 2], [1, 2**30])
    with pytest.raises(ValueError, match=r"alpha=0\.6: expected 0 to 0\.5"):
        tree_of([(0, 0)], 0.6)
