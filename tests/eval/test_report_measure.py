"""Measuring: real RTL in the native engine, a flow that is made up."""

import io
import json

import pytest
from rich.console import Console

from eval.errors import UserError
from eval.report import ReportIncomplete, write_report
from eval.report.measure import simulate
from eval.report.published import published
from eval.report.results import RecordError
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

    from eval.report import measure

    real = measure.open_component(configuration, "rtl", "native")
    monkeypatch.setattr(measure, "open_component", lambda *args: OffByOne())
    with pytest.raises(RecordError, match="RTL gives"):
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
    with pytest.raises(ReportIncomplete, match="no figures of mulrem_r2l") as failure:
        write_report(tmp_path, flow=flow, progress=lambda text: None, console=console)
    assert failure.value.exit_code == 1
    page = failure.value.page.read_text()
    assert "mulrem_r2l failed:</strong> sta: not found &lt;&amp;&gt;" in page
    assert "4.625" in page
    assert "mulrem_r2l failed: sta: not found <&>" in console.export_text()
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert list(figures["designs"]) == ["mont_r2l"]
    assert figures["failures"] == [{"design": "mulrem_r2l", "message": "sta: not found <&>"}]


def test_report_without_any_result_says_why(tmp_path):
    def flow(configuration, progress):
        raise OSError("no space left")

    with pytest.raises(ReportIncomplete, match="mulrem_r2l, mont_r2l"):
        write_report(tmp_path, flow=flow, progress=lambda text: None, console=quiet())
    assert (tmp_path / "index.html").read_text().count("no space left") == 2


def test_folder_that_cannot_be_written_is_found_before_the_work(tmp_path):
    (tmp_path / "file").write_text("")

    def flow(configuration, progress):
        raise AssertionError("measured in vain")

    with pytest.raises(UserError, match="cannot write to") as error:
        write_report(tmp_path / "file" / "report", flow=flow, console=quiet())
    assert error.value.exit_code == 2
