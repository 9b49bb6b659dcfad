"""Space in global placement: more where wires crowd, and never more than the core has."""

import numpy as np
import pytest

from rsaxcel.flow.physical.embedded.capacity import Congestion
from rsaxcel.flow.physical.embedded.session import session
from rsaxcel.flow.physical.embedded.tool import equal_space, space_for_wires
from tests.flow.physical.layouts import laid_out
from tests.flow.physical.netlists import KIT, random_netlist

ROWS, COLUMNS = 12, 20
EQUAL = 1 / 0.9


def routed(used: np.ndarray) -> Congestion:
    """A route whose edges use a share of ten tracks each."""
    tracks = np.full(used.shape, 10.0)
    right, above = tracks.copy(), tracks.copy()
    right[:, -1], above[-1] = 0, 0
    return Congestion(used * right, 0.1 * above, right, above, 0.0, 0)


@pytest.fixture
def layout(tmp_path):
    return laid_out(random_netlist(300, 1), tmp_path, utilisation=0.5)


def side(layout) -> np.ndarray:
    """Whether each cell lies in the left half of the core, away from the middle; or right."""
    place = (layout.netlist.x + layout.netlist.width / 2) / layout.core.width
    return np.where(place < 0.35, -1, np.where(place > 0.65, 1, 0))


def test_cells_get_space_where_wires_crowd(layout):
    used = np.full((ROWS, COLUMNS), 0.5)
    used[:, : COLUMNS // 2] = 1.2
    space = space_for_wires(layout.netlist, layout.core, equal_space(layout.netlist), routed(used))
    assert space[side(layout) == 1] == pytest.approx(EQUAL)
    assert space[side(layout) == -1] == pytest.approx(EQUAL * (1.2 / 0.9) ** 1.5)
    # Where there is room again, space is taken back, but not below the equal one.
    after = space_for_wires(layout.netlist, layout.core, space, routed(np.full_like(used, 0.1)))
    assert (after < space)[side(layout) == -1].all()
    assert (after >= EQUAL - 1e-9).all()


def test_the_space_of_all_cells_fits_into_the_core(layout):
    design, core = layout.netlist, layout.core
    space = equal_space(design)
    for _ in range(5):
        space = space_for_wires(design, core, space, routed(np.full((ROWS, COLUMNS), 2.0)))
    area = design.width.astype(float) * design.height
    assert area @ space / (float(core.width) * core.height) == pytest.approx(0.95)


def test_a_core_of_one_square_has_no_wires_to_give_way_to(layout):
    space = space_for_wires(
        layout.netlist, layout.core, equal_space(layout.netlist), routed(np.ones((1, 1)))
    )
    assert space == pytest.approx(EQUAL)


def test_space_moves_cells_apart(layout):
    """Cells with five times the space of others stand in places that are less dense."""
    wide = np.arange(layout.netlist.count) % 2 == 0
    spread = []
    for space in (np.full(layout.netlist.count, 1.0), np.where(wide, 3.0, 1.0)):
        with session(layout.netlist, KIT) as opened:
            opened.spread(layout.core, layout.fixed, 1, space)
            layout.netlist, _ = opened.read()
        own = ~layout.netlist.is_port
        spread.append(np.std(layout.netlist.x[own]) + np.std(layout.netlist.y[own]))
    assert spread[1] > 1.1 * spread[0]
