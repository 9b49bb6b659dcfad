"""``rsaxcel flow``: a design through the ASIC flow."""

import json
import math
from collections.abc import Mapping
from typing import Any

import click

import designs
from eval.errors import UserError
from eval.options import configure, design_options
from eval.progress import steps
from flow.errors import FlowError
from flow.kit import LIBRARIES

DEFAULT_CLOCK_NS = 3.0

_MODULES_SHOWN = 20


def _finite(context: click.Context, parameter: click.Parameter, value: float) -> float:
    if not (math.isfinite(value) and value > 0):
        raise click.BadParameter(f"{value} is not a period; it must be positive and finite")
    return value


@click.command(
    epilog="""\b
    Examples:
      rsaxcel flow mont_r2l
      rsaxcel flow mulrem_r2l --nbits 64 --param bits_per_cycle=2 --clock-ns 2.5
      rsaxcel flow mont_r2l --json | python -m json.tool
    """
)
@design_options
@click.option(
    "--library",
    type=click.Choice(LIBRARIES),
    default=LIBRARIES[0],
    show_default=True,
    help="Standard cells.",
)
@click.option(
    "--clock-ns",
    type=float,
    default=DEFAULT_CLOCK_NS,
    show_default=True,
    callback=_finite,
    metavar="T",
    help="Clock period to synthesize for, in nanoseconds.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="The record as one JSON object, nothing else."
)
def command(
    design: str,
    nbits: int,
    params: dict[str, str],
    library: str,
    clock_ns: float,
    as_json: bool,
) -> None:
    """Take DESIGN through the ASIC flow and print its record.

    The flow translates the design, synthesizes it to standard cells, finds its critical path,
    simulates the netlist and computes power and energy from the toggles of every net. What has
    been measured before with the same sources and tools is reused. If the period is too short,
    min_period_ns tells the one that works, and power is given at that.
    """
    configuration = configure(designs.get, design, nbits, params)
    from flow.run import run_flow

    try:
        with steps(f"flow {configuration.name}") as progress:
            record = run_flow(configuration, library=library, clock_ns=clock_ns, progress=progress)
    except FlowError as error:
        raise UserError(str(error)) from error
    click.echo(json.dumps(record) if as_json else "\n".join(_lines(record)))


def _lines(values: Mapping[str, Any], indent: str = "") -> list[str]:
    """Key and value per line; the units are in the keys."""
    lines = []
    width = max(map(len, values), default=0)
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            shown, left = _largest(key, value)
            lines += [f"{indent}{key}", *_lines(shown, f"{indent}  ")]
            lines += [f"{indent}  ... {left} smaller ones"] if left else []
        else:
            lines.append(f"{indent}{key:<{width}}  {_text(value)}")
    return lines


def _largest(key: str, values: Mapping[str, Any]) -> tuple[Mapping[str, Any], int]:
    """Give the largest modules, and the number of the others; all entries of any other table."""
    if key != "area_by_module":
        return values, 0
    ranked = sorted(values.items(), key=lambda item: item[1], reverse=True)
    return dict(ranked[:_MODULES_SHOWN]), max(0, len(ranked) - _MODULES_SHOWN)


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}" if abs(value) < 100 else f"{value:.1f}"
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return str(value)
