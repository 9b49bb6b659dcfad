"""The report has cores in Verilog beside the designs; one that is broken does not stop it."""

import pytest

from rsaxcel import catalog
from rsaxcel.catalog.registry import named
from rsaxcel.eval.facts import points
from rsaxcel.eval.report import names
from rsaxcel.eval.studies import designs
from tests.cores.test_described import _forgotten, make  # noqa: F401
from tests.eval.made_up_jobs import work
from tests.eval.made_up_report import Report

BROKEN = "broken, 8 bits"


@pytest.fixture
def three(tmp_path, monkeypatch):
    changes = [('"skeleton"', '"broken"'), ('"skeleton_core"', '"cores"')]
    for name, changed in (("good", []), ("bad", changes)):
        named(str(make(tmp_path / name, changes=changed)))
    every = catalog.designs()
    some = {x: every[x] for x in ("mulrem_r2l", "skeleton", "broken")}
    monkeypatch.setattr(catalog, "designs", lambda: some)
    # Another test of this process may have asked for another core of this name.
    for cached in (names._of_designs, points._find):
        cached.cache_clear()
    yield tmp_path
    for cached in (names._of_designs, points._find):
        cached.cache_clear()


def test_a_core_is_in_plot_and_table(three):
    def doing(job, *more):
        return job.function(*job.arguments, print) if job.name == BROKEN else work(job, *more)

    report = Report(three / "report", [designs.study((8,))], doing, plots=True)
    assert report.measured("designs_8", "skeleton")["area_um2"] > 0
    assert {x.name for x in report.content.choices[0].candidates} == {"mulrem_r2l", "skeleton"}
    told = f"no figures of {BROKEN}: {three / 'bad'}: no file has the top module 'cores'"
    assert told in str(report.incomplete)
    assert "skeleton" in report.html
