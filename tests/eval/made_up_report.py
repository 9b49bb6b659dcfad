"""Reports on made-up results, and the inside of a made-up circuit."""

import io
import json
import re
from collections.abc import Callable, Sequence
from contextlib import chdir
from functools import cached_property
from pathlib import Path
from typing import Any
from unittest.mock import patch

from rich.console import Console

from rsaxcel.eval.report import build, content, terminal
from rsaxcel.eval.report.cards import Anatomy, Look
from rsaxcel.eval.report.content import Content, assemble
from rsaxcel.eval.report.plots import draw
from rsaxcel.eval.report.spec import Study
from rsaxcel.eval.studies import STUDIES
from tests.eval.made_up_jobs import work

FLOOR: Any = json.loads(Path(__file__).with_name("floor.json").read_text("utf-8"))
"""What the page draws of a placed circuit, see ``eval.pictures.floor.floor_data``."""


def anatomy(*about: Any) -> Anatomy:
    """Stand in for ``find_anatomy``: two kinds of cells, a path of two cells, and places."""
    pins = ("a_reg[3]/Q", "DFF_X1", "^"), ("g7/ZN", "NAND2_X1", "v")
    names = ("pin", "cell", "edge", "load_ff", "slew_ns", "delay_ns", "time_ns")
    return Anatomy(
        {"NAND2_X1": 7, "DFF_X1": 2},
        {"ends": 10, "least_ns": -0.25, "bar_ns": 0.5, "counts": [1, 2, 3, 4]},
        tuple(
            dict(zip(names, (*pin, 1.5, 0.25, 0.125, time), strict=True))
            for pin, time in zip(pins, (0.125, 2.5), strict=True)
        ),
        2.25,
        {"decrypt": {"core": 0.5}},
        {"netlist": "../flow/netlist.v"},
        FLOOR,
    )


class Report:
    """Report on made-up results: its page, its figures and its text on a terminal.

    Parameters
    ----------
    folder : Path
        Folder of the report.
    studies : sequence of Study
        Studies of the report.
    doing : callable
        Function that runs jobs.
    max_nbits : int
        Greatest width in bits to measure.
    plots : bool
        Whether plots are drawn, which takes most of the time.
    look : callable
        Function that finds inner structures of circuits; by default none are known.
    """

    def __init__(
        self,
        folder: Path,
        studies: Sequence[Study] = STUDIES,
        doing: Callable[..., Any] = work,
        max_nbits: int = 4096,
        plots: bool = False,
        look: Look = lambda *about: Anatomy(),
    ) -> None:
        folder.mkdir(exist_ok=True)
        self.folder, self.lines, self.incomplete = folder, [], None
        more = {"max_nbits": max_nbits, "work": doing, "progress": self.lines.append}
        shown: list[Content] = []

        def assembled(*args: Any) -> Content:
            shown.append(assemble(*args, look=look))
            return shown[0]

        drawing = (draw, content.draw_energies) if plots else 2 * (lambda *args: None,)
        with (
            patch.object(build, "assemble", assembled),
            patch.object(content, "draw", drawing[0]),
            patch.object(content, "draw_energies", drawing[1]),
            chdir(folder),  # the page also shows the sweeps of the current folder
        ):
            try:
                build.write_report(folder, studies, show=lambda content: None, **more)
            except build.ReportIncomplete as incomplete:
                self.incomplete = incomplete
        (self.content,) = shown
        self.pages = {x.name: x.read_text(encoding="utf-8") for x in folder.glob("*.html")}
        self.html = "".join(self.pages.values())
        self.figures = json.loads((folder / "figures.json").read_text(encoding="utf-8"))

    @cached_property
    def terminal(self) -> str:
        """What the command shows; few tests look at it, and it takes a fifth of the time."""
        console = Console(record=True, width=200, file=io.StringIO())
        with chdir(self.folder):
            terminal.show(console, self.content)
        return console.export_text()

    def row(self, table: str, key: str) -> dict[str, tuple[Any, Any]]:
        """Measured and printed figure of a table's row, by column."""
        (found,) = (x for x in self.content.tables if x.key == table)
        (row,) = (x for x in found.rows if x.key == key)
        return {
            name: (cell.measured, cell.printed and cell.printed.value)
            for name, cell in row.cells.items()
        }

    def notes_beside(self, ident: str) -> str:
        """Texts of the notes that are marked in the heading of a table or plot."""
        start = self.html.index(f'id="{ident}"')
        if ident.startswith("plot-"):
            heading = self.html[start : self.html.index("</figcaption>", start)]
        else:
            heading = self.html[self.html.rindex("<h4>", 0, start) : start]
        anchors = re.findall(r'<sup class="mark"><a href="#([^"]+)"', heading)
        texts = (self.html[self.html.index(f'<div id="{anchor}">') :] for anchor in anchors)
        return " ".join(text[: text.index("</div>")] for text in texts)

    def measured(self, table: str, key: str) -> dict[str, Any]:
        """Measured figures of a row, by column."""
        return {name: ours for name, (ours, _) in self.row(table, key).items()}
