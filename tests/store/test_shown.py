"""Texts of strangers on a terminal, in cells and on pages."""

import pandas as pd
import pytest

from rsaxcel.course.rank import output
from rsaxcel.course.rank.assess import DesignVerdict
from rsaxcel.course.rank.objectives import objective_of
from rsaxcel.course.rank.ranking import Ranked, RankingConditions
from rsaxcel.course.rank.sandbox import Limits
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.table import read_facts, write_csv
from rsaxcel.store.shown import cell, one_line, shown, shown_lines

HOSTILE = [
    "\x1b[2Jgone",
    "\x1b]0;title\x07",
    "a\x9b31mred",
    "back\x08\x08",
    "over\rwritten",
    "\u202egnitirw",
    "zero\u200bwidth",
    "line\u2028separator",
    "\ud800",
    "\x00\x7f",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_terminal_would_obey_is_an_escape(text):
    for told in (shown(text), one_line(text), *shown_lines(text).split("\n")):
        assert told.isprintable()
    assert "\\" in shown(text)


@pytest.mark.parametrize("text", ["mont_r2l, 32 bits", "Größe 3 µm²", "日本", "a\\nb", ""])
def test_what_is_printable_stays(text):
    assert shown(text) == one_line(text) == text


def test_long_texts_are_cut():
    assert shown("x" * 10_000) == "x" * 1997 + "..."
    assert len(one_line("x " * 10**6)) <= 2000
    assert one_line(ValueError()) == "ValueError"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("@SUM(1)", "'@SUM(1)"),
        ("+1+1", "'+1+1"),
        ("-2+3", "'-2+3"),
        ("\t=1", "'\\t=1"),
        ("-1.5", "-1.5"),
        ("+2e-3", "+2e-3"),
        (-1.5, -1.5),
        ("two\nlines", "two\nlines"),
        ("\n=1+1", "'\n=1+1"),
        ("\uff1d1+1", "'\uff1d1+1"),
    ],
)
def test_cells_that_a_spreadsheet_would_run_are_quoted(text, told):
    assert cell(text) == told


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_facts_of_a_stranger_are_read_as_texts_that_can_be_shown(tmp_path, ending):
    """A subject in somebody else's file of facts cannot move the cursor of whoever lists it."""
    from rsaxcel.eval.facts.table import Facts

    fact = Fact("\x1b[2Jmont", "area_um2", 1.0, "measured", nbits=8)
    Facts([fact]).write(tmp_path)
    (read,) = [x for x in read_facts(tmp_path / f"facts.{ending}") if x.quantity == "area_um2"]
    assert read.subject == "\\x1b[2Jmont"


def test_a_ranking_in_a_file_has_no_formulas_and_no_tags(tmp_path):
    verdict = DesignVerdict("=1+1", kind="broken", reason="<script>\x1b[1A")
    conditions = RankingConditions("", 1.0, "decrypt", "zero", 1, Limits(1, 1))
    by = objective_of("area", placed=False)
    found = output.rows([Ranked(None, verdict, {})], by, "", conditions)
    for name in ("x.csv", "x.html"):
        output.write(found, tmp_path / name, by, "<script>")
    table, page = ((tmp_path / name).read_text() for name in ("x.csv", "x.html"))
    assert "'=1+1" in table
    assert "<script>" not in page
    assert not {"\x1b"} & {*table, *page}


def test_csv_of_facts_is_quoted(tmp_path):
    write_csv(pd.DataFrame({"subject": ["=1"], "value": [-2.5]}), tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_text() == "subject,value\n'=1,-2.5\n"


@pytest.mark.parametrize("name", ["\x1b[31mred", "\u202etxt"])
def test_an_error_shows_a_name_as_escapes(rsaxcel, name):
    finished = rsaxcel("sim", name)
    assert finished.status == 2
    assert finished.err.replace("\n", "").isprintable()
