"""The report's tables on the terminal."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from eval.report.comparison import Row, Table
from eval.report.content import Content
from eval.report.provenance import provenance, shared
from eval.report.results import OPERATION_TITLES, Result, by_hardware

_LABEL_WIDTH = 34
_UNBOUNDED = 10_000


def show(console: Console, content: Content) -> None:
    """Print the tables with what has to be said about each, and what failed."""
    say = partial(console.print, highlight=False, markup=False)
    hardware = by_hardware(content.results)
    if hardware:
        say(_facts(hardware), style="dim")
        say()
    for table in content.all_tables:
        title = f"{content.group_title(table)}: {table.title.lower()}"
        for number, piece in enumerate(_pieces(console, title, table)):
            if number:
                say()
            console.print(piece)
        for key in table.notes:
            say(content.notes[key], style="yellow" if key == "glitches" else "dim")
        say()
    for order in content.orders:
        say(f"Least energy first, {OPERATION_TITLES[order.operation].lower()}:")
        say(f"  measured  {', '.join(order.measured)}")
        say(f"  printed   {', '.join(order.printed)}")
    for name, result in hardware.items():
        path = result.critical_path
        ends = f"from {path['start']} to {path['end']}"
        say(f"Critical path of {name}: {path['delay_ns']:.3f} ns {ends}", soft_wrap=True)
    if ratio := content.ratio:
        say(
            f"Area of {ratio.large} over {ratio.small}: {ratio.measured:.2f} "
            f"(printed: {ratio.printed:.2f}); of one multiplier over the other: "
            f"{ratio.unit_measured:.2f} (printed: {ratio.unit_printed:.2f})"
        )
    if content.unmeasured:
        listed = ", ".join(content.unmeasured)
        say(
            f"Not measured: {listed}; `rsaxcel report --design NAME` adds a design",
            style="dim",
            soft_wrap=True,
        )
    for failure in content.failures:
        say(f"{failure.hardware} failed: {failure.message}", style="bold red")


def _facts(hardware: Mapping[str, Result]) -> str:
    """Conditions and tools that all records have in common."""
    records = [result.record for result in hardware.values()]
    common, _ = shared(provenance(records), list(hardware))
    listed = ", ".join(f"{key} {value}" for key, value in common.items())
    return f"{len(records)} designs and systems: {listed}"


def _pieces(console: Console, title: str, table: Table) -> Iterator[RichTable]:
    """Cut a table between its columns, so that each piece fits the terminal."""
    unbounded = console.options.update(max_width=_UNBOUNDED)
    names: list[str] = []
    for name in table.columns:
        wide = _table(title, table, [*names, name])
        if names and console.measure(wide, options=unbounded).maximum > console.width:
            yield _table(title, table, names)
            names = []
        names.append(name)
    yield _table(title, table, names)


def _table(title: str, table: Table, names: Sequence[str]) -> RichTable:
    view = RichTable(
        title=Text(title, style="bold"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
    )
    view.add_column("", min_width=_LABEL_WIDTH, max_width=_LABEL_WIDTH)
    for name in names:
        title = name.replace("_", "\n", 1)
        if name in table.measured_columns:
            view.add_column(title, justify="right", no_wrap=True)
            title = ""
        if name in table.printed_columns:
            view.add_column(f"{title}\nprinted", justify="right", style="dim", no_wrap=True)
    section = ""
    for row in table.rows:
        if row.section != section:
            section = row.section
            view.add_row(Text(section, style="bold"))
        label = f"{row.label} ({row.unit})" if row.unit else row.label
        cells = (_cells(row, name, table) for name in names)
        view.add_row(label, *(text for texts in cells for text in texts))
    return view


def _cells(row: Row, name: str, table: Table) -> list[str]:
    cell = row.cells[name]
    texts = []
    if name in table.measured_columns:
        texts.append(row.text(cell.measured))
    if name in table.printed_columns:
        texts.append(row.printed_text(cell.printed) if cell.printed else "")
    return texts
