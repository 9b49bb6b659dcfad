"""Prints the report's tables on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text as RichText

from rsaxcel.eval.report.choice import Best
from rsaxcel.eval.report.content import Content, ShownStudy
from rsaxcel.eval.report.fidelity import ALL_CLASSES, total
from rsaxcel.eval.report.spec import Text
from rsaxcel.eval.report.tables import ShownRow, ShownTable
from rsaxcel.eval.report.views import print_pieces, print_whole, view

_LABEL_WIDTH = 34


def show(console: Console, content: Content) -> None:
    """Print the tables with their notes, then the missing measurements, then failures."""
    say = partial(console.print, highlight=False, markup=False)
    for choice in content.choices:
        for best in choice.bests:
            say(f"{best.title}, {choice.nbits} bits, synthesized: {_best(best)}", style="bold")
            if best.narrower:
                say(f"    built for one modulus: {_best(best.narrower)}")
        say()
    for study in content.studies:
        for section in study.sections:
            for block in section.blocks:
                if isinstance(block, ShownTable):
                    _show_table(console, study, f"{section.section.title}: ", block)
                elif isinstance(block, Text):
                    say(block.title, style="bold")
                    say(block.text)
                    say()
    _show_fidelity(console, content)
    for name, text in content.workload.items():
        say(f"{name}: {text}", style="dim")
    for failure in content.failures:
        say(f"{failure.name} failed: {failure.message}", style="bold red", soft_wrap=True)


def _best(best: Best) -> str:
    price = f" ({best.price})" if best.price else ""
    return f"{best.design.name}, {best.text}{price}"


def _show_table(console: Console, study: ShownStudy, group: str, table: ShownTable) -> None:
    title = f"{group}{_lower(table.title)}"
    print_pieces(console, list(table.columns), partial(_table, title, table))
    for key in table.notes:
        style = "yellow" if key == "glitches" else "dim"
        console.print(study.notes[key], style=style, highlight=False, markup=False)
    console.print()


def _lower(title: str) -> str:
    """Title with a small first letter; a title that begins with capitals (FPGA) is unchanged."""
    return title if title[:2].isupper() else title[:1].lower() + title[1:]


def _show_fidelity(console: Console, content: Content) -> None:
    shown = view("Printed figures, and how near ours come")
    shown.collapse_padding = True
    shown.add_column("")
    for title in ("printed", "compared", *ALL_CLASSES):
        shown.add_column(title.replace(" ", "\n"), justify="right", no_wrap=True)
    rows = [*(x for x in content.fidelity if x.printed), total(content.fidelity)]
    document = ""
    for row in rows:
        if row.document and row.document != document:
            document = row.document
            short = content.printed.documents[document]["short"]
            shown.add_row(RichText(short, style="bold"))
        counts = (str(x or "") for x in row.counts.values())
        shown.add_row(row.place, str(row.printed), str(row.compared), *counts)
    print_whole(console, shown)


def _table(title: str, table: ShownTable, names: Sequence[str]) -> RichTable:
    shown = view(title)
    shown.add_column("", min_width=_LABEL_WIDTH, max_width=_LABEL_WIDTH)
    for name in names:
        heading = name.replace("_", "\n", 1)
        if name in table.measured_columns:
            shown.add_column(heading, justify="right", no_wrap=True)
            heading = ""
        if name in table.printed_columns:
            shown.add_column(f"{heading}\nprinted", justify="right", style="dim", no_wrap=True)
    section = ""
    for row in table.rows:
        if row.section != section:
            section = row.section
            shown.add_row(RichText(section, style="bold"))
        label = f"{row.label} ({row.unit})" if row.unit else row.label
        cells = (_cells(row, name, table) for name in names)
        shown.add_row(label, *(text for texts in cells for text in texts))
    return shown


def _cells(row: ShownRow, name: str, table: ShownTable) -> list[str]:
    cell = row.cells[name]
    texts = []
    if name in table.measured_columns:
        texts.append(row.text(cell))
    if name in table.printed_columns:
        texts.append(row.printed_text(cell.printed) if cell.printed else "")
    return texts
