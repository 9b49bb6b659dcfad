"""Measuring: real RTL in the native engine, a flow that is made up."""

import io
import json
import threading

import pytest
from rich.console import Console

import designs
from eval.errors import UserError
from eval.report import ReportIncomplete, measure, write_report
from eval.report.flows import Flows
from eval.report.measure import simulate
from eval.report.published import published
from eval.report.results import MeasureError, SetupFailure
from eval.report.workload import standard_configurations, standard_workload
from tests.eval import report_records


def quiet() -> Console:
    return Console(record=True, width=100, file=io.StringIO())


# Most cycles that leave the accelerators as fast as the document's, less its transfers.
@pytest.mark.parametrize(
    ("design", "encrypt", "decrypt"), [("mont_r2l", 160, 225), ("mulrem_r2l", 1050, 1830)]
)
def test_rtl_is_fast_enough(design, encrypt, decrypt):
    cycles = simulate(standard_configurations()[design], standard_workload(published()))
    assert 0 < cycles["encrypt"] <= encrypt
    assert cycles["encrypt"] < cycles["decrypt"] <= decrypt


def test_wrong_result_is_found(monkeypatch):
    configuration = standard_configurations()["mulrem_r2l"]
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

    def flow(configuration, progress):
        asked.append(configuration.design.name)
        return report_records.flow(configuration, progress)

    def write():
        page = write_report(tmp_path, flow=flow, progress=lines.append, console=quiet())
        return {path.name: path.read_bytes() for path in page.parent.iterdir()}

    first = write()
    assert sorted(asked) == ["mont_r2l", "mulrem_r2l"]
    assert "mont_r2l: made up" in lines
    assert set(first) == {
        "index.html",
        "figures.json",
        "figures.csv",
        "area_performance.png",
        "energy_performance.png",
        "area_by_module.png",
    }
    assert write() == first
    assert len(asked) == 4


def test_failing_design_leaves_the_other(tmp_path):
    def flow(configuration, progress):
        if configuration.design.name == "mulrem_r2l":
            raise RuntimeError("sta: not found <&>")
        return report_records.flow(configuration, progress)

    console = quiet()
    with pytest.raises(ReportIncomplete, match="no figures of mulrem_r2l: sta") as failure:
        write_report(tmp_path, flow=flow, progress=lambda text: None, console=console)
    assert failure.value.exit_code == 1
    page = failure.value.page.read_text()
    assert "mulrem_r2l failed:</strong> sta: not found &lt;&amp;&gt;" in page
    assert "4.625" in page
    assert "mulrem_r2l failed: sta: not found <&>" in console.export_text()
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert list(figures["designs"]) == ["mont_r2l"]
    assert figures["failures"] == [
        {"design": "mulrem_r2l", "message": "sta: not found <&>", "setup": False}
    ]


def test_report_without_any_result_leaves_the_earlier_one(tmp_path):
    page = tmp_path / "index.html"
    page.write_text("earlier")

    def flow(configuration, progress):
        raise OSError("no space left")

    with pytest.raises(ReportIncomplete) as failure:
        write_report(tmp_path, flow=flow, progress=lambda text: None, console=quiet())
    assert failure.value.format_message() == "no figures of mulrem_r2l, mont_r2l: no space left"
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
        measure.measure(standard_configurations(), workload, flow, print, stopped.set)
    assert stopped.is_set()


def test_flow_runs_in_a_process_and_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetupFailure, match="missing"):
        Flows(3.0, {"encrypt": 3})(standard_configurations()["mulrem_r2l"], print)


@pytest.mark.slow
def test_flow_runs_in_a_process_and_reports_steps(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = []
    configuration = designs.get("mulrem_r2l").configure(8)
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
