"""Signals end a command and all its child processes, at any time."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from rsaxcel.store.processes import descendants
from tests.shared.processes import marked

ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
NAMES = [x.name for x in ENDING]

#: Script of a worker with children in their own sessions: one ignores signals, one is an orphan.
WORKER = """
import subprocess, sys, time
from rsaxcel.cli.signals import stand_guard
stand_guard()
subprocess.Popen(["sh", "-c", "trap '' TERM INT HUP; exec setsid sleep 60"])
subprocess.run(["sh", "-c", "setsid sleep 60 & exit"])
print("begun", flush=True)
try:
    {doing}
except KeyboardInterrupt:
    print("last words", flush=True)
    raise SystemExit(130)
"""


def script(doing: str) -> list[str]:
    return ["-c", WORKER.format(doing=doing)]


@pytest.mark.parametrize("signum", ENDING, ids=NAMES)
@pytest.mark.parametrize("send", [os.kill, os.killpg], ids=["one", "all"])
def test_signal_ends_everything_and_the_worker_has_last_words(tmp_path, signum, send):
    if signal.getsignal(signum) == signal.SIG_IGN:
        pytest.skip("ignored here, as by nohup, and so by what is started")
    with marked(script("time.sleep(60)"), tmp_path) as process:
        process.wait_for("begun")
        process.wait_for_living(4)
        send(process.pid, signum)
        assert process.wait(10) == 128 + signum
        assert process.living() == []
    assert process.out.read_text() == "begun\nlast words\n"
    assert process.err.read_text() == ""


def test_worker_that_does_not_listen_is_ended_too(tmp_path):
    deaf = "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, [15]); time.sleep(60)"
    with marked(script(deaf), tmp_path) as process:
        process.wait_for("begun")
        time.sleep(0.1)
        process.terminate()
        assert process.wait(10) == 128 + signal.SIGTERM  # 0.6 s on an idle machine
        assert process.living() == []
    assert process.err.read_text() == ""


def test_guard_that_is_killed_leaves_nothing(tmp_path):
    with marked(script("time.sleep(60)"), tmp_path) as process:
        process.wait_for("begun")
        process.kill()
        process.wait()
        until = time.monotonic() + 10
        while process.living():
            assert time.monotonic() < until, process.living()
            time.sleep(0.02)
    assert process.out.read_text() == "begun\nlast words\n"


POOL = """
import os, subprocess
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from rsaxcel.store.processes import end_with_process
with ProcessPoolExecutor(2, get_context("forkserver"), end_with_process, (os.getpid(),)) as pool:
    for seconds in "60", "61":
        pool.submit(subprocess.run, ["sleep", seconds])
    print("begun", flush=True)
"""


def test_a_pool_whose_owner_is_killed_leaves_nothing(tmp_path):
    """As `prove --workers 2` whose guard and worker are killed."""
    with marked(["-c", POOL], tmp_path) as process:
        process.wait_for("begun")
        process.wait_for_living(7)
        process.kill()
        process.wait()
        until = time.monotonic() + 10
        while process.living():
            assert time.monotonic() < until, process.living()
            time.sleep(0.02)


SEMAPHORES = """
from multiprocessing import get_context
from rsaxcel.lab.proofs.study import start_tracker
start_tracker()
queue = get_context("spawn").Queue()
"""
# Work that ends slowly, because a signal takes a moment to end the tracker.
SLOW_TO_END = "try: time.sleep(60)\n    finally: time.sleep(0.2)"


@pytest.mark.parametrize("killed", [("guard",), ("worker",), ("guard", "worker")], ids="+".join)
def test_semaphores_of_what_is_killed_are_unlinked_in_silence(tmp_path, killed):
    begin = WORKER.replace("print(", SEMAPHORES + "print(queue._rlock._semlock.name, ", 1)
    with marked(["-c", begin.format(doing=SLOW_TO_END)], tmp_path) as process:
        process.wait_for("begun")
        worker = descendants(process.pid)[0]
        for name in killed:
            os.kill({"guard": process.pid, "worker": worker}[name], signal.SIGKILL)
        process.wait(10)
        until = time.monotonic() + 10
        # If guard and worker are killed, the child that ignores signals has no parent.
        while any("sleep" not in x for x in process.living()):
            assert time.monotonic() < until, process.living()
            time.sleep(0.02)
    told = "rsaxcel: error: ended by the signal SIGKILL\n" if killed == ("worker",) else ""
    assert process.err.read_text() == told
    name = process.out.read_text().split()[0]
    assert name.startswith("/mp-")
    assert not Path(f"/dev/shm/sem.{name[1:]}").exists()


def test_status_is_the_workers_and_what_it_leaves_is_ended(tmp_path):
    with marked(script("raise SystemExit(7)"), tmp_path) as process:
        assert process.wait(60) == 7
        assert process.living() == []
    assert process.err.read_text() == ""


def test_worker_that_is_killed_is_told(tmp_path):
    doing = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    with marked(script(doing), tmp_path) as process:
        assert process.wait(60) == 128 + signal.SIGKILL
        assert process.living() == []
    assert process.err.read_text() == "rsaxcel: error: ended by the signal SIGKILL\n"


def test_interrupts_that_the_caller_ignores_are_ignored(tmp_path):
    """A command in the background of a script ignores interrupts."""
    doing = "os.kill(os.getppid(), signal.SIGINT); time.sleep(0.3); print('still there')"
    ignoring = "import os, signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    with marked(["-c", ignoring + WORKER.format(doing=doing)], tmp_path) as process:
        assert process.wait(60) == 0
    assert process.out.read_text() == "begun\nstill there\n"


def test_copies_of_the_worker_end_by_a_signal(tmp_path):
    doing = "pid = os.fork() or time.sleep(60); os.kill(pid, 15); print(os.waitpid(pid, 0)[1])"
    with marked(["-c", "import os" + WORKER.format(doing=doing)], tmp_path) as process:
        assert process.wait(60) == 0
    assert process.out.read_text() == f"begun\n{signal.SIGTERM.value}\n"


def test_command_line_is_quiet_while_it_is_imported(tmp_path):
    """Interrupts in the first 0.14 s after the worker has started print nothing."""
    for step in range(8):
        with marked(["-m", "rsaxcel", "list"], tmp_path) as process:
            until = time.monotonic() + 20
            while len(process.living()) < 2:  # until the worker exists
                assert time.monotonic() < until
                time.sleep(0.001)
            time.sleep(step * 0.02)
            os.killpg(process.pid, signal.SIGINT)
            assert process.wait(10) in (0, 130), sys.version
            assert process.living() == []
        assert process.err.read_text().strip() == ""


@pytest.mark.slow
def test_a_tracker_that_is_late_on_a_busy_machine_still_unlinks(tmp_path):
    begin = WORKER.replace("print(", SEMAPHORES + "print(queue._rlock._semlock.name, ", 1)
    with marked(["-c", begin.format(doing=SLOW_TO_END)], tmp_path) as process:
        process.wait_for("begun")
        worker = descendants(process.pid)[0]
        (tracker,) = (x for x in descendants(worker) if "tracker" in cmdline(x))
        os.kill(tracker, signal.SIGSTOP)
        os.kill(worker, signal.SIGKILL)
        time.sleep(2)
        os.kill(tracker, signal.SIGCONT)
        process.wait(10)
    assert not Path(f"/dev/shm/sem.{process.out.read_text().split()[0][1:]}").exists()


def cmdline(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text()
