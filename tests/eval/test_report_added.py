"""Designs that are measured beside the standard ones because somebody asks for them."""

import csv
import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

import catalog
from eval.report import (
    ReportIncomplete,
    accelerator_plots,
    export,
    page,
    system_plots,
    terminal,
    write_report,
)
from eval.report.notes import GLITCHES, NOTES
from eval.report.published import published
from eval.report.subjects import (
    ACCELERATORS,
    STANDARD_NBITS,
    added_subjects,
    find_hardware,
)
from tests.eval import report_records


@pytest.fixture(autouse=True, scope="module")
def newcomer():
    """Registers a design as somebody would who knows nothing of the report."""
    design = replace(
        catalog.DESIGNS["ssmm_r2l"],
        name="newcomer",
        summary="made up for a test",
        source="nobody, 2001",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(catalog.DESIGNS, design.name, design)
        yield


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """Content of a report that nobody asked for more."""
    return report_records.content(tmp_path_factory.mktemp("alone"))


@pytest.fixture(scope="module")
def beside(tmp_path_factory):
    """Content of a report that was asked for two designs."""
    added = added_subjects(["montmul_r2l", "newcomer"], {})
    return report_records.content(tmp_path_factory.mktemp("beside"), added)


def write(folder, flow=report_records.flow, names=("newcomer",), params=()):
    """Write a report; give its page, figures and text on the terminal."""
    console = Console(record=True, width=160, file=io.StringIO())
    added = added_subjects(names, dict(params))
    try:
        write_report(folder, added=added, flow=flow, progress=lambda line: None, console=console)
    finally:
        html = (folder / "index.html").read_text().replace("<wbr>", "")
        figures = json.loads((folder / "figures.json").read_text())
    return html, figures, console.export_text()


def test_registered_design_appears_when_asked_for(tmp_path):
    html, figures, text = write(tmp_path)
    for name in ("newcomer", "proc_newcomer"):
        assert figures["records"][name]["hash"] == f"{name} in hash"
        assert f"{name} in hash" in html
    assert figures["designs"]["newcomer"]["area_um2"] == {"measured": 3000.0, "printed": None}
    assert figures["systems"]["proc_newcomer"]["encrypt_cycles"]["measured"] == 1211 - 11
    assert "made up for a test" in html
    assert "nobody, 2001" in html
    # 3000 um2 over 15000 and 80000, of the standard designs' records.
    over = {
        x: figures["designs"]["newcomer"][f"area_over_{x}_ratio"]
        for x in ("mulrem_r2l", "mont_r2l")
    }
    assert [x["measured"] for x in over.values()] == [0.2, 0.0375]
    row = [line.split() for line in text.splitlines() if line.startswith("Encryption, energy")]
    assert row == [["Encryption,", "energy", "(nJ)", "6.125", "4.625", "1.375", "2.250"]]
    with (tmp_path / "figures.csv").open() as file:
        rows = {(x["group"], x["name"], x["quantity"]): x for x in csv.DictReader(file)}
    assert rows["designs", "newcomer", "encrypt_energy_nj"]["measured"] == "2.25"
    # in plots and their labels
    start = html.index('<figure id="plot-area_performance"')
    assert "newcomer" in html[start : html.index("</figure>", start)]


def test_figures_over_those_of_standard_designs_by_hand(beside):
    table = next(x for x in beside.tables if x.key == "added")
    assert table.columns == ["montmul_r2l", "newcomer"]

    def over(key):
        return table.row(f"{key}_ratio").cells["newcomer"].measured

    assert over("min_period_over_mont_r2l") == pytest.approx(2.0 / 4.0)
    assert over("decrypt_cycles_over_mulrem_r2l") == pytest.approx(2044 / 1022)
    # It runs at the constraint of 3.0 ns, mont_r2l needs 4.0.
    assert over("encrypt_time_over_mont_r2l") == pytest.approx(1160 * 3.0 / (135 * 4.0))
    assert over("decrypt_energy_over_mont_r2l_shared") == pytest.approx(4.5 / 2.375)
    html = page.render(beside)
    start = html.index('<table id="added">')
    assert GLITCHES in html[start : html.index("</section>", start)]


def test_standard_figures_do_not_change(alone, beside):
    before, after = export.figures(alone), export.figures(beside)
    for group in ("systems", "designs", "records"):
        assert {name: after[group][name] for name in before[group]} == before[group]
        assert set(after[group]) - set(before[group])
    for key in ("workload", "energy_orders", "area_ratio"):
        assert after[key] == before[key]


def test_design_that_nobody_asks_for_is_named(alone, beside):
    html = page.render(alone)
    listed = html[html.index("Not measured here:") :].split("</p>")[0]
    assert "newcomer" in listed
    assert not any(f" {x.design}," in listed for x in ACCELERATORS)
    console = Console(record=True, width=160, file=io.StringIO())
    terminal.show(console, alone)
    (line,) = [x for x in console.export_text().splitlines() if x.startswith("Not measured:")]
    assert "newcomer" in line
    assert set(alone.unmeasured) - set(beside.unmeasured) == {"montmul_r2l", "newcomer"}


def test_standard_design_is_not_added_again():
    assert added_subjects([x.design for x in ACCELERATORS], {}) == ()
    assert added_subjects(["mont_r2l"], {"stages": "4"}) == ()  # the default
    names = [x.name for x in added_subjects(["newcomer", "mont_r2l", "newcomer"], {})]
    assert names == ["proc_newcomer", "newcomer"]


def test_parameters_make_another_column(tmp_path):
    added = added_subjects(["mont_r2l"], {"stages": "8"})
    assert [x.name for x in added] == ["proc_mont_r2l_stages_8", "mont_r2l_stages_8"]
    hardware = find_hardware(added)
    assert list(hardware) == [x.name for x in added]
    for measured in hardware.values():
        assert (measured.nbits, measured.params["stages"]) == (STANDARD_NBITS, 8)
    _, figures, _ = write(tmp_path, names=["mont_r2l"], params={"stages": "8"}.items())
    assert {"mont_r2l", "mont_r2l_stages_8"} < set(figures["designs"])
    # what is printed of the standard design is not of this one
    printed = {name: x["area_um2"]["printed"] for name, x in figures["designs"].items()}
    assert printed["mont_r2l"]["value"] == 75283.586
    assert printed["mont_r2l_stages_8"] is None


def test_constants_that_the_processor_computes_are_told(alone, beside, tmp_path):
    shown = report_records.content(tmp_path, added_subjects(["systolic_l2r_always"], {}))
    words = NOTES["constants"]
    html = page.render(shown)
    for key in ("systems_cycles", "speedups", "systems_energy", "energy_ratios", "energy_parts"):
        start = html.index("</table>", html.index(f'<table id="{key}">'))
        assert words in html[start : start + 2000]
    start = html.index('<figure id="plot-systems_energy_performance"')
    assert words in html[start : html.index("</figure>", start)]
    for other in (alone, beside):
        assert words not in page.render(other)


def test_added_design_that_fails_leaves_the_standard_ones(tmp_path):
    def flow(measured, progress):
        if measured == catalog.get("newcomer").configure(STANDARD_NBITS):
            raise RuntimeError("no such cell")
        return report_records.flow(measured, progress)

    with pytest.raises(ReportIncomplete, match="no figures of newcomer: no such cell"):
        write(tmp_path, flow)
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert list(figures["designs"]) == sorted(x.name for x in ACCELERATORS)
    assert "proc_newcomer" in figures["systems"]
    assert '<table id="added">' not in (tmp_path / "index.html").read_text()


def test_colours_hold_whatever_has_figures(alone, beside, tmp_path):
    gaps = ["montmul_r2l", "proc_mont_r2l"]
    part = report_records.content(tmp_path, beside.added, without=gaps)
    assert part.colours == beside.colours
    assert beside.colours["newcomer"] == beside.colours["proc_newcomer"]
    assert beside.colours["newcomer"] != beside.colours["montmul_r2l"]
    assert {name: beside.colours[name] for name in alone.colours} == alone.colours
    # and a plot uses them
    figure = accelerator_plots.area_performance(part.accelerators, part.colours)
    (label,) = [x for x in figure.axes[0].texts if x.get_text() == "newcomer"]
    assert label.get_color() == beside.colours["newcomer"]


def test_plots_show_as_many_systems_as_are_asked_for(tmp_path, monkeypatch):
    names = [f"newcomer_{x}" for x in range(6)]
    for name in names:
        entry = replace(catalog.DESIGNS["newcomer"], name=name)
        monkeypatch.setitem(catalog.DESIGNS, name, entry)
    shown = report_records.content(tmp_path, added_subjects(names, {}))
    assert len({shown.colours[name] for name in shown.systems}) == len(shown.systems)
    for figure in (
        system_plots.area_performance(shown.systems, published(), shown.colours),
        accelerator_plots.area_performance(shown.accelerators, shown.colours),
    ):
        labels = {text.get_text() for text in figure.axes[0].texts}
        assert len(labels & {f"{prefix}{x}" for x in names for prefix in ("", "proc_")}) == 6
