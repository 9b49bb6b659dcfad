"""Cores in Verilog are handed in, checked and ranked beside designs."""

import json
from pathlib import Path

import pytest

from rsaxcel.cores import vhdl
from rsaxcel.course.rank import assess
from rsaxcel.course.rank.assess import Assessment, translated_core
from rsaxcel.course.rank.handed import find_handed
from rsaxcel.plan import protocols
from rsaxcel.store.tools import ToolError
from tests.cores.test_compositions import product
from tests.cores.test_described import make
from tests.cores.test_vhdl import VHDL
from tests.course.confinements import OPTIONS, limits
from tests.shared.planted import plant

LIMITS = limits()


def verdict(folder):
    (handed,) = find_handed([folder], LIMITS)
    return assess._verdict(handed, Assessment(8, 100, 7, LIMITS), lambda line: None)


def planted(folder, file, old, new):
    make(folder)
    plant(folder / file, (old, new))
    return folder


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("core.toml", "[protocol]", "[protocl]", "core/core.toml:17: key 'protocl' is unknown"),
        ("core.toml", "least = 2", "least = 16", "16 to 2048 bits allowed for skeleton"),
        ("core.toml", '"skeleton"', '"mulrem_r2l"', "there is one of this name already"),
        ("core.v", "skeleton_power #", "nothing #", "core/core.v:16: module nothing is missing"),
        ("core.v", "wire busy;", 'wire busy; initial $system("id");', "core.v:13: $system"),
        ("core.toml", '"*.v"', '"/etc/passwd"', "leads out of the folder"),
    ],
)
def test_a_core_that_cannot_be_read_is_told(tmp_path, file, old, new, told):
    found = verdict(planted(tmp_path / "core", file, old, new))
    assert found.kind == "broken"
    assert told in found.reason
    assert not found.cycles


def test_a_multiplier_is_a_part_of_a_design(tmp_path):
    (handed,) = find_handed([product(tmp_path / "core")], LIMITS)
    core = translated_core(handed, [8], LIMITS).circuits[8]
    assert (core.design_name, core.is_product) == ("own_mul", True)


def test_a_core_in_vhdl_is_no_verdict_without_ghdl(tmp_path, monkeypatch):
    """Such a verdict would stay when GHDL is there."""

    def missing(tool):
        raise ToolError(f"{tool.name} is missing")

    (handed,) = find_handed([VHDL], LIMITS)
    monkeypatch.setattr(vhdl, "program", missing)
    with pytest.raises(ToolError, match="GHDL is missing"):
        assess.assess(handed, Assessment(8, 100, 7, LIMITS))
    (other,) = find_handed([make(tmp_path / "core")], LIMITS)
    assert assess.assess(other, Assessment(8, 100, 7, LIMITS)) is None  # not yet checked


def test_verdicts_depend_on_the_reader_of_cores():
    for module in (vhdl, protocols):
        assert Path(module.__file__).parent in assess._SOURCES


@pytest.mark.slow  # compiled in a sandbox
def test_a_wrong_core_is_refused_with_its_replay(tmp_path):
    found = verdict(
        planted(tmp_path / "core", "power.v", "squares ? result : base_reg", "base_reg")
    )
    assert (found.kind, found.name) == ("wrong", "skeleton")
    assert f"RSAXCEL_DESIGNS={tmp_path / 'core'} rsaxcel sim skeleton " in found.replay


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_cores_are_ranked_with_designs(rsaxcel, here):
    cycles = ("[protocol]", 'cycles = "1"\n[protocol]')
    folders = make(here / "good"), make(here / "timed", changes=[cycles])
    (folders[0] / "core.v").write_text((folders[0] / "core.v").read_text() + "// TODO\n")
    how = "--nbits", 8, "--random", 100, "--activity", "zero", "--json", *OPTIONS
    told = rsaxcel("rank", *folders, *how)
    assert told.status == 1
    rows = {x["folder"]: x for x in map(json.loads, told.out.splitlines())}
    good, base, timed = (rows[x] for x in ("good", "mulrem_r2l", "timed"))
    assert (good["rank"], good["marks"], good["lacks"]) == (1, 9, ["TODO left: core.v:27"])
    assert (good["core_alone"], base["core_alone"]) == (True, False)
    assert {"area_um2", "energy_nj", "cycles"} <= good.keys() & base.keys()
    assert good["area_um2"] < base["area_um2"]
    assert timed["verdict"] == "cycles"
