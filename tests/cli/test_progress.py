"""Progress of long commands."""

import time
from functools import partial
from io import StringIO

import pytest
from rich.console import Console

from rsaxcel.cli.progress import progress, steps, waiting
from rsaxcel.eval.measure.collect import collect
from rsaxcel.eval.measure.job import Job, Measurement
from tests.shared.messages import without_progress


@pytest.fixture
def terminal(monkeypatch):
    """Output on a terminal of 100 columns."""
    file = StringIO()
    shown = partial(Console, file=file, force_terminal=True, width=100, color_system=None)
    monkeypatch.setattr("rich.console.Console", lambda stderr, **options: shown(**options))
    monkeypatch.setattr("rsaxcel.cli.progress._is_terminal", lambda: True)
    return file


def measurements(count: int) -> list[Measurement]:
    jobs = [Job(f"job {number}", lambda: None, ()) for number in range(count)]
    return [Measurement(job, lambda result: []) for job in jobs]


def test_bar_counts_jobs_and_tells_the_time_left(terminal):
    with steps("report") as tell:
        collect(measurements(3), tell, lambda job, progress: None)
    drawn = terminal.getvalue()
    assert "report" in drawn
    for number in range(3):
        assert f"job {number}: done, " in drawn
    # The output ends with the last state of the bar.
    assert "3/3" in drawn


def test_bar_is_where_jobs_are_counted_alone(terminal):
    with steps("flow") as tell:
        tell("synthesis")
        tell("2 of 9 results are there")
    assert "0/" not in terminal.getvalue()
    with steps("report") as tell:
        tell("mont_r2l: failed, 2 of 9, about 3 min left: no sta")
    assert "2/9 about 3 min left 0:00:00" in terminal.getvalue()


def test_plain_lines_elsewhere(capsys):
    with steps("report") as tell:
        tell("mont_r2l: done, 2 of 9, about 3 min left")
    assert capsys.readouterr().err == "mont_r2l: done, 2 of 9, about 3 min left\n"


def test_units_of_a_known_number(terminal):
    with progress("sim", 8, "vectors") as advance:
        advance(8)
    assert "8/8 vectors" in terminal.getvalue()


@pytest.mark.parametrize(("least", "told"), [(0.05, "set-up of mont_r2l_256\n"), (60, "")])
def test_what_takes_long_is_told_once(capsys, monkeypatch, least, told):
    monkeypatch.setattr("rsaxcel.cli.progress._LINE_SECONDS", least)
    with waiting("set-up of mont_r2l_256"):
        time.sleep(0.3)
    assert capsys.readouterr().err == told
    assert without_progress(told) == ""


def test_a_terminal_shows_that_something_is_under_way(terminal, capsys):
    with waiting("set-up of mont_r2l_256"):
        time.sleep(0.3)
    assert "set-up of mont_r2l_256 0:00:00" in terminal.getvalue()
    assert capsys.readouterr().err == ""
