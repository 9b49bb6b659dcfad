"""Open PDKs for tests, laid out as their installations: ``../shared/pdk``, or ``RSAXCEL_PDK``."""

import os
from pathlib import Path

import pytest
from msgspec import structs

from rsaxcel.flow.guesses import filled
from rsaxcel.flow.kit import Kit, resolved
from rsaxcel.flow.pdk import read_pdk

FOLDER = Path(os.environ.get("RSAXCEL_PDK", Path(__file__).resolve().parents[3] / "shared" / "pdk"))
IHP_CELLS = FOLDER / "ihp-sg13g2" / "libs.ref" / "sg13g2_stdcell"


def ihp_kit(corner: str = "typical") -> Kit:
    """Kit of IHP's SG13G2 at a corner; skips the module where there is no such PDK."""
    folder = IHP_CELLS.parents[1]
    if not folder.exists():
        pytest.skip(f"no {folder.name}: set RSAXCEL_PDK", allow_module_level=True)
    given, _ = filled(read_pdk(folder, folder.name), folder, folder)
    # as LibreLane's settings have them
    own = {"driving_cell": "sg13g2_buf_4", "port_load_ff": 6.0, "unusable": ("sg13g2_dfrbp_2",)}
    return resolved(structs.replace(given, **own), folder, folder).at(corner)
