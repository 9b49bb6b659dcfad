"""``rsaxcel doctor``: installed tools, commands that need tools, ways to install missing ones."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import click

from rsaxcel.cli.options.plain import json_option
from rsaxcel.flow.libraries import canonical, find_kit
from rsaxcel.store.errors import RunError, SetupError, UserError
from rsaxcel.store.installing import (
    beside_python,
    how_to_install,
    install_command,
    is_checkout,
    pins,
    program,
    python_version,
)
from rsaxcel.store.processes import in_own_group
from rsaxcel.store.tools import ALL, TARGETS, TOOLS, Tool, ToolError

_SECONDS = 30.0
_EVERY = "all"


class ToolOutputError(RunError):
    """A tool does not run; the message is one line of text."""


def output_of(*command: str) -> str:
    """Run a command and return its standard output, followed by its standard error.

    A command that runs Python searches this process's module path, not the current folder.
    """
    environment = os.environ | {
        "LC_ALL": "C",
        "PYTHONPATH": os.pathsep.join(sys.path),
        "PYTHONSAFEPATH": "1",
    }
    name = Path(command[0]).name
    # Files rather than pipes: a process that the tool leaves behind may keep a pipe open.
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        streams: Any = {"stdout": output, "stderr": errors, "env": environment}
        try:
            with in_own_group(command, **streams) as process:
                status = process.wait(_SECONDS)
        except OSError as error:
            raise ToolOutputError(f"cannot start {command[0]}: {error.strerror}") from error
        except subprocess.TimeoutExpired as error:
            raise ToolOutputError(f"{name} does not end within {_SECONDS:g} s") from error
        said = []
        for file in (output, errors):
            file.seek(0)
            said.append(file.read().decode(errors="replace"))
    if status:
        lines = [line.strip() for line in "".join(reversed(said)).splitlines() if line.strip()]
        told = [line for line in lines if "Error" in line] or lines or ["no message"]
        reason = told[-1 if "Traceback" in said[1] else 0]
        ended = f"signal {-status}" if status < 0 else f"status {status}"
        raise ToolOutputError(f"{name} ends with {ended}: {reason}")
    return "".join(said)


State = Literal["ok", "missing", "broken", "too old", "too new"]

#: Folder in which the set-up unpacks Debian packages instead of installing them.
_UNPACKED = Path(sys.prefix, "debian", "usr")


@dataclass(frozen=True)
class ToolState:
    """State of a tool on this machine."""

    tool: Tool
    state: State  #: ``ok``, ``missing``, ``broken``, ``too old`` or ``too new``
    #: version of the tool; of an extra (a group of Python packages), the number of installed ones.
    #: Empty: unknown.
    version: str
    reason: str  #: details of a state other than ``ok``; may be empty
    install: str  #: command that installs the tool on this machine
    #: if the tool is an extra: names of the Python packages that must be installed
    wheels: tuple[str, ...]
    needed: bool  #: whether the chosen work is impossible without the tool
    #: commands, and targets of the Makefile, that do not work without the tool
    needed_by: tuple[str, ...]
    #: commands that use the tool only for a part of their work. Each text begins with the name of
    #: the command and tells the part.
    optional_for: tuple[str, ...]

    @property
    def faulty(self) -> bool:
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


def examine(commands: Collection[str], work: Collection[str] = ()) -> list[ToolState]:
    """Check all tools, or the tools that the chosen work uses.

    ``work``: commands and targets of the Makefile; all commands unless given.
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
) -> ToolState:
    if tool.extra:
        state, found, reason, wheels = _packages(tool)
    else:
        (state, found, reason), wheels = _state(tool), []
    install = install_command([tool], wheels, again=state == "broken")
    if tool.extra and is_checkout():
        install = "make docs" if tool.extra == "docs" else "make setup"
    known = tool, state, found, reason, install, tuple(wheels)
    return ToolState(*known, needed, needed_by, optional_for)


