"""`rsaxcel evaluate`: designs of a project through the flow, programs on netlists, one report."""

import json
import re
import shutil
import subprocess
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from rsaxcel.course.evaluate import run
from rsaxcel.course.evaluate.measuring import (
    CIRCUIT,
    SOFTWARE,
    SYSTEM,
    Conditions,
    Design,
    Measured,
    compiled,
    exponent_of,
)
from rsaxcel.course.evaluate.run import render
from rsaxcel.course.evaluate.summary import evaluation_of, summary_of, text_of, tree_of
from rsaxcel.course.project import KINDS, LANGUAGES, Limits, find_project
from rsaxcel.flow.layout import NOT_PLACED
from rsaxcel.proc.systems import find_system
from rsaxcel.store.errors import UserError
from rsaxcel.store.tools import CHROMIUM
from tests.course.student_designs import write_project
from tests.eval.made_up_records import operation, record
from tests.shared import processes
from tests.shared.planted import plant
from tests.shared.processes import RSAXCEL

NAME = "carry_skip"
HOSTILE = "<script>alert(1)</script>$x$"


def test_a_folder_without_a_project(refused, here):
    line = refused("evaluate")
    assert "no project.toml of rsaxcel here or above; `rsaxcel new project` writes one" in line


@pytest.mark.parametrize(
    ("programs", "told"),
    [
        (
            ["app/base line.c", "app/accelerator.c"],
            "app/base line.c: a name of letters, digits and underscores",
        ),
        (["app/<b>.c", "app/accelerator.c"], "app/<b>.c: a name of letters"),
        (["app/dummy.c", "app/accelerator.c"], "other than dummy"),
        (["app/gone.c", "app/accelerator.c"], "there is no such program"),
    ],
)
def test_programs_that_are_refused(tmp_path, programs, told):
    project = write_project(tmp_path, NAME, "xcel")
    plant(project / "project.toml", ('["app/baseline.c", "app/accelerator.c"]', f"{programs}"))
    with pytest.raises(UserError, match=re.escape(told)):
        compiled(find_project(project))


def program(name: str | None, cycles: int, energy_nj: float):
    made = operation(3, cycles, 4.0, 0.25, program=name)
    return replace(made, energy_nj=energy_nj, by_module={"": {"energy_nj": energy_nj}})


def made_up(role: str, design: str, area_um2: float, **operations) -> Measured:
    areas = {"": area_um2, HOSTILE: area_um2 / 2}
    one = record(design, 32, 3.0, 4.0, areas, operations)
    files = {x: f"app/{x}.c" for x in operations if x != "power"}
    return Measured(Design(role, design, find_system("proc_null", 32), files), one)


@pytest.fixture(scope="module")
def measured():
    """A circuit and two systems: a power takes 500, 1000 and 250 cycles of 4 ns."""
    dummy = program("dummy", 100, 1.0)
    software = {"naive": program("naive", 1100, 9.0), "dummy": dummy}
    system = {"fast": program("fast", 350, 3.0), "dummy": dummy}
    return [
        made_up(CIRCUIT, HOSTILE, 1000.0, power=program(None, 500, 2.0)),
        made_up(SOFTWARE, "software", 4000.0, **software),
        made_up(SYSTEM, "both", 5000.0, **system),
    ]


def test_ratios_are_those_of_programs_less_dummy(measured):
    found = evaluation_of(measured, Limits(), "")
    circuit, software, system = (runs[0] for runs in found.runs)
    assert (circuit.cycles, software.cycles, system.cycles) == (500, 1000, 250)
    assert (software.time_us, software.energy_nj, software.power_mw) == (4.0, 8.0, 2.0)
    assert (circuit.speedup_ratio, system.speedup_ratio) == (2.0, 4.0)
    assert (circuit.energy_ratio, system.energy_ratio) == (4.0, 4.0)
    assert system.area_time_ratio == pytest.approx(4000 * 4 / (5000 * 1))
    assert found.baseline == "software, app/naive.c"


