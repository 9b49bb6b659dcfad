"""Programs of a project in C: compiled for the processor, and measured on it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from rsaxcel.proc.elf import Image, load_elf
from rsaxcel.proc.operands import join_words, write_operands
from rsaxcel.proc.programs.build import FOLDER
from rsaxcel.proc.run import FunctionalRun, run_fl
from rsaxcel.proc.systems import OVERHEAD, System
from rsaxcel.sim.system import open_circuit
from rsaxcel.sim.system_run import SystemEngine, SystemRequest, SystemRun
from rsaxcel.store.errors import RunError, UserError
from rsaxcel.store.installing import program
from rsaxcel.store.tools import RISCV_GCC, ToolError

#: Files of rsaxcel with which a program is linked; ``modexp.h`` says what it has to define.
_WITH = ("crt0.S", "main.c", "words.c")

_FLAGS = (
    *("-O2", "-std=gnu17", "-Wall", "-Wextra", "-nostdlib", "-nostartfiles", "-ffreestanding"),
    # The programs have no C library, whose memcpy and memset gcc would call for loops.
    "-fno-tree-loop-distribute-patterns",
)
_MOST_CYCLES = 200_000_000


class Measured(NamedTuple):
    """A program's run: its result, and the cycles of the power with the checks of operands."""

    result: int
    cycles: int


def compile_program(source: Path) -> Image:
    """Compile a program by GCC or by Python's package ``ziglang``.

    It is written into a folder ``build`` beside that of the program. ``UserError`` for a mistake.
    """
    if not source.is_file():
        raise UserError(f"{source}: there is no such program")
    folder = source.parent.parent / "build"
    folder.mkdir(exist_ok=True)
    made = folder / f"{source.stem}.elf"
    inputs = *(FOLDER / x for x in _WITH), source, *_libraries()
    places = "-I", FOLDER, "-idirafter", FOLDER / "fallback", "-T", FOLDER / "link.ld"
    done = subprocess.run(
        [*map(str, (*compiler(), *_FLAGS, *places, *inputs, "-o", made))],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        raise UserError(f"{source}: {done.stderr.strip()}")
    return load_elf(str(made))


def measure(
    system: System,
    level: str,
    image: Image,
    row: tuple[int, int, int],
    most_cycles: int = _MOST_CYCLES,
) -> Measured:
    """Run a program on a system at a level, ``fl`` or ``rtl``, and return what it computes.

    ``RunError`` for a program that ends in another way, or never; the result is not compared.
    """
    image = replace(image, memory=bytearray(image.memory))
    write_operands(image, *row)
    if level == "fl":
        run: FunctionalRun | SystemRun = run_fl(
            image, system.devices(), instruction_set=system.instruction_set
        )
    else:
        run = _engine(system).run(SystemRequest(image, most_cycles))
    if run.end is None:
        raise RunError(f"{image.name}: no end within {most_cycles} cycles")
    if status := run.end.exit_status:
        raise RunError(f"{image.name}: exit status {status}, {run.end.text()}")
    return Measured(join_words(run.messages), run.measured_cycles)


@dataclass(frozen=True)
class _Running(System):
    """System that runs programs of a project in place of its own; ``dummy`` is its own one."""

    images: Mapping[str, Image] = field(compare=False, kw_only=True)

    @property
    def _candidates(self) -> tuple[str, ...]:
        return (*self.images, OVERHEAD)

    def _image(self, program: str) -> Image:
        if program not in self.images:
            return super()._image(program)
        image = self.images[program]
        return replace(image, memory=bytearray(image.memory))


def with_programs(system: System, images: Mapping[str, Image]) -> System:
    """Return a system that runs these programs in place of its own, and ``dummy``."""
    own = {x.name: getattr(system, x.name) for x in fields(System)}
    return _Running(**own, images={x: y for x, y in images.items() if x != OVERHEAD})


@cache
def _engine(system: System) -> SystemEngine:
    return open_circuit(system)


def compiler() -> Sequence[str]:
    try:
        return (*program(RISCV_GCC), "-march=rv32im", "-mabi=ilp32", "-Wl,--no-warn-rwx-segments")
    except ToolError:
        if find_spec("ziglang") is None:
            raise
        target = ("-target", "riscv32-freestanding-none", "-mcpu=generic_rv32+m")
        return (sys.executable, "-m", "ziglang", "cc", *target)


def _libraries() -> Sequence[str]:
    return ("-lgcc",) if "ziglang" not in compiler() else ()
