"""Does measurements: what is kept is read, the rest is done side by side."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from eval.facts.fact import Fact
from eval.measure.errors import Failure, SetupFailure, one_line, some
from eval.measure.job import THIS_MACHINE, Job, Measurement, Place, Progress
from eval.measure.outcome import LACKING, Outcome, outcome_of

Work = Callable[[Job, Progress], Any]


def collect(
    measurements: Iterable[Measurement],
    progress: Progress,
    work: Work | None = None,
    *,
    place: Place = THIS_MACHINE,
    note: Callable[[Job, Outcome], None] = lambda job, outcome: None,
) -> tuple[list[Fact], list[Failure]]:
    """Do all jobs, the longest first, as many at a time as there are workers.

    Jobs that measurements share are done once; one that fails stops no other.

    Parameters
    ----------
    measurements : iterable of Measurement
        What is asked for.
    progress : callable
        Takes one line at a time, from any thread.
    work : callable, optional
        Does a job here, in this process, whether there is a result or not.
    place : Place
        Where jobs are done: on workers of this machine unless it says otherwise.
    note : callable
        Takes each job that was done, with what came of it, as soon as it has ended.

    Returns
    -------
    list of Fact, list of Failure
        What was found and what failed, in the order of the measurements.
    """
    measurements = list(measurements)
    jobs = in_order(measurements)
    found: dict[str, Any] = {}
    failures: list[Failure] = []
    if work is None:
        found = kept(jobs, progress)
        progress(f"{len(found)} of {len(jobs)} results are there")
        jobs = [job for job in jobs if job.name not in found]
    left = _Left(jobs)
    do = partial(_one_by_one, work) if work else partial(_side_by_side, place)
    for job, outcome in do(jobs, progress) if jobs else ():
        left.finish(job)
        note(job, outcome)
        error = outcome.error
        if error is None:
            found[job.name] = outcome.result
            progress(f"{job.name}: done, {left}")
            continue
        setup = isinstance(error, SetupFailure)
        failures.append(Failure(job.name, one_line(error), setup, str(error)))
        if not setup:  # those that lack a tool end at once, and together
            progress(f"{job.name}: failed, {left}: {failures[-1].told}")
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


class _Left:
    """How much there is still to do, and for how long.

    Parameters
    ----------
    jobs
        All that there is to do from now on.
    """

    def __init__(self, jobs: Sequence[Job]) -> None:
        self._total, self._done = len(jobs), 0
        self._weight, self._weight_done = sum(job.weight for job in jobs), 0.0
        self._began = time.monotonic()

    def finish(self, job: Job) -> None:
        """Take a job as done, or as failed."""
        self._done += 1
        self._weight_done += job.weight

    def __str__(self) -> str:
        """Count, and the time by the jobs' weights, which are rough."""
        counted = f"{self._done} of {self._total}"
        if self._done == self._total:
            return counted
        elapsed = time.monotonic() - self._began
        seconds = elapsed * (self._weight / self._weight_done - 1)
        return f"{counted}, about {duration(seconds)} left"


def duration(seconds: float) -> str:
    """Give a rough duration in the unit that suits it."""
    for size, unit in ((3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(seconds, 1):.0f} s"


def kept(jobs: Sequence[Job], progress: Progress) -> dict[str, Any]:
    """Results that need no work, here: a process takes longer to start than they to be read.

    What is lacking is told now rather than hours later.
    """
    found: dict[str, Any] = {}
    lacking: dict[str, list[str]] = {}
    for job in jobs:
        try:
            result = job.find(*job.arguments)
        except LACKING as error:
            lacking.setdefault(one_line(error), []).append(job.name)
        except Exception:  # it fails in its own process, too, and says why
            continue
        else:
            if result is not None:
                found[job.name] = result
    for reason, names in lacking.items():
        progress(f"no figures of {some(names)}: {reason}")
    return found


def _one_by_one(
    work: Work, jobs: Sequence[Job], progress: Progress
) -> Iterator[tuple[Job, Outcome]]:
    for job in jobs:
        tell = partial(_tell, progress, job.name)
        yield job, outcome_of(partial(work, job, tell))


def _tell(progress: Progress, name: str, text: str) -> None:
    """Say what a step belongs to."""
    progress(f"{name}: {text}")


def _side_by_side(
    place: Place, jobs: Sequence[Job], progress: Progress
) -> Iterable[tuple[Job, Outcome]]:
    from eval.measure.cluster import do  # Dask takes long to load

    return do(jobs, progress, place)
