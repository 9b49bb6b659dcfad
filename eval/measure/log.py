"""A log file beside the results of a long command: its lines of progress, with the time."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from rsaxcel.eval.measure.job import Progress


@contextmanager
def logged(path: Path, tell: Progress) -> Iterator[Progress]:
    """Yield a function that shows a line for each step and appends it, with the time, to a file.

    The function may be called from any thread.
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
