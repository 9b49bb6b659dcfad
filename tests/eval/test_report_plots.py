"""Plots of the documents: names cover nothing, and axes have plain numbers."""

import re
from itertools import combinations, pairwise

import numpy as np
import pytest
from matplotlib import rc_context

from rsaxcel.eval.report.names import choice_words, label_of
from rsaxcel.eval.report.plots import STYLE, _panels
from rsaxcel.eval.report.spec import Column, Plot
from tests.eval.made_up_report import STUDIES

pytestmark = pytest.mark.xdist_group("report")


@pytest.fixture(scope="module")
def figures(everything):
    """Figures of all plots by key."""
    found = {}
    for study in everything.content.studies:
        for section in study.sections:
            for plot in section.section.blocks:
                if isinstance(plot, Plot):
                    with rc_context(STYLE):
                        figure = _panels(plot, everything.content.facts, study.colours)
                    figure.canvas.draw()
                    found[plot.key] = figure
    return found


def named(axes):
    """Boxes of the names in a plot, by name."""
    boxes = ((text.get_text(), text.get_window_extent()) for text in axes.texts if text.get_gid())
    return list(boxes)


def covered(axes):
    """Points that a name could cover: points of the plot, and points along its lines."""
    for line in axes.get_lines():
        places = axes.transData.transform(line.get_xydata())
        if line.get_marker() not in ("None", "", None):
            yield from places
        if line.get_linestyle() != "None":
            for (x, y), (z, w) in pairwise(places):
                share = np.linspace(0, 1, 500)
                yield from zip(x + share * (z - x), y + share * (w - y), strict=True)


def test_names_stand_off_points_lines_and_each_other(figures):
    """Each plot with names at its points has them; in the plots of vassoler, many coincide."""
    seen = set()
    for key, figure in figures.items():
        for axes in figure.axes:
            names = named(axes)
            seen |= {key} if names else set()
            for (one, box), (other, another) in combinations(names, 2):
                assert not box.overlaps(another), (key, one, other)
            places = np.array(list(covered(axes)))
            for text, box in names:
                # A leader is a thin line from a name to its point; it ends at the name's edge.
                inner = box.padded(-0.5)
                across = (places[:, 0] > inner.x0) & (places[:, 0] < inner.x1)
                hidden = across & (places[:, 1] > inner.y0) & (places[:, 1] < inner.y1)
                assert not hidden.any(), (key, text)
                assert axes.bbox.padded(0.5).contains(*box.min), (key, text)
                assert axes.bbox.padded(0.5).contains(*box.max), (key, text)
    wanted = {
        plot.key
        for study in STUDIES
        for section in study.sections
        for plot in section.blocks
        if isinstance(plot, Plot) and any(panel.names for row in plot.panels for panel in row)
    }
    assert seen == wanted
    assert {"area_performance", "li_chu_1024_bits", "vassoler_best"} <= seen


def test_numbers_at_axes_are_in_full(figures):
    texts = {
        text.get_text()
        for figure in figures.values()
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        for text in (*axis.get_ticklabels(), axis.get_offset_text())
    }
    assert {"20,000", "100,000", "0.05"} <= texts
    assert [x for x in texts if x and not re.fullmatch(r"\d{1,3}(,\d{3})*(\.\d+)?|\d{4}", x)] == []


def test_columns_have_words_for_people():
    printed = {"subject": "software_naive", "choices": {"software": "printed"}}
    assert label_of(Column("software_naive_as_printed", printed)) == "software naive, as printed"
    driven = {"subject": "proc_mont_r2l", "choices": {"stages": "8"}}
    assert label_of(Column("proc_mont_r2l_stages_8", driven)) == "processor with mont_r2l, stages=8"
    assert label_of(Column("axi_mont_r2l", {})) == "processor and bus with mont_r2l"
    assert label_of(Column("mont_r2l_shared", {})) == "mont_r2l_shared"
    assert label_of(Column("1022_bits", {"subject": "systolic"})) == "1022 bits"


def test_columns_of_all_documents_have_names_of_their_own(everything):
    for study in everything.content.studies:
        labels = [label for key, label in study.labels.items() if key in study.colours]
        assert len(labels) == len(set(labels))
        raw = [x for x in labels if "_as_printed" in x or x.startswith(("proc_", "axi_"))]
        assert raw == []
    assert len(everything.content.studies) == len(STUDIES)


def test_choices_have_words_that_tell_them_apart():
    for words in choice_words().values():
        assert len(set(words.values())) == len(words)
        assert not [x for x in words.values() if "_" in x]
