"""Options of commands that run the flow."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

import click
from click.shell_completion import CompletionItem

from rsaxcel import catalog
from rsaxcel.circuit import COUNTED
from rsaxcel.cli.options.common import gathered, together
from rsaxcel.cli.options.plain import CLOCK, FINITE, Decorator, only_with
from rsaxcel.flow.kit import CLOCK_NS, DEFAULT_LIBRARY
from rsaxcel.flow.layout import (
    ACTIVITIES,
    ALL_CYCLES,
    NOT_PLACED,
    PHYSICAL_TOOLS,
    STAGES,
    SYNTHESIZED,
    TIMED,
    TIMED_CYCLES,
    TIMERS,
    Layout,
)
from rsaxcel.store.errors import UserError

_ALL = "all"

#: Clock period that no design meets: the flow makes every design as fast as it can.
SHORT_CLOCK_NS = 0.5

#: Text on the default of --clock-ns in commands that measure several designs.
OWN_CLOCK = (
    f"[default: {SHORT_CLOCK_NS}, which no design meets, so that the flow makes every design as "
    "fast as it can; with --stage placed or routed, each design has its own, which lies within 3 % "
    "of the period that it reaches]"
)


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


#: Adds --activity.
activity_option = click.option(
    "--activity",
    type=click.Choice(ACTIVITIES),
    default=TIMED,
    help="Gates with delays (energy counts glitches) or without (faster; energy is a lower bound).",
)


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


#: Adds --timed-cycles.
timed_cycles_option = together(
    click.option(
        "--timed-cycles",
        type=Cycles(),
        default=TIMED_CYCLES,
        show_default=False,
        metavar="N|all",
        help="Number of cycles, for each type of operation, in which gates have delays; the cycles "
        "are drawn at random, more often where more nets toggle.  "
        f"[default: {TIMED_CYCLES}, or all where that takes some seconds]",
    ),
    only_with(("--timed-cycles",), f"--activity {TIMED}"),
)


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
        click.option("--clock-ns", type=CLOCK, default=clock_ns, metavar="T", help=clock),
    )


#: Field of a layout by the parameter of a command.
_CHOICES = {
    "physical": "physical",
    "utilisation": "utilisation",
    "placement_seed": "seed",
    "uncertainty_ns": "uncertainty_ns",
    "derate": "derate",
}

_OPTIONS = tuple(f"--{x.replace('_', '-')}" for x in _CHOICES)
#: Parameters of a command that have a meaning for placed circuits only.
LAYOUT_CHOICES = tuple(_CHOICES)


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
        click.option("--stage", type=click.Choice(STAGES), default=stage, help=_STAGE),
        click.option("--timer", type=click.Choice(TIMERS), help=_TIMER),
        click.option("--physical", type=click.Choice(PHYSICAL_TOOLS), help=_PHYSICAL),
        click.option("--utilisation", type=FINITE, metavar="U", help=_UTILISATION),
        click.option("--placement-seed", type=int, metavar="N", help=_SEED),
        click.option("--uncertainty-ns", type=FINITE, metavar="T", help=_UNCERTAINTY),
        click.option("--derate", type=FINITE, metavar="F", help=_DERATE),
        only_with(_OPTIONS, *(f"--stage {x}" for x in STAGES if x != SYNTHESIZED)),
        gathered("layout", _layout, "stage", "timer", *_CHOICES),
    )
