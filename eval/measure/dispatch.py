"""Hands jobs to the workers of a cluster, and takes what comes of them.

Dask is asked for one thing: a worker with room for a job. Jobs are handed out as workers get free,
the longest first, because a worker that is lost takes along what waits there.
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

from eval.measure.errors import MeasureError, SetupFailure
from eval.measure.fresh import request_of
from eval.measure.job import Job, Progress
from eval.measure.outcome import Outcome
from eval.measure.remote import Asker, perform
from eval.measure.transfer import keep_parcel
from store.errors import UserError
from store.folders import CacheError

MEMORY = "memory_mb"
"""Resource of a worker by Dask's name: MB of memory that its jobs may take."""

MOST_DEATHS = 2
"""Workers that may die of a job before it counts as failed, where the scheduler is ours."""

_GONE = "the scheduler is gone; what was found is kept, and the same command goes on there"
_LOOK_S = 2.0  # how often workers that came or went are looked for


def workers_of(client: Client) -> Mapping[str, Any]:
    """Give what is known of each worker, by its address.

    Raises
    ------
    UserError
        If the scheduler does not answer any more.
    """
    try:
        # `scheduler_info` may have lost the workers to what the client's own loop asks meanwhile.
        return client.sync(client.scheduler.identity, n_workers=-1)["workers"]
    except OSError as error:
        raise UserError(_GONE) from error


class Run:
    """Jobs that a client hands out.

    Parameters
    ----------
    client
        Of the cluster.
    jobs
        In the order in which they are to begin.
    progress
        Takes their steps.
    asker, witness
        What workers are told of whoever asks.
    """

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

    def outcomes(self) -> Iterator[tuple[Job, Outcome]]:
        """Give each job as it ends."""
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
        """Give as many jobs as there is room for."""
        self._witness.touch()
        room = self._room()
        while job := next((x for x in self._waiting if self._fits(x, room)), None):
            self._waiting.remove(job)
            future = self._client.submit(
                perform,
                request_of(job.function, job.arguments, self._witness),
                *(job.name, self._asker),
                key=f"{job.name}-{uuid4().hex}",
                resources={MEMORY: min(job.memory_mb, room[0])},
                pure=False,
            )
            self._running[future] = job
            future.add_done_callback(self._ended.put)

    def _room(self) -> list[float]:
        """Memory of the workers in MB, the largest first, once for each thread."""
        workers = workers_of(self._client)
        for address in self._known - set(workers):
            self._progress(f"the worker {address} is gone; others do what it was doing")
        self._known = set(workers)
        about = workers.values()
        found = [x["resources"].get(MEMORY, 0.0) for x in about for _ in range(x["nthreads"])]
        return sorted((x for x in found if x), reverse=True)

    def _fits(self, job: Job, room: Sequence[float]) -> bool:
        """Whether each running job and this one could have a worker of their own."""
        if not room:
            return False
        needs = sorted((x.memory_mb for x in (*self._running.values(), job)), reverse=True)
        if len(needs) > len(room):
            return False
        return all(min(need, room[0]) <= has for need, has in zip(needs, room, strict=False))

    def _outcome(self, future: Future) -> Outcome:
        error = future.exception() if future.status == "error" else None
        if isinstance(error, KilledWorker):
            last = error.last_worker.address
            return Outcome(
                error=MeasureError(
                    f"{error.allowed_failures + 1} workers died of it, the last one {last}"
                )
            )
        if error is not None:
            return Outcome(error=MeasureError(str(error) or type(error).__name__))
        if future.cancelled():
            raise UserError(_GONE)
        outcome = future.result()
        if outcome.parcel:
            try:
                keep_parcel(outcome.parcel)
            except (ValueError, CacheError) as failed:
                return replace(outcome, error=SetupFailure(str(failed)), parcel=b"")
        return replace(outcome, parcel=b"")
