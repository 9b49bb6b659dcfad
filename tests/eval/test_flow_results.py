"""``results``, ``compare`` and ``pareto`` find results of single flows and FPGA mappings."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from rsaxcel import catalog
from rsaxcel.eval.facts.records import record_facts
from rsaxcel.eval.facts.table import Facts
from rsaxcel.flow import run as flow
from rsaxcel.flow import runner
from rsaxcel.flow.earlier import earlier_results
from rsaxcel.flow.fpga import RESOURCES, fpga_job, run_fpga
from rsaxcel.flow.job import JOB, FlowJob
from rsaxcel.flow.nodes.fpga import FpgaNode
from rsaxcel.flow.record import Record
from rsaxcel.flow.requests import default_exponents
from rsaxcel.flow.runner import KNOWN, Stored
from rsaxcel.proc.systems import find_system
from rsaxcel.store.folders import discard, keep
from tests.eval.made_up_records import operation, record

NBITS = 8
STORES = {name: Path("build", name, "stages") for name in ("flow", "fpga")}
ASKED_S = 10**9


pytestmark = pytest.mark.usefixtures("here")


def work(cycles: int, period_ns: float, program: str = "") -> dict:
    more = {"program": program, "measured_cycles": cycles - 10} if program else {}
    return {
        f"{program}_{name}".lstrip("_"): operation(exponent, cycles, period_ns, 1.25, **more)
        for name, exponent in default_exponents(NBITS).items()
    }


def made(design: str, clock_ns: float = 3.0, area_um2: float = 1000.0, **more) -> Record:
    given = {"operations": work(100, max(2.0, clock_ns)), "hash": f"{design}-{clock_ns}"} | more
    own = record(design, NBITS, clock_ns, 2.0, {"": area_um2}, given["operations"])
    return replace(own, **given)


def stored(root: Path, name: str, asked_s: int = ASKED_S, **files) -> Path:
    def populate(draft: Path) -> None:
        for file, content in files.items():
            (draft / f"{file}.json").write_text(json.dumps(content))

    entry = keep(root.absolute(), name, populate)
    os.utime(entry, (asked_s, asked_s))
    return entry


def leave(*records: Record, asked_s: int = ASKED_S) -> list[Path]:
    """Store records as the flow does, each requested one second after the one before."""
    return [
        stored(STORES["flow"], f"record-{x.design}-{x.hash}", asked_s + age, record=x.as_json())
        for age, x in enumerate(records)
    ]


def job_of(design: str, **asked: object) -> FlowJob:
    own = {"design": design, "nbits": NBITS, "name": f"{design}_{NBITS}", "results": ""}
    return FlowJob(params={"bits_per_cycle": 1}, **own, **asked)


def leave_mapping(folder: Path, family: str, luts: int, key: str) -> FlowJob:
    """Store a mapping for FPGAs as the flow does."""
    job = job_of("ssmm_r2l", family=family)
    found = {"resources": {"luts": luts}, "cells": {}, "tools": {"yosys": "0"}}
    stored(STORES["fpga"], f"fpga-ssmm_r2l_8-{key}", fpga=found)
    run = folder / "build" / "fpga" / f"ssmm_r2l_8-{family}"
    run.mkdir(exist_ok=True)
    job.write(run / JOB)
    (run / KNOWN).write_text(json.dumps({"fpga": key}))
    return job


def test_flows_are_found_compared_and_on_the_front(objects):
    fast = made("mont_r2l", area_um2=5000.0, operations=work(50, 3.0))
    leave(made("mulrem_r2l"), fast)
    found = {row["point"]: row for row in objects("results")}
    assert set(found) == {"mulrem_r2l:8", "mont_r2l:8"}
    assert found["mont_r2l:8"]["provenance"] == fast.hash
    assert found["mont_r2l:8"]["time_us"] == pytest.approx(0.15)
    assert found["mont_r2l:8"]["energy_nj"] == pytest.approx(fast.operations["decrypt"].energy_nj)
    (both,) = objects("compare", "mulrem_r2l:8", "mont_r2l:8")
    assert (both["b_over_a"]["area_um2"], both["b_over_a"]["time_us"]) == (5.0, 0.5)
    # --nbits is not needed if only one width is measured.
    assert len(objects("pareto", "--x", "time_us", "--y", "area_um2")) == 2


def test_clocks_libraries_and_parameters_are_rows_of_their_own(objects):
    wide = made("mulrem_r2l", params={"bits_per_cycle": 2, "divider": "preloaded"}, hash="wide")
    usual = made("mulrem_r2l", params={"bits_per_cycle": 1, "divider": "preloaded"})
    other = made("mulrem_r2l", library="osu018", hash="osu018", area_um2=9000.0)
    leave(usual, made("mulrem_r2l", clock_ns=0.5, area_um2=2000.0), wide, other)
    named = sorted((x["point"], x["library"], x["clock_ns"]) for x in objects("results"))
    assert named == [
        ("mulrem_r2l:8", "freepdk-45nm", 0.5),
        ("mulrem_r2l:8", "freepdk-45nm", 3.0),
        ("mulrem_r2l:8", "osu018", 3.0),
        ("mulrem_r2l:8,bits_per_cycle=2", "freepdk-45nm", 3.0),
    ]
    (both,) = objects("compare", "mulrem_r2l:8", "mulrem_r2l:8,bits_per_cycle=2")
    assert (both["a"]["library"], both["a"]["clock_ns"]) == ("freepdk-45nm", 3.0)


def test_of_a_changed_circuit_the_result_that_was_asked_for_last_counts(objects):
    before = made("mulrem_r2l", hash="before")
    after = made("mulrem_r2l", hash="after", area_um2=800.0, operations={})
    first, second = leave(before, replace(after, operations={"encrypt": work(70, 3.0)["encrypt"]}))
    (row,) = objects("results")
    # Figures of the circuit before the change do not stand beside the new area.
    assert (row["area_um2"], row["encrypt_cycles"], row["energy_nj"]) == (800.0, 70.0, None)
    assert row["provenance"] == "after"
    os.utime(first, (ASKED_S + 10, ASKED_S + 10))
    (row,) = objects("results")
    assert (row["area_um2"], row["cycles"], row["provenance"]) == (1000.0, 100.0, "before")
    assert second.is_dir()


def test_operations_of_one_circuit_are_joined(objects):
    both = work(100, 3.0)
    one, other = ({name: both[name]} for name in ("encrypt", "decrypt"))
    leave(made("mulrem_r2l", operations=one, hash="one"), made("mulrem_r2l", operations=other))
    (row,) = objects("results")
    assert (row["encrypt_cycles"], row["decrypt_cycles"]) == (100.0, 100.0)


def test_other_exponents_than_the_workload_s_are_left_out(objects):
    strange = {"decrypt": replace(work(900, 3.0)["decrypt"], exponent=3)}
    leave(made("mulrem_r2l", operations=strange))
    (row,) = objects("results")
    assert (row["area_um2"], row["cycles"]) == (1000.0, None)


@pytest.mark.parametrize(
    ("system", "program"), [("proc_mont_r2l", "xcel"), ("axi_mont_r2l", "axi")]
)
def test_a_system_has_the_cycles_of_its_first_program(objects, system, program):
    runs = work(100, 3.0, program) | work(20, 3.0, "dummy")
    leave(made(system, operations=runs, params=find_system(system, NBITS).params))
    (row,) = objects("results", "--form", "system")
    assert (row["point"], row["cycles"]) == (f"{system}:8", 80.0)


def test_systems_are_shown_where_no_design_is_measured(objects):
    leave(made("proc_null", operations=work(20, 3.0, "dummy")))
    assert [row["point"] for row in objects("results")] == ["proc_null:8"]
    leave(made("mulrem_r2l"))
    assert [row["point"] for row in objects("results")] == ["mulrem_r2l:8"]


def test_what_is_no_record_of_a_design_is_left_out(objects, here, rsaxcel):
    given = made("mulrem_r2l", params={"verilog": "0123"}, hash="given")
    damaged = made("mont_r2l", hash="damaged")
    leave(given, damaged, made("ssmm_r2l"))
    stored(STORES["flow"], "record-mm_r2l_8-old", record={"version": 0})
    (here / STORES["flow"] / "record-mont_r2l-damaged" / "record.json").write_text("{")
    assert [row["subject"] for row in objects("results")] == ["ssmm_r2l"]
    (line,) = rsaxcel("results").err.splitlines()
    assert line.startswith("rsaxcel: left out ")
    assert line.endswith("record-mont_r2l-damaged: record.json: truncated")


def test_a_design_that_is_not_loaded_is_found_by_its_name(objects):
    leave(made("zed_r2l", params={"bits_per_cycle": 1}))
    (row,) = objects("results", "zed_r2l")
    assert (row["point"], row["form"]) == ("zed_r2l:8,bits_per_cycle=1", "other")


def test_mappings_for_fpgas_are_found(objects, here):
    leave_mapping(here, "xc7", 211, "first")
    leave_mapping(here, "cyclonev", 99, "other")
    found = {row["library"]: (row["luts"], row["kind"]) for row in objects("results", "ssmm_r2l")}
    assert found == {"xc7": (211.0, "estimated"), "cyclonev": (99.0, "estimated")}
    # The folder of the run tells which result was requested last.
    job = leave_mapping(here, "xc7", 180, "second")
    (row,) = objects("results", "ssmm_r2l", "--library", "xc7")
    assert row["luts"] == 180.0
    entry = here / STORES["fpga"] / "fpga-ssmm_r2l_8-second"
    assert row["provenance"] == RESOURCES.read(job, [Stored(FpgaNode, "second", entry)]).hash


def test_outlines_are_found(objects, here):
    job = job_of("ssmm", clock_ns=2.0)
    timing = {"clock_ns": 2.0, "min_period_ns": 1.5, "critical_path": {"delay_ns": 1.25}}
    stored(STORES["flow"], "synthesis-ssmm_8-a", synthesis={"area_um2": 300.0, "cell_count": 7})
    stored(STORES["flow"], "timing-ssmm_8-b", timing=timing)
    run = here / "build" / "flow" / "ssmm_8-run"
    run.mkdir()
    job.write(run / JOB)
    assert earlier_results(Path("build/flow"), Path("build/fpga")) == []  # the run has not ended
    (run / KNOWN).write_text(json.dumps({"synthesis": "a", "timing": "b"}))
    (row,) = objects("results", "--form", "multiplier")
    assert (row["point"], row["area_um2"], row["min_period_ns"]) == ("ssmm:8", 300.0, 1.5)


@pytest.mark.slow
def test_what_is_asked_for_again_is_noted(here, monkeypatch):
    """A kept result that is requested again counts as the latest one."""
    configuration = catalog.get("ssmm_r2l").configure(NBITS)
    asked = run_fpga(configuration, "xc7")
    (run,) = (path.parent for path in (here / "build" / "fpga").glob(f"*/{JOB}"))
    assert runner.known_keys(run)["fpga"] == asked.hash
    (run / KNOWN).write_text(json.dumps({"fpga": "another"}))
    monkeypatch.setattr(runner, "make_result", lambda *_: pytest.fail("nothing is to be made"))
    found = flow.run(fpga_job(configuration, "xc7"), RESOURCES, lookup=True)
    assert run_fpga(configuration, "xc7") == asked == found
    assert runner.known_keys(run)["fpga"] == asked.hash
    # The request is also noted if the run's folder was removed.
    discard(run)
    run_fpga(configuration, "xc7")
    (found,) = earlier_results(Path("build/flow"), Path("build/fpga"))
    assert (found.design, found.result) == ("ssmm_r2l", asked)


def test_a_table_that_has_a_result_does_not_give_it_twice(objects, here):
    own = made("mm_r2l", params={"lanes": 2})
    leave(own)
    report = here / "build" / "report"
    report.mkdir()
    Facts(record_facts(own, "mm_r2l", "lanes=2")).write(report)
    assert [row["point"] for row in objects("results")] == ["mm_r2l:8,lanes=2"]
