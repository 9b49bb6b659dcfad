"""Energies in the report: parts, glitches and ranks of designs and systems."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.quantities import ENERGY_PARTS, QUANTITIES
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.report import content
from rsaxcel.eval.report.spec import NOTES
from rsaxcel.eval.report.words import FigureWords
from rsaxcel.flow.power.figures import PARTS
from tests.eval.made_up_records import GLITCH_FACTOR

pytestmark = pytest.mark.xdist_group("report")

_OF_A_FLOW = {"library": "freepdk-45nm", "clock_ns": 3.0, "stage": "synthesized", "nbits": 32}


def design(name, lower_nj, factor, activity="timed"):
    """Facts of a design; without glitches half of the energy is the clock's, only nets glitch."""
    about = {**_OF_A_FLOW, "operation": "decrypt", "activity": activity}
    parts = {
        "clock": lower_nj / 2,
        "wires": lower_nj / 2,
        "wires_glitches": lower_nj * (factor - 1),
    }
    figures = {
        "energy_nj": lower_nj * factor,
        "energy_lower_nj": lower_nj,
        "glitch_factor": factor,
        **{f"energy_{part}_nj": value for part, value in parts.items()},
    }
    return [Fact(name, x, value, "measured", **about) for x, value in figures.items()]


@pytest.fixture
def groups(tmp_path, monkeypatch):
    def grouped(facts):
        drawn = []
        monkeypatch.setattr(content, "draw_energies", lambda *about: drawn.append(about))
        return content.energy_groups(facts, {}, {}, tmp_path), drawn

    return grouped


def test_parts_are_those_of_the_flow():
    assert set(ENERGY_PARTS) == set(PARTS)
    assert all(f"energy_{part}_nj" in QUANTITIES for part in PARTS)


def test_who_changes_places_is_marked(groups):
    facts = [*design("mulrem_r2l", 3.0, 1.1), *design("mont_r2l", 2.0, 1.2)]
    ((group,), ((key, title, rows, *_),)) = groups(facts)
    assert [(x.label, x.places, x.moved) for x in group.rows] == [
        ("mont_r2l", (1, 1), 0),
        ("mulrem_r2l", (2, 2), 0),
    ]
    assert group.order == "The order by energy is the same with and without glitches."
    assert (key, title) == (
        "design_32_freepdk-45nm_3_timed",
        "Designs of 32 bits, freepdk-45nm, for 3 ns",
    )
    for row in rows:
        assert sum(row.parts.values()) == pytest.approx(row.figures["energy_nj"])
    facts = [*design("mulrem_r2l", 3.0, 1.1), *design("mont_r2l", 2.0, 1.9)]
    ((group,), _) = groups(facts)
    assert [(x.label, x.places, x.moved) for x in group.rows] == [
        ("mulrem_r2l", (2, 1), -1),
        ("mont_r2l", (1, 2), 1),
    ]
    assert group.order.endswith("order by energy: mulrem_r2l (2 to 1), mont_r2l (1 to 2).")


def test_what_cannot_be_compared_stands_apart(groups):
    wide = [replace(x, nbits=64) for x in design("mont_r2l", 9.0, 1.5)]
    facts = [*wide, *design("mont_r2l", 2.0, 1.0, "zero"), *design("mont_r2l", 2.0, 1.5)]
    (found, _) = groups(facts)
    assert [(x.title[:18], x.timed, x.folded) for x in found] == [
        ("Designs of 32 bits", True, False),
        ("Designs of 32 bits", False, False),
        ("Designs of 64 bits", True, True),
    ]


@pytest.mark.parametrize(
    ("activities", "words", "not_said"),
    [
        (["timed"], "glitches in them: gates have delays. Wires have delays", "lower bounds"),
        (["zero"], "Energies and powers are lower bounds", "gates have delays"),
        (["timed", "zero"], "Those at zero delay are lower bounds", "without glitches"),
    ],
)
def test_the_note_on_glitches_follows_the_activity(activities, words, not_said):
    facts = [fact for x in activities for fact in design("mont_r2l", 2.0, 1.5, x)]
    text = FigureWords(Facts(facts)).fill(NOTES["glitches"])
    assert words in text
    assert not_said not in text


def test_a_system_has_its_programs_parts_less_the_dummys(everything):
    where = {"subject": "proc_mont_r2l", "nbits": 32, "operation": "decrypt", "clock_ns": 3.0}
    facts = everything.content.facts

    def value(quantity):
        return facts.value({**where, "quantity": quantity}, printed=False)

    parts = [value(f"energy_{part}_nj") for part in PARTS]
    assert sum(parts) == pytest.approx(value("energy_nj"))
    whole, dummy = (value(f"{x}_energy_clock_nj") for x in ("program", "dummy"))
    assert value("energy_clock_nj") == pytest.approx(whole - dummy)
    assert value("glitch_factor") == pytest.approx(GLITCH_FACTOR)


def test_the_page_shows_it(everything):
    html = everything.html
    start = html.index('<h2 id="energies">')
    section = html[start : html.index("</section>", start)]
    for system in ("mont_r2l", "processor with <wbr>mont_r2l", "software naive"):
        assert re.sub("<wbr>", "", system) in re.sub("<wbr>", "", section)
    text = re.sub("<wbr>", "", section)
    assert "core: a_reg to b_reg, 11 gates" in text
    assert f"{GLITCH_FACTOR:.3f}" in text
    assert "core.store" in text
    assert section.count("<svg") == len(everything.content.energies)
    (folder,) = {everything.folder}
    assert (folder / "energy_design_32_freepdk-45nm_3_timed.png").stat().st_size > 10_000
