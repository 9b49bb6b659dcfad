"""PDKs as they are installed: LibreLane's settings, names of files, and hostile settings."""

import os
from pathlib import Path
from shutil import which

import pytest

from rsaxcel.flow.pdk import read_pdk
from rsaxcel.store.errors import SetupError
from tests.shared.tables import each_row

CELLS = "sc"
CONFIG = Path(__file__).with_name("pdk_config.tcl").read_text("utf-8")
OWN = Path(__file__).with_name("pdk_cells.tcl").read_text("utf-8")


needs_tcl = pytest.mark.skipif(which("tclsh") is None, reason="tclsh is not installed")


@pytest.fixture
def pdk(tmp_path) -> Path:
    """Folder of a PDK with settings; its files are empty."""
    folder = tmp_path / "my130"
    reference = folder / "libs.ref" / CELLS
    for name in ("lib", "lef"):
        (reference / name).mkdir(parents=True)
    for name in ("lib/tt.lib", "lib/ss.lib", "lib/ff.lib", "lef/t.tlef", "lef/cells.lef"):
        (reference / name).touch()
    (reference / "tracks.info").write_text("met1 X 0.17 0.34\nmet1 Y 0.17 0.48\n")
    (reference / "no.cells").write_text("lp_*\n# too slow\nslow_1 # too slow\n")
    (folder / "pads.lib").touch()
    configure(folder, CONFIG, OWN)
    return folder


def configure(folder: Path, config: str, own: str = "") -> None:
    place = folder / "libs.tech" / "librelane"
    (place / CELLS).mkdir(parents=True, exist_ok=True)
    (place / "config.tcl").write_text(config)
    (place / CELLS / "config.tcl").write_text(own)


@needs_tcl
def test_settings_of_librelane(pdk):
    kit = read_pdk(pdk, "my130")
    assert kit.corners == {
        "slow": "libs.ref/sc/lib/ss.lib",
        "typical": "libs.ref/sc/lib/tt.lib",
        "fast": "libs.ref/sc/lib/ff.lib",
    }
    assert kit.lef == ("libs.ref/sc/lef/t.tlef", "libs.ref/sc/lef/cells.lef")
    assert (kit.driving_cell, kit.port_load_ff) == ("buf_4", 33.442)
    assert (kit.tie_high, kit.tie_low) == (("conb", "HI"), ("conb", "LO"))
    assert kit.unusable == ("lp_*", "slow_1")
    assert kit.tracks == {"met1": (0.17, 0.34, 0.17, 0.48)}
    assert kit.wires == {"met1": (2.5, pytest.approx(0.17))}
    assert (kit.uncertainty_ns, kit.derate) == (0.25, 0.05)
    assert (kit.tap_cell, kit.tap_interval_um) == ("tap", 13.0)


def test_without_settings_names_of_files_give_the_corners(pdk):
    for name in ("config.tcl", f"{CELLS}/config.tcl"):
        (pdk / "libs.tech" / "librelane" / name).unlink()
    kit = read_pdk(pdk, "my130")
    assert list(kit.corners) == ["slow", "typical", "fast"]
    assert kit.driving_cell is None  # left to guess
    library = pdk / "libs.ref" / CELLS / "lib"
    (library / "ss_2.lib").touch()
    with pytest.raises(SetupError, match=r"2 of the corners ff, ss, ss_2, tt are slow; a kit.toml"):
        read_pdk(pdk, "my130")
    for path in library.iterdir():
        path.unlink()
    with pytest.raises(SetupError, match="sc/lib has no Liberty file"):
        read_pdk(pdk, "my130")


def test_cells_are_named_if_there_are_several(pdk):
    (pdk / "libs.tech" / "librelane" / "config.tcl").unlink()
    (pdk / "libs.ref" / "sc_2" / "lib").mkdir(parents=True)
    with pytest.raises(SetupError, match="name one: my130/sc, my130/sc_2"):
        read_pdk(pdk, "my130")
    assert read_pdk(pdk, "my130", CELLS).corners
    with pytest.raises(SetupError, match="has no cells sc_3; it has sc, sc_2"):
        read_pdk(pdk, "my130", "sc_3")


@needs_tcl
@each_row(__file__, "settings", "text", "fault")
def test_wrong_and_hostile_settings_are_told_in_a_line(pdk, text, fault):
    configure(pdk, CONFIG, f"{OWN}\n{text}\n")
    if not fault:
        assert read_pdk(pdk, "my130").corners
        return
    with pytest.raises(SetupError, match=fault) as refusal:
        read_pdk(pdk, "my130")
    assert "\n" not in str(refusal.value)


@needs_tcl
def test_settings_of_openlane(pdk):
    """Older settings name each corner's file by a variable, and read others by `source`."""
    base = "$::env(PDK_ROOT)/$::env(PDK)/libs.ref/sc"
    place = pdk / "libs.tech" / "librelane"
    config = f"""
set ::env(STD_CELL_LIBRARY) sc
set ::env(TECH_LEF) "{base}/lef/t.tlef"
set ::env(CELLS_LEF) [glob "{base}/lef/*.lef"]
set ::env(TRACKS_INFO_FILE) "{base}/tracks.info"
source "$::env(PDK_ROOT)/$::env(PDK)/libs.tech/librelane/sc/config.tcl"
set ::env(GPIO) $::env(LIB_SLOWEST)
"""
    files = {"SYNTH": "tt", "FASTEST": "ff", "SLOWEST": "ss"}
    own = "".join(f'set ::env(LIB_{x}) "{base}/lib/{y}.lib"\n' for x, y in files.items())
    configure(pdk, config, own + 'set ::env(CTS_CLK_BUFFER_LIST) "clk_8 clk_4"\n')
    (place / "sc" / "config.tcl").rename(place / "other.tcl")
    (place / "config.tcl").write_text(config.replace("sc/config.tcl", "other.tcl"))
    kit = read_pdk(pdk, "my130")
    assert [Path(x).name for x in kit.corners.values()] == ["ss.lib", "tt.lib", "ff.lib"]
    assert kit.lef == ("libs.ref/sc/lef/t.tlef", "libs.ref/sc/lef/cells.lef")
    assert kit.clock_cells == ("clk_8", "clk_4")
    assert kit.tracks


@needs_tcl
def test_a_link_out_of_the_pdk_is_told(pdk, tmp_path):
    (tmp_path / "secret.lib").touch()
    slow = pdk / "libs.ref" / CELLS / "lib" / "ss.lib"
    slow.unlink()
    os.symlink(tmp_path / "secret.lib", slow)
    with pytest.raises(SetupError, match=r"ss\.lib lies outside of the PDK"):
        read_pdk(pdk, "my130")


@needs_tcl
def test_a_pdk_may_be_a_link(pdk, tmp_path):
    """Ciel links the version in use."""
    link = tmp_path / "root" / "my130"
    link.parent.mkdir()
    link.symlink_to(pdk)
    assert read_pdk(link, "my130").corners == read_pdk(pdk, "my130").corners
