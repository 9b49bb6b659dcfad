"""Sweeps: points of a specification, refused specifications, and written files."""

import json
import os
import signal
import time
from functools import partial
from pathlib import Path

import pandas as pd
import pytest

from rsaxcel.diagnosis.error import DesignError
from rsaxcel.eval import sweep
from rsaxcel.eval.facts.table import read_facts
from rsaxcel.eval.measure.collect import collect
from rsaxcel.eval.measure.costs import cost_of
from rsaxcel.eval.measure.job import Job
from rsaxcel.eval.sweep import measurements_of, points_of, read_spec
from rsaxcel.flow import requests
from rsaxcel.plan.schedules import SCHEDULES
from rsaxcel.store.errors import SetupError, UserError
from rsaxcel.store.processes import descendants
from tests.eval.made_up_jobs import work
from tests.shared.processes import ROOT, marked
from tests.shared.tables import each_row

SHORT = ROOT / "docs" / "examples" / "sweep-short.toml"
LONG = ROOT / "docs" / "examples" / "sweep.toml"
ENERGY = "design = 'ssmm_r2l'\nmeasure = 'energy'"


def spec(folder: Path, *groups: str):
    path = folder / "mine.toml"
    path.write_text("".join(f"[[group]]\n{group}\n" for group in groups))
    return read_spec(path)


def names(folder: Path, *groups: str) -> list[str]:
    return [point.name for point in points_of(spec(folder, *groups)).points]


def test_values_are_combined_each_with_each(tmp_path):
    found = names(
        tmp_path,
        """design = ["ssmm_r2l", "mulrem_r2l"]
        nbits = {from = 8, to = 32, factor = 2}
        clock_ns = {from = 1, to = 2, step = 0.5}
        library = ["freepdk-45nm", "osu018"]""",
    )
    assert len(found) == len(set(found)) == 2 * 3 * 3 * 2
    assert "ssmm_r2l_16 at 1.5 ns in osu018" in found


WIDE = "design = 'digit_serial_r2l'\nnbits = {from = 8, to = 4007}\n"


@pytest.mark.parametrize(
    "groups",
    [
        [f"{WIDE}choices = {{multiplier = 'all', schedule = 'all'}}"],
        [WIDE.replace("digit_serial_r2l", "all")],
        [f"{WIDE}clock_ns = {{from = 1, to = 10, step = 0.1}}"],
        [
            "design = 'ssmm_r2l'\nnbits = [8, 9]",
            f"{WIDE}library = ['freepdk-45nm', 'osu018']\nclock_ns = {{from = 1, to = 9}}",
        ],
    ],
)
def test_too_many_combinations_are_counted_and_not_built(tmp_path, groups):
    told = r"\d{2,3},?\d*,\d{3} combinations up to this group: at most 50,000 are allowed"
    with pytest.raises(UserError, match=told):
        names(tmp_path, *groups)


def test_combinations_that_a_design_decides_are_counted_as_they_come(tmp_path, monkeypatch):
    monkeypatch.setattr(sweep, "_MOST_POINTS", 20)
    with pytest.raises(UserError, match=r"mine\.toml: .* more than 20 combinations"):
        names(
            tmp_path,
            "design = 'digit_serial_r2l'\nnbits = {from = 64, to = 80}\n"
            "choices.digit_nbits = 'all'",
        )


