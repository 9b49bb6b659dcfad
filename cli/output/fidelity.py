"""Prints the nearness of measured to printed figures: by place, by figure, or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from math import isinf
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from rsaxcel.eval.facts.quantities import enough_digits, find_quantity
from rsaxcel.eval.report.fidelity import (
    ALL_CLASSES,
    WITHIN_5,
    WITHIN_25,
    Compared,
    Fidelity,
    Match,
    total,
)
from rsaxcel.eval.report.views import print_whole, view, wide_console

_WHY: Any = {"min_width": 30, "max_width": 80, "overflow": "fold"}
_NOT_YET = "not measured yet"

Documents = Mapping[str, Mapping[str, str]]


def show_json(compared: Sequence[Compared]) -> None:
    """Print an object for each printed figure."""
    for row in compared:
        click.echo(json.dumps(_object(row)))


def _object(row: Compared) -> dict[str, Any]:
    fact, match = row.printed, row.match
    found: dict[str, Any] = {
        **{x: getattr(fact, x) for x in ("document", "section", "place", "where", "subject")},
        **{x: getattr(fact, x) for x in ("nbits", "choices", "part", "operation", "quantity")},
        "printed": fact.value,
        "ours": match and match.value,
        "class": None if match is None else "as printed" if row.as_printed else "own",
        "nearness": match and match.nearness,
        "compared": match and match.subject,
        "kind": match and match.kind,
        "own": row.own and row.own.value,
        "own_compared": row.own and row.own.subject,
        "reason": _why(row),
    }
    return found


def show_places(
    compared: Sequence[Compared], places: Sequence[Fidelity], documents: Documents
) -> None:
    """Print a row for each place, then the totals of both classes."""
    table = view("Printed figures, and how near ours come")
    table.add_column("")
    for title in ("printed", "ours", "as printed", *ALL_CLASSES):
        table.add_column(title.replace(" ", "\n"), justify="right", no_wrap=True)
    table.add_column("why", **_WHY)
    document = ""
    for row in (*(x for x in places if x.printed), total(places)):
        if row.document and row.document != document:
            document = row.document
            table.add_row(Text(documents[document]["short"], style="bold"))
        counts = (row.printed, row.compared, row.as_printed, *row.counts.values())
        table.add_row(row.place, *(str(x or "") for x in counts), row.reason)
    _print(table, compared)


def show_figures(compared: Sequence[Compared], documents: Documents) -> None:
    """Print a row for each printed figure."""
    table = view("Printed figures beside ours")
    for title, width in (("", 34), ("of", 40)):
        table.add_column(title, max_width=width, overflow="fold")
    for title in ("printed", "ours", "ours / printed"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("compared", max_width=40, overflow="fold")
    for title in ("class", "kind"):
        table.add_column(title, no_wrap=True)
    table.add_column("why", **_WHY)
    place = ("", "")
    for row in compared:
        fact = row.printed
        if (fact.document, fact.place) != place:
            place = fact.document, fact.place
            short = documents[fact.document]["short"]
            table.add_row(Text(f"{short}, {fact.place}", style="bold"))
        table.add_row(*_cells(row))
    _print(table, compared)


def _print(table: Table, compared: Sequence[Compared]) -> None:
    """Print a table, then the totals of both classes."""
    console = wide_console()
    print_whole(console, table)
    for line in _totals(compared):
        console.print(line, markup=False, soft_wrap=True)


def _cells(row: Compared) -> Iterator[str]:
    fact, match = row.printed, row.match
    quantity = find_quantity(fact.quantity)
    about = (fact.subject, f"{fact.nbits} bits" if fact.nbits else "", fact.choices, fact.part)
    yield f"{quantity.label} ({quantity.unit})" if quantity.unit else quantity.label
    yield ", ".join(x for x in (*about, fact.operation) if x)
    yield f"{fact.value:,}"
    if match is None:
        yield from ("-", "", "", "", "", _why(row))
        return
    yield quantity.text(match.value, enough_digits(match.value, quantity.digits))
    yield "" if isinf(match.ratio) else f"{match.ratio:.2f}"
    yield match.subject if match.subject != fact.subject else ""
    yield "as printed" if row.as_printed else "own"
    yield match.kind
    yield _why(row)


def _why(row: Compared) -> str:
    return _NOT_YET if row.awaited else row.reason


def _totals(compared: Sequence[Compared]) -> Iterator[str]:
    """Yield a line for each class of systems: number of figures, and their nearness to print."""
    yield from _near("as printed", [x.as_printed for x in compared if x.as_printed])
    cycles = [x for x in compared if x.as_printed and x.printed.quantity.endswith("cycles")]
    yield from _near("as printed, cycles only", [x.as_printed for x in cycles if x.as_printed])
    yield from _near("our own", [x.own for x in compared if x.own])
    awaited = sum(x.awaited for x in compared)
    if awaited:
        more = "`rsaxcel report --document NAME` measures a document's, `--all` those of all"
        yield f"{_NOT_YET}: {awaited}; {more}"
    bare = [x for x in compared if not (x.match or x.awaited)]
    said = sum(bool(x.reason) for x in bare)
    if bare:
        yield f"without one of ours: {len(bare)}, {said} of them with a reason"


def _near(title: str, matches: Sequence[Match]) -> Iterator[str]:
    if matches:
        near = sum(x.nearness in WITHIN_5 for x in matches)
        quarter = sum(x.nearness in WITHIN_25 for x in matches)
        count = len(matches)
        yield (
            f"{title}: {count} figures, {near} within 5 % ({near / count:.0%}), "
            f"{quarter} within 25 % ({quarter / count:.0%})"
        )
