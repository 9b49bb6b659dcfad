"""``rsaxcel flow``: takes a design, a multiplier or a system through the ASIC flow."""

import json
from functools import partial

import click

from rsaxcel.cli.options.common import system_options, tell_choices
from rsaxcel.cli.options.curve import CurveOptions, curve_options
from rsaxcel.cli.options.flow import activity_option, flow_options, timed_cycles_option
from rsaxcel.cli.options.layout import check_uncertainty, layout_options
from rsaxcel.cli.options.picture import PictureChoice, picture_options
from rsaxcel.cli.options.plain import json_option
from rsaxcel.cli.options.waves import Waves, wave_options
from rsaxcel.cli.output.flow import describe
from rsaxcel.cli.progress import steps
from rsaxcel.diagnosis.quiet_output import silent
from rsaxcel.flow.layout import OUT_OF_REACH, Layout, constraint_of
from rsaxcel.flow.record import Record
from rsaxcel.store.errors import RunError


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
    waves: Waves,
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
        curve.check()
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
