"""The page in a browser: requests, filters, cards, placed circuits, three widths, and paper."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.eval.made_up_report import FLOOR
from tests.eval.opened_page import BROWSER, HEIGHTS, Opened

pytestmark = BROWSER


#: Finds boxes that are narrower than their text, except boxes that scroll and elements of plots.
CUT_OFF = """() => [...document.querySelectorAll("main *, header *, nav *")].filter((x) =>
  !x.closest("svg, .plotly, .scroll") && x.clientWidth && x.scrollWidth > x.clientWidth + 1 &&
  getComputedStyle(x).display !== "inline").map((x) => x.outerHTML.slice(0, 90))"""
#: Finds words of a plot that lie outside of the plot.
OUTSIDE = """() => [...document.querySelectorAll("svg.plot text, .plotly .main-svg text")].filter(
  (x) => {
    const box = x.getBoundingClientRect(), whole = x.closest("svg").getBoundingClientRect();
    return box.width && (box.left < whole.left - 1 || box.right > whole.right + 1 ||
      box.top < whole.top - 1 || box.bottom > whole.bottom + 1);
  }).map((x) => x.textContent)"""

ROWS_ARE_NOT = "(n) => document.querySelectorAll('#explorer-table tbody tr').length !== n"


@pytest.fixture(scope="module")
def once(browser):
    """Open a page at a width, or find it opened: tests share pages, and leave them as they were."""
    pages = {}

    def find(file: Path, width: int = 1400) -> Opened:
        if (file, width) not in pages:
            pages[file, width] = Opened(browser, file, width)
        return pages[file, width]

    return find


@pytest.fixture
def opened(once, page_file) -> Opened:
    return once(page_file)


@pytest.fixture
def document(once, document_file) -> Opened:
    return once(document_file)


@pytest.fixture
def phone_document(once, document_file) -> Opened:
    return once(document_file, 420)


def shown_rows(opened: Opened) -> list[str]:
    return opened.page.locator("#explorer-table tbody tr th").all_inner_texts()


def test_nothing_is_said_and_nothing_comes_from_elsewhere(opened, page_file):
    assert opened.asked == [page_file.as_uri()]
    assert opened.said == []
    assert page_file.stat().st_size <= 6_000_000


def test_every_plot_has_marks(opened, document):
    counted = """() => [...document.querySelectorAll("figure")].map((x) =>
      [x.id, x.querySelectorAll("svg .mark, .scatterlayer .point").length])"""
    counts = [each for x in (opened, document) for each in x.page.evaluate(counted)]
    assert len(counts) > 5
    assert [name for name, count in counts if not count] == []


def test_filters_choose_what_plot_and_table_show(opened):
    page = opened.page
    before = shown_rows(opened)
    assert {"mont_r2l", "mulrem_r2l"} <= set(before)
    box = page.locator("[data-filter=multiplier][value=mul_rem]")
    box.check(force=True)
    after = shown_rows(opened)
    assert set(after) == {"mulrem_r2l", "proc_mulrem_r2l"}
    assert page.locator("#explorer-plot .scatterlayer .point").count() == len(after)
    assert f"{len(after)} of " in page.inner_text("#counted")
    box.uncheck(force=True)
    assert shown_rows(opened) == before


BETWEEN_CLICKS_MS = 600
"""Pause between clicks, longer than in a double click, which shows a design alone."""


def test_a_click_on_the_legend_hides_a_design(opened):
    page = opened.page
    before = shown_rows(opened)
    toggle = page.locator("#explorer-plot .legend .traces", has_text="mulrem_r2l").first
    toggle.locator(".legendtoggle").click()
    page.wait_for_function(ROWS_ARE_NOT, arg=len(before))
    shown = shown_rows(opened)
    assert set(before) - set(shown) == {"mulrem_r2l"}
    page.wait_for_timeout(BETWEEN_CLICKS_MS)
    toggle.locator(".legendtoggle").click()
    page.wait_for_function(ROWS_ARE_NOT, arg=len(shown))
    assert shown_rows(opened) == before


def test_columns_sort(opened):
    page = opened.page
    heading = page.locator("#explorer-table thead button", has_text="Cell area")
    for falling in (False, True):
        heading.click()
        index = heading.evaluate("x => x.closest('th').cellIndex")
        texts = page.locator(f"#explorer-table tbody tr > :nth-child({index + 1})")
        areas = [float(x.replace(",", "")) for x in texts.all_inner_texts() if x]
        assert areas == sorted(areas, reverse=falling)
        assert len(set(areas)) > 3


def test_pointing_tells_figures(opened, document):
    page = opened.page
    point = page.locator("#explorer-plot .scatterlayer .point").last
    point.scroll_into_view_if_needed()
    box = point.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    said = page.locator("#explorer-plot .hoverlayer .hovertext").first
    said.wait_for()
    assert "Cell area (µm²)" in said.text_content()
    # In a plot of a document, the browser shows an element's title.
    titles = document.page.locator("svg.plot .mark > title").all_text_contents()
    assert any(x.startswith("proc_mont_r2l: ") and "energy (nJ): " in x for x in titles)


def test_a_design_is_hidden_in_tables_and_figures(document):
    page = document.page
    button = page.locator("button[data-toggle=proc_mont_r2l]").first
    column = page.locator("#systems_cycles [data-series=proc_mont_r2l]")
    mark = page.locator("#plot-systems_energy_performance [data-series=proc_mont_r2l]")
    assert column.first.is_visible()
    page.locator("summary", has_text="Columns to show or to hide").first.click()
    button.click()
    for elements in (column, mark):
        assert elements.count()
        assert not any(x.is_visible() for x in elements.all())
    button.click()
    assert column.first.is_visible()


def test_a_card_shows_what_is_inside(opened):
    page = opened.page
    page.locator("#design-mont_r2l > summary").click()
    card = page.locator("#design-mont_r2l section.variant:not([hidden])")
    card.locator(".treemaplayer .slice").first.wait_for()
    assert card.locator(".treemaplayer .slice").count() > 10
    assert card.locator(".js-plotly-plot").count() == 4
    assert card.locator(".barlayer .point").count() >= 4 + 2
    text = card.inner_text()
    assert "Longest path: 2 pins, 2.500 ns; required at 2.250 ns; slack -0.250 ns" in text
    for words in ("NAND2_X1", "a_reg[3]/Q", "as measured", "netlist", "rsaxcel flow mont_r2l"):
        assert words in text
    assert "Not kept of it" not in text
    # Another row of the card's table is another circuit.
    rows = page.locator("#design-mont_r2l .variants tbody tr")
    assert rows.count() == 3  # synthesized, placed, and built as in the document
    rows.nth(2).click()
    shown = page.locator("#design-mont_r2l section.variant:not([hidden])")
    assert "schedule=r2l_every_square" in shown.inner_text()


def test_no_text_is_cut_off(browser, page_file):
    for width, colours in ((400, "light"), (1400, "dark")):
        opened = Opened(browser, page_file, width, colours)
        page = opened.page
        page.evaluate("document.querySelectorAll('details').forEach((x) => (x.open = true))")
        page.locator("#design-mont_r2l .treemaplayer .slice").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate(CUT_OFF) == []
        assert page.evaluate(OUTSIDE) == []
        page.goto(page_file.with_name("mcnay_2023.html").as_uri())
        page.evaluate("document.querySelectorAll('details').forEach((x) => (x.open = true))")
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate(CUT_OFF) == []
        assert page.evaluate(OUTSIDE) == []
        assert opened.said == []
        page.close()


def test_contents_stay_in_sight(opened):
    page = opened.page
    page.locator("#provenance").scroll_into_view_if_needed()
    box = page.locator("#contents").bounding_box()
    assert 0 <= box["y"] < 100
    assert page.locator("#contents a.here").count() == 1


def test_paper_has_all_text(browser, page_file, tmp_path):
    opened = Opened(browser, page_file, 1400)
    opened.page.locator("#design-mont_r2l > summary").click()
    opened.page.emulate_media(media="print")
    pixels = round(186 / 25.4 * 96)  # width of A4 between its margins
    opened.page.set_viewport_size({"width": pixels, "height": 1000})
    opened.page.evaluate("openFolds(), fitPaper()")
    assert opened.page.evaluate(CUT_OFF) == []
    assert opened.page.evaluate(OUTSIDE) == []
    too_wide = """(most) => [...document.querySelectorAll("main *")].filter((x) =>
      !x.closest(".plotly") && x.getBoundingClientRect().right > most + 1).map((x) =>
      x.outerHTML.slice(0, 90))"""
    assert opened.page.evaluate(too_wide, pixels) == []
    opened.page.pdf(path=tmp_path / "page.pdf", format="A4", prefer_css_page_size=True)
    opened.page.close()
    if shutil.which("pdftotext"):
        run = subprocess.run(
            ["pdftotext", "-layout", tmp_path / "page.pdf", "-"], capture_output=True, text=True
        )
        for words in ("RSA accelerators, measured", "Provenance", "slack -0.250 ns"):
            assert words in run.stdout


TALLEST = 12_500
"""Greatest height in pixels of the whole page of a standard report, on a screen of width 1400."""

#: Counts cells with figures that lie entirely inside the screen, and inside the box that scrolls.
SEEN = """(cells) => [...document.querySelectorAll(cells)].filter((x) => {
    const box = x.getBoundingClientRect(), around = x.closest(".scroll").getBoundingClientRect();
    return /[0-9]/.test(x.textContent) && box.width && box.left >= 0 && box.top >= 0 &&
      box.right <= Math.min(innerWidth, around.right) + 1 && box.bottom <= innerHeight;
  }).length"""
#: Least contrast between a tile and its name, as defined in WCAG 2.
CONTRAST = Path(__file__).with_name("contrast.js").read_text("utf-8")


@pytest.mark.parametrize(("width", "colours"), [*((x, "light") for x in HEIGHTS), (1400, "dark")])
def test_the_first_screen_has_the_plot_and_the_best(browser, choice_file, width, colours):
    opened = Opened(browser, choice_file, width, colours)
    assert opened.said == []
    inside = """(x) => [...document.querySelectorAll(x)].filter((y) =>
      y.getClientRects().length && y.getBoundingClientRect().bottom <= innerHeight).length"""
    assert opened.page.evaluate(inside, "#plot-choice_32 svg") == 1
    assert opened.page.evaluate(inside, ".bests .card") == 4
    small = """[...document.querySelectorAll("#plot-choice_32 svg text")].filter((y) =>
      y.getClientRects().length && y.getBoundingClientRect().height < 8).length"""
    assert opened.page.evaluate(small) == 0
    assert opened.page.evaluate("document.documentElement.scrollWidth") == width
    opened.page.close()


@pytest.mark.parametrize("width", HEIGHTS)
def test_the_first_table_shows_figures_beside_designs(once, page_file, width):
    page = once(page_file, width).page
    page.locator("#explorer-table").scroll_into_view_if_needed()
    page.locator("#explorer-table").evaluate("x => x.closest('.scroll').scrollIntoView()")
    figures = page.evaluate(SEEN, "#explorer-table tbody tr:first-child td:not(.text)")
    assert figures >= (3 if page.viewport_size["width"] == 420 else 9)
    assert page.locator("#explorer-table thead").bounding_box()["height"] <= 76
    heads = page.locator("#explorer-table thead th").all_inner_texts()
    first = [re.sub(r"\W", "", x) for x in heads]
    assert first[-1] == "Choices"
    assert first.index("Cycles") < first.index("Multiplier") < first.index("Schedule")


def test_what_all_circuits_have_in_common_is_said_once(opened):
    about = opened.page.inner_text("#explorer-about")
    assert "All circuits: 32 bits, freepdk-45nm, for a clock of 3 ns." in about
    assert "Of a decryption: cycles, time" in about
    heads = " ".join(opened.page.locator("#explorer-table thead th").all_inner_texts())
    assert not re.search("Width|Library|Clock \\(ns\\)|decrypt", heads)


def test_circuits_that_are_left_out_are_named_with_the_reason(opened):
    page = opened.page
    (of, whole) = re.match(r"(\d+) of (\d+) circuits", page.inner_text("#counted")).groups()
    assert int(whole) - int(of) == 14
    said = page.inner_text("#left-out")
    assert "Time (µs), decryption (only software runs on it): proc_null (14 circuits)" in said
    page.locator("[data-filter=form][value=system]").check(force=True)
    said = page.inner_text("#left-out")
    assert "because of the filters: " in said
    assert "mulrem_r2l (3 circuits)" in said
    page.locator("[data-filter=form][value=system]").uncheck(force=True)


def test_designs_and_systems_are_told_apart(opened, document):
    page = opened.page
    shapes = dict(
        page.evaluate(
            """() => document.getElementById("explorer-plot").data.filter((x) => x.marker).map(
              (x) => [x.name, x.marker.symbol[0]])"""
        )
    )
    assert shapes["mont_r2l"] == "circle"
    assert shapes["proc_mont_r2l"] == "diamond"
    legend = page.locator("#explorer-plot .legend").text_content()
    parts = ("designs", "mont_r2l", "front of the designs", "systems", "front of the systems")
    places = [legend.index(x) for x in parts]
    assert places == sorted(places)
    # The marks are also shown in lists.
    for marks in ("#explorer-table tbody", "details.design"):
        assert page.locator(f"{marks} .dot.system").count() > 1
    found = document.page.locator
    assert found("#systems_cycles .dot.system").count() > 1
    assert found("#cycles .dot").count() > found("#cycles .dot.system").count() == 0


def test_the_two_fronts_are_explained(opened):
    page = opened.page
    said = page.inner_text("#explorer-caption")
    assert "the front of the designs is dotted and the front of the systems is dashed" in said
    assert "These fronts are not to be compared" in said
    page.uncheck("#front")
    assert "front" not in page.inner_text("#explorer-caption")
    page.check("#front")


@pytest.mark.parametrize("logarithmic", [True, False])
def test_numbers_of_axes_are_complete_and_of_one_size(opened, logarithmic):
    page = opened.page
    page.set_checked("#logarithmic", logarithmic)
    for name in ("cycles", "area_um2", "time_us"):
        page.select_option("#axis-x", name)
        found = page.evaluate(
            """() => [...document.querySelectorAll("#explorer-plot :is(.xtick, .ytick) text")].map(
              (x) => [x.textContent, getComputedStyle(x).fontSize])"""
        )
        assert len(found) > 4
        assert len({size for _, size in found}) == 1
        texts = [text for text, _ in found]
        assert [x for x in texts if not re.fullmatch(r"\d{1,3}(,\d{3})*(\.\d+)?", x)] == []
    page.set_checked("#logarithmic", True)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_names_of_tiles_can_be_read(browser, page_file, colours):
    opened = Opened(browser, page_file, 1400, colours)
    for name in ("mont_r2l", "proc_mulrem_r2l"):
        opened.page.locator(f"#design-{name} > summary").click()
        opened.page.locator(f"#design-{name} .treemaplayer .slice").first.wait_for()
        assert opened.page.evaluate(CONTRAST, f"#design-{name}") >= 4.5
    opened.page.close()


def test_nothing_lies_over_figures_and_labels_are_short_on_a_phone(once, page_file, phone_document):
    page = phone_document.page
    # The line at the edge of a scrolling box is too thin to look like a digit.
    sizes = page.evaluate(
        """() => [...document.querySelectorAll("main .scroll")].flatMap((x) =>
          getComputedStyle(x).backgroundSize.match(/[0-9.]+px/g).map(parseFloat))"""
    )
    assert sizes
    assert max(sizes) <= 4
    lines = page.evaluate(
        """() => [...document.querySelectorAll(".figures tbody tr:not(.section) th")].filter(
          (x) => x.offsetParent).map((x) => {
            const style = getComputedStyle(x);
            const around = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
            return (x.clientHeight - around) / parseFloat(style.lineHeight);
          })"""
    )
    assert len(lines) > 30
    assert max(lines) < 2.5
    tools, points = (
        once(page_file, 420).page.locator(f"#explorer-plot {x}").first.bounding_box()
        for x in (".modebar", ".nsewdrag")
    )
    assert tools["y"] + tools["height"] <= points["y"] + 1


def test_a_phone_shows_two_columns_beside_labels(phone_document):
    page = phone_document.page
    for table, columns in (("systems_cycles", 3), ("cycles", 2)):
        page.locator(f"#{table}").evaluate("x => x.scrollIntoView()")
        row = f"#{table} tbody tr:nth-child(2) td"
        assert page.evaluate(SEEN, row) >= columns


def test_what_is_secondary_is_folded(document):
    page = document.page
    assert page.evaluate("document.documentElement.scrollHeight") < TALLEST
    lines = page.locator("details.fold > summary").all_inner_texts()
    assert len(lines) > 10
    for line in ("Energy as time and power", "The systems as the document has them", "Notes"):
        assert any(x.startswith(line) for x in lines)
    assert "15 rows: energy over software naive" in " ".join(lines)
    # The tables that a reader looks for first are not folded.
    for table in ("systems_cycles", "speedups", "systems_area", "systems_energy", "area"):
        assert page.locator(f"#{table}").is_visible()


def test_an_address_within_a_fold_opens_it(browser, document_file):
    opened = Opened(browser, document_file, 1400, anchor="#note-mcnay_2023-5")
    page = opened.page
    note = page.locator("#note-mcnay_2023-5")
    assert note.is_visible()
    assert 0 <= note.bounding_box()["y"] < HEIGHTS[1400]
    # A mark beside a heading leads to another note, also repeatedly.
    for _ in range(2):
        page.locator("summary", has_text="Notes").click()
        assert not note.is_visible()
        page.locator("h4", has_text="Speed-up").first.locator("sup a").first.click()
        assert page.locator("#note-mcnay_2023-3").is_visible()
    page.close()


def test_paper_has_what_is_folded(browser, document_file, tmp_path):
    opened = Opened(browser, document_file, 1400)
    page = opened.page
    counted = "() => document.querySelectorAll('details.fold:not([open], .list)').length"
    folded = page.evaluate(counted)
    page.evaluate(f"addEventListener('beforeprint', () => window.left = ({counted})())")
    page.pdf(path=tmp_path / "page.pdf", format="A4")
    assert page.evaluate("window.left") == 0
    assert page.evaluate(counted) == folded > 10
    page.close()


@pytest.fixture(scope="module")
def card(browser, page_file):
    opened = Opened(browser, page_file, 1400)
    card = opened.page.locator("#design-mont_r2l")
    card.locator("> summary").click()
    return card.locator(".inside .whole", has=opened.page.locator(".floor-plan")).first


def test_modules_are_drawn_and_told(card):
    groups = card.locator("svg .group")
    assert groups.count() == len(FLOOR["groups"])
    assert groups.first.get_attribute("d").count("M") == 3
    assert groups.first.locator("title").text_content() == (
        "core.store: 60 µm², 3.000 nJ in decrypt, 25.0 % by glitches"
    )
    rows = card.locator("tbody tr").all_inner_texts()
    assert rows[0].split() == ["core.store", "60", "12", "3.000", "25.0"]


def test_a_click_tells_area_energy_and_glitches(card):
    said = card.locator("[aria-live]")
    group = card.locator("svg .group").nth(1)
    group.focus()
    card.page.keyboard.press("Enter")
    assert said.inner_text() == (
        "core, the rest: 20 µm², 25.0 % of the cells' area, 3 cells; encrypt 0.500 nJ, 0.0 % "
        "of it by glitches; decrypt 1.000 nJ, 0.0 % of it by glitches."
    )
    assert card.locator("svg .group.dim").count() == 1
    button = card.locator("tbody button").nth(1)
    assert button.get_attribute("aria-pressed") == "true"
    button.click()
    assert card.locator("svg .group.dim").count() == 0
    box = card.locator("svg").bounding_box()
    across, up = FLOOR["unit"]
    scale = box["width"] / FLOOR["size"][0]
    card.page.mouse.click(box["x"] + 5 * across * scale, box["y"] + box["height"] - up * scale / 2)
    assert said.inner_text().startswith("core.store: 60 µm², 75.0 %")


def test_keys_and_buttons_zoom(card):
    svg = card.locator("svg")
    assert svg.get_attribute("viewBox") == "0 0 20 14"
    card.get_by_role("button", name="Zoom in").click()
    assert svg.get_attribute("viewBox").split()[2:] == ["13.333", "9.333"]
    svg.focus()
    card.page.keyboard.press("ArrowRight")
    assert float(svg.get_attribute("viewBox").split()[0]) == pytest.approx(6.0, abs=0.01)
    card.page.keyboard.press("0")
    assert svg.get_attribute("viewBox") == "0.000 0.000 20.000 14.000"


@pytest.mark.parametrize(
    ("view", "said"),
    [
        ("energy", "900 nW/µm². In decrypt"),
        ("capacity", "Demand 40.0 % of all tracks, overflow 3 (red)."),
        ("clock", "1 buffers, 1 clock gates; latency up to 0.125 ns, skew 0.025 ns. 1 more level"),
    ],
)
def test_maps_and_clock_tree(card, view, said):
    card.locator("select").select_option(view)
    assert said in card.locator("svg + .note").inner_text()
    assert card.locator("svg image").count() == (view != "clock")
    assert card.locator("svg .branch").count() == 2 * (view == "clock")
    names = card.locator("select option").evaluate_all("x => x.map((y) => y.value)")
    assert names == ["modules", "energy", "capacity", "clock"]
    card.locator("select").select_option("modules")
