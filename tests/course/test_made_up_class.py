"""A class of all kinds is graded, each fault with its reason, and one by one with equal points."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rsaxcel.course.rank import assess
from rsaxcel.course.rank.assess import Assessment, run_programs, translated
from rsaxcel.course.rank.handed import find_handed
from rsaxcel.course.rank.sandbox import BY_USER, run
from rsaxcel.sim.check.refused import Refused
from tests.course import made_up_class
from tests.course.confinements import OPTIONS, WAYS, limits, needs_confinement
from tests.course.made_up_class import NAME, STUDENTS
from tests.shared.strangers import as_root

pytestmark = [pytest.mark.slow, needs_confinement]
WITH = "--nbits 8 --random 200 --activity zero --seconds 900 --memory-gb 4".split()


def test_a_class_and_each_one_alone(rsaxcel, here, monkeypatch):
    folders = made_up_class.write(here)
    asked = ["--rubric", here / "rubric.toml", *WITH, *OPTIONS]
    finished = rsaxcel("rank", *folders, *asked, "--json", "--output", "class.html")
    assert finished.status == 1, finished.err
    rows = {x["folder"]: x for x in map(json.loads, finished.out.splitlines())}
    assert rows.keys() - {"mulrem_r2l"} == {x.name for x in folders}
    for name, row in rows.items():
        student = STUDENTS.get(name)
        if student is not None:
            assert row["verdict"] == (student.verdict or "right"), row["reason"]
            assert re.search(student.told, row["reason"]), row["reason"]
            assert all(x["reason"] for x in row["criteria"] if x["points"] < x["most"])
    assert rows["twice"]["other_hand_ins"] == 2
    assert rows["twice"]["marks"] == rows["exp_verilog"]["marks"] > 14
    assert rows["very_late"]["marks"] == 0
    alone = here / "alone"
    alone.mkdir()
    monkeypatch.chdir(alone)  # nothing is known here of earlier results
    for folder in folders:
        finished = rsaxcel("rank", "--one", folder, *asked, "--output", "results.json")
        assert finished.status == int(bool(STUDENTS[folder.name].verdict)), finished.err
        told = json.loads(Path("results.json").read_text())
        assert told["score"] == rows[folder.name]["marks"], folder
        assert sum(x["max_score"] for x in told["tests"]) == rows[folder.name]["most"]


_PROGRAMS = {
    "includes_devices": ('#include "/dev/zero"', "more than|error|memory"),
    "includes_itself": ('#include "accelerator.c"', "nested|redefinition|redeclaration"),
    "reads_devices": ('__asm__(".incbin \\"/dev/zero\\"");', "more than|error|memory|Error|size"),
    "macros": (
        "#define A0 1+1\n"
        + "".join(f"#define A{n + 1} A{n}+A{n}+A{n}+A{n}\n" for n in range(20))
        + "int x = A20;",
        "more than|memory|Killed|error",
    ),
    "overlaps": ('__asm__(".org 0x7fffffff");', "Error|error|region|memory|more than"),
}


@pytest.mark.parametrize("name", _PROGRAMS)
def test_programs_that_no_compiler_should_read(name, tmp_path):
    code, told = _PROGRAMS[name]
    place = tmp_path / "ann"
    for file, text in made_up_class.new.project(NAME, "xcel", "verilog").items():
        (place / file).parent.mkdir(parents=True, exist_ok=True)
        (place / file).write_text(text + f"\n{code}\n" * file.endswith("accelerator.c"))
    (handed,) = find_handed([place], limits(60, 2))
    core = translated(handed, [8], limits()).circuits[8]
    arguments = {"core": core.as_json(), "files": dict(handed.files)}
    asked = {**arguments, "programs": ["app/accelerator.c"], "rows": [(2, 5, 7)]}
    try:
        ((reason, _),) = run(run_programs, asked, limits(60, 1), "its programs").values()
    except Refused as refused:
        reason = refused.reason
    assert re.search(told, reason), reason


@as_root
@pytest.mark.skipif(BY_USER not in WAYS, reason="no other uid is allowed here")
def test_a_container_whose_root_cannot_search(tmp_path):
    """Docker's root lacks CAP_DAC_READ_SEARCH; folders that are closed to others are read."""
    place = STUDENTS["exp_verilog"].write(tmp_path / "ann")
    place.chmod(0o700)
    code = (
        "import sys; from pathlib import Path; from rsaxcel.course.rank import handed, sandbox; "
        "limits = sandbox.Limits(60, 2, sandbox.BY_USER); "
        "(found,) = handed.find_handed([Path(sys.argv[1])], limits); "
        "print(found.problem, len(found.files))"
    )
    kept = "chown,dac_override,fowner,setgid,setuid,setpcap,kill"
    only = f"--bounding-set=-all,{','.join(f'+{x}' for x in kept.split(','))}"
    told = subprocess.check_output(
        ["setpriv", only, "--inh-caps=-all", sys.executable, "-c", code, place], text=True
    )
    assert told.split() == ["8"]


def test_a_project_of_another_kind_is_told(tmp_path):
    (handed,) = find_handed([STUDENTS["exp_verilog"].write(tmp_path / "ann")], limits(60, 2))
    asked = Assessment(8, 1, 1, limits(), kind="xcel")
    found = assess._verdict(handed, asked, lambda line: None)
    assert found.reason == "a project of kind xcel is asked for; its kind is exponentiator"
