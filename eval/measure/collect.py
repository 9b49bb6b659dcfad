"""Does measurements, side by side."""

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from functools import partial
from typing import Any

from eval.facts.fact import Fact
from eval.measure.errors import Failure, SetupFailure, one_line
from eval.measure.job import Job, Measurement, Progress
from eval.measure.processes import Processes

Work = Callable[[Job, Progress], Any]


def collect(
    measurements: Iterable[Measurement], progress: Progress, work: Work | None = None
) -> tuple[list[Fact], list[Failure]]:
    """Do all jobs, the longest first, as many at a time as there are cores.

    Jobs that measurements share are done once; one that fails stops no other.

    Parameters
    ----------
    measurements : iterable of Measurement
        What is asked for.
    progress : callable
        Takes one line at a time, from any thread.
    work : callable, optional
        Does a job; in a process of its own otherwise.

    Returns
    -------
    list of Fact, list of Failure
        What was found and what failed, in the order of the measurements.
    """
    measurements = list(measurements)
    jobs = in_order(measurements)
    processes = Processes()
    found: dict[str, Any] = {}
    failures: list[Failure] = []
    if work is None:
        work = partial(_in_process, processes)
        found = _kept(jobs)
        if found:
            progress(f"{len(found)} of {len(jobs)} results are there")
        jobs = [job for job in jobs if job.name not in found]
    with ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as pool:
        futures = {pool.submit(work, job, partial(_tell, progress, job.name)): job for job in jobs}
        try:
            for count, future in enumerate(as_completed(futures), start=1):
                name = futures[future].name
                try:
                    found[name] = future.result()
                except Exception as error:  # whatever it is, the other results stay
                    setup = isinstance(error, SetupFailure)
                    failures.append(Failure(name, one_line(error), setup))
                    if not setup:  # those that lack a tool end at once, and together
                        progress(f"{name}: failed: {one_line(error)}")
                else:
                    progress(f"{name}: done, {count} of {len(jobs)}")
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            processes.stop()
            raise
    order = {x.job.name: number for number, x in enumerate(measurements)}
    failures.sort(key=lambda failure: order[failure.name])
    facts = [
        fact for x in measurements if x.job.name in found for fact in x.facts(found[x.job.name])
    ]
    return facts, failures


def in_order(measurements: Iterable[Measurement]) -> Sequence[Job]:
    """Give every job once, the longest first."""
    jobs = dict.fromkeys(measurement.job for measurement in measurements)
    return sorted(jobs, key=lambda job: -job.weight)


def _kept(jobs: Sequence[Job]) -> dict[str, Any]:
    """Results that need no work, here: a process takes longer to start than they to be read."""
    found = {}
    for job in jobs:
        # What cannot be looked for fails in its own process, and says why.
        with suppress(Exception):
            result = job.find(*job.arguments)
            if result is not None:
                found[job.name] = result
    return found


def _tell(progress: Progress, name: str, text: str) -> None:
    """Say what a step belongs to."""
    progress(f"{name}: {text}")


def _in_process(processes: Processes, job: Job, progress: Progress) -> Any:
    return processes.run(job.function, *job.arguments, progress=progress)
