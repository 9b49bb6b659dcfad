"""Options of several commands that need no design: `doctor` works without PyMTL3."""

from collections.abc import Callable
from functools import wraps
from math import isfinite
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from rsaxcel.store.errors import UserError

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def seed_option(text: str, default: int | None = 0, most: int | None = None) -> Decorator:
    """Return a decorator that adds --seed, with its help."""
    kind = click.IntRange(0, most)
    return click.option("--seed", type=kind, default=default, metavar="S", help=text)


def random_option(text: str, default: int | None, most: int | None = None) -> Decorator:
    """Return a decorator that adds --random, as ``count``, with its help."""
    kind = click.IntRange(1, most)
    return click.option("--random", "count", type=kind, default=default, metavar="K", help=text)


def json_option(text: str = "One JSON object, nothing else.") -> Decorator:
    """Return a decorator that adds --json, as ``as_json``, with its help."""
    return click.option("--json", "as_json", is_flag=True, help=text)


def file_option(
    option: str, text: str, *names: str, metavar: str = "FILE", exists: bool = True, **more: Any
) -> Decorator:
    """Return a decorator that adds an option for a file, with its help.

    ``exists`` False: the command itself tells that there is no such file, or writes it.
    """
    kind = click.Path(exists=exists, dir_okay=False, path_type=Path)
    return click.option(option, *names, type=kind, metavar=metavar, help=text, **more)


def output_folder(text: str, name: str = "folder", **more: Any) -> Decorator:
    """Return a decorator that adds --output, a folder to write to, with its help."""
    more |= {"type": click.Path(file_okay=False, path_type=Path), "show_default": False}
    return click.option("--output", "-o", name, metavar="FOLDER", help=text, **more)


class FiniteNumber(click.types.FloatParamType):
    """Type of an option: a finite number.

    click's own types take ``nan`` and ``inf``, too, and ``nan`` passes every check of a range.
    """

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        """Convert a text to a finite number."""
        number = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value!r} is not a valid {self.name}.", param, ctx)
        return number


class FiniteRange(click.FloatRange):
    """Type of an option: a finite number in a range."""

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        """Convert a text to a number in the range."""
        return super().convert(FINITE.convert(value, param, ctx), param, ctx)


#: Type of a number whose range is checked elsewhere.
FINITE = FiniteNumber()


class Widths(click.ParamType):
    """Type of an option that can be repeated: widths in bits, with commas between them."""

    name = "widths"

    def __init__(self, least: int, most: int) -> None:
        self.least, self.most = least, most

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, ...]:
        """Convert a text to widths."""
        texts = [x.strip() for x in value.split(",")]
        widths = tuple(int(x) for x in texts if x.isdecimal() and len(x) < 8)
        if len(widths) < len(texts) or not all(self.least <= x <= self.most for x in widths):
            allowed = f"widths from {self.least} to {self.most} with commas are allowed"
            self.fail(f"{value!r}: {allowed}")
        return widths

    @staticmethod
    def together(_context: Any, _param: Any, given: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
        """Return, as its callback, all widths of the repeated option in ascending order."""
        return tuple(sorted({width for widths in given for width in widths}))


#: Type of a clock period in nanoseconds.
CLOCK = FiniteRange(0.01, 1000)


def only_with(options: tuple[str, ...], *needed: str) -> Decorator:
    """Refuse options unless one of ``needed`` is given.

    Of these, ``--activity timed`` stands for a value, which may be a default, and ``NAME`` for an
    argument.
    """

    def check(context: click.Context) -> None:
        if not any(_is_given(context, x) for x in needed):
            for option in options:
                if _is_given(context, option):
                    raise UserError(f"{option}: has a meaning with {' or '.join(needed)} only")

    return _declared(check)


def excludes(option: str, *others: str) -> Decorator:
    """Refuse ``others`` beside an option."""

    def check(context: click.Context) -> None:
        for other in others:
            if _is_given(context, option) and _is_given(context, other):
                raise UserError(f"{option} and {other}: one of them is allowed")

    return _declared(check)


def _is_given(context: click.Context, text: str) -> bool:
    name, _, value = text.partition(" ")
    (found,) = (x for x in context.command.params if {name, name.lower()} & {*x.opts})
    assert found.name
    if value:
        return str(context.params[found.name]) == value
    return context.get_parameter_source(found.name) is ParameterSource.COMMANDLINE


def _declared(check: Callable[[click.Context], None]) -> Decorator:
    def declare(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def called(*args: Any, **options: Any) -> Any:
            check(click.get_current_context())
            return command(*args, **options)

        return called

    return declare


def worker_options() -> Decorator:
    """Return a decorator that adds --workers and --scheduler, as ``pool``."""

    def declare(command: Callable[..., Any]) -> Callable[..., Any]:
        @click.option(
            "--workers",
            type=click.IntRange(1, 1024),
            metavar="N",
            help="Number of parallel processes; one for each core unless given.",
        )
        @click.option(
            "--scheduler",
            metavar="ADDRESS",
            help="Work on a Dask cluster instead, such as tls://127.0.0.1:8786.",
        )
        @excludes("--scheduler", "--workers")
        @wraps(command)
        def called(*args: Any, workers: int | None, scheduler: str | None, **options: Any) -> Any:
            from rsaxcel.eval.measure.job import Workers

            return command(*args, pool=Workers(scheduler or "", workers or 0), **options)

        return called

    return declare
