"""Rules on options that need or exclude others, declared above a command or with the options."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click
from click.core import ParameterSource

from rsaxcel.cli.options.plain import Decorator
from rsaxcel.store.errors import UserError


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
