"""Figures on pages equal the kept facts; nothing is measured here."""

import dataclasses
import difflib
import re
import shutil

import pytest

import tools.readme as readme
from rsaxcel.cli.main import guard
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.table import read_facts, to_frame, write_csv
from rsaxcel.eval.report.words import MISSING
from rsaxcel.store.errors import UserError
from tools.figure_table import FigureTable
from tools.readme import AskedFacts, render, render_all, templates

TABLE = FigureTable.read(readme.FIGURES)
CELLS = {"nbits": 32, "library": "freepdk-45nm", "clock_ns": 3.0}
AREAS = [Fact(x, "area_um2", v, "measured", **CELLS) for x, v in (("a", 2000.4), ("b", 500.0))]


@pytest.fixture(scope="module")
def kept() -> list[Fact]:
    return read_facts(readme.FACTS)


@pytest.fixture
def template(tmp_path):
    """Return a function that writes a template."""

    def write(text: str):
        path = tmp_path / "text.j2"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("path", templates(), ids=lambda path: path.name)
def test_page_is_what_its_template_and_facts_give(kept, path):
    page = templates()[path]
    stands = page.read_text(encoding="utf-8")
    given = render(AskedFacts(kept, TABLE), path)
    difference = difflib.unified_diff(
        stands.splitlines(), given.splitlines(), page.name, "make readme"
    )
    assert list(difference) == []
    assert MISSING not in stands


def test_facts_are_those_that_the_templates_ask_for(kept):
    facts = AskedFacts(kept)
    render_all(facts)
    assert facts.contradictions == []
    assert len(set(kept)) == len(kept)
    assert set(facts.needed()) == set(kept)


@pytest.mark.parametrize(
    ("subject", "quantity"),
    [("proc_mont_r2l", "cycles"), ("ssmm_r2l", "area_um2"), ("systolic", "luts")],
)
def test_another_figure_gives_other_pages(kept, subject, quantity):
    index = next(i for i, x in enumerate(kept) if (x.subject, x.quantity) == (subject, quantity))
    other = dataclasses.replace(kept[index], value=0.99 * kept[index].value)
    pages = render_all(AskedFacts([*kept[:index], other, *kept[index + 1 :]], TABLE))
    assert any(text != page.read_text(encoding="utf-8") for page, text in pages.items())


def test_a_missing_figure_is_named_in_a_line(kept, tmp_path, monkeypatch, capfd):
    gone = next(x for x in kept if (x.subject, x.quantity) == ("systolic", "luts"))
    monkeypatch.setattr(readme, "FACTS", tmp_path / "facts.csv")
    before = readme.README.read_bytes()
    write_csv(to_frame(x for x in kept if x != gone), readme.FACTS)
    assert guard(readme.command, "readme", []) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert f"luts of systolic, nbits {gone.nbits}" in line
    assert readme.README.read_bytes() == before


def pages_in(folder, monkeypatch):
    """Let the pages of a folder, and what stands in them, be those of the project."""
    for name, place in (
        ("ROOT", ""),
        ("PAGES", "docs"),
        ("TEMPLATES", "docs/templates"),
        ("FACTS", "docs/facts.csv"),
        ("FIGURES", "docs/figures.json"),
        ("README", "README.md"),
    ):
        monkeypatch.setattr(readme, name, folder / place)
    readme.TEMPLATES.mkdir(parents=True)


def test_facts_are_cut_to_what_stands_in_the_pages(tmp_path, monkeypatch):
    pages_in(tmp_path, monkeypatch)
    for name, subject in (("README", "a"), ("more", "b")):
        text = f"{{{{ mcnay_2023.cell('{subject}', 'area_um2') }}}} um2\n"
        (readme.TEMPLATES / f"{name}.md.j2").write_text(text)
    pages = {readme.README: "2,000 um2\n", readme.PAGES / "more.md": "500 um2\n"}
    readme.renew([Fact("c", "area_um2", 7.0, "measured", **CELLS), *reversed(AREAS)], TABLE)
    assert {page: page.read_text() for page in pages} == pages
    assert read_facts(readme.FACTS) == AREAS
    assert FigureTable.read(readme.FIGURES) == {}
    for page in pages:
        page.unlink()
    assert guard(readme.command, "readme", []) == 0
    assert {page: page.read_text() for page in pages} == pages


@pytest.mark.parametrize(
    ("content", "said"),
    [("", "cannot read facts from"), ("subject,value\na,1\n", "its columns are not a fact's")],
)
def test_a_file_without_facts_is_refused(tmp_path, capfd, monkeypatch, content, said):
    path = tmp_path / "other.csv"
    path.write_text(content, encoding="utf-8")
    monkeypatch.setattr(readme, "FACTS", path)
    before = readme.README.read_bytes()
    assert guard(readme.command, "readme", []) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert said in line
    assert readme.README.read_bytes() == before


