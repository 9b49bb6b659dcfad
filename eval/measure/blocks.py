"""Runs blocks of the laboratory's work on the workers of a machine or a cluster."""

from __future__ import annotations

from collections.abc import Sequence

from rsaxcel.eval.measure.collect import side_by_side
from rsaxcel.eval.measure.job import Job, Progress, Workers
from rsaxcel.lab.blocks import LEAST_SECONDS, Block, keep_entries, make_entries, shared


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
