"""Draws the faults to plant."""

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.mutants.fault import KINDS, Fault
from tools.mutants.sites import faults

FOLDERS = ("rtl", "cl", "proc/pipeline")  # folders in which faults are planted

MODELS = "cl"  # folder in which functions model circuits: they get faults as update blocks do


def all_faults(root: Path) -> list[Fault]:
    """List every fault that can be planted in the files of ``FOLDERS``, file by file."""
    found = []
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*.py")):
            path = file.relative_to(root).as_posix()
            found += faults(path, file.read_bytes(), python=folder == MODELS)
    return found


def drawn(found: Iterable[Fault], seed: int) -> Iterator[Fault]:
    """Yield faults in random order, one of each kind in turn, so that all kinds count equally."""
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
