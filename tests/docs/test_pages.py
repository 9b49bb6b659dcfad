"""Pages are of five kinds, each with its budget of words; all links lead somewhere."""

import re
from pathlib import Path

import pytest

from tests.docs.commands import ROOT, pages

DOCS = ROOT / "docs"
BUDGETS = {
    "tutorials": 6800,
    "how-to": 9500,
    "reference": 9100,
    "explanation": 10400,
    "records": 4200,
}
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?(?: \"[^\"]*\")?\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
FENCE = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)


def prose(page: Path) -> str:
    """Text of a page without its blocks of code."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """Names of a page's sections, as a link to one of them has them."""
    text = prose(page)
    titles = (re.sub(r"\[([^]]*)\]\([^)]*\)|[`*]", r"\1", x) for x in HEADING.findall(text))
    slugs = {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", x).strip().lower()) for x in titles}
    return slugs | set(re.findall(r'\bid="([^"]+)"|{#([\w-]+)}', text))


@pytest.mark.parametrize(("kind", "most"), BUDGETS.items())
def test_pages_of_a_kind_keep_to_their_budget(kind, most):
    words = {x.name: len(x.read_text(encoding="utf-8").split()) for x in DOCS.glob(f"{kind}/*.md")}
    assert sum(words.values()) <= most, words


def test_every_page_is_of_a_kind():
    kinds = {x.relative_to(DOCS).parts[0] for x in DOCS.rglob("*.md")}
    assert kinds == {*BUDGETS, "index.md"}


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_answers_the_question_in_its_first_line(page):
    if page.parent.parent == DOCS:
        lines = [x for x in page.read_text(encoding="utf-8").splitlines() if x]
        first = next(x for x in lines if not x.startswith(("<!--", "#")))
        assert first.endswith("?"), first


OTHERS = [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]


@pytest.mark.parametrize("page", [*pages(), *OTHERS], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for path, section in LINK.findall(prose(page)):
        target = page.parent / path if path else page
        assert target.exists(), path
        assert not section or target.suffix != ".md" or section in anchors(target), (path, section)
