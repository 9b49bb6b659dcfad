"""Bad input gives exit status 2, and one line with the mistake and the allowed values."""

import json

import click
import pytest

from rsaxcel import catalog
from rsaxcel.catalog.choices import refuse_parameter
from rsaxcel.cli.main import _GROUPS, cli, guard
from rsaxcel.cli.usage_errors import number_error
from rsaxcel.eval.measure.errors import MeasureError
from rsaxcel.fl.status import InputRuleError, Status
from rsaxcel.fl.wide_bits import UnsupportedPymtl3Error
from rsaxcel.flow.errors import FlowError, PowerError, ToolFailure
from rsaxcel.flow.record import RecordError
from rsaxcel.proc.run import EndlessError
from rsaxcel.sim.batch import SimulationError
from rsaxcel.sim.runners import RunnerError
from rsaxcel.sim.translate import TranslationError
from rsaxcel.store.errors import RunError, SetupError
from rsaxcel.store.places import CacheError
from tests.docs.commands import ROOT

GOOD = {"base": "5", "exp": "3", "n": "7"}


def test_every_number_of_every_command_is_refused_in_these_words():
    """Messages and types of click are recognized for the numbers of all options."""
    context = click.Context(cli)
    options = [x for x in all_options() if is_number(x.type)]
    assert len(options) > 20
    for option in options:
        with pytest.raises(click.BadParameter) as refused:
            option.type.convert("1e", option, context)
        assert number_error(refused.value).startswith(f"--{option.opts[0].lstrip('-')} 1e: a ")


def test_no_number_may_be_infinite_or_none():
    """A time limit, or a standard deviation of noise, that is ``nan`` would check nothing."""
    kinds = [x.type for x in all_options() if isinstance(x.type, type(click.FLOAT))]
    assert len(kinds) > 20
    for kind in kinds:
        for text in ("nan", "inf", "-inf"):
            with pytest.raises(click.BadParameter):
                kind.convert(text, None, None)


def test_help_names_what_a_number_is():
    unnamed = [x.opts[0] for x in all_options() if is_number(x.type) and not x.metavar]
    assert unnamed == []


def all_options():
    context = click.Context(cli)
    commands = [cli.get_command(context, name) for name in cli.list_commands(context)]
    return [x for command in commands for x in command.params if isinstance(x, click.Option)]


def is_number(kind):
    return isinstance(kind, type(click.INT) | type(click.FLOAT))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("5", "not a JSON object"),
        ("null", "not a JSON object"),
        ('{"base": "5", "n": "7"}', "'exp'"),
        ('{"a": "5", "b": "3", "n": "7"}', "'base', 'exp'"),
        (json.dumps(GOOD | {"base": 5}), "'base' is 5"),
        (json.dumps(GOOD | {"base": None}), "'base' is null"),
        (json.dumps(GOOD | {"n": ""}), "'n'"),
        (json.dumps(GOOD | {"n": "0x"}), "'n'"),
        (json.dumps(GOOD | {"exp": "-3"}), "'exp'"),
        (json.dumps(GOOD | {"exp": "1_0"}), "'exp'"),
        (json.dumps(GOOD | {"exp": " 3"}), "'exp'"),
        (json.dumps(GOOD | {"exp": "٣"}), "'exp'"),
        (json.dumps(GOOD | {"exp": "g" * 500}), "'exp'"),
        (json.dumps(GOOD | {"expect": "errors"}), "'expect'"),
        (json.dumps(GOOD | {"expect": 6}), "'expect'"),
        ('{"base": "5", "exp": "3", "n": "7", "n": "9"}', '"n" is given 2 times'),
        ('{"base": %s, "exp": "3", "n": "7"}' % ("9" * 5000), "'base' is 99999999999"),
        (json.dumps(GOOD | {"base": "5" * 65_537}), "'base' has 65,537 hex digits; 65,536"),
        (json.dumps(GOOD | {"id": "x" * (1 << 20)}), "more than 1,048,576 characters"),
    ],
)
@pytest.mark.parametrize("options", [["--json"], []])
def test_malformed_vector_is_told_with_its_line_before_anything_runs(
    refused, tmp_path, line, told, options
):
    file = tmp_path / "vectors.jsonl"
    file.write_text(f"{json.dumps(GOOD)}\n\n{line}\n{json.dumps(GOOD)}\n")
    message = refused("sim", "mont_r2l", "--level", "fl", "--vectors", file, *options)
    assert message.startswith(f"rsaxcel: error: {file}:3: ")
    assert told in message
    assert len(message) < len(str(file)) + 200


