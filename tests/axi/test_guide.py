"""The page of registers lists exactly the registers of the register map."""

from pathlib import Path

from rsaxcel.fl.register_map import markdown

PAGE = Path(__file__).parents[2] / "docs/reference/registers.md"


def test_page_has_the_map():
    assert markdown() in PAGE.read_text(encoding="utf-8")
