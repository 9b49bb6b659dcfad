"""Legal placements without a placer, and designs to place."""

import numpy as np

from rsaxcel.flow.physical.array_netlist import FN, FS, ArrayNetlist, N, S
from rsaxcel.flow.physical.floorplan import CoreArea, PhysicalCells


def place(design: ArrayNetlist, core: CoreArea, fixed: PhysicalCells, seed: int = 0) -> None:
    """Place instances legally: shuffled, in the rows, with gaps, around fixed cells."""
    rng = np.random.default_rng(seed)
    cells = rng.permutation(np.flatnonzero(~design.is_port)).tolist()
    widths = design.width.tolist()
    slack = core.rows * core.sites * core.site_width - sum(widths) - int(fixed.width.sum())
    gap = max(0, slack // max(1, 3 * len(cells)) // core.site_width)
    rest = list(reversed(cells))
    for row in range(core.rows):
        up = row * core.row_height
        own = fixed.y == up
        walls = sorted(zip(fixed.x[own].tolist(), fixed.width[own].tolist(), strict=True))
        at = 0
        for wall, width in [*walls, (core.width, 0)]:
            while rest and at + widths[rest[-1]] <= wall:
                cell = rest.pop()
                design.x[cell], design.y[cell] = at, up
                flip = rng.integers(2)
                design.orient[cell] = ((N, FN), (FS, S))[row % 2][flip]
                at += widths[cell] + int(rng.integers(gap + 1)) * core.site_width
            at = wall + width
    assert not rest, "the rows are full"
