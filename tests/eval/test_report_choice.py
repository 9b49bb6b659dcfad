"""The first page's choice of a design: front, best ones and their price, and when it is written."""

import re
import time

import pandas as pd
import pytest

from rsaxcel.eval.facts.points import COLUMNS
from rsaxcel.eval.measure.collect import collect
from rsaxcel.eval.report import build, choice
from rsaxcel.eval.studies import designs
from rsaxcel.store.whole_files import write_whole
from tests.eval.made_up_jobs import failing, work

LIBRARY = "freepdk-45nm"
FIGURES = {  #: area, time, energy; the first four are on the front
    "ssmm_r2l": (2000.0, 4.0, 9.0),
    "mont_r2l_shared": (2100.0, 3.0, 6.0),
    "montmul_r2l": (5000.0, 1.0, 7.0),
    "crt_window": (20_000.0, 0.5, 8.0),
    "mulrem_r2l": (5000.0, 3.5, 30.0),
    "cm_r2l": (4000.0, 0.25, 2.0),
}


def points(energies=True, **more):
    rows = [
        {"form": "design", "subject": name, "nbits": 32, "choices": "", "library": LIBRARY}
        | {"stage": "synthesized", "clock_ns": 0.5, "modulus": "one" if name == "cm_r2l" else "any"}
        | {"area_um2": area, "time_us": us, "energy_nj": nj if energies else float("nan")}
        | {"area_time_um2_ms": area * us / 1e3, "cycles": 1e3 * us, "min_period_ns": 1.0}
        for name, (area, us, nj) in FIGURES.items()
    ]
    rows.append({**rows[0], "stage": "placed", "clock_ns": 1.5, "area_um2": 2500.0, **more})
    return pd.DataFrame(rows, columns=list(COLUMNS))


def found(tmp_path, **asked):
    colours = dict.fromkeys(FIGURES, "#112233")
    return choice.choices(points(**asked), colours, LIBRARY, tmp_path)


def test_front_and_best_are_those_for_any_modulus(tmp_path):
    (shown,) = found(tmp_path)
    assert [x.name for x in shown.candidates if x.on_front] == [
        "montmul_r2l",
        "mont_r2l_shared",
        "ssmm_r2l",
        "crt_window",
    ]
    assert [x.name for x in shown.candidates if x.one_modulus] == ["cm_r2l"]
    assert [f"{x.title}: {x.design.name}, {x.text}; {x.price}" for x in shown.bests] == [
        "Least area: ssmm_r2l, 2,000 µm²; 8.0 times the least time, 1.5 times the least energy",
        "Least time: crt_window, 0.500 µs; 10 times the least area, 1.3 times the least energy",
        "Least energy: mont_r2l_shared, 6.000 nJ; 1.1 times the least area, 6.0 times the least "
        "time",
        "Least area x time: montmul_r2l, 5.00 µm² ms; 2.5 times the least area, 2.0 times the "
        "least time, 1.2 times the least energy",
    ]
    narrower = {x.title: x.narrower and x.narrower.design.name for x in shown.bests}
    assert narrower.pop("Least area") is None
    assert set(narrower.values()) == {"cm_r2l"}


def test_without_energies_the_best_by_the_others_are_told(tmp_path):
    (shown,) = found(tmp_path, energies=False)
    assert [x.title for x in shown.bests] == ["Least area", "Least time", "Least area x time"]
    assert "energy" not in " ".join(x.price for x in shown.bests)


def test_other_points_of_a_design_are_folded_into_its_row(tmp_path):
    (shown,) = found(tmp_path)
    (row,) = (x for x in shown.candidates if x.name == "ssmm_r2l")
    assert row.variants == {
        "32 bits; freepdk-45nm; for 1.5 ns; placed": "2,500 µm², 4.000 µs, 9.000 nJ"
    }
    assert (row.dependent, row.one_modulus) == ("exponent and base", False)
    assert all(not x.variants for x in shown.candidates if x is not row)


def test_points_of_something_else_are_no_candidates(tmp_path):
    (usual,) = found(tmp_path)
    for name in ("subject", "library", "form"):
        other = {"stage": "synthesized", "clock_ns": 0.5, "area_um2": 1.0, name: "other"}
        if name == "subject":
            other["form"] = "other"
        (shown,) = found(tmp_path, **other)
        assert [x.name for x in shown.candidates] == [x.name for x in usual.candidates], name


def test_without_a_result_an_earlier_page_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(designs, "designs_at", lambda nbits: ["ssmm_r2l"])
    monkeypatch.setattr(build, "kept", lambda jobs, tell: {})
    doing = failing("")
    monkeypatch.setattr(build, "collect", lambda x, tell, *_, **known: collect(x, tell, doing))
    (tmp_path / "index.html").write_text("earlier")
    with pytest.raises(build.ReportIncomplete):
        build.write_report(tmp_path, [designs.study()], progress=lambda line: None)
    assert (tmp_path / "index.html").read_text() == "earlier"


def test_circuits_for_one_modulus_alone_have_no_front(tmp_path):
    rows = points()
    colours = dict.fromkeys(FIGURES, "#112233")
    alone = rows[rows["modulus"] == "one"]
    (shown,) = choice.choices(alone, colours, LIBRARY, tmp_path)
    assert [x.name for x in shown.candidates] == ["cm_r2l"]
    assert {x.design.name for x in shown.bests} == {"cm_r2l"}
    assert 'data-series="front"' not in shown.plot.svg


def test_the_page_is_there_before_energies_and_says_what_is_missing(here, monkeypatch):
    names = ["mulrem_r2l", "ssmm_r2l", "cm_r2l"]
    monkeypatch.setattr(designs, "designs_at", lambda nbits: names)
    monkeypatch.setattr(build, "kept", lambda jobs, tell: {})
    pages, measured = [], []

    def measure(measurements, tell, _, *, found):
        ends = time.monotonic() + 60
        while found and not pages and time.monotonic() < ends:  # the page does not wait for flows
            time.sleep(0.01)
        return collect(measurements, tell, work, found=found)

    monkeypatch.setattr(build, "collect", measure)
    monkeypatch.setattr(
        build, "write_whole", lambda path, text: (pages.append(text), write_whole(path, text))
    )
    build.write_report(here, [designs.study()], show=lambda content: None, progress=measured.append)
    first, last = pages
    waiting = "Still being measured: energies."
    assert (waiting in first, "Still being" in last) == (True, False)
    assert ("Least energy" in first, "Least energy" in last) == (False, True)
    for page in pages:
        assert [x for x in names if f'id="row-{x}-32"' in page] == names
        assert re.search(r'<svg[^>]*aria-label="Area over the time', page)
    assert any("energies follow" in x for x in measured)