def test_limits_are_those_of_one_circuit(measured):
    found = evaluation_of(measured, Limits(area_um2=999.0, min_period_ns=4.0), "proc_null")
    assert [x["kept"] for x in found.limits.values()] == [False, True]
    assert found.wrong == ["area_um2 is 1000, the limit is 999"]
    assert not evaluation_of(measured, Limits(area_um2=1.0), "another").wrong


def test_texts_of_a_project_are_escaped(measured, tmp_path):
    project = find_project(write_project(tmp_path, NAME, "xcel"))
    wrong = replace(measured[0], record=None, wrong=(HOSTILE,))
    evaluation = evaluation_of([*measured, wrong], Limits(), "")
    conditions = Conditions(HOSTILE, 3.0, "timed", 500, NOT_PLACED, 3, tmp_path)
    tree = {"git_commit": None, "git_clean": False}
    summary = summary_of(project, 32, evaluation, conditions, {}, tree)
    page = render(evaluation, summary)
    assert page.count("&lt;script&gt;alert") > 5
    assert "<script>alert" not in page
    json.dumps(summary)


def test_why_there_is_no_pdf(tmp_path, monkeypatch):
    page, pdf, browser = tmp_path / "index.html", tmp_path / "x.pdf", tmp_path / "chromium"
    page.write_text("a page")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "no PDF: Chromium is missing" in run.print_page(page, pdf)
    browser.write_text("#!/bin/sh\nexit 7\n")
    browser.chmod(0o755)
    pdf.write_text("of an earlier run")
    assert "ended with status 7" in run.print_page(page, pdf)
    assert not pdf.exists()
    browser.write_text("#!/bin/sh\nexec /bin/sleep 60\n")
    monkeypatch.setattr(run, "_SECONDS", 0.2)
    assert "did not end within 0.2 s" in run.print_page(page, pdf)


def test_an_exponent_that_is_too_long():
    assert exponent_of(255, 8) == 255
    with pytest.raises(UserError, match=r"evaluation\.exponent=256 of 9 bits: up to 8 are allowed"):
        exponent_of(256, 8)


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [("area_um2", 21364.322, "21,364"), ("energy_nj", 0.00423, "0.0042"), ("cycles", None, "")],
)
def test_texts_of_figures(key, value, text):
    assert text_of(key, value) == text


def committed(folder: Path) -> Path:
    who = "-c", "user.name=x", "-c", "user.email=x"
    for command in (("init", "-q"), ("add", "-A"), (*who, "commit", "-qm", "first")):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


needs_git = pytest.mark.skipif(not shutil.which("git"), reason="no git")


@needs_git
def test_a_tree_with_other_files_is_not_clean(tmp_path):
    folder = write_project(tmp_path, NAME, "multiplier")
    project = find_project(folder)
    assert tree_of(project) == {"git_commit": None, "git_clean": False}
    committed(folder)
    (folder / "build").mkdir()
    (folder / "build" / "x").write_text("of a run")
    assert tree_of(project)["git_clean"]
    (folder / NAME / "more.v").write_text("")
    assert not tree_of(project)["git_clean"]


def evaluate(folder: Path, *options: str, **environment: str) -> tuple[int, dict, str]:
    """Evaluate a project; return status, summary and what was told."""
    unknown = {"RSAXCEL_DESIGNS": None, "RSAXCEL_CORES": None}
    options = options if "--activity" in options else (*options, "--activity", "zero")
    command = (*RSAXCEL, "evaluate", "--json", *options)
    done = processes.run(*command, folder=folder, **unknown, **environment)
    assert "Traceback" not in done.stderr
    return done.returncode, json.loads(done.stdout or "{}"), done.stderr


def runs_of(summary: dict) -> dict[str, dict]:
    return {run["name"]: run for x in summary["designs"] for run in x.get("runs", ())}


