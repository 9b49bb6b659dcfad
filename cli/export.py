"""``rsaxcel export``: writes a folder with a placed circuit for another flow."""

from pathlib import Path

import click

from rsaxcel.cli.options.common import system_options
from rsaxcel.cli.options.flow import check_uncertainty, flow_options, layout_options
from rsaxcel.cli.options.plain import output_folder
from rsaxcel.cli.progress import steps
from rsaxcel.flow.layout import PLACED, Layout
from rsaxcel.store.errors import UserError

_OPENROAD, _LIBRELANE = _FLOWS = ("openroad", "librelane")


def _check_folder(_context: click.Context, _parameter: click.Parameter, folder: Path) -> Path:
    if folder.is_dir() and any(folder.iterdir()):
        raise click.BadParameter(f"{folder} is not empty")
    return folder


@click.command(
    epilog="""\b
    Examples:
      rsaxcel export montmul_r2l_shared --to openroad --output shared --clock-ns 1.5
      rsaxcel export ssmm_r2l --nbits 64 --to librelane --output ssmm --utilisation 0.6
    """
)
@system_options
@click.option(
    "--to", "other", type=click.Choice(_FLOWS), required=True, help="Flow to write a folder for."
)
@output_folder(
    "Folder to write; it must not exist, or be empty.", required=True, callback=_check_folder
)
@flow_options("Standard cells.", "Clock period to synthesize for, in nanoseconds.")
@layout_options(stage=PLACED)
def command(
    design: str,
    nbits: int,
    params: dict[str, str],
    other: str,
    folder: Path,
    library: str,
    clock_ns: float,
    layout: Layout,
) -> None:
    """Write DESIGN, a multiplier, or a system, placed, to a folder for another flow.

    For openroad, the folder has the synthesized netlist, the floorplan, the constraints and the
    script run.tcl, which is the one that `rsaxcel flow --physical openroad` runs; and the placed
    layout, with placed.tcl, which checks it. For librelane, it has the Verilog, the constraints and
    config.json; and the placed layout for comparison.

    The README.md in the folder says how to run it. Nothing in the folder refers to other files.
    """
    from rsaxcel.diagnosis.check import check_target
    from rsaxcel.flow.export import export_librelane, export_openroad
    from rsaxcel.flow.job import circuit_job
    from rsaxcel.flow.outline import NETLIST
    from rsaxcel.flow.run import run
    from rsaxcel.flow.subjects import find_target, subject_of

    if not layout.placed:
        raise UserError("--stage=synthesized: an exported circuit is placed or routed")
    check_uncertainty(layout, clock_ns)
    target = find_target(design, nbits, params)
    check_target(target)
    subject = subject_of(target)
    with steps(f"export {subject.name}") as progress:
        found = run(circuit_job(target, library, clock_ns, layout=layout), NETLIST, progress)
        if other == _OPENROAD:
            export_openroad(found.job, found.files, folder)
        else:
            export_librelane(found.job, found.files, folder, subject.verilog())
    click.echo(f"{'written':<12}{folder}: see {folder / 'README.md'}")
