"""`rsaxcel check` finds faults that students make, each with a command that repeats it."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rsaxcel import catalog
from rsaxcel.sim.check.lacking import lacking
from rsaxcel.sim.check.plan import TITLES, CheckRequest
from tests.course.student_designs import NAME, STUDENTS
from tests.shared.planted import plant
from tests.shared.processes import ROOT, RSAXCEL, run

EXAMPLE = ROOT / "docs/examples/barrett"
PLANTED = {
    "compares_wrongly": ("wrong", "circuit", 8),
    "a_bit_too_narrow": ("wrong", "circuit", 8),
    "wrong_for_one_operand": ("wrong", "circuit", 8),
    "wrong_cycles_at_odd_widths": ("cycles", "circuit", 13),
    "wrong_overlaps": ("cycles", "waiting", 8),
    "constant_not_connected": ("broken", "circuit", 8),
    "wrong_golden_model_for_one_modulus": ("model", "golden", 8),
    "counts_products": ("state", "circuit", 8),
    "never_answers": ("wrong", "circuit", 8),
}


def call(folder: Path, place: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, with a design, as its author does."""
    return run(*command, folder=folder, RSAXCEL_DESIGNS=str(place), PYTHONPATH=str(ROOT))


def check(folder: Path, place: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return call(folder, place, *RSAXCEL, "check", *arguments)


def fault_of(folder: Path, place: Path, name: str, *options: str) -> dict:
    """Last step of a check that finds a fault; its replay command must show the fault, too."""
    done = check(folder, place, f"{name}_r2l", "--nbits", "8", "--json", *options)
    assert done.returncode == 1, done.stdout + done.stderr
    steps = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(x["verdict"] == "right" for x in steps[:-1])
    last = steps[-1]
    command = last["replay"].replace("rsaxcel ", f"{shlex.quote(sys.executable)} -m rsaxcel ")
    again = call(folder, place, "sh", "-c", command)
    assert again.returncode in (1, 2), last["replay"]
    assert again.returncode == 1 or last["verdict"] == "broken"
    return last


@pytest.mark.slow_cases("*-all")
@pytest.mark.parametrize(
    ("name", "steps"), [("wrong_overlaps", "one"), *((x, "all") for x in PLANTED)]
)
def test_a_planted_fault_is_found(name, steps, tmp_path):
    place = STUDENTS[name].write(tmp_path)
    only = ("--only", PLANTED[name][1]) if steps == "one" else ()
    found = fault_of(tmp_path, place, NAME, *only)
    assert (found["verdict"], found["step"], found["nbits"]) == PLANTED[name], found
    if name == "wrong_overlaps":
        assert "overlaps = False" in found["reason"]


@pytest.mark.slow
def test_a_wrong_comparison_with_the_modulus(tmp_path):
    """A fault in the circuit of the first tutorial that few operands show."""
    place = shutil.copytree(EXAMPLE, tmp_path / "barrett")
    plant(place / "barrett_rtl.py", ("s.rest >=", "s.rest >"), once=True)
    found = fault_of(tmp_path, place, "barrett")
    assert (found["verdict"], found["step"]) == ("wrong", "circuit"), found


@pytest.mark.slow
def test_nothing_is_found_where_nothing_is_wrong(tmp_path):
    place = STUDENTS["good"].write(tmp_path)
    done = check(tmp_path, place, f"{NAME}_r2l", "--nbits", "8")
    assert done.returncode == 0, done.stdout
    assert re.search(r"student_r2l: nothing wrong found in 21 steps \(\d+ s, seed 0\)", done.stdout)
    assert "all 5,559,679 products" in done.stdout
    assert "note: TODO left: __init__.py:8" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mont_r2l", "systolic_l2r_always", "crt_window", "mm_pm_r2l"])
def test_our_own_designs(name, shown):
    """Designs of several stores, schedules and domains pass the check."""
    shown("check", name, "--nbits", "16", "--random", "200")


def test_steps_can_be_chosen(objects):
    rows = objects("check", "mul_rem", "--nbits", "8", "--only", "declared")
    assert [(x["step"], x["nbits"]) for x in rows] == [("declared", 8), ("declared", 13)]
    assert {x["step"] for x in rows} <= set(TITLES)


def test_what_a_reader_misses(tmp_path):
    text = '''"""A module."""

TODO = "no mark"  # but this one is: TODO


class Shown:
    source = "nowhere yet"


class _Hidden:
    source = "a book"
'''
    (tmp_path / "one.py").write_text(text)
    (tmp_path / "two.py").write_text("f(source='')\n")
    (tmp_path / "three.py").write_text("def (\n")
    (tmp_path / "notes.txt").write_text("# TODO\n")
    assert lacking((x.name, x.read_text()) for x in sorted(tmp_path.iterdir())) == [
        "no Python: three.py:1",
        "TODO left: one.py:3",
        "no source: one.py:7, two.py:1",
        "no docstring: one.py:6, two.py",
    ]


@pytest.mark.slow
def test_a_product_without_an_answer(tmp_path):
    """The fault is the multiplier's, and is reported with the operands."""
    place = STUDENTS["hangs_for_one_product"].write(tmp_path)
    found = fault_of(tmp_path, place, NAME)
    assert (found["verdict"], found["step"]) == ("wrong", "circuit"), found
    assert "no answer within" in found["reason"]


def test_what_is_declared_and_not_so(tmp_path):
    place = STUDENTS["declares_constant_time"].write(tmp_path)
    done = check(tmp_path, place, NAME, "--nbits", "8", "--json")
    last = json.loads(done.stdout.splitlines()[-1])
    assert (done.returncode, last["verdict"], last["step"]) == (1, "declared", "declared")
    assert "constant_time is declared, but the cycle model gives " in last["reason"]


def test_widths_that_go_with_the_parameters(shown):
    """Other widths are left out with a note; the command of a step has the same parameters."""
    options = ("mulrem_r2l", "--nbits", "8", "--param", "bits_per_cycle=2", "--only", "declared")
    assert "note: not checked at 13 bits, which it does not have" in shown("check", *options)
    entry = catalog.find("mulrem_r2l")
    task = CheckRequest(entry, 8, {"bits_per_cycle": "2"}, 50, 9)
    assert {x.nbits for x in task.steps()} == {8}
    assert task.steps()[0].again == (
        "rsaxcel check mulrem_r2l --nbits 8 --param bits_per_cycle=2 --random 50 --seed 9 "
        "--only declared"
    )
    assert "one-lane" in {x.name for x in task.steps()}


def test_a_loop_without_an_end(tmp_path):
    """An endless loop in a model is reported with its line, within the time of a step."""
    place = STUDENTS["golden_model_that_never_ends"].write(tmp_path)
    done = check(tmp_path, place, NAME, "--nbits", "8", "--seconds", "3", "--json")
    last = json.loads(done.stdout.splitlines()[-1])
    assert (done.returncode, last["verdict"]) == (1, "limits")
    assert "student_fl.py:" in last["reason"]
    assert "no end within 3 s" in last["reason"]
