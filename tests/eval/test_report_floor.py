"""Placed circuits in the page: data of the cards, and drawings beside the document's."""

import re

import pytest

from rsaxcel.eval.facts.areas import labels_of, role_of
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.report.cards import placed_anatomy, placed_circuits
from rsaxcel.eval.report.layouts import draw_layouts
from rsaxcel.eval.report.spec import Column, Layouts
from rsaxcel.flow.files import write_json
from rsaxcel.flow.runner import KNOWN
from rsaxcel.store.folders import keep
from tests.eval.placed_files import placed_files
from tests.shared.tables import each_row

COLUMNS = [Column(name, {"subject": name}) for name in ("small", "absent")]
BLOCK = Layouts("k", "Placed", "Cells.", COLUMNS, {"nbits": 8})


@pytest.fixture(scope="module")
def placed(tmp_path_factory):
    from rsaxcel.eval.pictures.placed import Placed

    return Placed(*placed_files(tmp_path_factory.mktemp("placed")))


def fact(stage: str) -> Fact:
    about = {"library": "freepdk-45nm", "stage": stage, "provenance": "hash"}
    return Fact("small", "core_area_um2", 90.0, "measured", 8, **about)


def test_placed_circuits_are_drawn_side_by_side(placed, tmp_path):
    found = draw_layouts(BLOCK, Facts([fact("placed")]), lambda key: placed, tmp_path)
    assert (tmp_path / "k.png").stat().st_size > 5000
    said = re.findall(r'<g class="mark" data-series="small"><title>small: (.*?)</title>', found.svg)
    assert said == [f"all else {placed.record.area_um2:,.0f} µm²", "critical path, 0.75 ns"]
    assert found.svg.count("<image") == 1
    assert ">path 0.75 ns</text>" in found.svg


def test_nothing_is_drawn_without_a_placed_record(placed, tmp_path):
    facts = Facts([fact("synthesized")])
    assert draw_layouts(BLOCK, facts, lambda key: placed, tmp_path) is None
    assert draw_layouts(BLOCK, Facts([fact("placed")]), lambda key: None, tmp_path) is None
    assert not list(tmp_path.iterdir())


@each_row(__file__, "roles", "path", "role")
def test_roles_of_instances(path, role):
    assert role_of(path, labels_of("proc_mont_r2l", 32, {})) == role


def test_a_card_has_what_is_known_of_a_placed_circuit(placed, tmp_path):
    found = placed_anatomy(tmp_path, placed)
    assert found.cells == {"XOR2_X1": 8, "DFF_X1": 3, "CLKBUF_X3": 1, "CLKGATE_X1": 1}
    assert set(found.links) >= {"places", "clock tree", "record"}
    assert found.floor["groups"]
    assert found.floor["maps"]["energy"]["operation"] == "encrypt"


def test_files_are_found_by_the_hash_of_the_record(tmp_path):
    """A run's folder names the results of its nodes; a record without them has no picture."""
    flows = tmp_path / "flow"
    made = []
    name = "placed-record-top_8-abc"
    keep(flows / "stages", name, lambda folder: made.append(placed_files(folder)[0]))
    (record,) = made
    run = flows / "top_8-1"
    run.mkdir()
    job = {"design": "top", "nbits": 8, "params": {}, "name": "top_8", "results": "stages"}
    write_json(run / "job.json", job)
    write_json(run / KNOWN, {"placed-record": "abc"})
    load = placed_circuits(flows)
    assert load("other abc").record.hash == record.hash
    assert load("other") is None
    assert placed_circuits(tmp_path / "missing")("abc") is None
    write_json(run / KNOWN, {"placed-record": "abc", "wires": "gone"})
    assert placed_circuits(flows)("abc") is None
