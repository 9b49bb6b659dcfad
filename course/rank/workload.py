"""Measures the cycles of the workload, and checks that other keys take about as many cycles."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from rsaxcel.catalog.given import GivenDesign
from rsaxcel.fl.keys import seeded_key
from rsaxcel.flow.requests import OPERATION_COUNT, default_exponents, workload_operands
from rsaxcel.sim.answers import Expected, difference
from rsaxcel.sim.check.refused import Refused
from rsaxcel.sim.check.subject import Subject, subject_of

_KEYS = 16
_BASES = 4
_MARGIN = 0.05


def workload_cycles(given: GivenDesign, seed: int) -> dict[str, float]:
    """Measure mean cycles of each operation with the standard key, from request to response."""
    # A design that is over 5 % faster with the standard key than with the best of 16 random keys of
    # that width knows the key, and is refused.
    found, subject = {}, subject_of(given)
    for name, exponent in default_exponents(given.nbits).items():
        rows = workload_operands(given, exponent, OPERATION_COUNT)
        drawn = [base for base, _, _ in rows]
        standard = _mean(subject, rows)
        fresh = []
        for number in range(_KEYS):
            other = seeded_key(given.nbits, seed + number).n
            fresh.append(
                _mean(subject, [(base % other, exponent, other) for base in drawn[:_BASES]])
            )
        if standard < (1 - _MARGIN) * min(fresh):
            raise Refused(
                "workload",
                f"{name} takes {standard:,.1f} cycles with the standard key, with {_KEYS} other "
                f"keys {min(fresh):,.1f} or more",
            )
        found[name] = standard
    return found


def _mean(subject: Subject, rows: Sequence[tuple[int, int, int]]) -> float:
    batch = subject.simulate(rows)
    for row, response in zip(rows, batch.responses, strict=True):
        if told := difference(Expected(subject.expected(row)), response or ()):
            shown = ", ".join(f"{x:#x}" for x in row)
            raise Refused("wrong", f"workload {shown}: {told}")
    # The cycles of a request count from the cycle in which it is offered, which is the cycle after
    # the previous response is taken. So a circuit gains nothing if it accepts a request late, or
    # works on after its response.
    taken: Sequence[Any] = batch.taken
    valid: Sequence[Any] = batch.valid
    offered = (0, *(cycle + 1 for cycle in taken[:-1]))
    return fmean(x - start for x, start in zip(valid, offered, strict=True))
