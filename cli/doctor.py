"""``rsaxcel doctor``: which tools are installed, what needs them, how to install the others."""

import json
import shutil
import textwrap
from collections.abc import Iterator, Sequence

import click

from rsaxcel.cli.options.plain import json_option
from rsaxcel.cli.tool_check import Finding, examine, known_targets
from rsaxcel.store.errors import UserError
from rsaxcel.store.installing import how_to_install

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
      rsaxcel doctor --json | python -m json.tool --json-lines
    """
)
@click.argument("work", nargs=-1, metavar="[COMMAND]...", shell_complete=_complete)
@json_option("One JSON object per tool, nothing else.")
@click.pass_context
def command(context: click.Context, work: tuple[str, ...], as_json: bool) -> int:
    """Look for the tools that the commands need, and say how to install a missing one.

    Each tool has a row: its version or its state (missing, broken, too old, too new), and the
    commands that need it. Below the row of a tool that cannot be used is the command that installs
    it here, and what works without it. Every tool is started once: an installed tool that does not
    run is broken. COMMAND is a command of rsaxcel, or a target of the Makefile (test, docs, lint);
    all commands unless given.

    Exit status: 0 if all tools that the chosen commands need can be used, 2 if not. Optional tools
    do not count.
    """
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


def _table(found: Sequence[Finding], work: Sequence[str]) -> Iterator[str]:
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


def _shown(finding: Finding) -> str:
    """Return the version of a tool that can be used; for any other tool, its state."""
    if finding.state == "ok":
        return finding.version or "found"
    aged = finding.state.startswith("too ")
    return f"{finding.version} {finding.state}" if aged else finding.state


def _columns() -> int:
    return max(_WIDTH, min(shutil.get_terminal_size().columns, 120))


def _purpose(finding: Finding) -> str:
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


def _advice(finding: Finding) -> Iterator[str]:
    """Lines on why a tool cannot be used, and how to install it."""
    if finding.state == "ok":
        return
    if finding.reason:
        yield f"  {finding.reason}"
    yield f"  install: {finding.install}"
    if finding.tool.without:
        yield f"  without it: {finding.tool.without}"


def _summary(found: Sequence[Finding], work: Sequence[str]) -> Iterator[str]:
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