def test_dry_run_of_many_widths_draws_no_keys(run, tmp_path, monkeypatch):
    monkeypatch.setattr(requests, "seeded_key", lambda *_: pytest.fail("a key is drawn"))
    path = tmp_path / "wide.toml"
    path.write_text("[[group]]\ndesign = 'ssmm_r2l'\nnbits = {from = 3000, to = 3200}\n")
    *points, counted, _ = run("sweep", path, "--dry-run").splitlines()
    assert (len(points), counted) == (201, "wide: 201 points")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a = " + "[" * 100_000, "more than 20 tables or lists within each other"),
        ("a = " + "{b = " * 100_000, "more than 20 tables or lists within each other"),
        ("choices.a" + ".a" * 100_000 + " = 1", "more than 20 tables or lists within each other"),
        ("[a" + " . 'b'" * 100_000 + "]", "more than 20 tables or lists within each other"),
        ("nbits = " + "9" * 5000, "not TOML: "),
        ("nbits = '\udcff'", "not TOML: "),
    ],
    ids=["lists", "tables", "names", "quoted names", "digits", "bytes"],
)
def test_toml_that_cannot_be_handled_is_refused(tmp_path, text, told):
    path = tmp_path / "odd.toml"
    path.write_bytes(f"[[group]]\n{text}\n".encode(errors="surrogateescape"))
    with pytest.raises(UserError) as refused:
        read_spec(path)
    assert str(refused.value).startswith(f"{path}: {told}")
    assert "sys." not in str(refused.value)


def test_byte_order_mark_is_no_content(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("[[group]]\ndesign = 'ssmm_r2l'\n", encoding="utf-8-sig")
    assert read_spec(path).groups[0].designs == ("ssmm_r2l",)


def test_axes_are_composed_and_what_is_the_same_is_one_point(tmp_path):
    found = names(
        tmp_path,
        """measure = "cl_cycles"
        choices = {multiplier = ["ssmm", "mul_rem"], schedule = ["r2l", "ladder", "r2l"]}""",
    )
    assert len(found) == 4
    assert "ssmm_r2l_32_schedule_ladder" in found  # the first design with the multiplier


def test_placed_circuits_have_a_clock_of_their_own_unless_one_is_given(tmp_path):
    stages = "stage = ['synthesized', 'placed']\nutilisation = 0.7"
    free, given = points_of(
        spec(tmp_path, f"{ENERGY}\n{stages}", f"{ENERGY}\n{stages}\nclock_ns = 2.0")
    ).points
    jobs = {}
    for point in (free, given):
        asked = measurements_of(point)
        assert [measure for measure, _ in asked] == ["energy", "placed"]
        jobs[point] = synthesized, placed = [x.job for _, x in asked]
        assert placed.weight > synthesized.weight
    assert "at 0.5 ns" in jobs[free][0].name
    assert "at a published period, placed by embedded, utilisation 0.7" in jobs[free][1].name
    assert all("at 2 ns" in job.name for job in jobs[given])
    (alone,) = names(tmp_path, f"{ENERGY}\nstage = 'placed'")
    assert alone == "ssmm_r2l_32 at a published period in freepdk-45nm"


def test_all_that_fit_is_one_line(tmp_path):
    axes = "choices = {multiplier = 'all', schedule = 'all', lanes = 'all'}"
    found = points_of(spec(tmp_path, f"measure = 'cl_cycles'\nnbits = 8\n{axes}"))
    assert len(found.points) > 100
    assert any("lanes=2" in x and "one product at a time" in x for x in found.left_out)
    assert len({x.configuration.multiplier.classes.name for x in found.points}) > 8


def test_all_values_of_a_parameter_follow_the_width(tmp_path):
    text = "design = 'mont_r2l'\nmeasure = 'cl_cycles'\nchoices = {stages = 'all'}"
    found = points_of(spec(tmp_path, f"{text}\nnbits = [8, 16]")).points
    stages = {
        n: [p.configuration.params["stages"] for p in found if p.configuration.nbits == n]
        for n in (8, 16)
    }
    assert stages[8] == sorted(set(stages[8]))
    assert len(stages[8]) < len(stages[16])


def test_example_has_points_enough():
    found = points_of(read_spec(LONG)).points
    assert len(found) >= 300
    assert {p.configuration.nbits for p in found} == {32, 64, 128}
    assert len({p.clock_ns for p in found}) == 2


@each_row(__file__, "groups", "group", "told")
def test_what_is_wrong_is_told_with_its_place(tmp_path, group, told):
    with pytest.raises(UserError, match=rf"mine\.toml: \[\[group\]\] 2.*: .*{told}") as error:
        points_of(spec(tmp_path, "design = 'mulrem_r2l'", group))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[group]", "not TOML"),
        ("name = 'a/b'\n[[group]]\n", "name='a/b': up to 64 letters"),
        ("groups = 3", "groups: unknown .did you mean group"),
        ("", r"at least one table \[\[group\]\] is needed"),
    ],
)
def test_file_that_is_no_specification_is_refused(rsaxcel, tmp_path, text, told):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(UserError, match=told):
        read_spec(path)
    finished = rsaxcel("sweep", path)
    assert (finished.status, finished.out) == (2, "")
    assert rsaxcel("sweep", tmp_path / "none.toml").status == 2


