"""``rsaxcel optimize``: on a made-up synthesis, and on the real one at 8 bits."""

import errno
import json
import os
import re
from dataclasses import replace

import pytest

from rsaxcel.eval import optimize
from rsaxcel.eval.facts.points import load_points
from rsaxcel.eval.measure.errors import Failure
from rsaxcel.eval.optimize import Space
from tests.eval.made_up_synthesis import Synthesis

AT_8 = ("optimize", "--nbits", "8", "--multiplier", "ssmm", "--multiplier", "mont_mul")
CONDITIONS = {"library": "freepdk-45nm", "clock_ns": 0.5}


class Collected:
    """Stand-in for ``collect``: returns facts of a made-up synthesis, and counts them."""

    def __init__(self, fails: str = "", stops_after: int = 1000, setup: bool = False) -> None:
        self.synthesis = Synthesis(4)
        self.names: list[str] = []
        self.fails, self.stops_after, self.setup = fails, stops_after, setup
        space = Space(8, {}, ("ssmm", "mont_mul"))
        self._of = {_label(x): x for x in space.compositions}

    def __call__(self, measurements, progress):
        facts, failures = [], []
        for measurement in measurements:
            if len(self.names) >= self.stops_after:
                raise KeyboardInterrupt
            name = measurement.job.name
            self.names.append(name)
            if self.fails and self.fails in name:
                failures.append(Failure(name, "no such luck", self.setup))
            else:
                what, label, *_ = name.split()
                composition = self._of[label]
                own = list(self.synthesis.facts(composition, CONDITIONS, energy=what == "flow"))
                facts += self._placed(composition, own) if "placed by" in name else own
        return facts, failures

    def _placed(self, composition, facts):
        """Place a composition: its constraint is its period, its core twice the cells."""
        figures = self.synthesis.figures(composition)
        area_um2, period_ns = figures["area_um2"], figures["min_period_ns"]
        placed = [replace(x, stage="placed", clock_ns=period_ns) for x in facts]
        clock = [replace(x, value=period_ns) for x in placed if x.quantity == "clock_ns"]
        core = [
            replace(x, quantity="core_area_um2", value=2 * area_um2)
            for x in placed
            if x.quantity == "area_um2"
        ]
        return [*(x for x in placed if x.quantity != "clock_ns"), *clock, *core]


def _label(composition) -> str:
    changed = (f"{name}_{value}" for name, value in composition.changed.items())
    return "_".join([composition.subject, "8", *changed])


@pytest.fixture
def collected(here, monkeypatch):

    def use(**how) -> Collected:
        made_up = Collected(**how)
        monkeypatch.setattr(optimize, "collect", made_up)
        return made_up

    return use


def test_the_best_its_front_and_what_they_cost(collected, objects):
    made_up = collected()
    (result,) = objects(*AT_8, "--exhaustive", "--budget", "60")
    assert result["compositions"] == 30 == len(made_up.names)
    assert result["measured"] < 30
    assert result["cpu_seconds"] <= 0.6 * result["exhaustive_cpu_seconds"]
    assert not result["exhaustive_is_estimated"]
    assert result["behind_percent"] <= 3
    best = result["best"]
    assert result["value"] == pytest.approx(best["area_um2"] * best["time_us"])
    assert best["point"] in [row["point"] for row in result["front"]]
    # ``rsaxcel results`` shows all measurements of the search.
    points = load_points()
    assert len(points) == 30
    row = points[points.point == best["point"]].iloc[0]
    assert row.time_us == pytest.approx(best["time_us"])
    assert row.synthesis_cpu_seconds > 0


def test_tables_tell_the_same(collected, objects, rsaxcel):
    collected()
    text = rsaxcel(*AT_8).out
    collected()
    (result,) = objects(*AT_8, "--fresh")
    assert re.search(rf"^best +{re.escape(result['best']['point'])}$", text, re.MULTILINE)
    assert re.search(r"^area_time +[\d.,e+]+ um2 us$", text, re.MULTILINE)
    cost = rf"^cost +\d+ s of processor time for {result['syntheses']} syntheses"
    assert re.search(rf"{cost}; about \d+ s for all 30", text, re.MULTILINE)
    assert "Front of" in text


