"""Options of ``rsaxcel flow`` that write a picture of the circuit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rsaxcel.cli.options.common import check_folder, ending_in, gathered, together
from rsaxcel.cli.options.rules import only_with
from rsaxcel.store.errors import UserError

if TYPE_CHECKING:
    from rsaxcel.flow.layout import Layout
    from rsaxcel.flow.record import Record

# Names of pictures, as in eval.pictures.kinds, which takes long to import.
KINDS = ("modules", "capacity", "clock", "energy", "glitches", "areas")
OF_OPERATIONS = ("energy", "glitches")
WITHOUT_PLACES = ("areas",)
ENDINGS = (".svg", ".png", ".pdf")


@dataclass(frozen=True)
class PictureChoice:
    """Values of the options that write a picture."""

    path: Path | None  #: file to write; None: no picture
    kind: str  #: content of the picture, a key of ``eval.pictures.kinds.PICTURES``

    @property
    def of_operation(self) -> bool:
        """Whether the picture is of a type of operation, which --operation chooses."""
        return self.path is not None and self.kind in OF_OPERATIONS

    def check(self, layout: Layout, activity: str) -> None:
        """Check, before the flow runs, that the picture can be drawn after it."""
        if self.path is None:
            return
        from rsaxcel.flow.layout import ZERO

        if not layout.placed and self.kind not in WITHOUT_PLACES:
            raise UserError(
                f"--picture: {self.kind} shows places, which cells have with --stage placed or "
                f"routed only; --picture-of {' or '.join(WITHOUT_PLACES)} needs no places"
            )
        if self.kind == "glitches" and activity == ZERO:
            raise UserError("--picture-of glitches: --activity zero has no glitches")
        check_folder("--picture", self.path)

    def write(
        self, record: Record, operation: str | None, progress: Callable[[str], None]
    ) -> Iterator[str]:
        """Draw the picture, and yield a line of text on it."""
        if self.path is None:
            return
        progress("picture")
        from rsaxcel.eval.facts.points import BUILD
        from rsaxcel.eval.pictures.kinds import PICTURES, draw
        from rsaxcel.eval.pictures.placed import Placed
        from rsaxcel.eval.pictures.style import save
        from rsaxcel.flow.earlier import record_files
        from rsaxcel.flow.errors import FlowError

        def load() -> Placed:
            found = record_files(BUILD / "flow")(record.hash)
            if found is None:
                raise FlowError(f"{record.design}: the files of its placement are gone")
            return Placed(record, found[1])

        figure = draw(self.kind, record, load, operation or record.operation)
        try:
            save(figure, self.path)
        except OSError as error:
            raise UserError(f"cannot write {self.path}: {error.strerror}") from error
        about = PICTURES[self.kind].about
        of = f", {operation or record.operation}" if self.of_operation else ""
        yield f"{'written':<14}{self.path}: {about}{of}"

    def show_lack(self, error: Exception, design: str, nbits: int, layout: Layout) -> str:
        """Draw the routing capacity of a core that is too small, if asked for this picture.

        Return the end of a message on the picture; empty if nothing was drawn.
        """
        from rsaxcel.flow.errors import FlowError, NoRoom

        asked = self.path is not None and self.kind == "capacity"
        if not (asked and isinstance(error, NoRoom) and error.files):
            return ""
        from rsaxcel.eval.pictures.kinds import draw_lack
        from rsaxcel.eval.pictures.placed import DrawnCore
        from rsaxcel.eval.pictures.style import save

        assert self.path is not None
        try:
            save(draw_lack(DrawnCore(design, nbits, layout.stage, error.files)), self.path)
        except (OSError, FlowError):
            return ""
        return f"; {self.path} shows where"


picture_options = together(
    click.option(
        "--picture",
        type=click.Path(dir_okay=False, path_type=Path),
        callback=ending_in(*ENDINGS),
        metavar="FILE",
        help="Draw the placed circuit; the name ends in .svg, .png or .pdf.",
    ),
    click.option(
        "--picture-of",
        type=click.Choice(KINDS),
        help="What the picture shows. modules: cells by module, and the critical path; capacity: "
        "use of the routing tracks; clock: the clock tree; energy, glitches: power by place, in "
        "the operation that --operation names; areas: treemap of the area by module, for circuits "
        f"without places, too.  [default: {KINDS[0]}]",
    ),
    only_with(("--picture-of",), "--picture"),
    gathered(
        "picture", lambda path, kind: PictureChoice(path, kind or KINDS[0]), "picture", "picture_of"
    ),
)
"""Adds --picture and --picture-of to a command, as ``picture``."""
