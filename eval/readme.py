"""``python -m eval.readme``: writes README.md from its template and the facts that it asks for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import click
from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

from eval.cli import guard
from eval.errors import UserError
from eval.facts.fact import Fact
from eval.facts.printed import printed
from eval.facts.table import Facts, read_facts, to_frame, write_csv
from eval.report.spec import Column
from eval.report.words import Words
from eval.studies import MORE, mcnay

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
TEMPLATE = ROOT / "docs" / "README.md.j2"
FACTS = ROOT / "docs" / "facts.csv"
_STUDIES = (mcnay.study(), *MORE)


class AskedFacts(Facts):
    """Facts of ours with the printed ones: what is asked for has to be there, and is kept.

    Parameters
    ----------
    ours : iterable of Fact
        Measured ones, and what follows from them; printed ones among them are left out.

    Attributes
    ----------
    asked : dict of Fact to None
        Those of ours that were found, in the order in which they were asked for.
    """

    def __init__(self, ours: Iterable[Fact]) -> None:
        runs_on = {name: on for study in _STUDIES for name, on in study.runs_on.items()}
        super().__init__([*(x for x in ours if not x.printed), *printed().facts], runs_on)
        self.asked: dict[Fact, None] = {}

    def find(self, where: Mapping[str, Any], *, printed: bool) -> Fact:
        """Fact of what ``where`` names.

        Raises
        ------
        UserError
            If there is none.
        """
        fact = super().find(where, printed=printed)
        if fact is None:
            of = [f"{k} {v}" for k, v in where.items() if k not in ("subject", "quantity") and v]
            what = ", ".join([f"{where['quantity']} of {where['subject']}", *of])
            place = "eval/data/printed.json" if printed else "the facts (a report with --all?)"
            raise UserError(f"README.md shows {what}, which is missing in {place}")
        if not fact.printed:
            self.asked[fact] = None
        return fact


def render(facts: Facts, template: Path | None = None) -> str:
    """Fill the template.

    It finds the functions of ``Words`` under the name of each document, ``Column`` for subjects
    with choices, ``as_printed`` with McNay's own systems, and ``claim``: a sentence around which a
    call of it stands has to be borne out.

    Raises
    ------
    UserError
        If a figure is missing, or the figures say otherwise than a sentence.
    """
    template = template or TEMPLATE
    wrong: list[str] = []

    def claim(holds: bool, caller: Callable[[], str]) -> str:
        sentence = caller()
        if not holds:
            wrong.append(" ".join(sentence.split()))
        return sentence

    environment = Environment(
        loader=FileSystemLoader(template.parent),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    words = {study.document: Words(facts, study.where) for study in _STUDIES}
    try:
        names = {"Column": Column, "claim": claim, "as_printed": mcnay.AS_PRINTED.columns}
        text = environment.get_template(template.name).render(words, **names)
    except TemplateError as error:
        raise UserError(f"{template}: {error}") from error
    if wrong:
        said = "; ".join(f'"{sentence}"' for sentence in wrong)
        raise UserError(f"the facts do not bear out what {template} says: {said}")
    return text


def renew(path: Path) -> str:
    """Keep what the template asks for of a report's facts, and give the README.

    Raises
    ------
    UserError
        If a figure is missing, or what is kept says something else than all of them.
    """
    facts = AskedFacts(_read(path))
    text = render(facts)
    kept = sorted(facts.asked, key=lambda x: (x.key, x.library, str(x.clock_ns)))
    if render(AskedFacts(kept)) != text:
        raise UserError(f"{path}: figures that README.md asks for are there more than once")
    write_csv(to_frame(kept), FACTS)
    return text


def _read(path: Path) -> list[Fact]:
    try:
        return read_facts(path)
    except ValueError as error:
        reason = " ".join(str(error).split())
        raise UserError(f"no facts can be read from {path}: {reason}") from error


@click.command()
@click.option(
    "--facts",
    "path",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Facts of a report of all documents (build/report/facts.parquet): those that README.md "
    "asks for replace docs/facts.csv. Without it, the figures are those of docs/facts.csv.",
)
def command(path: Path | None) -> None:
    """Write README.md from docs/README.md.j2 and docs/facts.csv.

    Measures nothing. After `rsaxcel report --all`, give its facts. A figure that is missing, and
    a sentence that the figures do not bear out, are named, and README.md stays as it is.
    """
    README.write_text(renew(path) if path else render(AskedFacts(_read(FACTS))), encoding="utf-8")
    click.echo(f"wrote {README.name} with figures of {FACTS.relative_to(ROOT)}")


if __name__ == "__main__":
    sys.exit(guard(command, "python -m eval.readme"))
