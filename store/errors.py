"""Errors of commands: one line on standard error and an exit status."""

import difflib
import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

import click

_UNKNOWN = re.compile(r"('[^']*') is unknown; allowed: ([^;()]*)")
"""Pattern of messages about an unknown name: all of them have this wording."""


_NONE: Mapping[str, str] = MappingProxyType({})


class UserError(click.ClickException):
    """Bad input, a missing tool or a folder that can't be written: exit status 2.

    For an unknown name, the message suggests a similar known name, if there is one.
    """

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(_UNKNOWN.sub(_with_nearest, message))


class RunError(click.ClickException):
    """The run itself failed, such as a simulation that never ends: exit status 1."""

    exit_code = 1


def nearest(name: str, names: Iterable[str], others: Mapping[str, str] = _NONE) -> str:
    """Return "(did you mean NAME?)" for an unknown name; an empty text if no known name is similar.

    Parameters
    ----------
    name : str
        The name that is unknown.
    names : iterable of str
        Names that are known.
    others : mapping of str to str
        Unknown names that users often give, each with the known name to suggest.
    """
    known = [*names, *others]
    alike = [x for x in known if x.lower() == name.lower()]
    longer = [x for x in known if len(x) > 2 and name.lower().startswith(x.lower())]
    found = alike or difflib.get_close_matches(name, known, n=1) or longer
    return f" (did you mean {others.get(found[0], found[0])}?)" if found else ""


def _with_nearest(match: re.Match[str]) -> str:
    name, names = match[1].strip("'"), match[2]
    return f"{match[1]} is unknown{nearest(name, names.split(', '))}; allowed: {names}"
