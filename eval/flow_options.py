"""Options that say which flow is meant."""

from collections.abc import Callable
from typing import Any

import click

from eval.options import together
from flow.kit import CLOCK_NS, LIBRARIES


def flow_options(library: str, clock: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add --library and --clock-ns, with what they mean to a command."""
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
            type=float,
            default=CLOCK_NS,
            show_default=True,
            metavar="T",
            help=clock,
        ),
    )
