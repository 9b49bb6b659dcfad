"""Limits of a process that reads files of others."""

from __future__ import annotations

import resource


def limit(seconds: int, gb: int, file_bytes: int) -> None:
    """Limit time of the processors, memory and files of this process, and leave no core dump."""
    limits = (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, gb << 30)
    for what, most in (*limits, (resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, file_bytes)):
        hard = resource.getrlimit(what)[1]
        resource.setrlimit(what, (min(x for x in (most, hard) if x >= 0), hard))
