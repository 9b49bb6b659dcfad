"""Looks for every tool: whether it is there, runs, and is new enough."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from flow.errors import FlowError
from flow.kit import find_kit
from rsaxcel.asking import NoAnswerError, answer
from store.installing import (
    beside_python,
    install_command,
    is_checkout,
    pins,
    program,
    python_version,
)
from store.tools import ALL, TARGETS, TOOLS, Tool, ToolError

State = Literal["ok", "missing", "broken", "too old", "too new"]

_UNPACKED = Path(sys.prefix, "debian", "usr")
"""Where the set-up unpacks Debian's packages that it does not install."""


@dataclass(frozen=True)
class Finding:
    """What is known of a tool.

    Parameters
    ----------
    tool : Tool
        The tool.
    state : str
        ``ok``, or what is wrong with the tool.
    version : str
        Version that was found; of several packages, how many are there. Empty where it is unknown.
    reason : str
        What is wrong, where the state alone does not tell; empty otherwise.
    install : str
        The one command that installs the tool here.
    wheels : tuple of str
        Python distributions to install, of several that are looked for as one.
    needed : bool
        Whether the chosen work cannot be done without the tool.
    needed_by : tuple of str
        Commands, and targets of the Makefile, that cannot work without the tool.
    optional_for : tuple of str
        Commands that use the tool for a part of their work: the command, then that part.
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
        """Whether the chosen work cannot be done because of this tool."""
        return self.needed and self.state != "ok"

    def as_json(self) -> dict[str, Any]:
        """Give it for JSON."""
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
    """Targets of the Makefile that can be asked for; a wheel has no Makefile."""
    return TARGETS if is_checkout() else ()


def examine(commands: Collection[str], work: Collection[str] = ()) -> list[Finding]:
    """Look for all tools, or for those that some work uses.

    Parameters
    ----------
    commands : collection of str
        All commands of ``rsaxcel``.
    work : collection of str
        Commands, and targets of the Makefile, that are to work; all commands unless given.

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
    """Least version of a tool; empty where any will do."""
    pinned = next((x for extra in (ALL, *TARGETS) if (x := pins(extra).get(tool.wheel))), "")
    return pinned if tool.wheel else tool.least


def _needing(tool: Tool, commands: Collection[str]) -> tuple[str, ...]:
    """Commands and targets that need a tool; tests run every command."""
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
    """Look for a tool; gives its state, its version, and what is wrong."""
    found = ""
    if tool.wheel:
        try:
            found = version(tool.wheel)
        except PackageNotFoundError:
            return "missing", "", ""
        if age := _age(tool, found):
            return age, found, _allowed(tool)
    try:
        said = answer(*_question(tool)) if tool.ask else ""
        if tool.library:
            find_kit(tool.library)
    except ToolError as error:
        return "missing", "", str(error) if os.environ.get(tool.variable or "-") else ""
    except FlowError as error:
        return ("broken", found, str(error)) if tool.wheel else ("missing", "", "")
    except NoAnswerError as error:
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


def _question(tool: Tool) -> list[str]:
    """Command that makes a tool tell its version.

    Raises
    ------
    ToolError
        If there is no such program.
    NoAnswerError
        If a package lacks its module.
    """
    places = {"python": sys.executable}
    if tool.wheel:
        spec = find_spec(tool.wheel)
        if spec is None or spec.origin is None:
            raise NoAnswerError(f"its package has no module {tool.wheel}")
        places["module"] = str(Path(spec.origin).parent)
    first, *others = (word.format(**places) for word in tool.ask)
    if os.path.isabs(first):
        return [first, *others]
    if tool.wheel:
        if (found := beside_python(first)) is None:
            raise NoAnswerError(f"no program {first} beside {sys.executable} or on PATH")
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
    """Look for the packages of an extra; gives those, too, that are to be installed."""
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
    """Tell whether a version is too old or too new; of another program it does not matter."""
    if tool.variable and os.environ.get(tool.variable):
        return None
    if (least := least_version(tool)) and _numbers(found) < _numbers(least):
        return "too old"
    return "too new" if tool.below and _numbers(found) >= _numbers(tool.below) else None


def _allowed(tool: Tool) -> str:
    below = f", below {tool.below}" if tool.below else ""
    return f"{least_version(tool)} or later{below} is needed"


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]
