"""``python -m tools.readme``: writes README.md and pages of docs/ from templates and facts.

A claim is a sentence with a condition on the facts; if the condition is false, nothing is written.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from shutil import move
from tempfile import TemporaryDirectory
from typing import Any

import click
from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

from rsaxcel import catalog
from rsaxcel.catalog.choices import OWN_AXES
from rsaxcel.cli.main import guard
from rsaxcel.eval.facts.fact import DERIVED, Fact
from rsaxcel.eval.facts.points import tabulate
from rsaxcel.eval.facts.printed import printed
from rsaxcel.eval.facts.quantities import QUANTITIES
from rsaxcel.eval.facts.table import Facts, read_facts, to_frame, write_csv
from rsaxcel.eval.report.choice import choices
from rsaxcel.eval.report.names import colours_of
from rsaxcel.eval.report.spec import Column
from rsaxcel.eval.report.words import FigureWords
from rsaxcel.eval.studies import STUDIES, mcnay
from rsaxcel.eval.studies.designs import NBITS
from rsaxcel.fl import register_map
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.lab.proofs.standard import standard_claims
from rsaxcel.proc.isa import CSRS
from rsaxcel.store.errors import UserError
from tools.figure_table import RUNS_ON, FigureTable

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
PAGES = ROOT / "docs"
TEMPLATES = PAGES / "templates"
FACTS = PAGES / "facts.csv"
FIGURES = PAGES / "figures.json"
CORES = PAGES / "public-cores.json"
EXAM = PAGES / "public-exam.json"
PROCESSES = PAGES / "processes.json"
LABORATORY = PAGES / "laboratory.json"
PICTURE = PAGES / "which-design.png"
_SUFFIX = ".md.j2"
_OUTDATED = "<outdated>\n\n"
#: Subject and conditions of a fact.
_WHERE = ("subject", "nbits", "choices", "operation", "library", "clock_ns", "stage", "activity")


class AskedFacts(Facts):
    """Measured and printed facts; an error for a missing one, and a list of used facts.

    Printed facts come from eval/data/printed.json. ``table``: pages say which figures are outdated.
    """

    def __init__(self, ours: Iterable[Fact], table: FigureTable | None = None) -> None:
        super().__init__([*(x for x in ours if not x.printed), *printed().facts], RUNS_ON)
        self.asked: dict[Fact, None] = {}
        self.table = table or FigureTable()

    def find(self, where: Mapping[str, Any], *, printed: bool) -> Fact:
        """Return the fact with the values in ``where``, such as ``{"quantity": "cycles"}``."""
        fact = super().find(where, printed=printed)
        if fact is None:
            of = [f"{k} {v}" for k, v in where.items() if k not in ("subject", "quantity") and v]
            what = ", ".join([f"{where['quantity']} of {where['subject']}", *of])
            place = "eval/data/printed.json" if printed else "the facts (a report with --all?)"
            raise UserError(f"a page shows {what}, which is missing in {place}")
        if not fact.printed:
            self.asked[fact] = None
        return fact

    def needed(self) -> list[Fact]:
        """Facts that pages use, and those from which they are derived, in a fixed order."""
        seen, left = set(self.asked), list(self.asked)
        while left:
            fact = left.pop()
            formula = QUANTITIES[fact.quantity].formula if fact.kind == DERIVED else ""
            where = {x: getattr(fact, x) for x in _WHERE}
            for name in QUANTITIES.keys() & set(re.findall(r"\w+", formula)):
                used = super().find(where | {"quantity": name}, printed=False)
                if used and used not in seen:
                    seen.add(used)
                    left.append(used)
        found = [x for x in seen if x in self.asked or x.kind != DERIVED]
        return sorted(found, key=lambda x: (x.key, x.library, str(x.clock_ns), x.stage, x.activity))

    def has(self, subject: str, quantity: str, **where: Any) -> bool:
        """Whether there is a measured figure, for optional parts of a page."""
        asked = {"subject": subject, "quantity": quantity, **where}
        return super().find(asked, printed=False) is not None


def templates() -> dict[Path, Path]:
    """Map each template to the file of its page: README.md, or the file of its place in docs/."""
    found = {x: x.relative_to(TEMPLATES) for x in sorted(TEMPLATES.rglob(f"*{_SUFFIX}"))}
    pages = {path: PAGES / name.with_suffix("") for path, name in found.items()}
    return {path: README if page == PAGES / README.name else page for path, page in pages.items()}


def render_all(facts: AskedFacts) -> dict[Path, str]:
    """Fill all templates with facts; return the text of each page."""
    return {page: render(facts, template) for template, page in templates().items()}


def render(facts: AskedFacts, template: Path) -> str:
    """Fill a template with facts; return the text of the page.

    A template can use these names:

    - the name of each document: its ``FigureWords``, which find the document's figures
    - ``Column``: a subject together with conditions, such as choices on the axes
    - ``columns``: function that makes a ``Column`` of each name in a list
    - ``as_printed``: columns of the systems that McNay's document describes
    - ``additions``: the processor with each instruction set of McNay's, here and as printed
    - ``designs``: the registered designs by name
    - ``axes``: each axis with its choices and their meanings
    - ``has``: whether there is a measured figure (``AskedFacts.has``)
    - ``public_cores``: what ``tools.public_cores`` has measured of each core of others
    - ``public_exam``: what ``tools.public_exam`` has found in each way of one core
    - ``processes``: what ``tools.processes`` has measured of designs in several processes
    - ``documents`` and ``document_errata``: title and author, and errata, of each document
    - ``bus_registers``: tables of the registers of an accelerator on a bus
    - ``csr``: function that returns the name of a control register with its address
    - ``laboratory``: figures of ``rsaxcel leak``, ``fault`` and ``prove``, with the day of each
    - ``standard_claims``: what ``rsaxcel prove`` proves without a name, by class and width
    - ``outdated``: a line that becomes a list of figures older than their circuit or the flow
    - ``text_of``: function that returns the text of a file in docs/
    - ``claim``: ``{% call claim(condition) %}sentence{% endcall %}`` gives the sentence, or fails
    """
    wrong: list[str] = []
    before, facts.asked = facts.asked, {}

    def claim(holds: bool, caller: Callable[[], str]) -> str:
        sentence = caller()
        if not holds:
            wrong.append(" ".join(sentence.split()))
        return sentence

    def text_of(file: str) -> str:
        return (PAGES / file).read_text(encoding="utf-8")

    environment = Environment(
        loader=FileSystemLoader([TEMPLATES, template.parent]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    words = {study.document: FigureWords(facts, study.where) for study in STUDIES}
    try:
        names: dict[str, Any] = {"Column": Column, "columns": columns, "claim": claim}
        names["as_printed"] = mcnay.AS_PRINTED.columns
        names["additions"] = [mcnay.addition_columns(end) for end in mcnay.PROCESSORS]
        names |= {"designs": catalog.DESIGNS, "has": facts.has, "outdated": _OUTDATED.strip()}
        names |= {"public_cores": public_cores(), "public_exam": public_exam()}
        names["processes"] = json.loads(PROCESSES.read_text("utf-8"))
        names["document_errata"] = printed().errata
        names["documents"] = printed().documents
        names["bus_registers"] = register_map.markdown()
        names["csr"] = lambda name: f"`{name}` ({CSRS[name].address:#x})"
        names["axes"] = {**catalog.axes(), **OWN_AXES}
        names["laboratory"] = json.loads(LABORATORY.read_text("utf-8"))
        names["standard_claims"] = claims_by_class()
        text = environment.from_string(template.read_text("utf-8")).render(
            words, text_of=text_of, **names
        )
    except (TemplateError, OSError) as error:
        raise UserError(f"{template}: {error}") from error
    note = facts.table.note(list(facts.asked))
    if _OUTDATED in text:
        text = text.replace(_OUTDATED, note and f"{note}\n\n")
    elif note:
        text = f"{text}\n{note}\n"
    facts.asked = before | facts.asked
    if wrong:
        said = "; ".join(f'"{sentence}"' for sentence in wrong)
        raise UserError(f"the facts contradict a claim in {template}: {said}")
    return text


@cache
def claims_by_class() -> list[dict[str, Any]]:
    """Class, width, number and circuits of the standard claims, in the order of the classes."""
    found: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for claim in standard_claims():
        found[claim.kind, claim.nbits].append(claim.name)
    return [
        {"kind": kind, "nbits": nbits, "count": len(names), "names": list(dict.fromkeys(names))}
        for (kind, nbits), names in found.items()
    ]


def columns(names: Iterable[str]) -> list[Column]:
    """Make a table column for each name of a subject, with the name as its heading."""
    return [Column(f"`{name}`", {"subject": name}) for name in names]


def renew(facts: Iterable[Fact], table: FigureTable) -> None:
    """Write the pages; keep only facts that the pages print, and their measurements."""
    asked = AskedFacts(facts, table)
    pages = render_all(asked)
    printed = asked.needed()
    if render_all(AskedFacts(printed, table)) != pages:
        raise UserError("figures that a page uses occur more than once")
    write_csv(to_frame(printed), FACTS)
    used = table.jobs_of(printed)
    FigureTable({name: x for name, x in table.items() if name in used}).write(FIGURES)
    write(pages)


def about(fact: Fact) -> Fact:
    """Return a fact without its figure and the figure's origin."""
    return replace(fact, value=0, kind="measured", where="", provenance="")


