"""The report's tables on the terminal."""

from collections.abc import Mapping, Sequence
from functools import partial

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from eval.report.area_ratio import AreaRatio
from eval.report.comparison import Cell, Row, Table
from eval.report.notes import NOTES
from eval.report.provenance import provenance
from eval.report.results import Failure, Result

_LABEL_WIDTH = 24


def show(
    console: Console,
    results: Mapping[str, Result],
    failures: Sequence[Failure],
    tables: Sequence[Table],
    ratio: AreaRatio | None,
) -> None:
    """Print the tables with what has to be said about each, and what failed."""
    say = partial(console.print, highlight=False, markup=False)
    if results:
        say(_facts(results), style="dim")
        say()
        for table in tables:
            console.print(_table(table, list(results)))
            for key in table.notes:
                say(NOTES[key], style="yellow" if key == "glitches" else "dim")
            say()
        for name, result in results.items():
            path = result.critical_path
            ends = f"from {path['start']} to {path['end']}"
            say(f"Critical path of {name}: {path['delay_ns']:.3f} ns {ends}", soft_wrap=True)
    if ratio:
        say(
            f"Area of {ratio.large} over {ratio.small}: {ratio.measured:.2f} "
            f"(printed: {ratio.printed:.2f}); of one multiplier over the other: "
            f"{ratio.unit_measured:.2f} (printed: {ratio.unit_printed:.2f})"
        )
    for failure in failures:
        say(f"{failure.design} failed: {failure.message}", style="bold red")


def _facts(results: Mapping[str, Result]) -> str:
    """Conditions and tools that all records have in common."""
    rows = provenance([result.record for result in results.values()])
    shared = [f"{key} {values[0]}" for key, values in rows.items() if len(set(values)) == 1]
    return f"{len(results)} designs: {', '.join(shared)}"


def _table(table: Table, names: list[str]) -> RichTable:
    view = RichTable(
        title=Text(table.title, style="bold"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
    )
    view.add_column("", min_width=_LABEL_WIDTH)
    for name in names:
        view.add_column(f"{name}\nmeasured" if table.has_printed else name, justify="right")
        if table.has_printed:
            view.add_column("\nprinted", justify="right", style="dim")
    for row in table.rows:
        label = f"{row.label} ({row.unit})" if row.unit else row.label
        cells = (_cells(row, row.cells[name], table.has_printed) for name in names)
        view.add_row(label, *(text for texts in cells for text in texts))
    return view


def _cells(row: Row, cell: Cell, has_printed: bool) -> tuple[str, ...]:
    measured = row.text(cell.measured)
    if not has_printed:
        return (measured,)
    printed = row.printed_text(cell.printed) if cell.printed else ""
    if cell.normalized:
        printed += f" ({row.printed_text(cell.normalized)})"
    return measured, printed
