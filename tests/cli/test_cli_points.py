"""``rsaxcel results``, ``compare`` and ``pareto`` on made-up facts."""

import csv
import io
import json
import re
from dataclasses import replace

import pytest

from rsaxcel.cli.options.points import PointName
from rsaxcel.cli.output.points import cell_text
from rsaxcel.eval.facts.fact import WRONG
from rsaxcel.eval.facts.points import COLUMNS, load_points, on_front
from rsaxcel.eval.facts.quantities import compared
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.report.labels import locator
from rsaxcel.interface import front
from tests.eval.made_up_points import of, write


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(write(tmp_path))
    return tmp_path


@pytest.fixture
def run(folder, shown):
    return shown


@pytest.fixture
def found(folder, objects):
    return objects


def sweep(folder, facts, name="first") -> None:
    """Write facts as a sweep does."""
    place = folder / "build" / "sweeps" / name
    place.mkdir(parents=True)
    Facts(facts).write(place)


def test_all_designs_are_shown(found):
    rows = found("results")
    assert {row["subject"] for row in rows} == {"ssmm_r2l", "mm_r2l", "mulrem_r2l"}
    assert set(rows[0]) == set(COLUMNS)
    (row,) = (x for x in rows if (x["subject"], x["nbits"]) == ("mulrem_r2l", 32))
    assert (row["time_us"], row["area_time_um2_ms"]) == (0.1, pytest.approx(0.9))
    assert (row["multiplier"], row["modulus"], row["luts"]) == ("mul_rem", "any", None)


@pytest.mark.parametrize(
    ("args", "points"),
    [
        (["mm*"], ["mm_r2l:32", "mm_r2l:32,lanes=1"]),
        (["proc_*"], ["proc_mulrem_r2l:32"]),
        (["--form", "system"], ["proc_mulrem_r2l:32"]),
        (["--nbits", "8", "--nbits", "64"], ["ssmm_r2l:8", "ssmm_r2l:64"]),
        (["--multiplier", "mul_rem"], ["mulrem_r2l:32"]),
        (["--where", "area_um2<4000 and nbits=32"], ["mm_r2l:32,lanes=1"]),
        (["--where", "lanes=1", "--where", "nbits=32"], ["mm_r2l:32,lanes=1"]),
        (
            ["--nbits", "32", "--sort", "area_um2"],
            ["mm_r2l:32,lanes=1", "ssmm_r2l:32", "mm_r2l:32", "mulrem_r2l:32"],
        ),
        (["mm*", "ss*", "--nbits", "32", "--sort", "time_us", "--descending"], None),
    ],
)
def test_filters_and_order(found, args, points):
    rows = found("results", *args)
    if points is None:
        times = [row["time_us"] for row in rows]
        assert times == sorted(times, reverse=True) == [2.0, 1.0, 1.0]
    else:
        assert [row["point"] for row in rows] == points


def test_columns_as_csv_and_as_a_table(run):
    asked = ["results", "mulrem_r2l", "--columns", "point, encrypt_cycles,area_um2"]
    assert list(csv.reader(io.StringIO(run(*asked, "--csv")))) == [
        ["point", "encrypt_cycles", "area_um2"],
        ["mulrem_r2l:32", "10.0", "9000.0"],
    ]
    assert re.search(r"^mulrem_r2l:32 .* 10 +9,000", run(*asked), re.MULTILINE)


def test_a_narrow_terminal_cuts_between_columns(run, monkeypatch):
    whole = run("results", "--nbits", "32")
    assert len(re.findall(r"mulrem_r2l:32", whole)) == 1
    monkeypatch.setattr("rsaxcel.eval.report.views.PLAIN_WIDTH", 60)
    cut = run("results", "--nbits", "9,32", "--nbits", "11")
    assert len(re.findall(r"mulrem_r2l:32", cut)) > 1
    figures = re.compile(r"[\d,]+\.?\d*")
    assert sorted(set(figures.findall(whole))) == sorted(set(figures.findall(cut)))


