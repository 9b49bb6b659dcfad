"""Options of commands that run the flow."""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

import click
from click.shell_completion import CompletionItem

from rsaxcel import catalog
from rsaxcel.circuit import COUNTED
from rsaxcel.cli.options.common import gathered, together
from rsaxcel.cli.options.plain import CLOCK, Decorator, only_with
from rsaxcel.flow.kit import CLOCK_NS, DEFAULT_LIBRARY
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


class _Library(click.ParamType):
    """Type of an option: the name of a library, or a folder with a ``kit.toml``."""

    name = "library"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        """Return the name, or the whole path of a folder."""
        from rsaxcel.flow.libraries import canonical

        try:
            return canonical(str(value))
        except ValueError as error:
            self.fail(str(error).partition("=")[2], param, ctx)

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
        from rsaxcel.flow.libraries import known_libraries

        return [CompletionItem(x) for x in known_libraries() if x.startswith(incomplete)]


def library_option(text: str) -> Decorator:
    """Return a decorator that adds --library and --corner; the command gets a ``library``.

    ``text``: help text of --library.
    """
    kinds = " A name that `rsaxcel doctor --library` lists, or a folder with a kit.toml."
    corner = (
        "Corner of the library at which all is measured. Without it, setup is met at the slow "
        "corner, hold at the fast one, and power is given at the typical one."
    )
    return together(
        click.option(
            "--library",
            type=_Library(),
            default=DEFAULT_LIBRARY,
            show_default=True,
            metavar="NAME|PATH",
            help=text + kinds,
        ),
        click.option("--corner", metavar="NAME", help=corner),
        gathered("library", _at_corner, "library", "corner"),
    )


def _at_corner(library: str, corner: str | None) -> str:
    if corner is None:
        return library
    from rsaxcel.flow.libraries import find_kit

    try:
        find_kit(library).at(corner)
    except ValueError as error:
        raise UserError(f"--{error}") from error
    return f"{library}@{corner}"


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
