"""Programs in C of a hand-in: compiled and run on the processor with its accelerator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rsaxcel.catalog import registry
from rsaxcel.course.own import xcel_core
from rsaxcel.course.programs import compile_program, measure
from rsaxcel.course.project import OWN
from rsaxcel.course.rank import cores
from rsaxcel.proc.elf import Image
from rsaxcel.proc.operands import write_operands
from rsaxcel.proc.run import Devices, run_fl
from rsaxcel.proc.systems import System, find_system
from rsaxcel.sim.check.operands import Operands
from rsaxcel.store.errors import RsaxcelError, RunError, UserError

_MOST_STEPS = 10_000_000  #: instructions until a program uses its accelerator


class _UsedError(RsaxcelError):
    """The program uses its accelerator."""


class _Watched:
    """Registers that tell of the first access."""

    def read(self, address: int) -> int:
        raise _UsedError

    def write(self, address: int, data: int) -> None:
        raise _UsedError


def run_programs(
    core: Mapping[str, Any],
    files: Mapping[str, str],
    programs: Sequence[str],
    rows: Sequence[Operands],
) -> dict[str, tuple[str, int]]:
    """Return why a program is wrong, or nothing, and its cycles for the last row, by program.

    A sandbox runs this function, on values for JSON. Results are compared with Python's ``pow``;
    all programs but the first of several, the baseline, have to use the accelerator.
    """
    folder, own, _ = core["core"]
    entry = xcel_core(cores.write(folder, own), lambda nbits: _Watched())
    registry.register_given(entry)
    system = find_system(f"{OWN}{entry.name}", core["nbits"])
    place = cores.write("project", files)
    found = {}
    for number, program in enumerate(programs):
        told, cycles = "", 0
        try:
            image = compile_program(place / program)
            is_baseline = number == 0 and len(programs) > 1
            if not is_baseline and not _uses(system, image, rows[-1]):
                told = "it ends without a read or a write of its accelerator's registers"
            for row in () if told else rows:
                result, cycles = measure(system, "rtl", image, row)
                if result != pow(*row):
                    shown = ", ".join(f"{k}={x:#x}" for k, x in zip("ben", row, strict=True))
                    told = f"{shown}: result {result:#x} instead of {pow(*row):#x}"
                    break
        except (RunError, UserError) as error:
            lines = str(error).removeprefix(f"{place / program}: ").splitlines()
            told = next((x for x in lines if "error:" in x), lines[0]).removeprefix(f"{place}/")
        is_named = not told or told.startswith(program)
        found[program] = told if is_named else f"{program}: {told}", cycles
    return found


def _uses(system: System, image: Image, row: Operands) -> bool:
    image = replace(image, memory=bytearray(image.memory))
    write_operands(image, *row)
    try:
        run_fl(image, Devices(_Watched()), (), _MOST_STEPS, instruction_set=system.instruction_set)
    except _UsedError:
        return True
    return False
