"""Signals end a command and all its child processes, at any time."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.shared.processes import marked

ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
NAMES = [x.name for x in ENDING]

#: Script of a worker with children in their own sessions: one ignores signals, one is an orphan.
WORKER = Path(__file__).with_name("worker.txt").read_text("utf-8")


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
    with marked(["-c", f"{ignoring}\n{WORKER.format(doing=doing)}"], tmp_path) as process:
        assert process.wait(60) == 0
    assert process.out.read_text() == "begun\nstill there\n"


def test_copies_of_the_worker_end_by_a_signal(tmp_path):
    doing = "pid = os.fork() or time.sleep(60); os.kill(pid, 15); print(os.waitpid(pid, 0)[1])"
    with marked(["-c", f"import os\n{WORKER.format(doing=doing)}"], tmp_path) as process:
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
