"""The files of requirements lock what setup.py pins, with hashes, and are what is installed."""

import re
import sys
from importlib.metadata import requires, version
from itertools import product
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
WHERE = [
    {"platform_machine": machine, "python_version": python, "python_full_version": f"{python}.1"}
    for machine, python in product(("x86_64", "aarch64"), ("3.11", "3.12", "3.13", "3.14"))
]
EXTRAS = [{"extra": name} for name in ("", "test", "docs", "lint", "compiler", "notebooks")]


@pytest.fixture(scope="module")
def locked() -> dict[str, Requirement]:
    return read("requirements.txt", "requirements-compiler.txt", "requirements-notebooks.txt")


def read(*files: str) -> dict[str, Requirement]:
    if not (ROOT / "requirements.txt").exists():
        pytest.skip("no checkout")
    text = "".join((ROOT / x).read_text() for x in files).replace("\\\n", " ")
    found: dict[str, Requirement] = {}
    for line in re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).splitlines():
        asked, *hashes = line.split("--hash=")
        assert hashes, line
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64} *", x) for x in hashes), line
        requirement = Requirement(asked)
        assert [x.operator for x in requirement.specifier] == ["=="], line
        before = found.setdefault(requirement.name, requirement)
        assert before.specifier == requirement.specifier, "one version, whatever needs it"
    return found


def test_every_pin_is_locked(locked):
    """After a change of setup.py: make lock."""
    for pin in map(Requirement, requires("rsaxcel") or []):
        lock = locked[canonicalize_name(pin.name)]
        assert pin.specifier == lock.specifier, pin.name
        for where in WHERE:
            if not pin.marker or any(pin.marker.evaluate(where | extra) for extra in EXTRAS):
                assert not lock.marker or lock.marker.evaluate(where), (pin.name, where)


def test_what_is_installed_is_locked():
    if not Path(sys.prefix, ".rsaxcel-installed").exists():
        pytest.skip("not the environment of make setup")
    usual = read("requirements.txt").values()
    here = [x for x in usual if not x.marker or x.marker.evaluate()]
    assert {x.name: f"=={version(x.name)}" for x in here} == {
        x.name: str(x.specifier) for x in here
    }
