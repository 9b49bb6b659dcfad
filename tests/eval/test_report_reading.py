"""Texts of the page that help readers: names, legends of words and dashes, folded parts."""

import re

import pytest

from rsaxcel.eval.report.page import legend
from rsaxcel.eval.report.spec import ReportTable, Row
from rsaxcel.eval.report.tables import show_table
from tests.eval.test_report_tables import COLUMNS, facts
from tests.shared.tables import each_row

pytestmark = pytest.mark.xdist_group("report")


def above(report, table: str) -> str:
    """Text between a table's heading and the table."""
    start = report.html.index(f'<table id="{table}"')
    return report.html[report.html.rindex("</h4>", 0, start) : start]


def test_chips_have_words(everything):
    chips = re.findall(
        r'<button[^>]*data-toggle="([^"]*)"[^>]*>(?:<span.*?</span>)?(.*?)</button>',
        everything.html,
    )
    words = dict(chips)
    assert words["software_naive_as_printed"] == "software naive, as printed"
    assert words["proc_mont_r2l"] == "processor with mont_r2l"
    assert words["perin_virtex4"] == "Perin, Virtex-4"
    assert not [x for x in words.values() if "as_printed" in x or x.startswith(("proc_", "soft_"))]


def test_chips_stand_under_the_sections_that_they_are_in(everything):
    first = next(x for x in everything.content.studies if x.study.document == "mcnay_2023")
    keys = [key for section in first.sections for key in section.columns]
    assert len(keys) == len(set(keys)) == len(first.colours)
    printed = next(x for x in first.sections if x.section.key == "as_printed")
    assert all(key.endswith("_as_printed") for key in printed.columns)


@each_row(__file__, "above", "table", "words")
def test_words_and_dashes_are_explained_where_they_stand(everything, table, words):
    assert words in above(everything, table)


def test_every_dash_has_a_reason(everything):
    for table in everything.content.tables:
        if not table.table.cards and f'<table id="{table.key}" class="figures"' in everything.html:
            dashes = re.search(r"<td[^>]*>-</td>", after(everything, table.key))
            assert bool(dashes) == ("A dash: " in above(everything, table.key)), table.key


def after(report, table: str) -> str:
    start = report.html.index(f'<table id="{table}"')
    return report.html[start : report.html.index("</table>", start)]


def test_reasons_of_dashes():
    def said(*rows: Row) -> list[str]:
        return legend(show_table(ReportTable("table", "Table", COLUMNS, rows), facts()))

    whole = Row("cycles")
    itself, prints_none = "the column would be compared with itself", "the document prints nothing"
    assert said(whole) == []
    assert said(whole, Row("cycles", mode="ratio", base="a")) == [f"A dash: {itself}."]
    (both,) = said(whole, Row("cycles", mode="less", base="b"), Row("cycles", mode="over_printed"))
    assert both == f"A dash: {itself}, or {prints_none} to compare with."
    assert said(whole, Row("area_um2", mode="value")) == []


def test_long_tables_are_folded_unless_said_otherwise():
    def folded(count: int, **more) -> bool:
        rows = [Row("cycles", key=str(x)) for x in range(count)]
        return show_table(ReportTable("table", "Table", COLUMNS, rows, **more), facts()).folded

    assert [folded(12), folded(13)] == [False, True]
    assert [folded(12, folded=True), folded(13, folded=False)] == [True, False]


def test_folds_say_what_is_inside(everything):
    folds = re.findall(
        r'<details class="fold">\s*<summary>(.*?)</summary>', everything.html, re.DOTALL
    )
    assert len(folds) > 20
    for line in folds:
        assert len(re.sub("<[^>]*>", "", line).split()) >= 3, line
