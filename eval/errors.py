"""How commands fail: one line on standard error and an exit status."""

import difflib
import re
from collections.abc import Iterable, Mapping

import click

_UNKNOWN = re.compile(r"('[^']*') is unknown; allowed: ([^;()]*)")
"""What every registry says of a name that it does not have."""


class UserError(click.ClickException):
    """Bad input, a missing tool or a folder that can't be written: exit status 2.

    Of an unknown name, the message says which one was meant, if one is near.
    """

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(_UNKNOWN.sub(_with_nearest, message))


class RunError(click.ClickException):
    """The run itself failed, such as a simulation that never ends: exit status 1."""

    exit_code = 1


def nearest(name: str, names: Iterable[str]) -> str:
    """Ask for the name that was meant, if one is near; for an error, behind the name.

    In a mapping, another name may stand for the one that is told.
    """
    found = difflib.get_close_matches(name, list(names), n=1)
    if not found:
        return ""
    meant = names[found[0]] if isinstance(names, Mapping) else found[0]
    return f" (did you mean {meant}?)"


def _with_nearest(match: re.Match[str]) -> str:
    name, names = match[1].strip("'"), match[2]
    return f"{match[1]} is unknown{nearest(name, names.split(', '))}; allowed: {names}"
