"""Jobs of studies: each is measured once, in the library that is asked for; failures stay apart."""

import re

import pytest

from rsaxcel.eval.facts.fact import CELLS, Fact
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.studies import STUDIES
from rsaxcel.eval.studies.systems import drivers
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.layout import PLACED
from rsaxcel.proc.programs.build import SOURCES
from tests.eval.made_up_jobs import failing
from tests.eval.made_up_report import Report

# All tests of the report run on one worker, which makes the report of all documents once.
pytestmark = pytest.mark.xdist_group("report")

OTHER_LIBRARY = "osu018"
AREAS = {DEFAULT_LIBRARY: 10.0, OTHER_LIBRARY: 20.0}


@pytest.mark.slow
def test_what_documents_share_is_measured_once(everything):
    jobs = {
        study.document: {x.job.name for x in study.measurements(4096, DEFAULT_LIBRARY)}
        for study in STUDIES
    }
    shared = jobs["morales_romero"] & jobs["cilardo"]
    assert len([name for name in shared if name.startswith("flow systolic")]) == 3
    done = [line for line in everything.lines if ": done, " in line]
    assert len(done) == len(set.union(*jobs.values()))
    # Jobs of the same name are the same job.
    asked = [x.job for study in STUDIES for x in study.measurements(4096, DEFAULT_LIBRARY)]
    named = {job.name: job for job in asked}
    for job in asked:
        same = named[job.name]
        assert (job.function, job.arguments) == (same.function, same.arguments)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["flow", "cycles", "cyclonev", "xc", "products"])
def test_whatever_fails_the_other_tables_stay(tmp_path, kind):
    shown = Report(tmp_path, STUDIES[1:], failing(kind))
    assert {x.name.startswith(kind) for x in shown.content.failures} == {True}
    names = {table.key for table in shown.content.tables}
    assert ("cilardo_ranking" in names) == (kind != "flow")
    assert ("cilardo_stages" in names) == (kind != "xc")
    assert {"li_chu_calls", "li_chu_area"} <= names


def test_every_driver_has_a_program_with_its_key_loaded():
    driving = drivers("mulrem_r2l")
    assert {x.system for x in driving} == {"proc_mulrem_r2l", "axi_mulrem_r2l"}
    programs = (y.job.arguments[1] for x in driving for y in x.loaded_calls(32, "encrypt"))
    assert set(programs) == {"xcel_loaded", "axi_loaded", "axi_interrupt_loaded"} <= SOURCES.keys()


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.document)
def test_a_study_takes_the_library_that_is_asked_for(study):
    """Only what the document itself measures in two libraries is in both; one is placed."""
    usual, other = ({x.job.name for x in study.measurements(1024, each)} for each in AREAS)
    assert not any(PLACED in name for name in other)
    flows = {name for name in usual if name.startswith("flow ") and PLACED not in name}
    assert flows
    assert not flows & other
    # The library follows the clock; operations that a study asks for follow the library.
    renamed = {re.sub(r"(?<= ns)(?= with |$)", f" in {OTHER_LIBRARY}", name) for name in flows}
    assert renamed <= other


def test_facts_are_asked_of_the_cells_of_the_report():
    cells = [Fact("unit", "area_um2", area, "measured", library=x) for x, area in AREAS.items()]
    for library, area in AREAS.items():
        facts = Facts(cells, cells=library)
        asked = {"subject": "unit", "quantity": "area_um2", "library": CELLS}
        assert facts.value(asked, printed=False) == area
