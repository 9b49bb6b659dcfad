"""Does each job in a new process: a server forks one from a process that has loaded everything.

PyMTL3 elaborates one component per process at a time and forgets none, so that a job must not
find what another has left; and a new interpreter takes longer to load the project than many a job.
When whoever has started the server ends, however that happens, the server ends, and with it the
job and all that this has started.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NoReturn

from catalog import PROBLEMS
from eval.measure.errors import MeasureError
from eval.measure.outcome import Outcome, outcome_of
from eval.measure.transfer import pack_used
from eval.signals import descendants, end_processes

Request = bytes
"""What a job does, pickled, see ``request_of``."""

_STEP, _OUTCOME, _ENDED = range(3)
_START = (
    "import sys; sys.path[:] = {path!r}; from eval.measure import fresh; fresh.serve({descriptor})"
)
_POLL_S = 0.5
_LOADED = ("eval.measure.flows", "eval.measure.cycles")
_KIB_PER_MB = 1e6 / 1024


def request_of(
    function: Callable[..., Any], arguments: tuple[Any, ...], witness: Path | None = None
) -> Request:
    """Pickle what a job does.

    Parameters
    ----------
    function
        A module's function, so that the other process finds it; takes the keyword ``progress``.
    arguments
        Arguments that can be pickled.
    witness
        A file in the current folder that is there where results are kept for whoever asks: where
        it is not, they come along with the outcome.
    """
    return pickle.dumps((pickle.dumps((function, arguments)), witness))


class Fresh:
    """A server that does one job at a time, each in a new process.

    Parameters
    ----------
    environment : mapping of str to str
        Variables that differ from those of this process.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._connection, theirs = Pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START.format(path=sys.path, descriptor=theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=2,  # what a job prints is no result of the command
            env={**os.environ, **(environment or {})},
            pass_fds=(theirs.fileno(),),
        )
        theirs.close()

    @property
    def alive(self) -> bool:
        """Whether it can take another job."""
        return self._process.poll() is None

    def run(
        self,
        request: Request,
        progress: Callable[[str], None],
        wanted: Callable[[], bool] = lambda: True,
    ) -> Outcome:
        """Do a job.

        Parameters
        ----------
        request : bytes
            Of ``request_of``.
        progress : callable
            Takes the lines that the function reports.
        wanted : callable
            Asked now and then whether the result is still wanted; otherwise the job is ended.
        """
        began, outcome, status, used = time.monotonic(), None, 0, (0.0, 0.0)
        try:
            self._connection.send_bytes(request)
            while True:
                while not self._connection.poll(_POLL_S):
                    if not wanted():
                        self.stop()
                        return Outcome(error=MeasureError("it was not wanted any more"))
                kind, content = self._connection.recv()
                if kind == _STEP:
                    progress(content)
                elif kind == _OUTCOME:
                    outcome = content
                else:
                    used = content
                    break
        except (EOFError, OSError, pickle.UnpicklingError):
            self._connection.close()
            status = self._process.wait()
        outcome = outcome or Outcome(error=MeasureError(f"its process ended with {status}"))
        return outcome.took(time.monotonic() - began, *used)

    def stop(self) -> None:
        """End the server and what it does."""
        self._connection.close()
        self._process.wait()


def serve(descriptor: int) -> NoReturn:
    """Do jobs, one at a time, for whoever is at the other end of a connection."""
    for name in _LOADED:
        import_module(name)
    connection = Connection(descriptor)
    while True:
        try:
            request = connection.recv_bytes()
        except (EOFError, OSError):
            os._exit(0)
        child = os.fork()
        if not child:
            try:
                _do(connection, request)
            finally:
                os._exit(0)
        status, used = _watch(child, connection)
        if status:  # it may have ended within a message
            os._exit(min(abs(status), 255))
        connection.send((_ENDED, used))


def _do(connection: Connection, request: Request) -> None:
    inner, witness = pickle.loads(request)

    def work() -> Any:
        try:
            function, arguments = pickle.loads(inner)
        except (ImportError, AttributeError) as error:  # a design that is not here
            reason = next(iter(PROBLEMS), f"{error}, which every worker needs to have installed")
            raise MeasureError(reason) from error
        return function(*arguments, progress=lambda line: connection.send((_STEP, line)))

    outcome = outcome_of(work)
    if witness and not witness.exists() and outcome.error is None:
        outcome = replace(outcome, parcel=pack_used())
    connection.send((_OUTCOME, outcome))


def _watch(child: int, connection: Connection) -> tuple[int, tuple[float, float]]:
    """Wait for a job; give its status, its seconds of a core, and its largest process in MB.

    Ends the job, and this process, when the connection ends.
    """
    descriptor = os.pidfd_open(child)
    waiting = select.poll()
    for file in (descriptor, connection.fileno()):
        waiting.register(file, select.POLLIN)
    ready = [file for file, _ in waiting.poll()]
    if descriptor not in ready:
        while left := descendants(os.getpid()):
            end_processes(left, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(child, 0)
        os._exit(0)
    os.close(descriptor)
    _, status, usage = os.wait4(child, 0)
    used = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / _KIB_PER_MB
    return os.waitstatus_to_exitcode(status), used
