"""What a worker of the cluster does for each job."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from distributed import get_worker
from distributed.worker import Worker

from eval.measure.fresh import Fresh, Request
from eval.measure.outcome import Outcome

_idle: list[Fresh] = []
"""Servers of this process that wait for a job."""


def perform(request: Request, name: str, topic: str) -> Outcome:
    """Do a job in a new process, as long as the scheduler wants it.

    Parameters
    ----------
    request : bytes
        Of ``eval.measure.fresh.request_of``.
    name : str
        The job's, to tell its steps by.
    topic : str
        Under which the steps are told to the client.
    """
    worker = get_worker()
    server = next((x for x in _taken() if x.alive), None) or Fresh()
    outcome = server.run(
        request, lambda line: worker.log_event(topic, (name, line)), _wanted(worker)
    )
    if server.alive:
        _idle.append(server)
    return replace(outcome, worker=worker.address)


def _taken():
    while _idle:
        yield _idle.pop()


def _wanted(worker: Worker) -> Callable[[], bool]:
    """Whether the task that this thread does has not been cancelled meanwhile."""
    key = worker.get_current_task()

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing"

    return wanted
