"""What a worker of the cluster does for each job."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from distributed import get_worker
from distributed.worker import Worker

from eval.measure.errors import SetupFailure
from eval.measure.fresh import Fresh, Request
from eval.measure.outcome import Outcome
from eval.measure.transfer import fingerprint, unpack_designs

_idle: dict[bytes, list[Fresh]] = defaultdict(list)
"""Servers of this process that wait for a job, by the designs that they know."""


@dataclass(frozen=True)
class Asker:
    """Who asks for jobs.

    Parameters
    ----------
    topic : str
        Under which steps are told to it.
    needed : mapping of str to str
        Its ``fingerprint``, which the worker's has to be; empty where nobody doubts it.
    designs : bytes
        Its designs from outside, by ``pack_designs``; empty where the worker knows them.
    """

    topic: str
    needed: Mapping[str, str]
    designs: bytes


def perform(request: Request, name: str, asker: Asker) -> Outcome:
    """Do a job in a new process, as long as the scheduler wants it.

    Parameters
    ----------
    request : bytes
        Of ``eval.measure.fresh.request_of``.
    name : str
        The job's, to tell its steps by.
    asker : Asker
        Who asks for it.
    """
    worker = get_worker()
    if asker.needed and (reason := difference(own(), asker.needed)):
        return Outcome(error=SetupFailure(f"{worker.address} {reason}"), worker=worker.address)
    idle = _idle[asker.designs]
    server = next((x for x in _taken(idle) if x.alive), None)
    server = server or Fresh(unpack_designs(asker.designs))
    told = _told_to(worker, asker.topic, name)
    outcome = server.run(request, told, _wanted(worker))
    if server.alive:
        idle.append(server)
    return replace(outcome, worker=worker.address)


@cache
def own() -> Mapping[str, str]:
    """Fingerprint of this process."""
    return fingerprint()


def difference(theirs: Mapping[str, str], ours: Mapping[str, str]) -> str:
    """Say how a worker differs from whoever asks it; nothing if it does not."""
    for name, value in ours.items():
        if theirs.get(name) != value:
            return (
                f"has {name} {theirs.get(name)}, and {value} is needed: install the same there, "
                "and start the worker again"
            )
    return ""


def _taken(idle: list[Fresh]):
    while idle:
        yield idle.pop()


def _told_to(worker: Worker, topic: str, name: str) -> Callable[[str], None]:
    return lambda line: worker.log_event(topic, (name, line))


def _wanted(worker: Worker) -> Callable[[], bool]:
    """Whether the task that this thread does has not been cancelled meanwhile."""
    key = worker.get_current_task()

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state != "cancelled"

    return wanted
