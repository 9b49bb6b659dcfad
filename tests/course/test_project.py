"""`rsaxcel new project` and the pytest plugin: a repository that works as it is, in any folder."""

import json
import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from rsaxcel.catalog.described import describe
from rsaxcel.course.own import drive
from rsaxcel.course.project import KINDS, LANGUAGES, find_project
from rsaxcel.course.testing.case import evaluate
from rsaxcel.store.errors import RunError, UserError
from tests.course.student_designs import write_project
from tests.shared.planted import plant
from tests.shared.processes import RSAXCEL, run
from tests.shared.strangers import as_root, give_away

NAME = "carry_skip"
OPERANDS = 200, 77, 251


@pytest.fixture
def project(tmp_path):
    """Write a project of a kind and language; return its folder."""
    return partial(write_project, tmp_path, NAME)


def call(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command of this Python in a folder, without the variables of designs."""
    unknown = {"RSAXCEL_DESIGNS": None, "RSAXCEL_CORES": None}
    return run(sys.executable, "-m", *command, folder=folder, **unknown)


def pytest_in(folder: Path, *options: str) -> str:
    done = call(folder, "pytest", "-q", "-p", "no:cacheprovider", *options)
    return done.stdout + done.stderr


@as_root
def test_a_project_of_another_user_is_left_out(project, capsys):
    """Its design is code, which somebody else may have put above this folder."""
    folder = project("multiplier")
    assert find_project(folder / "tests")
    give_away(folder)
    assert find_project(folder / "tests") is None
    assert "belongs to another user" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_it_works_as_it_is(project, kind, language):
    folder = project(kind, language)
    told = pytest_in(folder)
    assert re.search(r"^\d+ passed", told, re.MULTILINE), told
    told = pytest_in(folder, "--level", "flow", "--level", "netlist", "--nbits", "8")
    assert re.search(r"^\d+ passed", told, re.MULTILINE), told
    pytest_in(folder, "--dump-vcd", "--level", "rtl", "--nbits", "8", "-k", "bad or products")
    waves = [x.with_suffix("") for x in folder.glob("*.vcd")]
    assert waves
    assert waves == [x for x in waves if x.with_suffix(".gtkw").exists()]


@pytest.mark.slow
def test_a_test_of_its_own_imports_the_package(project):
    """Whatever is collected first: the plugin has loaded the design before."""
    folder = project("xcel", "pymtl")
    (folder / "tests/test_a.py").write_text(
        f"from {NAME}.{NAME}_fl import Registers\n\n\n"
        "def test_registers():\n    assert Registers(8)\n"
    )
    for asked in ("tests/test_a.py", "--collect-only"):
        told = pytest_in(folder, asked)
        assert "error" not in told, told


def test_commands_find_the_design(project):
    """In a folder below, a command has neither the design, nor the width, nor a variable."""
    below = project("multiplier", "pymtl") / "tests"
    done = call(below, "rsaxcel", "sim", "--level", "cl", "--random", "20")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"design       {NAME}_r2l, 8 bits\n" in done.stdout
    assert "mismatches   0\n" in done.stdout


def test_hand_ins_are_not_trusted(rsaxcel, project, monkeypatch):
    """Commands on them do not make a project's design known, which would run its Python."""
    folder = project("multiplier", "pymtl")
    monkeypatch.chdir(folder)
    monkeypatch.delenv("RSAXCEL_DESIGNS", raising=False)
    for command in (("check", "."), ("check", f"{folder}"), ("rank", NAME), ("sim", "--help")):
        rsaxcel(*command, "--nbits", "1")
        assert "RSAXCEL_DESIGNS" not in os.environ
    rsaxcel("sim", "--nbits", "1")
    assert os.environ.pop("RSAXCEL_DESIGNS") == str(folder / NAME)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("core/carry_skip_power.v", "squares || exponent_reg", "exponent_reg"),
        ("carry_skip_fl.py", "<< 32 | data", "<< 16 | data"),
    ],
)
def test_a_fault_is_told_with_the_command_that_repeats_it(project, file, right, wrong):
    folder = project("xcel")
    place = folder / NAME / file
    text = place.read_text()
    assert right in text
    place.write_text(text.replace(right, wrong))
    level, nbits = ("rtl", "8") if file.endswith(".v") else ("fl", "64")
    for chosen, lines in ((f"tests/test_{NAME}.py", 3), ("tests/test_programs.py", 1)):
        told = pytest_in(folder, "--level", level, "--nbits", nbits, chosen)
        commands = re.findall(r"^replay: (.*)$", told, re.MULTILINE)
        assert len(commands) >= lines, told
        repeated = f"PATH={Path(sys.executable).parent}:$PATH; {commands[0]}"
        done = run("bash", "-c", repeated, folder=folder)
        assert done.returncode == 1, done


@pytest.mark.slow
@pytest.mark.parametrize("level", ["rtl", "netlist"])
def test_a_fault_under_stalls_is_repeated_under_stalls(project, level):
    """A result that goes on changing until it is taken: a row alone, without stalls, is right."""
    folder = project("multiplier", "pymtl")
    place = folder / NAME / f"{NAME}_rtl.py"
    step = "elif s.control.step:"
    assert step in place.read_text()
    place.write_text(place.read_text().replace(step, "else:"))
    options = ("--level", level, "--nbits", "8", "-k", "slow or products")
    told = pytest_in(folder, *options)
    failed = re.findall(r"^FAILED .*-(\w+)\]", told, re.MULTILINE)
    assert set(failed) == {"stalls_slow_sink"}, told
    commands = re.findall(r"^replay: (pytest .*)$", told, re.MULTILINE)
    assert len(commands) == len(failed)
    for command in commands:
        repeated = f"PATH={Path(sys.executable).parent}:$PATH; {command} -q"
        done = run("bash", "-c", repeated, folder=folder)
        assert done.returncode == 1, done
        assert "\n1 failed" in done.stdout, done


