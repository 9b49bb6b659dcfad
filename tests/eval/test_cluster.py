"""Jobs on a cluster: workers on this machine and on others, some of which are lost."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dask
import psutil
import pytest
from distributed import Security

from rsaxcel.diagnosis.error import DesignError
from rsaxcel.eval.measure import cluster, processes
from rsaxcel.eval.measure.collect import collect
from rsaxcel.eval.measure.job import Job, Workers
from rsaxcel.eval.measure.processes import MOST_DEATHS
from rsaxcel.eval.measure.transfer import PACKAGES
from rsaxcel.store.errors import UserError
from rsaxcel.store.packages import MODULES
from tests.eval.cluster_jobs import (
    COUNTED,
    begun,
    deadly,
    deadly_elsewhere,
    measurement,
    mistaken,
    waiting,
)
from tests.eval.stranger import reached_by_a_stranger
from tests.shared.processes import ROOT, RSAXCEL, marked, run


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
    asked = [waiting("a", 0.2, weight=3), measurement(mistaken, "b", weight=2), waiting("ccc", 0.2)]
    lines, noted, reached = [], {}, []

    def note(job, outcome):
        noted[job.name] = outcome
        reached.extend(reached_by_a_stranger(psutil.Process().children(recursive=True)))

    facts, failures = collect(asked, lines.append, workers=Workers(workers=2), note=note)
    assert {x.subject: x.value for x in facts} == {"a": 1, "ccc": 3}
    (failure,) = failures
    # The message of a mistake in a circuit keeps its lines.
    assert failure.told == "s.x is not assigned\n  allowed: an assignment"
    assert isinstance(noted["b"].error, DesignError)
    assert noted["a"].memory_mb > 10
    assert 0.2 < noted["a"].seconds
    assert reached == []
    assert "a: waiting" in lines
    assert not any(x.startswith("dashboard") for x in lines)
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
    waiting = [Job("next", print, (), memory_mb=needed)]
    others = [Job(str(n), print, (), memory_mb=x) for n, x in enumerate(running)]
    assert (processes.next_job(waiting, others, room) is not None) == fits
    assert waiting == [] or not fits


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "tcp://no.such.host.invalid:8786"])
def test_address_without_a_scheduler_is_refused(counted, monkeypatch, address):
    monkeypatch.setattr(cluster, "_CONNECT_S", 1)
    with pytest.raises(UserError, match=rf"--scheduler={address}: no scheduler there"):
        collect([waiting("a", 0.0)], print, workers=Workers(address))


@pytest.mark.parametrize(
    ("setting", "address", "words"),
    [
        ({}, "tls://127.0.0.1:1", "no certificate; name files in DASK_DISTRIBUTED__COMM__TLS__CA_"),
        ({"tls.ca-file": "no.pem"}, "tls://127.0.0.1:1", "no certificate; name files in"),
        (
            {"tls.ca-file": "no.pem", "tls.client.cert": "no.pem"},
            "tls://127.0.0.1:1",
            r"certificate or key cannot be read \(.*No such file or directory\)",
        ),
        ({"require-encryption": True}, "tcp://127.0.0.1:1", "allows a tls:// address only"),
    ],
)
def test_scheduler_that_needs_another_certificate_is_refused(counted, setting, address, words):
    with (
        dask.config.set({f"distributed.comm.{name}": value for name, value in setting.items()}),
        pytest.raises(UserError, match=rf"^--scheduler={address}: .*{words}[^\n]*$"),
    ):
        collect([waiting("a", 0.0)], print, workers=Workers(address))


@pytest.mark.parametrize("address", ["127.0.0.1:8786", "tls://host:1", "tcp://[::1]:8786"])
def test_addresses(address):
    assert Workers(address).scheduler == address
    for wrong in (address.rpartition(":")[0], f"{address} ", f"{address}/x"):
        with pytest.raises(UserError, match="an address such as"):
            Workers(wrong)


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
def scheduler(folder: Path, protocol: str = "tcp") -> Iterator[str]:
    file = folder / "scheduler.json"
    options = ("--host", f"{protocol}://127.0.0.1", "--port", "0", "--no-dashboard")
    with process(folder / "scheduler", "scheduler", *options, "--scheduler-file", str(file)):
        until = time.monotonic() + 120
        while not file.exists() or not file.read_text():
            assert time.monotonic() < until, (folder / "scheduler" / "log").read_text()
            time.sleep(0.1)
        yield json.loads(file.read_text())["address"]


def worker(folder: Path, address: str, *options: str, **environment: str):
    options = ("--no-nanny", "--no-dashboard", "--local-directory", ".", *options)
    options = ("--nthreads", "1", *options)
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
            facts, failures = collect(asked, lines.append, workers=Workers(address), note=note)
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
@pytest.mark.parametrize("command", [f"sweep {ROOT}/docs/examples/sweep-short.toml", "report"])
def test_no_other_account_reaches_a_command(tmp_path, command):
    with marked(["-m", "rsaxcel", *command.split()], tmp_path) as process:
        until = time.monotonic() + 900
        while "synthesis" not in process.err.read_text():  # Yosys has a process of its own
            assert reached_by_a_stranger(psutil.Process(process.pid).children(recursive=True)) == []
            assert time.monotonic() < until
        family = psutil.Process(process.pid).children(recursive=True)
        assert len(family) > 2
        assert reached_by_a_stranger(family) == []


def _certificate(folder: Path) -> dict[str, str]:
    """Make a certificate; return Dask's settings that name it."""
    folder.mkdir()
    made = Security.temporary()
    (folder / "cert.pem").write_text(made.tls_client_cert)
    (folder / "key.pem").write_text(made.tls_client_key)
    names = [f"{x}.{y}" for x in ("scheduler", "worker", "client") for y in ("cert", "key")]
    files = {"ca-file": "cert.pem"} | {x: f"{x.partition('.')[2]}.pem" for x in names}
    return {f"distributed.comm.tls.{x}": str(folder / file) for x, file in files.items()}


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_cluster_with_certificates(counted, tmp_path, monkeypatch):
    own, other = (_certificate(tmp_path / name) for name in ("own", "other"))
    for name, value in own.items():
        variable = name.upper().replace("-", "_").replace(".", "__")
        monkeypatch.setenv(f"DASK_{variable}", value)
    with scheduler(tmp_path, "tls") as address, worker(tmp_path / "one", address) as started:
        with dask.config.set(own):
            facts, failures = collect([waiting("a", 0.0)], print, workers=Workers(address))
        assert (len(facts), failures) == (1, [])
        for settings, named, words in (
            ({}, address, "no certificate"),
            (other, address, "refuses the connection"),
            (own, address.replace("tls", "tcp"), "refuses the connection"),
        ):
            with dask.config.set(settings), pytest.raises(UserError, match=words):
                collect([waiting("b", 0.0)], print, workers=Workers(named))
        # What the other tests do not find, this one does.
        assert reached_by_a_stranger([psutil.Process(started.pid)])


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_job_that_kills_workers_fails(counted):
    asked = [
        measurement(deadly, "deadly", "deadly"),
        measurement(deadly, "once", "once", 1),
        waiting("a", 0.1),
    ]
    facts, failures = collect(asked, print, workers=Workers(workers=1))
    assert {x.subject: x.value for x in facts} == {"once": 4, "a": 1}
    (failure,) = failures
    assert failure.message == f"{MOST_DEATHS + 1} workers died in this job"
    assert len(begun("deadly")) == MOST_DEATHS + 1


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_job_that_kills_workers_elsewhere_fails(counted, tmp_path, monkeypatch):
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "0")
    with scheduler(tmp_path) as address, worker(tmp_path / "one", address):
        asked = [measurement(deadly_elsewhere, "deadly")]
        facts, (failure,) = collect(asked, print, workers=Workers(address))
    assert facts == []
    assert failure.message.startswith("1 workers died in this job, the last one tcp://")


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_workers_that_serve_for_nothing_are_refused(counted, tmp_path):
    asked = [waiting("a", 0.0)]
    with scheduler(tmp_path) as address:
        with worker(tmp_path / "one", address, "--resources", "other=1"):
            _wait_for_a_worker(address)
            with pytest.raises(UserError, match="does not say how much memory"):
                collect(asked, print, workers=Workers(address))
        other = tmp_path / "other"
        for name in PACKAGES:
            shutil.copytree(ROOT / name, other / "rsaxcel" / name)
        for name in MODULES:
            shutil.copy(ROOT / name, other / "rsaxcel")
        with (other / "rsaxcel" / "sim" / "operations.py").open("a") as file:
            file.write("\nMORE = 1\n")
        with worker(tmp_path / "two", address, PYTHONPATH=str(other)):
            _wait_for_a_worker(address)
            with pytest.raises(UserError, match=r"has rsaxcel's code \w{12}, and \w{12} is"):
                collect(asked, print, workers=Workers(address))


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_design_from_outside_gets_to_workers(counted, tmp_path):
    """Workers also report mistakes in the design, which do not stop other jobs."""
    cache = {"RSAXCEL_CACHE": str(tmp_path / "cache")}
    assert run(*RSAXCEL, "new", "multiplier", "booth", **cache).returncode == 0
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
        command = (*RSAXCEL, "sweep", "mine.toml", "--scheduler", address)
        done = run(*command, RSAXCEL_DESIGNS=known, **cache)
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
