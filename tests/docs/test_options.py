"""Options on pages, and in the examples of `--help`, are those that the commands have."""

import re

import click
import pytest

from rsaxcel.cli.main import cli
from tests.docs.commands import ROOT, pages

CONTEXT = click.Context(cli)
COMMANDS = {name: cli.get_command(CONTEXT, name) for name in cli.list_commands(CONTEXT)}
PASSED_TO = {"course": "rank"}  # what stands behind --
CALL = re.compile(r"rsaxcel (?:--debug )?([a-z]+)((?:\\\n|[^`\n|;&#])*)")


def unknown(text: str) -> list[str]:
    """Options in a text that stand behind a command of rsaxcel, which does not have them."""
    found = []
    for name, arguments in CALL.findall(text):
        own, _, passed_on = arguments.partition(" -- ")
        for command, part in ((name, own), (PASSED_TO.get(name, name), passed_on)):
            if command in COMMANDS:
                params = COMMANDS[command].params
                known = {"--help", *(x for p in params for x in (*p.opts, *p.secondary_opts))}
                given = re.findall(r"(?<![\w-])--[a-z][a-z-]*", part)
                found += [f"{command} {option}" for option in given if option not in known]
    return found


def test_an_unknown_option_is_found():
    text = "`rsaxcel sim ssmm --seed 1 --seeds 2`, `rsaxcel flow x \\\n --seed 3 | y --z` --w"
    assert unknown(text) == ["sim --seeds", "flow --seed"]


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_options_on_pages(page):
    assert unknown(page.read_text(encoding="utf-8")) == []


def test_options_in_help():
    texts = [f"{x.help} {x.epilog}" for x in COMMANDS.values()]
    assert unknown("\n".join(texts)) == []