def test_what_is_not_projected_is_told(folder, rsaxcel):
    done = rsaxcel("results", "mm*", "--project", "2048")
    assert done.status == 0
    assert done.err == (
        "rsaxcel: --project: nothing is projected; mm_r2l, mm_r2l,lanes=1 have figures at fewer "
        "than three widths\n"
    )
    assert "nothing lies beyond" in rsaxcel("results", "ssmm_r2l", "--project", "16").err
    assert rsaxcel("results", "--project", "2048").err == ""


def test_projections_are_marked(run, found):
    (row,) = found("results", "ssmm_r2l", "--project", "128", "--where", "kind=projected")
    assert (row["nbits"], row["kind"]) == (128, "projected")
    # All areas are 125 per bit, also the 4000 at 32 bits.
    assert row["area_um2"] == pytest.approx(125 * 128)
    assert row["projected_factor"] == pytest.approx(1.0, abs=0.2)
    # Projected cycles are the cycle model's, not the square of the made-up ones.
    assert row["cycles"] != pytest.approx(128 * 128, rel=1e-3)
    assert row["time_us"] == pytest.approx(row["cycles"] * row["min_period_ns"] / 1e3)
    assert "projected" in run("results", "ssmm_r2l", "--project", "128")


def test_nothing_is_measured(here, refused):
    told = "no design is measured in this folder: `rsaxcel flow DESIGN` measures a design"
    for command in (["results"], ["pareto"], ["compare", "mm_r2l:32", "ssmm_r2l:32"]):
        assert told in refused(*command)


def test_two_side_by_side(run):
    text = run("compare", "ssmm_r2l:32", "mm_r2l:32,lanes=1")
    assert re.search(r"^area_um2 +4,000 +3,000 +25\.0 % less", text, re.MULTILINE)
    assert re.search(r"^time_us +1\.000 +2\.000 +2\.0 times more", text, re.MULTILINE)
    both = json.loads(run("compare", "ssmm_r2l:32", "mm_r2l:32,lanes=1", "--json"))
    assert both["b_over_a"]["area_um2"] == 0.75
    assert both["a"]["point"] == "ssmm_r2l:32"


def test_a_default_that_is_written_out(run):
    """A choice that the design has anyway names the same point."""
    written = run("compare", "mm_r2l:32,schedule=r2l", "mm_r2l:32,lanes=2", "--json")
    assert written == run("compare", "mm_r2l:32", "mm_r2l:32", "--json")


def test_a_point_beside_itself(run):
    text = run("compare", "ssmm_r2l:32", "ssmm_r2l:32,library=freepdk-45nm@0.5")
    assert "A and B are one measurement" in text


def test_a_corner_and_a_clock_follow_an_at():
    name = PointName.parse("ssmm_r2l:32,library=osu018@slow@0.5")
    assert (name.library, name.clock_ns) == ("osu018@slow", 0.5)
    assert PointName.parse("ssmm_r2l:32,library=osu018@slow").clock_ns is None
    with pytest.raises(ValueError, match=r"is allowed$"):
        PointName.parse("ssmm_r2l:32@slow")


def test_a_folder_of_a_library_is_its_whole_path(here):
    (here / "kit.toml").touch()
    name = PointName.parse("ssmm_r2l:32,library=./")
    assert name.library == str(here)


def test_close_clocks_differ_in_a_table():
    assert [cell_text("clock_ns", x) for x in (3.0, 3.001)] == ["3.00", "3.001"]


@pytest.mark.parametrize(
    ("value", "base", "words"),
    [
        (1.0, 6.0, "6.0 times less"),
        (600.0, 1.0, "600 times more"),
        (104.0, 100.0, "4.0 % more"),
        (75.0, 100.0, "25.0 % less"),
        (1.0, 1.0, "the same"),
        (0.0, 1.0, "-"),
        (float("nan"), 1.0, "-"),
    ],
)
def test_ratios_in_words(value, base, words):
    assert compared(value, base) == words


def test_the_front_is_of_one_width(found):
    assert {row["point"] for row in found("pareto", "ssmm_r2l")} == {"ssmm_r2l:32"}
    only = found("pareto", "ssmm_r2l", "--where", "nbits=64")
    assert [row["point"] for row in only] == ["ssmm_r2l:64"]


def test_the_front(found):
    front = [row["point"] for row in found("pareto")]
    assert front == ["mulrem_r2l:32", "ssmm_r2l:32", "mm_r2l:32,lanes=1"]
    # A point that is beaten in two figures may be on the front of three.
    assert len(found("pareto", "--z", "energy_nj")) >= 3


