"""The command line, called in this process."""

import json
import math
from collections.abc import Callable
from typing import NamedTuple

import pytest

from eval.cli import cli, guard


class Finished(NamedTuple):
    """Exit status and output of a command."""

    status: int
    out: str
    err: str


@pytest.fixture
def rsaxcel(capsys, monkeypatch) -> Callable[..., Finished]:
    # How far a command is would be told on a slow machine alone.
    monkeypatch.setattr("eval.progress._LINE_SECONDS", math.inf)

    def call(*args: object) -> Finished:
        status = guard(cli, "rsaxcel", [str(arg) for arg in args])
        return Finished(status, *capsys.readouterr())

    return call


@pytest.fixture
def vectors(tmp_path):
    def write(records):
        file = tmp_path / "vectors.jsonl"
        file.write_text("".join(json.dumps(record) + "\n" for record in records))
        return file

    return write


@pytest.fixture(scope="session")
def everything(tmp_path_factory):
    """Report of all documents on made-up results, where nothing failed."""
    from tests.eval.made_up_records import Report

    return Report(tmp_path_factory.mktemp("report"), plots=True)
