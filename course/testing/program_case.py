"""Cases of programs: a project's program in C, on the processor with the accelerator."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shlex import quote

import pytest

from rsaxcel.course.programs import Measured, compile_program, measure
from rsaxcel.course.project import Project
from rsaxcel.course.testing.cases import random_power_cases
from rsaxcel.proc.elf import Image
from rsaxcel.proc.systems import System, find_system
from rsaxcel.sim.corners import Operands
from rsaxcel.store.errors import RunError

LEVELS = "fl", "rtl"
_COUNT = 6  #: random powers

_compiled = cache(compile_program)


@dataclass(frozen=True)
class ProgramCase:
    """A program at a level: ``check`` compares its powers with Python's."""

    system: System
    level: str
    source: Path
    rows: tuple[Operands, ...]

    @property
    def name(self) -> str:
        """Name in pytest's list."""
        return f"{self.source.stem}-{self.system.nbits}-{self.level}"

    def check(self) -> None:
        """Run the program on each row; the first one that is wrong fails."""
        for row in self.rows:
            told, expected = "", pow(*row)
            try:
                got = measure(self.system, self.level, self._image, row).result
                if got != expected:
                    told = f"{self.source}: result {got:#x} instead of {expected:#x}"
            except RunError as error:
                told = str(error)
            if told:
                pytest.fail(f"{told}\nreplay: {self._replay(row)}", pytrace=False)

    @property
    def _image(self) -> Image:
        return _compiled(self.source)

    def _replay(self, row: Operands) -> str:
        vector = json.dumps(dict(zip(("base", "exp", "n"), (f"{x:x}" for x in row), strict=True)))
        made = self.source.parent.parent / "build" / f"{self.source.stem}.elf"
        choice = f"--system {self.system.design_name} --nbits {self.system.nbits}"
        run = f"rsaxcel run {quote(str(made))} {choice} --level {self.level} --data -"
        return f"echo {quote(vector)} | {run}"


def program_cases(
    system: str, nbits: int, source: Path, levels: Sequence[str] = LEVELS
) -> Iterator[ProgramCase]:
    """Yield the cases of a program at a width, for odd moduli."""
    drawn = random_power_cases(nbits, _COUNT, seed=1)
    rows = (1, 0, 3), (2, 1, 3), *(x.operands for x in drawn)
    for level in LEVELS:
        if level in levels:
            yield ProgramCase(find_system(system, nbits), level, source, rows)


def evaluate(project: Project) -> list[Measured]:
    """Run the evaluation programs of a project at RTL, on random operands of its greatest width."""
    if not (programs := project.programs):
        return []
    asked, nbits = project.settings.evaluation.exponent, max(project.settings.nbits)
    draw = random.Random(f"evaluation/{nbits}")
    modulus = draw.getrandbits(nbits) | 1 << nbits - 1 | 1
    base, exponent = draw.randrange(modulus), draw.getrandbits(nbits) | 1 << nbits - 1
    row = base, exponent if asked is None else asked, modulus
    system = find_system(project.system, nbits)
    images = [_compiled(project.folder / x) for x in programs]
    found = [measure(system, "rtl", x, row) for x in images]
    for image, measured in zip(images, found, strict=True):
        if measured.result != pow(*row):
            raise RunError(f"{image.name}: result {measured.result:#x}, Python has {pow(*row):#x}")
    return found
