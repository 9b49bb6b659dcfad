"""Plants one fault and runs the tests that reach it."""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tools.mutants.fault import Fault
from tools.mutants.tree_copy import Copy, PytestRun

KILLED, REFUSED, SURVIVED = "killed", "refused", "survived"
"""Outcomes: a test found the fault; a tool refused the circuit; no test found the fault."""

# The first this many tests run in a process of pytest of their own, all others in a second one. The
# first process starts faster than one for all tests, because it collects only a few test files.
_FIRST = 12


@dataclass(frozen=True)
class TrialResult:
    """Result of the tests of a planted fault."""

    fault: Fault
    outcome: str  #: KILLED, REFUSED or SURVIVED
    test: str  #: test that found the fault; empty if none did
    error: str  #: message of the test, in one line
    hung: bool  #: whether the test did not end in time
    ran: int  #: number of tests that ran
    reach: int  #: number of tests that reach the file
    seconds: float  #: elapsed time of the tests
    budget: float  #: CPU seconds after which no test was started
    tree: str  #: digest of code and tests

    def record(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def read(cls, record: dict[str, Any]) -> "TrialResult":
        """Make a result from the values that ``record`` has returned."""
        return cls(**record | {"fault": Fault(**record["fault"])})


def attempt(
    fault: Fault, tests: Sequence[str], copy: Copy, *, budget: float, limit: float, tree: str
) -> TrialResult:
    """Plant a fault in a copy reserved for it, and run tests in order until one fails."""
    began = time.monotonic()
    runs: list[PytestRun] = []
    with copy.planted(fault):
        for part in (tests[:_FIRST], tests[_FIRST:]):
            left = budget - sum(run.spent for run in runs)
            if part and left > 0:
                runs.append(copy.run(part, seconds=left, limit=limit))
                if _found(runs[-1]):
                    break
    last = runs[-1] if runs else PytestRun()
    outcome = SURVIVED
    if runs and _found(last):
        outcome = REFUSED if last.refused else KILLED
    return TrialResult(
        fault=fault,
        outcome=outcome,
        test=next(iter(last.failed), "collection" if outcome == KILLED else ""),
        error=" ".join((last.error or _reason(last, outcome)).split())[:300],
        hung=last.hung,
        ran=sum(len(run.passed) + len(run.failed) for run in runs),
        reach=len(tests),
        seconds=round(time.monotonic() - began, 1),
        budget=budget,
        tree=tree,
    )


def without_faults(tests: Sequence[str], copy: Copy, limit: float) -> dict[str, tuple[str, float]]:
    """Run tests without a fault; return each test's error (empty if it passed) and its seconds."""
    run = copy.run(tests, seconds=limit * len(tests), limit=limit, first=False)
    found = dict.fromkeys(tests, ("it does not run", 0.0))
    found |= {test: ("", seconds) for test, seconds in run.passed.items()}
    return found | {test: (run.error, seconds) for test, seconds in run.failed.items()}


def _found(run: PytestRun) -> bool:
    """Return whether a run found a fault; a failed collection of tests also counts."""
    return bool(run.failed) or run.hung or (run.status not in (0, 5) and not run.begun)


def _reason(run: PytestRun, outcome: str) -> str:
    if outcome == SURVIVED:
        return ""
    lines = [line for line in run.output.splitlines() if line.startswith(("E ", "ERROR"))]
    return lines[-1] if lines else f"pytest ended with status {run.status}"
