"""What a ``kit.toml`` may look like, and what is said of a wrong one."""

import re
from pathlib import Path

import pytest

from rsaxcel.flow import libraries
from rsaxcel.flow.guesses import filled
from rsaxcel.flow.kit import Kit, PlacementSettings, read_kit_file, resolved
from rsaxcel.store.errors import SetupError
from tests.flow.flow_circuits import KIT
from tests.shared.tables import each_row

GROUP = "rsaxcel.kits"
WHOLE = Path(__file__).with_name("whole_kit.toml").read_text("utf-8")


def read(folder: Path, text: str = WHOLE) -> Kit:
    path = folder / "kit.toml"
    path.write_text(text)
    for name in ("cells.lib", "slow.lib", "fast.lib", "all.lef"):
        (folder / name).touch()
    given, _ = filled(read_kit_file(path), path, folder)
    return resolved(given, path, folder)


def test_a_whole_file_needs_no_library(tmp_path):
    kit = read(tmp_path)
    assert (kit.driving_cell, kit.port_load_ff) == ("INV_X2", 7.0)
    assert (kit.tie_high, kit.tie_low) == (None, ("LOGIC0_X1", "Z"))
    assert kit.liberty == tmp_path / "cells.lib"
    assert kit.unusable == ("LOGIC0_X1",)
    assert kit.layout == PlacementSettings()


THREE = WHOLE.replace("typical =", 'slow = "slow.lib", fast = "fast.lib", typical =')


def test_each_use_of_a_kit_has_its_corner(tmp_path):
    kit = read(tmp_path, THREE)
    assert (kit.setup, kit.hold, kit.power) == ("slow", "fast", "typical")
    assert kit.liberty == tmp_path / "cells.lib"
    assert kit.at(kit.setup).liberty == tmp_path / "slow.lib"
    other = read(tmp_path, THREE + 'setup = "typical"\n')
    assert other.at(other.setup).liberty == tmp_path / "cells.lib"
    with pytest.raises(ValueError, match=r"^corner=cold: slow, fast, typical are allowed$"):
        kit.at("cold")


def test_a_kit_is_written_whole_and_read_again(tmp_path):
    kit = read(tmp_path, THREE.replace("lef = []", 'lef = ["all.lef"]'))
    folder = tmp_path / "written"
    folder.mkdir()
    kit.write(folder)
    again = Kit.read(folder)
    assert again.digest == kit.digest
    assert (again.setup, again.layout.mesh_layers) == ("slow", None)
    assert again.layout.lef[0].parent == folder
    before = kit.digest
    (tmp_path / "fast.lib").write_text("other")
    assert kit.digest != before


def test_gaps_are_filled_from_the_files(tmp_path):
    """Cells of NanGate, of which nothing is said."""
    (tmp_path / "kit.toml").write_text(
        f'corners = {{ typical = "{KIT.liberty}" }}\nlef = {[*map(str, KIT.layout.lef)]}\n'
        'unusable = ["CLKBUF*"]\n'
    )
    library = str(tmp_path)
    kit = libraries.find_kit(library)
    assert kit.tie_high == KIT.tie_high
    assert kit.tie_low == KIT.tie_low
    assert {*kit.layout.filler_cells} == {*KIT.layout.filler_cells}
    assert kit.layout.tap_cell == KIT.layout.tap_cell
    assert kit.layout.antenna_cell == KIT.layout.antenna_cell
    assert kit.layout.mesh_layers == KIT.layout.mesh_layers
    assert kit.driving_cell == "BUF_X2"
    # four INV_X1, of which an input takes 1.7 fF; an INV_X4 was chosen by hand
    assert kit.port_load_ff == pytest.approx(KIT.port_load_ff, rel=0.05)
    assert kit.sequencing_ns == pytest.approx(KIT.sequencing_ns, rel=0.05)
    assert any(x.startswith("driving_cell = BUF_X2") for x in libraries.guesses(library))


def test_the_example_of_the_page_is_a_kit(tmp_path):
    page = (Path(__file__).parents[2] / "docs/how-to/cell-library.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"^```toml\n(.*?)^```", page, re.M | re.S)
    kit = read(tmp_path, text)
    assert kit.driving_cell == "INVX2"
    assert [name for name, _ in kit.corners] == ["slow", "typical", "fast"]


@each_row(__file__, "wrong", "old", "new", "fault")
def test_a_wrong_file_is_told_in_a_line(tmp_path, old, new, fault):
    assert old in WHOLE
    text = WHOLE.replace(old, new, 1)
    if not fault:  # the only corner has each role, whatever its name
        assert read(tmp_path, text).setup == "cold"
        return
    with pytest.raises(SetupError, match=fault) as refusal:
        read(tmp_path, text)
    assert "\n" not in str(refusal.value)
    assert str(tmp_path) in str(refusal.value)


def test_a_file_that_cannot_be_read_is_told(tmp_path):
    (tmp_path / "kit.toml").write_bytes(b'name = "\xff"')
    with pytest.raises(SetupError, match=r"kit\.toml is not a text in UTF-8"):
        read_kit_file(tmp_path / "kit.toml")
    with pytest.raises(SetupError, match=r"none\.toml: No such file"):
        read_kit_file(tmp_path / "none.toml")


def test_unknown_libraries_are_told(monkeypatch, tmp_path):
    monkeypatch.setenv("PDK_ROOT", str(tmp_path))
    (tmp_path / "mine" / "libs.ref").mkdir(parents=True)
    with pytest.raises(
        ValueError, match=r"^library=other: no kit, and no PDK in \S+; freepdk-45nm, osu018, mine "
    ):
        libraries.check_library("other")
    with pytest.raises(ValueError, match=r"^library=/absent"):
        libraries.check_library("/absent")
    libraries.check_library("mine/cells@slow")


def test_a_package_offers_a_kit(tmp_path, monkeypatch):
    folder = tmp_path / "cells"
    folder.mkdir()
    read(folder)

    class Point:
        name = "offered"

        def load(self):
            return lambda: folder

    monkeypatch.setattr(libraries, "entry_points", lambda group: [Point()] * (group == GROUP))
    libraries._offered.cache_clear()
    try:
        assert "offered" in libraries.known_libraries()
        assert libraries.find_kit("offered").liberty == folder / "cells.lib"
    finally:
        libraries._offered.cache_clear()
