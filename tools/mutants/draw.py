"""Draws faults to plant."""

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.mutants.fault import KINDS, Fault
from tools.mutants.sites import faults

FOLDERS = ("rtl", "cl", "proc/pipeline")
"""Where they are planted."""

MODELS = "cl"
"""Of these, the folder whose functions are models of circuits, beside its update blocks."""


def all_faults(root: Path) -> list[Fault]:
    """Every fault of every file, in their order.

    Parameters
    ----------
    root : Path
        Top of the tree.
    """
    found = []
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*.py")):
            path = file.relative_to(root).as_posix()
            found += faults(path, file.read_bytes(), python=folder == MODELS)
    return found


def drawn(found: Iterable[Fault], seed: int) -> Iterator[Fault]:
    """Give faults in a random order, each kind in its turn, so that few ones count as much as many.

    Parameters
    ----------
    found : iterable of Fault
        All that there are.
    seed : int
        One seed gives one order.
    """
    draw = random.Random(seed)
    kinds: dict[str, list[Fault]] = {kind: [] for kind in KINDS}
    for fault in found:
        kinds[fault.kind].append(fault)
    for each in kinds.values():
        draw.shuffle(each)
    while any(kinds.values()):
        for each in kinds.values():
            if each:
                yield each.pop()
