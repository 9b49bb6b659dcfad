"""Findings of the laboratory: kept by ``leak`` and ``fault``, shown by lists and points."""

import json

import pytest

from rsaxcel import catalog
from rsaxcel.eval.facts.fact import USUAL_OPERATION, Fact
from rsaxcel.eval.facts.points import COLUMNS, load_points
from rsaxcel.eval.facts.table import to_frame
from rsaxcel.lab.findings import FAULTS, LEAKS, PROVEN, by_kind, findings, keep_findings


@pytest.fixture
def kept(here):
    """Findings on two circuits in the current folder; one of them was found twice."""
    plain = catalog.get("crt_window").configure(64)
    blinded = catalog.get("crt_window").configure(64, blinding="both")
    other = catalog.get("crt_window_shared").configure(64)
    keep_findings(FAULTS, plain, {"": "40 % wrong"}, "fault --count 10", "a", 10)
    keep_findings(FAULTS, plain, {"": "41 % wrong"}, "fault --count 20", "a", 20)
    leaks = {"fixed base": "9.1", "fixed exponent": "5.0"}
    keep_findings(LEAKS, blinded, leaks, "leak --noise 2", "b", 100)
    keep_findings(PROVEN, other, {"status": "proven"}, "prove --claim status")
    return here / "build" / "laboratory"


def test_findings_by_subject(kept):
    """A later finding replaces the earlier one; another design's name may begin alike."""
    found = list(findings("crt_window"))
    assert [(x.kind, x.item, x.text) for x in found] == [
        (LEAKS, "fixed base", "9.1"),
        (LEAKS, "fixed exponent", "5.0"),
        (FAULTS, "", "41 % wrong"),
    ]
    assert found[0].command == "rsaxcel leak crt_window --nbits 64 --param blinding=both --noise 2"
    assert found[0].conditions == "64 bits, blinding=both"
    assert [x.subject for x in findings()].count("crt_window_shared") == 1
    assert by_kind(found[:2]) == {LEAKS: "fixed base: 9.1; fixed exponent: 5.0"}


def test_claims_are_joined_by_verdict(kept):
    told = {"secrecy": "refuted by SAT", "status": "proven by SAT", "netlist": "proven by cec"}
    keep_findings(PROVEN, catalog.get("crt_window").configure(8), told, "prove")
    found = [x for x in findings("crt_window") if x.kind == PROVEN]
    assert by_kind(found) == {PROVEN: "refuted: secrecy; proven: netlist, status"}


def test_a_smaller_run_replaces_nothing_of_the_same_circuit(kept):
    """What many runs found stays, until the circuit changes."""
    plain = catalog.get("crt_window").configure(64)
    for circuit, text in (("a", "41 % wrong"), ("d", "39 % wrong")):
        keep_findings(FAULTS, plain, {"": "39 % wrong"}, "fault --count 5", circuit, 5)
        assert [x.text for x in findings("crt_window") if x.kind == FAULTS] == [text]


def test_a_broken_file_is_skipped(kept):
    """Files that are not findings do not end a command."""
    (kept / "faults-crt_window-64-broken.json").write_text("{")
    (kept / "faults-crt_window-64-other.json").write_text(json.dumps({"kind": FAULTS}))
    assert len(list(findings("crt_window"))) == 3


def test_list_shows_findings(kept, rsaxcel):
    """``rsaxcel list NAME`` ends with the findings and their commands."""
    shown = " ".join(rsaxcel("list", "crt_window").out.split())
    assert "faults 64 bits: 41 % wrong (rsaxcel fault crt_window --nbits 64 --count 20)" in shown
    assert "leaks 64 bits, blinding=both: fixed base: 9.1" in shown


def test_points_have_columns(kept, tmp_path, objects):
    """Points of a circuit have its findings; those of other circuits have none."""
    facts = [
        Fact("crt_window", "cycles", 1, "measured", 64, choices, operation=USUAL_OPERATION)
        for choices in ("", "blinding=both", "blinding=message")
    ]
    (tmp_path / "build" / "report").mkdir()
    to_frame(facts).to_parquet(tmp_path / "build" / "report" / "facts.parquet")
    points = load_points(tmp_path / "build").set_index("choices")
    assert COLUMNS[-3:] == (LEAKS, FAULTS, PROVEN)
    assert points.loc["", FAULTS] == "41 % wrong"
    assert points.loc["blinding=both", LEAKS] == "fixed base: 9.1; fixed exponent: 5.0"
    assert not points.loc["blinding=message", [LEAKS, FAULTS, PROVEN]].any()
    shown = objects("results", "--columns", "leaks,faults")
    assert {x["faults"] for x in shown} == {"", "41 % wrong"}
    assert {x["leaks"] for x in shown} == {"", "fixed base: 9.1; fixed exponent: 5.0"}
