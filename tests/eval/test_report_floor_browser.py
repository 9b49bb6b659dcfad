"""The picture of a placed circuit in a card, in a browser: clicks, zoom, maps, clock tree."""

import pytest

from tests.eval.made_up_report import FLOOR
from tests.eval.opened_page import BROWSER, Opened

pytestmark = BROWSER


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