def test_a_front_by_hand(folder):
    points = load_points().iloc[:5].copy()
    points["area_um2"] = [1.0, 2.0, 2.0, 3.0, float("nan")]
    points["time_us"] = [3.0, 2.0, 2.0, 2.0, 0.0]
    assert list(on_front(points, ["area_um2", "time_us"])) == [True, True, True, False, False]


def test_a_front_has_energies_of_one_activity(folder, found):
    """mulrem_r2l takes the least energy with glitches; without them, ssmm_r2l would."""
    sweep(folder, of("ssmm_r2l", 32, 4000, 1.0, 1000, activity="zero", scale=0.001))
    least = ("pareto", "--x", "energy_nj", "--y", "decrypt_energy_nj", "--nbits", "32")
    (timed,) = found(*least)
    (zero,) = found(*least, "--activity", "zero")
    assert (timed["point"], timed["activity"]) == ("mulrem_r2l:32", "timed")
    assert (zero["point"], zero["activity"]) == ("ssmm_r2l:32", "zero")
    rows = found("results", "ssmm_r2l", "--nbits", "32")
    assert sorted(x["activity"] for x in rows) == ["timed", "zero"]
    assert len(found("results", "ssmm_r2l", "--nbits", "32", "--activity", "zero")) == 1
    areas = found("pareto", "--x", "area_um2", "--y", "time_us", "--nbits", "32")
    assert len({x["point"] for x in areas}) == len(areas)  # each circuit once


@pytest.fixture
def some_placed(folder):
    """Place two designs, too: the better one of them by cells is the worse one by its core."""
    facts = []
    for name, area, core in (("ssmm_r2l", 5000, 6000), ("mulrem_r2l", 4900, 7000)):
        own = [replace(x, stage="placed") for x in of(name, 32, area, 0.51, 1000) if x.stage]
        facts += [*own, replace(own[0], quantity="core_area_um2", value=core)]
    sweep(folder, facts)
    return folder


def test_a_front_has_points_of_one_stage(some_placed, found):
    usual = found("pareto", "--nbits", "32")
    assert {row["stage"] for row in usual} == {"synthesized"}
    assert "mm_r2l:32,lanes=1" in {row["point"] for row in usual}
    least = "--x", "decrypt_energy_nj", "--stage", "placed"
    assert {row["stage"] for row in found("pareto", *least)} == {"placed"}
    only = found("pareto", "--x", "area_um2", "--stage", "placed")
    assert [row["point"] for row in only] == ["mulrem_r2l:32", "ssmm_r2l:32"]
    assert [row["core_area_um2"] for row in only] == [7000, 6000]


def test_stages_stand_in_rows_of_their_own(some_placed, found, run):
    rows = found("results", "mulrem_r2l")
    assert {row["stage"]: row["core_area_um2"] for row in rows} == {
        "synthesized": None,
        "placed": 7000,
    }
    assert "stage" in run("results", "mulrem_r2l")
    assert "core_area_um2" in run("results", "mulrem_r2l")
    assert len(found("results", "mulrem_r2l", "--stage", "placed")) == 1
    assert "stage" in run("results", "mulrem_r2l", "--stage", "placed").split()
    assert "stage" not in run("results", "mulrem_r2l", "--stage", "synthesized").split()
    with pytest.raises(ValueError, match=r"several stages \(placed, synthesized\): choose"):
        front(load_points(), "time_us", "area_um2")


def test_stages_are_compared_by_name(some_placed, run, refused):
    text = run("compare", "ssmm_r2l:32,stage=synthesized", "ssmm_r2l:32,stage=placed")
    assert "The measurements differ in: stage." in text
    assert "core_area_um2" in text
    usual = run("compare", "ssmm_r2l:32", "mulrem_r2l:32")
    assert "differ in" not in usual
    told = refused("compare", "mm_r2l:32,stage=placed", "ssmm_r2l:32")
    assert "not measured at stage placed; measured at stage: synthesized" in told