def _state(tool: Tool) -> tuple[State, str, str]:
    """State of a tool, its version, and the reason of a state other than ``ok``."""
    found = ""
    if tool.wheel and tool.others and (_is_named(tool) or find_spec(tool.wheel) is None):
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
        return "missing", "", str(error) if _is_named(tool) else ""
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


def _is_named(tool: Tool) -> bool:
    """Whether an environment variable names the program."""
    return bool(tool.variable and os.environ.get(tool.variable))


def _question(tool: Tool) -> list[str]:
    """Command that prints the version of a tool."""
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
    """Return whether a version is too old or too new; None if it is neither.

    A program that the user names by an environment variable may have any version.
    """
    if _is_named(tool):
        return None
    if (least := least_version(tool)) and _numbers(found) < _numbers(least):
        return "too old"
    return "too new" if tool.below and _numbers(found) >= _numbers(tool.below) else None


def _allowed(tool: Tool) -> str:
    below = f", below {tool.below}" if tool.below else ""
    return f"{least_version(tool)} or later{below} is needed"


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


_WIDTH = 80


def _commands(context: click.Context) -> list[str]:
    """Names of all commands except ``doctor``, which needs no tool."""
    group = context.find_root().command
    assert isinstance(group, click.Group)
    return [name for name in group.list_commands(context) if name != context.info_name]


