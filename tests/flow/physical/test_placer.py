"""Placement: forces by a direct sum, short wires, legal places, the same ones on every machine."""

import ctypes
import hashlib
from pathlib import Path

import numpy as np
import pytest

from rsaxcel.flow.compiled import load
from rsaxcel.flow.physical.array_netlist import FN, FS, N, S
from rsaxcel.flow.physical.embedded import session as embedded_session
from rsaxcel.flow.physical.embedded.session import session
from rsaxcel.flow.physical.embedded.tool import equal_space
from rsaxcel.sim.native.source import read_sources
from tests.flow.physical.layouts import Layout, clocked, driver_slacks, laid_out
from tests.flow.physical.netlists import KIT, random_netlist

_FIELD = """
#include "electrostatics.h"
extern "C" void field(int side, double x, double y, double size, double* force) {
    physical::Electrostatics field(side, 2 * side, side, side);
    field.add_fixed(1, 3, 2, 5);
    field.set_sizes({size}, {size});
    field.evaluate(&x, &y, 1);
    force[0] = field.force_x[0], force[1] = field.force_y[0], force[2] = field.overflow;
}
extern "C" double power(double x) { return physical::exponential(x); }
"""


def faults(layout: Layout) -> list[str]:
    """Tell what is wrong with places, by marks on a map of all sites."""
    design, core = layout.netlist, layout.core
    taken = np.zeros((core.rows, core.sites), int)
    for cell in range(layout.fixed.count):
        first = layout.fixed.x[cell] // core.site_width
        last = (layout.fixed.x[cell] + layout.fixed.width[cell]) // core.site_width
        taken[layout.fixed.y[cell] // core.row_height, first:last] += 1
    found = []
    for cell, name in enumerate(design.names):
        if design.is_port[cell]:
            continue
        row, above = divmod(int(design.y[cell]), core.row_height)
        first, beside = divmod(int(design.x[cell]), core.site_width)
        last = first + int(design.width[cell]) // core.site_width
        if above or beside:
            found.append(f"{name} is off its site")
        elif row not in range(core.rows) or first < 0 or last > core.sites:
            found.append(f"{name} is outside")
        else:
            if design.orient[cell] not in ((N, FN), (FS, S))[row % 2]:
                found.append(f"{name} is upside down")
            taken[row, first:last] += 1
    return found + [f"{at} is taken twice" for at in np.argwhere(taken > 1).tolist()]


def placed(layout: Layout, seed: int = 1, period_ns: float = 1.0) -> bool:
    """Place cells without their ports, again with them, and on legal places."""
    space = equal_space(layout.netlist)
    with session(layout.netlist, KIT) as opened:
        opened.spread(layout.core, layout.fixed, seed, space)
        opened.spread(layout.core, layout.fixed, seed, space, period_ns)
        fits = opened.legalize(layout.core, layout.fixed)
        opened.shorten(layout.core, layout.fixed, opened.weights(period_ns))
        layout.netlist, _ = opened.read()
    return fits


def length(layout: Layout) -> float:
    with session(layout.netlist, KIT) as opened:
        return opened.time(1.0).wire_length


@pytest.fixture(scope="module")
def code():
    sources = read_sources(
        Path(embedded_session.__file__).parent, ("electrostatics.h", "fourier.h")
    )
    made = load("field-test", {**sources, "field.cpp": _FIELD})
    real = ctypes.c_double
    made.declare("field", None, ctypes.c_int, real, real, real, ctypes.c_void_p)
    made.declare("power", real, real)
    return made


def test_the_force_is_that_of_a_direct_sum(code):
    side, x, y, size = 16, 7.3, 12.9, 3.0
    force = np.empty(3)
    code.field(side, x, y, size, ctypes.c_void_p(force.ctypes.data))

    def covered(low, high, bins, step):
        edges = np.arange(bins + 1) * step
        return np.clip(np.minimum(edges[1:], high) - np.maximum(edges[:-1], low), 0, None)

    def area(x0, x1, y0, y1):
        return np.outer(covered(x0, x1, side, 1), covered(y0, y1, side, 2))

    own = area(x - size / 2, x + size / 2, y - size / 2, y + size / 2)
    fixed = area(1, 3, 3, 8)
    rho = (own + fixed) / 2
    k = np.arange(side)
    cosines = np.cos(np.pi * np.outer(k, 2 * k + 1) / (2 * side))
    sines = np.sin(np.pi * np.outer(k, 2 * k + 1) / (2 * side))
    norm = np.where(k > 0, 2, 1) / side
    a = np.outer(norm, norm) * (cosines @ rho @ cosines.T)
    u, v = np.pi * k[:, None] / side, np.pi * k[None] / (2 * side)
    square = u**2 + v**2
    square[0, 0] = 1
    a[0, 0] = 0
    fx = sines.T @ (a * u / square) @ cosines
    fy = cosines.T @ (a * v / square) @ sines
    assert force[:2] == pytest.approx([(own * fx).sum(), (own * fy).sum()], rel=1e-9)
    assert force[2] == pytest.approx(np.clip(own + fixed - 2, 0, None).sum())


def test_the_exponential_function(code):
    for x in np.linspace(-80, 0, 1001):
        assert code.power(x) == pytest.approx(np.exp(x), rel=1e-9)
    assert 0 <= code.power(-1e9) < 1e-300


@pytest.mark.parametrize("utilisation", [0.4, 0.7, 0.9])
def test_places_are_legal_and_wires_short(tmp_path, utilisation):
    layout = laid_out(random_netlist(400, 3), tmp_path, 3, utilisation)
    before = length(layout)
    assert placed(layout)
    assert not faults(layout)
    assert length(layout) < 0.75 * before


def test_planted_faults_are_found(tmp_path):
    layout = laid_out(random_netlist(100, 3), tmp_path)
    assert placed(layout)
    design, core = layout.netlist, layout.core
    kept = design.x.copy(), design.y.copy(), design.orient.copy()
    tap = int(layout.fixed.x[0]), int(layout.fixed.y[0])
    for name, x, y, fault in (
        ("half a site", kept[0][0] + core.site_width // 2, kept[1][0], "off its site"),
        ("half a row", kept[0][0], kept[1][0] + core.row_height // 2, "off its site"),
        ("overlap", kept[0][1], kept[1][1], "taken twice"),
        ("on a tap", *tap, "taken twice"),
        ("outside", core.width, kept[1][0], "outside"),
        ("below", kept[0][0], -core.row_height, "outside"),
    ):
        design.x[0], design.y[0] = x, y
        design.orient[0] = FS if y // core.row_height % 2 else N
        assert any(fault in line for line in faults(layout)), name
        design.x[0], design.y[0], design.orient[0] = (array[0] for array in kept)
    design.orient[0] = {N: FS, FN: S, FS: N, S: FN}[int(kept[2][0])]
    assert faults(layout) == [f"{design.names[0]} is upside down"]


def test_legal_places_are_near_the_given_ones(tmp_path):
    layout = laid_out(random_netlist(300, 5), tmp_path)
    own, core = ~layout.netlist.is_port, layout.core
    draw = np.random.default_rng(1)
    # Between sites and rows, and some cells on top of each other.
    layout.netlist.x[own] += draw.integers(-800, 800, own.sum(), np.int32)
    layout.netlist.x[:] = np.clip(layout.netlist.x, 0, core.width)
    before = layout.netlist.x.copy(), layout.netlist.y.copy()
    with session(layout.netlist, KIT) as opened:
        assert opened.legalize(core, layout.fixed)
        layout.netlist, _ = opened.read()
    assert not faults(layout)
    moved = abs(layout.netlist.x - before[0]) + abs(layout.netlist.y - before[1])
    assert moved[own].mean() < 2 * core.site_width


def test_cells_that_do_not_fit_are_told(tmp_path):
    layout = laid_out(random_netlist(200, 5), tmp_path, 0, 0.9)
    with session(layout.netlist, KIT) as opened:
        smaller = type(layout.core)(**{**vars(layout.core), "rows": layout.core.rows - 3})
        rows = layout.fixed.y < smaller.height
        names = ("kind", "x", "y", "orient")
        fixed = type(layout.fixed)(
            layout.fixed.kinds, *(getattr(layout.fixed, name)[rows] for name in names)
        )
        assert not opened.legalize(smaller, fixed)


def test_one_seed_gives_the_same_places_on_every_machine(tmp_path):
    layout = laid_out(clocked(40, 2, 3), tmp_path)
    places = []
    for seed in (1, 2):
        assert placed(layout, seed)
        design = layout.netlist
        arrays = (design.x, design.y, design.orient)
        places.append(hashlib.sha256(b"".join(x.tobytes() for x in arrays)).hexdigest())
    assert places[0] != places[1]
    assert places[0][:16] == "8b88bc8fa861489f"


def test_slow_nets_get_shorter(tmp_path):
    """What is slow at a short period has more weight than at a period without failing paths."""
    layout = laid_out(clocked(40, 2, 3), tmp_path)
    with session(layout.netlist, KIT) as opened:
        weights = opened.weights(0.2)
        slack = driver_slacks(opened, layout.netlist)
    known = np.isfinite(slack)
    order = np.argsort(slack[known], kind="stable")
    assert weights.min() == 1
    assert weights.max() == pytest.approx(4)
    assert (np.diff(weights[known][order]) <= 1e-12).all()
