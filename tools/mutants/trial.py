"""Plants one fault and runs the tests that reach it."""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tools.mutants.fault import Fault
from tools.mutants.tree_copy import Copy, Run

KILLED, REFUSED, SURVIVED = "killed", "refused", "survived"
"""A test has found the fault; a tool takes no such circuit; nothing has found it."""

# The first tests, in a process that collects but their files.
_FIRST = 12


@dataclass(frozen=True)
class Result:
    """What became of a fault.

    Parameters
    ----------
    fault : Fault
        The fault.
    outcome : str
        ``KILLED``, ``REFUSED`` or ``SURVIVED``.
    test : str
        The test that found it.
    error : str
        What that has said, in a line.
    hung : bool
        Whether it found it by not ending.
    ran, reach : int
        Tests that ran, and that reach the file.
    seconds : float
        How long they took.
    budget : float
        Seconds that they were given.
    tree : str
        Digest of the code that was tested, and of the tests.
    """

    fault: Fault
    outcome: str
    test: str
    error: str
    hung: bool
    ran: int
    reach: int
    seconds: float
    budget: float
    tree: str

    def record(self) -> dict[str, Any]:
        """As JSON can keep it."""
        return asdict(self)

    @classmethod
    def read(cls, record: dict[str, Any]) -> "Result":
        """Read what ``record`` gave."""
        return cls(**record | {"fault": Fault(**record["fault"])})


def attempt(
    fault: Fault, tests: Sequence[str], copy: Copy, *, budget: float, limit: float, tree: str
) -> Result:
    """Plant a fault in a copy and run tests until one fails.

    Parameters
    ----------
    fault : Fault
        The fault.
    tests : sequence of str
        Ids of the tests that reach its file, in the order in which they are to run.
    copy : Copy
        Copy of the tree; nobody else uses it meanwhile.
    budget : float
        Seconds of the processor after which no further test is begun.
    limit : float
        Seconds that a single test may take.
    tree : str
        Digest of the tree.
    """
    began = time.monotonic()
    runs: list[Run] = []
    with copy.planted(fault):
        for part in (tests[:_FIRST], tests[_FIRST:]):
            left = budget - sum(run.spent for run in runs)
            if part and left > 0:
                runs.append(copy.run(part, seconds=left, limit=limit))
                if _found(runs[-1]):
                    break
    last = runs[-1] if runs else Run()
    outcome = SURVIVED
    if runs and _found(last):
        outcome = REFUSED if last.refused else KILLED
    return Result(
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
    """Run tests without a fault; give for each what is wrong, nothing if it passes, and seconds.

    Parameters
    ----------
    tests : sequence of str
        Ids.
    copy : Copy
        Copy of the tree.
    limit : float
        Seconds that a single test may take.
    """
    run = copy.run(tests, seconds=limit * len(tests), limit=limit, first=False)
    found = dict.fromkeys(tests, ("it does not run", 0.0))
    found |= {test: ("", seconds) for test, seconds in run.passed.items()}
    return found | {test: (run.error, seconds) for test, seconds in run.failed.items()}


def _found(run: Run) -> bool:
    """Whether a run has found a fault; tests that cannot even be collected have, too."""
    return bool(run.failed) or run.hung or (run.status not in (0, 5) and not run.begun)


def _reason(run: Run, outcome: str) -> str:
    if outcome == SURVIVED:
        return ""
    lines = [line for line in run.output.splitlines() if line.startswith(("E ", "ERROR"))]
    return lines[-1] if lines else f"pytest ended with status {run.status}"
