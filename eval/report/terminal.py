"""The report's tables on the terminal."""

from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Console
from rich.table import Table as RichTable

from eval.report.comparison import AreaRatio, Cell, Row, Table
from eval.report.notes import NOTES
from eval.report.results import Failure, Result


def show(
    console: Console,
    results: Mapping[str, Result],
    failures: Sequence[Failure],
    tables: Sequence[Table],
    ratio: AreaRatio | None,
) -> None:
    """Print all figures in one table, what has to be said about them, and what failed."""
    if results:
        marks = {
            key: i for i, key in enumerate(dict.fromkeys(k for t in tables for k in t.notes), 1)
        }
        console.print(_table(tables, list(results), marks))
        for name, result in results.items():
            path = result.critical_path
            console.print(
                f"Critical path of {name}: {path['delay_ns']:.3f} ns from {path['start']} "
                f"to {path['end']}",
                soft_wrap=True,
                highlight=False,
                markup=False,
            )
    if ratio:
        console.print(
            f"Area of {ratio.large} over {ratio.small}: {ratio.measured:.2f} "
            f"(printed: {ratio.printed:.2f}); of one multiplier over the other: "
            f"{ratio.unit_measured:.2f} (printed: {ratio.unit_printed:.2f})",
            highlight=False,
        )
    if results:
        console.print()
        for key, mark in marks.items():
            style = "yellow" if key == "glitches" else "dim"
            console.print(f"[{mark}] {NOTES[key]}", style=style, markup=False, highlight=False)
    for failure in failures:
        console.print(f"{failure.design} failed: {failure.message}", style="bold red", markup=False)


def _table(tables: Sequence[Table], names: list[str], marks: Mapping[str, int]) -> RichTable:
    view = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    view.add_column("")
    for name in names:
        view.add_column(f"{name}\nmeasured", justify="right")
        view.add_column("\nprinted", justify="right", style="dim")
    for table in tables:
        notes = " ".join(f"\\[{marks[key]}]" for key in table.notes)
        view.add_row(f"[bold]{table.title}[/bold] [dim]{notes}[/dim]")
        for row in table.rows:
            label = f"  {row.label} ({row.unit})" if row.unit else f"  {row.label}"
            view.add_row(label, *(x for name in names for x in _cells(row, row.cells[name])))
        view.add_section()
    return view


def _cells(row: Row, cell: Cell) -> tuple[str, str]:
    printed = row.printed_text(cell.printed) if cell.printed else ""
    if cell.normalized:
        printed += f" ({row.printed_text(cell.normalized)})"
    return row.text(cell.measured), printed
