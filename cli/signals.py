"""Runs a command in a worker process, and ends it with all processes that it has started.

A terminal sends an interrupt to all processes of a command; a batch system or a container sends a
signal to the first process alone. So the first process, the guard, only waits for signals and for
the end of the worker; the worker and its descendants ignore signals of a terminal. This module
imports little, because a signal before the guard is set up ends Python in a traceback.
"""

import os
import signal
import sys
import time
from collections.abc import Collection
from contextlib import suppress
from types import FrameType
from typing import NoReturn

from rsaxcel.store.processes import (
    adopt_orphans,
    descendants,
    end_descendants,
    end_processes,
    end_with_parent,
)

#: Offset of exit statuses: a process that was ended by signal n has the exit status 128 + n.
SIGNALLED = 128

#: Exit status after Ctrl-C.
INTERRUPTED_STATUS = SIGNALLED + signal.SIGINT

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
#: Time in seconds that the worker gets after a signal. If it has not ended by then, its children
#: get SIGTERM, too.
_ALONE_S = 0.1
#: Further time in seconds that the worker gets to print its results. Then all processes are killed.
_LAST_WORDS_S = 0.5
#: Time in seconds, from the first attempt to kill all processes, after which resource trackers are
#: killed, too.
_TRACKED_S = 5.0
_POLL_S = 0.01
_SHOW_CURSOR = b"\x1b[?25h"


def stand_guard() -> None:
    """Make this process the guard, and continue in a new process, the worker.

    In the worker, a signal raises one ``KeyboardInterrupt`` in the main thread. Its children get
    SIGTERM after 0.1 s; after 0.6 s, all descendants are killed. The guard ends with the worker's
    exit status, or 128 plus the signal; if it is killed, the worker and its children end, too.
    """
    heeded = [x for x in _ENDING if signal.getsignal(x) is not signal.SIG_IGN]
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_BLOCK, [*heeded, signal.SIGCHLD])
    guard = os.getpid()
    worker = os.fork()
    if worker:
        _guard(_Family(worker, heeded))
    _serve(guard, heeded)


class _Family:
    """The worker and its descendants, as the guard sees them; ``heeded``: its signals."""

    def __init__(self, worker: int, heeded: Collection[signal.Signals]) -> None:
        self.worker, self._heeded = worker, heeded
        self.status: int | None = None

    def is_gone(self) -> bool:
        """Whether no process is left; stores the exit status of the worker if it has ended."""
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    return False
                if pid == self.worker:
                    self.status = os.waitstatus_to_exitcode(status)
        except ChildProcessError:
            return True

    def wait(self) -> int:
        """Wait until a signal arrives or the worker ends; return the signal's number, or 0."""
        while self.status is None:
            signum = signal.sigwait([*self._heeded, signal.SIGCHLD])
            if signum != signal.SIGCHLD:
                return signum
            self.is_gone()
        return 0

    def wait_for_end(self, seconds: float) -> bool:
        """Wait at most ``seconds`` for the end of the worker; return whether it has ended."""
        until = time.monotonic() + seconds
        while self.status is None and (left := until - time.monotonic()) > 0:
            signal.sigtimedwait([signal.SIGCHLD], left)
            self.is_gone()
        return self.status is not None

    def end(self) -> None:
        """Kill all descendants until none is left, including new ones."""
        until = time.monotonic() + _TRACKED_S
        while not self.is_gone():
            end_descendants(trackers=time.monotonic() > until)
            time.sleep(_POLL_S)


def _guard(family: _Family) -> NoReturn:
    # Descendants that lose their parent become children of this process.
    adopt_orphans()
    signum = family.wait()
    if signum:
        end_processes([family.worker])
        if not family.wait_for_end(_ALONE_S):
            end_processes(x for x in descendants(os.getpid()) if x != family.worker)
            family.wait_for_end(_LAST_WORDS_S)
    killed = family.status is None
    family.end()
    if killed and os.isatty(2):  # a progress bar hides the cursor
        _say(_SHOW_CURSOR)
    status = family.status or 0
    if status < 0 and not signum:
        name = signal.Signals(-status).name
        _say(f"rsaxcel: error: ended by the signal {name}\n".encode())
        signum = -status
    os._exit(SIGNALLED + signum if signum else status)


def _say(text: bytes) -> None:
    with suppress(OSError):  # the reader of standard error has gone
        os.write(2, text)


def _serve(guard: int, ignored: Collection[signal.Signals]) -> None:
    """Set up signals in the worker, the process that runs the command while the guard waits."""

    def interrupt(_signum: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        # The interrupt can hit any code, which may then raise other errors: do not print them.
        sys.excepthook = sys.unraisablehook = _say_nothing
        if threading := sys.modules.get("threading"):
            threading.excepthook = _say_nothing  # type: ignore[attr-defined]
        if os.getppid() != guard:  # the guard has gone, so the worker kills its own descendants
            _leave_terminal()
            end_descendants()
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, _ALONE_S + _LAST_WORDS_S)
        raise KeyboardInterrupt

    for signum in ignored:
        signal.signal(signum, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, interrupt)
    _let_copies_end()
    end_with_parent(signal.SIGTERM)
    adopt_orphans()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [*ignored, signal.SIGCHLD])
    if os.getppid() != guard:
        os._exit(SIGNALLED + signal.SIGKILL)


def _let_copies_end() -> None:
    """Let SIGTERM end processes that Python forks from this one, without raising an exception."""
    term = [signal.SIGTERM]

    def leave() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, term)

    # SIGTERM is blocked during a fork: Python drops a signal that arrives before the new process
    # is ready.
    os.register_at_fork(
        before=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, term),
        after_in_parent=lambda: signal.pthread_sigmask(signal.SIG_UNBLOCK, term),
        after_in_child=leave,
    )


def _leave_terminal() -> None:
    """Stop writing to the terminal: without the guard, the shell shows its prompt again."""
    if os.isatty(2):
        _say(_SHOW_CURSOR)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def _say_nothing(*_arguments: object) -> None:
    pass
