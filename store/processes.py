"""Finds, ends and adopts descendants of this process, and ties its end to another's.

This module imports little: commands use it before they handle signals.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from rsaxcel.store.foreign import prctl

if TYPE_CHECKING:
    from subprocess import Popen

#: From linux/prctl.h.
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def end_processes(pids: Iterable[int], signum: int = signal.SIGTERM) -> None:
    """Send a signal to processes; a process that has already ended is skipped."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signum)


def adopt_orphans() -> None:
    """Make this process the parent of descendants whose own parent ends."""
    prctl(_PR_SET_CHILD_SUBREAPER, 1)


def end_with_parent(signum: int) -> None:
    """Let a signal end this process when its parent has ended."""
    prctl(_PR_SET_PDEATHSIG, signum)


def descendants(pid: int) -> list[int]:
    """Find all descendants of a process: its children, their children, and so on."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", "rb") as file:
                    # The process's name stands in parentheses and may have any characters.
                    fields = file.read().rpartition(b")")[2].split()
            except OSError:  # the process has ended
                continue
            children.setdefault(int(fields[1]), []).append(int(entry))
    found = list(children.get(pid, ()))
    for each in found:  # the list grows in the loop
        found += children.get(each, ())
    return found


@contextmanager
def in_own_group(command: Sequence[str | os.PathLike[str]], **options: Any) -> Iterator[Popen]:
    """Start a command without input, in a group of processes, which is killed at the end."""
    from subprocess import DEVNULL, Popen

    process = Popen(command, stdin=DEVNULL, start_new_session=True, **options)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def end_descendants(*, trackers: bool = False) -> None:
    """Kill all descendants of this process.

    ``trackers``: also Python's resource trackers, which otherwise end by themselves, after the
    processes whose semaphores they unlink. A process that loses its tracker prints a traceback.
    """
    found = descendants(os.getpid())
    end_processes((x for x in found if trackers or not _is_tracker(x)), signal.SIGKILL)


def _is_tracker(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return b"multiprocessing.resource_tracker" in file.read()
    except OSError:  # the process has ended
        return False
