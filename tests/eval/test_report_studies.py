"""Studies of documents: jobs in order, what fails left out, figures where they belong."""

import csv
import io
import json
import multiprocessing
import time
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

import catalog
from cl.exponentiator import STROBE
from eval.report import ReportIncomplete, write_report
from eval.report.processes import Processes
from eval.report.published import published
from eval.report.results import MeasureError, SetupFailure
from eval.report.studies import STUDIES, cycles
from eval.report.studies.collect import collect, in_order
from eval.report.studies.study import Job, Section, Study
from flow.errors import SetupError
from tests.eval import report_records, study_records
from tests.eval.test_report_page import Tables


def silent(_line: str) -> None:
    """Take progress lines."""


def quiet() -> Console:
    return Console(record=True, width=200, file=io.StringIO())


def study(*jobs: Job) -> Study:
    return replace(study_records.STUDY, jobs=lambda max_nbits: jobs)


def job(name: str, weight: float = 1.0) -> Job:
    return Job(name, print, (), weight)


# What other processes run has to be found in a module.
def double(number: int, progress) -> int:
    progress(f"doubling {number}")
    return 2 * number


def lack(progress) -> None:
    raise SetupError("no compiler")


def fail(progress) -> None:
    raise ValueError("no\nluck")


def test_function_runs_in_a_process():
    lines = []
    assert Processes().run(double, 21, progress=lines.append) == 42
    assert lines == ["doubling 21"]


def grandchild(seconds: float, path: str) -> None:
    time.sleep(seconds)
    Path(path).touch()


def delegate(seconds: float, path: str, progress) -> str:
    process = multiprocessing.get_context("spawn").Process(target=grandchild, args=(seconds, path))
    process.start()
    progress("begun")
    process.join()
    return "done"


def test_work_may_have_processes_of_its_own(tmp_path):
    path = tmp_path / "file"
    assert Processes().run(delegate, 0.0, str(path), progress=silent) == "done"
    assert path.exists()


def test_stop_ends_them_too(tmp_path):
    path, processes = tmp_path / "file", Processes()
    with pytest.raises(MeasureError, match="ended with -15"):
        processes.run(delegate, 2.0, str(path), progress=lambda _line: processes.stop())
    time.sleep(3)
    assert not path.exists()


@pytest.mark.parametrize(("function", "error"), [(lack, SetupFailure), (fail, MeasureError)])
def test_failure_in_a_process_is_told(function, error):
    with pytest.raises(error, match="no"):
        Processes().run(function, progress=silent)


def test_longest_jobs_come_first_and_shared_ones_once():
    first = study(job("a", 1), job("b", 3))
    second = study(job("c", 2), job("b", 3))
    assert [x.name for x in in_order([first, second], 64)] == ["b", "c", "a"]


def test_failing_job_leaves_the_others():
    def work(piece, progress):
        if piece.name == "b":
            raise SetupFailure("no\ntool")
        progress("begun")
        return piece.name.upper()

    lines = []
    found, failures = collect([study(job("a"), job("b"), job("c"))], 64, lines.append, work)
    assert found == {"a": "A", "c": "C"}
    assert [(x.hardware, x.message, x.setup) for x in failures] == [("b", "no tool", True)]
    assert {"a: begun", "b: failed: no tool"} <= set(lines)
    assert {line.partition(":")[0] for line in lines if ": done, " in line} == {"a", "c"}


def test_interrupt_begins_nothing_new():
    begun = []

    def work(piece, progress):
        begun.append(piece.name)
        time.sleep(0.05)
        return 0

    def interrupt(line):
        if "done" in line:
            raise KeyboardInterrupt

    jobs = [job(str(n)) for n in range(200)]
    with pytest.raises(KeyboardInterrupt):
        collect([study(*jobs)], 64, interrupt, work)
    assert len(begun) < len(jobs)


