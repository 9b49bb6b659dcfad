"""Runs jobs in processes of this machine, through pipes that only the command can reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from multiprocessing.connection import wait
from pathlib import Path
from socket import gethostname
from typing import Any

import psutil

from rsaxcel.eval.measure.errors import JobOutcome, MeasureError
from rsaxcel.eval.measure.fresh import Fresh, request_of
from rsaxcel.eval.measure.job import Job, Progress, tell

MOST_DEATHS = 2
"""Most workers that may be killed while they run a job; the job fails if one more is."""

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
