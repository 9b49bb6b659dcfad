"""Options that show what happens in a simulation: a line trace, a waveform."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click
from pymtl3 import Component

from rsaxcel.commands.options.common import ending_in, together
from sim.runners import RunnerError
from store.errors import RunError

_FILE = "trace.vcd"


watch_options = together(
    click.option(
        "--trace",
        "with_trace",
        is_flag=True,
        help="Show a line for each cycle, on standard output (with --json on standard error).",
    ),
    click.option(
        "--vcd",
        type=click.Path(dir_okay=False, path_type=Path),
        callback=ending_in(".vcd"),
        metavar="FILE",
        help="Write a waveform, for GTKWave or Surfer; the name ends in .vcd.",
    ),
)
"""Adds --trace and --vcd to a command, as ``with_trace`` and ``vcd``."""


@dataclass
class Watch:
    """What is kept of a simulation.

    Parameters
    ----------
    waves
        File for its waveform, if there is to be one.
    shows
        Whether the trace is shown at the end; to be taken back by who has no time left.
    """

    waves: Path | None
    shows: bool


@contextmanager
def watched(
    with_trace: bool, vcd: Path | None, component: Callable[[], Component], *, err: bool
) -> Iterator[Watch]:
    """Give a simulation the file for its waveform, and show the trace once it has run or failed.

    Parameters
    ----------
    with_trace, vcd
        What the options say.
    component
        Makes what is simulated, not elaborated.
    err
        Whether the trace goes to standard error.
    """
    with tempfile.TemporaryDirectory(prefix="rsaxcel-") as folder:
        path = vcd or (Path(folder, _FILE) if with_trace else None)
        if path is not None:
            path.unlink(missing_ok=True)  # what an earlier run has left is not this one's
        watch = Watch(path, with_trace)
        try:
            yield watch
        except (RunError, RunnerError):
            _show(watch, component, err)
            raise
        _show(watch, component, err)


def _show(watch: Watch, component: Callable[[], Component], err: bool) -> None:
    path = watch.waves
    # Without a single request there was no simulation.
    if not watch.shows or path is None or not path.exists():
        return
    from sim.traces.trace import trace  # only where it is asked for: it imports all circuits

    for line in trace(component(), path):
        click.echo(line, err=err)
