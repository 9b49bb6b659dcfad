"""Measuring: real RTL in the native engine, a flow that is made up."""

import io
import json
import threading

import pytest
from rich.console import Console

import catalog
from eval.errors import UserError
from eval.report import ReportIncomplete, measure, write_report
from eval.report.flows import Flows
from eval.report.measure import simulate
from eval.report.published import published
from eval.report.results import MeasureError, SetupFailure
from eval.report.subjects import ACCELERATORS, STANDARD_SUBJECTS, find_hardware
from eval.report.workload import standard_workload
from tests.eval import report_records

HARDWARE = find_hardware(STANDARD_SUBJECTS)


def quiet() -> Console:
    return Console(record=True, width=100, file=io.StringIO())


# Most cycles that leave the accelerators as fast as the document's, less its transfers.
@pytest.mark.parametrize(
    ("design", "encrypt", "decrypt"), [("mont_r2l", 160, 225), ("mulrem_r2l", 1050, 1830)]
)
def test_rtl_is_fast_enough(design, encrypt, decrypt):
    cycles = simulate(HARDWARE[design], standard_workload(published()))
    assert 0 < cycles["encrypt"] <= encrypt
    assert cycles["encrypt"] < cycles["decrypt"] <= decrypt


def test_wrong_result_is_found(monkeypatch):
    configuration = HARDWARE["mulrem_r2l"]
    workload = standard_workload(published())

    class OffByOne:
        def run(self, requests, **options):
            batch = real.run(requests, **options)
            batch.responses[-1] = (batch.responses[-1][0] ^ 1, 0)
            return batch

    real = measure.open_component(configuration, "rtl", "native")
    monkeypatch.setattr(measure, "open_component", lambda *args: OffByOne())
    with pytest.raises(MeasureError, match="RTL gives"):
        simulate(configuration, workload)


def test_second_report_asks_the_flow_once_more_and_writes_the_same(tmp_path):
    asked, lines = [], []

    def flow(hardware, progress):
        asked.append(hardware)
        return report_records.flow(hardware, progress)

    def write():
        page = write_report(tmp_path, flow=flow, progress=lines.append, console=quiet())
        return {path.name: path.read_bytes() for path in page.parent.iterdir()}

    first = write()
    # Both programs of software run on one system.
    assert len(asked) == len(HARDWARE) == len(STANDARD_SUBJECTS) - 1
    assert all(hardware in asked for hardware in HARDWARE.values())
    assert "mont_r2l: made up" in lines
    assert "proc_null: made up" in lines
    assert set(first) == {
        "index.html",
        "figures.json",
        "figures.csv",
        "systems_area_performance.png",
        "systems_energy_performance.png",
        "area_performance.png",
        "energy_performance.png",
        "area_by_module.png",
    }
    assert write() == first
    assert len(asked) == 2 * len(HARDWARE)


def failing(*names):
    """Flow that fails for some hardware."""

    def flow(hardware, progress):
        if hardware in [HARDWARE[name] for name in names]:
            raise RuntimeError("sta: not found <&>")
        return report_records.flow(hardware, progress)

    return flow


def test_failing_design_leaves_the_others(tmp_path):

    console, flow = quiet(), failing("mulrem_r2l")
    with pytest.raises(ReportIncomplete, match="no figures of mulrem_r2l: sta") as failure:
        write_report(tmp_path, flow=flow, progress=lambda text: None, console=console)
    assert failure.value.exit_code == 1
    page = failure.value.page.read_text()
    assert "mulrem_r2l failed:</strong> sta: not found &lt;&amp;&gt;" in page
    assert "4.625" in page
    assert "mulrem_r2l failed: sta: not found <&>" in console.export_text()
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert list(figures["designs"]) == ["mont_r2l", "mont_r2l_shared"]
    assert "proc_mulrem_r2l" in figures["systems"]
    assert figures["failures"] == [
        {"hardware": "mulrem_r2l", "message": "sta: not found <&>", "setup": False}
    ]


@pytest.mark.parametrize(
    "names",
    [
        ("proc_null",),
        ("proc_mont_r2l", "mont_r2l"),
        [name for name in HARDWARE if name.startswith("proc_")],
        [name for name in HARDWARE if not name.startswith("proc_")],
    ],
    ids=["software", "headlines", "systems", "accelerators"],
)
def test_whatever_fails_the_page_shows_the_rest(tmp_path, names):
    with pytest.raises(ReportIncomplete):
        write_report(tmp_path, flow=failing(*names), progress=lambda text: None, console=quiet())
    page = (tmp_path / "index.html").read_text()
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert set(figures["records"]) == set(HARDWARE) - set(names)
    assert page.count(" failed:</strong>") == len(names)
    shown = page.replace("<wbr>", "")
    for name in HARDWARE:
        assert (report_records.record(name)["hash"] in shown) == (name not in names)


def test_report_without_any_result_leaves_the_earlier_one(tmp_path):
    page = tmp_path / "index.html"
    page.write_text("earlier")

    def flow(configuration, progress):
        raise OSError("no space left")

    with pytest.raises(ReportIncomplete) as failure:
        write_report(tmp_path, flow=flow, progress=lambda text: None, console=quiet())
    assert failure.value.format_message() == (
        f"no figures of {', '.join(dict.fromkeys(x.hardware for x in STANDARD_SUBJECTS))}: "
        "no space left"
    )
    assert failure.value.exit_code == 1
    assert page.read_text() == "earlier"


def test_missing_tool_is_bad_input(tmp_path):
    def flow(configuration, progress):
        raise SetupFailure("OpenSTA is missing")

    with pytest.raises(ReportIncomplete, match="OpenSTA is missing") as failure:
        write_report(tmp_path, flow=flow, progress=lambda text: None, console=quiet())
    assert failure.value.exit_code == 2


def test_interrupt_stops_what_runs(tmp_path, monkeypatch):
    stopped = threading.Event()

    def flow(configuration, progress):
        assert stopped.wait(60)
        raise MeasureError("stopped")

    def interrupted(configuration, workload):
        raise KeyboardInterrupt

    monkeypatch.setattr(measure, "simulate", interrupted)
    workload = standard_workload(published())
    with pytest.raises(KeyboardInterrupt):
        measure.measure(ACCELERATORS, workload, flow, print, stopped.set)
    assert stopped.is_set()


def test_flow_runs_in_a_process_and_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetupFailure, match="missing"):
        Flows(3.0, {"encrypt": 3})(HARDWARE["proc_mulrem_r2l"], print)


@pytest.mark.slow
def test_flow_runs_in_a_process_and_reports_steps(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = []
    configuration = catalog.get("mulrem_r2l").configure(8)
    record = Flows(5.0, {"encrypt": 3})(configuration, lines.append)
    assert (record["design"], record["nbits"], record["clock_ns"]) == ("mulrem_r2l", 8, 5.0)
    assert record["operations"]["encrypt"]["exponent"] == 3
    assert "synthesis" in lines


def test_folder_that_cannot_be_written_is_found_before_the_work(tmp_path):
    (tmp_path / "file").write_text("")

    def flow(configuration, progress):
        raise AssertionError("measured in vain")

    with pytest.raises(UserError, match="cannot write to") as error:
        write_report(tmp_path / "file" / "report", flow=flow, console=quiet())
    assert error.value.exit_code == 2
