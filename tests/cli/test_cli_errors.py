"""Bad input gives exit status 2, and one line with the mistake and the allowed values."""

import json
import re
import shlex

import click
import pytest

from rsaxcel import catalog
from rsaxcel.catalog.choices import refuse_parameter
from rsaxcel.cli.main import cli, guard
from rsaxcel.cli.number_errors import number_error
from rsaxcel.eval.measure.errors import MeasureError
from rsaxcel.fl.status import InputRuleError, Status
from rsaxcel.fl.wide_bits import UnsupportedPymtl3Error
from rsaxcel.flow.errors import FlowError, ToolFailure
from rsaxcel.flow.power.errors import PowerError
from rsaxcel.flow.record import RecordError
from rsaxcel.proc.run import EndlessError
from rsaxcel.sim.batch import SimulationError
from rsaxcel.sim.runners import RunnerError
from rsaxcel.sim.translator import TranslationError
from rsaxcel.store.errors import RunError, SetupError
from rsaxcel.store.places import CacheError
from tests.docs.commands import ROOT

GOOD = {"base": "5", "exp": "3", "n": "7"}


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["nothing"], ["no command 'nothing'; `rsaxcel --help` has all commands"]),
        (["simm"], ["no command 'simm' (did you mean sim?)"]),
        (["list", "--nbits", "8"], ["--nbits"]),
        (["sim"], ["DESIGN"]),
        (["sim", "rsa9000", "--random", "1"], ["'rsa9000' is unknown; `rsaxcel list` has all"]),
        (
            ["sim", "mont_r21"],
            ["(did you mean mont_r2l, mont_red or montred_r2l?); `rsaxcel list`"],
        ),
        (["flow", "proc_montr2l"], ["(did you mean proc_mont_r2l, proc_montred_r2l or "]),
        (["sim", "crt"], ["(did you mean crt_window or crt_window_shared?)"]),
        (["leak", "it's"], ['design "it\'s" is unknown; `rsaxcel list` has all names']),
        (["list", ""], ["name '' is unknown; `rsaxcel list` has all names"]),
        (["check", ""], ["design '' is unknown"]),
        (["list", "Window"], ["(did you mean crt_window, orup_window or crt_window_shared?)"]),
        (["sim", "my.v"], ["'my.v' is unknown: a file of Verilog comes in by a file of designs"]),
        (["report", "--design", "a/core.VHD"], ["a file of Verilog comes in by a file of designs"]),
        (["flow", "x/mine.py"], ["mine.py is no name; RSAXCEL_DESIGNS=x/mine.py adds its designs"]),
        (["sim", "/dev"], ["RSAXCEL_DESIGNS=/dev adds"]),
        (["sim", __file__.removesuffix(".py") + ".pem"], ["is unknown; `rsaxcel list`"]),
        (
            ["sim", "mont_r2l", "--width", "64"],
            ["sim has no option --width (did you mean --nbits?)"],
        ),
        (["sweep", "x", "-j", "2"], ["sweep has no option -j (did you mean --workers?)"]),
        (["flow", "mont_r2l", "--placed"], ["(did you mean --stage placed?)"]),
        (["leak", "mont_r2l", "--schedule", "l2r"], ["(did you mean --param schedule=VALUE?)"]),
        (["sim", "mont_r2l", "--vector", "x"], ["(did you mean --vectors?); `rsaxcel sim --help`"]),
        (
            ["rank", "x", "--vectors", "9"],
            ["rank has no option --vectors (did you mean --random?)"],
        ),
        (["sim", "mont_r2l", "--debug"], ["stands before the command: rsaxcel --debug sim"]),
        (["--nbits", "8", "list"], ["rsaxcel has no option --nbits (options of a command stand "]),
        (["sim", "mont_r2l", "--level", "RTL"], ["'fl', 'cl', 'rtl' (did you mean rtl?)"]),
        (["run"], ["PROGRAM is missing; allowed: rsaxcel run [OPTIONS] PROGRAM"]),
        (["run", "naive"], ["--system is missing: --system NAME (proc_null, proc_DESIGN"]),
        (["run", "axi_mont_r2l"], ["--system is missing (did you mean --system axi_mont_r2l?): "]),
        (["run", "mont_r2l"], ["--system is missing (did you mean --system mont_r2l?): "]),
        (["run", "proc_nothing"], ["--system is missing: --system NAME"]),
        (["run", "xcel", "proc_null"], ["'proc_null' is an argument too many (did you mean --sys"]),
        (["compare", "mont_r2l:32"], ["B is missing; allowed: rsaxcel compare [OPTIONS] A B"]),
        (["sim", "mont_r2l", "--random"], ["--random needs a value: --random K (Number of"]),
        (
            ["report", "--nbits", "8", "32", "64"],
            ["'32' is an argument too many (several values have commas: --nbits 8,32,64)"],
        ),
        (
            ["report", "--nbits", "8", "--nbits", "7,9"],
            ["'7,9': widths from 8 to 4096 with commas"],
        ),
        (["results", "--nbits", "8,x"], ["'8,x': widths from 1 to 1048576 with commas"]),
        (["fpga", "ssmm", "64"], ["(did you mean --nbits 64?); allowed: rsaxcel fpga [OPTIONS]"]),
        (["flow", "ssmm", "lanes=1"], ["(did you mean --param lanes=1?)"]),
        (["report", "ssmm_r2l"], ["'ssmm_r2l' is an argument too many (did you mean --design"]),
        (
            ["sim", "mont_r2l", "--param", "window"],
            ["NAME=VALUE is allowed, such as schedule=window"],
        ),
        (["flow", "mont_r2l", "--param", "lanes"], ["NAME=VALUE is allowed, such as lanes="]),
        (
            ["sim", "ssmm_r2l", "--param", "lane=1"],
            ["not a parameter of ssmm_r2l (did you mean lanes?)"],
        ),
        (
            ["sim", "ssmm_r2l", "--param", "schedule=l2rr"],
            ["schedule=l2rr (did you mean l2r?): r2l, "],
        ),
        (["sim", "mont_r2l", "--random", "1", "--random=2"], ["--random is given 2 times"]),
        (["sim", "--json", "mont_r2l", "--json", "--random=1"], ["--json is given 2 times"]),
        (["sim", "mont_r2l", "--nbits", "7", "--random", "1"], ["nbits=7", "8 to 256"]),
        (["sim", "mont_r2l", "--nbits", "257", "--random", "1"], ["nbits=257", "8 to 256"]),
        (["sim", "mont_r2l", "--nbits", "-1", "--random", "1"], ["nbits=-1"]),
        (["sim", "mont_r2l", "--nbits", "x", "--random", "1"], ["--nbits x: a whole number is"]),
        (["sim", "mont_r2l", "--level", "gate", "--random", "1"], ["gate", "'rtl'"]),
        (["sim", "mont_r2l", "--engine", "vcs", "--random", "1"], ["vcs", "'native'", "'pymtl'"]),
        (["sim", "mont_r2l", "--level", "fl", "--engine", "native", "--random", "1"], ["rtl only"]),
        (["sim", "mont_r2l", "--level", "cl", "--engine", "native", "--random", "1"], ["rtl only"]),
        (["sim", "mont_r2l", "--random", "0"], ["--random 0: a whole number from 1 is allowed"]),
        (
            ["sim", "mont_r2l", "--random", "1", "--vectors", __file__],
            ["--vectors", "--random", "one of them is allowed"],
        ),
        (["sim", "mont_r2l", "--vectors", __file__, "--seed", "1"], ["--seed"]),
        (["sim", "mont_r2l", "--vectors", "no/such.jsonl"], ["no/such.jsonl", "No such file"]),
        (["sim", "mont_r2l", "--vectors", "."], ["directory"]),
        (["sim", "mont_r2l", "--random", "1", "--param", "stages"], ["--param stages: NAME=VALUE"]),
        (["sim", "mont_r2l", "--random", "1", "--param", "stages="], ["NAME=VALUE"]),
        (["sim", "mont_r2l", "--random", "1", "--param", "depth=1"], ["depth=1", "stages"]),
        (["sim", "mont_r2l", "--random", "1", "--param", "nbits=8"], ["nbits=8", "stages"]),
        (["flow", "mont_r2l", "--param", "nbits=8"], ["nbits=8", "stages"]),
        (["run", "axi", "--system", "axi_mont_r2l", "--param", "nbits=8"], ["nbits=8", "stages"]),
        (["run", "axi", "--system", "axi_mont_r2l", "--param", "name=8"], ["name=8", "stages"]),
        (["run", "axi_loded", "--system", "axi_mont_r2l"], ["axi_loded", "axi_loaded", "naive"]),
        (["sim", "mont_r2l", "--random", "1", "--param", "stages=33"], ["stages=33", "1 to 32"]),
        (["sim", "mont_r2l", "--random", "1", "--param", "stages=four"], ["stages=four"]),
        (
            ["sim", "mont_r2l", "--random=1", "--param", "stages=1", "--param", "stages=2"],
            ["stages", "twice"],
        ),
        (
            ["leak", "axi_crt_window", "--test=exponent", "--param", "check=public_exponent"],
            ["--test=exponent: not for axi_crt_window", "follow from the primes"],
        ),
        (["flow", "mul_rm"], ["(did you mean mul_rem, mont_mul_rem or mulrem_r2l?)"]),
        (["flow", "mont_r2l", "--nbits", "4000"], ["nbits=4000"]),
        (["sim", "proc_null"], ["proc_null is a system; designs and multipliers are allowed"]),
        (["fpga", "axi_mont_r2l"], ["is a system; designs and multipliers are allowed"]),
        (["sweep", "x.toml", "--scheduler", "foo"], ["--scheduler=foo: an address such as tcp:"]),
        (
            ["circuit", "x", "--family", "xc7", "--no-estimate"],
            ["--no-estimate and --family: one of them is allowed"],
        ),
        (
            ["flow", "mont_r2l", "--stage", "placed", "--uncertainty-ns", "3"],
            ["--uncertainty-ns=3: 0 up to, but without, the clock period (3 ns) is allowed"],
        ),
        (["flow", "mont_r2l", "--library", "sky130"], ["sky130", "freepdk-45nm"]),
        (["flow", "mont_r2l", "--library", ""], ["--library needs a value: --library [freepdk"]),
        (["prove", "ssmm", "--claim", ""], ["--claim needs a value: --claim CLAIM (Prove claims"]),
        (["sim", "mont_r2l", "--nbits", "\uff18"], ["'\uff18' is no digit; 0 to 9 are allowed"]),
        (["sim", "mont_r2l", "--param", "stages=\u0662"], ["is no digit; 0 to 9 are allowed"]),
        (["compare", "mont_r2l:3\uff12", "ssmm_r2l:32"], ["is no digit; 0 to 9 are allowed"]),
        (
            ["sweep", __file__],
            ["not TOML; a sweep in TOML is allowed, as docs/examples/sweep.toml"],
        ),
        (["verilog", "mont_r2l", "--seed", "0"], ["--seed: has a meaning with --testbench only"]),
        (
            ["sim", "mul_rem", "--exhaustive", "--seed", "0"],
            ["--exhaustive and --seed: one of them is allowed"],
        ),
        (
            ["flow", "mont_r2l", "--activity", "zero", "--timed-cycles", "1000"],
            ["--timed-cycles: has a meaning with --activity timed only"],
        ),
        (
            ["run", "xcel", "--system", "proc_mont_r2l", "--operation", "encrypt"],
            ["--operation: has a meaning with --data only"],
        ),
    ],
)
def test_bad_arguments(rsaxcel, args, told):
    finished = rsaxcel(*args)
    assert finished.status == 2
    assert finished.out == ""
    (line,) = finished.err.splitlines()
    assert line.startswith("rsaxcel: error: ")
    for part in told:
        assert part in line


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["sim", "mul_rem", "--random", "1e3"], "a whole number from 1 is allowed, as 1000"),
        (["sim", "mul_rem", "--random", "1,000"], "a whole number from 1 is allowed, as 1000"),
        (["sim", "mul_rem", "--random", "0x3e8"], "a whole number from 1 is allowed, as 1000"),
        (["sim", "mul_rem", "--random", "-1e3"], "a whole number from 1 is allowed"),
        (["sim", "mul_rem", "--random", "1.5"], "a whole number from 1 is allowed"),
        (["sim", "mul_rem", "--random", "1e400"], "a whole number from 1 is allowed"),
        (["sim", "mul_rem", "--random=1", "--nbits", "2^5"], "a whole number is allowed"),
        (
            ["sim", "mul_rem", "--random=1", "--seed", "1e3"],
            "a whole number from 0 is allowed, as 1000",
        ),
        (["sim", "mul_rem", "--seed", "-1"], "a whole number from 0 is allowed"),
        (["rank", "x", "--random", "1e9"], "a whole number from 1 to 10000000 is allowed"),
        (["clean", "--older", "1 000"], "a whole number from 0 to 36500 is allowed, as 1000"),
        (["rank", "x", "--seconds", "x"], "a number from 1 is allowed"),
        (["rank", "x", "--clock-ns", "nan"], "a number from 0.01 to 1000 is allowed"),
        (["leak", "mont_r2l", "--noise", "inf"], "a number from 0 is allowed"),
        (["flow", "mont_r2l", "--clock-ns", "3,5"], "a number from 0.01 to 1000 is allowed"),
        (["flow", "mont_r2l", "--derate", "nan"], "a number is allowed"),
        (["optimize", "--nbits", "16", "--max-time", "0"], "a number above 0 is allowed"),
        (["optimize", "--tolerance", "100"], "a number from 0 to below 100 is allowed"),
    ],
)
def test_numbers_that_an_option_refuses(rsaxcel, args, told):
    finished = rsaxcel(*args)
    *_, option, value = args
    shown = f"{float(value):.1f}" if args[0] == "optimize" else shlex.quote(value)
    assert (finished.status, finished.out) == (2, "")
    assert finished.err == f"rsaxcel: error: {option} {shown}: {told}\n"


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
    rsaxcel, tmp_path, line, told, options
):
    file = tmp_path / "vectors.jsonl"
    file.write_text(f"{json.dumps(GOOD)}\n\n{line}\n{json.dumps(GOOD)}\n")
    finished = rsaxcel("sim", "mont_r2l", "--level", "fl", "--vectors", file, *options)
    assert finished.status == 2
    assert finished.out == ""
    (message,) = finished.err.splitlines()
    assert message.startswith(f"rsaxcel: error: {file}:3: ")
    assert told in message
    assert len(message) < len(str(file)) + 200


