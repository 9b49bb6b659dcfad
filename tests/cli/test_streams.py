"""Closed streams, full disks behind them, and terminals that take no escape codes."""

import os
import pty
import subprocess
import sys

import pytest

from tests.shared.processes import run

_FL = "-m rsaxcel sim mont_r2l --nbits 8 --level fl"


@pytest.mark.parametrize(
    ("redirection", "arguments", "status", "told"),
    [
        ("<&-", f"{_FL} --random 1", 0, ""),
        ("<&-", f"{_FL} --vectors -", 2, "standard input is closed"),
        ("2>/dev/full", "-m rsaxcel sim nosuch", 2, ""),
        ("2>/dev/full", "-m rsaxcel nosuch", 2, ""),
        (">&-", f"{_FL} --random 1", 2, "error: standard output is closed"),
        (">/dev/full", f"{_FL} --random 1", 2, "No space left"),
    ],
)
def test_streams_that_are_closed_or_full(redirection, arguments, status, told):
    done = run("sh", "-c", f"{sys.executable} {arguments} {redirection}")
    assert done.returncode == status, done.stderr
    assert told in done.stderr
    assert "NoneType" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"), [(f"{_FL} --random 2", b"mismatches"), ("-m rsaxcel list", b"axis")]
)
@pytest.mark.parametrize("variable", ["TERM=dumb", "NO_COLOR=1"])
def test_no_escape_codes_where_none_are_wanted(variable, arguments, told):
    try:
        ours, theirs = pty.openpty()
    except OSError as error:  # a chroot without /dev/pts
        pytest.skip(f"no terminal here: {error}")
    name, _, value = variable.partition("=")
    environment = {**os.environ, "TERM": "xterm", name: value}
    command = [sys.executable, *arguments.split()]
    done = subprocess.run(command, stdout=theirs, stderr=theirs, env=environment, check=False)
    os.close(theirs)
    with open(ours, "rb", buffering=0) as file:
        printed = file.read(1 << 16)
    assert done.returncode == 0
    assert told in printed
    assert b"\x1b" not in printed
