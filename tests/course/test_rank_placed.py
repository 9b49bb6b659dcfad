"""Rankings of placed designs: by the core, each at a clock of its own."""

from dataclasses import asdict

import pytest
from click.testing import CliRunner

from rsaxcel import catalog
from rsaxcel.cli.options.flow import SHORT_CLOCK_NS
from rsaxcel.cli.rank import command as rank_command
from rsaxcel.course.rank import output, ranking
from rsaxcel.course.rank.assess import DesignVerdict
from rsaxcel.course.rank.objectives import OBJECTIVES, objective_of
from rsaxcel.course.rank.sandbox import Limits
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.flow.layout import PLACED, SYNTHESIZED, TIGHT, TIMED_CYCLES, Layout, judge
from tests.course.confinements import OPTIONS
from tests.eval.made_up_flow import PLACED_LAYOUT, MadeUpFlow, saturated


def test_placed_designs_are_ranked_by_their_core():
    limits = Limits(60, 8)
    layout = Layout(PLACED, utilisation=0.6)
    asked = "freepdk-45nm", 0.5, "decrypt", "timed", TIMED_CYCLES, limits
    conditions = ranking.RankingConditions(*asked, layout)
    objective = objective_of("area_time", placed=True)
    assert objective_of("area_time", placed=False) == OBJECTIVES["area_time"]
    assert objective_of("energy", placed=True) == OBJECTIVES["energy"]
    found = []
    for label, area, core in (("wide", 100.0, 300.0), ("base", 110.0, 200.0)):
        measured = {"area_um2": area, "core_area_um2": core, "min_period_ns": 1.0, "energy_nj": 1.0}
        measured["clock_ns"] = 0.5
        facts = [Fact(label, name, x, "measured") for name, x in measured.items()]
        verdict = DesignVerdict(label, cycles={"decrypt": 1000})
        found.append((verdict, ranking.figures(verdict, facts, conditions)))
    places = ranking.ranked(found, objective, "base")
    assert [place.verdict.label for place in places] == ["base", "wide"]
    rows = output.rows(places, objective, "base", conditions)
    assert [row["over_baseline"] for row in rows] == pytest.approx([1.0, 1.5])
    assert {row["stage"] for row in rows} == {PLACED}
    lines = list(output.table(rows, objective))
    assert "core um2" in lines[0]
    assert "by core x time" in lines[0]
    assert "note: all designs are placed" in lines
    assert all(row["out_of_reach"] for row in rows)
    told = "note: base, wide: the clock constraint is out of reach, and repairs cost area and"
    assert any(line.startswith(told) for line in lines)
    for place, clock_ns in zip(places, (1.0, 1.02), strict=True):
        place.figures["clock_ns"] = clock_ns
    rows = output.rows(places, objective, "base", conditions)
    assert not any(row["out_of_reach"] for row in rows)
    lines = list(output.table(rows, objective))
    assert not any("out of reach" in line for line in lines)
    assert "note: each design has a clock constraint of its own, close to its period" in lines


def test_placed_designs_are_measured_at_a_period_that_they_reach(monkeypatch):
    flow = MadeUpFlow(saturated(2.0))
    flow.use(monkeypatch, "rsaxcel.course.rank.ranking", "run_flow")
    flow.use(monkeypatch, "rsaxcel.eval.measure.flows")
    asked = "decrypt", "timed", TIMED_CYCLES, Limits(60, 8), PLACED_LAYOUT
    own = ranking.RankingConditions("freepdk-45nm", None, *asked)
    design = catalog.get("mulrem_r2l").configure(8)
    record = ranking._measured(design, asdict(own))
    assert judge(record.clock_ns, record.min_period_ns) == TIGHT
    given = ranking.RankingConditions("freepdk-45nm", 0.5, *asked)
    assert ranking._measured(design, asdict(given)).clock_ns == 0.5


@pytest.mark.parametrize("stage", [SYNTHESIZED, PLACED])
def test_the_clock_of_a_ranking(stage, tmp_path, monkeypatch):
    """Synthesized designs have a short clock in common, placed ones none, unless one is given."""
    asked = []

    def ranked(handed, task, conditions, *more):
        asked.append(conditions.clock_ns)
        return []

    monkeypatch.setattr(ranking, "rank", ranked)
    arguments = [str(tmp_path), "--stage", stage, "--json", *OPTIONS]
    for more in ([], ["--clock-ns", "2.5"]):
        result = CliRunner().invoke(rank_command, [*arguments, *more])
        assert result.exit_code == 0, result.output
    assert asked == [SHORT_CLOCK_NS if stage == SYNTHESIZED else None, 2.5]