@pytest.mark.parametrize(("content", "what"), [([GOOD, GOOD], "an array"), (GOOD, "an object")])
def test_json_over_several_lines_is_told(rsaxcel, tmp_path, content, what):
    file = tmp_path / "vectors.json"
    file.write_text(json.dumps(content, indent=2))
    finished = rsaxcel("sim", "mont_r2l", "--level", "fl", "--vectors", file)
    assert (finished.status, finished.out) == (2, "")
    (line,) = finished.err.splitlines()
    assert line.startswith(f"rsaxcel: error: {file}:1: {what} over several lines; a vector is")


def test_no_more_is_read_than_it_takes_to_refuse_it(rsaxcel, tmp_path):
    file = tmp_path / "vectors.jsonl"
    with file.open("wb") as sparse:
        sparse.write(b'{"base": "')
        sparse.truncate(1 << 40)  # a terabyte of zeros
    finished = rsaxcel("sim", "mont_r2l", "--level", "fl", "--vectors", file)
    assert finished.status == 2
    assert f"{file}:1: more than 1,048,576 characters" in finished.err


def test_multiplier_tells_which_operands_it_has(rsaxcel, tmp_path):
    file = tmp_path / "vectors.jsonl"
    file.write_text(json.dumps(GOOD))
    finished = rsaxcel("sim", "mul_rem", "--level", "fl", "--vectors", file)
    assert finished.status == 2
    assert f"{file}:1: no 'a', 'b'" in finished.err


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_file_without_vectors(rsaxcel, tmp_path, content):
    file = tmp_path / "vectors.jsonl"
    file.write_text(content)
    finished = rsaxcel("sim", "mont_r2l", "--level", "fl", "--vectors", file)
    assert finished.status == 2
    assert "no vectors" in finished.err


def test_file_that_is_no_text(rsaxcel, tmp_path):
    file = tmp_path / "vectors.jsonl"
    file.write_bytes(b"\x89PNG\xff\xfe")
    finished = rsaxcel("sim", "mont_r2l", "--level", "fl", "--vectors", file)
    assert finished.status == 2
    assert "UTF-8" in finished.err
    assert len(finished.err.splitlines()) == 1


def test_store_that_cannot_be_written(rsaxcel, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("RSAXCEL_CACHE", str(tmp_path / "file" / "store"))
    finished = rsaxcel("sim", "mont_r2l", "--random", "1")
    assert finished.status == 2
    assert finished.out == ""
    (line,) = finished.err.splitlines()
    assert str(tmp_path / "file" / "store") in line


@pytest.mark.parametrize("name", cli.list_commands(None))
def test_every_command_is_on_its_page_and_has_examples(name):
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert re.search(rf"`(rsaxcel )?{name}\b", text)
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
