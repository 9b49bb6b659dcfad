"""All designs synthesized and placed: figures, ranks and what changes, on made-up figures."""

from dataclasses import replace

import pytest

from rsaxcel import catalog
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.measure.flows import AS_FAST_AS_CAN_BE_NS
from rsaxcel.eval.report.spec import Column, ReportTable, Row
from rsaxcel.eval.report.tables import show_table
from rsaxcel.eval.report.words import FigureWords, Near, moved, nearness
from rsaxcel.eval.studies import stages
from rsaxcel.eval.studies.stages import NBITS, WIDE, WIDE_DESIGNS
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.layout import LOOSE, OUT_OF_REACH, TIGHT
from tests.eval.made_up_jobs import work
from tests.eval.made_up_report import Report
from tests.shared.verilog_core import ENTRY


@pytest.fixture(scope="module")
def shown(tmp_path_factory) -> Report:
    return Report(tmp_path_factory.mktemp("stages"), [stages.STUDY], max_nbits=NBITS)


def test_every_design_is_measured_at_both_stages():
    names = [x.job.name for x in stages.STUDY.measurements(WIDE, DEFAULT_LIBRARY)]
    assert len(set(names)) == len(names) == 2 * (len(catalog.DESIGNS) + len(WIDE_DESIGNS))
    placed = "at a published period, placed by embedded"
    assert sum(placed in name for name in names) == len(names) / 2
    narrow = {x.job.name for x in stages.STUDY.measurements(NBITS, DEFAULT_LIBRARY)}
    assert len(narrow) == 2 * len(catalog.DESIGNS)
    other = [x.job.name for x in stages.STUDY.measurements(NBITS, "osu018")]
    assert len(other) == len(catalog.DESIGNS)
    assert not any("placed" in name for name in other)


def test_designs_of_others_are_measured_at_their_widths(monkeypatch):
    monkeypatch.setitem(catalog.GIVEN, ENTRY.name, ENTRY)
    monkeypatch.setitem(catalog.GIVEN, "narrow", replace(ENTRY, name="narrow", widths=range(8, 17)))
    assert {*stages.designs(NBITS)} == {*catalog.DESIGNS, ENTRY.name}


def test_a_row_for_each_design(shown):
    (table,) = shown.content.tables
    assert {row.label for row in table.rows} == set(catalog.DESIGNS)
    found = shown.measured("stages_32", "mulrem_r2l")
    # Placed: a tenth more cells, a period longer by a fifth, twice the core.
    assert found["synthesized_area_um2"] == 15000
    assert found["placed_area_um2"] == pytest.approx(16500)
    assert found["placed_core_area_um2"] == pytest.approx(33000)
    assert found["placed_min_period_ns"] == pytest.approx(3.3)
    assert found["cycles"] == 1022
    ranks = [row.cells["placed_rank"].measured for row in table.rows]
    assert ranks == sorted(ranks)
    assert ranks[0] == 1
    assert f"none of {len(catalog.DESIGNS)} changes its place" in shown.html
    assert "core_area_um2" in shown.terminal


def test_units_and_digits_are_those_of_the_columns(shown):
    (table,) = shown.content.tables
    assert table.groups == [("", 1), ("synthesized", 5), ("placed", 6)]
    assert '<th colspan="6" scope="colgroup">placed</th>' in shown.html
    row = next(x for x in table.rows if x.key == "mulrem_r2l")
    assert row.unit == ""
    texts = {name: row.text(cell) for name, cell in row.cells.items()}
    assert texts["placed_min_period_ns"] == "3.300"
    assert texts["placed_area_um2"] == "16,500"
    assert texts["placed_rank"].isdigit()


def test_only_published_periods_are_shown(tmp_path):
    def doing(job, progress):
        found = work(job, progress)
        name = getattr(getattr(job.arguments[0], "design", None), "name", "")
        missed = name == "mont_r2l" and found.stage == "placed"
        return replace(found, clock_ns=0.5) if missed else found

    one = Report(tmp_path, [stages.STUDY], doing, max_nbits=NBITS)
    found = one.measured("stages_32", "mont_r2l")
    assert found["synthesized_area_um2"] == 80000
    assert found["placed_area_um2"] is None
    (table,) = one.content.tables
    assert table.rows[-1].key == "mont_r2l"


def placed(name, clock_ns, period_ns, area_um2=1.0, stage="placed"):
    common = {"nbits": 32, "library": DEFAULT_LIBRARY, "clock_ns": clock_ns, "stage": stage}
    figures = {"min_period_ns": period_ns, "area_um2": area_um2}
    return [Fact(name, quantity, x, "measured", **common) for quantity, x in figures.items()]


