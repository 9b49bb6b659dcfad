"""The guide lists exactly the registers of the register map."""

from pathlib import Path

from rsaxcel.fl.register_map import markdown

GUIDE = Path(__file__).parents[2] / "docs/how-to/bus.md"


def test_guide_has_the_map():
    text = GUIDE.read_text(encoding="utf-8")
    written = text.split("<!-- registers -->\n")[1].split("<!-- /registers -->")[0]
    assert written == markdown()
