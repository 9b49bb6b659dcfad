"""What a solver finds out about a claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class Verdict(StrEnum):
    """End of a proof: ``OPEN`` if time ran out before a proof or a counterexample was found."""

    PROVEN = "proven"
    REFUTED = "refuted"
    OPEN = "open"


@dataclass(frozen=True)
class Answer:
    """Answer of a solver.

    Parameters
    ----------
    verdict
        Whether the claim holds.
    method
        What decided, in a few words, such as ``SAT``.
    frames
        Counterexample: value of each input by name, in each cycle; empty unless refuted. A
        combinational circuit has one cycle.
    begin
        Counterexample: value of each latch in the first cycle, by name; a latch that is missing is
        0.
    """

    verdict: Verdict
    method: str
    frames: Sequence[Mapping[str, int]] = ()
    begin: Mapping[str, int] = field(default_factory=dict)
