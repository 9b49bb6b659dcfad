"""Options that show a simulation as a line trace or a waveform."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click
from pymtl3 import Component

from rsaxcel.cli.options.common import output_file, together
from rsaxcel.store.errors import RunError

_FILE = "trace.vcd"


#: Adds --trace and --vcd to a command, as ``with_trace`` and ``vcd``.
watch_options = together(
    click.option(
        "--trace",
        "with_trace",
        is_flag=True,
        help="Show a line for each cycle, on standard output (with --json on standard error).",
    ),
    output_file(
        "--vcd",
        "Write a waveform, for GTKWave or Surfer, and beside it a save file for GTKWave (.gtkw); "
        "the name ends in .vcd.",
        ".vcd",
    ),
)


@dataclass
class Watch:
    """Recording of a simulation."""

    waves: Path | None  #: file for the waveform; None: no waveform
    #: whether a trace is printed, and files for viewers are written, after the simulation. A
    #: command that was interrupted sets it to False, to end at once.
    shows: bool = True


@contextmanager
def watched(
    with_trace: bool,
    vcd: Path | None,
    component: Callable[[], Component],
    *,
    err: bool,
    secret: bool = False,
) -> Iterator[Watch]:
    """Context of a simulation: names the file for its waveform, and shows the trace at the end.

    The trace is also shown if the simulation fails with ``RunError``. A waveform that is kept gets
    what viewers need.

    ``secret``: the waveform has numbers of a private key; then only its owner can read it. ``err``:
    the trace goes to standard error.
    """

    def show(watch: Watch) -> None:
        # Without requests there was no simulation, and there is no waveform.
        if not watch.shows or watch.waves is None or not watch.waves.exists():
            return
        # These import all circuits.
        if with_trace:
            from rsaxcel.sim.traces import trace

            for line in trace(component(), watch.waves):
                click.echo(line, err=err)
        if vcd is not None:
            from rsaxcel.sim.traces import prepare

            prepare(vcd, component())

    with tempfile.TemporaryDirectory(prefix="rsaxcel-") as folder:
        path = vcd or (Path(folder, _FILE) if with_trace else None)
        if path is not None:
            path.unlink(missing_ok=True)  # an earlier run's would be taken for this run's
            if secret:
                path.touch(0o600)  # the engine keeps the mode
        watch = Watch(path)
        try:
            yield watch
        except RunError:
            show(watch)
            raise
        finally:
            if path is not None and path.exists() and not path.stat().st_size:
                path.unlink()  # there was no simulation
        show(watch)
