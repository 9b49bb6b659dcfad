"""Jobs of measurements, the facts that follow from their results, and the log of a long command."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from rsaxcel.eval.facts.fact import Fact
from rsaxcel.store.errors import UserError

Progress = Callable[[str], None]  #: function that is called with a line of text for each step

#: Memory in MB that is enough for nearly every job, compilers and synthesis included.
USUAL_MB = 500.0


#: Words on the form of a scheduler's address.
ALLOWED_ADDRESS = (
    "an address such as tcp://127.0.0.1:8786 is allowed, as `dask scheduler` prints it"
)

_ADDRESS = re.compile(r"([a-z]+://)?([\w.-]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}/?")


_ON_A_CLUSTER = 64  #: workers for which work is shared out; the cluster's number may change


@dataclass(frozen=True)
class Job:
    """A piece of work whose result is kept for later runs."""

    name: str  #: name for people; jobs with the same name are the same
    #: Function of a module, or a `partial` of one; takes the arguments and `progress`, a function.
    function: Callable[..., Any] = field(compare=False)
    arguments: tuple[Any, ...] = field(compare=False)  #: arguments that can be pickled
    #: rough duration relative to other jobs; the longest jobs begin first
    weight: float = field(compare=False, default=1.0)
    #: Finds the stored result; returns None if there is none.
    find: Callable[..., Any] = field(compare=False, default=lambda *arguments: None)
    memory_mb: float = field(compare=False, default=USUAL_MB)  #: rough upper bound of the memory


@dataclass(frozen=True)
class Measurement:
    """A job, which several measurements can share, and the facts in its result."""

    job: Job
    facts: Callable[[Any], Iterable[Fact]] = field(compare=False)


@dataclass(frozen=True)
class Workers:
    """Workers that run jobs."""

    scheduler: str = ""  #: address of a cluster's scheduler; empty: this machine
    workers: int = 0  #: most workers on this machine; 0: one for each core

    def __post_init__(self) -> None:
        if self.scheduler and not _ADDRESS.fullmatch(self.scheduler):
            raise UserError(f"--scheduler={self.scheduler}: {ALLOWED_ADDRESS}")

    @property
    def count(self) -> int:
        return self.workers or len(os.sched_getaffinity(0))

    @property
    def shares(self) -> int:
        """Number of workers among which work is shared out."""
        return _ON_A_CLUSTER if self.scheduler else self.count


THIS_MACHINE = Workers()  #: one worker for each core of this machine


def tell(progress: Progress, name: str, text: str) -> None:
    """Report a line of text about a job, preceded by the job's name."""
    progress(f"{name}: {text}")


@contextmanager
def logged(path: Path, tell: Progress) -> Iterator[Progress]:
    """Yield a function that shows a line for each step and appends it, with the time, to a file.

    The function may be called from any thread.
    """
    with path.open("a", encoding="utf-8", buffering=1) as file:

        def note(text: str) -> None:
            file.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')}  {text}\n")

        order = Lock()  # file and terminal show the lines of all threads in the same order

        def both(text: str) -> None:
            with order:
                note(text)
                tell(text)

        note("begun")
        end = "interrupted"
        try:
            yield both
            end = "ended"
        finally:
            note(end)
