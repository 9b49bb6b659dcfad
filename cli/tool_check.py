"""Checks every tool: whether it is installed, runs, and is new enough."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from rsaxcel.cli.tool_output import ToolOutputError, output_of
from rsaxcel.flow.kit import find_kit
from rsaxcel.store.errors import SetupError
from rsaxcel.store.installing import (
    beside_python,
    install_command,
    is_checkout,
    pins,
    program,
    python_version,
)
from rsaxcel.store.tools import ALL, TARGETS, TOOLS, Tool, ToolError

State = Literal["ok", "missing", "broken", "too old", "too new"]

_UNPACKED = Path(sys.prefix, "debian", "usr")
"""Folder in which the set-up unpacks Debian packages instead of installing them."""


@dataclass(frozen=True)
class Finding:
    """State of a tool on this machine.

    Parameters
    ----------
    tool : Tool
        Tool that was checked.
    state : str
        ``ok``, ``missing``, ``broken``, ``too old`` or ``too new``.
    version : str
        Version of the tool. For an extra, which is a group of Python packages: how many of them
        are installed. Empty: unknown.
    reason : str
        Details of a state other than ``ok``; may be empty.
    install : str
        Command that installs the tool on this machine.
    wheels : tuple of str
        If the tool is an extra: names of the Python packages that must be installed.
    needed : bool
        Whether the chosen work is impossible without the tool.
    needed_by : tuple of str
        Commands, and targets of the Makefile, that do not work without the tool.
    optional_for : tuple of str
        Commands that use the tool only for a part of their work. Each text begins with the name
        of the command and tells the part.
    """

    tool: Tool
    state: State
    version: str
    reason: str
    install: str
    wheels: tuple[str, ...]
    needed: bool
    needed_by: tuple[str, ...]
    optional_for: tuple[str, ...]

    @property
    def faulty(self) -> bool:
        """Whether the tool is needed and cannot be used."""
        return self.needed and self.state != "ok"

    def as_json(self) -> dict[str, Any]:
        """Return the finding as values for JSON."""
        return {
            "tool": self.tool.name,
            "state": self.state,
            "version": self.version or None,
            "least_version": least_version(self.tool) or None,
            "needed": self.needed,
            "needed_by": list(self.needed_by),
            "optional_for": list(self.optional_for),
            "reason": self.reason,
            "install": self.install,
        }


def known_targets() -> tuple[str, ...]:
    """Targets of the Makefile; none in an installed wheel, which has no Makefile."""
    return TARGETS if is_checkout() else ()


def examine(commands: Collection[str], work: Collection[str] = ()) -> list[Finding]:
    """Check all tools, or the tools that the chosen work uses.

    Parameters
    ----------
    commands : collection of str
        All commands of ``rsaxcel``.
    work : collection of str
        Chosen commands and targets of the Makefile; all commands unless given.

    Returns
    -------
    list of Finding
        A finding for each tool, in the order of ``store.tools.TOOLS``.
    """
    known = {*commands, *known_targets()}
    wanted = set(work) or set(commands)
    asked = []
    for tool in TOOLS:
        by = _needing(tool, commands)
        uses = {text: text.replace(",", " ").split()[0] for text in tool.optional_for}
        if {*by, *uses.values()} & (wanted if work else known):
            parts = tuple(text for text, name in uses.items() if name in known)
            asked.append((tool, bool(wanted & set(by)), by, parts))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda x: _finding(*x), asked))


def least_version(tool: Tool) -> str:
    """Return the lowest version of a tool that is allowed; empty if any version is allowed."""
    pinned = next((x for extra in (ALL, *TARGETS) if (x := pins(extra).get(tool.wheel))), "")
    return pinned if tool.wheel else tool.least


def _needing(tool: Tool, commands: Collection[str]) -> tuple[str, ...]:
    """Commands and targets that need a tool; ``make test`` needs the tools of all commands."""
    if tool.always:
        return (*commands, *known_targets())
    needing = [x for x in tool.needed_by if x in (*commands, *known_targets())]
    if "test" in known_targets() and "test" not in needing and set(needing) & set(commands):
        needing.append("test")
    return tuple(needing)


def _finding(
    tool: Tool, needed: bool, needed_by: tuple[str, ...], optional_for: tuple[str, ...]
) -> Finding:
    if tool.extra:
        state, found, reason, wheels = _packages(tool)
    else:
        (state, found, reason), wheels = _state(tool), []
    install = install_command([tool], wheels, again=state == "broken")
    if tool.extra and is_checkout():
        install = "make docs" if tool.extra == "docs" else "make setup"
    known = tool, state, found, reason, install, tuple(wheels)
    return Finding(*known, needed, needed_by, optional_for)


def _state(tool: Tool) -> tuple[State, str, str]:
    """State of a tool, its version, and the reason of a state other than ``ok``."""
    found = ""
    if tool.wheel and tool.others and (_named(tool) or not _is_installed(tool.wheel)):
        tool = replace(tool, wheel="", ask=(tool.others[0], *tool.ask[1:]))
    if tool.wheel:
        try:
            found = version(tool.wheel)
        except PackageNotFoundError:
            return "missing", "", ""
        if age := _age(tool, found):
            return age, found, _allowed(tool)
    try:
        said = output_of(*_question(tool)) if tool.ask else ""
        if tool.library:
            find_kit(tool.library)
    except ToolError as error:
        return "missing", "", str(error) if _named(tool) else ""
    except SetupError as error:
        return ("broken", found, str(error)) if tool.wheel else ("missing", "", "")
    except ToolOutputError as error:
        return "broken", found, str(error)
    if tool.files and not _any_file(tool):
        return "missing", "", ""
    if tool.pattern and tool.ask and not found:
        match = re.search(tool.pattern, said)
        if match is None:
            return "broken", "", f"says no version: {said.strip().partition(chr(10))[0]}"
        found = match[1]
        if age := _age(tool, found):
            return age, found, _allowed(tool)
    return "ok", found, ""


def _named(tool: Tool) -> bool:
    """Whether an environment variable names the program."""
    return bool(tool.variable and os.environ.get(tool.variable))


def _is_installed(wheel: str) -> bool:
    return find_spec(wheel) is not None


def _question(tool: Tool) -> list[str]:
    """Command that prints the version of a tool.

    Raises
    ------
    ToolError
        If the tool's program is not found.
    ToolOutputError
        If the Python package of the tool is installed without its module or its program.
    """
    places = {"python": sys.executable}
    if tool.wheel:
        spec = find_spec(tool.wheel)
        if spec is None or spec.origin is None:
            raise ToolOutputError(f"its package has no module {tool.wheel}")
        places["module"] = str(Path(spec.origin).parent)
    first, *others = (word.format(**places) for word in tool.ask)
    if os.path.isabs(first):
        return [first, *others]
    if tool.wheel:
        if (found := beside_python(first)) is None:
            raise ToolOutputError(f"no program {first} beside {sys.executable} or on PATH")
        return [found, *others]
    unpacked = _UNPACKED / "bin" / first
    try:
        return [*program(tool), *others]
    except ToolError:
        if not unpacked.exists():
            raise
        return [str(unpacked), *others]


def _any_file(tool: Tool) -> bool:
    patterns = [pattern.format(version=python_version()) for pattern in tool.files]
    places = {Path("/usr"), _UNPACKED, Path(sys.base_prefix)}
    return any(next(place.glob(x), None) for place in places for x in patterns)


def _packages(tool: Tool) -> tuple[State, str, str, list[str]]:
    """Check the Python packages of an extra, without those that are tools of their own.

    Returns their state, a text on how many of them are installed, the missing and old ones as
    the reason, and the names of the packages to install.
    """
    own = {other.wheel for other in TOOLS}
    asked = {name: pin for name, pin in pins(tool.extra).items() if name not in own}
    missing, old = [], []
    for name, pin in asked.items():
        try:
            found = version(name)
        except PackageNotFoundError:
            missing.append(name)
        else:
            if _numbers(found) < _numbers(pin):
                old.append(f"{name} {found}")
    state: State = "missing" if missing else "too old" if old else "ok"
    count = f"{len(asked) - len(missing)} of {len(asked)}" if asked else ""
    wrong = [*missing, *(name.partition(" ")[0] for name in old)]
    return state, count, ", ".join([*missing, *old]), wrong


def _age(tool: Tool, found: str) -> State | None:
    """Tell whether a version is too old or too new; None if it is neither.

    A program that the user names by an environment variable may have any version.
    """
    if _named(tool):
        return None
    if (least := least_version(tool)) and _numbers(found) < _numbers(least):
        return "too old"
    return "too new" if tool.below and _numbers(found) >= _numbers(tool.below) else None


def _allowed(tool: Tool) -> str:
    below = f", below {tool.below}" if tool.below else ""
    return f"{least_version(tool)} or later{below} is needed"


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]