def test_a_sentence_has_to_be_borne_out(template):
    text = (
        "{% set times = mcnay_2023.quotients('a', 'b', 'area_um2')[0] %}"
        "{% call claim(times > LEAST) %}a is much larger{% endcall %} than b."
    )
    assert render(AskedFacts(AREAS), template(text.replace("LEAST", "4"))) == (
        "a is much larger than b."
    )
    with pytest.raises(UserError, match=r'contradict a claim in .*: "a is much larger"'):
        render(AskedFacts(AREAS), template(text.replace("LEAST", "5")))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{ mcnay_2023.cell('a', 'cycles') }}", "shows cycles of a, nbits 32, .* in the facts"),
        ("{{ mcnay_2023.printed('a', 'area_um2') }}", "missing in eval/data/printed.json"),
        ("{{ nobody.cell('a', 'cycles') }}", "'nobody' is undefined"),
        ("{{ mcnay_2023.cell('a' }}", "text.j2"),
    ],
)
def test_what_a_template_asks_wrongly_is_an_error(template, text, said):
    with pytest.raises(UserError, match=said):
        render(AskedFacts(AREAS), template(text))


def placed_too(kept: list[Fact]) -> list[Fact]:
    """Add placed circuits: the same figures, with a core; those of 1024 bits are published."""
    found = []
    for fact in kept:
        if fact.stage != "synthesized" or fact.library != "freepdk-45nm":
            continue
        if fact.nbits == 1024:
            clock_ns = {"crt_window": 0.75}.get(fact.subject)
            fact = dataclasses.replace(fact, clock_ns=clock_ns)
            if fact.quantity == "min_period_ns":
                fact = dataclasses.replace(fact, value=0.74)
        elif fact.nbits != 32 or fact.clock_ns != 3.0:
            continue
        if fact.clock_ns:
            found.append(dataclasses.replace(fact, stage="placed"))
            if fact.quantity == "area_um2":
                core = {"quantity": "core_area_um2", "value": 1.5 * fact.value}
                found.append(dataclasses.replace(found[-1], **core))
    return [*kept, *found]


def test_placed_figures_stand_beside_the_synthesized_ones(kept, template, tmp_path):
    shutil.copy(readme.TEMPLATES / "tables.j2", tmp_path)
    text = "{% from 'tables.j2' import private_table with context %}"
    path = template(f"{text}{{{{ private_table() }}}}")
    text = render(AskedFacts(placed_too([x for x in kept if x.stage != "placed"])), path)
    rows = [line for line in text.splitlines() if line.startswith("| placed: ")]
    assert len(rows) == 4
    cores = [line for line in rows if line.startswith("| placed: core (um2)")]
    assert [line.count(" - |") for line in cores] == [3]
    assert MISSING not in text


def test_designs_of_both_stages_stand_with_their_ranks(template):
    facts = []
    for name, area, core in (("mulrem_r2l", 10.0, 40.0), ("ssmm_r2l", 20.0, 30.0)):
        for stage, clock_ns in (("synthesized", 0.5), ("placed", 2.0)):
            about = {"nbits": 32, "library": "freepdk-45nm", "clock_ns": clock_ns, "stage": stage}
            figures = {"min_period_ns": 2.0, "area_um2": area, "clock_ns": clock_ns}
            figures |= {"core_area_um2": core} if stage == "placed" else {}
            facts += [Fact(name, x, value, "measured", **about) for x, value in figures.items()]
            work = {"cycles": 1000.0, "energy_nj": area, "glitch_factor": 1.5}
            own = {"operation": "decrypt", **about}
            facts += [Fact(name, x, value, "measured", **own) for x, value in work.items()]
    text = "{% from 'tables.j2' import stage_table with context %}{{ stage_table(NBITS) }}"
    path = template(text.replace("NBITS", "32"))
    shutil.copy(readme.TEMPLATES / "tables.j2", path.parent)
    page = render(AskedFacts(facts), path).splitlines()
    assert page[2] == "| `ssmm_r2l` | 1,000 | 2.000 | 20 | 20.000 | 1.50 | 2.000 | 30 | 20.000 |"
    assert page[3].startswith("| `mulrem_r2l` |")
    assert page[-1].endswith("when they are placed: by area x time 2 of 2 have another rank.")
    path.write_text(text.replace("NBITS", "1024"))
    assert render(AskedFacts(facts), path).startswith("No design of this width")


#: Pages with figures in tables that no measurement gives, and what gives them.
NOT_MEASURED = {
    "dependencies": "versions of packages",
    "designs": "products for each bit, by theory",
    "start": "versions of systems",
    "lab-multiplier": "shares of marks",
    "pseudo-moduli": "counts of numbers",
}
FIGURE = re.compile(r"\| *[-+]?(\d+\.\d|\d+,\d{3}|\d+ (%|(um2|ns|us|ms|s|nJ|uJ|mW)\b))")


def test_figures_in_tables_come_from_facts():
    written = {page: template.read_text() for template, page in templates().items()}
    for page in (readme.README, *sorted(readme.PAGES.rglob("*.md"))):
        text = written.get(page) or page.read_text()
        text = re.sub(r"^( *```).*?^\1 *$", "", text, flags=re.DOTALL | re.MULTILINE)
        text = re.sub(r"{{.*?}}|{%.*?%}|{#.*?#}|`.*?`", "", text, flags=re.DOTALL)
        typed = [row for row in text.splitlines() if row.startswith("|") and FIGURE.search(row)]
        assert not typed or page.stem in NOT_MEASURED, (
            f"{page.name}: a figure in a table comes from a fact, by a template "
            f"(docs/how-to/extend.md): {typed[0]}"
        )
