"""Jobs for workers of a cluster in tests: quick, with kept results, and counted."""

import os
import signal
import time
from pathlib import Path
from typing import Any

from rsaxcel.diagnosis.error import DesignError
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.measure.job import Job, Measurement, Progress
from rsaxcel.eval.measure.memo import memoize

COUNTED = "RSAXCEL_TEST_COUNTED"
"""Environment variable with the folder in which a job makes a file whenever it begins."""


def measurement(function: Any, name: str, *arguments: Any, weight: float = 1.0) -> Measurement:
    """Make the measurement of a job; its fact has the job's result as cycles."""
    job = Job(name, function, arguments, weight, function)
    return Measurement(job, lambda result: [Fact(name, "cycles", result, "measured")])


def waiting(name: str, seconds: float, weight: float = 1.0) -> Measurement:
    """Make the measurement of a job that runs ``kept``."""
    return measurement(kept, name, name, seconds, weight=weight)


def begun(name: str) -> list[str]:
    """Names of the files of all processes that have begun a job."""
    return [x.name for x in Path(os.environ[COUNTED]).glob(f"{name}.*")]


def kept(name: str, seconds: float, progress: Progress | None = None) -> int | None:
    """Wait, and keep the length of the name as the result."""

    def measure(progress: Progress) -> int:
        (Path(os.environ[COUNTED]) / f"{name}.{os.getpid()}").touch()
        progress("waiting")
        time.sleep(seconds)
        return len(name)

    return memoize(name, {"seconds": seconds}, [Path(__file__)], measure, progress)


def mistaken(progress: Progress | None = None) -> None:
    """Raise the error for a mistake in a circuit."""
    if progress:
        raise DesignError("s.x is not assigned", "an assignment")


def deadly(name: str, times: int = 9, progress: Progress | None = None) -> int | None:
    """Kill the worker, a server of ``eval.measure.processes``, the first few times."""
    if not progress:
        return None
    (Path(os.environ[COUNTED]) / f"{name}.{os.getpid()}").touch()
    if len(begun(name)) <= times:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
    return len(name)


def deadly_elsewhere(progress: Progress | None = None) -> None:
    """Kill the worker of a cluster, which has started the server that has forked this process."""
    if progress:
        server = Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()
        os.kill(int(server[1]), signal.SIGKILL)
        time.sleep(60)
