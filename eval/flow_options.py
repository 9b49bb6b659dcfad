"""Options that say which flow is meant."""

from collections.abc import Callable
from typing import Any

import click

from eval.options import together
from flow.kit import CLOCK_NS, LIBRARIES

SHORT_CLOCK_NS = 0.5
"""Clock period that no design meets: the flow makes every design as fast as it can."""

SHORT_CLOCK = (
    "Clock period to synthesize for, in nanoseconds. No design meets the default: the flow makes "
    "every design as fast as it can."
)
"""What the option means to a command with that default."""


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
