"""Tables of a study: what rows and columns show."""

from dataclasses import replace

import pytest

from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.report.fidelity import by_place, classify, compare
from rsaxcel.eval.report.spec import Column, ReportTable, Row, Section, per, per_operation
from rsaxcel.eval.report.tables import TableCell, show_table
from rsaxcel.eval.report.words import FigureWords

COLUMNS = [Column(name, {"subject": name}) for name in ("a", "b", "c")]
OURS = {"a": 100, "b": 50, "c": 400}
THEIRS = {"a": 80, "b": 100}
MODES = (("percent", "a"), ("rank", ""))


def facts(quantity: str = "cycles") -> Facts:
    found = [Fact(name, quantity, x, "measured") for name, x in OURS.items()]
    about = {"document": "paper", "place": "Table 1"}
    return Facts([*found, *(Fact(n, quantity, x, "printed", **about) for n, x in THEIRS.items())])


def shown(*rows: Row, **more):
    return show_table(ReportTable("table", "Table", COLUMNS, rows, **more), facts())


def cells(row: Row) -> dict[str, tuple]:
    (found,) = shown(row).rows
    return {
        name: (cell.measured, cell.printed and cell.printed.value)
        for name, cell in found.cells.items()
    }


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("value", {"a": (100, 80), "b": (50, 100), "c": (400, None)}),
        ("ratio", {"b": (0.5, 1.25), "c": (4.0, None)}),
        ("percent", {"b": (50.0, 125.0), "c": (400.0, None)}),
        ("speedup", {"b": (2.0, 0.8), "c": (0.25, None)}),
        ("less", {"b": (-50, 20), "c": (300, None)}),
        ("deviation", {"a": (25.0, None), "b": (-50.0, None)}),
        ("over_printed", {"a": (1.25, None), "b": (0.5, None)}),
        ("rank", {"a": (2, 1), "b": (1, 2), "c": (3, None)}),
    ],
)
def test_modes(mode, expected):
    base = "a" if mode in ("ratio", "percent", "speedup", "less") else ""
    found = cells(Row("cycles", mode=mode, base=base))
    assert {name: pytest.approx(found[name]) for name in expected} == expected
    assert all(found[name] == (None, None) for name in found.keys() - expected.keys())


def test_a_column_with_a_base_of_its_own():
    """Its cells are compared with that column, where a row compares at all."""
    columns = [replace(x, base="b") if x.key == "c" else x for x in COLUMNS]
    (ratio, rank) = show_table(
        ReportTable("table", "Table", columns, [Row("cycles", mode=x, base=y) for x, y in MODES]),
        facts(),
    ).rows
    assert [ratio.cells[x].measured for x in "abc"] == [None, 50.0, 800.0]
    assert ratio.cells["b"].printed.where.endswith("that of a")
    assert rank.cells["b"].printed.where == "rank of cycles"


def test_figures_over_another_one_are_written_as_their_mode_says():
    """Ranks have no decimals, and percent have a unit; quotients themselves have three decimals."""
    over = {"subject": "a"}
    rows = [Row("cycles", mode=x, base=y, over=over) for x, y in (*MODES, ("value", ""))]
    percent, rank, value = shown(*rows).rows
    assert (percent.text(percent.cells["c"]), percent.unit) == ("400.0", "%")
    assert rank.text(rank.cells["c"]) == "3"
    assert value.text(value.cells["c"]) == "4.000"


def test_what_follows_from_print_is_marked_and_what_is_printed_is_not():
    (row,) = shown(Row("cycles", mode="ratio", base="a")).rows
    assert row.cells["b"].printed.scope == "derived"
    (row,) = shown(Row("cycles")).rows
    assert row.cells["b"].printed.kind == "printed"


def test_a_small_figure_shows_two_of_its_digits():
    table = ReportTable("t", "T", COLUMNS, [Row("time_us")])
    (row,) = show_table(table, Facts([Fact("a", "time_us", 0.00243, "measured")])).rows
    texts = ["0.0024", "0.010", "12.346", "0.000", "-0.0024"]
    assert [row.text(TableCell(x)) for x in (0.00243, 0.01, 12.3456, 0.0, -0.0024)] == texts
    assert row.text(TableCell(None)) == "-"


