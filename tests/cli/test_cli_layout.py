"""`rsaxcel flow --stage`: options of placement, the record of a placed circuit as text and JSON."""

import pytest

from rsaxcel.cli.flow import describe
from tests.eval.test_placed_facts import placed, synthesized
from tests.flow.fake_tool import fake

ARGS = ["flow", "mulrem_r2l", "--nbits", "8", "--clock-ns", "4"]
PLACED = [*ARGS, "--stage", "placed", "--utilisation", "0.6"]


def test_the_text_tells_the_layout():
    text = "\n".join(describe(placed()))
    for part in (
        "typical), placed, with clock tree and wires",
        "core          1,000.0 um2 at a utilisation of 0.72; 2.5 mm of wires, overflow 0",
        "clock tree    5 buffers, 40.0 um2 with clock gates; latency up to 0.100 ns, skew 0.020 ns",
        "checks        hold slack 0.010 ns with 2 buffers; slews and loads allowed",
        "placed by     embedded, seed 1",
    ):
        assert part in text
    assert "core  " not in "\n".join(describe(synthesized()))


@pytest.mark.xdist_group("rsaxcel-flow")
def test_a_placed_record_stands_beside_the_synthesized_one(objects, monkeypatch):
    fake(monkeypatch)
    (bare,), (record,) = objects(*ARGS), objects(*PLACED)
    assert (bare["stage"], record["stage"]) == ("synthesized", "placed")
    assert record["core_area_um2"] > record["area_um2"] > bare["area_um2"]
    asked = "results", "mulrem_r2l", "--nbits", "8", "--where", "clock_ns=4"
    found = {row["stage"]: row["provenance"] for row in objects(*asked)}
    assert found == {"synthesized": bare["hash"], "placed": record["hash"]}


@pytest.mark.xdist_group("rsaxcel-flow")
def test_waves_are_those_of_the_placed_netlist(shown, monkeypatch, tmp_path):
    fake(monkeypatch)
    vcd = tmp_path / "placed.vcd"
    assert "4 cycles" in shown(*PLACED, "--vcd", vcd, "--cycles", "0:3")
    assert "clk_tree" in vcd.read_text()
