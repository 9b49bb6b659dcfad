"""Cells move on legal places: wires get shorter, places stay legal, the clock's cells stay."""

import ctypes
from copy import copy
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from rsaxcel.flow.physical.checks import check_placement
from rsaxcel.flow.physical.embedded.finish import clock_nets
from rsaxcel.flow.physical.embedded.session import Clock, Session, session
from rsaxcel.flow.physical.embedded.tool import Checkpoint, _shorten
from rsaxcel.flow.physical.interface import PlacementTask
from tests.flow.physical.layouts import Layout, clocked, laid_out
from tests.flow.physical.netlists import KIT, Netlist, random_netlist


def boxes(layout: Layout) -> np.ndarray:
    """Half the perimeter of each net's box, in DBU."""
    design = layout.netlist
    start, pins = design.net_pins
    return np.array(
        [
            sum(np.ptp(axis[pins[low:high]]) for axis in design.pin_places())
            for low, high in pairwise(start)
        ]
    )


def shorten(layout: Layout, weights: np.ndarray | None = None, clock: Clock | None = None) -> int:
    design = layout.netlist
    given = np.ones(len(design.nets)) if weights is None else weights
    with session(design, KIT, clock or Clock()) as opened:
        changes = opened.shorten(layout.core, layout.fixed, given)
        layout.netlist, _ = opened.read()
    check_placement(layout.netlist, layout.core, [layout.fixed])
    return changes


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("utilisation", [0.5, 0.9])
def test_wires_get_shorter_and_places_stay_legal(tmp_path, seed, utilisation):
    layout = laid_out(random_netlist(300, seed), tmp_path, seed, utilisation)
    before = boxes(layout).sum()
    assert shorten(layout) > 50
    assert boxes(layout).sum() < 0.85 * before
    kept = boxes(layout).sum()
    shorten(layout)
    assert boxes(layout).sum() <= kept


def test_the_timing_sees_the_moved_cells(tmp_path):
    layout = laid_out(random_netlist(200, 5), tmp_path)
    with session(layout.netlist, KIT) as opened:
        before = opened.time(1.0).wire_length
        opened.shorten(layout.core, layout.fixed, np.ones(len(layout.netlist.nets)))
        moved = opened.time(1.0).wire_length
        design, _ = opened.read()
    with session(design, KIT) as opened:
        assert opened.time(1.0).wire_length == moved < 0.9 * before


def test_a_net_of_more_weight_gets_shorter(tmp_path):
    start = laid_out(random_netlist(300, 2), tmp_path)
    chosen = np.arange(len(start.netlist.nets)) % 10 == 0
    lengths = []
    for weight in (1.0, 10.0):
        layout = copy(start)
        shorten(layout, np.where(chosen, weight, 1.0))
        lengths.append(boxes(layout)[chosen].sum())
    assert lengths[1] < 0.9 * lengths[0]


def test_cells_at_a_clock_tree_stay(tmp_path):
    layout = laid_out(clocked(40, 2, 3), tmp_path)
    design = layout.netlist
    tied = np.zeros(design.count, bool)
    pins = np.flatnonzero(design.pin_net >= 0)
    tied[design.pin_instance[pins[clock_nets(design, KIT)[design.pin_net[pins]]]]] = True
    places = np.stack((design.x, design.y, design.orient))
    assert shorten(layout, clock=Clock(is_ideal=False))
    moved = (np.stack((layout.netlist.x, layout.netlist.y, layout.netlist.orient)) != places).any(0)
    assert not moved[tied].any()
    assert moved[~tied].any()
    shorten(layout)
    assert (np.stack((layout.netlist.x, layout.netlist.y)) != places[:2]).any(0)[tied].any()


def test_a_row_is_put_in_order(tmp_path):
    """Inverters of a chain stand in the wrong order in a row without gaps."""
    chain = Netlist({"a": 1}, {"y": 1})
    nets = ["a", "n1", "n2", "n3", "n4", "y"]
    for number, (source, target) in enumerate(pairwise(nets)):
        chain.cells[f"u{number}"] = ("INV_X1", {"A": source, "ZN": target})
    layout = laid_out(chain, tmp_path)
    design = layout.netlist
    width = int(design.width[0])
    layout.core = replace(layout.core, rows=1, sites=5 * width // layout.core.site_width)
    layout.fixed = replace(
        layout.fixed, **{x: getattr(layout.fixed, x)[:0] for x in ("kind", "x", "y", "orient")}
    )
    design.x[:5] = np.array([0, 2, 1, 4, 3]) * width
    design.y[:], design.orient[:] = 0, 0
    design.x[5:] = 0, layout.core.width
    before = boxes(layout).sum()
    shorten(layout)
    assert boxes(layout).sum() < before
    assert (np.diff(layout.netlist.x[:5]) > 0).all()


def test_the_timing_sees_mirrored_cells(tmp_path):
    layout = laid_out(random_netlist(200, 5), tmp_path)
    with session(layout.netlist, KIT) as opened:
        before = opened.time(1.0).wire_length
        opened.mirror()
        mirrored = opened.time(1.0).wire_length
        design, _ = opened.read()
    with session(design, KIT) as opened:
        assert opened.time(1.0).wire_length == mirrored < before


@pytest.mark.parametrize("clock_ns", [0.1, 100.0])
@pytest.mark.parametrize("has_tree", [False, True])
def test_moves_that_slow_the_slowest_path_are_taken_back(tmp_path, monkeypatch, clock_ns, has_tree):
    """Every second cell moves far away; with a clock tree and failing paths that is undone."""
    layout = laid_out(clocked(20, 1, 3), tmp_path)
    state = Checkpoint(layout.netlist, layout.core, Clock(is_ideal=not has_tree))
    task = PlacementTask(tmp_path / "netlist.json", "top", KIT, clock_ns, 0.5, 1)
    places = np.stack((layout.netlist.x, layout.netlist.y))

    def scatter(opened, *_):
        design = opened.netlist
        far = np.where(np.arange(design.count) % 2, 100 * layout.core.width, 0).astype(np.int32)
        arrays = (far, design.y, design.orient)
        addresses = [ctypes.c_void_p(np.ascontiguousarray(x).ctypes.data) for x in arrays]
        opened._code.physical_move(opened._at, *addresses)

    monkeypatch.setattr(Session, "shorten", scatter)
    _shorten(task, state)
    is_kept = (np.stack((state.netlist.x, state.netlist.y)) == places).all()
    assert is_kept == (has_tree and clock_ns < 1)
