"""`rsaxcel show`: every component with its widths, and areas after a flow."""

import json
import re
from xml.etree import ElementTree

import pytest
from pymtl3 import Component

from rsaxcel import catalog
from rsaxcel.cli.show import draw_hierarchy
from rsaxcel.proc.systems import find_system
from rsaxcel.sim.hierarchy import area_paths, hierarchy
from tests.shared.harness import configure, everything

SVG = "{http://www.w3.org/2000/svg}"
AREAS = {
    "core": 900.0,
    "core.store": 700.0,
    "core.store.lanes__0": 250.0,
    "core.store.lanes__1": 350.0,
}


def texts(path):
    return [element.text for element in ElementTree.parse(path).iter(f"{SVG}text")]


def parts(top):
    return [top, *(inner for part in top.parts for inner in parts(part))]


def components(top: Component) -> set[str]:
    return {".".join(repr(part).split(".")[1:]) for part in top.get_all_components()}


def test_hierarchy_with_widths(rsaxcel, here):
    finished = rsaxcel("show", "mulrem_r2l", "--nbits", 8)
    assert (finished.status, finished.err) == (0, "")
    assert finished.out.splitlines()[0].split() == ["written", "mulrem_r2l_8.svg"]
    assert "no result of the flow" in finished.out
    shown = texts("mulrem_r2l_8.svg")
    for text in ("mulrem_r2l_8", "ExponentiatorRTL", "core", "lanes[0..1] x 2", "divider x 2"):
        assert text in shown
    assert "in   recv {b:8 e:8 m:8 wide:1}" in shown
    assert "out  send {r:8 status:8}" in shown
    assert "out  product:16" in shown
    assert not any("um2" in text for text in shown)


def test_depth(rsaxcel, tmp_path):
    path = tmp_path / "top.svg"
    rsaxcel("show", "mulrem_r2l", "--nbits", 8, "--depth", 1, "--output", path)
    shown = texts(path)
    assert "core" in shown
    assert "sequencer" not in shown


def draw(tmp_path, areas):
    path = tmp_path / "drawn.svg"
    top = hierarchy(configure("mulrem_r2l", 8).component("rtl"), "x")
    path.write_text(draw_hierarchy(top, "title <&>", "a note", areas))
    return texts(path)


def test_areas_of_a_list_are_one_sum(tmp_path):
    shown = draw(tmp_path, {"": 1000.0, **area_paths(AREAS)})
    areas = [text for text in shown if "um2" in text]
    assert areas == [
        "1,000 um2 (100.0 %)",
        "900 um2 (90.0 %)",
        "700 um2 (70.0 %)",
        "600 um2 (60.0 %)",
    ]
    assert shown.index("lanes[0..1] x 2") < shown.index("600 um2 (60.0 %)")
    assert shown[0] == "title <&>"


@pytest.mark.quick_cases("mulrem_r2l")
@pytest.mark.parametrize("name", everything())
def test_every_component_is_in_one_row(name):
    nbits = next(n for n in catalog.find(name).widths if n >= 8)
    component = configure(name, nbits).component("rtl")
    top = hierarchy(component, name)
    paths = [path for part in parts(top) for path in part.paths]
    assert len(paths) == len(set(paths))
    assert set(paths) == components(component)
    for part in parts(top):
        assert not part.name.endswith("]") or ".." not in part.name or len(part.paths) > 1


@pytest.mark.slow
def test_system():
    component = find_system("axi_mulrem_r2l", 8).component()
    paths = [path for part in parts(hierarchy(component, "x")) for path in part.paths]
    assert sorted(paths) == sorted(components(component))


@pytest.mark.slow
@pytest.mark.xdist_group("rsaxcel-flow")
def test_areas_after_a_flow(rsaxcel, here):
    record = json.loads(rsaxcel("flow", "mulrem_r2l", "--nbits", 8, "--json").out)
    finished = rsaxcel("show", "mulrem_r2l", "--nbits", 8)
    assert "area after synthesis, freepdk-45nm, clock 3 ns" in finished.out
    shown = texts("mulrem_r2l_8.svg")
    assert "clock 3 ns; a component without an area is part of the one around it" in shown[-1]
    assert f"{record['area_um2']:,.0f} um2 (100.0 %)" in shown
    lanes = sum(a for path, a in record["area_by_module"].items() if re.search(r"lanes__\d$", path))
    share = 100 * lanes / record["area_um2"]
    assert f"{lanes:,.0f} um2 ({share:.1f} %)" in shown
    assert "no result" in rsaxcel("show", "mulrem_r2l", "--nbits", 8, "--clock-ns", 4).out


@pytest.mark.slow
@pytest.mark.xdist_group("rsaxcel-flow")
def test_areas_of_a_multiplier_and_its_parts(rsaxcel, here):
    record = json.loads(rsaxcel("flow", "ssmm", "--nbits", 4, "--activity", "zero", "--json").out)
    assert "area after synthesis" in rsaxcel("show", "ssmm", "--nbits", 4).out
    shown = texts("ssmm_4.svg")
    assert f"{record['area_um2']:,.0f} um2 (100.0 %)" in shown
    share = 100 * record["area_by_module"]["unit"] / record["area_um2"]
    assert any(text.endswith(f"um2 ({share:.1f} %)") for text in shown)
