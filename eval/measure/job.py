"""What a study asks for: pieces of work, and the facts that follow from their results."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from eval.facts.fact import Fact

Progress = Callable[[str], None]
"""Takes what is under way, a line at a time."""

USUAL_MB = 500.0
"""Memory in MB that covers nearly every job, compilers and synthesis included."""


@dataclass(frozen=True)
class Job:
    """A piece of work whose result is kept, so that a second run gives it again.

    Parameters
    ----------
    name : str
        For people, and to tell jobs apart.
    function : callable
        A module's function; takes ``arguments`` and the keyword ``progress``.
    find : callable
        Takes ``arguments``; gives the result that is kept, quickly, or None.
    arguments : tuple
        Arguments that can be pickled.
    weight : float
        Rough duration against other jobs; the longest are begun first.
    memory_mb : float
        Memory that it takes at most, roughly, in MB.
    """

    name: str
    function: Callable[..., Any] = field(compare=False)
    arguments: tuple[Any, ...] = field(compare=False)
    weight: float = field(compare=False, default=1.0)
    find: Callable[..., Any] = field(compare=False, default=lambda *arguments: None)
    memory_mb: float = field(compare=False, default=USUAL_MB)


@dataclass(frozen=True)
class Measurement:
    """A job, and what its result says.

    Parameters
    ----------
    job : Job
        Two measurements can share one.
    facts : callable
        Takes the job's result.
    """

    job: Job
    facts: Callable[[Any], Iterable[Fact]] = field(compare=False)


@dataclass(frozen=True)
class Place:
    """Where jobs are done.

    Parameters
    ----------
    scheduler : str
        Address of a cluster's scheduler; workers of this machine without one.
    workers : int
        How many there are at most, on this machine; as many as there are cores unless given.
    """

    scheduler: str = ""
    workers: int = 0

    @property
    def count(self) -> int:
        """Workers of this machine."""
        return self.workers or len(os.sched_getaffinity(0))


THIS_MACHINE = Place()
"""As many workers as there are cores."""
