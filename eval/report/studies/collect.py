"""Does the jobs of studies, side by side."""

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from typing import Any

from eval.report.measure import Progress, one_line, tell
from eval.report.processes import Processes
from eval.report.results import Failure, SetupFailure
from eval.report.studies.study import Findings, Job, Study

Work = Callable[[Job, Progress], Any]


def collect(
    studies: Iterable[Study],
    max_nbits: int,
    progress: Progress,
    work: Work | None = None,
) -> tuple[Findings, list[Failure]]:
    """Do all jobs, the longest first, as many at a time as there are cores.

    Jobs that studies share are done once; one that fails stops no other.

    Parameters
    ----------
    studies : iterable of Study
        Whose jobs.
    max_nbits : int
        Greatest width in bits.
    progress : callable
        Takes one line at a time, from any thread.
    work : callable, optional
        Does a job; in a process of its own otherwise.

    Returns
    -------
    dict of str to any, list of Failure
        Results by job.
    """
    jobs = in_order(studies, max_nbits)
    processes = Processes()
    work = work or partial(_in_process, processes)
    found: dict[str, Any] = {}
    failures: list[Failure] = []
    with ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as pool:
        futures = {pool.submit(work, job, partial(tell, progress, job.name)): job for job in jobs}
        try:
            for count, future in enumerate(as_completed(futures), start=1):
                name = futures[future].name
                try:
                    found[name] = future.result()
                except Exception as error:  # whatever it is, the other results stay
                    failures.append(Failure(name, one_line(error), isinstance(error, SetupFailure)))
                    progress(f"{name}: failed: {one_line(error)}")
                else:
                    progress(f"{name}: done, {count} of {len(jobs)}")
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            processes.stop()
            raise
    return found, failures


def in_order(studies: Iterable[Study], max_nbits: int) -> Sequence[Job]:
    """Give every job once, the longest first."""
    jobs = dict.fromkeys(job for study in studies for job in study.jobs(max_nbits))
    return sorted(jobs, key=lambda job: -job.weight)


def _in_process(processes: Processes, job: Job, progress: Progress) -> Any:
    return processes.run(job.function, *job.arguments, progress=progress)
