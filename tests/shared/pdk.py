"""Open PDKs for tests, laid out as their installations: ``../shared/pdk``, or ``RSAXCEL_PDK``."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from rsaxcel.flow.kit import Kit, PlacementSettings, Rules, find_kit

FOLDER = Path(os.environ.get("RSAXCEL_PDK", Path(__file__).resolve().parents[3] / "shared" / "pdk"))
IHP_CELLS = FOLDER / "ihp-sg13g2" / "libs.ref" / "sg13g2_stdcell"
IHP_CORNERS = {"slow": "slow_1p08V_125C", "typical": "typ_1p20V_25C", "fast": "fast_1p32V_m40C"}


def ihp_kit(corner: str = "typical") -> Kit:
    """Kit of IHP's SG13G2 at a corner; skips the module where there is no such PDK."""
    liberty = IHP_CELLS / "lib" / f"sg13g2_stdcell_{IHP_CORNERS[corner]}.lib"
    if not liberty.exists():
        pytest.skip(f"no {liberty.name}: set RSAXCEL_PDK", allow_module_level=True)
    lef = tuple(IHP_CELLS / "lef" / f"sg13g2_{name}.lef" for name in ("tech", "stdcell"))
    return replace(
        find_kit("freepdk-45nm"),
        liberty=liberty,
        name="ihp-sg13g2",
        driving_cell="sg13g2_buf_4",
        port_load=0.006,
        tie_high=("sg13g2_tiehi", "L_HI"),
        tie_low=("sg13g2_tielo", "L_LO"),
        rules=Rules(sequencing_ns=0.4, unusable=("sg13g2_dfrbp_2",)),
        layout=PlacementSettings(
            lef=lef,
            filler_cells=tuple(f"sg13g2_fill_{n}" for n in (8, 4, 2, 1)),
            mesh_layers=(6, 7),
        ),
    )