def in_print(**areas_um2):
    about = {"nbits": 32, "document": "paper", "place": "Table 1"}
    return [Fact(name, "area_um2", x, "printed", **about) for name, x in areas_um2.items()]


def test_facts_are_found_by_what_their_period_is_worth():
    facts = Facts(
        [
            *placed("a", 3.0, 2.0, 10.0),
            *placed("a", 2.5, 2.49, 9.0),
            *placed("a", 1.5, 1.8, 11.0),
            *placed("a", 1.9, 1.91, 12.0),
            *placed("a", AS_FAST_AS_CAN_BE_NS, 1.2, 13.0, "synthesized"),
        ]
    )
    asked = {"subject": "a", "nbits": 32, "quantity": "area_um2"}
    judged = {x: facts.value({**asked, "constraint": x}, printed=False) for x in
              (LOOSE, OUT_OF_REACH, TIGHT)}  # fmt: skip
    assert judged == {LOOSE: 10.0, OUT_OF_REACH: 11.0, TIGHT: 12.0}
    assert facts.value(asked, printed=False) == 13.0
    assert facts.value({**asked, "stage": "placed", "clock_ns": 1.5}, printed=False) == 11.0


def test_ranks_that_change_are_told():
    before = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}
    after = {"a": 1.5, "c": 2.0, "b": 2.5}
    assert moved(before, after) == "2 of 3 change their places: c from 3 to 2, b from 2 to 3"
    assert moved(before, before) == "none of 4 changes its place"
    found = [Near(0.8, 0.9), Near(0.8, 0.85), Near(1.1, 1.2), Near(0.9, 1.3)]
    assert nearness(found) == (
        "Figures and ratios: 4; nearer to print as placed: 2, farther: 2, of which above print as "
        "synthesized, and larger as placed: 1."
    )
    assert nearness([Near(0.8, 0.8)]) == "Figures and ratios: 1; as near: 1."
    assert nearness(found[:2]) == "Figures and ratios: 2; nearer to print as placed: 2."


def test_words_compare_stages_with_print():
    facts = Facts(
        [
            *placed("a", 3.0, 2.0, 8.0, "synthesized"),
            *placed("a", 3.0, 2.2, 9.0),
            *placed("b", 3.0, 2.0, 12.0, "synthesized"),
            *placed("b", 3.0, 2.2, 15.0),
            *in_print(a=10.0, b=11.0),
        ]
    )
    words = FigureWords(facts, {"nbits": 32, "clock_ns": 3.0})
    both = [["a", {}], ["b", {}]]
    text = words.nearness([["area_um2", both, None, ""]])
    assert text.startswith("Figures and ratios: 2; nearer to print as placed: 1,")
    # b over a: 1.5 and 1.67 for 1.1 in print.
    over = words.nearness([["area_um2", both[1:], both[0], ""]])
    assert over.startswith("Figures and ratios: 1; farther: 1, of which above print")
    assert words.between_stages("area_um2", both) == "1.12 to 1.25"
    ranking = ("area_um2", {"stage": "synthesized"}), ("min_period_ns", {"stage": "placed"})
    assert words.moved(["a", "b"], *ranking) == "none of 2 changes its place"


def test_rows_over_another_subject_and_columns_of_stages():
    """A ratio of two subjects stands beside the printed ratio, and over it."""
    ours = [*placed("a", 3.0, 2.0, 8.0), *placed("b", 3.0, 2.0, 12.0)]
    facts = Facts([*ours, *in_print(a=10.0, b=12.0)])
    columns = [
        Column("placed", {"stage": "placed"}),
        Column("over", {"stage": "placed"}, mode="over_printed", prints=False),
    ]
    rows = [
        Row("area_um2", {"subject": "b"}),
        Row("area_um2", {"subject": "b"}, over={"subject": "a"}),
    ]
    table = show_table(ReportTable("t", "T", columns, rows, {"nbits": 32}), facts)
    plain, ratio = table.rows
    assert (plain.cells["placed"].measured, plain.cells["placed"].printed.value) == (12.0, 12.0)
    assert plain.cells["over"].measured == 1.0
    assert ratio.cells["placed"].measured == pytest.approx(1.5)
    assert ratio.cells["placed"].printed.value == pytest.approx(1.2)
    assert ratio.cells["over"].measured == pytest.approx(1.25)
    assert ratio.text(ratio.cells["over"]) == "1.25"
    assert (plain.unit, ratio.unit) == ("um2", "")
    needs = replace(table.table, needs="placed")
    assert show_table(needs, Facts(placed("b", 3.0, 2.0, 12.0, "synthesized"))) is None
