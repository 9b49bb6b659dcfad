"""Starts processes, and finds child processes that they leave behind."""

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
RSAXCEL = sys.executable, "-m", "rsaxcel"
"""The command line, in a process of its own."""
_MARK = "RSAXCEL_TEST_MARK"


def run(
    *command: object, folder: Path | None = None, **environment: str | None
) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, with other environment variables; those of None are left out."""
    variables = {k: v for k, v in (os.environ | environment).items() if v is not None}
    shown = {"capture_output": True, "text": True, "timeout": 600, "check": False}
    return subprocess.run([str(x) for x in command], cwd=folder, env=variables, **shown)


def run_python(
    *arguments: object, folder: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run Python on this project."""
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    return run(sys.executable, *arguments, folder=folder, **{"PYTHONPATH": path, **environment})


def _hold_interrupts() -> None:
    """Block interrupts until Python can handle them, as the installed command does."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])


class Marked(subprocess.Popen):
    """Process in a new session, marked together with all its descendants.

    The mark is an environment variable, which descendants inherit. Output goes to files, because a
    pipe would stay open until the last descendant ends.
    """

    def __init__(self, arguments: Sequence[str], folder: Path) -> None:
        self.mark = uuid.uuid4().hex
        self.out, self.err = folder / "out", folder / "err"
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        with self.out.open("w") as out, self.err.open("w") as err:
            super().__init__(
                [sys.executable, *arguments],
                cwd=folder,
                env={**os.environ, _MARK: self.mark, "PYTHONPATH": path.rstrip(os.pathsep)},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
                preexec_fn=_hold_interrupts,
            )

    def living(self) -> list[str]:
        """Command lines of all marked processes that exist, whatever their parent is now."""
        mark = f"{_MARK}={self.mark}".encode()
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (folder / "environ").read_bytes().split(b"\0"):
                    found.append((folder / "cmdline").read_bytes().decode().replace("\0", " "))
            except OSError:  # the process has ended, or belongs to another user
                continue
        return found

    def wait_for_living(self, count: int, seconds: float = 60) -> None:
        """Wait until ``count`` marked processes exist; a process that starts shows no mark yet."""
        until = time.monotonic() + seconds
        while len(self.living()) != count:
            assert time.monotonic() < until, self.living()
            time.sleep(0.01)

    def wait_for(self, words: str, seconds: float = 60) -> None:
        """Wait until the output has some words."""
        until = time.monotonic() + seconds
        while words not in self.out.read_text() + self.err.read_text():
            assert time.monotonic() < until, self.err.read_text()
            assert self.poll() is None, self.err.read_text()
            time.sleep(0.01)


@contextmanager
def marked(arguments: Sequence[str], folder: Path) -> Iterator[Marked]:
    """Start a process; at the end, kill it and its descendants if they exist."""
    process = Marked(arguments, folder)
    try:
        yield process
    finally:
        for path in Path("/proc").glob("[0-9]*/environ"):
            try:
                if process.mark.encode() in path.read_bytes():
                    os.kill(int(path.parent.name), 9)
            except OSError:
                continue
        process.wait()
