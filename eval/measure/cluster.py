"""Runs jobs on a named cluster of Dask's ``distributed``."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from socket import create_connection
from typing import Any
from uuid import uuid4

import dask
from distributed import Client, Security
from distributed.comm import get_address_host_port, parse_address

from rsaxcel.eval.measure.dispatch import MEMORY, Run, workers_of
from rsaxcel.eval.measure.job import ALLOWED_ADDRESS, Job, Progress
from rsaxcel.eval.measure.outcome import JobOutcome
from rsaxcel.eval.measure.remote import Asker, difference, own
from rsaxcel.eval.measure.transfer import pack_designs
from rsaxcel.eval.measure.witness import witness
from rsaxcel.store.errors import UserError
from rsaxcel.store.shown import one_line

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
        # First without Dask, whose clients that find nothing complain when they are removed.
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
