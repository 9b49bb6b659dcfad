"""Errors of measurements, records of failures, and outcomes of jobs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rsaxcel.store.errors import RunError, SetupError

_LOG = re.compile(r"\(log: ([^()]+)\)")
_LONGEST_LOG = 100_000  #: most characters of a log; its end is kept


@dataclass(frozen=True)
class JobOutcome:
    """What a job has returned or raised, and the time and memory that it took."""

    result: Any = None
    error: Exception | None = None  #: SetupError, DesignError or MeasureError
    log: str = ""  #: end of the log file that the error names
    seconds: float = 0.0  #: elapsed time; 0: unknown
    core_seconds: float = 0.0  #: processor time with all child processes; 0: unknown
    memory_mb: float = 0.0  #: memory of the largest process; 0: unknown
    worker: str = ""  #: address of the worker
    #: packed results (eval.measure.transfer), unless the worker shares the command's folder
    parcel: bytes = b""

    def took(self, seconds: float, core_seconds: float, memory_mb: float) -> JobOutcome:
        return replace(self, seconds=seconds, core_seconds=core_seconds, memory_mb=memory_mb)


def outcome_of(work: Callable[[], Any]) -> JobOutcome:
    """Call a function and return its outcome; the outcome's error can be pickled."""
    try:
        return JobOutcome(work())
    except Exception as error:  # any error becomes part of the outcome
        return JobOutcome(error=_told(error), log=_log_of(str(error)))


def _told(error: Exception) -> Exception:
    if isinstance(error, SetupError):
        return SetupError(str(error))
    if isinstance(error, MeasureError):
        return MeasureError(str(error))
    from rsaxcel.diagnosis.explain import diagnose  # PyMTL3 takes long to load

    told = diagnose(error, circuits_only=isinstance(error, ArithmeticError | OSError))
    return told or MeasureError(str(error) or type(error).__name__)


def _log_of(message: str) -> str:
    found = _LOG.search(message)
    try:
        return Path(found[1]).read_text(errors="replace")[-_LONGEST_LOG:] if found else ""
    except OSError:
        return ""


_NAMED = 3


class MeasureError(RunError):
    """A measurement is impossible, or its figures contradict each other."""


@dataclass(frozen=True)
class Failure:
    """Failure of a job."""

    name: str
    message: str  #: reason in one line
    setup: bool = False  #: the cause is a missing tool, or a folder that cannot be written
    told: str = ""  #: reason as printed; for a mistake in a circuit, four lines with the statement


def some(names: Sequence[str]) -> str:
    """Text with the first names of a list, and the number of further names."""
    others = len(names) - _NAMED
    if others <= 1:
        return ", ".join(names)
    return f"{', '.join(names[:_NAMED])} and {others} others"
