"""Python's tracker of semaphores: a process that unlinks what a killed command has left of them."""

import os
from contextlib import suppress
from multiprocessing import resource_tracker

_STANDARD_ERROR = 2


def start_tracker() -> None:
    """Start the tracker before anything needs it, and without standard error.

    Of what it unlinks it warns, when the command is gone and the user has the prompt back.
    """
    with suppress(OSError):  # standard error is closed
        told = os.dup(_STANDARD_ERROR)
        try:
            with open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), _STANDARD_ERROR)
            resource_tracker.ensure_running()
        finally:
            os.dup2(told, _STANDARD_ERROR)
            os.close(told)