def test_dry_run_lists_points_and_time(rsaxcel, here):
    finished = rsaxcel("sweep", SHORT, "--dry-run", "--workers", 2)
    assert finished.status == 0
    assert finished.out.splitlines() == [
        "mulrem_r2l_8: cl_cycles, rtl_cycles",
        "ssmm_r2l_8: cl_cycles, rtl_cycles",
        "mulrem_r2l_8_schedule_ladder at 3 ns in freepdk-45nm: synthesis",
    ]
    assert "sweep-short: 3 points" in finished.err
    assert "0 of 5 results are there, the others take about" in finished.err
    assert not (here / "build" / "sweeps").exists()


def test_exponents_that_are_counted_down_are_left_out_of_all_schedules(rsaxcel, tmp_path):
    """65537 does not fit: a group for ``"all"`` goes on without it, others are refused."""
    path = tmp_path / "mine.toml"
    group = "[[group]]\ndesign = 'ssmm_r2l'\nnbits = 32\noperations = 'encrypt'\n"
    path.write_text(f"{group}choices = {{schedule = 'all'}}\nmeasure = 'cl_cycles'\n")
    found = points_of(read_spec(path))
    assert {x.choices.get("schedule", "r2l") for x in found.points} == {*SCHEDULES} - {"repeated"}
    (told,) = found.left_out
    assert told.endswith("repeated_lanes_1: exponents encrypt: of 17 bits; up to 8 are allowed")
    for schedules in ("'repeated'", "['r2l', 'repeated']"):
        path.write_text(f"{group}choices = {{schedule = {schedules}}}\nmeasure = 'cl_cycles'\n")
        with pytest.raises(UserError, match=r"exponents encrypt: of 17 bits; up to 8 are allowed"):
            points_of(read_spec(path))
    wide = "schedule = 'repeated', exponent_nbits = 17"
    path.write_text(f"{group}choices = {{{wide}}}\nmeasure = 'cl_cycles'\n")
    (point,) = points_of(read_spec(path)).points
    assert point.exponents == {"encrypt": 65537}
    every = group.replace("'ssmm_r2l'", "'all'")
    path.write_text(f"{every}choices = {{schedule = 'repeated'}}\nmeasure = 'cl_cycles'\n")
    with pytest.raises(UserError, match=r"nothing fits: .*exponents encrypt: of 17 bits"):
        points_of(read_spec(path))


def made_up(failing: dict[str, Exception], job: Job, progress) -> object:
    for name, error in failing.items():
        if job.name.startswith(name):
            raise error
    _, function = job.function.args
    return work(Job(job.name, function, job.arguments), progress)


@pytest.fixture
def swept(rsaxcel, here, monkeypatch):
    """Run the short example with made-up results, some of which fail."""

    def run(**failing: Exception):
        doing = partial(made_up, failing)
        monkeypatch.setattr(sweep, "collect", partial(collect, work=doing))
        return rsaxcel("sweep", SHORT), here / "build" / "sweeps" / "sweep-short"

    return run


