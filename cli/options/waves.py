"""Options of ``rsaxcel flow`` that write an operation's waveforms, toggle counts or drawing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rsaxcel.cli.options.common import check_folder, ending_in, gathered, together
from rsaxcel.cli.options.plain import Decorator
from rsaxcel.store.errors import UserError

if TYPE_CHECKING:
    from rsaxcel.circuit import Target
    from rsaxcel.flow.layout import Layout
    from rsaxcel.flow.record import Record

_SPAN = re.compile(r"([0-9]+):([0-9]+)")
_ENDINGS = {"--vcd": ".vcd", "--saif": ".saif", "--drawing": ".svg"}
_MOST_CYCLES = 1000
"""Longest operation, in cycles, whose waveform is written in full without --cycles."""
_MOST_DRAWN = 8


@dataclass(frozen=True)
class WaveOptions:
    """Values of the options that write waveforms, counts of toggles or a drawing."""

    #: files to write. A file that is None is not written.
    vcd: Path | None
    saif: Path | None
    drawing: Path | None
    #: type of the operation that the files show; None: the record's first type
    operation: str | None
    #: first and last cycle that the files show; None: all cycles of the operation
    cycles: tuple[int, int] | None

    @property
    def files(self) -> dict[str, Path]:
        """Files to write, by option."""
        found = zip(_ENDINGS, (self.vcd, self.saif, self.drawing), strict=True)
        return {option: path for option, path in found if path is not None}

    def check(self, target: Target, activity: str, *, with_picture: bool = False) -> None:
        """Check, before the flow runs, that the files can be written after it.

        ``with_picture``: a picture shows the operation, so that --operation needs no file here.
        """
        chosen = self.operation is not None and not with_picture
        if not self.files and (chosen or self.cycles is not None):
            raise UserError(
                "--operation and --cycles go with --vcd, --saif or --drawing; --operation with "
                "--picture-of energy or glitches"
            )
        if not (self.files or self.operation):
            return
        from rsaxcel.flow.layout import ZERO
        from rsaxcel.flow.waves.run import operations_of

        if self.drawing and activity == ZERO:
            raise UserError("--drawing: shows glitches, and --activity zero has none")
        known = operations_of(target)
        if self.operation is not None and self.operation not in known:
            raise UserError(
                f"--operation: {self.operation!r} is unknown; allowed: {', '.join(known)}"
            )
        if self.drawing and self.cycles and self.cycles[1] - self.cycles[0] >= _MOST_DRAWN:
            count = self.cycles[1] - self.cycles[0] + 1
            raise UserError(
                f"--drawing: up to {_MOST_DRAWN} cycles are drawn, not {count:,}; choose some, "
                f"such as --cycles 0:{_MOST_DRAWN - 1}"
            )
        for option, path in self.files.items():
            check_folder(option, path)

    def write(
        self,
        target: Target,
        record: Record,
        library: str,
        clock_ns: float,
        layout: Layout,
        progress: Callable[[str], None],
    ) -> Iterator[str]:
        """Write the files, and yield a line of text on each."""
        if not self.files:
            return
        progress("waveform")
        from rsaxcel.cli.output.wave_drawing import WaveDrawing
        from rsaxcel.flow.layout import TIMED
        from rsaxcel.flow.waves.files import SaifFile, VcdFile, WaveFile
        from rsaxcel.flow.waves.run import Span, operations_of, watch
        from rsaxcel.sim.traces.viewer import prepare

        operation = self.operation or operations_of(target)[0]
        figures = record.operations[operation]
        has = figures.simulated_cycles or figures.cycles_counted / figures.operations
        if self.cycles is None and has > _MOST_CYCLES and self.vcd:
            raise UserError(
                f"--cycles: {operation} has about {has:,.0f} cycles, and a waveform has a line for "
                "each toggle; choose some, such as --cycles 0:99"
            )
        kinds: dict[str, Callable[..., WaveFile]] = {
            "--vcd": VcdFile,
            "--saif": SaifFile,
            "--drawing": WaveDrawing,
        }
        cycles = _described(self.cycles)
        delays = "with delays" if record.activity == TIMED else "without delays"
        what = f"{record.design}, {record.nbits} bits: {operation}, {cycles}, {delays}"
        try:
            with ExitStack() as stack:
                files = [
                    stack.enter_context(kinds[option](path, what))
                    for option, path in self.files.items()
                ]
                seen = watch(
                    target,
                    library,
                    clock_ns,
                    operation=operation,
                    span=Span(*self.cycles) if self.cycles else Span(),
                    activity=record.activity,
                    layout=layout,
                    recorders=files,
                )
                for file in files:
                    file.publish()
            if self.vcd:
                prepare(self.vcd, target.component("rtl"))
        except OSError as error:
            path = error.filename or ", ".join(map(str, self.files.values()))
            raise UserError(f"cannot write {path}: {error.strerror}") from error
        for path in self.files.values():
            yield (
                f"{'written':<14}{path}: {operation}, {seen.cycles:,} "
                f"{'cycle' if seen.cycles == 1 else 'cycles'}, {seen.toggles:,} toggles, "
                f"{seen.glitches:,} of them glitches"
            )


def _described(cycles: tuple[int, int] | None) -> str:
    if cycles is None:
        return "all cycles"
    first, last = cycles
    return f"cycle {first}" if first == last else f"cycles {first} to {last}"


def _cycles(
    _context: click.Context, _parameter: click.Parameter, text: str | None
) -> tuple[int, int] | None:
    if text is None:
        return None
    match = _SPAN.fullmatch(text)
    if match is None:
        raise click.BadParameter(f"{text!r} is not of the form FIRST:LAST, such as 0:9")
    if int(match[1]) > int(match[2]):
        raise click.BadParameter(f"{text!r}: the first cycle is after the last one")
    return int(match[1]), int(match[2])


def _file(name: str, text: str) -> Decorator:
    ending = _ENDINGS[name]
    return click.option(
        name,
        type=click.Path(dir_okay=False, path_type=Path),
        callback=ending_in(ending),
        metavar="FILE",
        help=f"{text}; the name ends in {ending}.",
    )


wave_options = together(
    _file("--vcd", "Write the waveform of an operation on the netlist, for GTKWave or Surfer"),
    _file("--saif", "Write toggles and time at 1 of each net in an operation, for power tools"),
    _file("--drawing", "Draw the gates on the path to the net that glitches most in an operation"),
    click.option(
        "--operation",
        metavar="NAME",
        help="Type of operation, such as encrypt. The first operation of this type is shown; of a "
        "multiplier, the first run of products. A picture shows the mean of its "
        "operations.  [default: the record's first type]",
    ),
    click.option(
        "--cycles",
        callback=_cycles,
        metavar="FIRST:LAST",
        help="Cycles of the operation, from 0, both ends included.  [default: all; a drawing has "
        f"the first {_MOST_DRAWN}]",
    ),
    gathered("waves", WaveOptions, "vcd", "saif", "drawing", "operation", "cycles"),
)
"""Adds --vcd, --saif, --drawing, --operation and --cycles to a command, as ``waves``."""
