"""``rsaxcel optimize``: searches for the best composition at a width."""

from __future__ import annotations

import os
from typing import Any

import click

from rsaxcel import catalog
from rsaxcel.cli.options.common import nbits_option, param_option
from rsaxcel.cli.options.flow import (
    OWN_CLOCK,
    SHORT_CLOCK_NS,
    activity_option,
    check_uncertainty,
    flow_options,
    layout_options,
)
from rsaxcel.cli.options.plain import FiniteRange, json_option
from rsaxcel.cli.options.points import operation_option
from rsaxcel.store.errors import UserError

_OBJECTIVES = ("area_time", "time", "area", "energy")
_POSITIVE = FiniteRange(min=0, min_open=True)


def _of_registry(
    context: click.Context, parameter: click.Parameter, names: tuple[str, ...]
) -> tuple[str, ...]:
    for name in names:
        is_known = name in catalog.multipliers()
        if not is_known and (name in catalog.circuits() or os.path.exists(name)):
            told = f"a multiplier in Verilog is tried by --param multiplier={name}"
            raise UserError(f"--multiplier={name}: {told}")
    return names


@click.command(
    epilog="""\b
    Examples:
      rsaxcel optimize --nbits 32
      rsaxcel optimize --nbits 64 --objective time --max-area 20000
      rsaxcel optimize --nbits 32 --multiplier ssmm --vary bits_per_cycle --vary window_nbits
      rsaxcel optimize --nbits 32 --objective energy --operation encrypt
      rsaxcel optimize --nbits 16 --multiplier ssmm --fresh --exhaustive
      rsaxcel optimize --nbits 16 --multiplier ssmm --stage placed --utilisation 0.7
    """
)
@nbits_option(kind=click.IntRange(min=8))
@click.option(
    "--objective",
    type=click.Choice(_OBJECTIVES),
    default=_OBJECTIVES[0],
    help="Figure of an operation to minimize.",
)
@click.option(
    "--max-area",
    type=_POSITIVE,
    metavar="UM2",
    help="Largest area allowed, in um2; of the core, if placed.",
)
@click.option("--max-time", type=_POSITIVE, metavar="US", help="Longest time allowed, in us.")
@click.option("--max-energy", type=_POSITIVE, metavar="NJ", help="Most energy allowed, in nJ.")
@operation_option("Operation whose time and energy count.")
@click.option(
    "--multiplier",
    "multipliers",
    multiple=True,
    metavar="NAME",
    callback=_of_registry,
    help="A multiplier to try; can be repeated.  [default: all that take any modulus]",
)
@click.option(
    "--vary",
    multiple=True,
    metavar="NAME",
    help="An axis or parameter to try besides multiplier, schedule and lanes, such as domain or "
    "window_nbits, or `parameters` for all; can be repeated.",
)
@param_option
@flow_options(
    "Standard cells.", f"Clock period of all compositions, in nanoseconds.  {OWN_CLOCK}", None
)
@activity_option
@layout_options()
@click.option(
    "--budget",
    type=FiniteRange(1, 100),
    default=25.0,
    metavar="PERCENT",
    help="Most synthesis time to spend, as a share of the time to synthesize all compositions.",
)
@click.option(
    "--tolerance",
    type=FiniteRange(0, 100, max_open=True),
    default=3.0,
    metavar="PERCENT",
    help="End when no remaining composition is predicted to be better by more than this.",
)
@click.option("--fresh", is_flag=True, help="Do not learn from earlier measurements.")
@click.option(
    "--exhaustive",
    is_flag=True,
    help="Afterwards measure all other compositions, and say how much better the best of them is.",
)
@json_option()
def command(**asked: Any) -> None:
    """Find the best composition of a width: multiplier, schedule, lanes and what --vary names.

    Only choices that fit are tried (`rsaxcel list schedule`). The cycle model counts the cycles of
    all compositions. Area and clock are fitted to the measurements, with their errors. The fit
    prunes compositions that cannot be the best; synthesis measures the others, the most promising
    ones first. From 64 bits on, narrow compositions of each multiplier come before them, which
    costs little. The search ends when no remaining composition is predicted to be better by more
    than the tolerance, or when the budget is spent. If energy is limited or is the objective, the
    whole flow is run, which takes longer.

    Prints the front of time and area among the measured compositions, and the processor time of
    their syntheses, compared with that of all compositions. An interrupted search continues from
    its measurements. With --fresh, a search does not learn from earlier measurements, but reuses
    their results. `rsaxcel results` shows all measurements, too.

    With --stage placed, the figures are those of placed circuits, and the area is that of the core;
    each measurement takes minutes. A column says the stage.

    --param fixes a choice or a parameter.
    """
    from rsaxcel.cli.output.optimize import OptimizeOptions, run

    if asked["clock_ns"] is None and not asked["layout"].placed:
        asked["clock_ns"] = SHORT_CLOCK_NS
    check_uncertainty(asked["layout"], asked["clock_ns"])
    run(OptimizeOptions(**asked))