def test_an_interrupted_search_goes_on(collected, objects, rsaxcel):
    collected()
    (expected,) = objects(*AT_8, "--fresh")
    for path in optimize.FOLDER.rglob("facts.*"):
        path.unlink()
    first = collected(stops_after=4)
    assert rsaxcel(*AT_8).status == 130
    assert len(load_points()) == 4
    then = collected()
    (result,) = objects(*AT_8)
    assert result["value"] <= expected["value"]
    assert result["syntheses"] == len(then.names) == result["measured"] - 4
    assert not set(first.names) & set(then.names)


def test_what_fails_is_told_and_stops_nothing(collected, rsaxcel):
    collected(fails="lanes_1")
    finished = rsaxcel(*AT_8, "--json", "--budget", "100", "--tolerance", "0")
    assert finished.status == 0
    assert "failed: no such luck" in finished.err
    assert "lanes=1" not in json.loads(finished.out)["best"]["point"]
    collected(fails="outline")
    finished = rsaxcel(*AT_8, "--fresh", "--multiplier", "ssmm")
    assert finished.status == 1
    assert "nothing could be measured" in finished.err


def test_a_missing_tool_ends_the_search(collected, rsaxcel):
    """The search ends, because the next batch would lack the tool, too."""
    made_up = collected(fails="outline", setup=True)
    finished = rsaxcel(*AT_8, "--fresh")
    assert (finished.status, finished.out) == (2, "")
    assert finished.err.splitlines()[-1] == "rsaxcel: error: no such luck"
    assert 0 < len(made_up.names) < 10


def test_energy_takes_the_whole_flow(collected, objects):
    made_up = collected()
    (result,) = objects(*AT_8, "--objective", "energy", "--max-time", "1000")
    assert all(name.startswith("flow ") for name in made_up.names)
    assert result["value"] == pytest.approx(result["best"]["energy_nj"])
    assert result["unit"] == "nJ"
    points = load_points().set_index("point")
    assert points.energy_nj[result["best"]["point"]] == pytest.approx(result["value"])
    assert points.energy_nj.min() == pytest.approx(result["value"])
    assert 0 < result["cpu_seconds"] < result["exhaustive_cpu_seconds"]


def test_placed_compositions_have_a_core_and_a_clock_of_their_own(collected, objects, rsaxcel):
    """Earlier figures of another stage are not taken for placed ones, nor the other way round."""
    synthesized = collected()
    (before,) = objects(*AT_8)
    assert {row["stage"] for row in before["front"]} == {"synthesized"}
    made_up = collected()
    (result,) = objects(*AT_8, "--stage", "placed", "--utilisation", "0.5")
    # The name says, too, where OpenSTA is missing and rsaxcel's own timer is used.
    told = "flow .+ at a published period, placed by embedded, utilisation 0.5, placement seed 1"
    assert all(re.fullmatch(f"{told}(, timed by rsaxcel)?", name) for name in made_up.names)
    best = result["best"]
    assert best["stage"] == "placed"
    assert result["value"] == pytest.approx(best["core_area_um2"] * best["time_us"])
    assert "area_um2" not in best
    assert len(synthesized.names) == before["syntheses"]
    for stage, area in (("placed", "core_area_um2"), ("synthesized", "area_um2")):
        refused = rsaxcel(*AT_8, "--stage", stage, "--max-area", "1", "--budget", "5")
        assert refused.status == 1
        assert f"measured compositions meets {area} 1" in refused.err


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS])
def test_a_folder_that_cannot_be_written_is_told_before_anything_is_measured(
    collected, rsaxcel, monkeypatch, number
):
    def refuse(*args, **options):
        raise OSError(number, os.strerror(number))

    own = collected()
    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    finished = rsaxcel(*AT_8)
    assert (finished.status, finished.out, own.names) == (2, "", [])
    assert finished.err == (
        f"rsaxcel: error: cannot write build/optimize/8: {os.strerror(number)}; results go "
        "below the current folder: run the command where you can write\n"
    )


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_truly_at_eight_bits(here, objects):
    asked = ("optimize", "--nbits", "8", "--multiplier", "ssmm", "--param", "lanes=1")
    (result,) = objects(*asked, "--budget", "60", "--exhaustive")
    assert result["compositions"] == len(load_points())
    assert result["measured"] < result["compositions"]
    assert result["behind_percent"] <= 3
    assert 0 < result["cpu_seconds"] < result["exhaustive_cpu_seconds"]
    (again,) = objects(*asked, "--budget", "60", "--fresh")
    assert again["best"] == result["best"]
    assert again["cpu_seconds"] == pytest.approx(result["cpu_seconds"])
