"""A log file beside the results of a long command: its lines of progress, with the time."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from rsaxcel.eval.measure.job import Progress


@contextmanager
def logged(path: Path, tell: Progress) -> Iterator[Progress]:
    """Show a line for each step of a long command, and append the line with its time to a file.

    Parameters
    ----------
    path : Path
        The file; created if it does not exist.
    tell : callable
        Function that shows a line.

    Yields
    ------
    callable
        Function to call with a line of text for each step, from any thread.
    """
    with path.open("a", encoding="utf-8", buffering=1) as file:

        def note(text: str) -> None:
            file.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')}  {text}\n")

        order = Lock()  # file and terminal show the lines of all threads in the same order

        def both(text: str) -> None:
            with order:
                note(text)
                tell(text)

        note("begun")
        end = "interrupted"
        try:
            yield both
            end = "ended"
        finally:
            note(end)
