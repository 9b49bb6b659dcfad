"""Vassoler's printed figures: each has one of ours beside it, and its kind is visible."""

from collections import Counter

import pytest

from rsaxcel.eval.facts.printed import printed
from rsaxcel.eval.studies import vassoler
from rsaxcel.eval.studies.vassoler import WIDEST, WIDEST_OUTLINED, approach

PLACES = {
    "Table 5": 24,
    **{f"Table {x}": 36 for x in (7, 8, 9, 13, 14, 15)},
    **{f"Table {x}": 24 for x in (10, 11, 12, 16, 17, 18)},
    **{"section 5.4.1": 5, "section 5.4.2": 1, "section 6": 2},
}
"""Printed figures by place: 392."""


pytestmark = pytest.mark.xdist_group("report")


@pytest.fixture(scope="module")
def compared(everything):
    return [x for x in everything.content.compared if x.printed.document == vassoler.DOCUMENT]


def test_every_printed_figure_has_one_of_ours_beside_it(compared):
    beside = Counter(x.printed.place for x in compared if x.match)
    assert beside == PLACES
    assert sum(PLACES.values()) == len(compared) == 392
    known = Counter(x.place for x in printed().facts if x.document == vassoler.DOCUMENT)
    assert known == PLACES


def test_figures_beyond_the_measured_widths_are_marked_as_projected(compared):
    """In the tables of designs, a figure is projected if and only if its circuit is not measured.

    Logic modules by delay are projected if one of them is.
    """
    for row in compared:
        fact = row.printed
        if not fact.place.startswith("Table") or fact.quantity in ("frequency_mhz", "area_um2"):
            continue
        if fact.subject == vassoler.MULTIPLIER:
            continue
        one = fact.subject.endswith("_shared")
        widest = (WIDEST if one else WIDEST_OUTLINED)[approach(fact.subject)]
        assert (row.match.kind == "projected") == (fact.nbits > widest), fact
        kinds = {"alms": "estimated"}
        if fact.nbits <= widest:
            assert row.match.kind == kinds.get(fact.quantity, "derived"), fact


def test_clocks_of_tables_12_and_18_are_those_of_systems(compared):
    """The figure beside a printed clock is that of the processor with the accelerator."""
    clocks = [x for x in compared if x.printed.quantity == "frequency_mhz"]
    assert len(clocks) == 48
    for row in clocks:
        assert row.match.subject.startswith(f"axi_{row.printed.subject}")
        assert (row.match.kind == "projected") == (row.printed.nbits > 64)
