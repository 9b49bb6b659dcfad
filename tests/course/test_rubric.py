"""A rubric gives points for criteria, cases and limits, and says which hand-in counts."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rsaxcel.course.rank import output
from rsaxcel.course.rank.assess import Assessment, DesignVerdict
from rsaxcel.course.rank.handed import HandIn, counted, of_gradescope
from rsaxcel.course.rank.objectives import OBJECTIVES
from rsaxcel.course.rank.output import results
from rsaxcel.course.rank.points import earned, total
from rsaxcel.course.rank.ranking import Ranked, RankingConditions
from rsaxcel.course.rank.rubric import Rubric, read_rubric
from rsaxcel.store.errors import UserError
from tests.course.confinements import limits
from tests.course.made_up_class import RUBRIC
from tests.shared.tables import each_row

HIDDEN = (222, 201, 233)
RIGHT = {"area_um2": 1000.0, "cycles": 100.0}


@pytest.fixture
def rubric(tmp_path):
    (tmp_path / "rubric.toml").write_text(RUBRIC)
    return read_rubric(tmp_path / "rubric.toml", 8)


@each_row(__file__, "wrong", "old", "new", "told")
def test_a_wrong_rubric_gets_one_line(old, new, told, tmp_path):
    file = tmp_path / "rubric.toml"
    file.write_text(RUBRIC.replace(old, new, 1))
    with pytest.raises(UserError) as error:
        read_rubric(file, 8)
    assert told in str(error.value)
    assert str(error.value).startswith(f"--rubric={file}: ")
    assert len(str(error.value).splitlines()) == 1


def test_each_student_has_rows_of_his_own(rubric):
    task = Assessment(8, 100, None, limits())
    ann, bob = (task.of_student(rubric, x) for x in ("ann", "bob"))
    assert ann == task.of_student(rubric, "ann")
    assert ann.seed != bob.seed
    assert ann.cases[0] == bob.cases[0] == [(2, 0, 3), (200, 65, 251), (0, 1, 3), (1, 255, 255)]
    assert len(ann.cases[1]) == 100
    assert ann.cases[1] != bob.cases[1]
    others = Rubric(secret="another", cases=rubric.cases)
    assert task.of_student(others, "ann").cases[1] != ann.cases[1]
    assert Assessment(8, 100, 5, limits()).of_student(rubric, "ann").seed != ann.seed


def right(**changed) -> DesignVerdict:
    return DesignVerdict("ann", "modpow", **{"cases": [(4, 0, ""), (100, 0, "")], **changed})


@pytest.mark.parametrize(
    ("verdict", "missing"),
    [
        (right(), {}),
        (right(programs=""), {}),
        (right(lacks=("TODO left: a.v:1",)), {"text": 1}),
        (right(kind="flow"), {"flow": 1}),
        (right(kind="model"), {"model": 1, "cycles": 1, "flow": 1}),
        (right(kind="programs", programs="app/a.c"), {"programs": 1}),
        (right(kind="cases", cases=[(4, 1, "x"), (100, 0, "")]), {"case corners": 1}),
        (
            DesignVerdict("ann", kind="broken", reason="no", files=False),
            {"builds": 1, "manners": 1, "results": 3, "state": 1, "model": 1, "cycles": 1}
            | {"flow": 1, "text": 1, "case corners": 1, "case drawn": 2},
        ),
    ],
)
def test_points(verdict, missing, rubric):
    points = earned(verdict, RIGHT, rubric, None)
    assert {x.name: x.most - x.points for x in points if x.points < x.most} == missing
    assert {x.name for x in points if x.reason} == missing.keys()
    most = 10 + 3 + 2 + (verdict.programs is not None)
    assert total(points) == (most - sum(missing.values()), most)


def test_limits_have_points(rubric):
    points = {x.name: x for x in earned(right(), {"area_um2": 1600.0}, rubric, None)}
    assert points["limit area_um2 1500"].points == 0
    assert points["limit area_um2 1500"].reason == "it is 1600"
    assert points["limit cycles 140"].reason == "not measured"


@pytest.mark.parametrize(
    ("at", "lost"),
    [("29T23:59", 0), ("29T23:59:01", 2), ("30T23:59", 2), ("30T23:59:01", 4), ("24T00:00", 0)],
)
def test_a_late_hand_in_loses_points(at, lost, rubric):
    points = earned(right(), RIGHT, rubric, datetime.fromisoformat(f"2026-11-{at}Z"))
    assert total(points) == (15 - lost, 15)
    assert [x.name for x in points].count("late") == bool(lost)


def test_a_hand_in_that_is_too_late_has_no_points(rubric):
    assert total(earned(right(), RIGHT, rubric, datetime(2026, 12, 24, tzinfo=UTC)))[0] == 0


def folders(place: Path, *names: str) -> Path:
    for name in names:
        (place / "ann" / name).mkdir(parents=True)
    return place / "ann"


@pytest.mark.parametrize(
    ("names", "last"),
    [
        (("20261128T1000", "20261129T2359", "20261201T0000"), "20261129T2359"),
        (("20261128T1000", "2026-11-30T00:00+01:00"), "2026-11-30T00:00+01:00"),
        (("20261201T0000", "20261202T0000"), "20261202T0000"),
    ],
)
def test_the_last_hand_in_before_the_date_counts(names, last, rubric, tmp_path):
    found = counted(folders(tmp_path, *names), rubric)
    assert found.student == "ann"
    assert found.folder == tmp_path / "ann" / last
    assert found.others == len(names) - 1


def test_folders_of_a_design_are_no_times(rubric, tmp_path):
    place = folders(tmp_path, "20261128T1000", "tests")
    assert counted(place, rubric) == HandIn("ann", place)


def test_gradescope_tells_student_and_time(tmp_path):
    file = tmp_path / "metadata.json"
    users = [{"email": "bob@x.edu", "id": 1, "name": "Bob"}, {"email": "ann@x.edu"}]
    about = {"id": 1, "created_at": "2026-11-29T22:00:00.123-08:00", "users": users}
    file.write_text(json.dumps(about))
    found = of_gradescope(tmp_path, file)
    assert found.student == "ann@x.edu, bob@x.edu"
    assert found.at == datetime(2026, 11, 30, 6, 0, 0, 123000, tzinfo=UTC)
    file.write_text("{}")
    with pytest.raises(UserError, match=r"--metadata=.*created_at"):
        of_gradescope(tmp_path, file)


def test_results_for_gradescope_tell_nothing_hidden(rubric):
    """The format: https://gradescope-autograders.readthedocs.io/en/latest/specs/"""
    told = f"{HIDDEN[0]}^{HIDDEN[1]} mod {HIDDEN[2]}: result 0x1 instead of 0x2"
    verdict = right(kind="cases", reason=told, cases=[(4, 1, "2^0 mod 3: wrong"), (100, 7, told)])
    found = results(earned(verdict, RIGHT, rubric, None), RIGHT, HandIn("ann", Path()), "cycles", 2)
    tests = {x["name"]: x for x in found["tests"]}
    assert all(str(x) not in json.dumps(found) for x in HIDDEN)
    hidden = tests["case drawn: 100 random powers, hidden"]
    assert (hidden["score"], hidden["max_score"], hidden["status"]) == (0, 2, "failed")
    assert hidden["output"] == "7 of 100 powers are wrong"
    (shown,) = (x for name, x in tests.items() if name.startswith("case corners: 2^0 mod 3, "))
    assert shown["output"] == "1 of 4 powers are wrong; 2^0 mod 3: wrong"
    assert found["score"] == sum(x["score"] for x in found["tests"]) == 12
    assert found["leaderboard"][0] == {"name": "cycles", "value": 100.0, "order": "asc"}
    assert {x["visibility"] for x in found["tests"]} == {"visible"}


def test_the_page_of_a_class_is_escaped(rubric, tmp_path):
    name = "<script>alert(1)</script>"
    verdict = DesignVerdict(name, name, kind="wrong", reason=f"=1+1{name}\x1b[2J", replay=name)
    asked = "freepdk-45nm", 0.5, "decrypt", "timed", 100, limits()
    hand_in = HandIn(name, Path(), datetime(2026, 11, 30, tzinfo=UTC), 2)
    places = [Ranked(1, right(programs=""), {}), Ranked(None, verdict, {})]
    objective = OBJECTIVES["time"]
    found = output.rows(places, objective, "", RankingConditions(*asked), rubric, {name: hand_in})
    for file in ("class.html", "class.csv"):
        output.write(found, tmp_path / file, objective, name)
    page = (tmp_path / "class.html").read_text()
    assert "<script" not in page
    assert page.count("&lt;script&gt;") > 4
    assert r"\x1b[2J" in page
    assert "results: every result and status is right: a result is wrong: =1+1" in page
    assert "handed in late, 1 day after 2026-11-29 23:59:00+00:00" in page
    table = (tmp_path / "class.csv").read_text()
    assert "'=1+1" in table
    assert re.search("marks results", table)
