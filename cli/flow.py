"""``rsaxcel flow``: takes a design, a multiplier or a system through the ASIC flow.

Its options that draw or record (pictures, waveforms, curves) come first, then the text of a record,
then the command.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from rsaxcel.circuit import COUNTED, Target
from rsaxcel.cli.options.common import (
    PICTURES,
    design_text,
    gathered,
    output_file,
    system_options,
    tell_choices,
    together,
)
from rsaxcel.cli.options.flow import (
    activity_option,
    check_uncertainty,
    flow_options,
    layout_options,
    timed_cycles_option,
    with_shell_option,
)
from rsaxcel.cli.options.plain import Decorator, excludes, json_option, only_with
from rsaxcel.cli.progress import steps
from rsaxcel.diagnosis.error import silent
from rsaxcel.fl.contract import MODULUS
from rsaxcel.flow.layout import (
    OUT_OF_REACH,
    PLACED,
    ROUTED,
    SYNTHESIZED,
    TIMED,
    ZERO,
    Layout,
    constraint_of,
)
from rsaxcel.flow.record import OperationRecord, Record
from rsaxcel.flow.requests import describe_workload, product_modulus
from rsaxcel.plan.domains import HALF_NBITS
from rsaxcel.store.errors import RunError, UserError
from rsaxcel.store.shown import shorten

# Names of pictures, as in eval.pictures.drawings, which takes long to import.
KINDS = ("modules", "capacity", "clock", "energy", "glitches", "areas")
OF_OPERATIONS = ("energy", "glitches")
WITHOUT_PLACES = ("areas",)

_SPAN = re.compile(r"([0-9]+):([0-9]+)")
_ENDINGS = {"--vcd": ".vcd", "--saif": ".saif", "--drawing": ".svg"}
#: Longest operation, in cycles, whose waveform is written in full without --cycles.
_MOST_CYCLES = 1000
_MOST_DRAWN = 8

_MODULES_SHOWN = 20
_MOST_EXPONENT_CHARS = 24
#: Figures below this one have three significant digits; others have three decimals.
_LEAST_DECIMAL = 0.01
_GLITCH_FIGURES = ("energy_lower_nj", "glitch_factor")
_STAGES = {
    SYNTHESIZED: "after synthesis",
    PLACED: "placed, with clock tree and wires",
    ROUTED: "routed, with clock tree",
}
_POWER_PARTS = ("switching_mw", "internal_mw", "clock_mw", "leakage_mw")


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
        cycles = _cycles_text(self.cycles)
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


def _cycles_text(cycles: tuple[int, int] | None) -> str:
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


def _wave_option(name: str, text: str) -> Decorator:
    return output_file(name, f"{text}; the name ends in {_ENDINGS[name]}.", _ENDINGS[name])


#: Adds --vcd, --saif, --drawing, --operation and --cycles to a command, as ``waves``.
wave_options = together(
    _wave_option(
        "--vcd", "Write the waveform of an operation on the netlist, for GTKWave or Surfer"
    ),
    _wave_option(
        "--saif", "Write toggles and time at 1 of each net in an operation, for power tools"
    ),
    _wave_option(
        "--drawing", "Draw the gates on the path to the net that glitches most in an operation"
    ),
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
    """Values of --curve and --curve-plot."""

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


def _shell(record: Record) -> Iterator[str]:
    """Yield a line on the shell of a core in Verilog, which is not its authors'."""
    from rsaxcel.eval.facts.areas import labels_of

    if not record.shell:
        return
    labels = labels_of(record.design, record.nbits, record.params)
    core = next((x.text for x in labels if x.kind == "core"), "the core")
    area = f"{record.shell_area_um2 or 0:,.1f} um2"
    if record.shell == COUNTED:
        yield _row("shell", f"counted: figures are those of {core} with its shell, of {area}")
    else:
        left = f"left out: figures are those of {core} alone"
        yield _row("shell", f"{left}; its shell has {area} (--with-shell counts it)")


