"""Cores, taps and fillers: properties that each floorplan has."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.array_netlist import FN, FS, PORT_KINDS, ArrayNetlist, N, S
from rsaxcel.flow.physical.checks import check_placement
from rsaxcel.flow.physical.floorplan import (
    CoreArea,
    fill_gaps,
    fixed_cells,
    free_prefix,
    make_core,
    mirrored,
    row_orient,
    utilisation_of,
)
from rsaxcel.flow.physical.lef import geometry
from tests.flow.physical.netlists import KIT, random_netlist
from tests.flow.physical.placements import place

WITH_CAPS = replace(KIT, layout=replace(KIT.layout, end_cap_cell="FILLCELL_X4"))
CELLS = [kind for kind in geometry(KIT).kinds if kind.pins]


def cells_only(count: int, seed: int, widest: int = 100) -> ArrayNetlist:
    """Cells that are not connected, up to a number of sites wide."""
    some = [index for index, kind in enumerate(CELLS) if kind.width <= widest * 380]
    kind = np.random.default_rng(seed).choice(some, count).astype(np.int32)
    pins = sum(len(CELLS[index].pins) for index in kind)
    zeros = np.zeros(count, np.int32)
    names = [f"u{number}" for number in range(count)]
    nothing = np.full(pins, -1, np.int32)
    orient = np.zeros(count, np.uint8)
    kinds_ = (*CELLS, *PORT_KINDS)
    return ArrayNetlist("top", kinds_, names, [], kind, nothing, zeros, zeros.copy(), orient)


@pytest.mark.parametrize("kit", [KIT, WITH_CAPS], ids=["taps", "taps and end caps"])
@settings(max_examples=40, deadline=None)
@given(count=st.integers(1, 3000), utilisation=st.floats(0.3, 0.95), seed=st.integers(0, 2**32 - 1))
def test_the_core_has_the_utilisation_and_is_about_square(kit, count, utilisation, seed):
    design = cells_only(count, seed)
    core = make_core(design, kit, utilisation)
    fixed = fixed_cells(core, kit)
    assert utilisation_of(design, core, fixed) <= utilisation + 1e-9
    check_placement(replace_places(design, fixed, core), core, [fixed])
    if count >= 300:
        assert 0.8 < core.width / core.height < 1.25
        smaller = replace(core, sites=core.sites - 1)
        assert utilisation_of(design, smaller, fixed_cells(smaller, kit)) > utilisation


def replace_places(design, fixed, core):
    """The design without its cells: what is left to check are the fixed ones."""
    none = np.zeros(0, np.int32)
    return ArrayNetlist("top", design.kinds, [], [], none, none, none, none, none.astype(np.uint8))


@settings(max_examples=60, deadline=None)
@given(rows=st.integers(1, 60), sites=st.integers(40, 4000), caps=st.booleans())
@example(rows=2, sites=1894, caps=False)  # as many taps as just reach, and rounded apart
def test_taps_are_close_enough_and_staggered(rows, sites, caps):
    kit = WITH_CAPS if caps else KIT
    core = CoreArea(rows, sites, *geometry(kit).site)
    fixed = fixed_cells(core, kit)
    check_placement(replace_places(cells_only(1, 0), fixed, core), core, [fixed])
    tap = [kind.name for kind in fixed.kinds].index("WELLTAP_X1")
    interval = 120 * 2000
    by_row = [
        fixed.x[(fixed.kind == tap) & (fixed.y == row * core.row_height)] for row in range(rows)
    ]
    for own in by_row:
        assert len(own)
        assert np.all(np.diff(own) <= interval)
        assert own[0] <= 0.75 * interval + 380 * 6
        assert core.width - own[-1] <= 0.75 * interval + 380 * 6
    for one, two in pairwise(by_row):
        if core.width > 20000:
            assert not set(one) & set(two)
    if caps:
        ends = fixed.x[fixed.kind != tap]
        assert np.array_equal(np.sort(ends), np.repeat([0, core.width - 4 * 380], rows))


def test_rows_alternate():
    assert row_orient(np.arange(4)).tolist() == [N, FS, N, FS]
    assert mirrored(np.array([N, FS, S, FN])).tolist() == [FN, S, FS, N]


@settings(max_examples=15, deadline=None)
@given(count=st.integers(1, 400), seed=st.integers(0, 1000), utilisation=st.floats(0.4, 0.6))
def test_fillers_leave_no_gap(count, seed, utilisation):
    design = cells_only(count, seed, widest=12)
    core = make_core(design, KIT, utilisation)
    fixed = fixed_cells(core, KIT)
    place(design, core, fixed, seed)
    fillers = fill_gaps(design, core, KIT, fixed)
    check_placement(design, core, [fixed, fillers])
    assert utilisation_of(design, core, fixed) + fillers.area_um2 / core.area_um2 == (
        pytest.approx(1, abs=1e-12)
    )


def test_a_gap_that_no_filler_fits_is_told(tmp_path):
    kit = replace(KIT, layout=replace(KIT.layout, filler_cells=("FILLCELL_X4",)))
    design = random_netlist(30, 1).design(tmp_path)
    core = make_core(design, kit, 0.5)
    fixed = fixed_cells(core, kit)
    place(design, core, fixed)
    with pytest.raises(FlowError, match=r"^no filler cell fits the gap of 0\.\d+ um at x "):
        fill_gaps(design, core, kit, fixed)


def test_cells_that_fit_no_row_are_named(tmp_path):
    design = random_netlist(5, 1).design(tmp_path)
    used = design.kinds[design.kind[0]]
    high = tuple(replace(kind, height=5600) if kind == used else kind for kind in design.kinds)
    with pytest.raises(FlowError, match=f"cell {used.name} does not fit into a row of FreePDK45"):
        make_core(replace(design, kinds=high), KIT, 0.5)


def test_taps_that_take_all_space_are_told(tmp_path):
    kit = replace(KIT, layout=replace(KIT.layout, tap_interval_um=0.6))
    with pytest.raises(FlowError, match="taps and end caps leave no space in the core at utilis"):
        make_core(random_netlist(50, 1).design(tmp_path), kit, 0.5)


def test_names_of_added_cells_do_not_meet_others():
    assert free_prefix(["u1", "TAPE"], "TAP_") == "TAP_"
    assert free_prefix(["TAP_1", "TAP__1"], "TAP_") == "TAP___"
