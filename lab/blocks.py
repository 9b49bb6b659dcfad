"""Blocks: parts of the laboratory's work, whose results are kept, for workers on any machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from rsaxcel.store.folders import CONTENTS, cache_root, find, keep

#: Contents of the files of entries of the store, by entry and file.
Entries = Mapping[str, Mapping[str, bytes]]

LEAST_SECONDS = 10.0  #: least work for a worker, which needs a second or more to begin
_MOST_SECONDS = 300.0


@dataclass(frozen=True)
class Block:
    """A part of a run: an entry of the store, and the function that makes it."""

    name: str  #: name for people
    entry: str
    #: Function of a module that makes the entries of several blocks; it takes ``arguments``, the
    #: numbers of the blocks, and ``progress``.
    make: Callable[..., object]
    arguments: tuple[Any, ...]  #: arguments that can be pickled
    number: int
    seconds: float  #: rough duration
    memory_mb: float  #: rough upper bound

    @property
    def is_kept(self) -> bool:
        return find(cache_root(), self.entry) is not None


def shared(blocks: Sequence[Block], workers: int) -> list[list[Block]]:
    """Share out blocks; those of a share have one function and one set of arguments."""
    work = sum(block.seconds for block in blocks)
    size = min(max(work / workers, LEAST_SECONDS), _MOST_SECONDS)
    found = []
    for _, group in groupby(blocks, lambda block: (block.make, block.arguments)):
        found += _shared(list(group), size)
    return found


def _shared(blocks: Sequence[Block], size: float) -> list[list[Block]]:
    work = sum(block.seconds for block in blocks)
    count = min(max(1, round(work / size)), len(blocks))
    found: list[list[Block]] = [[] for _ in range(count)]
    before = 0.0
    for block in blocks:
        found[min(int(before / work * count), count - 1)].append(block)
        before += block.seconds
    return [share for share in found if share]


def make_entries(
    make: Callable[..., object],
    arguments: tuple[Any, ...],
    numbers: Sequence[int],
    entries: Sequence[str],
    sends: bool,
    progress: Callable[[str], None],
) -> Entries:
    """Make the entries of blocks; return their files if they are sent to another machine."""
    make(*arguments, numbers, progress=progress)
    folders = [cache_root() / name for name in entries if sends]
    return {
        folder.name: {x.name: x.read_bytes() for x in folder.iterdir() if x.name != CONTENTS}
        for folder in folders
    }


def keep_entries(entries: Entries) -> None:
    """Keep entries that another machine has made, unless they are there."""
    for name, files in entries.items():

        def populate(folder: Path, files: Mapping[str, bytes] = files) -> None:
            for file, content in files.items():
                (folder / Path(file).name).write_bytes(content)

        keep(cache_root(), name, populate)
