"""Options of commands that place and route circuits."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from flow.layout import NOT_PLACED, PHYSICAL_TOOLS, STAGES, SYNTHESIZED, Layout
from rsaxcel.commands.options.common import together
from store.errors import UserError

_CHOICES = ("physical", "utilisation", "seed", "uncertainty_ns", "derate")


def _layout(command: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(command)
    def called(*args: Any, stage: str, **options: Any) -> Any:
        choices = {name: options.pop(name) for name in _CHOICES}
        given = {name: value for name, value in choices.items() if value is not None}
        if stage == SYNTHESIZED and given:
            option = f"--{next(iter(given)).replace('_', '-')}"
            raise UserError(f"{option}: has a meaning with --stage placed or routed only")
        try:
            layout = Layout(stage, **given)
        except ValueError as error:
            raise UserError(f"--{error}") from error
        return command(*args, layout=layout, **options)

    return called


layout_options = together(
    click.option(
        "--stage",
        type=click.Choice(STAGES),
        default=SYNTHESIZED,
        show_default=True,
        help="How far the circuit is taken. synthesized: its clock is ideal, its wires are guessed "
        "from their fan-out. placed: cells have places, the clock has a tree of buffers, and wires "
        "have the lengths that follow; slews, loads, setup and hold are repaired. routed: wires "
        "are drawn, too.",
    ),
    click.option(
        "--physical",
        type=click.Choice(PHYSICAL_TOOLS),
        help="Tool that places: rsaxcel's own (embedded), or the program openroad, which must be "
        f"installed and is the only one that routes.  [default: {NOT_PLACED.physical}]",
    ),
    click.option(
        "--utilisation",
        type=float,
        metavar="U",
        help="Area of the cells over area of the core, such as 0.7. A small core is cheap, but if "
        "it is too small, its wires have no room; then the flow fails.  [default: 0, the largest "
        "utilisation at which the wires have room, which is searched]",
    ),
    click.option(
        "--seed",
        type=int,
        metavar="N",
        help="Seed of the placement. The same seed gives the same placement; several seeds show "
        f"how much of a difference is chance.  [default: {NOT_PLACED.seed}]",
    ),
    click.option(
        "--uncertainty-ns",
        type=float,
        metavar="T",
        help="Clock uncertainty, such as jitter, that setup and hold must bear.  [default: 0]",
    ),
    click.option(
        "--derate",
        type=float,
        metavar="F",
        help="Fraction by which late paths are taken to be slower, and early paths faster, than "
        "computed, such as 0.05.  [default: 0]",
    ),
    _layout,
)
"""Adds --stage, --physical, --utilisation, --seed, --uncertainty-ns and --derate to a command, as
``layout``."""