def test_result_is_kept_while_its_sources_hold(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source, calls = tmp_path / "source.py", []
    source.write_text("x = 1")

    def measure():
        calls.append(1)
        return {"cycles": len(calls), "keys": (1, 2)}

    def result(**inputs):
        return cycles.memoize("some cycles", inputs, [source], measure)

    assert result(nbits=8) == result(nbits=8) == {"cycles": 1, "keys": [1, 2]}
    assert result(nbits=9)["cycles"] == 2
    source.write_text("x = 1  # the only one")
    assert result(nbits=8)["cycles"] == 1
    source.write_text("x = 2")
    assert result(nbits=8)["cycles"] == 3


def test_cycles_over_keys_are_those_of_model_and_circuit(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    configuration = catalog.get("ssmm_r2l").configure(16)
    lines = []

    def measure():
        return cycles.key_cycles(configuration, {"document": STROBE}, 3, lines.append)

    found = measure()
    assert set(found) == {"circuit", "document", "rtl"}
    # An exponent bit costs at most the width and the handshake.
    assert 0 < found["circuit"] < found["document"] <= 16 * (16 + 5)
    assert all(0 < found["rtl"][x] <= 16 * (16 + 5) for x in ("encrypt", "decrypt"))
    told = len(lines)
    assert measure() == found
    assert len(lines) == told


def test_circuit_that_takes_other_cycles_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cycles, "_on_circuit", lambda configuration, operands: [1, 2])
    configuration = catalog.get("ssmm_r2l").configure(16)
    with pytest.raises(MeasureError, match=r"RTL takes \[1, 2\] cycles"):
        cycles.key_cycles(configuration, {}, 1, silent)


def test_call_on_the_processor(tmp_path, monkeypatch):
    monkeypatch.setattr(cycles, "memoize", lambda name, inputs, sources, measure: measure())
    monkeypatch.chdir(tmp_path)
    software = cycles.call_cycles("proc_null", "montgomery", 64, "encrypt", silent)
    assert software["exponent"] == 65537
    assert software["cycles"] > software["instructions"] > software["dummy_cycles"] > 0


@pytest.fixture(scope="module")
def section(tmp_path_factory) -> Section:
    return study_records.section(tmp_path_factory.mktemp("plots"))


def cell(section: Section, table: str, row: str, column: str):
    found = next(x for x in section.tables if x.key == table)
    return found.row(row).cells[column]


def test_cycles_stand_beside_the_printed_ones(section):
    entry = cell(section, "li_chu_cycles", "1024_bits_cycles", "ssmm_r2l")
    assert (entry.measured, entry.printed.value) == (1024**2 * 3 / 4, 1048412)
    entry = cell(section, "li_chu_cycles", "128_bits_document_handshake_cycles", "montmul_r2l")
    assert (entry.measured, entry.printed.value) == (128**2 + 128, 17286)
    row = "128_bits_document_handshake_deviation_percent"
    entry = cell(section, "li_chu_cycles", row, "montmul_r2l")
    assert entry.measured == pytest.approx(100 * (16512 / 17286 - 1))
    assert cell(section, "li_chu_cycles", row, "montmul_csa_r2l").measured is None


def test_time_is_at_the_smallest_period(section):
    fast = cell(section, "li_chu_timing", "128_bits_time_ms", "montmul_r2l")
    assert fast.measured == pytest.approx(128**2 * 2.5 / 1e6)
    assert fast.printed.value == 0.213
    slow = cell(section, "li_chu_timing", "1024_bits_time_ms", "montmul_r2l")
    assert slow.measured == pytest.approx(1024**2 * 4.0 / 1e6)
    entry = cell(section, "li_chu_timing", "1024_bits_frequency_mhz", "ssmm_r2l")
    assert (entry.measured, entry.printed.value) == (250.0, 23.38)


def test_ratios_by_hand(section):
    def percent(key: str) -> tuple[float, float]:
        row = f"1024_bits_{key}_over_montmul_r2l_percent"
        entry = cell(section, "li_chu_ratios", row, "ssmm_r2l")
        return entry.measured, entry.printed.value

    assert percent("alms") == pytest.approx((60, 100 * 8863 / 16237))
    assert percent("flip_flops") == pytest.approx((75, 100 * 10809 / 12772))
    assert percent("time") == pytest.approx((75, 100 * 44.842 / 45.008))
    assert percent("area_time") == pytest.approx((37.5, 100 * 8863 * 44.842 / 16237 / 45.008))
    row = "1024_bits_area_over_montmul_r2l_percent"
    half = cell(section, "li_chu_ratios", row, "ssmm_r2l")
    assert (half.measured, half.printed) == (50, None)
    own = cell(section, "li_chu_ratios", row, "montmul_r2l")
    assert (own.measured, own.printed) == (None, None)


def test_resources_stand_beside_the_printed_ones(section):
    entry = cell(section, "li_chu_area", "256_bits_alms", "montmul_r2l")
    assert (entry.measured, entry.printed.value) == (1280, 3812)
    entry = cell(section, "li_chu_area", "256_bits_registers", "ssmm_r2l")
    assert (entry.measured, entry.printed.value) == (1792, 2667)
    entry = cell(section, "li_chu_area", "256_bits_flip_flops", "ssmm_r2l")
    assert (entry.measured, entry.printed.value) == (1536, 2667)


def test_resources_are_complete_where_the_document_prints_them(section):
    """At 2048 bits, too, and for algorithm 2 at 256, where nothing is measured."""
    for figure in published().figures.values():
        name, _, rest = figure.id.partition(".")
        nbits, _, quantity = rest.partition(".")
        if figure.document == "li_chu" and quantity in ("alms", "registers"):
            row = f"{nbits}_bits_{quantity}"
            assert cell(section, "li_chu_area", row, name).printed == figure
    titles = {row.section for x in section.tables for row in x.rows if "FPGA" in row.section}
    assert titles
    assert all("estimate" in title for title in titles)


def test_calls_on_the_processor_and_speedups(section):
    def measured(row: str) -> dict[str, float | None]:
        table = next(x for x in section.tables if x.key == "li_chu_calls")
        return {name: entry.measured for name, entry in table.row(row).cells.items()}

    assert measured("decrypt_1024_bits_call_cycles") == {
        "software_naive": 90_000,
        "software_montgomery": 60_000,
        "proc_montmul_r2l": 3_000,
        "proc_ssmm_r2l": 2_000,
    }
    assert measured("encrypt_1024_bits_speedup_software_montgomery_ratio") == {
        "software_naive": pytest.approx(2 / 3),
        "software_montgomery": None,
        "proc_montmul_r2l": 20,
        "proc_ssmm_r2l": 30,
    }


def test_width_is_limited(tmp_path):
    limited = study_records.section(tmp_path, 128)
    widths = {int(row.key.split("_")[0]) for table in limited.tables for row in table.rows}
    assert widths == {64, 128}
    assert {plot.name for plot in limited.plots} == {"li_chu_128_bits", "li_chu_scaling"}
    assert {x.arguments[0].nbits for x in study_records.STUDY.jobs(128)} == {64, 128}


@pytest.mark.parametrize("kept_kind", ["flow", "cycles", "cyclonev", "decrypt", "nothing"])
def test_section_shows_whatever_there_is(tmp_path, kept_kind):
    findings = {
        name: found
        for name, found in study_records.findings_of(study_records.STUDY).items()
        if name.startswith(kept_kind)
    }
    section = study_records.STUDY.section(findings, published(), tmp_path, 4096)
    assert bool(section.tables) == (kept_kind != "nothing")
    assert bool(section.records) == (kept_kind == "flow")


def test_report_shows_the_section_everywhere(tmp_path):
    console = quiet()
    page = write_report(
        tmp_path,
        studies=STUDIES,
        flow=report_records.flow,
        work=study_records.work,
        progress=silent,
        console=console,
    )
    html = page.read_text()
    shown = Tables(html).tables
    assert shown["li_chu_area"][2] == ["Cell area"]
    assert shown["li_chu_area"][3][:2] == ["64 bits µm²", "6,400"]
    assert len(shown["provenance-li_chu"]) == 1 + 27
    assert shown["morales_romero_comparison"][1] == ["measured", "printed"] * 2 + ["printed"] * 6
    row = ["DSPs", "63", "66", "64", "66", "130", "130", "66", "131", "161", ""]
    assert row in shown["morales_romero_comparison"]
    assert html.count("<svg") == html.count('id="plot-') >= 8
    terminal = console.export_text()
    assert "Li and Chu: cycles per operation" in terminal
    assert "five cycles per exponent" in terminal
    assert "14,440" in terminal
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert figures["li_chu"]["ssmm_r2l"]["512_bits_cycles"]["printed"]["value"] == 261996
    assert figures["records"]["ssmm_r2l_512"]["hash"] == "hash of ssmm_r2l_512"
    with (tmp_path / "figures.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["group"] == "li_chu"]
    assert {"512_bits_cycles", "64_bits_area_um2"} <= {row["quantity"] for row in rows}
    names = {
        "li_chu": {"128_bits", "1024_bits", "scaling"},
        "morales_romero": {"products", "scaling"},
        "cilardo": {"digits", "ranking"},
    }
    for document, plots in names.items():
        found = {path.stem for path in tmp_path.glob(f"{document}_*.png")}
        assert found == {f"{document}_{plot}" for plot in plots}
        assert all(f'id="plot-{plot}"' in html for plot in found)


def test_failing_job_is_named_on_the_page(tmp_path):
    def work(piece, progress):
        if piece.name == "flow ssmm_r2l_1024":
            raise MeasureError("no memory")
        return study_records.work(piece, progress)

    with pytest.raises(ReportIncomplete, match="flow ssmm_r2l_1024: no memory"):
        write_report(
            tmp_path,
            studies=STUDIES,
            flow=report_records.flow,
            work=work,
            progress=silent,
            console=quiet(),
        )
    html = Path(tmp_path, "index.html").read_text()
    assert "flow ssmm_r2l_1024 failed:</strong> no memory" in html
    assert 'id="li_chu_area"' in html
