"""Measurements: new processes, parallel jobs, and kept cycles of real circuits."""

import multiprocessing
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from rsaxcel.diagnosis.error import DesignError
from rsaxcel.eval.measure.collect import collect, duration, in_order
from rsaxcel.eval.measure.errors import JobOutcome, MeasureError
from rsaxcel.eval.measure.flows import flow
from rsaxcel.eval.measure.job import Job, Measurement
from rsaxcel.eval.measure.memo import memoize
from rsaxcel.eval.measure.processes import Fresh, request_of
from rsaxcel.flow.errors import FlowError
from rsaxcel.store.errors import SetupError
from rsaxcel.store.tools import ToolError


def silent(_line: str) -> None:
    """Ignore lines on progress."""


def measurement(name: str, weight: float = 1.0) -> Measurement:
    return Measurement(Job(name, print, (), weight), lambda result: [result])


# Functions that run in other processes must belong to a module.
def double(number: int, progress) -> int:
    progress(f"doubling {number}")
    return 2 * number


def lack(progress) -> None:
    raise SetupError("no compiler")


def fail(progress) -> None:
    raise ValueError("no\nluck")


seen: list[int] = []


def remember(number: int, progress) -> tuple[int, list[int]]:
    before = list(seen)
    seen.append(number)
    return os.getpid(), before


def die(progress) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def blunder(progress) -> None:
    raise DesignError("this is wrong", "something else")


def fail_with_log(log: str, progress) -> None:
    raise FlowError(f"synthesis: no luck (log: {log})")


def grandchild(seconds: float, path: str) -> None:
    time.sleep(seconds)
    Path(path).touch()


def delegate(seconds: float, path: str, progress) -> str:
    process = multiprocessing.get_context("spawn").Process(target=grandchild, args=(seconds, path))
    process.start()
    progress("begun")
    process.join()
    return "done"


def leave_a_grandchild(progress) -> None:
    subprocess.Popen(["sh", "-c", "sleep 60 & sleep 60"])
    progress("begun")
    time.sleep(60)


@pytest.fixture(scope="module")
def fresh():
    server = Fresh()
    yield server
    server.stop()


def run(server: Fresh, function, *arguments, progress=silent, **options) -> JobOutcome:
    return server.run(request_of(function, arguments), progress, **options)


def test_each_job_runs_in_a_new_process(fresh):
    lines = []
    outcome = run(fresh, double, 21, progress=lines.append)
    assert (outcome.result, outcome.error, lines) == (42, None, ["doubling 21"])
    assert outcome.seconds > 0
    assert outcome.memory_mb > 10
    first, second = run(fresh, remember, 1).result, run(fresh, remember, 2).result
    assert first[1] == second[1] == []  # no state of an earlier job is left
    assert len({os.getpid(), first[0], second[0]}) == 3


@pytest.mark.slow
def test_work_may_have_processes_of_its_own_and_stop_ends_them_too(tmp_path):
    server = Fresh()
    assert run(server, delegate, 0.0, str(tmp_path / "one")).result == "done"
    assert (tmp_path / "one").exists()
    path, begun = tmp_path / "two", []
    outcome = run(server, delegate, 3.0, str(path), progress=begun.append, wanted=lambda: not begun)
    assert "cancelled" in str(outcome.error)
    assert not server.alive
    time.sleep(4)
    assert not path.exists()


def test_a_stopped_server_ends_though_its_job_has_grandchildren():
    server = Fresh()
    server.begin(request_of(leave_a_grandchild, ()), silent)
    assert server.receive() is None
    time.sleep(0.2)
    server.connection.close()
    server._process.wait(timeout=20)


def test_job_that_kills_its_process_is_told(fresh):
    server = Fresh()
    assert "ended with 9" in str(run(server, die).error)
    assert not server.alive


@pytest.mark.parametrize(
    ("function", "error", "words"),
    [
        (lack, SetupError, "no compiler"),
        (fail, MeasureError, "no"),
        (blunder, DesignError, "allowed: something else"),  # a mistake in a circuit
    ],
)
def test_failure_in_a_process_is_told(fresh, function, error, words):
    outcome = run(fresh, function)
    assert type(outcome.error) is error
    assert words in str(outcome.error)


def test_failure_brings_its_log(fresh, tmp_path):
    log = tmp_path / "yosys.log"
    log.write_text("the tool's last words")
    assert run(fresh, fail_with_log, str(log)).log == "the tool's last words"