def test_no_more_is_read_than_it_takes_to_refuse_it(refused, tmp_path):
    file = tmp_path / "vectors.jsonl"
    with file.open("wb") as sparse:
        sparse.write(b'{"base": "')
        sparse.truncate(1 << 40)  # a terabyte of zeros
    line = refused("sim", "mont_r2l", "--level", "fl", "--vectors", file)
    assert f"{file}:1: more than 1,048,576 characters" in line


def test_file_that_is_no_text(rsaxcel, tmp_path):
    file = tmp_path / "vectors.jsonl"
    file.write_bytes(b"\x89PNG\xff\xfe")
    finished = rsaxcel("sim", "mont_r2l", "--level", "fl", "--vectors", file)
    assert finished.status == 2
    assert "UTF-8" in finished.err
    assert len(finished.err.splitlines()) == 1


def test_store_that_cannot_be_written(refused, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("RSAXCEL_CACHE", str(tmp_path / "file" / "store"))
    line = refused("sim", "mont_r2l", "--random", "1")
    assert str(tmp_path / "file" / "store") in line


@pytest.mark.parametrize("name", cli.list_commands(None))
def test_every_command_is_on_its_page_and_has_examples(name):
    text = (ROOT / "docs/reference/commands.md").read_text(encoding="utf-8")
    told = next(names[name] for names in _GROUPS.values() if name in names)
    assert f"\n| `{name}` | {told} |" in text
    assert f"  rsaxcel {name}" in cli.get_command(None, name).epilog


@pytest.mark.parametrize(
    ("fault", "status", "told"),
    [
        (lambda: catalog.get("crt"), 2, "design 'crt' is unknown"),
        (lambda: catalog.get("mont_r2l").configure(8, lanes="x"), 2, "lanes=x: 1 to 2 are allowed"),
        (lambda: int("nine"), 2, "ValueError: invalid literal"),
        (lambda: json.loads("{"), 2, "JSONDecodeError: Expecting"),
        (SetupError("no sta"), 2, "no sta"),
        (ToolFailure("sta failed"), 2, "sta failed"),
        (FlowError("wrong"), 1, "wrong"),
        (SimulationError("it hangs"), 1, "it hangs"),
        (TranslationError("no Verilog"), 1, "no Verilog"),
        (CacheError("not yours"), 2, "not yours"),
        (RunError("differs"), 1, "differs"),
        (RunnerError("no answer"), 1, "no answer"),
        (MeasureError("no figures"), 1, "no figures"),
        (EndlessError("it waits", None, True), 1, "it waits"),
        (PowerError("no slew"), 2, "no slew"),
        (RecordError("no record"), 2, "no record"),
        (InputRuleError(Status.MODULUS_EVEN, "m"), 2, "modulus_even: m"),
        (UnsupportedPymtl3Error("install it"), 2, "install it"),
        (OSError(28, "No space left", "here"), 2, "here: No space left"),
    ],
    ids=lambda x: type(x).__name__ if isinstance(x, Exception) else None,
)
def test_every_error_has_its_exit_status(capsys, fault, status, told):
    """A ``ValueError`` is told as it is where our own code raises it, and else as a fault."""

    @click.command
    def command():
        if isinstance(fault, Exception):
            raise fault
        fault()

    assert guard(command, "x", []) == status
    shown = capsys.readouterr().err
    assert shown.startswith("rsaxcel: error: ")
    assert told in shown
    assert ("Error: " in shown) == ("Error: " in told)


def test_no_name_is_suggested_where_none_is_allowed():
    with pytest.raises(ValueError, match=r"not a parameter of tiny_power; allowed: none$"):
        refuse_parameter("one", 3, "tiny_power", ())
    with pytest.raises(ValueError, match=r"of x \(did you mean lanes\?\); allowed: lanes$"):
        refuse_parameter("lane", 3, "x", ["lanes"])