def test_registers_and_protocol_agree(project):
    """The model of the registers gives the power by the steps of core.toml, and by no others."""
    place = project("xcel") / NAME / "core" / "core.toml"
    core = describe(place).described.core(64)
    names: dict = {}
    exec((place.parents[1] / f"{NAME}_fl.py").read_text(), names)
    assert drive(names["Registers"](64), core, *OPERANDS) == pow(*OPERANDS)
    wide = (1 << 40) + 3, (1 << 35) + 1, (1 << 63) + 5
    assert drive(names["Registers"](64), core, *wide) == pow(*wide)
    place.write_text(place.read_text().replace("write = 1", "write = 9"))
    other = describe(place).described.core(64)
    assert drive(names["Registers"](64), other, *OPERANDS) != pow(*OPERANDS)
    place.write_text(place.read_text().replace("wait = 0", "wait = 9"))
    with pytest.raises(RunError, match="register 0x9 never change"):
        drive(names["Registers"](64), describe(place).described.core(64), *OPERANDS)


def test_others_keep_their_options(tmp_path):
    """Without a project the plugin adds no option, and imports nothing heavy."""
    (tmp_path / "conftest.py").write_text(
        "import sys\n"
        "def pytest_addoption(parser):\n"
        "    parser.addoption('--nbits')\n"
        "    parser.addoption('--level')\n"
        "def pytest_unconfigure():\n"
        "    heavy = {'rsaxcel.catalog', 'rsaxcel.sim', 'numpy'} & sys.modules.keys()\n"
        "    print('heavy:', heavy)\n"
    )
    (tmp_path / "project.toml").write_text("[package]\nname = 'of another program'\n")
    (tmp_path / "below").mkdir()
    test = tmp_path / "below" / "test_own.py"
    test.write_text(
        "import pytest\n"
        "@pytest.mark.parametrize('case', [1])\n"
        "def test_own(case, request):\n"
        "    assert request.config.getoption('--nbits') == '3'\n"
    )
    told = pytest_in(tmp_path, "--nbits", "3", "--level", "own", "-s")
    assert "1 passed" in told, told
    assert "heavy: set()" in told


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("clock_ns", "clok_ns"), "unknown field `clok_ns` (did you mean clock_ns?); allowed: "),
        (("area_um2", "area"), "at `$.limits` (did you mean area_um2?); allowed: area_um2, min_"),
        (('kind = "m', 'kind = "n'), "(did you mean multiplier?); allowed: exponentiator, multi"),
        (("[8, 13, 32]", "[8, 1]"), "`int` >= 2 - at `$.nbits[1]`"),
        (('design = "carry_skip"', 'design = "missing"'), "no such folder"),
    ],
)
def test_mistakes_in_project_toml(project, change, told):
    file = project("multiplier") / "project.toml"
    file.write_text(file.read_text().replace(*change))
    with pytest.raises(UserError, match=re.escape(told)):
        find_project(file.parent / "tests")


@pytest.mark.parametrize("programs", [[], ["app/accelerator.c"]])
def test_registers_need_a_baseline_and_a_program(project, programs):
    file = project("xcel") / "project.toml"
    listed = '["app/baseline.c", "app/accelerator.c"]'
    assert listed in file.read_text()
    file.write_text(file.read_text().replace(listed, json.dumps(programs)))
    told = f"evaluation.programs has {len(programs)}; a baseline, which runs without"
    with pytest.raises(UserError, match=told):
        assert find_project(file.parent).programs


def test_a_project_without_programs_has_nothing_to_evaluate(project):
    assert evaluate(find_project(project("multiplier"))) == []


def test_zeros_that_are_no_zero_operands_are_among_the_rows(project):
    """A last subtraction by `>` in place of `>=` leaves the modulus where the result is 0."""
    folder = project("multiplier")
    plant(folder / NAME / f"{NAME}_core.v", ("added >= ", "added > "), once=True)
    told = pytest_in(folder, "--nbits", "8", "--level", "rtl", "-k", "products")
    assert re.search(r"first: a=0x3 b=0x3 n=0x9: result 0x9 instead of result 0x0", told), told


def test_pytest_tells_what_is_wrong_in_a_line(project):
    folder = project("multiplier")
    assert "--nbits 8x: a width is allowed, or several as 8,16" in pytest_in(
        folder, "--nbits", "8x"
    )
    source = folder / NAME / f"{NAME}_core.v"
    source.write_text(source.read_text().replace(";", "", 1))
    told = pytest_in(folder, "--nbits", "8", "--level", "rtl")
    assert f"{NAME}_core.v:" in told
    assert "Traceback" not in told
    done = run(*RSAXCEL, "sim", folder=folder)
    assert done.returncode == 2
    assert done.stderr.startswith(f"rsaxcel: error: {source}:"), done.stderr
    text = (folder / "project.toml").read_text()
    (folder / "project.toml").write_text(text.replace("clock_ns", "clock_nss"))
    assert re.search(r"^ERROR: \S+project.toml: .*clock_nss", pytest_in(folder), re.M)
