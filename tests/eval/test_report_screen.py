"""The page on screens of three widths: figures are in sight, plots and tables are readable."""

import re
from pathlib import Path

import pytest

from tests.eval.opened_page import BROWSER, HEIGHTS, Opened

pytestmark = BROWSER

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


@pytest.fixture(scope="module", params=HEIGHTS)
def screen(request, browser, page_file):
    opened = Opened(browser, page_file, request.param)
    yield opened
    opened.page.close()


@pytest.fixture(scope="module")
def wide(browser, page_file):
    opened = Opened(browser, page_file, 1400)
    yield opened
    opened.page.close()


@pytest.fixture(scope="module")
def wide_document(browser, document_file):
    opened = Opened(browser, document_file, 1400)
    yield opened
    opened.page.close()


@pytest.fixture(scope="module")
def phone_document(browser, document_file):
    opened = Opened(browser, document_file, 420)
    yield opened
    opened.page.close()


@pytest.fixture(scope="module")
def phone(browser, page_file):
    opened = Opened(browser, page_file, 420)
    yield opened
    opened.page.close()


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("width", HEIGHTS)
def test_the_first_screen_has_the_plot_and_the_best(browser, everything, width, colours):
    opened = Opened(browser, everything.folder / "index.html", width, colours)
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


def test_the_first_table_shows_figures_beside_designs(screen):
    page = screen.page
    page.locator("#explorer-table").scroll_into_view_if_needed()
    page.locator("#explorer-table").evaluate("x => x.closest('.scroll').scrollIntoView()")
    figures = page.evaluate(SEEN, "#explorer-table tbody tr:first-child td:not(.text)")
    assert figures >= (3 if page.viewport_size["width"] == 420 else 9)
    assert page.locator("#explorer-table thead").bounding_box()["height"] <= 76
    heads = page.locator("#explorer-table thead th").all_inner_texts()
    first = [re.sub(r"\W", "", x) for x in heads]
    assert first[-1] == "Choices"
    assert first.index("Cycles") < first.index("Multiplier") < first.index("Schedule")


def test_what_all_circuits_have_in_common_is_said_once(wide):
    about = wide.page.inner_text("#explorer-about")
    assert "All circuits: 32 bits, freepdk-45nm, for a clock of 3 ns." in about
    assert "Of a decryption: cycles, time" in about
    heads = " ".join(wide.page.locator("#explorer-table thead th").all_inner_texts())
    assert not re.search("Width|Library|Clock \\(ns\\)|decrypt", heads)


def test_circuits_that_are_left_out_are_named_with_the_reason(wide):
    page = wide.page
    (of, whole) = re.match(r"(\d+) of (\d+) circuits", page.inner_text("#counted")).groups()
    assert int(whole) - int(of) == 14
    said = page.inner_text("#left-out")
    assert "Time (µs), decryption (only software runs on it): proc_null (14 circuits)" in said
    page.locator("[data-filter=form][value=system]").check(force=True)
    said = page.inner_text("#left-out")
    assert "because of the filters: " in said
    assert "mulrem_r2l (3 circuits)" in said
    page.locator("[data-filter=form][value=system]").uncheck(force=True)


def test_designs_and_systems_are_told_apart(wide, wide_document):
    page = wide.page
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
    found = wide_document.page.locator
    assert found("#systems_cycles .dot.system").count() > 1
    assert found("#cycles .dot").count() > found("#cycles .dot.system").count() == 0


def test_the_two_fronts_are_explained(wide):
    page = wide.page
    said = page.inner_text("#explorer-caption")
    assert "the front of the designs is dotted and the front of the systems is dashed" in said
    assert "These fronts are not to be compared" in said
    page.uncheck("#front")
    assert "front" not in page.inner_text("#explorer-caption")
    page.check("#front")


@pytest.mark.parametrize("logarithmic", [True, False])
def test_numbers_of_axes_are_complete_and_of_one_size(wide, logarithmic):
    page = wide.page
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


def test_nothing_lies_over_figures_and_labels_are_short_on_a_phone(phone, phone_document):
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
        phone.page.locator(f"#explorer-plot {x}").first.bounding_box()
        for x in (".modebar", ".nsewdrag")
    )
    assert tools["y"] + tools["height"] <= points["y"] + 1


def test_a_phone_shows_two_columns_beside_labels(phone_document):
    page = phone_document.page
    for table, columns in (("systems_cycles", 3), ("cycles", 2)):
        page.locator(f"#{table}").evaluate("x => x.scrollIntoView()")
        row = f"#{table} tbody tr:nth-child(2) td"
        assert page.evaluate(SEEN, row) >= columns


def test_what_is_secondary_is_folded(wide_document):
    page = wide_document.page
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
