"""The page in a browser: no requests, filters, tooltips, cards, all widths, and paper."""

import shutil
import subprocess

import pytest

from tests.eval.opened_page import BROWSER, Opened

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
def opened(browser, page_file) -> Opened:
    return Opened(browser, page_file, 1400)


@pytest.fixture(scope="module")
def document(browser, document_file) -> Opened:
    return Opened(browser, document_file, 1400)


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
