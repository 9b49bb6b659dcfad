"""``rsaxcel check``: checks a design or a multiplier before it is handed in."""

import io
import json
import os
import time
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import click

from rsaxcel import catalog
from rsaxcel.catalog.given import VerilogEntry
from rsaxcel.cli.options.common import confinement_options, design_options, refuse_system
from rsaxcel.cli.options.plain import json_option, random_option, seed_option
from rsaxcel.cli.progress import progress
from rsaxcel.diagnosis.error import silent
from rsaxcel.sim.check.lacking import lacking
from rsaxcel.sim.check.plan import TITLES, Check, CheckRequest, Step, StepResult, results
from rsaxcel.sim.check.refused import KINDS, Refused
from rsaxcel.sim.native.toolchain import find_toolchain
from rsaxcel.store.code import files_below
from rsaxcel.store.errors import UserError
from rsaxcel.store.limit import time_limit
from rsaxcel.store.shown import LONGEST_LINE, shown

#: Limits of the check of a folder: time in steps, and memory.
_MOST_STEPS, _MEMORY_GB = 24, 8.0


@click.command(
    epilog="""\b
    What is checked:
    - Results of the golden model and of the circuit equal Python's integers. A
      multiplier of 8 bits forms every product. If that takes too long, it forms
      boundary values and random products of each modulus.
    - Cycles of the circuit equal those of the cycle model.
    - Answers stay the same if requests come in another order or alone, with
      stalls, after a reset, and with random register contents at power-up.
    - At narrow widths: cycles of the multiplier are right when requests wait,
      the smallest and largest parameters work, two products of a step work on
      one lane, and the Verilog does what the PyMTL3 circuit does.
    - The netlist of a circuit that is not from this project is right for operands
      that are drawn after the synthesis, and equals the Verilog (--only netlist
      for any circuit).

    \b
    Examples:
      rsaxcel check booth_r2l --nbits 8
      rsaxcel check booth --nbits 8 --only circuit
      rsaxcel check mont_r2l --nbits 64 --param stages=8 --seed 3
      rsaxcel check class/ann/booth --nbits 8
    """
)
@design_options
@random_option(
    "Random operands of each step, besides corners and all small operands; the step `order` "
    "runs at most K operands in all.",
    2000,
    10_000_000,
)
@seed_option("Seed of random operands.")
@click.option(
    "--seconds",
    type=click.IntRange(1, 100_000),
    default=600,
    metavar="T",
    help="Time limit of each step, in seconds.",
)
@click.option("--only", type=click.Choice(tuple(TITLES)), help="Run one step, at each width.")
@click.option("--keep-going", is_flag=True, help="Run all steps, also after a fault.")
@json_option("One JSON object per step, nothing else.")
@confinement_options
def command(
    design: str,
    nbits: int,
    params: dict[str, str],
    count: int,
    seed: int,
    seconds: int,
    only: str | None,
    keep_going: bool,
    as_json: bool,
    confinement: str,
) -> int:
    """Check DESIGN, or a multiplier, before it is handed in: circuits, models, declarations.

    DESIGN can be a folder that somebody has handed in: what `rank` says of confinement is then true
    of the whole check. A design of RSAXCEL_DESIGNS is trusted, as any program that you start.

    The multiplier of a design is checked first, then the design. Each is checked at N, 8 and 13
    bits, where it supports these widths.

    The first fault ends the check, unless --keep-going. It is printed with its operands, and with
    the command that repeats it. Notes list TODO marks, and missing sources and docstrings.

    Exit status: 0 if nothing is wrong, 1 for a fault, 2 for bad input.
    """
    is_name = design in catalog.circuits() | catalog.REDUCERS
    if design and not is_name and os.path.isdir(design):
        return _check_folder(Path(design), seconds, confinement)
    try:
        entry = catalog.find(design)
        if design in catalog.REDUCERS:
            raise UserError(f"{design} is a reducer; designs and multipliers are allowed")
        task = CheckRequest(entry, nbits, params, count, seed)
        netlist: Check | None = None
        foreign = task.configurations[0].is_foreign
        if only == "netlist" or foreign:  # circuits of this project have tests of their netlists
            from rsaxcel.course.netlist import check_netlist as netlist  # takes long to load
        with silent(), time_limit(seconds):
            planned = task.steps(netlist)
    except ValueError:
        refuse_system(design)
        raise
    planned = [step for step in planned if only in (None, step.name)]
    if not planned:
        raise UserError(f"--only {only}: {design} has no such step at {nbits} bits")
    find_toolchain()  # a missing compiler is an error before anything is printed
    began, found = time.monotonic(), []
    width = max(len(_name(step)) for step in planned)
    steps = "steps" if len(planned) > 1 else "step"
    with progress(f"check {design}", len(planned), steps) as advance:
        for result in results(planned, seconds, keep_going):
            found.append(result)
            if as_json:
                click.echo(json.dumps(_record(design, seed, result)))
            else:
                for line in _lines(result, width):
                    click.echo(line)
            advance(1)
    faults = [x.fault for x in found if x.fault]
    if not as_json:
        for note in (*_notes(entry), *entry.configure(nbits, **params).notes):
            click.echo(f"note: {note}")
        took = f"{time.monotonic() - began:.0f} s"
        if task.skipped:
            widths = " and ".join(map(str, task.skipped))
            click.echo(f"note: not checked at {widths} bits, which it does not have")
        left = len(planned) - len(found)
        verdict = f"nothing wrong found in {len(found)} {steps}"
        if faults:
            kinds = dict.fromkeys(KINDS[x.kind] for x in faults)
            verdict = f"{', '.join(kinds)}; {left} of {len(planned)} {steps} not run"
        click.echo(f"{design}: {verdict} ({took}, seed {seed})")
    return int(bool(faults))


