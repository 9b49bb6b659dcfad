"""Figures in texts: pairs, ratios and verdicts, measured beside printed ones."""

import pytest

from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.report.spec import Column
from rsaxcel.eval.report.words import FigureWords

BOTH = [{"operation": "encrypt"}, {"operation": "decrypt"}]


def fact(subject: str, quantity: str, value: float, printed: bool = False, **more) -> Fact:
    about = {"document": "paper", "place": "Table 1"} if printed else {}
    return Fact(subject, quantity, value, "printed" if printed else "measured", **about, **more)


def pair(subject: str, quantity: str, values: tuple[float, float], printed: bool = False):
    return [
        fact(subject, quantity, value, printed, **point)
        for value, point in zip(values, BOTH, strict=True)
    ]


WORDS = FigureWords(
    Facts(
        [
            *pair("a", "cycles", (1033, 2239)),
            *pair("a", "cycles", (3523, 8148), True),
            *pair("b", "cycles", (464, 756)),
            *pair("b", "cycles", (3581, 5135), True),
            fact("a", "area_um2", 20723.3),
            fact("a", "area_um2", 21434.812, True),
            fact("b", "area_um2", 500, choices="lanes=2"),
            fact("b", "slices", 88, True),
            fact("a", "min_period_ns", 2.87912),
            fact("a", "min_period_ns", 11.6, True),
            fact("a", "time_ms", 0.04),
            fact("a", "time_ms", 0.043, True),
            fact("b", "frequency_mhz", 27.66, True),
            fact("b", "min_period_ns", 4.0),
        ]
    )
)
B = Column("b", {"subject": "b", "choices": {"lanes": 2}}, {"choices": {}, "quantity": "slices"})


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (WORDS.cell("a", "cycles", BOTH, {}), "1,033 / 2,239 (3,523 / 8,148)"),
        (WORDS.cell("a", "cycles", BOTH), "1,033 / 2,239"),
        # A figure equal for both operations is shown once; printed ones have no more digits.
        (WORDS.cell("a", "area_um2", BOTH, {}), "20,723 (21,435)"),
        (WORDS.cell("a", "min_period_ns", printed={}), "2.879 (11.60)"),
        (WORDS.cell("a", "time_ms", printed={}, digits=4), "0.0400 (0.043)"),
        (WORDS.cell("b", "min_period_ns", printed={}), "4.000 (36.15)"),
        (WORDS.cell(B, "area_um2", printed={}), "500 (88)"),
        (WORDS.cell("c", "cycles", BOTH), "(not measured)"),
        (WORDS.quotient("a", "b", "cycles", BOTH, {}), "2.23 / 2.96 (0.98 / 1.59)"),
        (WORDS.quotient("b", "a", "cycles", BOTH, digits=0, times=100), "45 / 34"),
        (WORDS.quotient("b", "a", "slices"), "(not measured)"),
        (WORDS.times("a", "b", "cycles", operation="encrypt"), "2.2 times more"),
        (WORDS.times("b", "a", "cycles", operation="encrypt"), "2.2 times less"),
        (WORDS.times("b", "a", "slices"), "(not measured)"),
    ],
)
def test_cells(cell, expected):
    assert cell == expected


def test_ratios_to_print():
    assert WORDS.over_printed(["a", "b", "c"], "cycles", BOTH) == pytest.approx(
        [1033 / 3523, 2239 / 8148, 464 / 3581, 756 / 5135]
    )


def test_order():
    columns = [Column(name, {"subject": name}) for name in "cab"]
    ranked = WORDS.ranked(columns, "cycles", operation="encrypt")
    assert [x.key for x in ranked] == ["b", "a"]


def test_subjects_with_equal_figures_are_alike():
    values = {"a": 3.0, "b": 2.0, "c": 2.0}
    measured = [fact(name, "cycles", value) for name, value in values.items()]
    other = [fact(name, "cycles", value, True) for name, value in {**values, "c": 1.0}.items()]
    for theirs, told in (
        ([fact(x.subject, x.quantity, 10 * x.value, True) for x in measured], ": as printed"),
        (other, "; printed: c, b, a"),
    ):
        words = FigureWords(Facts([*measured, *theirs]))
        assert words.order("cycles", ["a", "b", "c"]) == f"b and c alike, a{told}"


def test_a_quantity_that_is_not_declared():
    with pytest.raises(ValueError, match="quantity 'area_time' is not declared; allowed: area_"):
        WORDS.order("area_time", ["a", "b"])