def describe(record: Record) -> Iterator[str]:
    """Yield lines of text on a record, each figure with its unit."""
    yield _row("design", design_text(record.design, record.nbits, record.params))
    yield _row("library", f"{record.library} ({record.corner}), {_STAGES[record.stage]}")
    yield _row("clock", _clock(record))
    yield from _corners(record)
    path = record.critical_path
    yield _row("longest path", f"{path.delay_ns:.3f} ns, {path.start} to {path.end}")
    cells = f"{record.cell_count:,} cells, {record.flip_flop_count:,} of them flip-flops"
    yield _row("area", f"{record.area_um2:,.1f} um2, {cells}")
    yield from _shell(record)
    for name, area_um2 in (record.macros or {}).items():
        told = f"a macro of {area_um2:,.1f} um2 could stand for it, as its description says"
        is_there = record.area_with_macros_um2 is not None
        held = "has its flip-flops" if is_there else "has no flip-flop of it"
        yield _row("memory", f"{name}: {told}; the area {held}")
    if (with_macros := record.area_with_macros_um2) is not None:
        told = "with macros in place of these flip-flops; the logic around them stays"
        yield _row("area", f"{with_macros:,.1f} um2 {told}")
    yield from _core(record)
    yield from _modules(record.area_by_module)
    yield ""
    yield from _operations(record.operations)
    if record.fault:
        yield _row("wrong results", record.fault)
    yield ""
    yield _row("workload", _workload(record))
    for note in (record.glitches, *record.notes):
        yield _row("note", note)
    yield _row("tools", ", ".join(f"{name} {text}" for name, text in record.tools.items()))
    yield _row("hash", record.hash)


def _corners(record: Record) -> Iterator[str]:
    """Yield a line on each corner of a library that has several."""
    for number, (name, found) in enumerate((record.corners or {}).items()):
        text = f"{name} ({found['conditions']}): {found['min_period_ns']:.3f} ns would do"
        if "hold_slack_ns" in found:
            text += f"; hold slack {found['hold_slack_ns']:.3f} ns, skew {found['skew_ns']:.3f} ns"
        yield _row("" if number else "corners", text)


def _core(record: Record) -> Iterator[str]:
    """Yield lines on core, clock tree and checks of a placed circuit."""
    found = record.physical
    if found is None:
        return
    core, used = record.core_area_um2 or 0.0, record.utilisation or 0.0
    wires = f"{found['wire_length_mm']:,.1f} mm of wires, overflow {found['overflow']:g}"
    if "violations" in found:
        wires += f", {found['violations']} violations of rules where wires are drawn"
    yield _row("core", f"{core:,.1f} um2 at a utilisation of {used:.3g}; {wires}")
    tree = f"{found['clock_buffers']} buffers, {found['clock_area_um2']:,.1f} um2 with clock gates"
    latency = f"latency up to {found['insertion_delay_ns']:.3f} ns, skew {found['skew_ns']:.3f} ns"
    yield _row("clock tree", f"{tree}; {latency}")
    hold = f"hold slack {found['hold_slack_ns']:.3f} ns with {found['hold_buffers']} buffers"
    yield _row("checks", f"{hold}; slews and loads allowed")
    yield _row("placed by", f"{found['tool']}, seed {found['seed']}")


def _clock(record: Record) -> str:
    asked, needed = record.clock_ns, record.min_period_ns
    if needed <= asked:
        return f"{asked:g} ns asked and met; {needed:.3f} ns would do"
    met = f"{asked:g} ns asked and not met: the design needs {needed:.3f} ns"
    return f"{met}, and its power is given at {needed:.3f} ns"


def _modules(areas: Mapping[str, float]) -> Iterator[str]:
    ranked = sorted(areas.items(), key=lambda item: item[1], reverse=True)
    for name, area in ranked[:_MODULES_SHOWN]:
        yield _row("", f"{area:>12,.1f} um2  {name}")
    if len(ranked) > _MODULES_SHOWN:
        yield _row("", f"{len(ranked) - _MODULES_SHOWN} smaller modules")


def _operations(operations: Mapping[str, OperationRecord]) -> Iterator[str]:
    energies = ("energy_nj", *(_GLITCH_FIGURES if _has_glitches(operations) else ()))
    columns = ("cycles", "power_mw", *energies, *_POWER_PARTS)
    has_exponents = any(x.exponent is not None for x in operations.values())
    head = " ".join(f"{name:>{_width(name)}}" for name in columns)
    yield _row("operation", f"{head}  exponent" if has_exponents else head)
    for name, operation in operations.items():
        figures = (_mean(operation.cycles), *(_figure(getattr(operation, x)) for x in columns[1:]))
        row = " ".join(f"{x:>{_width(name)}}" for name, x in zip(columns, figures, strict=True))
        if operation.exponent is not None:
            row += f"  {shorten(f'{operation.exponent:#x}', _MOST_EXPONENT_CHARS)}"
        yield _row(name, row)
    yield from _wasted(operations)


