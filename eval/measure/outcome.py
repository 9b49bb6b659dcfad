"""What comes of a job: its result or why there is none, and what it took."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from eval.measure.errors import MeasureError, SetupFailure
from flow.errors import SetupError
from proc.programs.build import CompilerError
from sim.native.toolchain import ToolError
from store.folders import CacheError

LACKING = (SetupError, ToolError, CacheError, CompilerError)
"""What is raised where a tool is missing or a folder can't be written."""

_LOG = re.compile(r"\(log: ([^()]+)\)")
_LONGEST_LOG = 100_000  # characters, the last ones


@dataclass(frozen=True)
class Outcome:
    """What comes of a job.

    Parameters
    ----------
    result : any
        What its function returned.
    error : Exception or None
        ``SetupFailure``, ``DesignError`` or ``MeasureError``, whose text says why there is no
        result.
    log : str
        End of the log that the error names.
    seconds, core_seconds, memory_mb : float
        How long it took, for how long it had a core, with all that it has started, and the memory
        of its largest process in MB; 0 where that is unknown.
    worker : str
        Where it was done.
    parcel : bytes
        Results in the stores there, where they are not those of whoever has asked.
    """

    result: Any = None
    error: Exception | None = None
    log: str = ""
    seconds: float = 0.0
    core_seconds: float = 0.0
    memory_mb: float = 0.0
    worker: str = ""
    parcel: bytes = b""

    def took(self, seconds: float, core_seconds: float, memory_mb: float) -> Outcome:
        """Add what it took."""
        return replace(self, seconds=seconds, core_seconds=core_seconds, memory_mb=memory_mb)


def outcome_of(work: Callable[[], Any]) -> Outcome:
    """Do something and say what came of it; an error is one that can be pickled."""
    try:
        return Outcome(work())
    except Exception as error:  # whatever it is, it is told elsewhere
        return Outcome(error=_told(error), log=_log_of(str(error)))


def _told(error: Exception) -> Exception:
    if isinstance(error, (SetupFailure, *LACKING)):
        return SetupFailure(str(error))
    if isinstance(error, MeasureError):
        return MeasureError(str(error))
    from diagnosis.explain import diagnose  # PyMTL3 takes long to load

    told = diagnose(error, circuits_only=isinstance(error, ArithmeticError | OSError))
    return told or MeasureError(str(error) or type(error).__name__)


def _log_of(message: str) -> str:
    found = _LOG.search(message)
    try:
        return Path(found[1]).read_text(errors="replace")[-_LONGEST_LOG:] if found else ""
    except OSError:
        return ""