def draw(facts: Facts) -> None:
    """Draw the area and time of all designs at 32 bits for README.md."""
    points = tabulate(facts)
    points = points[points["nbits"] == NBITS]
    with TemporaryDirectory() as folder:
        for x in choices(points, colours_of(points["subject"]), DEFAULT_LIBRARY, Path(folder)):
            move(Path(folder, f"{x.plot.key}.png"), PICTURE)


def read_kept() -> list[Fact]:
    """Read the figures of the pages."""
    try:
        return read_facts(FACTS)
    except ValueError as error:
        raise UserError(f"cannot read facts from {FACTS}: {error}") from error


def public_cores() -> list[dict[str, Any]]:
    """Read what ``tools.public_cores`` has measured."""
    found: list[dict[str, Any]] = json.loads(CORES.read_text("utf-8"))
    return found


def public_exam() -> dict[str, dict[str, Any]]:
    """Read what ``tools.public_exam`` has found, by way through an exponent."""
    found: dict[str, dict[str, Any]] = json.loads(EXAM.read_text("utf-8"))
    return found


def write(pages: Mapping[Path, str]) -> None:
    draw(AskedFacts(read_kept()))
    for page, text in pages.items():
        page.write_text(text, encoding="utf-8")
    names = ", ".join(page.relative_to(ROOT).as_posix() for page in pages)
    click.echo(f"wrote {names} with figures of {FACTS.relative_to(ROOT)}")


@click.command()
def command() -> None:
    """Write README.md and pages of docs/ from docs/templates and docs/facts.csv.

    It measures nothing; `make figures` does. If a figure is missing, or a claim does not hold, an
    error names it and the pages stay unchanged.
    """
    write(render_all(AskedFacts(read_kept(), FigureTable.read(FIGURES))))


if __name__ == "__main__":
    sys.exit(guard(command, "python -m tools.readme"))