def _has_glitches(operations: Mapping[str, OperationRecord]) -> bool:
    return all(operation.glitch_factor is not None for operation in operations.values())


def _width(name: str) -> int:
    return max(12, len(name))


def _wasted(operations: Mapping[str, OperationRecord]) -> Iterator[str]:
    """Yield lines on the module with most glitches, and on the cycles in which gates had delays."""
    for name, operation in operations.items():
        glitches = 1 - operation.energy_lower_nj / operation.energy_nj
        for worst in list(operation.glitch_modules or ())[:1]:
            where = worst["module"] or "the top module"
            most = f"{worst['share']:.0%} of that in {where}"
            yield _row("", f"{name}: {glitches:.0%} of the energy in glitches, {most}")
        share, error = operation.timed_share, operation.glitch_error
        if share is not None and share < 1:
            known = "unknown" if error is None else f"{error:.1%}"
            exact = f"standard error of the glitches' energy: {known}"
            yield _row("", f"{name}: gates had delays in {share:.1%} of the cycles; {exact}")


def _mean(cycles: float) -> str:
    return f"{cycles:,.0f}" if float(cycles).is_integer() else f"{cycles:,.2f}"


def _figure(value: float) -> str:
    """Text of a power or an energy; a small figure has three significant digits."""
    return f"{value:.3g}" if 0 < value < _LEAST_DECIMAL else f"{value:.3f}"


def _workload(record: Record) -> str:
    only = int(record.params.get(MODULUS.name, "0"), 16)
    # Operations of a system are named PROGRAM_OPERATION.
    exponents = {
        name.removeprefix(f"{operation.program}_"): operation.exponent
        for name, operation in record.operations.items()
        if operation.exponent is not None
    }
    if exponents:
        halves = HALF_NBITS.name in record.params
        return describe_workload(record.nbits, exponents, only, halves)
    modulus = shorten(str(product_modulus(record.nbits, only)), _MOST_EXPONENT_CHARS)
    count = record.standard.operations
    return f"{count} products of random a and b below the modulus, {modulus}"


def _row(label: str, value: str) -> str:
    return f"{label:<14}{value}"