def test_a_ratio_that_a_document_prints_stands_for_itself():
    given = [*facts(), Fact("b", "speedup_naive_ratio", 0.79, "printed", document="paper")]
    row = Row("speedup_naive_ratio", mode="speedup", of="cycles", base="a")
    (found,) = show_table(ReportTable("t", "T", COLUMNS, [row]), Facts(given)).rows
    assert found.cells["b"].printed.value == 0.79
    assert found.cells["b"].measured == 2.0


def test_a_cell_shows_a_mean_beside_the_printed_mean():
    times = {("a", "encrypt"): 8, ("b", "encrypt"): 2, ("a", "decrypt"): 9, ("b", "decrypt"): 1.5}
    given = [Fact(x, "cycles", y, "measured", operation=z) for (x, z), y in times.items()]
    printed = Fact(
        "b", "speedup_naive_ratio", 4.5, "printed", operation="average", document="paper"
    )
    both = [{"operation": "encrypt"}, {"operation": "decrypt"}]
    where = {"operation": "average"}
    row = Row("speedup_naive_ratio", where, mode="speedup", of="cycles", base="a", mean=both)
    (found,) = show_table(ReportTable("t", "T", COLUMNS, [row]), Facts([*given, printed])).rows
    assert (found.cells["b"].measured, found.cells["b"].printed.value) == (5.0, 4.5)
    missing = Facts([*given[:3], printed])
    assert show_table(ReportTable("t", "T", COLUMNS, [row]), missing) is None


def test_rows_and_columns_without_figures_are_left_out():
    table = shown(Row("cycles"), Row("area_um2"), where={})
    assert [row.row.quantity for row in table.rows] == ["cycles"]
    columns = [*COLUMNS, Column("nobody", {"subject": "nobody"})]
    assert show_table(ReportTable("t", "T", columns, [Row("cycles")]), facts()).columns == (
        "a",
        "b",
        "c",
    )
    assert show_table(ReportTable("t", "T", columns, [Row("area_um2")]), facts()) is None


@pytest.mark.parametrize("kind", ["measured", "printed"])
def test_the_note_of_a_quantity_stands_beside_figures_of_ours(kind):
    about = {"document": "paper"} if kind == "printed" else {}
    given = [*facts(), Fact("a", "slices", 5, kind, **about)]
    table = show_table(ReportTable("t", "T", COLUMNS, [Row("cycles"), Row("slices")]), Facts(given))
    assert len(table.rows) == 2
    assert table.notes == (("slices",) if kind == "measured" else ())


def test_a_table_without_a_figure_of_ours_is_left_out():
    printed = [fact for fact in facts() if fact.printed]
    assert show_table(ReportTable("t", "T", COLUMNS, [Row("cycles")]), Facts(printed)) is None


def test_a_row_can_ask_for_another_subject():
    row = Row("cycles", {"subject": lambda x: "c" if x == "a" else x}, prints=False)
    assert cells(row) == {"a": (400, None), "b": (50, None), "c": (400, None)}


def test_keys_tell_width_operation_and_mode():
    given = [
        Fact("a", "time_us", 1.0, "measured", nbits=n, operation=x)
        for n in (64, 128)
        for x in ("encrypt", "decrypt")
    ]
    rows = per("nbits", (64, 128), [Row("time_us", {"operation": "encrypt"})], "{} bits")
    table = show_table(ReportTable("t", "T", COLUMNS, rows), Facts(given))
    assert [row.key for row in table.rows] == [
        "64_bits_encrypt_time_us",
        "128_bits_encrypt_time_us",
    ]
    assert [(row.section, row.label) for row in table.rows] == [
        ("Time", "64 bits"),
        ("Time", "128 bits"),
    ]
    rows = per_operation([Row("time_us", {"nbits": 64})])
    keys = [row.key for row in show_table(ReportTable("t", "T", COLUMNS, rows), Facts(given)).rows]
    assert keys == ["64_bits_encrypt_time_us", "64_bits_decrypt_time_us"]


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [
        (1.0, "exact"),
        (1.0001, "within 5 %"),
        (1.05, "within 5 %"),
        (1 / 1.05, "within 5 %"),
        (0.95, "within 25 %"),
        (1.25, "within 25 %"),
        (0.5, "within a factor of 2"),
        (2.0, "within a factor of 2"),
        (2.01, "beyond"),
        (0.499, "beyond"),
        (-1.0, "beyond"),
    ],
)
def test_classes_of_fidelity(ratio, expected):
    assert classify(ratio) == expected


