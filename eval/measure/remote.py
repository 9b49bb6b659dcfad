"""Code that a worker of the cluster runs for each job."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from distributed import get_worker
from distributed.worker import Worker

from rsaxcel.eval.measure.fresh import Fresh, Request
from rsaxcel.eval.measure.outcome import JobOutcome
from rsaxcel.eval.measure.processes import taken
from rsaxcel.eval.measure.transfer import fingerprint, unpack_designs
from rsaxcel.store.errors import SetupError

_idle: dict[bytes, list[Fresh]] = defaultdict(list)
"""Servers in this process that run no job, by the packed designs that they have loaded."""


@dataclass(frozen=True)
class Asker:
    """Command that requests jobs."""

    topic: str  # of Dask, for lines of progress
    needed: Mapping[str, str]  # versions that a worker must have, see own; empty: not checked
    designs: bytes  # packed by pack_designs; empty: none, or the workers have them


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
