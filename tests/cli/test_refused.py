"""Commands that are refused, before anything runs: ``refused.txt`` lists them with their messages.

A message is one line; the exit status is 2, and nothing is printed or written. A part of a message
that ends with $ is its end.
"""

import json
import shlex
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from rsaxcel.fl.keys import balanced_key
from tests.cli.crypt_keys import (
    numbers_pem,
    private_key,
    private_pem,
    public_pem,
    theirs,
    write_key,
)
from tests.cores.test_described import make
from tests.course.made_up_class import RUBRIC
from tests.eval import made_up_points

CASES = [
    (command, [x.strip() for x in told if x.startswith("  ")])
    for command, *told in (
        case.splitlines()
        for case in Path(__file__).with_name("refused.txt").read_text("utf-8").split("\n$ ")[1:]
    )
]
HALVES = {"base": "7", "p": "3", "q": "9", "dp": "1", "dq": "1"}
FILES = {
    "text.py": "no TOML",
    "vector.json": '{"base": "5", "exp": "3", "n": "4d"}',
    "other.json": '{"base": "7", "n": "f"}',
    "two.json": 2 * '{"base": "5", "exp": "3", "n": "7"}\n',
    "empty.json": "",
    "blank.json": "\n \n",
    "array.json": json.dumps([{"base": "5"}] * 2, indent=2),
    "object.json": json.dumps({"base": "5"}, indent=2),
    "bad.json": '{"base": "x", "exp": "3", "n": "7"}',
    "rubric.toml": RUBRIC,
    "shared.json": json.dumps(HALVES),
    "wide.json": json.dumps(HALVES | {"q": f"{1 << 2048 | 1:x}"}),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Vectors, good and bad ones, keys, cores, and figures of a few designs."""
    made = made_up_points.write(tmp_path_factory.mktemp("refused"))
    for name, content in FILES.items():
        (made / name).write_text(content)
    make(made / "core")
    (made / "empty").mkdir()
    (made / "folder/core.toml").mkdir(parents=True)
    for nbytes in (54, 63, 64, 73, 10**6):
        (made / f"of_{nbytes}_bytes").write_bytes(nbytes * b"\xff")
    keys = {"48": private_key(balanced_key(48)), "48-unequal": theirs(48)}
    for name, key in (keys | {f"{x}": theirs(x) for x in (32, 64, 120, 128, 512, 1024)}).items():
        write_key(made / f"{name}.pem", private_pem(key))
        write_key(made / f"{name}-public.pem", public_pem(key))
    for name, modulus in (("family", 341), ("wide", (1 << 4000) + 1)):
        write_key(made / f"{name}.pem", numbers_pem(modulus, 7))
    write_key(made / "curve.pem", private_pem(ec.generate_private_key(ec.SECP256R1())))
    return made


@pytest.mark.parametrize(("command", "told"), CASES, ids=[command for command, _ in CASES])
def test_refused(refused, folder, monkeypatch, command, told):
    def run(*_args: object, **_options: object) -> None:
        raise AssertionError("something was measured")

    monkeypatch.setattr("rsaxcel.flow.run.run_flow", run)
    monkeypatch.setattr("rsaxcel.eval.report.build.write_report", run)
    monkeypatch.chdir(folder)
    before = set(folder.rglob("*"))
    line = refused(*shlex.split(command)[1:])
    assert line.startswith("rsaxcel: error: ")
    assert [x for x in told if x not in f"{line}$"] == []
    assert set(folder.rglob("*")) == before
