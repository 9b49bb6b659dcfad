"""Runs jobs, each in a process of its own, through pipes that only the command can reach.

PyMTL3 keeps state of every component, so jobs must not share a process; a new interpreter would
take longer to load the project than many jobs take. So a server forks each, after it has loaded all
modules; it ends when its parent ends.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from socket import gethostname
from typing import Any, NoReturn

import psutil

from rsaxcel.catalog import PROBLEMS
from rsaxcel.eval.measure.errors import JobOutcome, MeasureError, outcome_of
from rsaxcel.eval.measure.job import Job, Progress, tell
from rsaxcel.eval.measure.transfer import pack_used
from rsaxcel.store.processes import adopt_orphans, descendants, end_processes, end_with_parent

#: Most workers that may be killed while they run a job; the job fails if one more is.
MOST_DEATHS = 2

_SHARE = 0.9  #: share of the free memory that jobs may take
_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def do(jobs: Sequence[Job], progress: Progress, count: int) -> Iterator[tuple[Job, JobOutcome]]:
    """Run jobs in parallel, in order if memory allows; yield each job when it ends."""
    room = _room(count)
    waiting, deaths = list(jobs), Counter[Job]()
    idle: list[Fresh] = []
    running: dict[Any, tuple[Fresh, Job]] = {}  #: server and job by the server's connection
    try:
        while waiting or running:
            while job := next_job(waiting, [x for _, x in running.values()], room):
                server = next((x for x in taken(idle) if x.alive), None) or Fresh()
                running[server.connection] = server, job
                request = request_of(job.function, job.arguments)
                server.begin(request, partial(tell, progress, job.name))
            for connection in wait(list(running)):
                server, job = running[connection]
                outcome = server.receive()
                if outcome is None:
                    continue
                del running[connection]
                if server.alive:
                    idle.append(server)
                elif server.killed and outcome.error:
                    deaths[job] += 1
                    if deaths[job] <= MOST_DEATHS:
                        progress(f"{job.name}: its worker was killed; the job begins again")
                        waiting.insert(0, job)
                        continue
                    told = f"{deaths[job]} workers died in this job"
                    outcome = JobOutcome(error=MeasureError(told))
                yield job, replace(outcome, worker=gethostname())
    finally:
        servers = [*idle, *(server for server, _ in running.values())]
        for server in servers:  # all servers are told at once: each then ends its job
            server.connection.close()
        for server in servers:
            server.stop()


def next_job(waiting: list[Job], running: Iterable[Job], room: Sequence[float]) -> Job | None:
    """Remove and return the first waiting job for which there is room; None if there is none.

    ``room``: MB for each job at the same time, the largest first. A job that needs more than the
    largest number gets the largest.
    """
    running = list(running)
    for job in waiting:
        needs = sorted((x.memory_mb for x in (*running, job)), reverse=True)
        pairs = zip(needs, room, strict=False)
        if len(needs) <= len(room) and all(min(need, room[0]) <= has for need, has in pairs):
            waiting.remove(job)
            return job
    return None


def taken(idle: list[Fresh]) -> Iterator[Fresh]:
    """Remove and yield servers until the list is empty."""
    while idle:
        yield idle.pop()


def _room(count: int) -> list[float]:
    """Memory in MB for each of ``count`` jobs; only the first number allows a large job."""
    free = [psutil.virtual_memory().available]
    for limit in _LIMITS:
        with suppress(OSError, ValueError):  # the machine has no such limit, or "max"
            free.append(int(Path(limit).read_text(encoding="utf-8")))
    free_mb = _SHARE * min(free) / 1e6
    small_mb = free_mb / (2 * count)
    return [free_mb - small_mb * (count - 1)] + [small_mb] * (count - 1)


Request = bytes  #: pickled function and arguments of a job, see request_of

_STEP, _OUTCOME, _ENDED = range(3)
#: The path is set first: until then, Python imports modules of the current folder. After Ctrl-C,
#: the process that has started the server ends it.
_START = """
import sys; sys.path[:] = {path!r}
import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)
from rsaxcel.eval.measure import processes; processes.serve({descriptor})
"""
_POLL_S = 0.5
_ORPHANS_S = 1.0
_LOADED = (
    "rsaxcel.eval.measure.flows",
    "rsaxcel.eval.measure.cycles",
    "rsaxcel.eval.measure.claims",
)
_KIB_PER_MB = 1e6 / 1024


def request_of(
    function: Callable[..., Any], arguments: tuple[Any, ...], witness: Path | None = None
) -> Request:
    """Pickle a job's module-level function, arguments and witness of the command's folder."""
    # A worker that does not see the witness sends its stored results with the outcome.
    return pickle.dumps((pickle.dumps((function, arguments)), witness))


def _open_standard_streams() -> None:
    """Open the null device for closed standard streams: no pipe may get their descriptors."""
    while (opened := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(opened, True)
    os.close(opened)


class Fresh:
    """Server that runs one job at a time, each in a new process."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        _open_standard_streams()
        self.connection, theirs = Pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START.format(path=sys.path, descriptor=theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=2,  # to standard error: a job's output is not the command's result
            env={**os.environ, **(environment or {})},
            pass_fds=(theirs.fileno(),),
        )
        theirs.close()
        self._began = 0.0
        self._progress: Callable[[str], None] = print
        self._outcome: JobOutcome | None = None

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def killed(self) -> bool:
        return (self._process.poll() or 0) < 0

    def run(
        self,
        request: Request,
        progress: Callable[[str], None],
        wanted: Callable[[], bool] = lambda: True,
    ) -> JobOutcome:
        """Run a job and return its outcome; end it if ``wanted``, called each 0.5 s, is false."""
        self.begin(request, progress)
        while True:
            if self.connection.poll(_POLL_S):
                if outcome := self.receive():
                    return outcome
            elif not wanted():
                self.stop()
                return JobOutcome(error=MeasureError("the job was cancelled"))

    def begin(self, request: Request, progress: Callable[[str], None]) -> None:
        """Begin a job; ``receive`` calls ``progress`` with each line that the job reports."""
        self._began, self._progress, self._outcome = time.monotonic(), progress, None
        with suppress(OSError):  # the server has ended, as `receive` finds
            self.connection.send_bytes(request)

    def receive(self) -> JobOutcome | None:
        """Wait for the server's next message; return the job's outcome if the job has ended."""
        status = 0
        try:
            kind, content = self.connection.recv()
        except (EOFError, OSError, pickle.UnpicklingError):
            self.connection.close()
            status = self._process.wait()
            kind, content = _ENDED, (0.0, 0.0)
        if kind == _STEP:
            self._progress(content)
        elif kind == _OUTCOME:
            self._outcome = content
        else:
            died = JobOutcome(error=MeasureError(f"its process ended with {status}"))
            return (self._outcome or died).took(time.monotonic() - self._began, *content)
        return None

    def stop(self) -> None:
        self.connection.close()
        self._process.wait()


