"""`rsaxcel flow --picture`: refused options, written files."""

import xml.etree.ElementTree as ElementTree

import pytest

from rsaxcel.flow.errors import NoRoom
from tests.eval.placed_files import placed_files
from tests.flow.fake_tool import fake

ARGS = ["flow", "mulrem_r2l", "--nbits", "8", "--clock-ns", "4"]
PLACED = [*ARGS, "--stage", "placed", "--utilisation", "0.6"]


@pytest.mark.xdist_group("rsaxcel-flow")
def test_treemap_needs_no_places(shown, tmp_path):
    path = tmp_path / "x.svg"
    *_, last = shown(*ARGS, "--picture", path, "--picture-of", "areas").splitlines()
    assert last == f"written       {path}: treemap of the area by module"
    drawn = {x.get("id", "") for x in ElementTree.parse(path).getroot().iter()}
    assert {"area|", "area|core", "area|core.store"} <= drawn


@pytest.mark.xdist_group("rsaxcel-flow")
def test_a_layout_that_cannot_be_read_is_one_line(rsaxcel, monkeypatch, tmp_path):
    """The fake tool writes no DEF file."""
    fake(monkeypatch)
    finished = rsaxcel(*PLACED, "--picture", tmp_path / "x.svg")
    assert finished.status == 1
    assert finished.err.splitlines()[-1].startswith("rsaxcel: error: placed.def: no DEF file")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", ["capacity", "modules"])
def test_a_core_that_is_too_small_is_drawn(rsaxcel, tmp_path, monkeypatch, kind):
    _, files = placed_files(tmp_path)

    def run(*_args: object, **_options: object) -> None:
        error = NoRoom("wires of x: overflow: 2 tracks are lacking")
        error.files = files
        raise error

    monkeypatch.setattr("rsaxcel.flow.run.run_flow", run)
    path = tmp_path / "x.svg"
    finished = rsaxcel(*PLACED, "--picture", path, "--picture-of", kind)
    assert finished.status == 1
    told = f"; {path} shows where" if kind == "capacity" else ""
    assert finished.err.splitlines()[-1] == (
        f"rsaxcel: error: wires of x: overflow: 2 tracks are lacking{told}"
    )
    assert path.exists() == bool(told)
    if told:
        texts = " ".join(ElementTree.parse(path).getroot().itertext())
        assert "mulrem_r2l, 8 bits, placed" in texts
        assert "75 % of the tracks used, overflow 2" in texts
        assert "overflow in 2 cells of the grid" in texts


@pytest.mark.slow
@pytest.mark.xdist_group("rsaxcel-flow")
@pytest.mark.parametrize("kind", ["modules", "capacity", "clock", "energy", "glitches", "areas"])
def test_pictures_of_a_placed_circuit(shown, tmp_path, kind):
    path = tmp_path / "x.svg"
    more = ["--operation", "decrypt"] if kind in ("energy", "glitches") else []
    shown(*PLACED, "--picture", path, "--picture-of", kind, *more)
    texts = " ".join(ElementTree.parse(path).getroot().itertext())
    assert "mulrem_r2l, 8 bits, placed" in texts
    assert ("decrypt" in texts) == bool(more)