needs_compiler = pytest.mark.skipif(
    not (shutil.which("riscv64-unknown-elf-gcc") or find_spec("ziglang")),
    reason="no compiler for RISC-V",
)


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_project(tmp_path, kind, language):
    folder = write_project(tmp_path, NAME, kind, language)
    status, found, told = evaluate(folder / "tests")
    assert (status, found["wrong"]) == (0, []), told
    roles = [x["role"] for x in found["designs"]]
    assert roles == [CIRCUIT] * (2 if kind == "multiplier" else 1) + [SOFTWARE, SYSTEM]
    assert all(limit["kept"] for limit in found["limits"].values())
    runs = runs_of(found)
    assert runs[found["baseline"]]["speedup_ratio"] == 1
    assert [*runs.values()][-1]["speedup_ratio"] > 1
    assert found["provenance"]["git_commit"] is None
    report = folder / "build" / "evaluation"
    assert json.loads((report / "summary.json").read_text()) == found
    page = (report / "index.html").read_text()
    assert page.count("<img ") == len(found["designs"])
    if browser_is_there():
        sheets = re.findall(rb"/Type\s*/Page\b", (report / "evaluation.pdf").read_bytes())
        assert len(sheets) == 3


def browser_is_there() -> bool:
    return any(map(shutil.which, (CHROMIUM.ask[0], *CHROMIUM.others)))


@pytest.mark.slow
@pytest.mark.timeout(1800)  # without a cache, all is compiled twice
@needs_git
@needs_compiler
def test_clones_of_a_commit_have_equal_figures(tmp_path):
    """Each clone has a cache of its own; only provenance differs."""
    folder, found = committed(write_project(tmp_path / "first", NAME, "xcel")), []
    for name in ("one", "other"):
        clone, cache = tmp_path / name, tmp_path / f"cache of {name}"
        subprocess.run(["git", "clone", "-q", str(folder), str(clone)], check=True)
        status, summary, told = evaluate(clone, "--activity", "timed", RSAXCEL_CACHE=str(cache))
        assert status == 0, told
        assert summary.pop("provenance").items() >= {"git_clean": True}.items()
        found.append(summary)
    assert found[0] == found[1]


@pytest.mark.slow
@needs_compiler
def test_what_is_wrong_is_left_out_and_told(tmp_path):
    folder = write_project(tmp_path, NAME, "xcel")
    source = folder / "app" / "accelerator.c"
    plant(source, ("{OK, xcel_read(RESULT)}", "{OK, xcel_read(RESULT) ^ 1}"))
    plant(folder / "project.toml", ("min_period_ns = 1.6", "min_period_ns = 0.5"))
    status, found, told = evaluate(folder)
    assert status == 1
    program, limit = found["wrong"]
    assert re.search(r"app/accelerator.c: 0x\w+\*\*0x\w+ mod 0x\w+: result 0x\w+ instead", program)
    assert re.fullmatch(r"min_period_ns is 1\.\d+, the limit is 0.5", limit)
    assert program in told
    assert "processor with carry_skip, app/baseline.c" in runs_of(found)
    assert "app/accelerator.c:" in (folder / "build" / "evaluation" / "index.html").read_text()
    # A program that never ends, and one that is refused.
    plant(source, ("while (!xcel_read(GO))", "while (xcel_read(GO), 1)"))
    assert "no end within" in evaluate(folder)[1]["wrong"][0]


@pytest.mark.slow
@needs_compiler
def test_a_circuit_that_is_wrong(tmp_path):
    """All that can be measured is measured: the processor alone, and the areas of the others."""
    folder = write_project(tmp_path, NAME, "xcel")
    power = folder / NAME / "core" / f"{NAME}_power.v"
    plant(power, ("squares || exponent_reg", "exponent_reg"))
    status, found, _ = evaluate(folder)
    assert status == 1
    circuit, software, system = found["designs"]
    assert circuit["wrong"]
    assert circuit["area_um2"] > 0
    assert not software["wrong"]
    assert "app/accelerator.c" in system["wrong"][0]
    assert system["area_um2"] > software["area_um2"]


@pytest.mark.slow
def test_a_placed_project_has_chip_plots(tmp_path):
    folder = write_project(tmp_path, NAME, "exponentiator")
    status, found, told = evaluate(folder, "--stage", "placed", "--utilisation", "0.6")
    assert status == 0, told
    assert all(x["core_area_um2"] > x["area_um2"] for x in found["designs"])
    page = (folder / "build" / "evaluation" / "index.html").read_text()
    assert page.count("with the critical path in yellow") == 3
