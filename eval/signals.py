"""Runs a command in a process of its own, and ends it with all that it has started.

A terminal sends an interrupt to all processes of a command, a batch system or a container a signal
to the first one alone, at any moment. So the first process, the guard, does nothing but wait. It
alone heeds these signals: the worker and all below it, such as make, Yosys and the compiler, ignore
those of a terminal. Whatever they start, in whichever group or session, is ended with them. This
module imports little, because Python itself ends in a traceback until the guard stands.
"""

import ctypes
import os
import signal
import sys
import time
from collections.abc import Collection, Iterable
from contextlib import suppress
from types import FrameType
from typing import NoReturn

SIGNALLED = 128
"""Exit status of what a signal ended, less the signal's number."""

INTERRUPTED_STATUS = SIGNALLED + signal.SIGINT
"""Exit status after Ctrl-C."""

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# What the worker may take to leave what it does and to say what it knows, before its children are
# ended, and before it is.
_ALONE_S = 0.1
_LAST_WORDS_S = 0.5
_TRACKED_S = 1.0
_POLL_S = 0.01
# From linux/prctl.h.
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_SHOW_CURSOR = b"\x1b[?25h"


def stand_guard() -> None:
    """Go on in a process of its own, whose end, or a signal, ends this one.

    There, a signal becomes one ``KeyboardInterrupt`` in the main thread, which has 0.6 seconds to
    end; its children have 0.1. The exit status is that of the worker, 128 and the signal's number
    where one came. If this process is killed, the worker and its children end, too.
    """
    heeded = [x for x in _ENDING if signal.getsignal(x) is not signal.SIG_IGN]
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_BLOCK, [*heeded, signal.SIGCHLD])
    guard = os.getpid()
    worker = os.fork()
    if worker:
        _guard(_Family(worker, heeded))
    _serve(guard, heeded)


def end_processes(pids: Iterable[int], signum: int = signal.SIGTERM) -> None:
    """Send a signal to processes; some may have ended."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signum)


def descendants(pid: int) -> list[int]:
    """Find the processes that a process has started, and those that these have."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", "rb") as file:
                    # The name, in parentheses, may have any character.
                    fields = file.read().rpartition(b")")[2].split()
            except OSError:  # it has ended
                continue
            children.setdefault(int(fields[1]), []).append(int(entry))
    found = list(children.get(pid, ()))
    for each in found:  # grows
        found += children.get(each, ())
    return found


def end_descendants(*, trackers: bool = False) -> None:
    """Kill what this process has started, and what that has.

    Parameters
    ----------
    trackers
        Whether Python's trackers of resources, too: they end once the processes are gone whose
        semaphores they unlink, and whoever lacks its tracker says so in a traceback.
    """
    found = descendants(os.getpid())
    end_processes((x for x in found if trackers or not _is_tracker(x)), signal.SIGKILL)


def _is_tracker(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return b"multiprocessing.resource_tracker" in file.read()
    except OSError:  # it has ended
        return False


class _Family:
    """The worker, and what it leaves behind.

    Parameters
    ----------
    worker
        Its process.
    heeded
        Signals that end it.
    """

    def __init__(self, worker: int, heeded: Collection[signal.Signals]) -> None:
        self.worker, self._heeded = worker, heeded
        self.status: int | None = None

    def is_gone(self) -> bool:
        """Whether no process is left; notes the status of the worker."""
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
        """Wait for the end of the worker, which gives 0, or for a signal."""
        while self.status is None:
            signum = signal.sigwait([*self._heeded, signal.SIGCHLD])
            if signum != signal.SIGCHLD:
                return signum
            self.is_gone()
        return 0

    def wait_for_end(self, seconds: float) -> bool:
        """Wait for the end of the worker so long, and tell whether it has come."""
        until = time.monotonic() + seconds
        while self.status is None and (left := until - time.monotonic()) > 0:
            signal.sigtimedwait([signal.SIGCHLD], left)
            self.is_gone()
        return self.status is not None

    def end(self) -> None:
        """End what is left, however much it begins meanwhile."""
        until = time.monotonic() + _TRACKED_S
        while not self.is_gone():
            end_descendants(trackers=time.monotonic() > until)
            time.sleep(_POLL_S)


def _guard(family: _Family) -> NoReturn:
    # What has lost its parent gets this process as one, so that nothing gets lost.
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    signum = family.wait()
    if signum:
        end_processes([family.worker])
        if not family.wait_for_end(_ALONE_S):
            end_processes(x for x in descendants(os.getpid()) if x != family.worker)
            family.wait_for_end(_LAST_WORDS_S)
    killed = family.status is None
    family.end()
    if killed and os.isatty(2):  # a progress bar hides it
        _say(_SHOW_CURSOR)
    status = family.status or 0
    if status < 0 and not signum:
        name = signal.Signals(-status).name
        _say(f"rsaxcel: error: ended by the signal {name}\n".encode())
        signum = -status
    os._exit(SIGNALLED + signum if signum else status)


def _say(text: bytes) -> None:
    with suppress(OSError):  # nobody reads it
        os.write(2, text)


def _serve(guard: int, ignored: Collection[signal.Signals]) -> None:
    """Make this process the worker."""

    def interrupt(_signum: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        # Interrupted where nobody expects it, all kinds of things break; nobody wants to know.
        sys.excepthook = sys.unraisablehook = _say_nothing
        if threading := sys.modules.get("threading"):
            threading.excepthook = _say_nothing  # type: ignore[attr-defined]
        if os.getppid() != guard:  # nobody else is left to do it
            _leave_terminal()
            end_descendants()
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, _ALONE_S + _LAST_WORDS_S)
        raise KeyboardInterrupt

    for signum in ignored:
        signal.signal(signum, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, interrupt)
    _let_copies_end()
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [*ignored, signal.SIGCHLD])
    if os.getppid() != guard:
        os._exit(SIGNALLED + signal.SIGKILL)


def _let_copies_end() -> None:
    """Let a signal end what is forked here at once, without an exception."""
    term = [signal.SIGTERM]

    def leave() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, term)

    # Python drops what arrives before the copy is ready.
    os.register_at_fork(
        before=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, term),
        after_in_parent=lambda: signal.pthread_sigmask(signal.SIG_UNBLOCK, term),
        after_in_child=leave,
    )


def _leave_terminal() -> None:
    """Say no more: whoever killed the guard has the prompt back."""
    if os.isatty(2):
        _say(_SHOW_CURSOR)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def _say_nothing(*_arguments: object) -> None:
    pass


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), *[ctypes.c_ulong(0)] * 3)
