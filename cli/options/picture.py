"""Options of ``rsaxcel flow`` that draw: a picture of the circuit, waveforms, the curve."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rsaxcel.cli.options.common import PICTURES, gathered, output_file, together
from rsaxcel.cli.options.plain import Decorator, excludes, only_with
from rsaxcel.store.errors import RunError, UserError

if TYPE_CHECKING:
    from rsaxcel.circuit import Target
    from rsaxcel.flow.layout import Layout
    from rsaxcel.flow.record import Record

# Names of pictures, as in eval.pictures.drawings, which takes long to import.
KINDS = ("modules", "capacity", "clock", "energy", "glitches", "areas")
OF_OPERATIONS = ("energy", "glitches")
WITHOUT_PLACES = ("areas",)


@dataclass(frozen=True)
class PictureChoice:
    """Values of the options that write a picture."""

    path: Path | None  #: file to write; None: no picture
    kind: str  #: content of the picture, a key of ``eval.pictures.drawings.PICTURES``

    @property
    def of_operation(self) -> bool:
        """Whether the picture is of a type of operation, which --operation chooses."""
        return self.path is not None and self.kind in OF_OPERATIONS

    def check(self, layout: Layout, activity: str) -> None:
        """Check, before the flow runs, that the picture can be drawn after it."""
        if self.path is None:
            return
        from rsaxcel.flow.layout import ZERO

        if not layout.placed and self.kind not in WITHOUT_PLACES:
            raise UserError(
                f"--picture: {self.kind} shows places, which cells have with --stage placed or "
                f"routed only; --picture-of {' or '.join(WITHOUT_PLACES)} needs no places"
            )
        if self.kind == "glitches" and activity == ZERO:
            raise UserError("--picture-of glitches: --activity zero has no glitches")

    def write(
        self, record: Record, operation: str | None, progress: Callable[[str], None]
    ) -> Iterator[str]:
        """Draw the picture, and yield a line of text on it."""
        if self.path is None:
            return
        progress("picture")
        from rsaxcel.eval.pictures.drawings import PICTURES, draw
        from rsaxcel.eval.pictures.placed import placed_of
        from rsaxcel.eval.pictures.style import save

        figure = draw(self.kind, record, partial(placed_of, record), operation or record.operation)
        try:
            save(figure, self.path)
        except OSError as error:
            raise UserError(f"cannot write {self.path}: {error.strerror}") from error
        about = PICTURES[self.kind].about
        of = f", {operation or record.operation}" if self.of_operation else ""
        yield f"{'written':<14}{self.path}: {about}{of}"

    def show_lack(self, error: Exception, design: str, nbits: int, layout: Layout) -> str:
        """Draw the routing capacity of a core that is too small, if asked for this picture.

        Return the end of a message on the picture; empty if nothing was drawn.
        """
        from rsaxcel.flow.errors import FlowError, NoRoom

        asked = self.path is not None and self.kind == "capacity"
        if not (asked and isinstance(error, NoRoom) and error.files):
            return ""
        from rsaxcel.eval.pictures.drawings import draw_lack
        from rsaxcel.eval.pictures.placed import DrawnCore
        from rsaxcel.eval.pictures.style import save

        assert self.path is not None
        try:
            save(draw_lack(DrawnCore(design, nbits, layout.stage, error.files)), self.path)
        except (OSError, FlowError):
            return ""
        return f"; {self.path} shows where"


#: Adds --picture and --picture-of to a command, as ``picture``.
picture_options = together(
    output_file(
        "--picture", "Draw the placed circuit; the name ends in .svg, .png or .pdf.", *PICTURES
    ),
    click.option(
        "--picture-of",
        type=click.Choice(KINDS),
        help="What the picture shows. modules: cells by module, and the critical path; capacity: "
        "use of the routing tracks; clock: the clock tree; energy, glitches: power by place, in "
        "the operation that --operation names; areas: treemap of the area by module, for circuits "
        f"without places, too.  [default: {KINDS[0]}]",
    ),
    only_with(("--picture-of",), "--picture"),
    gathered(
        "picture", lambda path, kind: PictureChoice(path, kind or KINDS[0]), "picture", "picture_of"
    ),
)


_SPAN = re.compile(r"([0-9]+):([0-9]+)")
_ENDINGS = {"--vcd": ".vcd", "--saif": ".saif", "--drawing": ".svg"}
#: Longest operation, in cycles, whose waveform is written in full without --cycles.
_MOST_CYCLES = 1000
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
        from rsaxcel.flow.waves import operations_of

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
        from rsaxcel.flow.waves import SaifFile, Span, VcdFile, WaveFile, operations_of, watch
        from rsaxcel.sim.traces import prepare

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
    return output_file(name, f"{text}; the name ends in {_ENDINGS[name]}.", _ENDINGS[name])


#: Adds --vcd, --saif, --drawing, --operation and --cycles to a command, as ``waves``.
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


@dataclass(frozen=True)
class CurveOptions:
    """Values of the options."""

    asked: bool  #: whether to search the smallest period
    plot: Path | None  #: file to draw the curve to; None: no drawing

    def measure(self, *asked: Any) -> Callable[[bool], None]:
        """Measure the curve and draw it; return a function that prints it, as JSON or as text.

        ``asked``: the first parameters of ``eval.curve.CurveRuns``.
        """
        from rsaxcel.cli.output.curve import show, show_json, title_of
        from rsaxcel.eval.curve import CurveRuns, measure_curve, tabulate_curve

        curve = measure_curve(CurveRuns(*asked))
        points = tabulate_curve(curve)
        if self.plot is not None:
            from rsaxcel.cli.output.charts import draw_curve

            record = curve.records[curve.smallest]
            draw_curve(points, self.plot, title_of(record, points.operation[0]))

        def printed(as_json: bool) -> None:
            (show_json if as_json else show)(curve, points)
            if self.plot is not None:
                click.echo(f"written: {self.plot}", err=as_json)
            if fault := next(filter(None, (x.fault for x in curve.records.values())), ""):
                raise RunError(f"the circuit is measured, but its results are wrong: {fault}")

        return printed


#: Adds --curve and --curve-plot to a command, which gets them as ``curve``.
curve_options = together(
    click.option(
        "--curve",
        is_flag=True,
        help="Search the smallest clock period, then measure the design at multiples of it, up to "
        "3 times: a curve of area, delay and energy, with its knee.",
    ),
    output_file(
        "--curve-plot",
        "With --curve: draw area and energy over the period: .svg, .png or .pdf.",
        *PICTURES,
    ),
    excludes("--curve", "--clock-ns", "--vcd", "--saif", "--drawing", "--picture"),
    only_with(("--curve-plot",), "--curve"),
    gathered("curve", CurveOptions, "curve", "curve_plot"),
)
