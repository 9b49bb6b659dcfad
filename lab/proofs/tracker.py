"""Starts Python's resource tracker, a process that unlinks semaphores of a killed command."""

import os
from contextlib import suppress
from multiprocessing import resource_tracker

_STANDARD_ERROR = 2


def start_tracker() -> None:
    """Start the tracker before anything needs it, with its standard error discarded."""
    # Otherwise its warnings would appear after the command has ended, behind the shell's prompt.
    with suppress(OSError):  # standard error is closed
        told = os.dup(_STANDARD_ERROR)
        try:
            with open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), _STANDARD_ERROR)
            resource_tracker.ensure_running()
        finally:
            os.dup2(told, _STANDARD_ERROR)
            os.close(told)
