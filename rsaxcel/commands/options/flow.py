"""Options of commands that run the flow."""

from collections.abc import Callable
from typing import Any

import click

from flow.conditions import ACTIVITIES, ALL_CYCLES, TIMED, TIMED_CYCLES
from flow.kit import CLOCK_NS, LIBRARIES
from rsaxcel.commands.options.common import together

_ALL = "all"

SHORT_CLOCK_NS = 0.5
"""Clock period that no design meets: the flow makes every design as fast as it can."""

SHORT_CLOCK = (
    "Clock period to synthesize for, in nanoseconds. No design meets the default: the flow makes "
    "every design as fast as it can."
)
"""What the option means to a command with that default."""


class Cycles(click.ParamType):
    """A number of cycles, or ``all``."""

    name = "cycles"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """Give the number, ``ALL_CYCLES`` for all."""
        if value == _ALL:
            return ALL_CYCLES
        count = int(value) if str(value).isdecimal() else 0
        if count < 1:
            self.fail(f"{value}: a whole number from 1 is allowed, or {_ALL}", param, ctx)
        return count


activity_option = click.option(
    "--activity",
    type=click.Choice(ACTIVITIES),
    default=TIMED,
    show_default=True,
    help="Gates with delays (energy counts glitches) or without (faster; energy is a lower bound).",
)
"""Adds --activity."""

timed_cycles_option = click.option(
    "--timed-cycles",
    type=Cycles(),
    default=TIMED_CYCLES,
    metavar="N|all",
    help="Cycles of each type of operation in which gates have delays, drawn at random.  "
    f"[default: {TIMED_CYCLES}, or all where that takes some seconds]",
)
"""Adds --timed-cycles."""


def flow_options(
    library: str, clock: str, clock_ns: float = CLOCK_NS, kind: Any = float
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add --library and --clock-ns.

    Parameters
    ----------
    library, clock : str
        What they mean to a command.
    clock_ns : float
        Default of the clock period.
    kind : type or click.ParamType
        What a period may be.
    """
    return together(
        click.option(
            "--library",
            type=click.Choice(LIBRARIES),
            default=LIBRARIES[0],
            show_default=True,
            help=library,
        ),
        click.option(
            "--clock-ns",
            type=kind,
            default=clock_ns,
            show_default=True,
            metavar="T",
            help=clock,
        ),
    )