def test_missing_tool_of_the_flow_is_named(here, monkeypatch):
    monkeypatch.setenv("PATH", str(here))
    monkeypatch.setenv("CXX", "g++")  # not ziglang in its place
    job = flow("mulrem_r2l", 32, 3.0).job
    server = Fresh()
    outcome = run(server, job.function, *job.arguments)
    server.stop()
    assert isinstance(outcome.error, SetupError)
    assert "g++" in str(outcome.error)


@pytest.mark.slow
def test_flow_runs_in_a_process_and_tells_its_steps(here):
    lines, asked = [], flow("mulrem_r2l", 8, 5.0)
    server = Fresh()
    outcome = run(server, asked.job.function, *asked.job.arguments, progress=lines.append)
    server.stop()
    record = outcome.result
    assert (record.design, record.nbits, record.clock_ns) == ("mulrem_r2l", 8, 5.0)
    assert any("synthesis" in line for line in lines)
    assert asked.job.find(*asked.job.arguments) == record
    found = {(x.quantity, x.operation): x.value for x in asked.facts(record) if not x.part}
    assert found["area_um2", ""] == record.area_um2
    assert found["energy_nj", "encrypt"] == record.operations["encrypt"].energy_nj


def test_longest_jobs_come_first_and_shared_ones_once():
    asked = [measurement("a", 1), measurement("b", 3), measurement("c", 2), measurement("b", 3)]
    assert [job.name for job in in_order(asked)] == ["b", "c", "a"]


def test_failing_job_leaves_the_others():
    def work(job, progress):
        if job.name in "bd":
            raise SetupError("no\ntool") if job.name == "b" else ValueError()
        progress("begun")
        return job.name.upper()

    lines = []
    found, failures = collect([measurement(x) for x in "dabcab"], lines.append, work)
    assert found == ["A", "C", "A"]
    # In the order of the measurements, not in the order of their ends.
    assert [(x.name, x.message, x.setup) for x in failures] == [
        ("d", "ValueError", False),
        ("b", "no tool", True),
    ]
    assert "a: begun" in lines
    assert any(x.startswith("d: failed, ") and x.endswith(": ValueError") for x in lines)
    assert {line.partition(":")[0] for line in lines if ": done, " in line} == {"a", "c"}


def test_time_that_is_left_follows_from_weights(monkeypatch):
    now, lines = [100.0], []
    monkeypatch.setattr("rsaxcel.eval.measure.collect.time.monotonic", lambda: now[0])

    def work(job, progress):
        now[0] += 60 * job.weight
        if job.name == "b":
            raise ValueError("no luck")

    asked = [measurement(name, weight) for name, weight in (("a", 3), ("b", 2), ("c", 1))]
    collect(asked, lines.append, work)
    assert lines == [
        "a: done, 1 of 3, about 3 min left",
        "b: failed, 2 of 3, about 60 s left: no luck",
        "c: done, 3 of 3",
    ]


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.2, "1 s"), (80, "80 s"), (100, "2 min"), (5000, "83 min"), (7000, "2 h")],
)
def test_duration_is_rough(seconds, told):
    assert duration(seconds) == told


def test_what_lacks_a_tool_is_told_before_anything_begins():
    def find():
        raise ToolError("riscv64-unknown-elf-gcc is missing")

    jobs = [Job(name, lack, (), 1.0, find) for name in "ab"]
    lines = []
    found, failures = collect([Measurement(job, list) for job in jobs], lines.append)
    assert not found
    assert lines[:2] == [
        "no figures of a, b: riscv64-unknown-elf-gcc is missing",
        "0 of 2 results are there",
    ]
    assert not [line for line in lines if "done" in line]
    assert [(x.name, x.setup) for x in failures] == [("a", True), ("b", True)]


def test_interrupt_begins_nothing_new():
    begun = []

    def work(job, progress):
        begun.append(job.name)
        time.sleep(0.05)

    def interrupt(line):
        if "done" in line:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        collect([measurement(str(n)) for n in range(200)], interrupt, work)
    assert len(begun) < 200


def test_result_is_kept_while_its_sources_hold(here):
    source, calls = here / "source.py", []
    source.write_text("x = 1")

    def measure(_progress):
        calls.append(1)
        return {"cycles": len(calls), "keys": (1, 2)}

    def result(progress=silent, **inputs):
        return memoize("some cycles", inputs, [source], measure, progress)

    assert result(None, nbits=8) is None  # kept results only, and there is none
    assert result(nbits=8) == result(None, nbits=8) == {"cycles": 1, "keys": [1, 2]}
    assert result(nbits=9)["cycles"] == 2
    source.write_text("x = 1  # the only one")
    assert result(nbits=8)["cycles"] == 1
    source.write_text("x = 2")
    assert result(nbits=8)["cycles"] == 3
