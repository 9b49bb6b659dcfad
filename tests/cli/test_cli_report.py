"""`rsaxcel report` as a command: requested studies, and bad input in one line."""

import csv
import json
from dataclasses import replace

import pytest

from rsaxcel import catalog
from rsaxcel.eval.measure.collect import collect
from rsaxcel.eval.measure.errors import Failure
from rsaxcel.eval.report import build
from rsaxcel.eval.studies import STUDIES, designs
from rsaxcel.store.errors import SetupError
from tests.eval.made_up_jobs import failing, work

OTHERS = [study.document for study in STUDIES[2:]]
"""Documents beside the standard report, in its order."""


@pytest.mark.parametrize(
    ("options", "documents", "added", "max_nbits"),
    [
        ([], [], [], 4096),
        (["--document", "mcnay"], [], [], 4096),
        (["--design", "ssmm_r2l"], [], ["ssmm_r2l"], 4096),
        (["--design", "mont_r2l", "--param", "stages=8"], [], ["mont_r2l_stages_8"], 4096),
        (["--all"], OTHERS, [], 4096),
        (["--all", "--max-bits", 256], OTHERS, [], 256),
        (["--document", "vassoler", "--document", "li_chu"], ["li_chu", "vassoler"], [], 4096),
        (["--document", "cilardo", "--max-bits", 64], ["cilardo"], [], 64),
    ],
)
def test_studies_are_those_asked_for(
    rsaxcel, monkeypatch, here, options, documents, added, max_nbits
):
    asked = {}

    def write_report(output_dir, studies, **given):
        asked.update(given, studies=studies)
        return output_dir / "index.html"

    (here / "build/report").mkdir(parents=True)
    monkeypatch.setattr(build, "write_report", write_report)
    finished = rsaxcel("report", *options)
    assert (finished.status, finished.err) == (0, "")
    assert finished.out.split()[-1] == "build/report/index.html"
    assert [x.document for x in asked["studies"]] == ["designs", "mcnay_2023", *documents]
    assert asked["max_nbits"] == max_nbits
    sections = asked["studies"][1].sections
    whole = "--all" in options or "mcnay" in options
    assert ("as_printed" in [x.key for x in sections]) == whole
    tables = [x for section in sections for x in section.blocks]
    (table,) = (x for x in tables if getattr(x, "key", "") == "added")
    assert [column.key for column in table.columns] == added


def test_widths_at_which_designs_are_compared(rsaxcel, monkeypatch, here):
    asked = []
    (here / "build/report").mkdir(parents=True)
    monkeypatch.setattr(build, "write_report", lambda *given, **_: asked.append(given))
    assert rsaxcel("report", "--nbits", "64,8,8").status == 0
    ((_, (chosen, _)),) = asked
    assert [x.key for x in chosen.sections] == ["designs_8", "designs_64"]
    names = {x.job.name for x in chosen.drafts(4096, "freepdk-45nm")}
    assert {x for x in names if "mont_r2l_" in x and "draft" in x and "shared" not in x} == {
        f"draft mont_r2l_{x} at 0.5 ns in freepdk-45nm" for x in (8, 64)
    }


def test_a_second_report_is_one_line(rsaxcel, monkeypatch, here):
    made = []

    def write_report(folder, *_, activity, **__):
        if activity == "zero":
            raise build.ReportIncomplete([Failure("flow", "failed")], folder)
        made.append(activity)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "index.html").write_text("page")
        return folder / "index.html"

    monkeypatch.setattr(build, "write_report", write_report)
    assert rsaxcel("report").status == 0
    again = rsaxcel("report")
    assert (again.status, again.err, len(made)) == (0, "", 1)
    assert again.out == (
        "report: build/report/index.html; nothing has changed since it was written\n"
    )
    assert rsaxcel("report", "--json").status == 0  # its facts are asked for
    assert rsaxcel("report", "--nbits", "8").status == 0
    assert rsaxcel("report").status == 0
    assert len(made) == 4
    for _ in range(2):  # a report that lacks something is made again
        assert rsaxcel("report", "--activity", "zero").status == 1
    (here / "build/report/index.html").unlink()
    assert rsaxcel("report").status == 0
    assert len(made) == 5


def test_a_design_that_does_not_have_the_width_is_told(refused, monkeypatch):
    ssmm = catalog.DESIGNS["ssmm_r2l"]
    classes = ssmm.multiplier
    golden = type("Ssmm", (classes.fl,), {"widths": range(64, 129)})
    wide = replace(
        ssmm, name="wide_r2l", multiplier=catalog.Classes(golden, classes.cl, classes.rtl)
    )
    monkeypatch.setitem(catalog.DESIGNS, wide.name, wide)
    line = refused("report", "--design", wide.name)
    assert all(x in line for x in ("nbits=32", "64 to 128 bits", "wide_r2l at 32 bits"))


def test_build_folder_that_cannot_be_written(refused, here):
    (here / "build").touch()
    line = refused("report")
    assert line.startswith("rsaxcel: error: cannot write to build/report")


def measure_by(doing, monkeypatch):
    """Measure by a function, only what is not drafted, few designs, and draw no plots."""
    monkeypatch.setattr(designs, "designs_at", lambda nbits: ["ssmm_r2l", "cm_r2l"])
    monkeypatch.setattr(build, "kept", lambda jobs, tell: {x.name: None for x in jobs})
    monkeypatch.setattr(build, "collect", lambda x, tell, *_, **__: collect(x, tell, doing))
    monkeypatch.setattr("rsaxcel.eval.report.content.draw", lambda *args: None)


@pytest.mark.slow_cases("done")
@pytest.mark.parametrize(
    ("doing", "status", "told"),
    [
        (failing("", error=SetupError("sta is missing: apt-get install opensta")), 2, "opensta"),
        (failing("flow mont_r2l"), 1, "(build/report/index.html shows the others)"),
        (work, 0, ""),
    ],
    ids=["no tool", "one", "done"],
)
def test_exit_status_and_last_line(rsaxcel, here, monkeypatch, doing, status, told):
    measure_by(doing, monkeypatch)
    finished = rsaxcel("report")
    assert finished.status == status
    lines = [x for x in finished.err.splitlines() if x.startswith("rsaxcel: error: ")]
    assert len(lines) == (status != 0)
    assert told in "".join(lines)
    figures = here / "build" / "report" / "figures.json"
    assert figures.exists() == (status != 2)
    if figures.exists():
        assert len(json.loads(figures.read_text())["failures"]) == 2 * status


def test_json_has_every_fact_and_what_failed(rsaxcel, here, monkeypatch):
    doing = failing("flow proc_mont_r2l_32 at 3 ns")
    measure_by(doing, monkeypatch)
    finished = rsaxcel("report", "--json")
    assert finished.status == 1
    *facts, failed = [json.loads(line) for line in finished.out.splitlines()]
    assert failed.pop("failed").startswith("flow proc_mont_r2l_32 at 3 ns")
    assert failed == {"message": "no luck <&>"}
    with (here / "build" / "report" / "facts.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    names = ("subject", "quantity", "kind", "unit", "operation")
    assert [[x[n] for n in names] for x in facts] == [[x[n] for n in names] for x in rows]