def _complete(context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    return [x for x in (*_commands(context), *known_targets()) if x.startswith(begun)]


@click.command(
    epilog="""\b
    Examples:
      rsaxcel doctor                        all tools, and what needs each
      rsaxcel doctor sim flow               only what `rsaxcel sim` and `rsaxcel flow` need or use
      rsaxcel doctor test docs              what `make test` and `make docs` need
      rsaxcel doctor --library all          libraries of cells that can be found
      rsaxcel doctor --library osu018       what a library has, lacks, and what was guessed
      rsaxcel doctor --json | python -m json.tool --json-lines
    """
)
@click.argument("work", nargs=-1, metavar="[COMMAND]...", shell_complete=_complete)
@click.option(
    "--library",
    metavar="NAME|PATH",
    help="Look at a library of cells in place of the tools: its files, corners and cells, what it "
    "lacks, what was guessed, and its licence. all: list the libraries that can be found.",
)
@json_option("One JSON object per tool, nothing else.")
@click.pass_context
def command(
    context: click.Context, work: tuple[str, ...], library: str | None, as_json: bool
) -> int:
    """Look for the tools that the commands need, and say how to install a missing one.

    Each tool has a row: its version or its state (missing, broken, too old, too new), and the
    commands that need it. Below the row of a tool that cannot be used is the command that installs
    it here, and what works without it. Every tool is started once: an installed tool that does not
    run is broken. COMMAND is a command of rsaxcel, or a target of the Makefile (test, docs, lint);
    all commands unless given.

    Exit status: 0 if all tools that the chosen commands need can be used, 2 if not. Optional tools
    do not count.
    """
    if library is not None:
        if work:
            raise UserError("--library: without COMMAND alone")
        return _look_at(library, as_json)
    names = _commands(context)
    for name in work:
        if name not in (allowed := [*names, *known_targets()]):
            raise UserError(f"{name!r} is unknown; allowed: {', '.join(allowed)}")
    found = examine(names, work)
    if as_json:
        for finding in found:
            click.echo(json.dumps(finding.as_json()))
    else:
        click.echo("\n".join(_table(found, work)))
    return UserError.exit_status if any(x.faulty for x in found) else 0


def _look_at(library: str, as_json: bool) -> int:
    """Print what a library has; return the exit status."""
    from rsaxcel.flow.library_report import examine_library, list_libraries

    if library == _EVERY:
        click.echo("\n".join(list_libraries()))
        return 0
    try:
        found = examine_library(canonical(library))
    except ValueError as error:
        raise UserError(f"--{error}") from error
    if as_json:
        click.echo(json.dumps(found))
    else:
        click.echo("\n".join(_lines(found)))
    return UserError.exit_status if found["fault"] else 0


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    names = 2 + max(map(len, found))
    for name, value in found.items():
        if isinstance(value, Mapping):
            texts = [
                f"{at}: {x['conditions']}, FO4 {x['fo4_ns']:g} ns ({x['file']})"
                for at, x in value.items()
            ]
        else:
            texts = list(value) if isinstance(value, list) else [str(value)]
        lines = [y for x in texts for y in textwrap.wrap(x, _columns() - names) or [""]]
        if value:
            yield f"{name:<{names}}{lines[0]}"
            yield from (" " * names + line for line in lines[1:])


def _table(found: Sequence[ToolState], work: Sequence[str]) -> Iterator[str]:
    tools = 2 + max(len(x.tool.name) for x in found)
    shown = 2 + max(len(_shown(x)) for x in found)
    for title, needed in (("needed", True), ("optional", False)):
        rows = [x for x in found if x.needed == needed]
        if rows:
            yield click.style(f"{title:<{tools}}{'version':<{shown}}for", bold=True)
        for row in rows:
            purpose = textwrap.wrap(_purpose(row), max(20, _columns() - tools - shown))
            colour = None if row.state == "ok" else "red" if needed else "yellow"
            state = click.style(f"{_shown(row):<{shown}}", fg=colour)
            yield f"{row.tool.name:<{tools}}{state}{purpose[0]}"
            yield from (" " * (tools + shown) + line for line in purpose[1:])
            yield from _advice(row)
    yield ""
    yield from _summary(found, work)


def _shown(finding: ToolState) -> str:
    """Return the version of a tool that can be used; for any other tool, its state."""
    if finding.state == "ok":
        return finding.version or "found"
    aged = finding.state.startswith("too ")
    return f"{finding.version} {finding.state}" if aged else finding.state


def _columns() -> int:
    return max(_WIDTH, min(shutil.get_terminal_size().columns, 120))


def _purpose(finding: ToolState) -> str:
    """List the commands that need a tool, then optional uses such as ``crypt, for keys``."""
    tool, needing = finding.tool, finding.needed_by
    if tool.always:
        return "every command"
    if len(needing) > 1:  # `make test` needs every tool that a command needs
        needing = tuple(x for x in needing if x != "test")
    told = [_named(x) for x in needing]
    return "; ".join(filter(None, [", ".join(told), *map(_named, finding.optional_for)]))


def _named(text: str) -> str:
    """Put ``make`` before a target of the Makefile; a command stays as it is."""
    return f"make {text}" if text.replace(",", " ").split()[0] in known_targets() else text


def _advice(finding: ToolState) -> Iterator[str]:
    """Lines on why a tool cannot be used, and how to install it."""
    if finding.state == "ok":
        return
    if finding.reason:
        yield f"  {finding.reason}"
    yield f"  install: {finding.install}"
    if finding.tool.without:
        yield f"  without it: {finding.tool.without}"


def _summary(found: Sequence[ToolState], work: Sequence[str]) -> Iterator[str]:
    needed = [x for x in found if x.needed]
    faulty = [x for x in needed if x.faulty]
    who = ", ".join(map(_named, work)) if work else "all commands"
    if not faulty:
        yield f"{who}: all {len(needed)} tools are there"
        return
    names = ", ".join(x.tool.name for x in faulty)
    yield f"{who}: {len(faulty)} of {len(needed)} tools cannot be used: {names}"
    if any(x.state == "broken" for x in faulty):
        how = " && ".join(dict.fromkeys(x.install for x in faulty))
    else:
        wheels = [name for x in faulty for name in x.wheels]
        how = how_to_install([x.tool for x in faulty], wheels)
    yield f"install all of them: {how}"
