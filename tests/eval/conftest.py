"""The command line, called in this process."""

import json
import math
from collections.abc import Callable
from typing import NamedTuple

import pytest

from rsaxcel.cli import cli, guard
from tests.eval.crypt_calls import FL


class Finished(NamedTuple):
    """Exit status and output of a command."""

    status: int
    out: str
    err: str


@pytest.fixture
def rsaxcel(capsys, monkeypatch) -> Callable[..., Finished]:
    # How far a command is would be told on a slow machine alone.
    monkeypatch.setattr("eval.progress._LINE_SECONDS", math.inf)
    monkeypatch.setattr("sim.native.notice._LEAST_SECONDS", math.inf)

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


@pytest.fixture
def crypt(rsaxcel, tmp_path):
    """Call the command on contents of files; gives what it did, and what is in OUT then."""

    def call(action, key: bytes, given: bytes, signature: bytes | None = None, options=FL):
        for name, content in (("key.pem", key), ("in", given), ("out", signature)):
            if content is not None:
                (tmp_path / name).write_bytes(content)
        out = tmp_path / "out"
        done = rsaxcel(
            "crypt", action, "--key", tmp_path / "key.pem", *options, tmp_path / "in", out
        )
        return done, out.read_bytes() if out.exists() else None

    return call


@pytest.fixture(scope="session")
def everything(tmp_path_factory):
    """Report of all documents on made-up results, where nothing failed."""
    from tests.eval.made_up_records import Report

    return Report(tmp_path_factory.mktemp("report"), plots=True)


@pytest.fixture(scope="module")
def browser():
    """Start a browser; a test that takes it has the marks of ``tests.eval.opened_page``."""
    driving = pytest.importorskip("playwright.sync_api")
    from tests.eval.opened_page import FOUND

    with driving.sync_playwright() as driver:
        options = ["--no-sandbox", "--disable-gpu"]  # as root, and without a screen
        started = driver.chromium.launch(executable_path=FOUND, args=options)
        yield started
        started.close()


@pytest.fixture(scope="session")
def page_file(tmp_path_factory):
    """Page of the standard document on made-up results, with what is inside of circuits."""
    from tests.eval.made_up_records import STUDIES, Report, anatomy

    folder = tmp_path_factory.mktemp("page")
    Report(folder, STUDIES[:1], plots=True, look=anatomy)
    return folder / "index.html"
