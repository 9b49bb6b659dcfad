"""Proves claims, and tests them by planted faults, on the workers of a machine or a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from math import ceil
from typing import Any

from rsaxcel.eval.measure.collect import side_by_side
from rsaxcel.eval.measure.job import Job, Progress, Workers
from rsaxcel.flow.errors import ToolFailure
from rsaxcel.lab.proofs.claim import Claim, Proof
from rsaxcel.lab.proofs.self_test import PlantedFault, SelfTest, fate_of, faults_in, grouped
from rsaxcel.lab.proofs.study import proof_until

_MOST = 8  #: most claims in a job, which reads their circuit once


def proofs_of(
    claims: Sequence[Claim], seconds: float, until: float, workers: Workers, progress: Progress
) -> Iterator[tuple[Claim, Proof]]:
    """Prove claims; yield each with its proof when the proof ends.

    At ``until`` (a time of ``time.time``), claims that run end, and no other one begins: its proof
    is the stored one, or open.
    """
    shares = _shared(claims, workers)
    listed = [(share, seconds, until) for share in shares]
    for number, proofs in _done("claims", _prove, listed, workers, progress):
        for claim, proof in zip(shares[number], proofs, strict=False):
            if isinstance(proof, ToolFailure):
                raise proof
            yield claim, proof


def self_tests_of(
    claims: Sequence[Claim],
    seconds: float,
    count: int,
    seed: int,
    workers: Workers,
    progress: Progress,
) -> Iterator[SelfTest]:
    """Plant faults in each circuit, and try its claims on each fault."""
    for group in grouped(claims):
        faults = faults_in(group, count, seed)
        listed = [(group, fault, seconds) for fault in faults]
        fates = {}
        for number, fate in _done("fault", _try, listed, workers, progress):
            fates[number] = fate
            told = f"{group[0].kind}: {faults[number].text} {fate}"
            progress(f"{told}: done, {len(fates)} of {len(faults)}")
        yield SelfTest(group, [(fault, fates[i]) for i, fault in enumerate(faults)])


def _shared(claims: Sequence[Claim], workers: Workers) -> list[list[Claim]]:
    """Share out claims; those about one circuit, which follow each other, are not far apart."""
    size = min(_MOST, ceil(len(claims) / workers.shares)) if workers.shares > 1 else 1
    found: list[list[Claim]] = []
    for _, circuit in groupby(claims, lambda x: (x.name, x.nbits, str(x.changed))):
        about = list(circuit)
        found += [about[at : at + size] for at in range(0, len(about), size)]
    return found


def _prove(
    claims: Sequence[Claim], seconds: float, until: float, progress: Progress
) -> list[Proof | ToolFailure]:
    found: list[Proof | ToolFailure] = []
    for claim in claims:
        try:
            found.append(proof_until(claim, seconds, until))
        except ToolFailure as error:  # about the user's Verilog, as its class says
            return [*found, error]
    return found


def _try(claims: Sequence[Claim], fault: PlantedFault, seconds: float, progress: Progress) -> str:
    return fate_of(claims, fault, seconds)


def _done(
    what: str,
    work: Callable[..., Any],
    listed: Sequence[tuple[Any, ...]],
    workers: Workers,
    progress: Progress,
) -> Iterator[tuple[int, Any]]:
    """Call a function with each of the listed arguments; yield their numbers with the results.

    On this machine, the work of a single worker is done in this process.
    """
    if not workers.scheduler and min(workers.count, len(listed)) < 2:
        for number, arguments in enumerate(listed):
            yield number, work(*arguments, progress=progress)
        return
    names = (f"{what} {number + 1} of {len(listed)}" for number in range(len(listed)))
    jobs = [Job(name, work, arguments) for name, arguments in zip(names, listed, strict=True)]
    number_of = {job: number for number, job in enumerate(jobs)}
    for job, outcome in side_by_side(workers, jobs, progress):
        if outcome.error is not None:
            raise outcome.error
        yield number_of[job], outcome.result