def _check_folder(folder: Path, seconds: int, confinement: str) -> int:
    """Run this command in a sandbox, on a copy of a folder, and print its output."""
    from rsaxcel.course.rank.handed import find_handed
    from rsaxcel.course.rank.sandbox import Limits, run

    limits = Limits(_MOST_STEPS * seconds, _MEMORY_GB, confinement)
    (handed,) = find_handed([folder], limits)
    if handed.problem:
        raise UserError(f"{folder}: {handed.problem}")
    options = click.get_current_context().params
    try:
        given = {**handed.design, "options": options}
        told = run(check_copy, given, limits, "its check", is_foreign=True)
        lines, status = [shown(line, LONGEST_LINE) for line in told["lines"]], int(told["status"])
    except (Refused, KeyError, TypeError, ValueError) as error:
        raise UserError(f"{folder}: {error}") from error
    for line in lines:
        click.echo(line)
    return status


def check_copy(name: str, files: dict[str, str], options: dict[str, Any]) -> dict[str, Any]:
    """Write a design's files into the current folder and check it; return lines and exit status."""
    from rsaxcel.course.rank import cores, models

    assert command.callback is not None
    made = (cores if cores.is_core(files) else models).load(name, files)
    said = io.StringIO()
    with redirect_stdout(said):
        status = command.callback(**options | {"design": made.name})
    return {"lines": said.getvalue().splitlines(), "status": status}


def _name(step: Step) -> str:
    return f"{step.of}, {step.nbits} bits"


def _lines(result: StepResult, width: int) -> list[str]:
    step, fault = result.step, result.fault
    head = f"{_name(step):<{width}}  {step.title:<28}"
    if fault is None:
        told, *more = result.told.split("\n")
        return [f"{head}  right   {told}", *(f"  {x}" for x in more)]
    again = fault.replay or step.again
    verdict = "NO END" if fault.kind == "limits" else "WRONG "
    return [f"{head}  {verdict}  {fault.reason}", f"  again: {again}"]


def _record(design: str, seed: int, result: StepResult) -> dict[str, Any]:
    step, fault = result.step, result.fault
    return {
        "design": design,
        "of": step.of,
        "nbits": step.nbits,
        "step": step.name,
        "seed": seed,
        "verdict": fault.kind if fault else "right",
        "told": result.told,
        "reason": fault.reason if fault else "",
        "replay": (fault.replay or step.again) if fault else "",
    }


def _outside(entry: Any) -> tuple[Path, ...]:
    """Files and folders of a design's multiplier, if it is not from this project."""
    if isinstance(entry, VerilogEntry):
        return ()
    return catalog.outside([entry.default.multiplier.classes])


def _notes(entry: Any) -> list[str]:
    """List TODO marks, missing sources and missing docstrings of a design from another package."""
    files: list[Path] = []
    for place in _outside(entry):
        files += files_below(place) if place.is_dir() else [place]
    return lacking((x.name, x.read_text(errors="replace")) for x in files)
