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
    """Print all tables, each with its notes, and what failed."""
    for table in tables if results else ():
        console.print(_table(table, list(results)))
        for key in table.notes:
            console.print(NOTES[key], style="yellow" if key == "glitches" else "dim")
        console.print()
    if results:
        console.print(_critical_paths(results))
        console.print()
    if ratio:
        console.print(
            f"Area of {ratio.large} over {ratio.small}: {ratio.measured:.2f} "
            f"(printed: {ratio.printed:.2f}); one multiplier over the other: "
            f"{ratio.unit_measured:.2f} (printed: {ratio.unit_printed:.2f})"
        )
    for failure in failures:
        console.print(f"{failure.design} failed: {failure.message}", style="bold red", markup=False)


def _table(table: Table, names: list[str]) -> RichTable:
    view = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    view.add_column(table.title, no_wrap=True)
    for name in names:
        view.add_column(f"{name}\nmeasured", justify="right")
        view.add_column("\nprinted", justify="right", style="dim")
    for row in table.rows:
        label = f"{row.label} ({row.unit})" if row.unit else row.label
        view.add_row(label, *(text for name in names for text in _cells(row, row.cells[name])))
    return view


def _cells(row: Row, cell: Cell) -> tuple[str, str]:
    printed = row.text(cell.printed.value) if cell.printed else ""
    if cell.normalized:
        printed += f" ({row.text(cell.normalized.value)})"
    return row.text(cell.measured), printed


def _critical_paths(results: Mapping[str, Result]) -> RichTable:
    view = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("Critical path", "from", "to"):
        view.add_column(title, overflow="fold")
    view.add_column("ns", justify="right")
    for name, result in results.items():
        path = result.critical_path
        view.add_row(name, path["start"], path["end"], f"{path['delay_ns']:.3f}")
    return view
