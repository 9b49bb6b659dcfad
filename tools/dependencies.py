"""``make deps``: writes docs/reference/dependencies.md from dependencies.toml and PyPI's dates."""

import ast
import json
import os
import sys
import tomllib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.tags import Tag, compatible_tags, cpython_tags
from packaging.utils import InvalidWheelFilename, parse_wheel_filename

from rsaxcel.store.errors import RunError

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/reference/dependencies.md"
TEXTS = Path(__file__).with_suffix(".toml")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
#: interpreter and ABI of the wheels that each Python takes
_FITTING = {
    python: {
        (tag.interpreter, tag.abi)
        for tags in (cpython_tags, compatible_tags)
        for tag in tags(tuple(map(int, python.split("."))), platforms=["any"])
    }
    for python in PYTHONS
}
MACHINES = {"x86_64": "x86-64", "aarch64": "ARM"}
#: Title of each table, with the groups of setup.py that it has.
TABLES = {
    "For every user": ("",),
    "For development": ("test", "docs", "lint", "compiler", "notebooks"),
}
_EVERYWHERE = f"{PYTHONS[0]} to {PYTHONS[-1]}; {' and '.join(MACHINES.values())}"
_INDEX = "https://pypi.org/simple"
_TIMEOUT_S = 30
_OLD_DAYS = 2 * 365

_HEAD = """\
<!-- Written by `make deps` from setup.py, tools/dependencies.toml and PyPI. -->
# Dependencies

Which packages does rsaxcel need, and what can replace one that is given up?

[setup.py](../../setup.py) has the versions, and [requirements.txt](../../requirements.txt) also the
packages that these need in turn. Dates of last releases are as of {today}, and bold if older than
two years. *Own* means code of rsaxcel. `rsaxcel doctor` lists other programs.

There are wheels for Linux and Python {pythons}{lacking}.
"""
_TABLE = """
## {title}

| package | released | purpose | replacement |
|---|---|---|---|
"""


class DependencyError(RunError):
    """A fault in the dependencies or their table, in one line."""


def dependencies() -> dict[str, list[Requirement]]:
    """Pinned dependencies of ``setup.py``: those of every user (""), then those of each extra."""
    tree = ast.parse((ROOT / "setup.py").read_text())
    found = {
        keyword.arg: ast.literal_eval(keyword.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg in ("install_requires", "extras_require")
    }
    groups = {"": found["install_requires"], **found["extras_require"]}
    return {name: [Requirement(x) for x in pins] for name, pins in groups.items()}


def texts() -> dict[str, dict[str, str]]:
    """Purpose of each dependency, and its replacement."""
    return tomllib.loads(TEXTS.read_text())


def released(name: str) -> Mapping[str, Any]:
    """Ask the package index for the files of a package (PEP 691 and PEP 700)."""
    index = os.environ.get("PIP_INDEX_URL", _INDEX).rstrip("/")
    accept = {"Accept": "application/vnd.pypi.simple.v1+json"}
    try:
        asked = Request(f"{index}/{name.lower()}/", headers=accept)
        with urlopen(asked, timeout=_TIMEOUT_S) as answer:
            found: Mapping[str, Any] = json.load(answer)
    except (OSError, ValueError) as error:
        why = error.reason if isinstance(error, URLError) else error
        raise DependencyError(f"no answer of the package index on {name}: {why}") from error
    return found


def row(pin: Requirement, found: Mapping[str, Any], today: date) -> str:
    """Line of a package in the table, from the index's answer."""
    if pin.name not in (known := texts()):
        raise DependencyError(f"{TEXTS.name} has no purpose of {pin.name}")
    # A hole in `found` means a withdrawn (yanked) release, which does not count.
    dates = [x["upload-time"][:10] for x in found["files"] if not x.get("yanked")]
    last = date.fromisoformat(max(dates))
    when = f"**{last}**" if (today - last).days > _OLD_DAYS else str(last)
    text = known[pin.name]
    return f"| {pin.name} | {when} | {text['purpose']} | {text['instead']} |"


def wheels(files: list[Mapping[str, Any]], version: str) -> str:
    """Text on the Pythons and machines for which a release has wheels."""
    fitting: dict[str, list[str]] = {machine: [] for machine in MACHINES}
    for file in files:
        try:
            _, built, _, tags = parse_wheel_filename(file["filename"])
        except InvalidWheelFilename:
            continue
        if str(built) != version:
            continue
        allowed = SpecifierSet(file.get("requires-python") or "")
        for machine, pythons in fitting.items():
            on = {(x.interpreter, x.abi) for x in tags if _is_for(x, machine)}
            pythons += [x for x in PYTHONS if f"{x}.0" in allowed and on & _FITTING[x]]
    told = {name: _range(set(fitting[machine])) for machine, name in MACHINES.items()}
    if len(set(told.values())) == 1:
        (same,) = set(told.values())
        return "none" if same == "none" else f"{same}; {' and '.join(told)}"
    return "; ".join(f"{name}: {pythons}" for name, pythons in told.items())


def exceptions(files: Mapping[Requirement, list[Mapping[str, Any]]]) -> str:
    """Text on the pinned packages that lack wheels; empty: none does."""
    found = {x.name: wheels(own, next(iter(x.specifier)).version) for x, own in files.items()}
    told = [f"{name} ({text})" for name, text in found.items() if text != _EVERYWHERE]
    return f", except {', '.join(told)}" if told else ""


def _is_for(tag: Tag, machine: str) -> bool:
    linux = tag.platform.startswith(("manylinux", "linux")) and tag.platform.endswith(machine)
    return tag.platform == "any" or linux


def _range(pythons: set[str]) -> str:
    found = [x for x in PYTHONS if x in pythons]
    if not found:
        return "none"
    whole = found == list(PYTHONS[PYTHONS.index(found[0]) :][: len(found)])
    return f"{found[0]} to {found[-1]}" if whole and len(found) > 1 else ", ".join(found)


def page(today: date) -> str:
    groups = dependencies()
    pins = [pin for group in groups.values() for pin in group]
    with ThreadPoolExecutor(8) as pool:
        answers = dict(zip(pins, pool.map(lambda x: released(x.name), pins), strict=True))
    lacking = exceptions({pin: answers[pin]["files"] for pin in pins})
    parts = [_HEAD.format(pythons=_EVERYWHERE, today=today, lacking=lacking)]
    for title, names in TABLES.items():
        parts.append(_TABLE.format(title=title))
        parts += [f"{row(x, answers[x], today)}\n" for name in names for x in groups[name]]
    return "".join(parts)


def main() -> None:
    """Write the page; leave the page unchanged if the index does not answer for a package."""
    try:
        text = page(date.today())
    except DependencyError as error:
        sys.exit(f"deps: error: {error}; {PAGE.name} stays as it is")
    PAGE.write_text(text)


if __name__ == "__main__":
    main()
