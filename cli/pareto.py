"""``rsaxcel pareto``: prints and draws the points that no other point beats."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rsaxcel import catalog
from rsaxcel.cli.options.common import PICTURES, output_file
from rsaxcel.cli.options.plain import json_option
from rsaxcel.cli.options.points import Selection, check_columns, select, selection_options
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.layout import OUT_OF_REACH, STAGES, SYNTHESIZED, TIMED, ZERO
from rsaxcel.store.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

_LEAST = "less"
_ENERGIES = {TIMED: "energy with glitches", ZERO: "energy without glitches, a lower bound"}


@click.command(
    epilog="""\b
    Examples:
      rsaxcel pareto --x time_us --y area_um2
      rsaxcel pareto --x time_us --y area_um2 --nbits 64 --plot front.svg
      rsaxcel pareto --x time_us --y area_um2 --z energy_nj --plot front.png
      rsaxcel pareto --x time_us --stage placed
      rsaxcel pareto --x time_us --y alms --library cyclonev 'dm_*' 'cm_*'
      rsaxcel pareto --x time_us --y area_um2 --project 2048 --nbits 2048
    """
)
@selection_options
@click.option("--x", default="time_us", metavar="COLUMN", help="First figure.")
@click.option(
    "--y",
    metavar="COLUMN",
    help="Second figure.  [default: area_um2, or core_area_um2 of placed and routed points]",
)
@click.option("--z", metavar="COLUMN", help="Third figure, drawn as colour.")
@output_file("--plot", "Draw the points and the front; FILE ends in .svg, .png or .pdf.", *PICTURES)
@json_option("A JSON object per point of the front.")
def command(
    x: str, y: str | None, z: str | None, plot: Path | None, as_json: bool, **asked: Any
) -> None:
    """Show the Pareto front of design points: the points that no other point beats in all figures.

    Less is better in each of two or three columns, such as time_us, area_um2, energy_nj, cycles,
    alms (`rsaxcel results --columns all --json` shows them). DESIGN and the options select points
    as for `rsaxcel results`. All points have one activity (timed, if energies are measured with
    glitches), one width and one library, freepdk-45nm unless --library says otherwise. Without
    --nbits the width is 32 bits, or the only measured one. All points are of one stage, too: only
    synthesized unless --stage says otherwise, or the only stage that was measured. Placed points
    are compared by the area of the core, in which cells and wires have room. Left out are points
    whose clock constraint is out of reach, and cores in Verilog whose results are wrong (`rsaxcel
    results` tells both).

    In the drawing, points on the front are named and joined by a line, all others are faint, and
    projections and estimates are hollow.
    """
    from rsaxcel.cli.output.points import MARK, POINT, show_json, show_table
    from rsaxcel.eval.facts.points import on_front

    asked["libraries"] = asked["libraries"] or (DEFAULT_LIBRARY,)
    if len(asked["nbits"]) > 1:
        raise UserError("--nbits: one width is allowed, since narrower designs beat all wider ones")
    points, stage = _of_one_stage(select(Selection(**asked)))
    y = y or ("area_um2" if stage in ("", SYNTHESIZED) else "core_area_um2")
    points = _within_reach(_with_right_results(points))
    columns = [name for name in (x, y, z) if name]
    if len({*columns}) < len(columns):
        listed = ", ".join(columns)
        raise UserError(f"--x, --y and --z: different columns are allowed, not {listed}")
    _check(columns, points)
    points = _of_one_activity(points, columns)
    if not asked["nbits"]:
        points = _of_one_width(points)
    shown = points.dropna(subset=columns)
    if shown.empty:
        known = ", ".join(name for name in _figures(points) if points[name].notna().any())
        raise UserError(
            f"none of the {len(points)} points has {', '.join(columns)}; some have {known}"
        )
    front = shown[on_front(shown, columns)].sort_values(columns)
    (nbits,) = shown.nbits.unique()
    if as_json:
        show_json(front, [POINT, "library", "clock_ns", "stage", "activity", *columns, MARK])
    else:
        title = f"{len(front)} of {len(shown)} points at {nbits} bits are on the front"
        if stage:
            title += f", {stage}"
        if _counts_energy(columns):
            title += f" ({_ENERGIES.get(shown.activity.iloc[0], 'energy')})"
        show_table(front, ["library", "clock_ns", *columns, MARK], title)
    if plot is not None:
        from rsaxcel.cli.output.charts import draw_front

        draw_front(shown, front, columns, plot)
        click.echo(f"written: {plot}", err=as_json)


def _of_one_stage(points: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Keep the points of one stage of the flow, so that they are comparable; return the stage.

    These are the synthesized points if there are any. Points without a stage are kept, too.
    """
    stages = [stage for stage in STAGES if stage in set(points.stage)]
    if not stages:
        return points, ""
    return points[points.stage.isin(["", stages[0]])].reset_index(drop=True), stages[0]


