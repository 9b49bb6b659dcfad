"""Shows the progress of long commands: a bar on a terminal, plain lines elsewhere.

The library that draws the bar is imported on terminals only, because the import is slow.
"""

import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import TIMEOUT_MAX, Timer

from rsaxcel.store.shown import shown_lines

_LINE_SECONDS = 5.0


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def progress(label: str, total: int, unit: str) -> Iterator[Callable[[int], None]]:
    """Show progress on standard error; yield a function of the units done since its last call.

    Without a terminal, a line at most every five seconds, and none for work that ends sooner.
    """
    if _is_terminal():
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn(unit),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(label, total=total)
            yield lambda count: bar.advance(task, count)
        return

    done, printed_at = 0, time.monotonic()

    def advance(count: int) -> None:
        nonlocal done, printed_at
        done += count
        if time.monotonic() - printed_at >= _LINE_SECONDS and done < total:
            printed_at = time.monotonic()
            print(f"{label}: {done} of {total} {unit}", file=sys.stderr, flush=True)

    yield advance


@contextmanager
def waiting(label: str) -> Iterator[None]:
    """Show that work of unknown length is under way: time on a terminal, else a line after 5 s."""
    if _is_terminal():
        with steps(label):
            yield
        return
    seconds = min(_LINE_SECONDS, TIMEOUT_MAX)
    line = Timer(seconds, print, (label,), {"file": sys.stderr, "flush": True})
    line.daemon = True
    line.start()
    try:
        yield
    finally:
        line.cancel()
        line.join()


#: Pattern of a line on the end of a job, such as ``a: done, 2 of 9, about 3 min left``.
_COUNTED = re.compile(r": (?:done|failed), (?P<done>\d+) of (?P<total>\d+)(?:, (?P<left>[^:]+))?")


@contextmanager
def steps(label: str) -> Iterator[Callable[[str], None]]:
    """Yield a function that prints a line for each step of a long command, from any thread.

    On a terminal, a spinner runs below the lines. After the first line that reports the end of a
    job, a bar shows how many jobs have ended, and the time left.
    """
    if not _is_terminal():
        yield lambda text: print(shown_lines(text), file=sys.stderr, flush=True)
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    spinner, name = SpinnerColumn(), TextColumn("{task.description}")
    counted = BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[left]}")
    with Progress(spinner, name, TimeElapsedColumn(), console=console, transient=True) as display:
        task = display.add_task(label, total=None, left="")

        def tell(text: str) -> None:
            display.console.print(shown_lines(text), markup=False)
            if found := _COUNTED.search(text):
                done, total = int(found["done"]), int(found["total"])
                display.columns = (spinner, name, *counted, TimeElapsedColumn())
                display.update(task, completed=done, total=total, left=found["left"] or "")

        yield tell
