"""``rsaxcel results``: shows the measured design points, filtered and sorted."""

from typing import Any

import click

from rsaxcel.cli.options.plain import excludes, json_option, only_with
from rsaxcel.cli.options.points import Selection, check_columns, select, selection_options


@click.command(
    epilog="""\b
    Examples:
      rsaxcel results                                       all designs that are measured
      rsaxcel results 'mont*' --nbits 32 --sort time_us
      rsaxcel results --where 'area_um2<20000 and lanes=1' --sort area_time_um2_ms
      rsaxcel results 'proc_*' --operation encrypt
      rsaxcel results ssmm_r2l --columns area_um2,decrypt_energy_nj,provenance
      rsaxcel results --project 2048 --library freepdk-45nm
      rsaxcel results --json | python -m json.tool --json-lines
    """
)
@selection_options
@click.option("--sort", "sort", metavar="COLUMN", help="Sort by a column, the smallest first.")
@click.option("--descending", is_flag=True, help="The largest first.")
@click.option(
    "--columns", metavar="A,B,...", help="Columns to show, or `all`.  [default: the usual ones]"
)
@json_option("A JSON object per line, with all columns.")
@click.option("--csv", "as_csv", is_flag=True, help="Comma-separated values with all columns.")
@excludes("--json", "--csv")
@only_with(("--descending",), "--sort")
def command(
    sort: str | None,
    descending: bool,
    columns: str | None,
    as_json: bool,
    as_csv: bool,
    **asked: Any,
) -> None:
    """Show design points: all that flow, fpga, sweep, optimize and report have measured here.

    A point is a design at a width with its choices, a library, and the requested clock period.
    DESIGN is a name, or a pattern with * and ?; all designs unless given. If the code of a design
    has changed, its latest results count. The cycles and energy of a system are measured on
    the program xcel, or axi on the bus.

    time_us is the time of an operation (decryption unless --operation says otherwise; of a
    multiplier, a product): cycles times the requested clock period, or times the smallest period if
    that is longer. Every column can be used in --where, --sort and --columns; `--columns all
    --json` shows them. The table adds the conditions in which its points differ.

    stage says on what a point was measured: `synthesized`, a netlist without places; `placed`, with
    places, clock tree and wires; `routed`. area_um2 is the sum of the cells' areas; core_area_um2,
    of placed points, the area in which cells and wires have room.

    constraint says of a placed or routed point how its requested clock period lies to the smallest
    one: `tight`, within 3 %, so that min_period_ns is one that a netlist was repaired for; `loose`,
    above it; `out of reach`, below it, so that repairs spent area and energy in vain. `rsaxcel flow
    DESIGN --curve` searches the smallest period.

    energy_nj counts glitches if activity is `timed`. timed_percent is the share of the cycles in
    which gates had delays, glitch_error_percent the standard error of the glitches' energy due to
    the sample. If a circuit was measured several times, the largest sample counts.

    kind says how a point was measured. `wrong results`: of a core in Verilog, whose netlist is as
    wrong as it is; `simulated in part`: the energy of the operation's first
    bits stands for all bits. `estimated`: by a mapper for FPGAs that does not place. `projected`
    (with --project): area, smallest period and energy are extrapolated as powers of the width, each
    accurate to within the factor projected_factor (an area by time: to within its square); cycles
    are the cycle model's.
    """
    from rsaxcel.cli.output.points import (
        POINT,
        show_csv,
        show_json,
        show_table,
        shown_columns,
        with_conditions,
    )
    from rsaxcel.eval.facts.points import COLUMNS

    points = select(Selection(**asked))
    if sort:
        check_columns([sort], points)
        points = points.sort_values(sort, ascending=not descending, kind="stable")
    listed = [name.strip() for name in columns.split(",")] if columns else []
    if listed == ["all"]:
        listed = list(COLUMNS)
    check_columns(listed, points)
    if as_json:
        show_json(points, listed or COLUMNS)
    elif as_csv:
        show_csv(points, listed or COLUMNS)
    else:
        shown = [name for name in listed if name != POINT] or shown_columns(points)
        show_table(points, with_conditions(shown, points))
