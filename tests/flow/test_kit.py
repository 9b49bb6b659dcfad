"""What an ``adk.tcl`` may look like, and what is said of a wrong one."""

import re
from pathlib import Path

import pytest

from flow import kit as kits
from flow.errors import FlowError
from flow.kit import Kit, Rules

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


@pytest.mark.parametrize("load", ["7fF", "nan", "-1"])
def test_a_load_that_is_no_number_is_told(folder, load):
    settings = folder / "adk.tcl"
    settings.write_text(SETTINGS.replace("LOAD 7;", f"LOAD {load};"))
    with pytest.raises(FlowError, match=rf"adk\.tcl: ADK_TYPICAL_ON_CHIP_LOAD is {load}, and must"):
        Kit.read(folder, "third")


def test_a_missing_liberty_file_without_a_package_is_named(folder):
    (folder / "stdcells.lib").unlink()
    with pytest.raises(FlowError) as refusal:
        Kit.read(folder, "third")
    assert str(refusal.value).startswith(f"{folder}/stdcells.lib: no such file; it must hold")
    assert "make setup" not in str(refusal.value)


def test_a_missing_folder_without_a_package_is_named(folder):
    with pytest.raises(FlowError, match="kits/third: there is no such folder"):
        kits.kit_folder("third")
