"""The command line as a process: start, interrupts, missing tools."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from rsaxcel.cli.main import _GROUPS, cli
from tests.shared.harness import take_interrupts
from tests.shared.processes import RSAXCEL, run


def test_version():
    done = run(*RSAXCEL, "--version")
    assert done.returncode == 0
    assert done.stdout.startswith("rsaxcel, version 0.")


def test_help_has_examples_and_keeps_its_lines(rsaxcel):
    """Lists and tables are not joined to paragraphs; the escape that prevents it is not shown."""
    context = click.Context(cli)
    for command in cli.list_commands(context):
        shown = rsaxcel(command, "--help")
        assert shown.status == 0
        assert "\\b" not in shown.out
        assert f"  rsaxcel {command}" in shown.out.partition("Example")[2]


def test_without_a_command_the_first_steps_are_shown():
    """Each of the six lines but the last is a command that can be typed as it is."""
    done = run(*RSAXCEL)
    assert (done.returncode, done.stderr) == (0, "")
    *lines, last = done.stdout.strip().splitlines()[2:]
    assert [x.split()[1] for x in lines] == ["list", "sim", "flow", "report", "new"]
    assert "rsaxcel --help" in last


def test_help_as_a_word_is_help(rsaxcel):
    assert rsaxcel("help").out == rsaxcel("--help").out
    assert "(did you mean sim?)" in rsaxcel("simulate").err


def test_help_groups_all_commands():
    lines = run(*RSAXCEL, "--help").stdout.splitlines()
    at = {x: n for n, x in enumerate(lines)}
    for title, names in _GROUPS.items():
        section = lines[at[f"{title}:"] + 1 :]
        assert [x.split()[0] for x in section[: section.index("")]] == [*names]
        assert max(map(len, section)) < 80


def test_a_wrong_parameter_is_refused_before_what_measures_is_loaded():
    code = """if True:
        import sys
        from rsaxcel.cli.main import cli, guard
        for command in ("flow", "leak", "fault", "prove", "check", "show", "sim"):
            more = ["--random", "1"] if command == "sim" else []
            args = [command, "crt_window", "--param", "states=double", *more]
            print(guard(cli, "rsaxcel", args), "scipy" in sys.modules)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == 7 * "2 False\n"
    assert done.stderr.count("states=double (did you mean doubled?)") == 7


def test_console_script_is_the_same_command():
    script = Path(sys.executable).with_name("rsaxcel")
    if not script.exists():
        pytest.skip("the project is not installed in this environment")
    assert subprocess.check_output([script, "list"], text=True) == run(*RSAXCEL, "list").stdout


def test_shells_complete_names_of_designs():
    words = {"COMP_WORDS": "rsaxcel sim mont_r2l", "COMP_CWORD": "2"}
    done = run(*RSAXCEL, _RSAXCEL_COMPLETE="bash_complete", **words)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["plain,mont_r2l", "plain,mont_r2l_shared"]


@pytest.mark.slow_cases("fl")
@pytest.mark.parametrize("level", ["fl", "cl"])
def test_interrupt_is_quiet(level):
    args = [*RSAXCEL, "sim", "mont_r2l", "--level", level, "--random", "100000000", "--json"]
    # A new session: the interrupt has to reach all processes, as from a terminal.
    with subprocess.Popen(
        args,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=take_interrupts,
    ) as process:
        for _ in range(20_000):  # enough for several processes to work
            assert process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    # Besides its progress, the command may print a line feed, for the ^C of a terminal.
    said = [line for line in err.decode().splitlines() if not line.endswith(" vectors")]
    assert not "".join(said)


def test_reader_that_stops_reading_gets_no_traceback():
    args = [*RSAXCEL, "sim", "mont_r2l", "--level", "fl", "--random", "20000", "--json"]
    with subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()
        assert process.wait(timeout=60) == 128 + signal.SIGPIPE
    assert err == b""


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_reader_that_never_reads_gets_no_traceback(form):
    for args in (["list"], ["sim", "mont_r2l", "--level", "fl", "--random", "30"]):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run([*RSAXCEL, *args, *form], stdout=writing, stderr=subprocess.PIPE)
        os.close(writing)
        assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")


def test_standard_output_that_is_closed_is_told():
    command = ["sh", "-c", '"$@" >&-', "sh", *RSAXCEL, "list"]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (2, "rsaxcel: error: standard output is closed\n")
