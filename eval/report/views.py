"""Tables on the terminal that never cut a number: a table that is too wide comes in pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

PLAIN_WIDTH = 240  #: width of output that is no terminal
_UNBOUNDED = 10_000


def wide_console() -> Console:
    """Console of standard output, wide enough for most tables where it is no terminal."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = PLAIN_WIDTH
    return console


def view(title: str = "") -> Table:
    return Table(
        title=Text(title, style="bold") if title else None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
    )


def print_pieces(
    console: Console, names: Sequence[str], table_of: Callable[[Sequence[str]], Table]
) -> None:
    """Print a table, cut between its columns so that each piece fits the terminal."""
    unbounded = console.options.update(max_width=_UNBOUNDED)
    pieces: list[list[str]] = [[]]
    for name in names:
        wide = table_of([*pieces[-1], name])
        if pieces[-1] and console.measure(wide, options=unbounded).maximum > console.width:
            pieces.append([])
        pieces[-1].append(name)
    for number, piece in enumerate(pieces):
        if number:
            console.print()
        print_whole(console, table_of(piece))


def print_whole(console: Console, table: Table) -> None:
    """Print a table; on a terminal that is narrower, lines wrap, so that no number is cut."""
    least = console.measure(table, options=console.options.update(max_width=_UNBOUNDED)).minimum
    width = console.width
    console.width = max(least, width)
    console.print(table, crop=False)
    console.width = width
