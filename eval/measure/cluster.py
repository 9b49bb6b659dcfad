"""Runs jobs on a named cluster of Dask's ``distributed``: parts of command and workers."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from queue import Empty, Queue
from socket import create_connection
from typing import Any
from uuid import uuid4

import dask
from distributed import Client, Future, Security, get_worker
from distributed.comm import get_address_host_port, parse_address
from distributed.scheduler import KilledWorker
from distributed.worker import Worker

from rsaxcel.eval.measure.errors import JobOutcome, MeasureError
from rsaxcel.eval.measure.job import ALLOWED_ADDRESS, Job, Progress
from rsaxcel.eval.measure.processes import Fresh, Request, next_job, request_of, taken
from rsaxcel.eval.measure.transfer import fingerprint, keep_parcel, pack_designs, unpack_designs
from rsaxcel.eval.measure.witness import witness
from rsaxcel.store.errors import SetupError, UserError
from rsaxcel.store.folders import CacheError
from rsaxcel.store.shown import one_line

#: Servers in this process that run no job, by the packed designs that they have loaded.
_idle: dict[bytes, list[Fresh]] = defaultdict(list)


@dataclass(frozen=True)
class Asker:
    """Command that requests jobs."""

    topic: str  #: Dask's topic for lines of progress
    needed: Mapping[str, str]  #: versions that a worker must have, see `own`; empty: not checked
    designs: bytes  #: designs packed by pack_designs; empty: none, or the workers have them


def perform(request: Request, name: str, asker: Asker) -> JobOutcome:
    """Run a job in a new process, until it ends or the scheduler cancels it."""
    worker = get_worker()
    if asker.needed and (reason := difference(own(), asker.needed)):
        return JobOutcome(error=SetupError(f"{worker.address} {reason}"), worker=worker.address)
    idle = _idle[asker.designs]
    server = next((x for x in taken(idle) if x.alive), None)
    server = server or Fresh(unpack_designs(asker.designs))
    told = _told_to(worker, asker.topic, name)
    outcome = server.run(request, told, _wanted(worker))
    if server.alive:
        idle.append(server)
    return replace(outcome, worker=worker.address)


@cache
def own() -> Mapping[str, str]:
    """Fingerprint of this process: versions of its code and tools; cached."""
    return fingerprint()


def difference(theirs: Mapping[str, str], ours: Mapping[str, str]) -> str:
    """Describe how a worker's fingerprint differs from the command's; empty if they are equal."""
    for name, value in ours.items():
        if theirs.get(name) != value:
            return (
                f"has {name} {theirs.get(name)}, and {value} is needed: install the same there, "
                "and start the worker again"
            )
    return ""


def _told_to(worker: Worker, topic: str, name: str) -> Callable[[str], None]:
    return lambda line: worker.log_event(topic, (name, line))


def _wanted(worker: Worker) -> Callable[[], bool]:
    """Return a function that tells whether the Dask task of this thread has not been cancelled."""
    key = worker.get_current_task()

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state != "cancelled"

    return wanted


MEMORY = "memory_mb"  #: name in Dask of a worker's resource: memory in MB that its jobs may take

_GONE = "the scheduler is gone; results are kept, and the same command continues from them"
_LOOK_S = 2.0  #: interval in s at which the list of workers is read


def workers_of(client: Client) -> Mapping[str, Any]:
    """Dask's data on each worker, by address; ``UserError`` if the scheduler does not answer."""
    try:
        # `client.scheduler_info()` may lack workers: the client overwrites its data periodically.
        return client.sync(client.scheduler.identity, n_workers=-1)["workers"]
    except OSError as error:
        raise UserError(_GONE) from error