@pytest.fixture
def out_of_reach(some_placed):
    """Measure another placed design, whose clock constraint of 0.5 ns is out of reach."""
    own = [replace(x, stage="placed") for x in of("mm_r2l", 32, 3000, 0.52, 1000) if x.stage]
    sweep(some_placed, [*own, replace(own[0], quantity="core_area_um2", value=4000)], "short")


def test_results_tell_how_the_constraint_lies_to_the_period(out_of_reach, found, run):
    rows = found("results", "*_r2l", "--nbits", "32")
    known = {(row["subject"], row["stage"]): row["constraint"] for row in rows}
    assert known["mm_r2l", "placed"] == "out of reach"
    assert known["ssmm_r2l", "placed"] == known["mulrem_r2l", "placed"] == "tight"
    assert known["ssmm_r2l", "synthesized"] == ""
    assert "constraint" in run("results", "mm_r2l")
    assert "constraint" not in run("results", "proc_mulrem_r2l")
    (row,) = found("results", "--where", "constraint='out of reach'")
    assert row["subject"] == "mm_r2l"


def test_a_front_leaves_out_constraints_out_of_reach(out_of_reach, rsaxcel, refused):
    finished = rsaxcel("pareto", "--x", "area_um2", "--stage", "placed", "--json")
    names = [json.loads(line)["point"] for line in finished.out.splitlines()]
    assert names == ["mulrem_r2l:32", "ssmm_r2l:32"]
    told = "1 of 3 points left out: their clock constraint is out of reach"
    assert finished.err == f"rsaxcel: {told}\n"
    line = refused("pareto", "mm_r2l", "--x", "area_um2", "--stage", "placed")
    assert "1 of 1 points left out" in line
    assert line.endswith(
        "`rsaxcel flow mm_r2l --stage placed --curve` searches the smallest period"
    )


def test_wrong_results_are_on_no_front(folder, rsaxcel, refused):
    """They win nothing by a small area, and a front by the API is without them, too."""
    sweep(folder, [replace(x, kind=WRONG) for x in of("mont_r2l", 32, 1, 0.1, 1)])
    finished = rsaxcel("pareto", "--nbits", "32", "--json")
    names = [json.loads(line)["point"] for line in finished.out.splitlines()]
    assert names == ["mulrem_r2l:32", "ssmm_r2l:32", "mm_r2l:32,lanes=1"]
    assert finished.err == "rsaxcel: 1 of 5 points left out: their results are wrong\n"
    line = refused("pareto", "mont_r2l")
    assert line.endswith("results are wrong; `rsaxcel check mont_r2l --nbits 32` finds the fault")
    points = load_points()
    assert "mont_r2l" in {*points.subject}
    assert "mont_r2l" not in {*front(points, "time_us", "area_um2").subject}


def test_compare_tells_of_a_constraint_out_of_reach(out_of_reach, run):
    pair = "ssmm_r2l:32,stage=placed", "mm_r2l:32,stage=placed"
    text = run("compare", *pair)
    assert "The clock of B is out of reach: repairs cost area and energy in vain." in text
    assert "The clock of A" not in text
    both = json.loads(run("compare", *pair, "--json"))
    assert (both["a"]["constraint"], both["b"]["constraint"]) == ("tight", "out of reach")
    assert "constraint" not in run("compare", "mm_r2l:32,lanes=1", "proc_mulrem_r2l:32")


@pytest.mark.parametrize("more", [[], ["--z", "energy_nj"]])
def test_the_drawing_has_a_mark_of_each_point(folder, run, more):
    run("pareto", "--plot", "front.svg", *more)
    text = (folder / "front.svg").read_text()
    assert len(re.findall(r'<use xlink:href="#m', text)) >= 4
    assert "<!-- ssmm_r2l:32 -->" in text
    assert "<!-- mm_r2l:32 -->" not in text
    assert ("<!-- Energy (nJ) -->" in text) == bool(more)


@pytest.mark.parametrize(
    ("least", "most"), [(0.8, 30), (1.01, 1.9), (2.1, 4.9), (3.1, 3.9), (210, 215)]
)
def test_an_axis_has_at_least_two_labels(least, most):
    """Also where a logarithmic axis has no power of ten, twice or five times it in its range."""
    places = locator(least, most).tick_values(least, most)
    assert sum(least <= x <= most for x in places) > 1
