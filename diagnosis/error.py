"""Errors about a circuit: a mistake, its place in the source; and PyMTL3's own words, silenced."""

import io
import linecache
import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from rsaxcel.store.errors import UserError

_LONGEST_LINE = 300
_ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Place:
    """A line of a source file."""

    file: str
    line: int  #: number of the line, from 1

    @property
    def statement(self) -> str:
        return linecache.getline(self.file, self.line).strip()

    @property
    def ours(self) -> bool:
        """Whether the file belongs to this project, where a user's mistake is unlikely."""
        return Path(self.file).is_relative_to(_ROOT)

    def __str__(self) -> str:
        """Return ``file:line``; the path is relative if the relative path is shorter."""
        path = Path(self.file)
        below = os.path.relpath(path)
        return f"{below if len(below) < len(self.file) else path}:{self.line}"


class DesignError(UserError):
    """A mistake in a circuit; a command that fails with this error has exit status 2.

    ``what`` and ``allowed`` have one line each; ``allowed`` is empty, and ``place`` None, if
    unknown.
    """

    def __init__(self, what: str, allowed: str, place: Place | None = None) -> None:
        self.what, self.allowed, self.place = what, allowed, place
        lines = [f"{place}: {what}" if place else what]
        if place and place.statement:
            lines.append(f"  {place.statement}")
        if allowed:
            lines.append(f"  allowed: {allowed}")
        super().__init__("\n".join(map(_shortened, lines)))

    def __reduce__(self) -> tuple[type, tuple[str, str, Place | None]]:
        """Return class and arguments, so that the error can be pickled (sent between processes)."""
        return type(self), (self.what, self.allowed, self.place)


def _shortened(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]} ..."


@contextmanager
def silent() -> Iterator[None]:
    """Context that discards standard output: PyMTL3 prints there if an elaboration fails."""
    with redirect_stdout(io.StringIO()):
        yield