class ClusterRun:
    """Runs jobs on a cluster, in their order.

    Dask only chooses a free worker with enough memory. Jobs do not queue at a worker: if the worker
    died, they would be lost. ``asker``: the command's data for workers. ``witness``: file by which
    workers know whether they share its folder (``eval.measure.witness``).
    """

    def __init__(
        self, client: Client, jobs: Sequence[Job], progress: Progress, asker: Asker, witness: Path
    ) -> None:
        self._client, self._progress = client, progress
        self._asker, self._witness = asker, witness
        self._waiting = list(jobs)
        self._running: dict[Future, Job] = {}
        self._ended: Queue[Future] = Queue()
        self._known: set[str] = set()

    def outcomes(self) -> Iterator[tuple[Job, JobOutcome]]:
        """Yield each job with its outcome when it ends."""
        self._client.subscribe_topic(self._asker.topic, self._tell)
        try:
            while self._waiting or self._running:
                self._hand_out()
                try:
                    future = self._ended.get(timeout=_LOOK_S)
                except Empty:
                    continue
                yield self._running.pop(future), self._outcome(future)
        finally:
            self._client.cancel(list(self._running))

    def _tell(self, event: tuple[float, Any]) -> None:
        _, (name, line) = event
        self._progress(f"{name}: {line}")

    def _hand_out(self) -> None:
        """Submit as many jobs as the workers have threads and memory for."""
        self._witness.touch()
        room = self._room()
        while job := next_job(self._waiting, self._running.values(), room):
            future = self._client.submit(
                perform,
                request_of(job.function, job.arguments, self._witness),
                job.name,
                self._asker,
                key=f"{job.name}-{uuid4().hex}",
                resources={MEMORY: min(job.memory_mb, room[0])},
                pure=False,
            )
            self._running[future] = job
            future.add_done_callback(self._ended.put)

    def _room(self) -> list[float]:
        """Memory in MB that jobs may take, one number for each worker thread, the largest first."""
        workers = workers_of(self._client)
        for address in self._known - set(workers):
            self._progress(f"the worker {address} is gone; other workers take over its jobs")
        self._known = set(workers)
        about = workers.values()
        found = [x["resources"].get(MEMORY, 0.0) for x in about for _ in range(x["nthreads"])]
        return sorted((x for x in found if x), reverse=True)

    def _outcome(self, future: Future) -> JobOutcome:
        error = future.exception() if future.status == "error" else None
        if isinstance(error, KilledWorker):
            last = error.last_worker.address
            return JobOutcome(
                error=MeasureError(
                    f"{error.allowed_failures + 1} workers died in this job, the last one {last}"
                )
            )
        if error is not None:
            return JobOutcome(error=MeasureError(str(error) or type(error).__name__))
        if future.cancelled():
            raise UserError(_GONE)
        outcome = future.result()
        if outcome.parcel:
            try:
                keep_parcel(outcome.parcel)
            except (ValueError, CacheError) as failed:
                return replace(outcome, error=SetupError(str(failed)), parcel=b"")
        return replace(outcome, parcel=b"")


_FOLDER = Path("build")
_CONNECT_S = 10
_QUIET: Mapping[str, Any] = {
    "distributed.comm.timeouts.connect": f"{_CONNECT_S}s",
    "distributed.client.scheduler-info-interval": "30s",
}
_LOGGERS = ("distributed", "asyncio", "tornado", "bokeh")
_CERTIFICATES = (
    "name files in DASK_DISTRIBUTED__COMM__TLS__CA_FILE, DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT "
    "and DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY"
)


def do(jobs: Sequence[Job], progress: Progress, address: str) -> Iterator[tuple[Job, JobOutcome]]:
    """Run jobs on a cluster, in order if memory allows; yield each job when it ends."""
    with dask.config.set(_QUIET), _quiet(), _connected(address) as client:
        progress(f"dashboard: {client.dashboard_link}")
        topic = f"rsaxcel-{uuid4().hex}"
        asker = Asker(topic, needed=own(), designs=pack_designs())
        _check(client, address, asker, progress)
        with witness(_FOLDER) as path:
            yield from ClusterRun(client, jobs, progress, asker, path).outcomes()


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask's loggers: the outcomes report all that matters."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _check(client: Client, address: str, asker: Asker, progress: Progress) -> None:
    """Raise ``UserError`` if a worker of a cluster cannot run the jobs."""
    workers = workers_of(client)
    if not workers:
        progress(f"{address} has no workers yet; waiting for one")
    for worker, about in workers.items():
        if not about["resources"].get(MEMORY):
            raise UserError(
                f"--scheduler={address}: the worker {worker} does not say how much memory its jobs "
                f'may take; start it with: dask worker {address} --resources "{MEMORY}=8000"'
            )
    try:
        found = client.run(own, on_error="return")
    except Exception as error:  # a worker of another version may raise any error
        found = dict.fromkeys(workers, error)
    for worker, theirs in found.items():
        reason = f"cannot load rsaxcel ({theirs}): install it there"
        if not isinstance(theirs, Exception):
            reason = difference(theirs, asker.needed)
        if reason:
            raise UserError(f"--scheduler={address}: the worker {worker} {reason}")


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    option = f"--scheduler={address}"
    try:
        security = Security().get_connection_args("client")
    except (OSError, ValueError) as error:
        told = f"certificate or key cannot be read ({one_line(error)})"
        raise UserError(f"{option}: {told}; {_CERTIFICATES}") from error
    if parse_address(address)[0] != "tls":
        if security["require_encryption"]:
            raise UserError(f"{option}: Dask's configuration allows a tls:// address only")
    elif not security["ssl_context"]:
        raise UserError(f"{option}: no certificate; {_CERTIFICATES}")
    try:
        # Try to connect without Dask first, whose clients complain when removed without a
        # scheduler.
        with create_connection(get_address_host_port(address), _CONNECT_S):
            pass
    except (OSError, ValueError, OverflowError) as error:
        raise UserError(f"{option}: no scheduler there; {ALLOWED_ADDRESS}") from error
    try:
        client = Client(address, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        told = f"the scheduler there refuses the connection ({one_line(error.__cause__ or error)})"
        raise UserError(f"{option}: {told}; protocol and certificate must be its own") from error
    with client:
        yield client