def test_fidelity_counts_each_printed_figure_once_by_the_nearest():
    from rsaxcel.eval.facts.printed import Printed, PrintedTable
    from tests.eval.made_up_study import STUDY

    about = {"document": STUDY.document, "place": "Table 1", "kind": "printed"}
    printed = (
        Fact("a", "cycles", 100, **about),
        Fact("a", "area_um2", 12.35, **about),
        Fact("b", "cycles", 5, **about),
        Fact("a", "device", "FPGA", **about),
        Fact("a", "tristates", 0, **about),
        Fact("b", "tristates", 7, **about),
        Fact("b", "dsps", 0, **about),
    )
    ours = [
        Fact("a", "cycles", 300, "measured"),
        Fact("a", "cycles", 90, "measured", choices="x=1"),
        # The measured figure rounds to the printed one.
        Fact("a", "area_um2", 12.3512, "measured"),
        # 0 equals 0, and is infinitely far from another figure.
        Fact("a", "tristates", 0, "measured"),
        Fact("b", "tristates", 0, "measured"),
        Fact("b", "dsps", 3, "measured"),
    ]
    columns = [
        Column("a", {"subject": "a"}),
        Column("a_x", {"subject": "a", "choices": {"x": 1}}, {"choices": {}}),
        Column("b", {"subject": "b"}),
    ]
    rows = [Row("cycles"), Row("area_um2"), Row("tristates"), Row("dsps")]
    section = Section("s", "S", (ReportTable("t", "T", columns, rows),))
    study = replace(STUDY, sections=(section,))
    facts = Facts([*ours, *printed])
    places = {
        STUDY.document: (PrintedTable("Table 1", "1", "", 6), PrintedTable("Figure 1", "1", "", 0))
    }
    about = Printed(printed, {}, places, {})
    (row, drawn) = by_place([study], about, compare([study], about, facts))
    assert (row.printed, row.compared) == (6, 5)
    assert {x: n for x, n in row.counts.items() if n} == {
        "0 in both": 1,
        "exact": 1,
        "within 25 %": 1,
        "beyond": 2,
    }
    assert (drawn.printed, drawn.compared) == (0, 0)


def test_an_exponent_that_is_kept_as_text_is_compared():
    from rsaxcel.eval.facts.printed import Printed, PrintedTable
    from tests.eval.made_up_study import STUDY

    printed = [Fact("a", "exponent", 65537, "printed", document=STUDY.document, place="Table 1")]
    ours = [Fact("a", "exponent", "65537", "modelled")]
    table = ReportTable("t", "T", [Column("a", {"subject": "a"})], [Row("exponent")])
    study = replace(STUDY, sections=(Section("s", "S", (table,)),))
    about = Printed(printed, {}, {STUDY.document: (PrintedTable("Table 1", "1", "", 1),)}, {})
    (found,) = compare([study], about, Facts([*ours, *printed]))
    assert found.match.nearness == "exact"


def test_verdicts_are_computed():
    words = FigureWords(facts())
    assert words.fill("{{ order('cycles', ['a', 'b']) }}") == "b, a; printed: a, b"
    assert words.fill("{{ ratio('c', 'a', 'cycles') }}") == "4.00 times"
    assert words.fill("{{ beside('a', 'b', 'cycles') }}") == (
        "2.00 times (printed: 0.80; 2.50 times the printed one)"
    )
    assert words.fill("{{ ours('a', 'cycles') }} of {{ printed('a', 'cycles') }}") == (
        "100 cycles of 80 cycles"
    )
    assert "(not measured)" in words.fill("{{ ours('c', 'area_um2') }}")


def test_verdicts_on_clocks():
    cells = {"library": "cells", "clock_ns": 3.0}
    given = [
        Fact(name, quantity, x, "measured", **cells)
        for name, period in (("a", 2.0), ("b", 3.5))
        for quantity, x in (("min_period_ns", period), ("clock_ns", 3.0))
    ]
    words = FigureWords(Facts(given))
    assert words.fill("{{ met('a') }}, {{ met('b') }}") == "all meet, none meets"
    assert words.fill("{{ met('a', 'b', 'c') }}") == "1 of 2 meet"