def _within_reach(points: pd.DataFrame) -> pd.DataFrame:
    """Leave out placed points whose constraint is out of reach, and say so on standard error."""
    out = points.constraint == OUT_OF_REACH
    helps = ""
    if out.all():
        asked = f"{catalog.typed(points.subject.iloc[0])} --stage {points.stage.iloc[0]}"
        helps = f"`rsaxcel flow {asked} --curve` searches the smallest period"
    return _without(points, out, "their clock constraint is out of reach", helps)


def _with_right_results(points: pd.DataFrame) -> pd.DataFrame:
    """Leave out cores whose results are wrong, and say so on standard error."""
    from rsaxcel.eval.facts.fact import WRONG

    name, nbits = catalog.typed(points.subject.iloc[0]), points.nbits.iloc[0]
    helps = f"`rsaxcel check {name} --nbits {nbits}` finds the fault"
    return _without(points, points.kind == WRONG, "their results are wrong", helps)


def _without(points: pd.DataFrame, out: pd.Series[bool], why: str, helps: str) -> pd.DataFrame:
    told = f"{out.sum()} of {len(out)} points left out: {why}"
    if out.all():
        raise UserError(f"{told}; {helps}")
    if out.any():
        click.echo(f"rsaxcel: {told}", err=True)
    return points[~out].reset_index(drop=True)


def _of_one_activity(points: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """Keep one row of each circuit.

    A circuit has several rows if it is measured with several activities (``timed``, ``zero``). If a
    column is an energy, all kept rows have the same activity, so that they are comparable.
    """
    from rsaxcel.eval.facts.points import CIRCUIT

    order = list(_ENERGIES)
    if _counts_energy(columns):
        kept = next((x for x in order if x in set(points.activity)), "")
        points = points[points.activity == kept]
    first = points.activity.map([*order, ""].index).sort_values(kind="stable").index
    return points.loc[first].drop_duplicates(list(CIRCUIT)).sort_index()


def _counts_energy(columns: list[str]) -> bool:
    from rsaxcel.eval.facts.points import ENERGY

    return any(name.endswith(ENERGY) for name in columns)


def _of_one_width(points: pd.DataFrame) -> pd.DataFrame:
    """Keep the points of the default width; if all points have the same width, keep them all."""
    widths = sorted(points.nbits.unique())
    if len(widths) == 1:
        return points
    if catalog.DEFAULT_NBITS not in widths:
        listed = ", ".join(map(str, widths))
        raise UserError(f"--nbits: one width is needed; design points have {listed} bits")
    return points[points.nbits == catalog.DEFAULT_NBITS].reset_index(drop=True)


def _figures(points: pd.DataFrame) -> list[str]:
    """Return the columns with figures of which a smaller value is better."""
    from rsaxcel.cli.output.points import quantity_of

    found = ((name, quantity_of(name)) for name in points.columns)
    return [name for name, quantity in found if quantity and quantity.better == _LEAST]


def _check(columns: list[str], points: pd.DataFrame) -> None:
    check_columns(columns, points)
    allowed = _figures(points)
    for name in columns:
        if name not in allowed:
            raise UserError(
                f"column {name!r}: less must be better in it; allowed: {', '.join(allowed)}"
            )
