"""Answer of a solver about a claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class ProofVerdict(StrEnum):
    """End of a proof: ``OPEN`` if time ran out before a proof or a counterexample was found."""

    PROVEN = "proven"
    REFUTED = "refuted"
    OPEN = "open"


@dataclass(frozen=True)
class SolverAnswer:
    verdict: ProofVerdict
    method: str  #: method that decided, such as "SAT"
    #: counterexample: inputs by name in each cycle; one if combinational
    frames: Sequence[Mapping[str, int]] = ()
    #: counterexample: latches in the first cycle, 0 if missing
    begin: Mapping[str, int] = field(default_factory=dict)
