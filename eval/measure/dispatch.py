"""Hands jobs to the workers of a cluster, the longest first, and collects their outcomes.

Dask only chooses a free worker with enough memory. Jobs do not queue at a worker: if the worker
died, they would be lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from queue import Empty, Queue
from typing import Any
from uuid import uuid4

from distributed import Client, Future
from distributed.scheduler import KilledWorker

from rsaxcel.eval.measure.errors import MeasureError
from rsaxcel.eval.measure.fresh import request_of
from rsaxcel.eval.measure.job import Job, Progress
from rsaxcel.eval.measure.outcome import JobOutcome
from rsaxcel.eval.measure.processes import next_job
from rsaxcel.eval.measure.remote import Asker, perform
from rsaxcel.eval.measure.transfer import keep_parcel
from rsaxcel.store.errors import SetupError, UserError
from rsaxcel.store.folders import CacheError

MEMORY = "memory_mb"  # name in Dask of a worker's resource: memory in MB that its jobs may take

_GONE = "the scheduler is gone; results are kept, and the same command continues from them"
_LOOK_S = 2.0  # interval in s at which the list of workers is read


def workers_of(client: Client) -> Mapping[str, Any]:
    """Dask's data on each worker, by address; ``UserError`` if the scheduler does not answer."""
    try:
        # `client.scheduler_info()` may lack workers: the client overwrites its data periodically.
        return client.sync(client.scheduler.identity, n_workers=-1)["workers"]
    except OSError as error:
        raise UserError(_GONE) from error


class Run:
    """Runs jobs on a cluster, in their order."""

    # ``asker``: what workers need to know of the command (``eval.measure.remote``). ``witness``:
    # file by which workers know whether they share its folder (``eval.measure.witness``).

    def __init__(
        self,
        client: Client,
        jobs: Sequence[Job],
        progress: Progress,
        asker: Asker,
        witness: Path,
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
