"""``rsaxcel sweep``: measures every point of a specification."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rsaxcel.cli.options.plain import worker_options
from rsaxcel.cli.progress import steps
from rsaxcel.store.errors import UserError

if TYPE_CHECKING:
    from rsaxcel.eval.measure.job import Workers


@click.command(
    epilog="""\b
    Examples:
      rsaxcel sweep docs/examples/sweep.toml --dry-run
      rsaxcel sweep docs/examples/sweep.toml
      rsaxcel sweep mine.toml --workers 1
      rsaxcel sweep mine.toml --scheduler tls://127.0.0.1:8786
    """
)
@click.argument("spec", type=click.Path(path_type=Path), metavar="SPEC.toml")
@click.option("--dry-run", is_flag=True, help="Print the points and the time they may take.")
@worker_options()
def command(spec: Path, dry_run: bool, pool: Workers) -> None:
    """Measure every point of SPEC.toml: designs, widths, parameters, libraries and clocks.

    All points are checked before anything runs. Earlier measurements are reused, and a sweep that
    was interrupted or killed goes on where it stopped. A point that fails is recorded with its
    reason and log; the other points are measured all the same. Figures go to
    build/sweeps/NAME/facts.csv and facts.parquet, failures to failures.json beside them.
    """
    from rsaxcel.eval.sweep import ENERGY, expected, points_of, read_spec, run_sweep

    try:
        read = read_spec(spec)
    except UserError as error:
        if spec.suffix == ".toml" or "not TOML" not in str(error):
            raise
        like = "a sweep in TOML is allowed, as docs/examples/sweep.toml has one"
        raise UserError(f"{spec}: not TOML; {like}") from error
    found = points_of(read)
    left_out = f", {len(found.left_out)} combinations do not fit" if found.left_out else ""
    click.echo(f"{read.name}: {len(found.points)} points{left_out}", err=True)
    if not dry_run:
        with steps("sweep") as tell:
            folder = run_sweep(read, found.points, pool, tell)
        click.echo(f"sweep: {folder}")
        return
    for reason in found.left_out:
        click.echo(f"left out: {reason}", err=True)
    for point in found.points:
        group = point.group
        stages = [layout.stage for layout in group.layouts if layout.placed]
        told = {ENERGY: f"{ENERGY} ({', '.join([*group.activities, *stages])})"}
        click.echo(f"{point.name}: {', '.join(told.get(x, x) for x in group.measure)}")
    click.echo(expected(found.points, pool), err=True)
