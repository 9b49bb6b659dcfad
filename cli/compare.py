"""``rsaxcel compare``: two design points side by side, with ratios."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from rsaxcel import catalog
from rsaxcel.cli.options.common import complete, named
from rsaxcel.cli.options.plain import json_option
from rsaxcel.cli.options.points import choose_pair, library_of_points, operation_option
from rsaxcel.eval.facts.fact import OPERATIONS
from rsaxcel.flow.layout import OUT_OF_REACH

if TYPE_CHECKING:
    import pandas as pd

_CONDITIONS = ("library", "clock_ns", "stage", "activity")
_OF_ONE_ACTIVITY = ("energy_nj", "power_mw", "glitch_factor")
_KEPT = ("point", *_CONDITIONS, "constraint", "kind")


@click.command(
    epilog="""\b
    Examples:
      rsaxcel compare mulrem_r2l:32 mont_r2l:32
      rsaxcel compare ssmm_r2l:128 mm_r2l:128 --operation encrypt
      rsaxcel compare cm_r2l_shared:32 cm_r2l_shared:32,columns=best
      rsaxcel compare mont_r2l:32@3 ssmm_r2l:32@0.5
      rsaxcel compare mont_r2l:32,library=freepdk-45nm mont_r2l:32,library=osu018
      rsaxcel compare mont_r2l:32,stage=synthesized mont_r2l:32,stage=placed
      rsaxcel compare proc_mulrem_r2l:32 proc_mont_r2l:32 --json
    """
)
@click.argument("a", callback=named, shell_complete=complete(catalog.designs))
@click.argument("b", callback=named, shell_complete=complete(catalog.designs))
@click.option(
    "--library",
    metavar="NAME|PATH",
    callback=lambda _ctx, _param, name: name and library_of_points(name),
    help="Cell library, NAME@CORNER for one corner, or FPGA family.  "
    "[default: one that both points have]",
)
@operation_option("Operation whose cycles, time and energy are compared.")
@json_option()
def command(a: str, b: str, library: str | None, operation: str, as_json: bool) -> None:
    """Show the design points A and B side by side, and how B differs from A.

    A point is DESIGN:NBITS, then choices after commas, then the requested clock period after @ if
    there are several: ssmm_r2l:32,schedule=window,lanes=1@0.5. The cell library and the stage can
    stand among the choices: library=osu018, stage=placed. `rsaxcel results` lists the measured
    points. Figures under the same library, clock and stage are compared if both points have them.
    """
    from rsaxcel.eval.facts.points import load_points

    pair = choose_pair(load_points(operation=operation), a, b, library)
    if as_json:
        click.echo(json.dumps(_as_json(*pair)))
    else:
        _show(*pair, operation)


def _figures(a: pd.Series, b: pd.Series) -> list[str]:
    """Return the columns in which ``a`` or ``b`` has a figure.

    Columns with an operation in their name, such as ``decrypt_energy_nj``, are left out.
    """
    from rsaxcel.eval.facts.points import FACTOR, NUMBERS

    once = (x for x in NUMBERS if not x.startswith(OPERATIONS) and x != FACTOR)
    return [x for x in once if not (a[x] != a[x] and b[x] != b[x])]


def _comparable(name: str, a: pd.Series, b: pd.Series) -> bool:
    """Whether a ratio is meaningful: energies of different activities are not comparable."""
    return name not in _OF_ONE_ACTIVITY or a.activity == b.activity


def _show(a: pd.Series, b: pd.Series, operation: str) -> None:
    from rich.text import Text

    from rsaxcel.cli.output.points import cell_text, quantity_of
    from rsaxcel.eval.facts.quantities import compared
    from rsaxcel.eval.report.views import view, wide_console

    table = view()
    table.add_column("", no_wrap=True)
    for name in (a.point, b.point):
        table.add_column(Text(str(name)), justify="right", overflow="fold", min_width=12)
    table.add_column("B against A", justify="right", no_wrap=True)
    judged = a.constraint or b.constraint
    for name in (x for x in _KEPT[1:] if judged or x != "constraint"):
        table.add_row(name, *(Text(_text(name, x[name])) for x in (a, b)), "")
    for name in _figures(a, b):
        quantity = quantity_of(name)
        words = compared(b[name], a[name]) if _comparable(name, a, b) else "-"
        style = ""
        if quantity and quantity.better and words != "-":
            better = b[name] < a[name] if quantity.better == "less" else b[name] > a[name]
            style = "green" if better else "" if b[name] == a[name] else "red"
        cells = (Text(cell_text(name, x[name])) for x in (a, b))
        table.add_row(name, *cells, Text(words, style=style))
    console = wide_console()
    console.print(table, crop=False)
    console.print(f"Cycles, time and energy are for {_operation(a, b, operation)}.", style="dim")
    if a.equals(b):
        console.print(
            "A and B are one measurement. Name what differs: a choice, library=NAME or @CLOCK.",
            style="yellow",
        )
    for label, point in (("A", a), ("B", b)):
        if point.constraint == OUT_OF_REACH:
            told = f"The clock of {label} is out of reach: repairs cost area and energy in vain."
            console.print(f"{told} `rsaxcel flow --curve` searches the smallest.", style="yellow")
    # Series.equals takes two missing values, such as the clocks of FPGA estimates, for equal.
    if differing := [x for x in _CONDITIONS if not a[[x]].equals(b[[x]])]:
        console.print(f"The measurements differ in: {', '.join(differing)}.", style="yellow")


def _operation(a: pd.Series, b: pd.Series, operation: str) -> str:
    """Words for the operation of the figures; a multiplier forms products only."""
    are_multipliers = all(catalog.is_multiplier(x.subject) for x in (a, b))
    return "a product" if are_multipliers else f"one operation: {operation}"


def _text(name: str, value: Any) -> str:
    from rsaxcel.cli.output.points import cell_text

    return cell_text(name, value) if value != "" else "-"


def _as_json(a: pd.Series, b: pd.Series) -> dict[str, Any]:
    from rsaxcel.cli.output.points import as_json

    shown = [*_KEPT, *_figures(a, b)]
    names = [x for x in _figures(a, b) if _comparable(x, a, b)]
    ratios = {x: float(b[x] / a[x]) for x in names if a[x] and a[x] == a[x]}
    both = {key: as_json({x: point[x] for x in shown}) for key, point in (("a", a), ("b", b))}
    return {**both, "b_over_a": as_json(ratios)}
