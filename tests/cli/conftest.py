"""Fixtures: the command ``crypt``, called in this process; no notices of slow machines."""

import math

import pytest

from tests.cli.crypt_calls import FL
from tests.cli.crypt_keys import write_key


@pytest.fixture(autouse=True)
def no_notices(monkeypatch):
    """Leave out what compiling tells on slow machines only: tests compare standard error."""
    monkeypatch.setattr("rsaxcel.sim.native.build._LEAST_SECONDS", math.inf)


@pytest.fixture
def crypt(rsaxcel, tmp_path):
    """Call the command on contents of files; return what it did, and the content of OUT."""

    def call(action, key: bytes, given: bytes, signature: bytes | None = None, options=FL):
        for name, content in (("key.pem", key), ("in", given), ("out", signature)):
            if content is not None:
                write_key(tmp_path / name, content)
        out = tmp_path / "out"
        done = rsaxcel(
            "crypt", action, "--key", tmp_path / "key.pem", *options, tmp_path / "in", out
        )
        return done, out.read_bytes() if out.exists() else None

    return call
