"""Errors of commands: one line on standard error and an exit status."""

import difflib
import os
import re
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

#: Pattern of messages about an unknown name: all of them have this wording.
_UNKNOWN = re.compile(r"(?:(\w+) )?('[^']*'|\"[^\"]*\") is unknown; allowed: ([^;()]*)")

#: Messages about an unknown choice, up to where a name may go.
_NO_CHOICE = re.compile(r"^(?:--)?[\w-]+=(\w+)(?=: (\w+(?:, \w+)+) are allowed$)")

#: Command that shows all names of a kind.
_LISTED = dict.fromkeys(("design", "multiplier", "name", "system"), "rsaxcel list") | {
    "column": "rsaxcel results --columns all"
}
_MOST_LISTED = 16  # for a longer list, a message names the command that has all names

_VERILOG = (".v", ".sv", ".vh", ".svh", ".vhd", ".vhdl")

_NONE: Mapping[str, str] = MappingProxyType({})


class RsaxcelError(Exception):
    """An error whose message is for users: one line; ``exit_status`` is that of a command."""

    exit_status = 1


class UserError(RsaxcelError, ValueError):
    """Bad input: exit status 2."""

    exit_status = 2

    def __init__(self, message: str) -> None:
        message = _UNKNOWN.sub(_with_nearest, message)
        super().__init__(_NO_CHOICE.sub(_with_meant, message))


class SetupError(RsaxcelError):
    """A tool is missing or has failed, or a folder cannot be written: exit status 2."""

    exit_status = 2


class RunError(RsaxcelError):
    """The run itself failed, such as a simulation that never ends: exit status 1."""


def nearest(
    name: str, names: Iterable[str], others: Mapping[str, str] = _NONE, most: int = 1
) -> str:
    """Return "(did you mean NAME?)" or ""; ``others`` maps frequent wrong names to known ones."""
    known, low = [*names, *others], name.lower()
    found = [x for x in known if x.lower() == low] or [
        *difflib.get_close_matches(name, known, n=most),
        *(x for x in known if most > 1 and len(low) > 2 and low in x.lower()),
        *(x for x in known if len(x) > 2 and low.startswith(x.lower())),
    ]
    meant = [*dict.fromkeys(others.get(x, x) for x in found)][:most]
    first, last = ", ".join(meant[:-1]), "".join(meant[-1:])
    return f" (did you mean {' or '.join(filter(None, (first, last)))}?)" if meant else ""


def _with_meant(match: re.Match[str]) -> str:
    return match[0] + nearest(match[1], match[2].split(", "))


def _with_nearest(match: re.Match[str]) -> str:
    kind, quoted, listed = match.groups()
    name, names = quoted[1:-1], listed.split(", ")
    unknown = f"{kind} {quoted} is unknown" if kind else f"{quoted} is unknown"
    if kind not in _LISTED or len(names) <= _MOST_LISTED:
        return f"{unknown}{nearest(name, names)}; allowed: {listed}"
    all_names = f"`{_LISTED[kind]}` has all names"
    if told := kind != "column" and told_of_file(name):
        return f"{unknown}: {told}; {all_names}"
    return f"{unknown}{nearest(name, names, most=3)}; {all_names}"


def told_of_file(name: str) -> str:
    """Text on the use of a file or folder that is given as a name; empty: there is none."""
    path = Path(name)
    if path.suffix.lower() in _VERILOG:
        return (
            "a file of Verilog comes in by a description that names it, core.toml "
            "(docs/how-to/your-verilog.md; `rsaxcel new core` writes one); VHDL does not yet"
        )
    is_folder = bool(name) and os.path.isdir(name)
    if is_folder and not (path / "__init__.py").exists() and not any(path.glob("*/core.toml")):
        other = path / "core.toml"
        if other.exists():
            return f"{other} is {'a folder' if other.is_dir() else 'no file'}; a file is allowed"
        return "no core.toml is in the folder"
    if path.suffix == ".py" or is_folder:
        return f"{path.name} is no name; RSAXCEL_DESIGNS={shlex.quote(name)} adds its designs"
    if os.path.isfile(name):
        return f"{path.name} is a file, no name"
    return "there is no such file or folder" if os.sep in name else ""
