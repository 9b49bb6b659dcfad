"""Vassoler's printed figures: each has one of ours beside it, and its kind is visible."""

from collections import Counter

import pytest

from rsaxcel.eval.facts.printed import printed
from rsaxcel.eval.studies import vassoler
from rsaxcel.eval.studies.vassoler import WIDEST, WIDEST_OUTLINED, approach

pytestmark = pytest.mark.xdist_group("report")


@pytest.fixture(scope="module")
def compared(everything):
    return [x for x in everything.content.compared if x.printed.document == vassoler.DOCUMENT]


def test_every_printed_figure_has_one_of_ours_beside_it(compared):
    beside = Counter(x.printed.place for x in compared if x.match)
    known = Counter(x.place for x in printed().facts if x.document == vassoler.DOCUMENT)
    assert beside == known
    assert known.total() == len(compared) == 392


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