@click.command(
    epilog="""\b
    Examples:
      rsaxcel flow mont_r2l
      rsaxcel flow mulrem_r2l --nbits 64 --param bits_per_cycle=2 --clock-ns 2.5
      rsaxcel flow ssmm --nbits 64
      rsaxcel flow proc_mont_r2l --clock-ns 3.5
      rsaxcel flow axi_mont_r2l
      rsaxcel flow mont_r2l --stage placed
      rsaxcel flow mont_r2l --stage placed --utilisation 0.7 --placement-seed 2
      rsaxcel flow montmul_r2l_shared --stage routed --physical openroad
      rsaxcel flow montmul_r2l_shared --stage placed --curve --curve-plot curve.png
      rsaxcel flow mulrem_r2l --activity zero
      rsaxcel flow ssmm_r2l --nbits 64 --timed-cycles all
      rsaxcel flow mont_r2l --stage placed --picture mont_r2l.png
      rsaxcel flow mont_r2l --stage placed --picture clock.svg --picture-of clock
      rsaxcel flow ssmm --nbits 8 --vcd ssmm.vcd --cycles 0:19
      rsaxcel flow mont_r2l --json | python -m json.tool
    """
)
@system_options
@with_shell_option
@flow_options("Standard cells.", "Clock period to synthesize for, in nanoseconds.")
@activity_option
@timed_cycles_option
@layout_options()
@curve_options
@wave_options
@picture_options
@json_option(
    "The record as one JSON object, nothing else; with --curve, an object for each point, "
    "then one with the verdict."
)
def command(
    design: str,
    nbits: int,
    params: dict[str, str],
    library: str,
    clock_ns: float,
    activity: str,
    timed_cycles: int,
    layout: Layout,
    curve: CurveOptions,
    waves: WaveOptions,
    picture: PictureChoice,
    as_json: bool,
) -> None:
    """Take DESIGN, a multiplier, or the system proc_DESIGN or axi_DESIGN, through the ASIC flow.

    Prints its record.

    The flow translates the design, synthesizes it to standard cells, finds its critical path,
    simulates the netlist and computes power and energy from the toggles of every net. The result
    of a node is reused while its inputs, its code and its tools are the same. If the period is too
    short, min_period_ns is the shortest one that works, and power is given at that period.

    Gates have delays, so that energy counts glitches: extra toggles before a net settles. Gates
    have delays in all cycles if that takes only some seconds, else in a sample of the cycles; the
    sampling error is printed. With --timed-cycles all, gates have delays in every cycle, which may
    take long; an interrupted run is resumed by the same command. With --activity zero no gate has a
    delay, and energy is a lower bound.

    Without --stage, areas and periods are those of a netlist without places. With --stage placed,
    the netlist gets places, a clock tree and repaired timing; min_period_ns then includes the
    delays of wires and the clock's skew, and energy the clock tree. area_um2 remains the sum of the
    cells' areas; core_area_um2 is the area in which cells and wires have room, and decides the
    cost. The same command, after an interruption, goes on after the last finished step.

    With --curve, the smallest clock period is searched by bisection over the constraint, in at most
    8 runs of the flow; then 5 more runs, at 1.1 to 3 times this period, give a curve of area, delay
    and energy. A period is published only if its constraint lies within 3 % of it: if the
    constraint is out of reach, repairs spend area and energy in vain. Every run is stored, so that
    the same command continues an interrupted search. Marks: the smallest period; the least area by
    time, and that by energy; and the knee, beyond which a longer period saves little area. Areas
    are those of the core if the design is placed. With --utilisation, no core is searched in any of
    the runs, which takes less time.

    A core in Verilog stands in a shell, which gives it streams: figures are those of the core
    alone, with the shell's area beside them. With --with-shell, figures are those of both.

    The operation of a multiplier alone is a product of random operands; every result is checked. A
    multiplier for a constant modulus is combinational: it has no registers, its period is the delay
    from port to port, and a product takes one cycle.

    proc_null (the processor on its own), proc_DESIGN (with an accelerator) and axi_DESIGN (with one
    on a bus) run the exponentiation programs as netlists; every result is checked.
    """
    if not curve.asked:
        check_uncertainty(layout, clock_ns)
    from rsaxcel.diagnosis.check import check_target
    from rsaxcel.flow.errors import NoRoom
    from rsaxcel.flow.run import run_flow
    from rsaxcel.flow.subjects import find_target, subject_of

    try:
        with silent():
            target = find_target(design, nbits, params)
        subject = subject_of(target)
        tell_choices(target.core, params)
        check_target(target)
        waves.check(target, activity, with_picture=picture.of_operation)
        picture.check(layout, activity)
        for remark in subject.remarks:
            click.echo(f"rsaxcel: {remark}", err=True)
        with steps(f"flow {subject.name}") as progress:
            if curve.asked:
                asked = target, library, layout, activity, timed_cycles
                show = curve.measure(*asked, progress)
            else:
                record = run_flow(
                    target,
                    library=library,
                    clock_ns=clock_ns,
                    activity=activity,
                    timed_cycles=timed_cycles,
                    layout=layout,
                    progress=progress,
                )
                written = list(waves.write(target, record, library, clock_ns, layout, progress))
                written += picture.write(record, waves.operation, progress)
                show = partial(_show, record, written)
    except NoRoom as error:
        shown = picture.show_lack(error, design, nbits, layout)
        raise RunError(f"{error}{shown}") from error
    show(as_json)


def _show(record: Record, written: list[str], as_json: bool) -> None:
    """Print a record, a line on each written file, and a remark on a constraint out of reach."""
    click.echo(json.dumps(record.as_json()) if as_json else "\n".join(describe(record)))
    for line in written:
        click.echo(line, err=as_json)
    asked, needed = record.clock_ns, record.min_period_ns
    if constraint_of(record.stage, asked, needed) == OUT_OF_REACH:
        told = f"{asked:g} ns is out of reach; area and energy of its repairs are spent in vain"
        click.echo(f"rsaxcel: {told}: --curve searches the smallest period", err=True)
    if record.fault:
        raise RunError(f"{record.design} is measured, but its results are wrong: {record.fault}")
