"""Collects measurements: what is stored, and what jobs in parallel give; so for the laboratory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.measure.errors import Failure, JobOutcome, outcome_of, some
from rsaxcel.eval.measure.job import THIS_MACHINE, Job, Measurement, Progress, Workers, tell
from rsaxcel.lab.blocks import LEAST_SECONDS, Block, keep_entries, make_entries, shared
from rsaxcel.store.errors import SetupError
from rsaxcel.store.folders import check_writable
from rsaxcel.store.shown import one_line

Work = Callable[[Job, Progress], Any]


def collect(
    measurements: Iterable[Measurement],
    progress: Progress,
    work: Work | None = None,
    *,
    workers: Workers = THIS_MACHINE,
    note: Callable[[Job, JobOutcome], None] = lambda job, outcome: None,
    found: dict[str, Any] | None = None,
) -> tuple[list[Fact], list[Failure]]:
    """Run the jobs of measurements in parallel on all workers, the longest job first.

    A job that measurements share runs once. If a job fails, the others run all the same. ``work``
    runs a job in this process, without stored results. ``found`` is extended with results by job.
    """
    measurements = list(measurements)
    jobs = in_order(measurements)
    failures: list[Failure] = []
    if found is None:
        found = {} if work else kept(jobs, progress)
    if not work:
        known = sum(job.name in found for job in jobs)
        progress(f"{known} of {len(jobs)} results are there")
    jobs = [job for job in jobs if job.name not in found]
    left = _Left(jobs)
    do = partial(_one_by_one, work) if work else partial(side_by_side, workers)
    for job, outcome in do(jobs, progress) if jobs else ():
        left.finish(job)
        note(job, outcome)
        error = outcome.error
        if error is None:
            found[job.name] = outcome.result
            progress(f"{job.name}: done, {left}")
            continue
        setup = isinstance(error, SetupError)
        failures.append(Failure(job.name, one_line(error), setup, str(error)))
        if not setup:  # a missing tool fails many jobs at once: no line for each
            progress(f"{job.name}: failed, {left}: {failures[-1].told}")
    order = {x.job.name: number for number, x in enumerate(measurements)}
    failures.sort(key=lambda failure: order[failure.name])
    facts = [
        fact for x in measurements if x.job.name in found for fact in x.facts(found[x.job.name])
    ]
    return facts, failures


def in_order(measurements: Iterable[Measurement]) -> Sequence[Job]:
    """Order jobs, the longest first; of equally long jobs, all but the first come at the end.

    Circuits of one multiplier and width have one weight. The synthesis of the first circuit stores
    units that the others share, unless they run beside it.
    """
    jobs = dict.fromkeys(measurement.job for measurement in measurements)
    first: dict[float, Job] = {}
    for job in jobs:
        first.setdefault(job.weight, job)
    return sorted(jobs, key=lambda job: (first[job.weight] is not job, -job.weight))


class _Left:
    """Number of jobs that have ended, and the estimated time for the remaining jobs."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self._total, self._done = len(jobs), 0
        self._weight, self._weight_done = sum(job.weight for job in jobs), 0.0
        self._began = time.monotonic()

    def finish(self, job: Job) -> None:
        """Count a job that has ended, whether it is done or has failed."""
        self._done += 1
        self._weight_done += job.weight

    def __str__(self) -> str:
        """Text with the number of ended jobs, and the time left, estimated by the jobs' weights."""
        counted = f"{self._done} of {self._total}"
        if self._done == self._total:
            return counted
        elapsed = time.monotonic() - self._began
        seconds = elapsed * (self._weight / self._weight_done - 1)
        return f"{counted}, about {duration(seconds)} left"


def duration(seconds: float) -> str:
    """Text of a rough duration in s, min or h."""
    for size, unit in ((3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(seconds, 1):.0f} s"


def kept(jobs: Sequence[Job], progress: Progress) -> dict[str, Any]:
    """Read the stored results of jobs, by the name of the job."""
    # This process reads them, because starting another one takes longer. Missing tools, and folders
    # that cannot be written, are reported before the first job runs.
    found: dict[str, Any] = {}
    lacking: dict[str, list[str]] = {}
    for job in jobs:
        try:
            result = job.find(*job.arguments)
        except SetupError as error:
            lacking.setdefault(one_line(error), []).append(job.name)
        except Exception:  # the job's own process will fail in the same way, and report the reason
            continue
        else:
            if result is not None:
                found[job.name] = result
    for reason, names in lacking.items():
        progress(f"no figures of {some(names)}: {reason}")
    return found


def _one_by_one(
    work: Work, jobs: Sequence[Job], progress: Progress
) -> Iterator[tuple[Job, JobOutcome]]:
    for job in jobs:
        yield job, outcome_of(partial(work, job, partial(tell, progress, job.name)))


def side_by_side(
    workers: Workers, jobs: Sequence[Job], progress: Progress
) -> Iterable[tuple[Job, JobOutcome]]:
    """Run jobs in parallel on all workers; yield each job when it ends."""
    check_writable(Path("build"))
    if workers.scheduler:
        from rsaxcel.eval.measure import cluster  # Dask takes long to load

        return cluster.do(jobs, progress, workers.scheduler)
    from rsaxcel.eval.measure import processes  # loads the flow

    return processes.do(jobs, progress, min(workers.count, len(jobs)))


def run_blocks(blocks: Sequence[Block], workers: Workers, progress: Progress) -> None:
    """Make the entries of all blocks that lack them, the first of a name first.

    On this machine, nothing is done if the work is for one worker: the caller makes its entries.
    """
    lacking = [block for block in blocks if not block.is_kept]
    shares = shared(lacking, workers.shares)
    little = sum(block.seconds for block in lacking) < 1.5 * LEAST_SECONDS
    if not workers.scheduler and (little or min(len(shares), workers.count) < 2):
        return
    jobs = [_job(share, bool(workers.scheduler)) for share in shares]
    for done, (job, outcome) in enumerate(side_by_side(workers, jobs, progress), start=1):
        if outcome.error is not None:
            raise outcome.error
        keep_entries(outcome.result)
        progress(f"{job.name}: done, {done} of {len(jobs)}")


def _job(share: Sequence[Block], sends: bool) -> Job:
    first, last = share[0], share[-1]
    name = first.name if first is last else f"{first.name} to {last.name.split()[-1]}"
    numbers, entries = [x.number for x in share], [x.entry for x in share]
    arguments = (first.make, first.arguments, numbers, entries, sends)
    seconds, memory_mb = sum(x.seconds for x in share), max(x.memory_mb for x in share)
    return Job(name, make_entries, arguments, seconds, memory_mb=memory_mb)
