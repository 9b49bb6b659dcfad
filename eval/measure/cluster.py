"""Runs jobs on a cluster of Dask's ``distributed``, on this machine or on others.

Without a named cluster, the workers are processes of this machine, which listen on 127.0.0.1 only
and end with the command.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from socket import create_connection
from typing import Any
from uuid import uuid4

import dask
import psutil
from distributed import Client, Nanny, Scheduler, SpecCluster
from distributed.comm import get_address_host_port
from distributed.system import MEMORY_LIMIT

from eval.measure.dispatch import MEMORY, MOST_DEATHS, Run, workers_of
from eval.measure.job import ALLOWED_ADDRESS, Job, Place, Progress
from eval.measure.outcome import JobOutcome
from eval.measure.remote import Asker, difference, own
from eval.measure.tracker import start_tracker
from eval.measure.transfer import pack_designs
from eval.measure.witness import witness
from store.errors import UserError
from store.folders import check_writable

_FOLDER = Path("build")
_HOST = "127.0.0.1"
_CONNECT_S = 10
_SHARE = 0.9  # share of the free memory that jobs may take
_QUIET: Mapping[str, Any] = {
    "distributed.worker.daemon": False,
    "distributed.scheduler.allowed-failures": MOST_DEATHS,
    "distributed.comm.timeouts.connect": f"{_CONNECT_S}s",
    # Jobs run in separate processes, whose memory Dask does not see.
    "distributed.worker.memory.terminate": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.target": False,
    "distributed.admin.tick.limit": "1h",
    # Dask's monitoring would take more processor time than handing out jobs.
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.client.scheduler-info-interval": "30s",
}
_LOGGERS = ("distributed", "asyncio", "tornado", "bokeh")


def do(jobs: Sequence[Job], progress: Progress, place: Place) -> Iterator[tuple[Job, JobOutcome]]:
    """Run jobs on a cluster, in their order if memory allows, and yield each job when it ends.

    Raises
    ------
    UserError
        If there is no scheduler at the address, or its workers cannot run the jobs.
    CacheError
        If the current folder cannot be written.
    """
    check_writable(_FOLDER)
    with dask.config.set(_QUIET), _quiet():
        count = min(place.count, len(jobs))
        with _connected(place.scheduler) if place.scheduler else _local(count) as client:
            progress(f"dashboard: {_dashboard(client, place)}")
            asker = Asker(f"rsaxcel-{uuid4().hex}", {}, b"")
            if place.scheduler:
                asker = replace(asker, needed=own(), designs=pack_designs())
                _check(client, place.scheduler, asker, progress)
            with witness(_FOLDER) as path:
                yield from Run(client, jobs, progress, asker, path).outcomes()


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


@contextmanager
def _local(count: int) -> Iterator[Client]:
    """Start workers on this machine: processes with one thread each.

    The first worker gets most of the memory, so that two large jobs never run at the same time.
    """
    free_mb = _SHARE * min(psutil.virtual_memory().available, MEMORY_LIMIT) / 1e6
    small_mb = free_mb / (2 * count)
    options = {
        "nthreads": 1,
        "host": _HOST,
        "memory_limit": 0,
        "dashboard": False,
        "silence_logs": logging.CRITICAL + 1,
        "death_timeout": 60,
    }
    large_mb = free_mb - small_mb * (count - 1)
    workers = {
        number: {
            "cls": Nanny,
            "options": options | {"resources": {MEMORY: small_mb if number else large_mb}},
        }
        for number in range(count)
    }
    scheduler = {
        "cls": Scheduler,
        "options": {"host": _HOST, "port": 0, "dashboard_address": f"{_HOST}:0"},
    }
    start_tracker()
    with (
        SpecCluster(workers, scheduler, silence_logs=logging.CRITICAL + 1) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


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
    except Exception as error:  # a worker of another version may raise anything
        found = dict.fromkeys(workers, error)
    for worker, theirs in found.items():
        reason = f"cannot load rsaxcel ({theirs}): install it there"
        if not isinstance(theirs, Exception):
            reason = difference(theirs, asker.needed)
        if reason:
            raise UserError(f"--scheduler={address}: the worker {worker} {reason}")


def _dashboard(client: Client, place: Place) -> str:
    """Address of Dask's dashboard, or of a page without plots if Bokeh is missing."""
    link = client.dashboard_link
    if place.scheduler or find_spec("bokeh"):
        return link
    return link.replace("/status", "/info/main/workers.html")


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    try:
        # First without Dask, whose clients that find nothing complain when they are removed.
        with create_connection(get_address_host_port(address), _CONNECT_S):
            pass
        client = Client(address, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, ValueError, OverflowError) as error:
        raise UserError(f"--scheduler={address}: no scheduler there; {ALLOWED_ADDRESS}") from error
    with client:
        yield client
