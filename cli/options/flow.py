"""Options of commands that run the flow."""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from rsaxcel import catalog
from rsaxcel.circuit import COUNTED
from rsaxcel.cli.options.common import together
from rsaxcel.cli.options.numbers import CLOCK
from rsaxcel.cli.options.plain import Decorator
from rsaxcel.cli.options.rules import only_with
from rsaxcel.flow.kit import CLOCK_NS, DEFAULT_LIBRARY, LIBRARIES
from rsaxcel.flow.layout import ACTIVITIES, ALL_CYCLES, TIMED, TIMED_CYCLES
from rsaxcel.store.errors import UserError

_ALL = "all"

SHORT_CLOCK_NS = 0.5
"""Clock period that no design meets: the flow makes every design as fast as it can."""

OWN_CLOCK = (
    f"[default: {SHORT_CLOCK_NS}, which no design meets, so that the flow makes every design as "
    "fast as it can; with --stage placed or routed, each design has its own, which lies within 3 % "
    "of the period that it reaches]"
)
"""Text on the default of --clock-ns in commands that measure several designs."""


class Cycles(click.ParamType):
    """Type of an option: a number of cycles, or ``all``."""

    name = "cycles"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """Convert a text to the number of cycles; ``all`` becomes ``ALL_CYCLES``."""
        if value == _ALL:
            return ALL_CYCLES
        count = int(value) if re.fullmatch("[0-9]+", str(value)) else 0
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


def with_shell_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --with-shell to a command with DESIGN and --param, among which it is passed on."""

    @wraps(command)
    def called(*args: Any, with_shell: bool, **given: Any) -> Any:
        if with_shell:
            given["params"] = given["params"] | _counted(given["design"])
        return command(*args, **given)

    text = "Of a core in Verilog: count its shell, too, as --param shell=counted does."
    return click.option("--with-shell", is_flag=True, help=text)(called)


def _counted(design: str) -> dict[str, str]:
    from rsaxcel.catalog.described import COUNTS

    if COUNTS not in getattr(catalog.circuits().get(design), "parameters", ()):
        raise UserError(f"--with-shell: {design} has no shell; a core with a description has one")
    return {COUNTS.name: COUNTED}


timed_cycles_option = together(
    click.option(
        "--timed-cycles",
        type=Cycles(),
        default=TIMED_CYCLES,
        metavar="N|all",
        help="Number of cycles, for each type of operation, in which gates have delays; the cycles "
        "are drawn at random, more often where more nets toggle.  "
        f"[default: {TIMED_CYCLES}, or all where that takes some seconds]",
    ),
    only_with(("--timed-cycles",), f"--activity {TIMED}"),
)
"""Adds --timed-cycles."""


def library_option(text: str) -> Decorator:
    """Return a decorator that adds --library, one of ``LIBRARIES``, with its help text."""
    return click.option(
        "--library",
        type=click.Choice(LIBRARIES),
        default=DEFAULT_LIBRARY,
        show_default=True,
        help=text,
    )


def flow_options(library: str, clock: str, clock_ns: float | None = CLOCK_NS) -> Decorator:
    """Return a decorator that adds --library and --clock-ns to a command.

    ``clock``: text on the default clock period, if ``clock_ns`` is None.
    """
    return together(
        library_option(library),
        click.option(
            "--clock-ns", type=CLOCK, default=clock_ns, show_default=True, metavar="T", help=clock
        ),
    )
