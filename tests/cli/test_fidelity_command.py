"""`rsaxcel fidelity`: each printed figure beside ours, from what is measured already."""

import pytest

from rsaxcel.eval.facts.printed import printed
from rsaxcel.eval.report import build
from rsaxcel.eval.report.fidelity import ALL_CLASSES, classify
from rsaxcel.eval.studies import STUDIES
from tests.eval.made_up_jobs import work

NUMBERS = [x for x in printed().facts if not isinstance(x.value, str)]


@pytest.fixture
def measured(monkeypatch):
    """Results of all jobs of a report, made up."""

    def kept(jobs, progress):
        return {job.name: work(job, lambda line: None) for job in jobs}

    monkeypatch.setattr(build, "kept", kept)


def test_each_printed_figure_is_an_object(objects, measured):
    found = objects("fidelity")
    assert [(x["document"], x["place"], x["printed"]) for x in found] == [
        (x.document, x.place, x.value) for x in NUMBERS
    ]
    compared = [x for x in found if x["ours"] is not None]
    assert {x["class"] for x in compared} <= {"as printed", "own"}
    assert {x["nearness"] for x in compared} <= set(ALL_CLASSES)
    for row in compared:
        if row["printed"] and row["ours"] and row["nearness"] != "exact":
            assert row["nearness"] == classify(row["ours"] / row["printed"])
        if row["nearness"] == "0 in both":
            assert round(row["ours"]) == row["printed"] == 0
    assert all(x["class"] is None and x["kind"] is None for x in found if x["ours"] is None)
    assert all(x["reason"] != "not measured yet" for x in found)


def test_one_document_and_tables(objects, shown, measured):
    one = ("fidelity", "--document", "li_chu")
    assert {x["document"] for x in objects(*one)} == {"li_chu"}
    listed, places = shown(*one, "--all"), shown(*one)
    assert listed.count("montred_r2l, 64 bits") == sum(
        (x.document, x.subject, x.nbits) == ("li_chu", "montred_r2l", 64) for x in NUMBERS
    )
    (row,) = (x for x in places.splitlines() if x.startswith("Table 1 "))
    assert int(row.split()[2]) == sum(
        (x.document, x.place) == ("li_chu", "Table 1") for x in NUMBERS
    )
    assert "Cilardo" not in places + listed


def test_nothing_is_measured(objects, shown, monkeypatch, here):
    """In an empty folder all figures wait, and the command says what measures them."""
    jobs = []
    monkeypatch.setattr(build, "collect", lambda *args: jobs.append(args))
    text = shown("fidelity")
    assert jobs == []
    assert "not measured yet: " in text
    assert "`rsaxcel report --document NAME` measures" in text
    found = objects("fidelity", "--document", "li_chu")
    # Figures that follow from a design's structure are always there.
    waiting = [x for x in found if x["place"] == "Table 1"]
    assert {(x["ours"], x["reason"]) for x in waiting} == {(None, "not measured yet")}


def test_an_unknown_document_is_refused(rsaxcel):
    finished = rsaxcel("fidelity", "--document", "stages")
    assert finished.status == 2
    (line,) = finished.err.splitlines()[-1:]
    assert "--document=stages" in line
    assert all(x.document in line for x in STUDIES if not x.without_document)
