"""``rsaxcel show``: draws the hierarchy of a design."""

from collections.abc import Mapping
from pathlib import Path

import click

from rsaxcel.circuit import Circuit
from rsaxcel.cli.options.common import check_circuit, ending_in, system_options
from rsaxcel.cli.options.flow import flow_options
from rsaxcel.cli.options.systems import choose_circuit
from rsaxcel.cli.output.hierarchy_drawing import draw_hierarchy
from rsaxcel.cli.progress import steps
from rsaxcel.flow.files import read_json
from rsaxcel.flow.job import circuit_job
from rsaxcel.flow.libraries import find_kit
from rsaxcel.flow.outline import NETLIST, read_netlist
from rsaxcel.flow.run import run
from rsaxcel.flow.shells import in_shell
from rsaxcel.proc.systems import System
from rsaxcel.sim.hierarchy import area_paths, hierarchy
from rsaxcel.store.errors import SetupError
from rsaxcel.store.whole_files import write_whole


@click.command(
    epilog="""\b
    Examples:
      rsaxcel show mont_r2l
      rsaxcel show ssmm_r2l --nbits 64 --output ssmm.svg
      rsaxcel flow proc_mont_r2l && rsaxcel show proc_mont_r2l --depth 3
    """
)
@system_options
@click.option(
    "--depth",
    type=click.IntRange(min=0),
    metavar="D",
    help="Levels below the top to draw; all unless given.",
)
@flow_options(
    "Standard cells of the flow whose areas are shown.",
    "Clock period of that flow, in nanoseconds.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=ending_in(".svg"),
    metavar="FILE",
    help="SVG to write, with a name that ends in .svg; named after the design, in this folder, "
    "unless given.",
)
def command(
    design: str,
    nbits: int,
    params: dict[str, str],
    depth: int | None,
    library: str,
    clock_ns: float,
    output: Path | None,
) -> None:
    """Draw the hierarchy of DESIGN, of a multiplier or of a system (proc_DESIGN, axi_DESIGN).

    Each component is a row: its instance and class, its ports with their widths in bits, streams
    with the fields of their messages, and its area with all components in it. Areas are known if
    `rsaxcel flow`, or a report, has synthesized the design with this library and clock. Equal
    components of a list are one row with the sum of their areas. A component that synthesis
    dissolves into its parent has no area of its own.
    """
    target = choose_circuit(design, nbits, params)
    if not isinstance(target, System):
        check_circuit(target)
    name = target.key if isinstance(target, System) else target.name
    with steps(f"show {name}"):
        circuit = target.component() if isinstance(target, System) else target.component("rtl")
        areas = _areas(target, library, clock_ns)
        if areas:
            note = f"area after synthesis, {library}, clock {clock_ns:g} ns"
        else:
            note = f"no areas: no result of the flow, {library}, clock {clock_ns:g} ns"
        said = (
            f"{note}; a component without an area is part of the one around it" if areas else note
        )
        text = draw_hierarchy(hierarchy(circuit, name), name, said, areas, depth)
    path = output or Path(f"{name}.svg")
    write_whole(path, text)
    click.echo(f"{'written':<12}{path}")
    click.echo(f"{'areas':<12}{note.removeprefix('no areas: ')}")


def _areas(target: Circuit | System, library: str, clock_ns: float) -> dict[str, float]:
    """Area in um2 of each component, by its path, from an earlier flow; empty without one."""
    job = circuit_job(target, library, clock_ns)
    try:
        if not (found := run(job, NETLIST, lookup=True)):
            return {}
        areas = read_json(found.files["synthesis.json"])
        paths = area_paths(areas["area_by_module"])
        if target.shelled is None:
            return {"": areas["area_um2"], **paths}
        netlist = read_netlist(found.files, library, job.design)
        _, around = in_shell(netlist, target, find_kit(library), job.subject.check)
        return _in_shell(paths, target.shelled.core, areas["area_um2"], around)
    except SetupError:
        return {}  # without the tools of the flow there are no results


def _in_shell(
    areas: Mapping[str, float], core: str, area_um2: float, around_um2: float | None
) -> dict[str, float]:
    """Areas by path of a core in its shell, from those of a core and a shell beside it.

    ``around_um2`` is the area of a shell that is left out of all others.
    """
    from rsaxcel.rtl.shells import CORE, SHELL

    around, own_um2 = f"{SHELL}.", areas.get(core, area_um2)
    shell_um2 = areas.get(SHELL, 0.0) if around_um2 is None else around_um2
    parts = {x.removeprefix(around): y for x, y in areas.items() if x.startswith(around)}
    return {"": own_um2 + shell_um2, CORE: own_um2, **parts}
