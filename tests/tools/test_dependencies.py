"""The page of dependencies: a row for each, and what the index says of wheels and dates."""

from datetime import date

import pytest
from packaging.requirements import Requirement

from tools import dependencies

PINS = [pin for group in dependencies.dependencies().values() for pin in group]
TODAY = date(2026, 11, 27)


def files(*names: str, requires: str = ">=3.8", day: str = "2026-01-02") -> list[dict]:
    return [
        {"filename": x, "requires-python": requires, "upload-time": f"{day}T10:00:00Z"}
        for x in names
    ]


@pytest.mark.parametrize("pin", PINS, ids=lambda x: x.name)
def test_every_dependency_has_a_row(pin):
    """Where this fails: write a purpose into tools/dependencies.toml; make deps."""
    text = dependencies.texts()[pin.name]
    rows = [x for x in dependencies.PAGE.read_text().splitlines() if x.startswith(f"| {pin.name} ")]
    (row,) = rows
    assert row.endswith(f"| {text['purpose']} | {text['instead']} |")


def test_every_group_is_in_a_table():
    groups = [name for names in dependencies.TABLES.values() for name in names]
    assert sorted(groups) == sorted(dependencies.dependencies())


BOTH = "manylinux_2_28_x86_64", "manylinux2014_aarch64"
X86, ARM = BOTH
WHEELS = {
    "any": (["a-1-py3-none-any.whl"], "3.11 to 3.14; x86-64 and ARM"),
    "old style": (["a-1-py2.py3-none-any.whl"], "3.11 to 3.14; x86-64 and ARM"),
    "one": ([f"a-1-cp312-cp312-{X86}.whl"], "x86-64: 3.12; ARM: none"),
    "gap": (
        [f"a-1-cp3{x}-cp3{x}-{X86}.whl" for x in (11, 13, 14)],
        "x86-64: 3.11, 3.13, 3.14; ARM: none",
    ),
    "abi3": ([f"a-1-cp312-abi3-{x}.whl" for x in BOTH], "3.12 to 3.14; x86-64 and ARM"),
    "no threads": ([f"a-1-cp313-cp313t-{ARM}.whl"], "none"),
    "others": (["a-1-cp312-cp312-macosx_11_0_arm64.whl", "a-1-cp312-cp312-win_amd64.whl"], "none"),
    "musl": (["a-1-cp312-cp312-musllinux_1_2_x86_64.whl"], "none"),
    "other release": (["a-2-py3-none-any.whl", "a-1.tar.gz", "no wheel.whl"], "none"),
}


@pytest.mark.parametrize(("names", "told"), WHEELS.values(), ids=WHEELS)
def test_wheels(names, told):
    assert dependencies.wheels(files(*names), "1") == told


def test_packages_without_some_wheels_are_named():
    given = {Requirement(f"{x}==1"): files(*WHEELS[x][0]) for x in ("any", "one")}
    assert dependencies.exceptions(given) == ", except one (x86-64: 3.12; ARM: none)"
    del given[Requirement("one==1")]
    assert dependencies.exceptions(given) == ""


def test_bounds_of_python():
    found = dependencies.wheels(files("a-1-py3-none-any.whl", requires=">=3.9,<3.13"), "1")
    assert found == "3.11 to 3.12; x86-64 and ARM"


@pytest.mark.parametrize(("day", "told"), [("2024-01-02", "**2024-01-02**"), ("2025-01-02",) * 2])
def test_an_old_release_stands_out(day, told):
    pin = Requirement("rich==1")
    found = {"files": files("rich-1-py3-none-any.whl", day=day)}
    withdrawn = files("rich-2-py3-none-any.whl", day="2026-10-10")[0] | {"yanked": "broken"}
    found["files"].append(withdrawn)
    assert dependencies.row(pin, found, TODAY).startswith(f"| rich | {told} | ")


def test_a_dependency_without_a_purpose():
    with pytest.raises(dependencies.DependencyError, match=r"toml has no purpose of nothing$"):
        dependencies.row(Requirement("nothing==1"), {"files": []}, TODAY)


@pytest.mark.parametrize("index", ["http://127.0.0.1:9/simple", "no address"])
def test_without_the_index(index, monkeypatch, tmp_path):
    """One line, and the page stays."""
    page = tmp_path / "page.md"
    page.write_text("before")
    monkeypatch.setattr(dependencies, "PAGE", page)
    monkeypatch.setenv("PIP_INDEX_URL", index)
    with pytest.raises(SystemExit) as end:
        dependencies.main()
    told = str(end.value)
    assert told.startswith("deps: error: no answer of the package index on ")
    assert told.endswith("; page.md stays as it is")
    assert "\n" not in told
    assert page.read_text() == "before"
