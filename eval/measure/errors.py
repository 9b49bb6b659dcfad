"""Errors of measurements, and records of failures."""

from collections.abc import Sequence
from dataclasses import dataclass

from rsaxcel.store.errors import RunError

_NAMED = 3


class MeasureError(RunError):
    """A measurement is impossible, or its figures contradict each other."""


@dataclass(frozen=True)
class Failure:
    """Failure of a job."""

    name: str  # name of the job
    message: str  # reason in one line
    setup: bool = False  # the cause is a missing tool, or a folder that cannot be written
    told: str = ""  # reason as printed; for a mistake in a circuit, four lines with the statement


def some(names: Sequence[str]) -> str:
    """Text with the first names of a list, and the number of further names."""
    others = len(names) - _NAMED
    if others <= 1:
        return ", ".join(names)
    return f"{', '.join(names[:_NAMED])} and {others} others"