def serve(descriptor: int) -> NoReturn:
    """Run the jobs that a connection requests, one at a time, until it is closed."""
    adopt_orphans()
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
                end_with_parent(signal.SIGKILL)
                _do(connection, request)
            finally:
                os._exit(0)
        status, used = _watch(child, connection)
        if status:  # the job may have sent half a message: the connection cannot be used any more
            os._exit(min(abs(status), 255))
        connection.send((_ENDED, used))


def _do(connection: Connection, request: Request) -> None:
    inner, witness = pickle.loads(request)

    def work() -> Any:
        try:
            function, arguments = pickle.loads(inner)
        # the design of the request is not installed here
        except (ImportError, AttributeError) as error:
            lacking = f"{error}: every worker imports the design, so it needs a module of its own"
            reason = next(iter(PROBLEMS), lacking)
            raise MeasureError(reason) from error
        return function(*arguments, progress=lambda line: connection.send((_STEP, line)))

    outcome = outcome_of(work)
    if witness and not witness.exists() and outcome.error is None:
        outcome = replace(outcome, parcel=pack_used())
    connection.send((_OUTCOME, outcome))


def _watch(child: int, connection: Connection) -> tuple[int, tuple[float, float]]:
    """Wait for a job; return exit status, processor time in s and peak memory in MB.

    When the connection is closed, the job and this process are ended.
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
                # orphans of the job are waited for, too: this process has adopted them
                os.waitpid(-1, 0)
        os._exit(0)
    os.close(descriptor)
    _, status, usage = os.wait4(child, 0)
    seconds = usage.ru_utime + usage.ru_stime + _orphans_seconds()
    return os.waitstatus_to_exitcode(status), (seconds, usage.ru_maxrss / _KIB_PER_MB)


def _orphans_seconds() -> float:
    """Wait for processes that a job left, such as Yosys's server; return their CPU time in s."""
    # A server ends when the job's end of its pipe is closed. Any other process is killed, so that
    # it runs beside no later job.
    seconds, until = 0.0, time.monotonic() + _ORPHANS_S
    while True:
        try:
            pid, _, usage = os.wait3(os.WNOHANG)
        except ChildProcessError:
            return seconds
        if pid:
            seconds += usage.ru_utime + usage.ru_stime
            continue
        if time.monotonic() > until:
            end_processes(descendants(os.getpid()), signal.SIGKILL)
        time.sleep(0.01)