def test_facts_are_written(swept):
    finished, folder = swept()
    assert (finished.status, finished.out) == (0, "sweep: build/sweeps/sweep-short\n")
    facts = pd.DataFrame(vars(x) for x in read_facts(folder / "facts.parquet"))
    assert set(facts.subject) == {"mulrem_r2l", "ssmm_r2l"}
    assert set(facts[facts.quantity == "cycles"].kind) == {
        "modelled"
    }  # of two equal ones the first
    areas = facts[facts.quantity == "area_um2"]
    assert list(areas.choices) == ["schedule=ladder"]
    assert json.loads((folder / "failures.json").read_text()) == []
    noted = [json.loads(x) for x in (folder / "ledger.jsonl").read_text().splitlines()]
    assert len(noted) == 5
    assert all(x["done"] for x in noted)
    assert {x["measure"] for x in noted} == {"cl_cycles", "rtl_cycles", "synthesis"}


def test_point_that_fails_is_recorded_and_stops_no_other(swept):
    mistake = DesignError("s.x is not assigned", "an assignment")
    finished, folder = swept(outline=mistake)
    assert finished.status == 1
    assert "1 point lacks figures, see " in finished.err
    assert "s.x is not assigned\n  allowed: an assignment" in finished.err
    (failed,) = json.loads((folder / "failures.json").read_text())
    assert failed["point"] == "mulrem_r2l_8_schedule_ladder at 3 ns in freepdk-45nm"
    assert failed["reason"] == "s.x is not assigned\n  allowed: an assignment"
    assert {x.subject for x in read_facts(folder / "facts.csv")} == {"mulrem_r2l", "ssmm_r2l"}
    assert swept(outline=SetupError("sta is missing"))[0].status == 2


def test_cost_grows_with_the_circuit(tmp_path):
    found = points_of(spec(tmp_path, "design = ['ssmm_r2l', 'cm_r2l']\nnbits = [16, 64]")).points
    costs = {p.configuration.name: cost_of("synthesis", p.configuration) for p in found}
    assert costs["ssmm_r2l_16"].seconds < costs["ssmm_r2l_64"].seconds
    assert costs["ssmm_r2l_64"].memory_mb < costs["cm_r2l_64"].memory_mb


def test_sweep_on_workers(rsaxcel, here, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    spec(
        here,
        """nbits = 8
        measure = "cl_cycles"
        operands = 4
        exponents = {sign = "0xff"}
        choices = {multiplier = ["ssmm", "mul_rem"], schedule = ["r2l", "ladder"]}""",
    )
    finished = rsaxcel("sweep", "mine.toml", "--workers", 2)
    assert finished.status == 0, finished.err
    facts = read_facts(here / "build" / "sweeps" / "mine" / "facts.csv")
    assert {x.operation for x in facts} >= {"encrypt", "decrypt", "sign"}
    assert len({(x.subject, x.choices) for x in facts}) == 4
    again = rsaxcel("sweep", "mine.toml")
    assert "4 of 4 results are there" in again.err
    assert "dashboard" not in again.err


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_sweep_that_is_killed_goes_on(tmp_path):
    """The workers end with the sweep; finished jobs do not run again."""
    ledger = tmp_path / "build" / "sweeps" / "sweep-short" / "ledger.jsonl"
    with marked(["-m", "rsaxcel", "sweep", str(SHORT)], tmp_path) as process:
        process.wait_for(": done, 2 of 5", 900)
        for pid in (process.pid, *descendants(process.pid)[:1]):
            os.kill(pid, signal.SIGKILL)
        until = time.monotonic() + 20
        while process.living():
            assert time.monotonic() < until, process.living()
            time.sleep(0.1)
        said = process.err.read_text()
    assert not [x for x in ("Traceback", "Warning") if x in said], said
    with marked(["-m", "rsaxcel", "sweep", str(SHORT)], tmp_path) as process:
        assert process.wait(1200) == 0, process.err.read_text()
        assert " of 5 results are there" in process.err.read_text()
    noted = [json.loads(x)["job"] for x in ledger.read_text().splitlines()]
    assert len(noted) == len(set(noted)) <= 5
    folder = ledger.parent
    assert json.loads((folder / "failures.json").read_text()) == []
    cycles = {
        (x.subject, x.operation): x.value
        for x in read_facts(folder / "facts.csv")
        if x.quantity == "cycles"
    }
    assert cycles["ssmm_r2l", "encrypt"] < cycles["mulrem_r2l", "decrypt"]
