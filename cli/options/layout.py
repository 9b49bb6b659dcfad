"""Options of commands that place and route circuits."""

from __future__ import annotations

from typing import Any

import click

from rsaxcel.cli.options.common import gathered, together
from rsaxcel.cli.options.plain import FINITE, Decorator, only_with
from rsaxcel.flow.layout import NOT_PLACED, PHYSICAL_TOOLS, STAGES, SYNTHESIZED, TIMERS, Layout
from rsaxcel.store.errors import UserError

_CHOICES = {
    "physical": "physical",
    "utilisation": "utilisation",
    "placement_seed": "seed",
    "uncertainty_ns": "uncertainty_ns",
    "derate": "derate",
}
"""Field of a layout by the parameter of a command."""

_OPTIONS = tuple(f"--{x.replace('_', '-')}" for x in _CHOICES)
LAYOUT_CHOICES = tuple(_CHOICES)
"""Parameters of a command that have a meaning for placed circuits only."""


def _option_of(field: str) -> str:
    parameter = next((x for x, of in _CHOICES.items() if of == field), field)
    return f"--{parameter.replace('_', '-')}"


def _layout(stage: str, timer: str | None, *choices: Any) -> Layout:
    fields = zip(_CHOICES.values(), choices, strict=True)
    given = {field: value for field, value in fields if value is not None}
    try:
        return Layout(stage, timer=timer or "", **given)
    except ValueError as error:
        field, _, told = str(error).partition("=")
        raise UserError(f"{_option_of(field)}={told}") from error


def layout_text(layout: Layout) -> str:
    """Options that ask for a layout, with a space before each; see ``layout_options``."""
    asked, usual = layout.as_fields(), NOT_PLACED.as_fields()
    return "".join(f" {_option_of(x)} {value}" for x, value in asked.items() if value != usual[x])


def check_uncertainty(layout: Layout, clock_ns: float | None) -> None:
    """Check that the uncertainty of the clock is shorter than the chosen period."""
    if clock_ns is not None and (layout.uncertainty_ns or 0.0) >= clock_ns:
        raise UserError(
            f"--uncertainty-ns={layout.uncertainty_ns:g}: 0 up to, but without, the clock period "
            f"({clock_ns:g} ns) is allowed"
        )


_STAGE = (
    "How far the circuit is taken. synthesized: its clock is ideal, its wires are guessed from "
    "their fan-out. placed: cells have places, the clock has a tree of buffers, and wires have the "
    "lengths that follow; slews, loads, setup and hold are repaired. routed: wires are drawn, too."
)
_PHYSICAL = (
    "Tool that places: rsaxcel's own (embedded), or the program openroad, which must be installed "
    f"and is the only one that routes.  [default: {NOT_PLACED.physical}]"
)
_TIMER = (
    "Tool that analyses timing: the program opensta, or rsaxcel's own (embedded), which is always "
    "there.  [default: opensta if it is installed, else embedded]"
)
_UTILISATION = (
    "Area of the cells over area of the core, such as 0.7. A small core is cheap, but if it is too "
    "small, its wires have no room; then the flow fails.  [default: 0, the largest utilisation at "
    "which the wires have room, which is searched]"
)
_SEED = (
    "Seed of the placement. The same seed gives the same placement; several seeds show how much "
    f"of a difference is chance.  [default: {NOT_PLACED.seed}]"
)
_UNCERTAINTY = (
    "Clock uncertainty, such as jitter, that setup and hold must bear.  [default: that of the "
    "library's settings, or 0]"
)
_DERATE = (
    "Fraction by which late paths are taken to be slower, and early paths faster, than computed, "
    "such as 0.05.  [default: that of the library's settings, or 0]"
)


def layout_options(stage: str = SYNTHESIZED) -> Decorator:
    """Return a decorator that adds --stage and the choices for placement to a command.

    The command gets them as ``layout``. ``stage`` is the default of --stage.
    """
    return together(
        click.option(
            "--stage", type=click.Choice(STAGES), default=stage, show_default=True, help=_STAGE
        ),
        click.option("--timer", type=click.Choice(TIMERS), help=_TIMER),
        click.option("--physical", type=click.Choice(PHYSICAL_TOOLS), help=_PHYSICAL),
        click.option("--utilisation", type=FINITE, metavar="U", help=_UTILISATION),
        click.option("--placement-seed", type=int, metavar="N", help=_SEED),
        click.option("--uncertainty-ns", type=FINITE, metavar="T", help=_UNCERTAINTY),
        click.option("--derate", type=FINITE, metavar="F", help=_DERATE),
        only_with(_OPTIONS, *(f"--stage {x}" for x in STAGES if x != SYNTHESIZED)),
        gathered("layout", _layout, "stage", "timer", *_CHOICES),
    )
