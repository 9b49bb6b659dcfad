"""Jobs that workers of a cluster do in tests: quick, kept, and counted."""

import os
import signal
import time
from pathlib import Path
from typing import Any

from diagnosis.error import DesignError
from eval.facts.fact import Fact
from eval.measure.job import Job, Measurement, Progress
from eval.measure.memo import memoize

COUNTED = "RSAXCEL_TEST_COUNTED"
"""Variable with the folder in which every beginning is noted."""


def measurement(function: Any, name: str, *arguments: Any, weight: float = 1.0) -> Measurement:
    """Ask for a job; its result is the cycles of a design of its name."""
    job = Job(name, function, arguments, weight, function)
    return Measurement(job, lambda result: [Fact(name, "cycles", result, "measured")])


def waiting(name: str, seconds: float, weight: float = 1.0) -> Measurement:
    """Ask for ``kept``."""
    return measurement(kept, name, name, seconds, weight=weight)


def begun(name: str) -> list[str]:
    """Processes that have begun a job."""
    return [x.name for x in Path(os.environ[COUNTED]).glob(f"{name}.*")]


def kept(name: str, seconds: float, progress: Progress | None = None) -> int | None:
    """Wait, and keep how many letters the name has."""

    def measure(progress: Progress) -> int:
        (Path(os.environ[COUNTED]) / f"{name}.{os.getpid()}").touch()
        progress("waiting")
        time.sleep(seconds)
        return len(name)

    return memoize(name, {"seconds": seconds}, [Path(__file__)], measure, progress)


def mistaken(progress: Progress | None = None) -> None:
    """Find a mistake in a circuit."""
    if progress:
        raise DesignError("s.x is not assigned", "an assignment")


def deadly(name: str, progress: Progress | None = None) -> None:
    """Kill the worker: the parent of the server that has forked this process."""
    if progress:
        (Path(os.environ[COUNTED]) / f"{name}.{os.getpid()}").touch()
        server = Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()
        os.kill(int(server[1]), signal.SIGKILL)
        time.sleep(60)
