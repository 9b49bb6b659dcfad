"""A time limit for code that users supply and that runs in this process."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooLongError(Exception):
    """Raised inside code that takes too long, at the line that runs when the time is over."""


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise ``TooLongError`` in a block that takes longer; outside the main thread, never."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        raise TooLongError(f"no end within {seconds} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
