"""Jobs on a cluster: workers on this machine and on others, some of which are lost."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from diagnosis.error import DesignError
from eval.measure import cluster, dispatch
from eval.measure.collect import collect
from eval.measure.job import Job, Place
from eval.measure.transfer import PACKAGES
from store.errors import UserError
from tests.eval.cluster_jobs import COUNTED, begun, deadly, measurement, mistaken, waiting
from tests.processes import ROOT


@pytest.fixture
def counted(tmp_path, monkeypatch) -> Path:
    """Separate current folder, and a folder in which jobs note when they begin."""
    folder = tmp_path / "counted"
    folder.mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv(COUNTED, str(folder))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("RSAXCEL_DESIGNS", raising=False)
    return folder


def test_workers_of_this_machine(counted):
    asked = [
        waiting("a", 0.2, weight=3),
        measurement(mistaken, "b", weight=2),
        waiting("ccc", 0.2),
    ]
    lines, listening, noted, read = [], set(), {}, []

    def note(job, outcome):
        noted[job.name] = outcome
        link = next(x for x in lines if x.startswith("dashboard: ")).partition(" ")[2]
        with urllib.request.urlopen(link) as page:
            read.append(page.read().decode())
        for process in [psutil.Process(), *psutil.Process().children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):
                found = process.net_connections("tcp")
                listening.update(x.laddr.ip for x in found if x.status == "LISTEN")

    facts, failures = collect(asked, lines.append, place=Place(workers=2), note=note)
    assert {x.subject: x.value for x in facts} == {"a": 1, "ccc": 3}
    (failure,) = failures
    # The message of a mistake in a circuit keeps its lines.
    assert failure.told == "s.x is not assigned\n  allowed: an assignment"
    assert isinstance(noted["b"].error, DesignError)
    assert noted["a"].memory_mb > 10
    assert 0.2 < noted["a"].seconds
    assert listening == {"127.0.0.1"}
    assert "a: waiting" in lines
    assert any(re.fullmatch(r"dashboard: http://127\.0\.0\.1:\d+/.*", x) for x in lines)
    assert "Worker" in read[0]  # this page needs no Bokeh
    # Kept results are found without a cluster.
    del lines[:], asked[1]
    assert collect(asked, lines.append) == (facts, [])
    assert lines == ["2 of 2 results are there"]
    assert len(begun("a")) == len(begun("ccc")) == 1


@pytest.mark.parametrize(
    ("room", "running", "needed", "fits"),
    [
        ([], [], 100, False),
        ([8000, 2000], [], 9000, True),  # larger than any worker by its estimate
        ([8000, 2000], [1000], 5000, True),
        ([8000, 2000], [5000], 1000, True),
        ([8000, 2000], [5000], 5000, False),  # two large jobs do not run at the same time
        ([8000, 2000], [1000, 1000], 1000, False),
    ],
)
def test_no_two_large_jobs_run_side_by_side(room, running, needed, fits):
    run = dispatch.Run(None, [], print, None, None)
    run._running = {n: Job(str(n), print, (), memory_mb=x) for n, x in enumerate(running)}
    assert run._fits(Job("next", print, (), memory_mb=needed), room) == fits


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "tcp://no.such.host.invalid:8786"])
def test_address_without_a_scheduler_is_refused(counted, monkeypatch, address):
    monkeypatch.setattr(cluster, "_CONNECT_S", 1)
    with pytest.raises(UserError, match=rf"--scheduler={address}: no scheduler there"):
        collect([waiting("a", 0.0)], print, place=Place(address))


@pytest.mark.parametrize("address", ["127.0.0.1:8786", "tls://host:1", "tcp://[::1]:8786"])
def test_addresses(address):
    assert Place(address).scheduler == address
    for wrong in (address.rpartition(":")[0], f"{address} ", f"{address}/x"):
        with pytest.raises(UserError, match="an address such as"):
            Place(wrong)


@contextmanager
def process(folder: Path, *arguments: str, **environment: str) -> Iterator[subprocess.Popen]:
    folder.mkdir(exist_ok=True)
    with (folder / "log").open("a") as log:
        started = subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments],
            cwd=folder,
            env={**os.environ, "RSAXCEL_CACHE": str(folder / "cache"), **environment},
            stdout=log,
            stderr=log,
        )
    try:
        yield started
    finally:
        started.kill()
        started.wait()


@contextmanager
def scheduler(folder: Path) -> Iterator[str]:
    file = folder / "scheduler.json"
    options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    with process(folder / "scheduler", "scheduler", *options, "--scheduler-file", str(file)):
        until = time.monotonic() + 120
        while not file.exists() or not file.read_text():
            assert time.monotonic() < until, (folder / "scheduler" / "log").read_text()
            time.sleep(0.1)
        yield json.loads(file.read_text())["address"]


def worker(folder: Path, address: str, *options: str, **environment: str):
    options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", *options)
    if "--resources" not in options:
        options = (*options, "--resources", "memory_mb=4000")
    return process(folder, "worker", address, *options, **environment)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_workers_elsewhere_of_which_one_is_killed(counted, tmp_path):
    """Results arrive without a shared folder; the job of a lost worker runs again."""
    names = ["a", "bb", "ccc", "dddd", "eeeee", "ffffff"]
    asked = [waiting(x, 3.0) for x in names] + [measurement(mistaken, "b")]
    lines, left = [], {}
    with scheduler(tmp_path) as address, worker(tmp_path / "one", address) as lost:

        def note(job, outcome):
            left.setdefault(job.name, []).append(outcome)
            if len(left) == 3:
                lost.send_signal(signal.SIGKILL)

        with worker(tmp_path / "two", address):
            facts, failures = collect(asked, lines.append, place=Place(address), note=note)
    assert [(x.name, x.message[:3]) for x in failures] == [("b", "s.x")]
    assert {x.subject: x.value for x in facts} == {x: len(x) for x in names}
    assert any("is gone" in x for x in lines)
    assert {len(x) for x in left.values()} == {1}
    counts = [len(begun(x)) for x in names]
    assert sorted(set(counts)) in ([1], [1, 2])
    assert counts.count(2) <= 1  # the job of the killed worker
    # All results are in the stores of this machine.
    assert collect(asked[:-1], lines.append) == (facts, [])
    assert [x.name for x in Path("build").iterdir()] == ["measurements"]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_job_that_kills_workers_fails(counted):
    asked = [measurement(deadly, "deadly", "deadly"), waiting("a", 0.1)]
    facts, failures = collect(asked, print, place=Place(workers=1))
    assert [x.subject for x in facts] == ["a"]
    (failure,) = failures
    assert failure.message.startswith(f"{dispatch.MOST_DEATHS + 1} workers died in this job")
    assert len(begun("deadly")) == dispatch.MOST_DEATHS + 1


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_workers_that_serve_for_nothing_are_refused(counted, tmp_path):
    asked = [waiting("a", 0.0)]
    with scheduler(tmp_path) as address:
        with worker(tmp_path / "one", address, "--resources", "other=1"):
            _wait_for_a_worker(address)
            with pytest.raises(UserError, match="does not say how much memory"):
                collect(asked, print, place=Place(address))
        other = tmp_path / "other"
        for name in PACKAGES:
            shutil.copytree(ROOT / name, other / name)
        with (other / "sim" / "operations.py").open("a") as file:
            file.write("\nMORE = 1\n")
        with worker(tmp_path / "two", address, PYTHONPATH=str(other)):
            _wait_for_a_worker(address)
            with pytest.raises(UserError, match=r"has rsaxcel's code \w{12}, and \w{12} is"):
                collect(asked, print, place=Place(address))


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_design_from_outside_gets_to_workers(counted, tmp_path):
    """Workers also report mistakes in the design, which do not stop other jobs."""
    marks = {**os.environ, "RSAXCEL_CACHE": str(tmp_path / "cache")}

    def rsaxcel(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
        command = [sys.executable, "-m", "rsaxcel", *arguments]
        return subprocess.run(command, env=marks | environment, capture_output=True, text=True)

    assert rsaxcel("new", "multiplier", "booth").returncode == 0
    shutil.copytree("booth", "latch")
    for path in Path("latch").iterdir():
        text = path.read_text().replace("booth", "latch").replace("Booth", "Latch")
        path.write_text(re.sub(r"id=\d+", "id=7777", text))
        path.rename(path.with_name(path.name.replace("booth", "latch")))
    circuit = Path("latch", "latch_rtl.py")
    circuit.write_text(circuit.read_text().replace("            s.added @= s.doubled\n", "", 1))
    Path("mine.toml").write_text(
        "[[group]]\nnbits = 8\nmeasure = 'cl_cycles'\ndesign = ['booth_r2l', 'latch_r2l']"
    )
    known = os.pathsep.join(str(Path(x).absolute()) for x in ("booth", "latch"))
    with scheduler(tmp_path) as address, worker(tmp_path / "one", address):
        command = ("sweep", "mine.toml", "--scheduler", address)
        done = rsaxcel(*command, RSAXCEL_DESIGNS=known)
    assert done.returncode == 1, done.stderr
    assert "model booth_r2l_8: done" in done.stderr
    assert "s.added of Latch is not assigned on every path" in done.stderr
    assert "allowed: an assignment to s.added before the if" in done.stderr
    (failed,) = json.loads(Path("build/sweeps/mine/failures.json").read_text())
    assert failed["point"] == "latch_r2l_8"
    assert failed["reason"].count("\n") == 2


def _wait_for_a_worker(address: str) -> None:
    with cluster.Client(address, set_as_default=False) as client:
        client.wait_for_workers(1, timeout=120)
