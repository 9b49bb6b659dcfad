"""A kit with a fault is refused with one line, before the flow starts."""

import gzip
import json
import re
from pathlib import Path

import pytest

from rsaxcel.flow import kit_check
from rsaxcel.flow.kit import Kit, read_kit_file, resolved
from rsaxcel.flow.kit_check import check_kit
from rsaxcel.flow.libraries import plain_kit
from rsaxcel.store.errors import SetupError
from tests.flow.few_cells import liberty
from tests.flow.flow_circuits import STREAMS, synthesized
from tests.shared.tables import each_row

SETTINGS = Path(__file__).with_name("few_cells_kit.toml").read_text("utf-8")
FUNCTION = r'function\s*: "[^"]*";'


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Make a kit of texts."""
    monkeypatch.setenv("RSAXCEL_CACHE", str(tmp_path / "cache"))

    def make(cells: str, settings: str = SETTINGS) -> Kit:
        path = tmp_path / "kit.toml"
        path.write_text(settings)
        (tmp_path / "stdcells.lib").write_text(cells)
        return resolved(read_kit_file(path), path, tmp_path)

    return make


def told(kit: Kit) -> str:
    with pytest.raises(SetupError) as refusal:
        check_kit(kit)
    assert "\n" not in str(refusal.value)
    return str(refusal.value)


def test_a_whole_kit_is_read_once(made, monkeypatch):
    kit = made(liberty())
    check_kit(kit)
    monkeypatch.setattr(kit_check, "kept_library", lambda path: 1 / 0)
    check_kit(kit)
    with pytest.raises(ZeroDivisionError):
        check_kit(made(liberty() + " "))


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("INV_X2", "INV_X9", "driving_cell is INV_X9, and there is no such cell in "),
        ("LOGIC1_X1", "TIE1", "tie_high is TIE1, and there is no such cell in "),
        ('X1", "Z"', 'X1", "Y"', "tie_high has the port Y, which is no output of LOGIC1_X1"),
        ("LOGIC0", "LOGIC1", "tie_low is LOGIC1_X1, but the function of its Z is not 0"),
    ],
)
def test_a_wrong_setting_is_told(made, old, new, fault):
    kit = made(liberty(), SETTINGS.replace(old, new))
    assert told(kit).startswith(f"{kit.file}: {fault}")


@each_row(__file__, "cells", "cell", "pattern", "text", "fault")
def test_a_wrong_cell_is_told(made, cell, pattern, text, fault):
    kit = made(liberty(cell, pattern, text))
    assert re.match(re.escape(f"{kit.liberty}: ") + fault, told(kit))


def test_missing_inverters_and_functions_of_tie_cells_are_told(made):
    buffers = re.sub(r'function\s*: "!A";', 'function : "A";', liberty())
    assert told(made(buffers)).endswith("none of the usable cells is an inverter")
    kit = made(liberty("LOGIC1_X1", FUNCTION, ""))
    assert told(kit).endswith("LOGIC1_X1, but the function of its Z is not 1")


def test_a_file_without_unit_or_conditions_is_told(made):
    kit = made(liberty().replace("capacitive_load_unit", "other_unit"))
    assert told(kit).endswith("library(NangateOpenCellLibrary): capacitive_load_unit is missing")
    kit = made(liberty().replace("default_operating_conditions", "other_conditions"))
    assert told(kit) == f"{kit.liberty} does not state its operating conditions"


def test_what_is_no_liberty_file_is_told(made):
    text = liberty()
    kit = made(text.replace("cell (BUF_X1)", "cell BUF_X1"))
    line = text[: text.index("cell (BUF_X1")].count("\n") + 1
    expected = "expected ':' or '(' after cell, found 'BUF_X1'"
    assert told(kit) == f"{kit.liberty}, line {line}: {expected}"
    kit.liberty.write_bytes(gzip.compress(text.encode()))
    assert told(kit) == f"{kit.liberty}: compressed by gzip; the flow needs the unpacked file"


@pytest.mark.parametrize(("after", "what"), [("  cell (BUF_X1) {", "group"), (': "', "string")])
def test_a_cut_file_is_told(made, after, what):
    text = liberty()
    cut = text[: text.index(after) + len(after)]
    kit = made(f"{cut}\n")
    reason = f"line {cut.count(chr(10)) + 1}: the {what} that begins here does not end"
    assert told(kit) == f"{kit.liberty}, {reason}; is the file cut?"


def test_the_flow_checks_its_kit(made):
    kit = made(liberty("INV_X1", r"area\s*:[^;]*;", ""))
    with pytest.raises(SetupError, match="the cell INV_X1 has no area"):
        plain_kit(str(kit.file.parent))


def test_the_corners_of_a_kit_have_the_same_cells(made, tmp_path):
    (tmp_path / "slow.lib").write_text(liberty().replace("NAND2_X1", "NAND2_X3"))
    two = 'typical = "stdcells.lib", slow = "slow.lib", fast = "stdcells.lib"'
    kit = made(liberty(), SETTINGS.replace('typical = "stdcells.lib"', two))
    assert told(kit) == (
        f"{tmp_path}/slow.lib: the corners of {tmp_path.name} have different cells, such as "
        "NAND2_X1"
    )


def test_flip_flops_are_named_whatever_their_output_is_called(made, tmp_path):
    kit = made(liberty("DFF_X1", r"\bQ\b", "OUT"))
    check_kit(kit)
    synthesized(STREAMS.replace("{valid}", "full_reg"), "unit", tmp_path, 3.0, kit)
    cells = json.loads((tmp_path / "netlist.json").read_text())["modules"]["unit"]["cells"]
    named = {name for name, cell in cells.items() if cell["type"] == "DFF_X1"}
    assert named == {"full_reg_ff", *(f"value_reg[{i}]_ff" for i in range(4))}
