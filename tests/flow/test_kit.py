"""What an ``adk.tcl`` may look like, and what is said of a wrong one."""

import re
from pathlib import Path

import pytest

from rsaxcel.flow import kit as kits
from rsaxcel.flow.kit import Kit, PlacementSettings, Rules
from rsaxcel.store.errors import SetupError

SETTINGS = """
# set ADK_DRIVING_CELL "COMMENT"
set ADK_DRIVING_CELL "INV_X2" ;# what drives an input
set ADK_TYPICAL_ON_CHIP_LOAD 7; # in fF
  set ADK_TIE_HI_CELL ""
set ADK_TIE_HI_PORT "" ;
set ADK_TIE_LO_CELL {low}
set ADK_TIE_LO_PORT Z
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Folder of a kit whose entry is as short as can be."""
    monkeypatch.setitem(kits._RULES, "third", Rules(sequencing_ns=0.2))
    (tmp_path / "adk.tcl").write_text(SETTINGS.replace("{low}", "LOGIC0_X1"))
    (tmp_path / "stdcells.lib").touch()
    return tmp_path


def test_a_short_entry_and_comments_after_values(folder):
    kit = Kit.read(folder, "third")
    assert (kit.driving_cell, kit.port_load) == ("INV_X2", 7.0)
    assert (kit.tie_high, kit.tie_low) == (None, ("LOGIC0_X1", "Z"))
    assert kit.liberty == folder / "stdcells.lib"
    assert kit.unusable == ("LOGIC0_X1",)


def test_a_relative_liberty_file_is_beside_the_settings(folder):
    (folder / "cells").mkdir()
    (folder / "stdcells.lib").rename(folder / "cells" / "typical.lib")
    with (folder / "adk.tcl").open("a") as file:
        file.write('set ADK_LIBERTY "cells/typical.lib"\n')
    assert Kit.read(folder, "third").liberty == folder / "cells" / "typical.lib"


def test_the_example_of_the_page_is_a_kit(folder, monkeypatch):
    page = (Path(__file__).parents[2] / "docs" / "cell-libraries.md").read_text(encoding="utf-8")
    blocks = dict(re.findall(r"^```(\w+)\n(.*?)^```", page, re.M | re.S))
    entry = eval(f"{{{blocks['python']}}}", {"Rules": Rules})
    monkeypatch.setitem(kits._RULES, *entry, *entry.values())
    (folder / "adk.tcl").write_text(blocks["tcl"])
    kit = Kit.read(folder, *entry)
    assert (kit.driving_cell, kit.port_load) == ("INVX2", 0.012)
    assert kit.tie_low == ("TIELO", "Y")


LAYOUT = """
set ADK_FILLER_CELLS \\
  "FILL_X4 \\
   FILL_X1"
set ADK_WELL_TAP_CELL     "TAP"
set ADK_WELL_TAP_INTERVAL 120
set ADK_END_CAP_CELL ""
set ADK_ANTENNA_CELL "DIODE"
set ADK_POWER_MESH_BOT_LAYER 8
set ADK_POWER_MESH_TOP_LAYER 9
"""


def add(folder, text: str) -> Kit:
    with (folder / "adk.tcl").open("a") as file:
        file.write(text)
    return Kit.read(folder, "third")


def test_settings_of_placement_are_optional(folder):
    assert Kit.read(folder, "third").layout == PlacementSettings()
    assert Kit.read(folder, "third").name == "third"


def test_settings_of_placement(folder):
    for name in ("rtk-tech.lef", "stdcells.lef"):
        (folder / name).write_text(name)
    kit = add(folder, LAYOUT)
    assert kit.layout == PlacementSettings(
        lef=(folder / "rtk-tech.lef", folder / "stdcells.lef"),
        tap_cell="TAP",
        tap_interval_um=120.0,
        filler_cells=("FILL_X4", "FILL_X1"),
        antenna_cell="DIODE",
        mesh_layers=(8, 9),
    )
    before = kit.digest, kit.layout_digest
    (folder / "stdcells.lef").write_text("other")
    assert kit.digest == before[0]
    assert kit.layout_digest != before[1]


def test_lef_files_of_other_names(folder):
    (folder / "all.lef").touch()
    assert add(folder, "set ADK_LEF all.lef\n").layout.lef == (folder / "all.lef",)
    assert add(folder, 'set ADK_LEF "all.lef none.lef"\n').layout.lef == ()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("set ADK_WELL_TAP_CELL TAP\n", "does not set ADK_WELL_TAP_INTERVAL"),
        (
            LAYOUT.replace("INTERVAL 120", "INTERVAL wide"),
            "ADK_WELL_TAP_INTERVAL is wide, and must be a number, in um",
        ),
        (LAYOUT.replace("LAYER 8", "LAYER M8"), "a layer of ADK_POWER_MESH is M8, and must be a"),
    ],
)
def test_wrong_settings_of_placement_are_told(folder, text, fault):
    with pytest.raises(SetupError, match=rf"adk\.tcl:? {fault}"):
        add(folder, text)


@pytest.mark.parametrize("load", ["7fF", "nan", "-1"])
def test_a_load_that_is_no_number_is_told(folder, load):
    settings = folder / "adk.tcl"
    settings.write_text(SETTINGS.replace("LOAD 7;", f"LOAD {load};"))
    with pytest.raises(
        SetupError, match=rf"adk\.tcl: ADK_TYPICAL_ON_CHIP_LOAD is {load}, and must"
    ):
        Kit.read(folder, "third")


def test_a_missing_liberty_file_without_a_package_is_named(folder):
    (folder / "stdcells.lib").unlink()
    with pytest.raises(SetupError) as refusal:
        Kit.read(folder, "third")
    assert str(refusal.value).startswith(f"{folder}/stdcells.lib: no such file; it must hold")
    assert "make setup" not in str(refusal.value)


def test_a_missing_folder_without_a_package_is_named(folder):
    with pytest.raises(SetupError, match="kits/third: there is no such folder"):
        kits.kit_folder("third")
