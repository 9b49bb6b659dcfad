"""A new document takes one short file to appear in the report."""

import csv
import inspect
import io
import json
import re
import time
from functools import partial

import pytest
from rich.console import Console

from rsaxcel.eval.report import terminal
from rsaxcel.eval.report.build import ReportIncomplete, write_report
from rsaxcel.store.errors import UserError
from tests.eval import made_up_study
from tests.eval.made_up_study import STUDY
from tests.eval.test_report_page import Page


def work(job, progress):
    return job.function(*job.arguments, progress=progress)


def fail(name):
    def failing(job, progress):
        if job.name == name:
            raise RuntimeError("no luck\ntoday")
        return work(job, progress)

    return failing


def written(folder, doing=work, width=100, progress=print, **more):
    """Page of the report in a folder, and what a terminal shows."""
    console = Console(width=width, record=True, file=io.StringIO())
    show = partial(terminal.show, console)
    page = write_report(folder, [STUDY], work=doing, show=show, progress=progress, **more)
    return page, console.export_text()


def test_two_tables_and_a_plot_are_one_short_file():
    assert len(inspect.getsource(made_up_study).splitlines()) <= 80


def test_page_files_and_terminal_show_it(tmp_path):
    page, terminal = written(tmp_path)
    html = page.with_name("li_chu.html").read_text()
    found = Page(html)
    assert {"made_up", "made_up_time", "made_up_area", "plot-made_up_plot"} <= set(found.ids)
    assert len(found.ids) == len(set(found.ids))
    assert {x for x in found.references if x[1:] not in found.ids} == {"index.html"}
    for shown in (html, terminal):
        assert "fast takes 0.50 times of the time." in " ".join(shown.split())
    # 640 and 1280 cycles of 2 ns at 64 bits, three times the area.
    figures = json.loads((page.parent / "figures.json").read_text())["made_up"]
    assert figures["fast"]["64_bits_time_us"]["measured"] == pytest.approx(1.28)
    assert figures["small"]["128_bits_time_us"]["measured"] == pytest.approx(5.12)
    assert figures["fast"]["64_bits_area_um2_over_small_percent"]["measured"] == 300
    rows = list(csv.DictReader((page.parent / "figures.csv").open()))
    assert {row["table"] for row in rows} == {"made_up_time", "made_up_area"}
    assert (page.parent / "made_up_plot.png").stat().st_size > 5000
    assert (page.parent / "facts.parquet").exists()


def test_log_has_what_was_said_of_every_run(tmp_path):
    told = []
    for _ in range(2):
        written(tmp_path, progress=told.append)
    lines = (tmp_path / "report.log").read_text().splitlines()
    assert all(time.strptime(line[:19], "%Y-%m-%d %H:%M:%S") for line in lines)
    said = [line[19:].strip() for line in lines]
    assert [x for x in said if x not in ("begun", "ended")] == told
    assert said.count("begun") == said.count("ended") == 2
    assert any(": done, 1 of " in x and x.endswith(" left") for x in said)


def test_only_widths_that_are_asked_for(tmp_path):
    written(tmp_path, max_nbits=64)
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert "128_bits_time_us" not in figures["made_up"]["fast"]


def test_a_failure_leaves_the_rest_and_is_told(tmp_path):
    with pytest.raises(ReportIncomplete, match="no figures of fast 128: no luck today") as caught:
        written(tmp_path, fail("fast 128"))
    assert caught.value.exit_status == 1
    page = (tmp_path / "index.html").read_text()
    assert "fast 128 failed:" in page
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert figures["made_up"]["fast"].keys() >= {"64_bits_time_us"}
    assert figures["made_up"]["fast"]["128_bits_time_us"]["measured"] is None
    (failed,) = figures["failures"]
    assert failed == {
        **{"name": "fast 128", "message": "no luck today", "setup": False},
        "told": "no luck\ntoday",
    }


def test_a_folder_that_cannot_be_written_is_told_first(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="cannot write to"):
        write_report(tmp_path / "file" / "report", [STUDY], work=work)


def test_a_narrow_terminal_breaks_lines_and_no_number(tmp_path):
    """A cut or broken number would read as another number."""

    def numbers(columns: int) -> set[str]:
        _, shown = written(tmp_path / str(columns), width=columns)
        assert "…" not in shown
        return set(re.findall(r"\d[\d.,]*", shown))

    assert numbers(20) >= {x for x in numbers(200) if len(x) > 3}
