"""Labs of a course: their files, and the grades of answers."""

import json
import os
import shlex

import pytest

from rsaxcel.cli.main import cli
from rsaxcel.course.lab import Lab, check_lab, find_lab, labs
from rsaxcel.course.rank import answers
from rsaxcel.course.rank.rubric import Question
from rsaxcel.sim.check.refused import Refused
from rsaxcel.store.errors import UserError

WEEKS = "baseline multiplier schedule placement glitches leak fault proof".split()


def commands(lab):
    text = "\n".join(lab.commands)
    found = [line for line in text.splitlines() if line.startswith("rsaxcel ")]
    return found + [f"rsaxcel {x.command}" for x in lab.rubric.questions]


def test_there_is_a_lab_for_each_week():
    assert [lab.name for lab in labs()] == WEEKS
    assert len({lab.title for lab in labs()}) == len(WEEKS)
    with pytest.raises(UserError, match="no lab 'lunch'; allowed: baseline, multiplier"):
        find_lab("lunch")


@pytest.mark.parametrize("name", WEEKS)
def test_commands_of_a_lab_are_there(name):
    for command in commands(find_lab(name)):
        words = shlex.split(command.partition("||")[0])[1:]
        known = cli.get_command(None, words[0])
        assert known, command
        options = {opt for parameter in known.params for opt in parameter.opts}
        assert {x for x in words if x.startswith("--")} <= options, command


@pytest.mark.parametrize("name", WEEKS)
def test_a_lab_has_something_to_hand_in(name):
    lab = find_lab(name)
    start, rubric = lab.start(), lab.rubric
    assert "rubric.toml" not in start
    assert "lab.md" in start
    if not rubric.questions:
        assert start["project.toml"].count("[rsaxcel]") == 1
        assert lab.solution().keys() <= start.keys()
    else:
        assert start[answers.FILE].count(' = ""  # ') == len(rubric.questions) > 0


@pytest.mark.parametrize(
    ("figure", "given", "told"),
    [
        ("line", 1, ""),
        ("line", 1.015, ""),  # within 2 %
        ("line", 1.03, "wrong"),
        ("line", float("nan"), "wrong"),
        ("line", "1", "a number is asked for"),
        ("line", True, "a number is asked for"),
        ("line", [1], "a number is asked for"),
        ("line", "", "no answer"),
        ("line", None, "no answer"),
        ("match", True, ""),
        ("match", False, "wrong"),
        ("match", "true", "true or false is asked for"),
        ("result", "8", ""),  # 125 mod 13
        ("result", 8, "wrong"),
    ],
)
def test_answers_are_compared_with_a_measurement(figure, given, told):
    handed = {} if given is None else {"q": given}
    assert answers.what_is_wrong(question(figure=figure), handed) == told


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"figure": "nothing"}, "no line with figure='nothing', where={}"),
        ({"figure": "params"}, "no line with figure='params', where={}"),
        ({"where": {"status": "even"}}, "no line with figure='line', where={'status': 'even'}"),
        ({"command": "sim lunch --random 1"}, "rsaxcel: error: .*lunch"),
    ],
)
def test_a_question_without_an_answer(changed, said):
    with pytest.raises(UserError, match=rf"question q: rsaxcel sim .*: {said}"):
        answers.expected(question(**changed))


def question(**changed):
    """Question whose command computes 5**3 mod 13 in a line of JSON."""
    asked = {"command": "sim mulrem_r2l --nbits 8 --level fl --vectors -", "figure": "line"}
    given = '{"base": "5", "exp": "3", "n": "d"}'
    return Question(**{"key": "q", "text": "?", "points": 2, "input": given, **asked, **changed})


@pytest.mark.parametrize("content", [b"q", b"q = 1\nq = 2", b"\xff", b"q = 1" + b" " * 20_000])
def test_a_file_that_has_no_answers(content):
    with pytest.raises(Refused, match=r"^answers\.toml: "):
        answers.parsed(content)


@pytest.mark.parametrize("made", ["nothing", "a link", "a pipe", "a folder"])
def test_answers_are_a_regular_file(made, tmp_path):
    place = tmp_path / answers.FILE
    if made == "a link":
        place.symlink_to("/etc/passwd")
    elif made == "a pipe":
        os.mkfifo(place)
    elif made == "a folder":
        place.mkdir()
    with pytest.raises(Refused, match=r"^answers\.toml: "):
        answers.read(str(tmp_path))


def test_answers_are_graded(tmp_path, rsaxcel):
    text = ""
    for key, points, figure in (("power", 2, "result"), ("other", 1, "line")):
        asked = question(key=key, points=points, figure=figure)
        fields = ("key", "text", "points", "command", "input", "figure")
        rows = (f"{x} = {json.dumps(getattr(asked, x))}\n" for x in fields)
        text += "[[questions]]\n" + "".join(rows)
    (tmp_path / "rubric.toml").write_text(text)
    for name, text in {"ann": 'power = "8"\nother = 1', "bob": 'power = "8"', "eve": "?"}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / answers.FILE).write_text(text)
    folders = [str(tmp_path / x) for x in ("ann", "bob", "eve")]
    asked = ["--rubric", str(tmp_path / "rubric.toml"), "--trust-hand-ins"]
    rows = [json.loads(x) for x in rsaxcel("rank", *folders, *asked, "--json").out.splitlines()]
    assert [(x["folder"], x["marks"], x["most"]) for x in rows] == [
        ("ann", 3, 3),
        ("bob", 2, 3),
        ("eve", 0, 3),
    ]
    assert rows[1]["criteria"][1]["reason"] == "no answer"
    assert rows[2]["reason"].startswith("answers.toml: ")
    table = rsaxcel("rank", *folders, *asked, "--output", str(tmp_path / "class.html"))
    assert table.status == 1
    assert "bob: marks: other 0 of 1" in table.out
    for folder, row in zip(folders, rows, strict=True):
        one = rsaxcel("rank", folder, *asked, "--one")
        assert json.loads(one.out)["score"] == row["marks"]


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", WEEKS)
def test_a_lab_works(name):
    """Commands of the hand-out, a starting point without all points, and a solution with them."""
    done = check_lab(find_lab(name), ["--trust-hand-ins"], lambda line: None)
    assert done.fault == ""
    assert done.start < done.solution == done.most


def test_a_lab_that_does_not_work_says_why(monkeypatch):
    lab = find_lab("schedule")
    monkeypatch.setattr(Lab, "commands", ["true", "rsaxcel list lunch"])
    done = check_lab(lab, [], lambda line: None)
    assert done.fault.startswith("rsaxcel list lunch: exit status 2: ")
    assert "lunch" in done.fault.partition("2: ")[2]
